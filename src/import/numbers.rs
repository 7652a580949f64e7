//! Numbers and units as profilers print them.
//!
//! In: one number cell, the units behind it, whole bytes out of a scaled cell. Not in: which decimal mark a file has, see
//! [`super::evidence`]; what the number is about, see [`super::metrics`].

/// What stands between the whole and the fraction; the other one of the two may group thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecimalMark {
    Dot,
    Comma,
}

impl DecimalMark {
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
    let cell = without_instances(cell.trim_ascii());
    if is_missing(cell) {
        return Cell::Missing;
    }
    plain_number(cell, mark).or_else(|| exponent_number(cell)).map_or(Cell::Text, Cell::Number)
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

    #[expect(clippy::cast_precision_loss, reason = "counters beyond 2^53 keep 15 digits, more than is ever shown")]
    fn number(&self, negative: bool) -> Option<Number> {
        if self.whole + self.decimals == 0 || !(self.after_mark || self.ends_a_group()) {
            return None;
        }
        let step = 10f64.powi(i32::try_from(self.decimals).ok()?);
        let value = self.mantissa as f64 / step;
        let half_step = if self.decimals == 0 { 0.0 } else { 0.5 / step };
        Some(Number { value: if negative { -value } else { value }, half_step })
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

/// What one of a unit is in the base unit: nanoseconds, bytes; 1 where nothing is scaled. None for a unit that does not belong.
pub(super) fn unit_factor(measure: Measure, unit: &[u8]) -> Option<f64> {
    let unit = unit.trim_ascii();
    if unit.is_empty() || measure == Measure::Count {
        return Some(1.0);
    }
    match measure {
        Measure::Count => Some(1.0),
        Measure::Percent => (unit == b"%").then_some(1.0),
        Measure::Cycles => (unit == b"cycle" || unit == b"cycles").then_some(1.0),
        Measure::Time => time_factor(unit),
        Measure::RequestedBytes | Measure::ConfiguredBytes => byte_factor(unit),
    }
}

/// What kind of number a quantity is; says which units it can have and how it is made whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Count,
    Percent,
    Cycles,
    Time,
    /// Shared memory that a kernel asked for: any number of bytes.
    RequestedBytes,
    /// Shared memory that the driver or the hardware set aside: whole KiB.
    ConfiguredBytes,
}

fn time_factor(unit: &[u8]) -> Option<f64> {
    match unit {
        b"ns" | b"nsecond" => Some(1.0),
        b"us" | b"usecond" => Some(1e3),
        b"ms" | b"msecond" => Some(1e6),
        b"s" | b"second" => Some(1e9),
        _ => None,
    }
}

/// A Kbyte is 1,000 bytes here: 233,472 byte is printed as 233.47 Kbyte.
fn byte_factor(unit: &[u8]) -> Option<f64> {
    match unit.strip_suffix(b"/block").unwrap_or(unit) {
        b"byte" | b"bytes" | b"B" => Some(1.0),
        b"Kbyte" | b"KB" => Some(1e3),
        b"Mbyte" | b"MB" => Some(1e6),
        b"Gbyte" | b"GB" => Some(1e9),
        b"Kibyte" | b"KiB" => Some(1024.0),
        b"Mibyte" | b"MiB" => Some(1024.0 * 1024.0),
        _ => None,
    }
}

/// A whole number out of a printed one, rounded. None when it is negative or beyond exact integers.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked before")]
pub(super) fn whole(value: f64) -> Option<u64> {
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    let rounded = value.round();
    (0.0..=MAX_EXACT).contains(&rounded).then_some(rounded as u64)
}

/// The bytes that a cell most likely stands for, and whether that is a guess.
///
/// A cell in base units is exact. A scaled one has lost digits: "73.73 Kbyte" is anything from 73,725 to 73,735. What the
/// driver sets aside is the one multiple of 1,024 in that interval, if there is exactly one. What a kernel asked for is taken
/// as the multiple of 128 in it, else of 16, else its middle, and counts as a guess. Taking the cell at face value instead
/// makes a configured 8.19 Kbyte one block too small.
pub(super) fn whole_bytes(number: Number, measure: Measure) -> Option<(u64, bool)> {
    let middle = whole(number.value)?;
    // Half a byte either way still leaves one whole number.
    if number.half_step < 0.5 {
        return Some((middle, false));
    }
    let low = whole((number.value - number.half_step - 1e-6).ceil().max(0.0))?;
    let high = whole((number.value + number.half_step + 1e-6).floor())?;
    if measure == Measure::ConfiguredBytes && low.next_multiple_of(1024) <= high && low.next_multiple_of(1024) + 1024 > high {
        return Some((low.next_multiple_of(1024), false));
    }
    let guess = [128, 16].into_iter().find_map(|step| nearest_multiple(middle, step, low, high));
    Some((guess.unwrap_or(middle), true))
}

/// The multiple of `step` in `low..=high` that is nearest to `middle`; the lower one on a tie.
fn nearest_multiple(middle: u64, step: u64, low: u64, high: u64) -> Option<u64> {
    let below = middle / step * step;
    [below, below + step].into_iter().filter(|at| (low..=high).contains(at)).min_by_key(|at| at.abs_diff(middle))
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

    #[test]
    fn scaled_cells_give_whole_bytes() {
        let kbyte = |value, half_step| Number { value, half_step }.scaled(1000.0);
        assert_eq!(whole_bytes(kbyte(233.47, 0.005), Measure::ConfiguredBytes), Some((233_472, false)));
        assert_eq!(whole_bytes(kbyte(8.19, 0.005), Measure::ConfiguredBytes), Some((8192, false)));
        assert_eq!(whole_bytes(kbyte(1.02, 0.005), Measure::ConfiguredBytes), Some((1024, false)));
        assert_eq!(whole_bytes(kbyte(73.73, 0.005), Measure::RequestedBytes), Some((73_728, true)));
        assert_eq!(whole_bytes(kbyte(73.728, 0.000_000_5), Measure::RequestedBytes), Some((73_728, false)));
        // 4,220 ± 5 has no multiple of 128, but 4,224 is one of 16; 4.03 has neither.
        assert_eq!(whole_bytes(kbyte(4.22, 0.005), Measure::RequestedBytes), Some((4224, true)));
        assert_eq!(whole_bytes(kbyte(4.008, 0.000_5), Measure::RequestedBytes), Some((4008, true)));
        assert_eq!(whole_bytes(Number { value: -1.0, half_step: 0.0 }, Measure::RequestedBytes), None);
    }

    #[test]
    fn units_that_do_not_belong_are_refused() {
        assert_eq!(unit_factor(Measure::Time, b"usecond"), Some(1000.0));
        assert_eq!(unit_factor(Measure::RequestedBytes, b"Kbyte/block"), Some(1000.0));
        assert_eq!(unit_factor(Measure::Percent, b""), Some(1.0));
        assert_eq!(unit_factor(Measure::Percent, b"Gbyte/second"), None);
        assert_eq!(unit_factor(Measure::Time, b"fortnight"), None);
    }
}
