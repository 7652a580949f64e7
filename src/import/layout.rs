//! The rows of a launch, expected as they were in the launch before.
//!
//! On a details page nearly every launch has the same metrics in the same order, so a row is what the row at its place was, with
//! another value: it is known by comparing it, without being cut into cells. A row that differs goes the long way and is expected
//! from then on.

use std::ops::Range;

use super::details::{DetailsColumns, Meaning, Said};
use super::reading::Reading;
use super::rows::{Row, quote_from};

/// Values are shorter; a longer one goes the long way.
const MAX_VALUE_BYTES: usize = 32;

/// Rows of the launch before in which a row is looked for that was not the next one.
const MAX_SKIPPED: usize = 16;

/// Rows that are expected. A launch with more of them is read the long way from there.
const MAX_ROWS: usize = 4096;

/// What is expected of the rows of a launch.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The cells that all rows of the launch begin with, as text. Empty when no row was read.
    head: Vec<u8>,
    launch: usize,
    rows: Vec<KnownRow>,
    /// The row that comes next.
    next: usize,
}

/// A row of metrics without what differs from launch to launch.
#[derive(Debug, PartialEq)]
struct KnownRow {
    /// From the end of the head to the value, with its first quote.
    before_value: Vec<u8>,
    /// From the last quote of the value to the end of the line.
    after_value: Vec<u8>,
    /// Where the name of the metric is in `before_value`.
    name: Range<usize>,
    meaning: Meaning,
}

impl Layout {
    /// The launch of the rows read so far is over, and nothing is known of the next one but its rows.
    pub(super) fn forget_launch(&mut self) {
        self.head.clear();
    }

    /// Reads the row that the text begins with, if it is the expected one. Returns its length.
    pub(super) fn read(&mut self, text: &[u8], line: u64, columns: &DetailsColumns, reading: &mut Reading) -> Option<usize> {
        if self.head.is_empty() {
            return None;
        }
        let row = self.rows.get(self.next)?;
        let value_on = text.strip_prefix(&*self.head)?.strip_prefix(&*row.before_value)?;
        let value = number_before_quote(value_on)?;
        if !value_on[value.len()..].starts_with(&row.after_value) {
            return None;
        }
        columns.known_row(row.meaning, &row.before_value[row.name.clone()], value, line, self.launch, reading);
        self.next += 1;
        Some(self.head.len() + row.before_value.len() + value.len() + row.after_value.len())
    }

    /// Expects a row that was read the long way. `text` is all of it, and its cells are where the text has them.
    pub(super) fn learn(&mut self, row: &Row<'_>, text: &[u8], said: Said, columns: &DetailsColumns) {
        let head = row.span(columns.num_head_cells()).map(|cell| &text[..outside_quote(text, cell.start)]);
        let Some(head) = head.filter(|head| !head.is_empty()) else { return self.forget_launch() };
        if self.head != head {
            self.head.clear();
            self.head.extend_from_slice(head);
            self.next = 0;
        }
        self.launch = said.launch;
        if let Some(known) = said.meaning.and_then(|meaning| KnownRow::new(row, text, head.len(), meaning, columns)) {
            self.expect(known);
        }
    }

    fn expect(&mut self, known: KnownRow) {
        let mut coming = self.rows.iter().skip(self.next).take(MAX_SKIPPED);
        if let Some(num_skipped) = coming.position(|row| *row == known) {
            self.next += num_skipped + 1;
        } else if self.rows.len() < MAX_ROWS {
            self.rows.insert(self.next, known);
            self.next += 1;
        }
    }
}

impl KnownRow {
    fn new(row: &Row<'_>, text: &[u8], head_bytes: usize, meaning: Meaning, columns: &DetailsColumns) -> Option<Self> {
        let (name, value) = columns.labels()?;
        let (name, value) = (row.span(name)?, row.span(value)?);
        let is_quoted = text.get(value.end) == Some(&b'"') && text.ends_with(b"\n");
        is_quoted.then(|| Self {
            before_value: text[head_bytes..value.start].to_vec(),
            after_value: text[value.end..].to_vec(),
            name: name.start - head_bytes..name.end - head_bytes,
            meaning,
        })
    }
}

/// Where a cell begins with its quote, if it has one.
fn outside_quote(text: &[u8], start: usize) -> usize {
    if start > 0 && text[start - 1] == b'"' { start - 1 } else { start }
}

/// The beginning of the text up to a quote, if it begins as a number does. Words are left to the long way: they could make the
/// row a header.
fn number_before_quote(text: &[u8]) -> Option<&[u8]> {
    let short = &text[..text.len().min(MAX_VALUE_BYTES)];
    if !matches!(short.first(), Some(b'0'..=b'9' | b'-')) {
        return None;
    }
    let value = &short[..quote_from(short, 0)?];
    (!value.contains(&b'\n')).then_some(value)
}
