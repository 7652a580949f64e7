//! Telling what a file is: which shape of report, or which other thing that people open by mistake.
//!
//! A table is found by the cells of its header, never by its place: program output and the profiler's own lines come first.

use super::details::DetailsColumns;
use super::error::ImportError;
use super::lines::{RowStart, line_at};
use super::model::Format;
use super::raw::RawColumns;
use super::rows::{Cutter, Row};
use super::summary::SummaryColumns;
use super::text::excerpt;
use super::wide::WideCutter;

/// What is no report shows that at its beginning.
const HEAD_BYTES: usize = 64 * 1024;

/// Lines after the first row of a window's export in which a row that only such an export has must come.
const GUI_HEAD_LINES: usize = 64;

/// The columns of a table of the command line.
#[derive(Clone, Debug)]
pub(super) enum Header {
    Details(DetailsColumns),
    Raw(RawColumns),
    Summary(SummaryColumns),
}

impl Header {
    /// The table that begins with this row; none when it is no header.
    pub(super) fn new(row: &Row<'_>) -> Option<Self> {
        let has = |name: &[u8]| row.iter().any(|cell| cell.trim_ascii() == name);
        if !has(b"Metric Name") {
            return if has(b"ID") && has(b"Process ID") { RawColumns::new(row).map(Self::Raw) } else { None };
        }
        SummaryColumns::new(row).map(Self::Summary).or_else(|| DetailsColumns::new(row).map(Self::Details))
    }

    /// Cells at the beginning of a row that the rows of one launch have in common.
    pub(super) const fn num_head_cells(&self) -> usize {
        match self {
            Self::Details(columns) => columns.num_head_cells(),
            // Here every row is about another launch.
            Self::Raw(_) | Self::Summary(_) => 0,
        }
    }

    /// For rows of which only some cells are read.
    pub(super) fn wide_cutter(&self) -> WideCutter {
        match self {
            Self::Raw(columns) => WideCutter::new(columns.used()),
            Self::Details(_) | Self::Summary(_) => WideCutter::default(),
        }
    }

    /// The cells of a row that say which launch it is about; none when it is about none, and where rows have other keys.
    /// `text` is the row, whose cells are where the text has them.
    pub(super) fn launch_key<'t>(&self, text: &'t [u8], row: &Row<'_>) -> Option<[&'t [u8]; 2]> {
        let id = match self {
            Self::Details(columns) => columns.id(),
            Self::Raw(columns) => columns.id(),
            Self::Summary(_) => return None,
        };
        Some(id.key_spans(row)?.map(|span| &text[span]))
    }

    /// Whether rows can be read without those before them, other than those of their launch.
    pub(super) const fn is_splittable(&self) -> bool {
        match self {
            Self::Details(_) => true,
            Self::Raw(columns) => !columns.expects_units(),
            Self::Summary(_) => false,
        }
    }

    pub(super) const fn format(&self) -> Format {
        match self {
            Self::Details(_) => Format::Details,
            Self::Raw(_) => Format::Raw,
            Self::Summary(_) => Format::Summary,
        }
    }
}

/// Whether a row may be a header: cheap enough to ask for every row.
pub(super) fn may_be_header(row: &Row<'_>) -> bool {
    let last = row.len().checked_sub(1).and_then(|last| row.get(last));
    matches!(row.get(0), Some(b"ID" | b"Process ID")) || last == Some(b"Average")
}

/// Whether this is the first row of a window's export: "ID" and the numbers of the launches.
pub(super) fn is_gui_header(row: &Row<'_>) -> bool {
    let mut cells = row.iter();
    let is_number = |cell: &[u8]| !cell.is_empty() && cell.iter().all(u8::is_ascii_digit);
    cells.next() == Some(b"ID") && row.len() > 1 && cells.all(is_number)
}

/// How the rows of the report in this text begin; none when there is no report in it.
pub(super) fn find_report(text: &[u8]) -> Option<RowStart> {
    let mut offset = 0;
    while offset < text.len() {
        let line = line_at(text, offset);
        offset += line.len();
        let is_quoted = line.starts_with(b"\"");
        if !is_quoted && !line.starts_with(b"ID,") && !line.starts_with(b"Process ID,") {
            continue;
        }
        let mut cutter = Cutter::default();
        let row = cutter.first(line);
        if may_be_header(&row) && Header::new(&row).is_some() {
            return Some(if is_quoted { RowStart::Quote } else { RowStart::Bare });
        }
        if is_gui_header(&row) && has_gui_rows(&text[offset..]) {
            return Some(RowStart::Any);
        }
    }
    None
}

fn has_gui_rows(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n').take(GUI_HEAD_LINES);
    lines.any(|line| {
        let name = line.split(|byte| *byte == b',').next().unwrap_or_default();
        matches!(name, b"Demangled Name" | b"Function Name" | b"Process" | b"Device Name") || name.windows(2).any(|pair| pair == b"__")
    })
}

/// What a binary file is, from its first bytes. None for text.
pub(super) fn recognize_binary(bytes: &[u8]) -> Option<ImportError> {
    const MAGIC: &[(&[u8], ImportError)] = &[
        (b"\x89PNG", ImportError::Image),
        (b"\xFF\xD8\xFF", ImportError::Image),
        (b"GIF8", ImportError::Image),
        (b"RIFF", ImportError::Image),
        (b"PK\x03\x04", ImportError::Archive),
        (b"\x1F\x8B", ImportError::Archive),
        (b"\x28\xB5\x2F\xFD", ImportError::Archive),
        (b"7z\xBC\xAF", ImportError::Archive),
        (b"\xFD7zXZ\0", ImportError::Archive),
        (b"\x04\x22\x4D\x18", ImportError::Archive),
        (b"BZh", ImportError::Archive),
        (b"SQLite format 3\0", ImportError::Database),
        (b"%PDF", ImportError::Binary),
        (b"MZ\x90\0", ImportError::OtherCode { what: "Windows program or library" }),
        (b"!<arch>\n", ImportError::OtherCode { what: "library of object files" }),
    ];
    MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| kind.clone())
}

/// What a text without a report is.
pub(super) fn recognize_text(text: &[u8]) -> ImportError {
    if text.trim_ascii().is_empty() {
        return ImportError::Empty;
    }
    let head = &text[..text.len().min(HEAD_BYTES)];
    if head.contains(&0) {
        return ImportError::Binary;
    }
    let lines = || head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines()
        .find_map(|line| recognize_line(line, head))
        .or_else(|| lines().find_map(message_of_failed_run))
        .or_else(|| lines().next().and_then(other_table))
        .unwrap_or(ImportError::OtherText)
}

fn recognize_line(line: &[u8], head: &[u8]) -> Option<ImportError> {
    let starts = |words: &[&str]| words.iter().any(|word| line.starts_with(word.as_bytes()));
    if starts(&["\"Kernel Name\",", "\"File Path\",", "\"Address\",\"Source\"", "\"Line No\",\"Source\"", "\"#\",\"Address\""]) {
        Some(ImportError::SourcePage)
    } else if line == b"Launch Settings" || line == b"Session Info" || starts(&["\"Launch Attribute\",", "\"Session Attribute\","]) {
        Some(ImportError::SessionPage { device: session_device(head) })
    } else if starts(&["Time (%),Total Time (ns)", "Time(%),Total Time (ns)"]) {
        Some(ImportError::NsysSummary)
    } else if starts(&["Start (ns),Duration (ns)", "Start(nsec),Duration(nsec)"]) {
        Some(ImportError::NsysTrace)
    } else if starts(&["Time(%),Time,Calls", "\"Type\",\"Time(%)\"", "\"Start\",\"Duration\""]) || is_nvprof_message(line) {
        Some(ImportError::Nvprof)
    } else if starts(&["<!DOCTYPE", "<!doctype", "<html", "<HTML"]) {
        Some(ImportError::Html)
    } else if starts(&["version https://git-lfs"]) {
        Some(ImportError::LfsPointer)
    } else if starts(&["Section: "]) {
        Some(ImportError::NcuText)
    } else {
        None
    }
}

/// "==123== NVPROF is profiling process 123".
fn is_nvprof_message(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"==") else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && rest[digits..].starts_with(b"== ")
}

/// The GPU in the device table of a session page.
fn session_device(head: &[u8]) -> Option<String> {
    let mut cutter = Cutter::default();
    head.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"\"")).find_map(|line| {
        let row = cutter.first(line);
        let is_name = matches!(row.get(0), Some(b"display_name" | b"Display Name" | b"Device Name"));
        row.get(1).filter(|_| is_name).map(|cell| excerpt(cell, 60))
    })
}

fn message_of_failed_run(line: &[u8]) -> Option<ImportError> {
    let is_reason = line.starts_with(b"==ERROR==") || line.starts_with(b"==WARNING== No kernels");
    is_reason.then(|| ImportError::NothingProfiled { message: excerpt(line, 200) }).or_else(|| {
        let message = || "its messages are here, but no table".to_owned();
        line.starts_with(b"==PROF== Disconnected").then(|| ImportError::NothingProfiled { message: message() })
    })
}

/// Any other table with a header in its first line.
fn other_table(line: &[u8]) -> Option<ImportError> {
    let break_byte = [b',', b';', b'\t'].into_iter().max_by_key(|byte| line.iter().filter(|at| *at == byte).fold(0, |n, _| n + 1))?;
    let cells: Vec<String> = line.split(|byte| *byte == break_byte).take(4).map(|cell| excerpt(cell, 30)).collect();
    (cells.len() >= 3).then(|| ImportError::OtherTable { columns: cells.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart_by_the_cells_of_their_header() {
        let format = |line: &str| Header::new(&Cutter::default().first(line.as_bytes())).map(|header| header.format());
        assert_eq!(format("\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\""), Some(Format::Details));
        assert_eq!(format("\"ID\",\"Process ID\",\"Kernel Name\",\"launch__block_size\""), Some(Format::Raw));
        assert_eq!(format("\"Process ID\",\"Metric Name\",\"Minimum\",\"Maximum\",\"Average\""), Some(Format::Summary));
        assert_eq!(format("\"ID\",\"Name\",\"Value\""), None);
    }

    #[test]
    fn a_home_made_table_is_named_by_its_columns() {
        let expected = ImportError::OtherTable { columns: "kernel, threads, occupancy".to_owned() };
        assert_eq!(recognize_text(b"kernel;threads;occupancy\nfoo;256;50\n"), expected);
    }

    #[test]
    fn a_run_that_failed_says_why() {
        let error = recognize_text(b"==PROF== Connected to process 7\n==ERROR== ERR_NVGPUCTRPERM no permission\n");
        assert_eq!(error.format(), "ncu-nothing-profiled");
        assert!(error.to_string().contains("ERR_NVGPUCTRPERM"), "{error}");
    }
}
