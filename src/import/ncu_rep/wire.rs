//! Protocol-buffer messages without their schema: numbered fields, found and skipped by their length.
//!
//! In: the wire format, and slices of a file that know where they are. Nothing is copied, and no length is believed before
//! it was held against what is left. Not in: what a field means.
//!
//! Source: the protocol buffers encoding guide, <https://protobuf.dev/programming-guides/encoding/>.

use crate::fmt::grouped;
use crate::import::position::Position;

/// Some bytes of a file, and where they begin in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub bytes: &'a [u8],
    offset: usize,
}

impl<'a> Part<'a> {
    pub(super) const fn of_file(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes of the file before this part.
    pub(super) const fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn at(&self) -> Position {
        Position::of_byte(self.offset)
    }

    /// Cuts off the first `len` bytes. None, and nothing cut off, when there are fewer.
    pub(super) fn take(&mut self, len: usize) -> Option<Self> {
        let (head, tail) = self.bytes.split_at_checked(len)?;
        let head = Self { bytes: head, offset: self.offset };
        *self = Self { bytes: tail, offset: self.offset + len };
        Some(head)
    }

    fn take_array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.bytes.split_first_chunk::<N>()?;
        *self = Self { bytes: tail, offset: self.offset + N };
        Some(*head)
    }

    /// Cuts off a length of four bytes and then as many bytes as it says: how the container frames everything.
    pub(super) fn take_framed(&mut self) -> Result<Self, Damage> {
        let at = self.at();
        let length = self.take_array().map(u32::from_le_bytes).ok_or(Damage { at, problem: Problem::Ends })?;
        self.take_long(u64::from(length), at)
    }

    /// The fields of the message that these bytes are.
    pub(super) const fn fields(self) -> Fields<'a> {
        Fields { rest: self }
    }

    fn take_long(&mut self, length: u64, at: Position) -> Result<Self, Damage> {
        let left = self.bytes.len();
        let part = usize::try_from(length).ok().and_then(|length| self.take(length));
        part.ok_or_else(|| Damage { at, problem: Problem::Long { length, left: u64::try_from(left).unwrap_or(u64::MAX) } })
    }

    fn take_varint(&mut self) -> Result<u64, Problem> {
        let mut value = 0;
        for (index, byte) in self.bytes.iter().enumerate().take(MAX_VARINT_BYTES) {
            // Bits beyond the 64th are dropped, as every reader of the format does.
            value |= u64::from(byte & 0x7F) << (7 * index);
            if byte & 0x80 == 0 {
                *self = Self { bytes: &self.bytes[index + 1..], offset: self.offset + index + 1 };
                return Ok(value);
            }
        }
        Err(if self.bytes.len() < MAX_VARINT_BYTES { Problem::Ends } else { Problem::Endless })
    }
}

/// Seven bits a byte: ten bytes hold 64 bits.
const MAX_VARINT_BYTES: usize = 10;

/// A place at which bytes cannot be what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub(super) struct Damage {
    pub at: Position,
    pub problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    #[error("it ends in the middle of a value")]
    Ends,
    #[error("a length of {} was read where {} left", bytes(*.length), bytes_are(*.left))]
    Long { length: u64, left: u64 },
    #[error("a number has more than ten bytes")]
    Endless,
    #[error("a field has the wire type {0}, which does not occur in reports")]
    WireType(u8),
    #[error("a field has the number 0")]
    Unnumbered,
}

fn bytes(count: u64) -> String {
    crate::fmt::counted(count, "byte")
}

fn bytes_are(count: u64) -> String {
    if count == 1 { "1 byte is".to_owned() } else { format!("{} bytes are", grouped(count)) }
}

/// One field of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub number: u64,
    pub content: Content<'a>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    /// A text, bytes or another message; only the reader knows which.
    Part(Part<'a>),
}

impl<'a> Content<'a> {
    /// The number, when it was written as one of variable length.
    pub(super) const fn integer(self) -> Option<u64> {
        match self {
            Self::Varint(value) => Some(value),
            _ => None,
        }
    }

    /// The bytes, when it has a length.
    pub(super) const fn part(self) -> Option<Part<'a>> {
        match self {
            Self::Part(part) => Some(part),
            _ => None,
        }
    }
}

/// Goes through a message field by field. Ends after the first damage, because nothing after it can be trusted.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    rest: Part<'a>,
}

impl<'a> Fields<'a> {
    fn read(&mut self) -> Result<Field<'a>, Damage> {
        let at = self.rest.at();
        let damage = |problem| Damage { at, problem };
        let key = self.rest.take_varint().map_err(damage)?;
        let (number, wire_type) = (key >> 3, key & 7);
        if number == 0 {
            return Err(damage(Problem::Unnumbered));
        }
        let content = match wire_type {
            0 => Content::Varint(self.rest.take_varint().map_err(damage)?),
            1 => Content::Fixed64(self.rest.take_array().ok_or(damage(Problem::Ends))?),
            2 => {
                let length = self.rest.take_varint().map_err(damage)?;
                Content::Part(self.rest.take_long(length, at)?)
            }
            5 => Content::Fixed32(self.rest.take_array().ok_or(damage(Problem::Ends))?),
            other => return Err(damage(Problem::WireType(u8::try_from(other).unwrap_or(u8::MAX)))),
        };
        Ok(Field { number, content })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.read();
        if field.is_err() {
            self.rest = Part { bytes: &[], offset: self.rest.offset };
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &[u8]) -> Vec<Result<Field<'_>, Damage>> {
        Part::of_file(bytes).fields().collect()
    }

    fn problem(bytes: &[u8]) -> Problem {
        fields(bytes).pop().unwrap().unwrap_err().problem
    }

    #[test]
    fn every_wire_type_in_use_is_read() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i', 0x1D, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0, 0, 0, 0];
        let fields: Vec<Field<'_>> = fields(&bytes).into_iter().map(Result::unwrap).collect();
        let [first, second, third, fourth] = fields[..] else { panic!("{fields:?}") };
        assert_eq!((first.number, first.content.integer()), (1, Some(150)));
        assert_eq!((second.number, second.content.part().unwrap().bytes), (2, &b"hi"[..]));
        assert_eq!(second.content.part().unwrap().at(), Position::of_byte(5));
        assert!(matches!(third.content, Content::Fixed32([1, 0, 0, 0])));
        assert!(matches!(fourth.content, Content::Fixed64([2, ..])));
    }

    #[test]
    fn lengths_are_held_against_what_is_left() {
        assert_eq!(problem(&[0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, b'x']), Problem::Long { length: 4_294_967_295, left: 1 });
        assert_eq!(problem(&[0x12]), Problem::Ends);
        assert_eq!(problem(&[0x80]), Problem::Ends);
        assert_eq!(problem(&[0x09, 1, 2]), Problem::Ends);
        assert_eq!(problem(&[0xFF; 11]), Problem::Endless);
        assert_eq!(problem(&[0x0B]), Problem::WireType(3));
        assert_eq!(problem(&[0x00]), Problem::Unnumbered);
        let long = Part::of_file(&[0xFF, 0xFF, 0xFF, 0xFF, 1, 2]).take_framed().unwrap_err();
        assert_eq!(long.to_string(), "a length of 4,294,967,295 bytes was read where 2 bytes are left");
    }

    #[test]
    fn damage_ends_a_message() {
        let fields = fields(&[0x08, 0x01, 0x0C, 0x08, 0x02]);
        assert_eq!(fields.len(), 2);
        assert!(fields[0].is_ok() && fields[1].is_err());
    }
}
