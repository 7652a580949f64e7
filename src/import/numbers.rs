//! Numbers as profilers print them, one cell at a time.
//!
//! Not in: which decimal mark a file has, see [`super::evidence`]; units and whole bytes, see [`super::measures`].

use serde::{Deserialize, Serialize};

/// What stands between the whole and the fraction; the other one of the two may group thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecimalMark {
    Dot,
    Comma,
}

impl DecimalMark {
    /// "dot", "comma".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Comma => "comma",
        }
    }

    pub const fn other(self) -> Self {
        match self {
            Self::Dot => Self::Comma,
            Self::Comma => Self::Dot,
        }
    }

    const fn byte(self) -> u8 {
        match self {
            Self::Dot => b'.',
            Self::Comma => b',',
        }
    }
}

/// A printed number: it stands for anything within `half_step` of `value`. Printed without decimals it is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub value: f64,
    pub half_step: f64,
}

impl Number {
    /// The same number in a unit that is `factor` times smaller.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, half_step: self.half_step * factor }
    }

    /// Whether both can be prints of one value.
    pub(super) fn agrees_with(self, other: Self) -> bool {
        let slack = 1e-9 * self.value.abs().max(other.value.abs());
        (self.value - other.value).abs() <= self.half_step + other.half_step + slack
    }
}

/// What a value cell holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    Number(Number),
    /// "n/a", "nan", nothing, or instances without a sum: not in the report, which is not 0.
    Missing,
    /// Something else.
    Text,
}

/// The cell without the values of single instances: "6,665 (33; 33)" and "2,484 {65}" give the sum, "{416}" gives nothing.
pub(super) fn without_instances(cell: &[u8]) -> &[u8] {
    let end = cell.iter().position(|byte| matches!(byte, b'(' | b'{')).unwrap_or(cell.len());
    cell[..end].trim_ascii()
}

fn is_missing(cell: &[u8]) -> bool {
    cell.is_empty() || [&b"n/a"[..], b"nan", b"-nan", b"-nan(ind)", b"-"].iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Reads one value cell.
///
/// Thousands may be grouped by the other mark, by spaces (also U+00A0 and U+202F) or by apostrophes, in threes: "65,77" is
/// no number in a file with decimal dots.
pub(super) fn read_number(cell: &[u8], mark: DecimalMark) -> Cell {
    if let Some(number) = short_number(cell, mark) {
        return Cell::Number(number);
    }
    let cell = without_instances(cell.trim_ascii());
    if is_missing(cell) {
        return Cell::Missing;
    }
    plain_number(cell, mark).or_else(|| exponent_number(cell)).map_or(Cell::Text, Cell::Number)
}

/// Powers of ten that are exact.
const STEPS: [f64; 19] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

/// Digits with or without one decimal mark, as nearly every number is: the same as [`plain_number`] says, sooner.
fn short_number(cell: &[u8], mark: DecimalMark) -> Option<Number> {
    if !(1..STEPS.len()).contains(&cell.len()) {
        return None;
    }
    let (mut mantissa, mut decimals) = (0u64, None);
    for (index, byte) in cell.iter().enumerate() {
        match byte {
            // Fewer than 19 digits fit.
            b'0'..=b'9' => mantissa = mantissa * 10 + u64::from(byte - b'0'),
            _ if *byte == mark.byte() && decimals.is_none() => decimals = Some(cell.len() - 1 - index),
            _ => return None,
        }
    }
    let decimals = decimals.unwrap_or(0);
    // A mark alone is none.
    (cell.len() > 1 || cell[0].is_ascii_digit()).then(|| number(mantissa, STEPS[decimals], decimals == 0))
}

#[expect(clippy::cast_precision_loss, reason = "counters beyond 2^53 keep 15 digits, more than is ever shown")]
fn number(mantissa: u64, step: f64, is_whole: bool) -> Number {
    Number { value: mantissa as f64 / step, half_step: if is_whole { 0.0 } else { 0.5 / step } }
}

/// Where a number stands while its characters are read.
#[derive(Default)]
struct Digits {
    mantissa: u64,
    whole: u32,
    decimals: u32,
    /// Digits since the last grouping mark, when there was one.
    group: Option<u32>,
    after_mark: bool,
}

impl Digits {
    fn digit(&mut self, digit: u8) -> Option<()> {
        match self.mantissa.checked_mul(10).and_then(|m| m.checked_add(u64::from(digit - b'0'))) {
            Some(mantissa) => self.mantissa = mantissa,
            // Decimals beyond the nineteenth digit change nothing.
            None if self.after_mark => return Some(()),
            None => return None,
        }
        if self.after_mark {
            self.decimals += 1;
        } else {
            self.whole += 1;
            self.group = self.group.map(|digits| digits + 1);
        }
        Some(())
    }

    fn ends_a_group(&self) -> bool {
        self.group.is_none_or(|digits| digits == 3)
    }

    fn group(&mut self) -> Option<()> {
        let fits = !self.after_mark && self.ends_a_group() && (self.group.is_some() || (1..=3).contains(&self.whole));
        self.group = Some(0);
        fits.then_some(())
    }

    fn mark(&mut self) -> Option<()> {
        let fits = !self.after_mark && self.ends_a_group();
        self.after_mark = true;
        fits.then_some(())
    }

    fn number(&self, negative: bool) -> Option<Number> {
        if self.whole + self.decimals == 0 || !(self.after_mark || self.ends_a_group()) {
            return None;
        }
        let step = 10f64.powi(i32::try_from(self.decimals).ok()?);
        let number = number(self.mantissa, step, self.decimals == 0);
        Some(if negative { Number { value: -number.value, ..number } } else { number })
    }
}

fn plain_number(cell: &[u8], mark: DecimalMark) -> Option<Number> {
    let (negative, mut rest) = match cell {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, cell),
    };
    let mut digits = Digits::default();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'0'..=b'9', _) => digits.digit(*first)?,
            (byte, _) if *byte == mark.byte() => digits.mark()?,
            (b'.' | b',' | b' ' | b'\'', _) => digits.group()?,
            (0xC2, [0xA0, after @ ..]) | (0xE2, [0x80, 0xAF, after @ ..]) => {
                digits.group()?;
                rest = after;
            }
            _ => return None,
        }
    }
    digits.number(negative)
}

/// "1.5e+10". Never grouped.
fn exponent_number(cell: &[u8]) -> Option<Number> {
    if !cell.iter().any(|byte| matches!(byte, b'e' | b'E')) || !cell.iter().all(|byte| byte.is_ascii_digit() || b"eE+-.".contains(byte)) {
        return None;
    }
    let value: f64 = std::str::from_utf8(cell).ok()?.parse().ok()?;
    value.is_finite().then_some(Number { value, half_step: value.abs() * 1e-6 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(cell: &str, mark: DecimalMark) -> Option<f64> {
        match read_number(cell.as_bytes(), mark) {
            Cell::Number(number) => Some(number.value),
            Cell::Missing | Cell::Text => None,
        }
    }

    #[test]
    fn numbers_read_with_either_mark_and_any_grouping() {
        assert_eq!(value("1,215,000.50", DecimalMark::Dot), Some(1_215_000.5));
        assert_eq!(value("2.508.800", DecimalMark::Comma), Some(2_508_800.0));
        assert_eq!(value("65,77", DecimalMark::Comma), Some(65.77));
        assert_eq!(value("117.344", DecimalMark::Comma), Some(117_344.0));
        assert_eq!(value("117.344", DecimalMark::Dot), Some(117.344));
        assert_eq!(value("1\u{202F}024", DecimalMark::Comma), Some(1024.0));
        assert_eq!(value("1\u{A0}024,5", DecimalMark::Comma), Some(1024.5));
        assert_eq!(value("1'024", DecimalMark::Dot), Some(1024.0));
        assert_eq!(value("-3.5", DecimalMark::Dot), Some(-3.5));
        assert_eq!(value("1.5e+10", DecimalMark::Dot), Some(1.5e10));
        assert!((value("0.33333333333333333333333", DecimalMark::Dot).unwrap() - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn the_short_way_says_what_the_long_way_says() {
        let digits = "0123456789";
        let mut cells = vec![".".to_owned(), ",".to_owned(), "5.".to_owned(), ".5".to_owned(), "1.2.3".to_owned(), "00.070".to_owned()];
        for length in 1..=20 {
            let whole: String = digits.chars().rev().cycle().take(length).collect();
            cells.extend((0..=length).map(|at| [&whole[..at], ".", &whole[at..]].concat()));
            cells.push(whole);
        }
        for cell in cells {
            for mark in [DecimalMark::Dot, DecimalMark::Comma] {
                let short = short_number(cell.as_bytes(), mark);
                assert!(short.is_none() || short == plain_number(cell.as_bytes(), mark), "{cell}: {short:?}");
            }
        }
        assert!(short_number(b"65.77", DecimalMark::Dot).is_some() && short_number(b"-1", DecimalMark::Dot).is_none());
    }

    #[test]
    fn grouping_comes_in_threes() {
        for cell in ["65,77", "1,0245", "12345,678", ",123", "1,,234", "1.2.3", "1,024.", "12,34.5", "1.5,000"] {
            let expected = if cell == "1,024." { Some(1024.0) } else { None };
            assert_eq!(value(cell, DecimalMark::Dot), expected, "{cell}");
        }
    }

    #[test]
    fn instances_are_cut_off() {
        assert_eq!(value("6,665 (33; 33; 66)", DecimalMark::Dot), Some(6665.0));
        assert_eq!(value("2,484 {65}", DecimalMark::Dot), Some(2484.0));
        assert_eq!(read_number(b"{416}", DecimalMark::Dot), Cell::Missing);
    }

    #[test]
    fn missing_is_not_zero() {
        for cell in ["", "  ", "n/a", "N/A", "nan", "-nan(ind)"] {
            assert_eq!(read_number(cell.as_bytes(), DecimalMark::Dot), Cell::Missing, "{cell}");
        }
        assert_eq!(read_number(b"PolicySpread", DecimalMark::Dot), Cell::Text);
    }
}
