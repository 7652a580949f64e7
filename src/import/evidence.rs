//! Which of "." and "," is the decimal mark of a file: decided once, from all its numbers.
//!
//! A profiler prints with the locale of its process. "117.344" alone says nothing; "65,77" or "2.508.800" in the same file
//! settles it. Deciding cell by cell instead would make 117,344 ns out of one row and 65.77 % out of its neighbor.

use super::numbers::{DecimalMark, without_instances};
use super::position::Position;
use super::text;

/// A cell that speaks for one mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sighting {
    pub at: Position,
    pub text: String,
}

/// What the cells of a file said so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub dot: Option<Sighting>,
    pub comma: Option<Sighting>,
    /// The first cell that could be read either way.
    pub unclear: Option<Sighting>,
    num_dot: u64,
    num_comma: u64,
    /// An earlier part of the text has spoken for a mark.
    was_settled: bool,
}

impl Evidence {
    /// For a part of a text, when the parts before have spoken for a mark.
    pub(super) fn settled_before() -> Self {
        Self { was_settled: true, ..Self::default() }
    }

    /// Adds what the cells of a later part of the text said.
    pub(super) fn append(&mut self, later: Self) {
        self.dot = self.dot.take().or(later.dot);
        self.comma = self.comma.take().or(later.comma);
        self.unclear = self.unclear.take().or(later.unclear);
        self.num_dot += later.num_dot;
        self.num_comma += later.num_comma;
    }

    /// Takes one value cell into account.
    pub(super) fn observe(&mut self, cell: &[u8], at: Position) {
        let seen = || Sighting { at, text: text::excerpt(cell, 24) };
        match verdict(without_instances(cell)) {
            Verdict::Says(DecimalMark::Dot) => {
                self.num_dot += 1;
                self.dot.get_or_insert_with(seen);
            }
            Verdict::Says(DecimalMark::Comma) => {
                self.num_comma += 1;
                self.comma.get_or_insert_with(seen);
            }
            Verdict::EitherWay => {
                self.unclear.get_or_insert_with(seen);
            }
            Verdict::Nothing => {}
        }
    }

    pub(super) const fn is_settled(&self) -> bool {
        self.was_settled || self.num_dot + self.num_comma > 0
    }

    /// The mark that more cells speak for; the dot when none does.
    pub(super) const fn mark(&self) -> DecimalMark {
        if self.num_comma > self.num_dot { DecimalMark::Comma } else { DecimalMark::Dot }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Says(DecimalMark),
    /// A lone mark before exactly three digits.
    EitherWay,
    /// No mark, or no number.
    Nothing,
}

fn verdict(cell: &[u8]) -> Verdict {
    let cell = cell.strip_prefix(b"-").unwrap_or(cell);
    let is_mark = |byte: &u8| matches!(byte, b'.' | b',');
    if !cell.iter().any(is_mark) || !cell.iter().all(|byte| byte.is_ascii_digit() || is_mark(byte)) {
        return Verdict::Nothing;
    }
    let mut parts = cell.split(is_mark);
    let (first, last) = (parts.next().unwrap_or_default(), parts.next_back().unwrap_or_default());
    if first.is_empty() || last.is_empty() {
        return Verdict::Nothing;
    }
    let last_mark = if cell[cell.len() - last.len() - 1] == b'.' { DecimalMark::Dot } else { DecimalMark::Comma };
    let looks_grouped = last.len() == 3 && first.len() <= 3 && first != b"0";
    let mut inner = parts.peekable();
    if inner.peek().is_none() {
        return if looks_grouped { Verdict::EitherWay } else { Verdict::Says(last_mark) };
    }
    if first.len() > 3 || inner.any(|group| group.len() != 3) {
        return Verdict::Nothing;
    }
    repeated_marks(cell, last, last_mark)
}

/// Two marks or more: one kind repeated groups, two kinds end with the decimal one.
fn repeated_marks(cell: &[u8], last: &[u8], last_mark: DecimalMark) -> Verdict {
    let head = &cell[..cell.len() - last.len() - 1];
    match (head.contains(&b'.'), head.contains(&b','), last_mark) {
        (false, true, DecimalMark::Dot) | (true, false, DecimalMark::Comma) => Verdict::Says(last_mark),
        (true, false, DecimalMark::Dot) if last.len() == 3 => Verdict::Says(DecimalMark::Comma),
        (false, true, DecimalMark::Comma) if last.len() == 3 => Verdict::Says(DecimalMark::Dot),
        _ => Verdict::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_speak_for_a_mark_or_say_nothing() {
        for cell in ["46.61", "1,215,000.50", "6,853,333", "0.123", "18.750000", "12345.678"] {
            assert_eq!(verdict(cell.as_bytes()), Verdict::Says(DecimalMark::Dot), "{cell}");
        }
        for cell in ["65,77", "2.508.800", "1.215.000,5", "0,123"] {
            assert_eq!(verdict(cell.as_bytes()), Verdict::Says(DecimalMark::Comma), "{cell}");
        }
        for cell in ["117.344", "1,024"] {
            assert_eq!(verdict(cell.as_bytes()), Verdict::EitherWay, "{cell}");
        }
        for cell in ["", "42", "n/a", "12.4.1", "127.0.0.1", "(16, 16, 1)", ".5", "5.", "1,2.3,4", "1.234,567.8"] {
            assert_eq!(verdict(cell.as_bytes()), Verdict::Nothing, "{cell}");
        }
    }
}
