//! A few cells of a wide row.
//!
//! A raw page has a row of some 1,700 cells for each launch, and about 50 of them are used. The quotes of a row are counted 64 bytes
//! at a time, so that the cells between those that are wanted cost no step each.
//!
//! Only for rows in which every cell is in quotes and no quote is doubled; [`super::rows`] cuts all others.

use memchr::memrchr;

use super::rows::{Row, Span};

const BLOCK_BYTES: usize = 64;

/// Cuts wanted cells out of one row after the other.
#[derive(Debug, Default)]
pub(super) struct WideCutter {
    /// The wanted columns, in order, each once.
    columns: Vec<usize>,
    /// For each of them its first and its last quote in the row that is being cut.
    quotes: Vec<Option<usize>>,
    /// All cells of the row; those that are not wanted are empty.
    spans: Vec<Span>,
}

/// What is known of a row before a block of it.
#[derive(Debug)]
struct Before {
    num_quotes: usize,
    /// All ones inside a cell.
    inside: u64,
    /// The last cells' closing quotes, as far as they say what the block begins with.
    closes: u64,
}

impl WideCutter {
    pub(super) fn new(mut columns: Vec<usize>) -> Self {
        columns.sort_unstable();
        columns.dedup();
        Self { quotes: vec![None; 2 * columns.len()], columns, spans: Vec::new() }
    }

    /// The row in this line with its wanted cells and its last one; its other cells are empty. None when it is not so plain.
    pub(super) fn cut<'r>(&'r mut self, line: &'r [u8]) -> Option<Row<'r>> {
        let text = line.strip_suffix(b"\n").map_or(line, |text| text.strip_suffix(b"\r").unwrap_or(text));
        let inner = text.strip_suffix(b"\"").filter(|inner| !inner.is_empty())?;
        let num_cells = self.find_quotes(text)? / 2;
        self.spans.clear();
        self.spans.resize(num_cells, (0, 0));
        for (column, quotes) in self.columns.iter().zip(self.quotes.as_chunks::<2>().0) {
            if let (Some(span), [Some(open), Some(close)]) = (self.spans.get_mut(*column), quotes) {
                *span = (open + 1, *close);
            }
        }
        *self.spans.last_mut()? = (memrchr(b'"', inner)? + 1, inner.len());
        Some(Row::new(text, &self.spans))
    }

    /// Finds the quotes of the wanted cells. Returns how many quotes the row has; none when it is not plain.
    fn find_quotes(&mut self, text: &[u8]) -> Option<usize> {
        // A cell begins with the row.
        let mut before = Before { num_quotes: 0, inside: 0, closes: 1 << 62 };
        let mut next = 0;
        let (blocks, rest) = text.as_chunks::<BLOCK_BYTES>();
        let mut last = [0; BLOCK_BYTES];
        last[..rest.len()].copy_from_slice(rest);
        for (at, block) in blocks.iter().enumerate() {
            self.block(block, u64::MAX, at * BLOCK_BYTES, &mut next, &mut before)?;
        }
        let valid = (1 << rest.len()) - 1;
        self.block(&last, valid, blocks.len() * BLOCK_BYTES, &mut next, &mut before)?;
        self.quotes[next..].fill(None);
        (before.inside == 0).then_some(before.num_quotes)
    }

    /// Looks at a block, of which the `valid` bytes are there: between two cells is a comma and nothing else.
    fn block(&mut self, block: &[u8; BLOCK_BYTES], valid: u64, offset: usize, next: &mut usize, before: &mut Before) -> Option<()> {
        let quotes = places_of(b'"', block);
        let inside = prefix_xor(quotes) ^ before.inside;
        let (opens, closes) = (quotes & inside, quotes & !inside);
        let due_commas = closes << 1 | before.closes >> 63;
        let due_opens = closes << 2 | before.closes >> 62;
        let is_wrong = (due_commas & !places_of(b',', block)) | (due_opens ^ opens);
        if is_wrong & valid != 0 {
            return None;
        }
        let num_quotes = before.num_quotes + quotes.count_ones() as usize;
        while let Some(wanted) = self.columns.get(*next / 2).map(|column| 2 * column + *next % 2)
            && wanted < num_quotes
        {
            self.quotes[*next] = Some(offset + nth_place(quotes, wanted - before.num_quotes));
            *next += 1;
        }
        // The sign bit says whether the block ends inside a cell.
        *before = Before { num_quotes, inside: 0u64.wrapping_sub(inside >> 63), closes };
        Some(())
    }
}

/// A bit for each place of a byte in the block, the first one lowest.
fn places_of(byte: u8, block: &[u8; BLOCK_BYTES]) -> u64 {
    /// Moves the lowest bit of each of eight bytes into the highest byte, side by side.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let is_here = block.map(|here| u8::from(here == byte));
    let eights = is_here.as_chunks::<8>().0.iter().rev();
    eights.fold(0, |places, eight| places << 8 | u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56)
}

/// For each bit, whether an odd number of bits is set up to it.
fn prefix_xor(bits: u64) -> u64 {
    [1, 2, 4, 8, 16, 32].iter().fold(bits, |bits, shift| bits ^ (bits << shift))
}

/// The place of the set bit before which `n` others are set.
fn nth_place(bits: u64, n: usize) -> usize {
    (0..n).fold(bits, |bits, _| bits & bits.wrapping_sub(1)).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::import::rows::Cutter;

    fn wanted(text: &[u8], columns: &[usize]) -> Option<(usize, Vec<Option<Vec<u8>>>)> {
        let mut cutter = WideCutter::new(columns.to_vec());
        // A row before, so that what it left behind would be seen.
        cutter.cut("\"x\",".repeat(50).trim_end_matches(',').as_bytes()).unwrap();
        let row = cutter.cut(text)?;
        Some((row.len(), columns.iter().map(|column| row.get(*column).map(<[u8]>::to_vec)).collect()))
    }

    #[test]
    fn only_rows_in_quotes_from_end_to_end_are_cut() {
        let cells = |cells: &[Option<&str>]| cells.iter().map(|cell| cell.map(|cell| cell.as_bytes().to_vec())).collect::<Vec<_>>();
        assert_eq!(wanted(b"\"a\",\"b,c\",\"\"\r\n", &[0, 1, 2, 3]), Some((3, cells(&[Some("a"), Some("b,c"), Some(""), None]))));
        assert_eq!(wanted(b"\"a\"", &[0]), Some((1, cells(&[Some("a")]))));
        let others =
            ["", "\"", "a", "\"a\",", "\"a\",b", "\"a\"\"b\"", "\"a\"b\"", "\"a\",,\"b\"", "\"a\" ,\"b\"", ",\"a\"", "\"a\",\"", "x\"a\""];
        for text in others {
            assert_eq!(wanted(text.as_bytes(), &[0]), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn cells_are_those_of_the_other_cutter(
            cells in vec("[a,0. ]{0,20}", 1..40),
            damage in vec((any::<prop::sample::Index>(), prop::sample::select(&b"\",x\r"[..])), 0..3),
        ) {
            let mut text = format!("\"{}\"\n", cells.join("\",\"")).into_bytes();
            for (at, byte) in &damage {
                let at = at.index(text.len() - 1);
                text[at] = *byte;
            }
            let columns = [0, 1, 2, 7, 8, 30, 39];
            let mut cutter = Cutter::default();
            let plain = cutter.plain(&text).map(|row| (row.len(), columns.map(|column| row.get(column).map(<[u8]>::to_vec)).to_vec()));
            match wanted(&text, &columns) {
                Some(cut) => prop_assert_eq!(Some(cut), plain),
                None => prop_assert!(!damage.is_empty()),
            }
        }
    }
}
