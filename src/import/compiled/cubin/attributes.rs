//! The records of a `.nv.info` section: a format, an attribute, and its value.

/// Attributes that say something about resources, by the names that `cuobjdump -elf` prints.
pub(super) mod attribute {
    pub const MAX_THREADS: u8 = 0x05;
    pub const REQNTID: u8 = 0x10;
    pub const FRAME_SIZE: u8 = 0x11;
    pub const REGCOUNT: u8 = 0x2F;
    pub const CTA_PER_CLUSTER: u8 = 0x3D;
    pub const NUM_BARRIERS: u8 = 0x4C;
}

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub attribute: u8,
    pub value: &'a [u8],
    /// Where the value begins in the section.
    pub offset: usize,
}

impl Record<'_> {
    /// The number at this index in a value of 32-bit numbers.
    pub fn number(&self, index: usize) -> Option<u32> {
        self.value.as_chunks::<4>().0.get(index).map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// Three numbers.
    pub fn extents(&self) -> Option<[u32; 3]> {
        Some([self.number(0)?, self.number(1)?, self.number(2)?])
    }

    /// The first byte.
    pub fn byte(&self) -> Option<u8> {
        self.value.first().copied()
    }
}

/// A section that ends in the middle of a record, or has one of an unknown format at this byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Torn {
    pub offset: usize,
}

/// All records of a section, up to where it is damaged.
pub(super) fn records(section: &[u8]) -> impl Iterator<Item = Result<Record<'_>, Torn>> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        if offset >= section.len() {
            return None;
        }
        let record = record(section, offset);
        offset = match record {
            Some((_, end)) => end,
            None => return Some(Err(Torn { offset: std::mem::replace(&mut offset, section.len()) })),
        };
        record.map(|(record, _)| Ok(record))
    })
}

/// The record that begins at this byte, and where the next one does.
fn record(section: &[u8], offset: usize) -> Option<(Record<'_>, usize)> {
    let [format, attribute, low, high] = *section.get(offset..)?.first_chunk()?;
    let begin = offset + 4;
    let (at, end) = match format {
        // No value, a byte, and 16 bits, all in the two bytes that follow.
        1..=3 => (offset + 2, begin),
        4 => (begin, begin + usize::from(u16::from_le_bytes([low, high]))),
        _ => return None,
    };
    let value = if format == 1 { &[] } else { section.get(at..end)? };
    Some((Record { attribute, value, offset: at }, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_four_formats() {
        let section = [1, 0x3E, 0, 0, 2, 0x4C, 7, 0, 3, 0x1B, 255, 0, 4, 0x2F, 8, 0, 9, 0, 0, 0, 40, 0, 0, 0];
        let found: Vec<_> = records(&section).map(Result::unwrap).collect();
        assert_eq!(found.len(), 4);
        assert_eq!((found[0].attribute, found[0].value), (0x3E, &[][..]));
        assert_eq!((found[1].byte(), found[1].offset), (Some(7), 6));
        assert_eq!((found[3].number(0), found[3].number(1), found[3].number(2)), (Some(9), Some(40), None));
        assert_eq!(found[3].offset, 16);
    }

    #[test]
    fn a_torn_section_ends_with_its_place() {
        let found: Vec<_> = records(&[2, 0x4C, 7, 0, 4, 0x2F, 8, 0, 9]).collect();
        assert_eq!((found.len(), found[1]), (2, Err(Torn { offset: 4 })));
        assert_eq!(records(&[9, 1, 0, 0]).collect::<Vec<_>>(), [Err(Torn { offset: 0 })]);
        assert_eq!(records(&[1, 1]).collect::<Vec<_>>(), [Err(Torn { offset: 0 })]);
    }
}
