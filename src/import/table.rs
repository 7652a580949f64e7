//! One pass over the text of a report: rows to the reader of their table, everything else to the account of what was skipped.

use std::ops::ControlFlow;

use memchr::memchr_iter;

use super::Progress;
use super::details::Said;
use super::detect::{Header, is_gui_header, may_be_header};
use super::gui_export::GuiExport;
use super::layout::Layout;
use super::lines::{RowStart, Run, Runs};
use super::model::{Format, Severity};
use super::notes::Topic;
use super::parallel::{self, Division, Plan};
use super::reading::{MAX_MESSAGES, Message, Reading};
use super::rows::{Cutter, Row};
use super::text::excerpt;
use super::wide::WideCutter;

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

/// Tells how far a pass is, after every portion of the text.
pub(super) struct Watch<'w> {
    progress: &'w mut dyn FnMut(Progress) -> ControlFlow<()>,
    bytes_total: usize,
    told: usize,
}

impl<'w> Watch<'w> {
    pub(super) fn new(progress: &'w mut dyn FnMut(Progress) -> ControlFlow<()>, bytes_total: usize) -> Self {
        Self { progress, bytes_total, told: 0 }
    }

    /// Says that everything before this offset was read.
    pub(super) fn tell(&mut self, offset: usize, reading: &Reading) -> ControlFlow<()> {
        if offset - self.told < super::PROGRESS_BYTES && offset < self.bytes_total {
            return ControlFlow::Continue(());
        }
        self.told = offset;
        (self.progress)(Progress { bytes_read: offset, bytes_total: self.bytes_total, num_kernels: reading.launches.len() })
    }
}

/// Reads all rows of a text. After each portion `progress` is told and can stop the pass; what was read stays.
pub(super) fn read(
    text: &[u8],
    row_start: RowStart,
    mut reading: Reading,
    division: Division,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Pass {
    let mut scan = Scan::new(text, row_start);
    let mut watch = Watch::new(progress, text.len());
    // Stopped or at its end: where it is says which.
    let _ = scan.read_all(&mut reading, division, &mut watch);
    Pass { reading, format: scan.state.format, end: scan.runs.offset() }
}

/// Where a pass is in its text.
pub(super) struct Scan<'t> {
    pub runs: Runs<'t>,
    /// Headers so far.
    pub num_tables: usize,
    cutter: Cutter<'t>,
    wide_cutter: WideCutter,
    layout: Layout,
    state: PassState,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t [u8], row_start: RowStart) -> Self {
        let state = PassState { row_start, table: None, format: None };
        let (cutter, wide_cutter, layout) = (Cutter::default(), WideCutter::default(), Layout::default());
        Self { runs: Runs::new(text, row_start), num_tables: 0, cutter, wide_cutter, layout, state }
    }

    /// Goes on after a header.
    pub(super) fn of_part(runs: Runs<'t>, header: Header, mut layout: Layout) -> Self {
        layout.forget_launch();
        let mut cutter = Cutter::default();
        cutter.expect_head(header.num_head_cells());
        let wide_cutter = header.wide_cutter();
        let state = PassState { row_start: runs.row_start(), format: Some(header.format()), table: Some(Table::CommandLine(header)) };
        Self { runs, num_tables: 0, cutter, wide_cutter, layout, state }
    }

    pub(super) fn into_layout(self) -> Layout {
        self.layout
    }

    /// The header of the table, if what follows can be read at several places at once.
    pub(super) fn splittable_header(&self, reading: &Reading) -> Option<&Header> {
        match &self.state.table {
            Some(Table::CommandLine(header)) if header.is_splittable() && reading.evidence.is_settled() => Some(header),
            _ => None,
        }
    }

    /// Reads everything that is left, at several places at once where that is possible and worthwhile.
    fn read_all(&mut self, reading: &mut Reading, division: Division, watch: &mut Watch<'_>) -> ControlFlow<()> {
        let mut plan = Plan::new(division);
        loop {
            if plan.is_due(self, reading) {
                let start = self.runs.offset();
                parallel::read(self, reading, division, watch)?;
                self.layout.forget_launch();
                plan.tried(start, self.runs.offset());
            }
            if !self.step(reading) {
                return ControlFlow::Continue(());
            }
            watch.tell(self.runs.offset(), reading)?;
        }
    }

    /// Reads what comes next. Returns false at the end of the text.
    pub(super) fn step(&mut self, reading: &mut Reading) -> bool {
        if self.expected_row(reading) || self.plain_row(reading) {
            return true;
        }
        match self.runs.next() {
            Some(Run::Row { line, bytes }) => self.awkward_rows(bytes, line, reading),
            Some(Run::Outside { line, bytes }) => self.state.outside(bytes, line, reading),
            Some(Run::Torn { line, .. }) => reading.skip_row(line, "its last quote is missing"),
            None => return false,
        }
        true
    }

    /// Reads the next row if it is as in the launch before.
    fn expected_row(&mut self, reading: &mut Reading) -> bool {
        let Some(Table::CommandLine(Header::Details(columns))) = &self.state.table else { return false };
        let read = self.layout.read(self.runs.rest(), self.runs.line(), columns, reading);
        if let Some(num_bytes) = read {
            self.runs.skip_line(num_bytes);
        }
        read.is_some()
    }

    /// Reads the next line if it is a row that can be cut in place.
    fn plain_row(&mut self, reading: &mut Reading) -> bool {
        let Some(text) = self.runs.line_of_row() else { return false };
        if self.wide_row(text, reading) {
            self.runs.skip_line(text.len());
            return true;
        }
        let Some(row) = self.cutter.plain(text) else { return false };
        match self.state.row(&row, self.runs.line(), reading) {
            RowKind::Header => self.begin_table(),
            RowKind::Said(said) => {
                if let Some(Table::CommandLine(Header::Details(columns))) = &self.state.table {
                    self.layout.learn(&row, text, said, columns);
                }
            }
            RowKind::Other => {}
        }
        self.runs.skip_line(text.len());
        true
    }

    /// Reads this line if it is about a launch on a raw page, and cells that are not kept have nothing to say.
    fn wide_row(&mut self, text: &[u8], reading: &mut Reading) -> bool {
        let Some(Table::CommandLine(Header::Raw(columns))) = &mut self.state.table else { return false };
        if columns.expects_units() || !reading.evidence.is_settled() {
            return false;
        }
        let row = self.wide_cutter.cut(text).filter(|row| !may_be_header(row));
        if let Some(row) = &row {
            columns.row(row, self.runs.line(), reading);
        }
        row.is_some()
    }

    fn awkward_rows(&mut self, bytes: &'t [u8], mut line: u64, reading: &mut Reading) {
        let mut began_table = false;
        // Rows may be divided by lone carriage returns, which begin no line.
        let last = line + memchr_iter(b'\n', bytes.split_last().map_or(bytes, |(_, before)| before)).fold(0, |count, _| count + 1);
        self.cutter.each(bytes, |row| {
            began_table |= matches!(self.state.row(&row, line, reading), RowKind::Header);
            line = last.min(line + 1);
        });
        if began_table {
            self.begin_table();
        }
    }

    fn begin_table(&mut self) {
        self.num_tables += 1;
        self.layout = Layout::default();
        if let Some(Table::CommandLine(header)) = &self.state.table {
            self.cutter.expect_head(header.num_head_cells());
            self.wide_cutter = header.wide_cutter();
        }
    }
}

struct PassState {
    row_start: RowStart,
    table: Option<Table>,
    format: Option<Format>,
}

/// What became of a row.
enum RowKind {
    /// A table begins with it.
    Header,
    /// It is about a launch on a details page.
    Said(Said),
    Other,
}

impl PassState {
    fn row(&mut self, row: &Row<'_>, line: u64, reading: &mut Reading) -> RowKind {
        if may_be_header(row) && self.header(row, line, reading) {
            return RowKind::Header;
        }
        match &mut self.table {
            Some(Table::CommandLine(Header::Details(columns))) => {
                return columns.row(row, line, reading).map_or(RowKind::Other, RowKind::Said);
            }
            Some(Table::CommandLine(Header::Raw(columns))) => columns.row(row, line, reading),
            Some(Table::CommandLine(Header::Summary(columns))) => columns.row(row, line, reading),
            Some(Table::GuiExport(table)) => table.row(row, line, reading),
            None => count_outside(line, false, reading),
        }
        RowKind::Other
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
