//! The summary of `--print-summary`: one row per kernel, launch shape and metric, with minimum, maximum and average.
//!
//! The average stands for all launches. For achieved occupancy the range is kept as well.

use super::columns::{IdColumns, cell, column};
use super::metrics::{Metric, Quantity, find_in_cell};
use super::position::Position;
use super::reading::{Reading, Unit};
use super::rows::Row;

/// Where the columns of a summary are.
#[derive(Clone, Copy, Debug)]
pub(super) struct SummaryColumns {
    id: IdColumns,
    section: Option<usize>,
    metric: usize,
    unit: Option<usize>,
    minimum: usize,
    maximum: usize,
    average: usize,
}

impl SummaryColumns {
    /// The columns by their names; none when this is no header of a summary.
    pub(super) fn new(header: &Row<'_>) -> Option<Self> {
        Some(Self {
            id: IdColumns::new(header),
            section: column(header, "Section Name"),
            metric: column(header, "Metric Name")?,
            unit: column(header, "Metric Unit"),
            minimum: column(header, "Minimum")?,
            maximum: column(header, "Maximum")?,
            average: column(header, "Average")?,
        })
    }

    pub(super) fn row(&self, record: &Row<'_>, line: u64, reading: &mut Reading) {
        if record.len() <= self.average {
            reading.skip_row(line, "it ends before its average");
            return;
        }
        let launch = self.id.summarized(record, line, reading);
        let name = cell(record, Some(self.metric));
        let metric = find_in_cell(name).filter(|metric| metric.belongs_in(cell(record, self.section)));
        let Some(metric) = metric else {
            reading.tally.other_metrics += 1;
            reading.observe_other(cell(record, Some(self.average)), Position::of_cell(line, self.average));
            return;
        };
        self.value(record, line, launch, self.average, metric, reading);
        if metric.quantity == Quantity::AchievedOccupancy {
            self.value(record, line, launch, self.minimum, metric.for_quantity(Quantity::AchievedOccupancyMin), reading);
            self.value(record, line, launch, self.maximum, metric.for_quantity(Quantity::AchievedOccupancyMax), reading);
        }
    }

    fn value(&self, record: &Row<'_>, line: u64, launch: usize, column: usize, metric: Metric, reading: &mut Reading) {
        let at = Position::of_cell(line, column);
        let unit = Unit::Text(cell(record, self.unit));
        if let Some(slot) = reading.number(metric, unit, cell(record, Some(column)), at) {
            reading.keep(launch, metric, cell(record, Some(self.metric)), slot);
        }
    }
}
