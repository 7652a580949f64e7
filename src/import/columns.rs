//! The identification columns that the tables of the command line share: which launch a row is about.

use std::ops::Range;

use super::launches::Identity;
use super::model::{Read, Severity};
use super::notes::Topic;
use super::position::Position;
use super::reading::Reading;
use super::rows::Row;
use super::text::excerpt;
use crate::arch::ComputeCapability;
use crate::units::Dim3;

/// The place of a column by its name; NVTX columns and others can sit anywhere between.
pub(super) fn column(header: &Row<'_>, name: &str) -> Option<usize> {
    header.iter().position(|cell| cell.trim_ascii() == name.as_bytes())
}

/// A cell that may not be there: rows are ragged.
pub(super) fn cell<'a>(record: &Row<'a>, column: Option<usize>) -> &'a [u8] {
    column.and_then(|index| record.get(index)).unwrap_or_default()
}

/// Where the identification columns are; files differ in which they have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IdColumns {
    pub id: Option<usize>,
    process_id: Option<usize>,
    kernel: Option<usize>,
    block: Option<usize>,
    grid: Option<usize>,
    device: Option<usize>,
    compute_capability: Option<usize>,
    invocations: Option<usize>,
}

impl IdColumns {
    pub(super) fn new(header: &Row<'_>) -> Self {
        Self {
            id: column(header, "ID"),
            process_id: column(header, "Process ID"),
            kernel: column(header, "Kernel Name"),
            block: column(header, "Block Size"),
            grid: column(header, "Grid Size"),
            device: column(header, "Device"),
            compute_capability: column(header, "CC"),
            invocations: column(header, "Invocations"),
        }
    }

    /// The columns that say something about a launch.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        let Self { id, process_id, kernel, block, grid, device, compute_capability, invocations } = *self;
        [id, process_id, kernel, block, grid, device, compute_capability, invocations].into_iter().flatten()
    }

    /// Whether a column tells which launch a row is about, so that it holds no metric.
    pub(super) fn contains(&self, column: usize) -> bool {
        let all = [self.id, self.process_id, self.kernel, self.block, self.grid, self.device, self.compute_capability];
        all.contains(&Some(column))
    }

    /// The launch that a row is about, by process and ID; started when it is new. None, and a note, when the row has no ID.
    pub(super) fn launch(&self, record: &Row<'_>, line: u64, reading: &mut Reading) -> Option<usize> {
        let id = cell(record, self.id);
        let key = [cell(record, self.process_id), id];
        if let Some(launch) = reading.launches.find(&key) {
            return Some(launch);
        }
        if whole_cell(id).is_none() {
            reading.skip_row(line, &format!("\"{}\" is no launch ID", excerpt(id, 40)));
            return None;
        }
        let identity = self.identity(record, line, reading);
        Some(reading.launches.start(identity))
    }

    /// Where the row says which process and launch it is about. None when it has no launch ID.
    pub(super) fn key_spans(&self, row: &Row<'_>) -> Option<[Range<usize>; 2]> {
        whole_cell(cell(row, self.id))?;
        let span = |column: Option<usize>| column.and_then(|column| row.span(column));
        Some([span(self.process_id).unwrap_or(0..0), span(self.id)?])
    }

    /// The kernel that a summary row is about: there are no IDs, so process, name, launch shape and device tell them apart.
    pub(super) fn summarized(&self, record: &Row<'_>, line: u64, reading: &mut Reading) -> usize {
        let key = [self.process_id, self.kernel, self.block, self.grid, self.device].map(|column| cell(record, column));
        reading.launches.find(&key).unwrap_or_else(|| {
            let identity = self.identity(record, line, reading);
            reading.launches.start(identity)
        })
    }

    fn identity(&self, record: &Row<'_>, line: u64, reading: &mut Reading) -> Identity {
        let at = |column: Option<usize>| Position::of_cell(line, column.unwrap_or(0));
        let count = |column| whole_cell(cell(record, column)).map(|value| Read::exact(value, at(column)));
        let device = count(self.device).and_then(|index| Some(Read::exact(u32::try_from(index.value).ok()?, index.at)));
        Identity {
            id: whole_cell(cell(record, self.id)),
            process_id: whole_cell(cell(record, self.process_id)),
            name: kernel_name(cell(record, self.kernel), at(self.kernel), reading),
            at: at(Some(0)),
            device_index: device,
            compute_capability: self.compute_capability(record, line, reading),
            block: shape_cell(cell(record, self.block), at(self.block), reading),
            grid: shape_cell(cell(record, self.grid), at(self.grid), reading),
            invocations: count(self.invocations),
            ..Identity::default()
        }
    }

    fn compute_capability(&self, record: &Row<'_>, line: u64, reading: &mut Reading) -> Option<Read<ComputeCapability>> {
        let text = cell(record, self.compute_capability);
        if text.is_empty() {
            return None;
        }
        let at = Position::of_cell(line, self.compute_capability.unwrap_or(0));
        let parsed = String::from_utf8_lossy(text).parse::<ComputeCapability>();
        if let Err(problem) = &parsed {
            reading.notes.at(Topic::Number, Severity::Warning, at, || problem.to_string());
        }
        parsed.ok().map(|value| Read::exact(value, at))
    }
}

/// How many columns the identification takes up; it comes first, in more columns than are needed here.
pub(super) fn num_identification_columns(header: &Row<'_>) -> usize {
    const IDENTIFICATION: [&[u8]; 12] = [
        b"ID",
        b"Process ID",
        b"Process Name",
        b"Host Name",
        b"Kernel Name",
        b"Kernel Time",
        b"Context",
        b"Stream",
        b"Block Size",
        b"Grid Size",
        b"Device",
        b"CC",
    ];
    header.iter().rposition(|name| IDENTIFICATION.contains(&name)).map_or(0, |last| last + 1)
}

/// A name as the file has it. Bytes that are no UTF-8 are replaced, and that is noted.
pub(super) fn kernel_name(name: &[u8], at: Position, reading: &mut Reading) -> String {
    let text = String::from_utf8_lossy(name);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        reading
            .notes
            .at(Topic::Row, Severity::Warning, at, || "the kernel name is not valid UTF-8; replaced what could not be read".to_owned());
    }
    text.into_owned()
}

/// "(256, 1, 1)", or "    1,    1,    1" as the window exports it. None for an empty cell; noted when it is no shape.
pub(super) fn shape_cell(text: &[u8], at: Position, reading: &mut Reading) -> Option<Read<Dim3>> {
    if text.trim_ascii().is_empty() {
        return None;
    }
    let parsed = String::from_utf8_lossy(text).parse::<Dim3>();
    if let Err(problem) = &parsed {
        reading.notes.at(Topic::Number, Severity::Warning, at, || problem.to_string());
    }
    parsed.ok().map(|value| Read::exact(value, at))
}

/// A count without decimals; grouping marks between digits are ignored.
pub(super) fn whole_cell(text: &[u8]) -> Option<u64> {
    let mut value: Option<u64> = None;
    for byte in text.trim_ascii() {
        match byte {
            b'0'..=b'9' => value = Some(value.unwrap_or(0).checked_mul(10)?.checked_add(u64::from(byte - b'0'))?),
            b',' | b'.' if value.is_some() => {}
            _ => return None,
        }
    }
    value
}
