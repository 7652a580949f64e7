//! The raw page as the profiler's window exports it: one row per metric, one column per launch.
//!
//! The first row has the IDs; the name and the unit share the first cell of every other row. Only cells that need quotes
//! have them, so every line is a row.

use super::columns::{kernel_name, shape_cell, whole_cell};
use super::launches::Identity;
use super::metrics::{DEVICE_NAME_METRIC, find};
use super::model::Read;
use super::position::Position;
use super::reading::{Reading, Unit};
use super::rows::Row;

/// What has been read of the head of the table.
#[derive(Clone, Debug)]
pub(super) struct GuiExport {
    /// The launch of each column after the first; none for a column without an ID.
    launches: Vec<Option<usize>>,
}

impl GuiExport {
    /// Starts a launch for every ID in the first row.
    pub(super) fn new(header: &Row<'_>, line: u64, reading: &mut Reading) -> Self {
        let launches = header.iter().enumerate().skip(1).map(|(index, id)| {
            let at = Position::of_cell(line, index);
            let id = whole_cell(id)?;
            Some(reading.launches.start_alone(Identity { id: Some(id), at, ..Identity::default() }))
        });
        Self { launches: launches.collect() }
    }

    pub(super) fn row(&self, record: &Row<'_>, line: u64, reading: &mut Reading) {
        let (name, unit) = split_unit(record.get(0).unwrap_or_default());
        if record.len() < 2 {
            reading.skip_row(line, "it has no cell for any launch");
            return;
        }
        if record.len() <= self.launches.len() {
            reading.short_row(line, record.len(), self.launches.len() + 1);
        }
        let cells = record.iter().enumerate().skip(1).zip(&self.launches);
        let cells = cells.filter_map(|((index, cell), launch)| Some((Position::of_cell(line, index), cell, (*launch)?)));
        if !head_row(name, cells.clone(), reading) {
            metric_row(name, unit, cells, line, reading);
        }
    }
}

/// A row that says which launch a column is. Returns whether the row was one.
fn head_row<'a>(name: &[u8], cells: impl Iterator<Item = (Position, &'a [u8], usize)>, reading: &mut Reading) -> bool {
    let is_head = matches!(name, b"Demangled Name" | b"Function Name" | b"Process" | b"Block Size" | b"Grid Size" | b"Device Name");
    if !is_head && name != DEVICE_NAME_METRIC {
        return false;
    }
    for (at, cell, launch) in cells {
        match name {
            b"Demangled Name" => set_name(cell, at, launch, true, reading),
            b"Function Name" => set_name(cell, at, launch, false, reading),
            b"Process" => reading.launches.get_mut(launch).identity.process_id = process_id(cell),
            b"Block Size" => {
                let shape = shape_cell(cell, at, reading);
                reading.launches.get_mut(launch).identity.block = shape;
            }
            b"Grid Size" => {
                let shape = shape_cell(cell, at, reading);
                reading.launches.get_mut(launch).identity.grid = shape;
            }
            _ => set_device_name(cell, at, launch, reading),
        }
    }
    true
}

/// The demangled name wins, whichever row comes first.
fn set_name(cell: &[u8], at: Position, launch: usize, wins: bool, reading: &mut Reading) {
    let is_free = reading.launches.get_mut(launch).identity.name.is_empty();
    if !cell.is_empty() && (wins || is_free) {
        let name = kernel_name(cell, at, reading);
        reading.launches.get_mut(launch).identity.name = name;
    }
}

fn set_device_name(cell: &[u8], at: Position, launch: usize, reading: &mut Reading) {
    let name = &mut reading.launches.get_mut(launch).identity.device_name;
    if name.is_none() && !cell.is_empty() {
        *name = Some(Read::exact(String::from_utf8_lossy(cell).into_owned(), at));
    }
}

/// The number in brackets: 28264 of `[28264] app.exe`.
fn process_id(cell: &[u8]) -> Option<u64> {
    let inner = cell.trim_ascii().strip_prefix(b"[")?;
    whole_cell(&inner[..inner.iter().position(|byte| *byte == b']')?])
}

fn metric_row<'a>(name: &[u8], unit: &[u8], cells: impl Iterator<Item = (Position, &'a [u8], usize)>, line: u64, reading: &mut Reading) {
    let Some(metric) = find(name) else {
        reading.tally.other_metrics += 1;
        cells.for_each(|(at, cell, _)| reading.observe_other(cell, at));
        return;
    };
    let Some(factor) = reading.factor(metric, unit, Position::of_cell(line, 0)) else { return };
    for (at, cell, launch) in cells {
        if let Some(slot) = reading.number(metric, Unit::Factor(factor), cell, at) {
            reading.keep(launch, metric, name, slot);
        }
    }
}

/// `launch__shared_mem_config_size [Kbyte]` is a name and a unit.
fn split_unit(cell: &[u8]) -> (&[u8], &[u8]) {
    let cell = cell.trim_ascii();
    let Some(inner) = cell.strip_suffix(b"]") else { return (cell, b"") };
    match inner.windows(2).rposition(|pair| pair == b" [") {
        Some(at) => (&cell[..at], &inner[at + 2..]),
        None => (cell, b""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_units_are_taken_apart() {
        assert_eq!(split_unit(b"launch__shared_mem_config_size [Kbyte]"), (&b"launch__shared_mem_config_size"[..], &b"Kbyte"[..]));
        assert_eq!(split_unit(b"launch__block_size"), (&b"launch__block_size"[..], &b""[..]));
        assert_eq!(split_unit(b"]"), (&b"]"[..], &b""[..]));
    }

    #[test]
    fn the_process_is_the_number_in_brackets() {
        assert_eq!(process_id(b"[28264] app.exe"), Some(28264));
        assert_eq!(process_id(b"app.exe"), None);
        assert_eq!(process_id(b"[1"), None);
    }
}
