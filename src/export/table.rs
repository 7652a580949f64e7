//! Tables of values: as CSV and tab-separated text for programs, as Markdown for people.

use std::borrow::Cow;

use crate::fmt::{grouped, harmless, kib_number, one_decimal};

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its name for programs.
    pub key: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Aligned at the left.
    pub is_text: bool,
}

/// What a cell holds. No value is "not known": an empty cell, or a dash.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Count(u64),
    Bytes(u64),
    /// Percent or percentage points.
    Percent(f64),
    Real(f64),
}

/// Cells of a row, in the order of the headings.
pub type Cells = Vec<Option<Value>>;

/// CSV with a header row: plain numbers, empty where not known. No text becomes a formula in a spreadsheet.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn csv_table(headings: &[Heading], rows: impl IntoIterator<Item = Cells>) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(headings.iter().map(|heading| heading.key))?;
    for row in rows {
        writer.write_record(row.into_iter().map(plain))?;
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

/// Lines of cells between tabs, the titles first: what spreadsheets take from the clipboard.
pub fn tab_separated(headings: &[Heading], rows: impl IntoIterator<Item = Cells>) -> String {
    let mut out = headings.iter().map(|heading| heading.title).collect::<Vec<_>>().join("\t");
    out.push('\n');
    for row in rows {
        // A name can hold neither a tab nor a line break.
        out += &row.into_iter().map(|cell| harmless(&plain(cell))).collect::<Vec<_>>().join("\t");
        out.push('\n');
    }
    out
}

fn plain(value: Option<Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::Text(text)) => no_formula(text),
        Some(Value::Count(count) | Value::Bytes(count)) => count.to_string(),
        Some(Value::Percent(number) | Value::Real(number)) => number.to_string(),
    }
}

/// A spreadsheet takes text that begins like this for a formula and runs it; an apostrophe before it says that it is text.
fn no_formula(text: String) -> String {
    if begins_a_formula(text.as_bytes()) { format!("'{text}") } else { text }
}

const fn begins_a_formula(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n'))
}

/// A cell of somebody's own table, written out again: text that a spreadsheet would run gets an apostrophe before it, a number stays one.
pub fn without_formula(cell: &[u8]) -> Cow<'_, [u8]> {
    let is_number = || str::from_utf8(cell).is_ok_and(|text| text.trim().parse::<f64>().is_ok());
    if begins_a_formula(cell) && !is_number() { Cow::Owned([b"'", cell].concat()) } else { Cow::Borrowed(cell) }
}

/// A Markdown table with grouped thousands, sizes in KiB and a dash where nothing is known.
pub fn markdown_table(headings: &[Heading], rows: impl IntoIterator<Item = Cells>) -> String {
    let mut out = line(headings.iter().map(|heading| markdown_text(heading.title)));
    out += &line(headings.iter().map(|heading| if heading.is_text { ":---".to_owned() } else { "---:".to_owned() }));
    for row in rows {
        out += &line(row.into_iter().map(readable));
    }
    out
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

fn readable(value: Option<Value>) -> String {
    match value {
        None => "–".to_owned(),
        Some(Value::Text(text)) => markdown_text(&text),
        Some(Value::Count(count)) => grouped(count),
        Some(Value::Bytes(0)) => "0".to_owned(),
        Some(Value::Bytes(bytes)) => format!("{} KiB", kib_number(bytes)),
        Some(Value::Percent(number)) => one_decimal(number),
        Some(Value::Real(number)) => format!("{number:.2}"),
    }
}

/// A name as text of a Markdown document: what would end a cell or start a tag is escaped.
pub fn markdown_text(text: &str) -> String {
    harmless(text).chars().flat_map(escaped).collect()
}

fn escaped(c: char) -> impl Iterator<Item = char> {
    let backslash = matches!(c, '|' | '\\' | '<' | '>' | '*' | '_' | '`' | '[' | ']').then_some('\\');
    backslash.into_iter().chain([c])
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: [Heading; 2] =
        [Heading { key: "name", title: "Kernel", is_text: true }, Heading { key: "change", title: "± time, %", is_text: false }];

    fn rows() -> Vec<Cells> {
        let row = |name: &str, number: f64| vec![Some(Value::Text(name.to_owned())), Some(Value::Percent(number))];
        vec![row("=HYPERLINK(\"http://x\")", -4.5), row("a\tb", 1000.0), row("@sum", 0.0), row("gemm<int>", 2.0)]
    }

    #[test]
    fn names_never_become_formulas_and_numbers_keep_their_sign() {
        let csv = String::from_utf8(csv_table(&HEADINGS, rows()).expect("memory")).expect("text");
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[1], "\"'=HYPERLINK(\"\"http://x\"\")\",-4.5");
        assert_eq!(lines[3..], ["'@sum,0", "gemm<int>,2"]);
    }

    #[test]
    fn pasted_rows_keep_their_columns() {
        let text = tab_separated(&HEADINGS, rows());
        assert_eq!(text.lines().next(), Some("Kernel\t± time, %"));
        assert_eq!(text.lines().nth(2), Some("a\u{fffd}b\t1000"));
        assert!(text.lines().all(|line| line.matches('\t').count() == 1));
    }

    #[test]
    fn markdown_is_for_people() {
        assert_eq!(markdown_table(&HEADINGS, rows()).lines().last(), Some("| gemm\\<int\\> | 2.0 |"));
        assert_eq!(markdown_table(&HEADINGS, [vec![None, None]]).lines().last(), Some("| – | – |"));
    }
}
