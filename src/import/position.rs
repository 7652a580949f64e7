//! Where in a file a value was read.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in a file. Shown as "line 3, column 4" or "byte 1,234".
///
/// In a text it is the line of the file and the cell in that line, both from 1; in what a compiler prints, the character of the
/// line. In a binary file it is how many bytes come before.
///
/// Every value of a report has one, so it takes 8 bytes: lines beyond the 2⁴⁰th and columns beyond the 2²³rd count as those.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "WrittenPosition", into = "WrittenPosition")]
pub struct Position(u64);

/// A [`Position`] as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenPosition {
    Cell { line: u64, column: u32 },
    Byte { offset: u64 },
}

const COLUMN_BITS: u32 = 23;
const MAX_COLUMN: u32 = (1 << COLUMN_BITS) - 1;
const IS_BYTE: u64 = 1 << 63;
const MAX_LINE: u64 = (IS_BYTE >> COLUMN_BITS) - 1;

impl Position {
    /// A line and a column of it, both from 1.
    pub fn new(line: u64, column: u32) -> Self {
        Self(line.min(MAX_LINE) << COLUMN_BITS | u64::from(column.min(MAX_COLUMN)))
    }

    /// The place of a cell counted from 0, as a reader of rows has it.
    pub fn of_cell(line: u64, index: usize) -> Self {
        Self::new(line, u32::try_from(index.saturating_add(1)).unwrap_or(u32::MAX))
    }

    /// The place after this many bytes of a binary file.
    pub fn of_byte(offset: usize) -> Self {
        Self(u64::try_from(offset).unwrap_or(u64::MAX) | IS_BYTE)
    }

    /// The line, from 1; none in a binary file.
    pub const fn line(self) -> Option<u64> {
        if self.0 & IS_BYTE == 0 { Some(self.0 >> COLUMN_BITS) } else { None }
    }

    /// The cell of the line, from 1; none in a binary file.
    #[expect(clippy::cast_possible_truncation, reason = "as many bits as are taken")]
    pub const fn column(self) -> Option<u32> {
        if self.0 & IS_BYTE == 0 { Some(self.0 as u32 & MAX_COLUMN) } else { None }
    }

    /// The bytes before it; none in a text.
    pub const fn byte(self) -> Option<u64> {
        if self.0 & IS_BYTE == 0 { None } else { Some(self.0 & !IS_BYTE) }
    }
}

impl From<WrittenPosition> for Position {
    fn from(written: WrittenPosition) -> Self {
        match written {
            WrittenPosition::Cell { line, column } => Self::new(line, column),
            WrittenPosition::Byte { offset } => Self(offset | IS_BYTE),
        }
    }
}

impl From<Position> for WrittenPosition {
    fn from(at: Position) -> Self {
        match at.byte() {
            Some(offset) => Self::Byte { offset },
            None => Self::Cell { line: at.line().unwrap_or(0), column: at.column().unwrap_or(0) },
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match WrittenPosition::from(*self) {
            WrittenPosition::Cell { line, column } => write!(f, "line {line}, column {column}"),
            WrittenPosition::Byte { offset } => write!(f, "byte {}", crate::fmt::grouped(offset)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_what_it_was_made_of() {
        for (line, column) in [(1, 1), (3, 4), (MAX_LINE, MAX_COLUMN)] {
            let at = Position::new(line, column);
            assert_eq!((at.line(), at.column(), at.byte()), (Some(line), Some(column), None));
        }
        let beyond = Position::new(u64::MAX, u32::MAX);
        assert_eq!((beyond.line(), beyond.column()), (Some(MAX_LINE), Some(MAX_COLUMN)));
        let byte = Position::of_byte(1_234);
        assert_eq!((byte.line(), byte.column(), byte.byte()), (None, None, Some(1_234)));
        assert_eq!((Position::of_cell(3, 3).to_string(), byte.to_string()), ("line 3, column 4".to_owned(), "byte 1,234".to_owned()));
    }

    #[test]
    fn places_are_in_the_order_of_the_file() {
        let in_order = [Position::new(2, 9), Position::new(3, 1), Position::new(3, 2), Position::new(40, 1)];
        assert!(in_order.is_sorted());
        assert!(Position::of_byte(7) < Position::of_byte(300));
    }

    #[test]
    fn it_is_written_with_its_names() {
        for (at, written) in [(Position::new(3, 4), r#"{"line":3,"column":4}"#), (Position::of_byte(9), r#"{"offset":9}"#)] {
            assert_eq!(serde_json::to_string(&at).unwrap(), written);
            assert_eq!(serde_json::from_str::<Position>(written).unwrap(), at);
        }
    }
}
