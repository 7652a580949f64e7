//! The details page and `--metrics`: one row per metric, and one per rule.
//!
//! 12 columns in 2019 to 21 today, found by name. Rows are ragged: a metric row ends before the rule columns, a rule row has
//! an empty metric. A metric is known by its label, its name or both. The same one can come in several sections, and again
//! inside a body item, where its label alone does not say which of several values it is.

use super::columns::{IdColumns, cell, column, num_identification_columns};
use super::measures::unit_factor;
use super::metrics::{DEVICE_NAME_METRIC, Metric, find_in_cell};
use super::model::{EstimatedSpeedup, Read, Rule};
use super::numbers::{Cell, read_number};
use super::position::Position;
use super::reading::{Reading, Unit};
use super::rows::Row;

/// What a rank grows by inside a body item, so that a row from the head of a section wins.
const BODY_ITEM_RANK: u8 = 100;

/// Where the columns of a details table are.
#[derive(Clone, Copy, Debug)]
pub(super) struct DetailsColumns {
    id: IdColumns,
    section: Option<usize>,
    body_item: Option<usize>,
    metric: usize,
    unit: Option<usize>,
    value: usize,
    rule: RuleColumns,
    num_head_cells: usize,
}

/// What a row was about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    pub launch: usize,
    /// What the labels mean; none for rows whose cells have to be looked at again.
    pub meaning: Option<Meaning>,
}

/// What the labels of a row mean, whatever launch and value it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning {
    Kept { metric: Metric, factor: f64 },
    Other,
}

#[derive(Clone, Copy, Debug)]
struct RuleColumns {
    name: Option<usize>,
    kind: Option<usize>,
    text: Option<usize>,
    speedup_scope: Option<usize>,
    speedup: Option<usize>,
}

impl DetailsColumns {
    /// The columns by their names; none when this is no header of a details page.
    pub(super) fn new(header: &Row<'_>) -> Option<Self> {
        let id = IdColumns::new(header);
        id.id?;
        Some(Self {
            num_head_cells: num_identification_columns(header),
            id,
            section: column(header, "Section Name"),
            body_item: column(header, "Body Item Label"),
            metric: column(header, "Metric Name")?,
            unit: column(header, "Metric Unit"),
            value: column(header, "Metric Value")?,
            rule: RuleColumns {
                name: column(header, "Rule Name"),
                kind: column(header, "Rule Type"),
                text: column(header, "Rule Description"),
                speedup_scope: column(header, "Estimated Speedup Type"),
                speedup: column(header, "Estimated Speedup"),
            },
        })
    }

    pub(super) const fn id(&self) -> &IdColumns {
        &self.id
    }

    /// Cells that all rows of a launch begin with.
    pub(super) const fn num_head_cells(&self) -> usize {
        self.num_head_cells
    }

    /// The column of the metric's name and that of its value, when all that says what a row means stands between the
    /// identification and the value.
    pub(super) fn labels(&self) -> Option<(usize, usize)> {
        let mut labels = [Some(self.metric), self.section, self.body_item, self.unit].into_iter().flatten();
        labels.all(|column| (self.num_head_cells..self.value).contains(&column)).then_some((self.metric, self.value))
    }

    /// Reads a row. None when it belongs to no launch.
    pub(super) fn row(&self, record: &Row<'_>, line: u64, reading: &mut Reading) -> Option<Said> {
        let launch = self.id.launch(record, line, reading)?;
        let name = cell(record, Some(self.metric));
        let mut meaning = None;
        if name.is_empty() {
            self.rule_row(record, line, launch, reading);
        } else if record.len() <= self.value {
            reading.skip_row(line, "it ends before its value");
        } else {
            meaning = self.metric_row(record, name, line, launch, reading);
        }
        Some(Said { launch, meaning })
    }

    fn metric_row(&self, record: &Row<'_>, name: &[u8], line: u64, launch: usize, reading: &mut Reading) -> Option<Meaning> {
        let at = Position::of_cell(line, self.value);
        let value = cell(record, Some(self.value));
        let in_body_item = !cell(record, self.body_item).is_empty();
        let metric = find_in_cell(name)
            .filter(|metric| metric.belongs_in(cell(record, self.section)) && (!in_body_item || metric.quantity.is_clear_in_body_item()));
        let Some(mut metric) = metric else { return other_row(name, value, at, launch, reading) };
        if in_body_item {
            metric.rank += BODY_ITEM_RANK;
        }
        let unit = cell(record, self.unit);
        if let Some(slot) = reading.number(metric, Unit::Text(unit), value, at) {
            reading.keep(launch, metric, name, slot);
        }
        Some(Meaning::Kept { metric, factor: unit_factor(metric.measure, unit)? })
    }

    /// A row whose labels were read before. `name` is that of its metric.
    pub(super) fn known_row(&self, meaning: Meaning, name: &[u8], value: &[u8], line: u64, launch: usize, reading: &mut Reading) {
        let at = Position::of_cell(line, self.value);
        match meaning {
            Meaning::Kept { metric, factor } => {
                if let Some(slot) = reading.number(metric, Unit::Factor(factor), value, at) {
                    reading.keep(launch, metric, name, slot);
                }
            }
            Meaning::Other => {
                reading.tally.other_metrics += 1;
                reading.observe_other(value, at);
            }
        }
    }

    fn rule_row(&self, record: &Row<'_>, line: u64, launch: usize, reading: &mut Reading) {
        let mut text = |column| reading.words.share(cell(record, column));
        let (section, name, kind) = (text(self.section), text(self.rule.name), text(self.rule.kind));
        let rule = Rule {
            at: Position::of_cell(line, self.rule.text.unwrap_or(self.metric)),
            section,
            name,
            kind,
            text: text(self.rule.text),
            estimated_speedup: self.speedup(record, reading),
        };
        if rule.name.is_empty() && rule.text.is_empty() {
            reading.skip_row(line, "it has neither a metric nor a rule");
            return;
        }
        reading.launches.get_mut(launch).identity.rules.push(rule);
    }

    fn speedup(&self, record: &Row<'_>, reading: &mut Reading) -> Option<EstimatedSpeedup> {
        let Cell::Number(percent) = read_number(cell(record, self.rule.speedup), reading.mark) else { return None };
        let scope = reading.words.share(cell(record, self.rule.speedup_scope));
        Some(EstimatedSpeedup { percent: percent.value, scope })
    }
}

/// A row about a metric that is not kept as a number.
fn other_row(name: &[u8], value: &[u8], at: Position, launch: usize, reading: &mut Reading) -> Option<Meaning> {
    if name == DEVICE_NAME_METRIC {
        let identity = &mut reading.launches.get_mut(launch).identity;
        identity.device_name = Some(Read::exact(String::from_utf8_lossy(value).into_owned(), at));
        return None;
    }
    reading.tally.other_metrics += 1;
    reading.observe_other(value, at);
    Some(Meaning::Other)
}
