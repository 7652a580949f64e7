//! One pass over the text of a report: rows to the reader of their table, everything else to the account of what was skipped.

use std::ops::ControlFlow;

use super::Progress;
use super::detect::{Header, is_gui_header, may_be_header};
use super::gui_export::GuiExport;
use super::lines::{RowStart, Run, Runs};
use super::model::{Format, Severity};
use super::notes::Topic;
use super::reading::{Message, Reading};
use super::rows::{Cutter, Row};
use super::text::excerpt;

/// Different messages of the profiler that are kept; a file with more has other problems.
const MAX_MESSAGES: usize = 100;

/// The table that rows belong to.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a file has one or two of them")]
enum Table {
    CommandLine(Header),
    GuiExport(GuiExport),
}

/// What a pass read, and how far it came.
#[derive(Debug)]
pub(super) struct Pass {
    pub reading: Reading,
    /// None when no header was reached.
    pub format: Option<Format>,
    /// Bytes of the text that were read; less than all of it when the caller stopped it.
    pub end: usize,
}

/// Reads all rows of a text. After each portion `progress` is told and can stop the pass; what was read stays.
pub(super) fn read(text: &[u8], row_start: RowStart, mut reading: Reading, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Pass {
    let mut runs = Runs::new(text, row_start);
    let mut pass = PassState { row_start, table: None, format: None };
    let mut cutter = Cutter::default();
    let mut told = 0;
    while let Some(run) = runs.next() {
        match run {
            Run::Row { line, bytes } => pass.rows(bytes, line, &mut cutter, &mut reading),
            Run::Outside { line, bytes } => pass.outside(bytes, line, &mut reading),
            Run::Torn { line, .. } => reading.skip_row(line, "its last quote is missing"),
        }
        if runs.offset() - told >= super::PROGRESS_BYTES || runs.offset() == text.len() {
            told = runs.offset();
            let at = Progress { bytes_read: told, bytes_total: text.len(), num_kernels: reading.launches.len() };
            if progress(at).is_break() {
                break;
            }
        }
    }
    Pass { reading, format: pass.format, end: runs.offset() }
}

struct PassState {
    row_start: RowStart,
    table: Option<Table>,
    format: Option<Format>,
}

impl PassState {
    fn rows<'t>(&mut self, bytes: &'t [u8], mut line: u64, cutter: &mut Cutter<'t>, reading: &mut Reading) {
        let mut began_table = false;
        cutter.each(bytes, |row| {
            began_table |= self.row(&row, line, reading);
            line += 1;
        });
        if let (true, Some(Table::CommandLine(header))) = (began_table, &self.table) {
            cutter.expect_head(header.num_head_cells());
        }
    }

    /// Returns whether a table begins with this row.
    fn row(&mut self, row: &Row<'_>, line: u64, reading: &mut Reading) -> bool {
        if may_be_header(row) && self.header(row, line, reading) {
            return true;
        }
        match &mut self.table {
            Some(Table::CommandLine(Header::Details(columns))) => columns.row(row, line, reading),
            Some(Table::CommandLine(Header::Raw(columns))) => columns.row(row, line, reading),
            Some(Table::CommandLine(Header::Summary(columns))) => columns.row(row, line, reading),
            Some(Table::GuiExport(table)) => table.row(row, line, reading),
            None => count_outside(line, false, reading),
        }
        false
    }

    /// Begins a table. Returns whether the row was a header.
    fn header(&mut self, row: &Row<'_>, line: u64, reading: &mut Reading) -> bool {
        let (table, format) = if self.row_start == RowStart::Any {
            if self.table.is_some() || !is_gui_header(row) {
                return false;
            }
            (Table::GuiExport(GuiExport::new(row, line, reading)), Format::GuiExport)
        } else {
            let Some(header) = Header::new(row) else { return false };
            if let Header::Raw(columns) = &header {
                reading.tally.other_columns += columns.num_other_columns();
            }
            let format = header.format();
            (Table::CommandLine(header), format)
        };
        if self.table.is_some() {
            let message = || "another table begins here; its launches are kept apart from those before".to_owned();
            reading.notes.on_line(Topic::Row, Severity::Info, line, message);
            reading.launches.start_new_run();
        }
        self.table = Some(table);
        self.format = self.format.or(Some(format));
        true
    }

    fn outside(&self, bytes: &[u8], line: u64, reading: &mut Reading) {
        if bytes.trim_ascii().is_empty() {
            reading.tally.blank += 1;
            return;
        }
        let severity = match bytes {
            _ if bytes.starts_with(b"==ERROR==") => Some(Severity::Error),
            _ if bytes.starts_with(b"==WARNING==") => Some(Severity::Warning),
            _ => None,
        };
        match severity {
            Some(severity) => keep_message(bytes, line, severity, reading),
            None => count_outside(line, self.table.is_some(), reading),
        }
    }
}

fn keep_message(bytes: &[u8], line: u64, severity: Severity, reading: &mut Reading) {
    let text = excerpt(bytes, 300);
    let messages = &mut reading.tally.messages;
    if let Some(message) = messages.iter_mut().find(|message| message.text == text) {
        message.count += 1;
    } else if messages.len() < MAX_MESSAGES {
        messages.push(Message { line, severity, text, count: 1 });
    } else {
        count_outside(line, true, reading);
    }
}

fn count_outside(line: u64, is_after_header: bool, reading: &mut Reading) {
    let tally = &mut reading.tally;
    if is_after_header {
        tally.outside_after += 1;
    } else {
        tally.outside_before += 1;
    }
    tally.first_outside.get_or_insert(line);
}
