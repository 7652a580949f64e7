//! The text cut into table rows and everything between them.
//!
//! Program output, the profiler's own `==PROF==` lines and tracebacks come before, between and after the rows of a table.
//! A row of a quoted table begins with a quote; a quoted cell may hold line breaks.

use memchr::{memchr, memchr_iter};

/// A row may go on over at most this many lines; beyond it, the quote that opened it is taken as lost.
const MAX_LINES_PER_ROW: u64 = 64;

/// A stretch of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run<'a> {
    /// A row, with the line that it begins in; it may span lines.
    Row { line: u64, bytes: &'a [u8] },
    /// A line that is no row.
    Outside { line: u64, bytes: &'a [u8] },
    /// A line that begins a row whose last quote never comes.
    Torn { line: u64, bytes: &'a [u8] },
}

/// How a row of this file begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowStart {
    /// With a quote, as ncu writes it.
    Quote,
    /// With a number, a quote, nothing, or a header's first word: a file that went through a spreadsheet.
    Bare,
    /// Every line that is not blank is a row: the window's export.
    Any,
}

impl RowStart {
    fn matches(self, line: &[u8]) -> bool {
        match (self, line.first()) {
            (_, Some(b'"')) => true,
            (Self::Any, _) => !line.trim_ascii().is_empty(),
            (Self::Bare, Some(first)) => {
                first.is_ascii_digit() || *first == b',' || line.starts_with(b"ID,") || line.starts_with(b"Process ID,")
            }
            _ => false,
        }
    }
}

/// Cuts a text into [`Run`]s, in order and without gaps.
#[derive(Clone, Debug)]
pub(super) struct Runs<'a> {
    text: &'a [u8],
    offset: usize,
    line: u64,
    row_start: RowStart,
}

impl<'a> Runs<'a> {
    pub(super) const fn new(text: &'a [u8], row_start: RowStart) -> Self {
        Self { text, offset: 0, line: 1, row_start }
    }

    /// Goes on at an offset where a run begins, which is in this line.
    pub(super) const fn at(self, offset: usize, line: u64) -> Self {
        Self { offset, line, ..self }
    }

    pub(super) const fn row_start(&self) -> RowStart {
        self.row_start
    }

    /// How much of the text has been handed out, in bytes.
    pub(super) const fn offset(&self) -> usize {
        self.offset
    }

    pub(super) const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// What has not been handed out.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text[self.offset..]
    }

    /// The line that the next run begins in.
    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    /// The next line, if a row begins with it. It is a whole row when its quotes come in pairs.
    pub(super) fn line_of_row(&self) -> Option<&'a [u8]> {
        let line = line_at(self.text, self.offset);
        self.row_start.matches(line).then_some(line)
    }

    /// Takes a line, with its line end, as handed out.
    pub(super) fn skip_line(&mut self, num_bytes: usize) {
        self.take(num_bytes, 1);
    }

    fn take(&mut self, num_bytes: usize, num_lines: u64) -> &'a [u8] {
        let bytes = &self.text[self.offset..self.offset + num_bytes];
        self.offset += num_bytes;
        self.line += num_lines;
        bytes
    }

    /// The row that begins at `offset` and spans several lines: its bytes and lines, or none when it never ends.
    fn long_row(&self) -> Option<(usize, u64)> {
        let (mut length, mut odd) = (0, false);
        for num_lines in 1..=MAX_LINES_PER_ROW {
            let line = line_at(self.text, self.offset + length);
            if line.is_empty() {
                return None;
            }
            length += line.len();
            odd ^= has_odd_quotes(line);
            if !odd {
                return Some((length, num_lines));
            }
        }
        None
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    fn next(&mut self) -> Option<Run<'a>> {
        let text = line_at(self.text, self.offset);
        if text.is_empty() {
            return None;
        }
        let (line, length) = (self.line, text.len());
        Some(if !self.row_start.matches(text) {
            Run::Outside { line, bytes: self.take(length, 1) }
        } else if !has_odd_quotes(text) {
            Run::Row { line, bytes: self.take(length, 1) }
        } else if let Some((length, num_lines)) = self.long_row() {
            Run::Row { line, bytes: self.take(length, num_lines) }
        } else {
            Run::Torn { line, bytes: self.take(length, 1) }
        })
    }
}

/// The line that begins at `offset`, with its line end; empty at the end of the text.
pub(super) fn line_at(text: &[u8], offset: usize) -> &[u8] {
    let rest = &text[offset..];
    memchr(b'\n', rest).map_or(rest, |end| &rest[..=end])
}

fn has_odd_quotes(line: &[u8]) -> bool {
    memchr_iter(b'"', line).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(text: &str) -> Vec<(char, u64, &str)> {
        Runs::new(text.as_bytes(), RowStart::Quote)
            .map(|run| match run {
                Run::Row { line, bytes } => ('r', line, std::str::from_utf8(bytes).unwrap()),
                Run::Outside { line, bytes } => ('o', line, std::str::from_utf8(bytes).unwrap()),
                Run::Torn { line, bytes } => ('t', line, std::str::from_utf8(bytes).unwrap()),
            })
            .collect()
    }

    #[test]
    fn rows_and_the_lines_between_keep_their_line_numbers() {
        assert_eq!(
            runs("log\n\"a\"\n\"b\"\n\nend"),
            [('o', 1, "log\n"), ('r', 2, "\"a\"\n"), ('r', 3, "\"b\"\n"), ('o', 4, "\n"), ('o', 5, "end")]
        );
        assert_eq!(runs(""), []);
    }

    #[test]
    fn a_line_break_inside_quotes_stays_in_its_row() {
        assert_eq!(runs("\"a\nb\"\r\n\"c\"\n"), [('r', 1, "\"a\nb\"\r\n"), ('r', 3, "\"c\"\n")]);
    }

    #[test]
    fn a_row_without_its_last_quote_takes_only_its_own_line() {
        assert_eq!(runs("\"a\",\"b\nlog"), [('t', 1, "\"a\",\"b\n"), ('o', 2, "log")]);
    }
}
