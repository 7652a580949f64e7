//! Units, and whole bytes and counts out of printed numbers.
//!
//! The command line prints base units with `--csv`, but scaled ones when it exports a report, and a scaled cell has lost digits.

use super::numbers::Number;

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
