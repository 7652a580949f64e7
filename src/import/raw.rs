//! The raw page: one row per launch, one column per metric, hundreds of them.
//!
//! The second row has the units; its empty ID tells it from a launch. It holds for all rows, so each column has one unit.

use super::columns::{IdColumns, cell, num_identification_columns};
use super::metrics::{DEVICE_NAME_METRIC, Metric, find};
use super::model::Read;
use super::position::Position;
use super::reading::{Reading, Unit};
use super::rows::Row;

/// A column whose metric is kept.
#[derive(Clone, Debug)]
struct MetricColumn {
    index: usize,
    name: Vec<u8>,
    metric: Metric,
    /// None when the unit is unknown: the column is not used.
    factor: Option<f64>,
}

/// Where the columns of a raw table are.
#[derive(Clone, Debug)]
pub(super) struct RawColumns {
    id: IdColumns,
    metrics: Vec<MetricColumn>,
    device_name: Option<usize>,
    /// The column after the identification.
    first_metric: usize,
    width: usize,
    /// No launch was read yet, so a row without an ID has the units.
    expects_units: bool,
}

impl RawColumns {
    /// The columns by their names; none when this is no header of a raw page.
    pub(super) fn new(header: &Row<'_>) -> Option<Self> {
        let id = IdColumns::new(header);
        id.id?;
        let metrics = header.iter().enumerate().filter(|(index, _)| !id.contains(*index)).filter_map(|(index, name)| {
            let metric = find(name)?;
            Some(MetricColumn { index, name: name.to_vec(), metric, factor: Some(1.0) })
        });
        Some(Self {
            id,
            metrics: metrics.collect(),
            device_name: header.iter().position(|name| name == DEVICE_NAME_METRIC),
            first_metric: num_identification_columns(header),
            width: header.len(),
            expects_units: true,
        })
    }

    pub(super) const fn id(&self) -> &IdColumns {
        &self.id
    }

    pub(super) const fn expects_units(&self) -> bool {
        self.expects_units
    }

    /// The columns that are read of a launch, once the decimal mark is settled.
    pub(super) fn used(&self) -> Vec<usize> {
        let metrics = self.metrics.iter().map(|column| column.index);
        // A header can be told by its first cell.
        self.id.all().chain(metrics).chain(self.device_name).chain([0]).collect()
    }

    /// How many metric columns are not kept.
    pub(super) fn num_other_columns(&self) -> usize {
        let kept = self.metrics.len() + usize::from(self.device_name.is_some());
        self.width.saturating_sub(self.first_metric + kept)
    }

    pub(super) fn row(&mut self, record: &Row<'_>, line: u64, reading: &mut Reading) {
        let has_id = !cell(record, self.id.id).trim_ascii().is_empty();
        if self.expects_units && !has_id {
            self.expects_units = false;
            self.read_units(record, line, reading);
            return;
        }
        self.expects_units = false;
        let known = reading.launches.len();
        let Some(launch) = self.id.launch(record, line, reading) else { return };
        if launch < known {
            reading.skip_row(line, "a launch with its process and ID was already read");
            return;
        }
        if record.len() < self.width {
            reading.short_row(line, record.len(), self.width);
        }
        self.read_launch(record, line, launch, reading);
    }

    fn read_units(&mut self, record: &Row<'_>, line: u64, reading: &mut Reading) {
        for column in &mut self.metrics {
            let at = Position::of_cell(line, column.index);
            column.factor = reading.factor(column.metric, cell(record, Some(column.index)), at);
        }
    }

    fn read_launch(&self, record: &Row<'_>, line: u64, launch: usize, reading: &mut Reading) {
        for column in &self.metrics {
            let at = Position::of_cell(line, column.index);
            let (Some(factor), value) = (column.factor, cell(record, Some(column.index))) else { continue };
            if let Some(slot) = reading.number(column.metric, Unit::Factor(factor), value, at) {
                reading.keep(launch, column.metric, &column.name, slot);
            }
        }
        if let (Some(index), name) = (self.device_name, cell(record, self.device_name))
            && !name.is_empty()
        {
            let name = Read::exact(String::from_utf8_lossy(name).into_owned(), Position::of_cell(line, index));
            reading.launches.get_mut(launch).identity.device_name = Some(name);
        }
        if !reading.evidence.is_settled() {
            for (index, value) in record.iter().enumerate().filter(|(index, _)| !self.id.contains(*index)) {
                reading.observe_other(value, Position::of_cell(line, index));
            }
        }
    }
}
