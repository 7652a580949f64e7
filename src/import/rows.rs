//! One row cut into its cells.
//!
//! Nearly every row of a report is plain: its cells are in quotes from end to end, or bare, and no quote is doubled. Those are
//! cut in place, from one quote to the next. All others go through the `csv` crate.

use std::ops::Range;

use csv::ByteRecord;
use memchr::{memchr, memchr3};

/// The cells of a row, without their quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    text: &'a [u8],
    spans: &'a [Span],
}

/// Where a cell begins and ends in the text of its row.
pub(super) type Span = (usize, usize);

impl<'a> Row<'a> {
    pub(super) const fn new(text: &'a [u8], spans: &'a [Span]) -> Self {
        Self { text, spans }
    }

    pub(super) const fn len(&self) -> usize {
        self.spans.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&'a [u8]> {
        self.spans.get(index).map(|(start, end)| &self.text[*start..*end])
    }

    /// Where a cell begins and ends in the text of the row, without its quotes.
    pub(super) fn span(&self, index: usize) -> Option<Range<usize>> {
        self.spans.get(index).map(|(start, end)| *start..*end)
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + DoubleEndedIterator + Clone + use<'a> {
        let text = self.text;
        self.spans.iter().map(move |(start, end)| &text[*start..*end])
    }
}

/// Cuts one row after the other, and remembers how the last one began.
#[derive(Debug, Default)]
pub(super) struct Cutter<'t> {
    spans: Vec<Span>,
    /// Cells at the beginning of a row that rows in sequence have in common: those that say which launch it is.
    num_head_cells: usize,
    /// Those cells of the row before, as text; `spans` begins with them. Empty when there is no such row.
    head: &'t [u8],
    record: ByteRecord,
}

impl<'t> Cutter<'t> {
    /// Expects rows to begin with so many cells that the row before began with as well. It is only faster when they do.
    pub(super) fn expect_head(&mut self, num_cells: usize) {
        self.num_head_cells = num_cells;
        self.head = &[];
    }

    /// The row in these bytes when it is plain, so that its cells are where the bytes have them.
    pub(super) fn plain(&mut self, bytes: &'t [u8]) -> Option<Row<'_>> {
        let text = self.cut_plain(bytes)?;
        Some(Row { text, spans: &self.spans })
    }

    /// Hands on the row in these bytes; several, when line ends within them are lone carriage returns.
    pub(super) fn each(&mut self, bytes: &'t [u8], mut take: impl FnMut(Row<'_>)) {
        if let Some(text) = self.cut_plain(bytes) {
            return take(Row { text, spans: &self.spans });
        }
        let mut reader = awkward_rows(bytes);
        // Reading from a slice cannot fail, and rows may have any length.
        while matches!(reader.read_byte_record(&mut self.record), Ok(true)) {
            take(self.row_of_record());
        }
    }

    /// The first row in these bytes; without cells when there is none.
    pub(super) fn first(&mut self, bytes: &'t [u8]) -> Row<'_> {
        if let Some(text) = self.cut_plain(bytes) {
            return Row { text, spans: &self.spans };
        }
        if !matches!(awkward_rows(bytes).read_byte_record(&mut self.record), Ok(true)) {
            self.record.clear();
        }
        self.row_of_record()
    }

    fn row_of_record(&mut self) -> Row<'_> {
        self.head = &[];
        self.spans.clear();
        let spans = (0..self.record.len()).filter_map(|index| self.record.range(index));
        self.spans.extend(spans.map(|range| (range.start, range.end)));
        Row { text: self.record.as_slice(), spans: &self.spans }
    }

    /// Cuts a plain row and returns its text without the line end. None when the row is not plain.
    fn cut_plain(&mut self, bytes: &'t [u8]) -> Option<&'t [u8]> {
        let text = bytes.strip_suffix(b"\n").map_or(bytes, |text| text.strip_suffix(b"\r").unwrap_or(text));
        let mut at = 0;
        if !self.head.is_empty() && text.starts_with(self.head) {
            self.spans.truncate(self.num_head_cells);
            at = self.head.len();
        } else {
            self.spans.clear();
            self.head = &[];
        }
        loop {
            if self.spans.len() == self.num_head_cells {
                self.head = &text[..at];
            }
            let (span, after) = plain_cell(text, at)?;
            self.spans.push(span);
            match text.get(after) {
                None => return Some(text),
                Some(b',') => at = after + 1,
                Some(_) => return None,
            }
        }
    }
}

/// The plain cell that begins here, and where it ends together with its quotes.
fn plain_cell(text: &[u8], at: usize) -> Option<(Span, usize)> {
    if text.get(at) == Some(&b'"') {
        let start = at + 1;
        let end = quote_from(text, start)?;
        return Some(((start, end), end + 1));
    }
    let end = memchr3(b',', b'"', b'\r', &text[at..]).map_or(text.len(), |length| at + length);
    Some(((at, end), end))
}

/// The next quote. It is mostly a few bytes away, where looking at eight bytes at once is quicker than a call of `memchr`.
pub(super) fn quote_from(text: &[u8], start: usize) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOP_BITS: u64 = u64::from_le_bytes([0x80; 8]);
    const QUOTES: u64 = u64::from_le_bytes([b'"'; 8]);
    let mut at = start;
    for _ in 0..2 {
        let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk) else { break };
        // Zero where a quote is. The lowest top bit that is left belongs to the first zero.
        let differs = u64::from_le_bytes(*eight) ^ QUOTES;
        let found = differs.wrapping_sub(ONES) & !differs & TOP_BITS;
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr(b'"', &text[at..]).map(|length| at + length)
}

fn awkward_rows(bytes: &[u8]) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).buffer_capacity(bytes.len().clamp(1, 1 << 16)).from_reader(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cutter: &mut Cutter<'static>, text: &'static str) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        cutter.each(text.as_bytes(), |row| rows.push(row.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()));
        rows
    }

    #[test]
    fn the_next_quote_is_found_at_any_distance() {
        for length in 0..40 {
            let text = [&b"\x23\xA2"[..], &vec![b'!'; length], b"\"\"!!!!!!!!!!!"].concat();
            assert_eq!(quote_from(&text, 0), Some(length + 2));
            assert_eq!(quote_from(&text[..length + 2], 0), None);
        }
    }

    #[test]
    fn every_row_is_cut_as_the_csv_crate_cuts_it() {
        let rows = [
            "\"a\",\"b,c\",\"\",\n",
            "\"a\",\"b,c\",\"d\"\r\n",
            "\"a\",\"b,c\",1",
            "a,b,,\n",
            ",\n",
            "\"a\"\"b\",\"c\"\n",
            "\"a\nb\",\"c\"\n",
            "\"a\"b,c\n",
            "a\"b\",c\n",
            "\"a\",b\rc,d\n",
            "\"a\"\r\r\n",
            "\"a\"\r",
            "\"a",
            "\"",
            "\"a\",\"b\r\",\n",
        ];
        // Whatever the row before was, and whatever it has in common with this one.
        for num_head_cells in 0..4 {
            for before in rows {
                for text in rows {
                    let mut cutter = Cutter::default();
                    cutter.expect_head(num_head_cells);
                    cells(&mut cutter, before);
                    let mut expected = Vec::new();
                    let mut reader = awkward_rows(text.as_bytes());
                    let mut record = ByteRecord::new();
                    while reader.read_byte_record(&mut record).unwrap() {
                        expected.push(record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect::<Vec<_>>());
                    }
                    assert_eq!(cells(&mut cutter, text), expected, "{text:?} after {before:?} with {num_head_cells}");
                }
            }
        }
    }
}
