//! The names of metrics. Results refer to them by their place in a list that all blocks of a report share.

use super::wire::{Damage, Part};
use crate::import::metrics::{DEVICE_NAME_METRIC, Metric, find};

/// The number of the GPU that a launch ran on; a column of its own in every table.
const DEVICE_INDEX_METRIC: &[u8] = b"launch__device_id";

/// What a metric is to this reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Number(Metric),
    /// The name of the GPU.
    Product,
    /// The number of the GPU.
    DeviceIndex,
}

impl Name {
    fn new(name: &[u8]) -> Option<Self> {
        match name {
            DEVICE_NAME_METRIC => Some(Self::Product),
            DEVICE_INDEX_METRIC => Some(Self::DeviceIndex),
            // Labels are for people, and some are ambiguous; every metric name has a double underscore.
            _ if name.windows(2).any(|pair| pair == b"__") => find(name).map(Self::Number),
            _ => None,
        }
    }
}

/// The names that are kept, by their index. Of the others only their number is known, so that a long list costs nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct MetricNames<'a> {
    /// Sorted by index.
    known: Vec<(u64, &'a [u8], Name)>,
    count: u64,
}

impl<'a> MetricNames<'a> {
    /// Adds the names of one table behind those that are there.
    pub(super) fn add_table(&mut self, table: Part<'a>) -> Result<(), Damage> {
        for field in table.fields() {
            let field = field?;
            if let (1, Some(text)) = (field.number, field.content.part()) {
                self.known.extend(Name::new(text.bytes).map(|name| (self.count, text.bytes, name)));
                self.count += 1;
            }
        }
        Ok(())
    }

    /// The metric with this index, when it is one that is kept.
    pub(super) fn get(&self, index: u64) -> Option<(&'a [u8], Name)> {
        let at = self.known.binary_search_by_key(&index, |(index, ..)| *index).ok()?;
        let (_, text, name) = self.known[at];
        Some((text, name))
    }

    /// Whether the list has a name with this index at all.
    pub(super) const fn contains(&self, index: u64) -> bool {
        index < self.count
    }
}
