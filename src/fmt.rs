//! How numbers read: the same everywhere, on screen, in text and in exports.
//!
//! Thousands with a comma, one decimal for percent, a plain space before % and units, U+2212 for minus.

use std::cell::Cell;

/// How sizes in words are written. A KB is 1,024 bytes in CUDA's documents, so KB and KiB are the same number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SizeUnit {
    #[default]
    Kib,
    Kb,
    Bytes,
}

/// What stands between thousands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    #[default]
    Comma,
    /// A space at which no line breaks.
    Space,
    None,
}

/// What occupancies are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OccupancyUnit {
    #[default]
    Percent,
    Warps,
}

/// How numbers read in the window, as a person sets it. Files and the command line always have the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NumberStyle {
    pub sizes: SizeUnit,
    pub grouping: Grouping,
    pub occupancy: OccupancyUnit,
}

thread_local! {
    static STYLE: Cell<NumberStyle> = const { Cell::new(NumberStyle { sizes: SizeUnit::Kib, grouping: Grouping::Comma, occupancy: OccupancyUnit::Percent }) };
}

/// From now on, numbers of this thread read like that. Only the thread that draws has another style than the default.
pub fn set_style(style: NumberStyle) {
    STYLE.set(style);
}

/// "KiB", or "KB" where a person prefers that; [`bytes`] may write bytes instead.
pub fn kib_unit() -> &'static str {
    if STYLE.get().sizes == SizeUnit::Kb { "KB" } else { "KiB" }
}

/// Whether sizes in words are to be in bytes.
pub fn in_bytes() -> bool {
    STYLE.get().sizes == SizeUnit::Bytes
}

/// The unit of sizes in a column or along an axis: "KiB", "KB" or "bytes". Its numbers are [`size_number`]s.
pub fn size_unit() -> &'static str {
    if in_bytes() { "bytes" } else { kib_unit() }
}

/// A size without its unit, which is [`size_unit`]: "53.5", or "54,784" in bytes.
pub fn size_number(value: u64) -> String {
    if in_bytes() { grouped(value) } else { kib_number(value) }
}

/// Whether occupancies are to be in warps.
pub fn in_warps() -> bool {
    STYLE.get().occupancy == OccupancyUnit::Warps
}

/// An occupancy of an SM with so many warp slots: "37.5 %", or "24 of 64 warps" where a person prefers that.
pub fn occupancy(percent: f64, max_warps_per_sm: u32) -> String {
    let unit = occupancy_unit(max_warps_per_sm);
    format!("{} {unit}", occupancy_number(percent, max_warps_per_sm))
}

/// As [`occupancy`], where there is little room and the SM is the same throughout: "37.5 %", "24 warps".
pub fn occupancy_briefly(percent: f64, max_warps_per_sm: u32) -> String {
    let unit = if in_warps() { "warps" } else { "%" };
    format!("{} {unit}", occupancy_number(percent, max_warps_per_sm))
}

/// As [`occupancy`], without the unit: "37.5", "24".
pub fn occupancy_number(percent: f64, max_warps_per_sm: u32) -> String {
    percent_number(if in_warps() { percent / 100.0 * f64::from(max_warps_per_sm) } else { percent })
}

/// What stands behind an [`occupancy_number`]: "%", "of 64 warps".
pub fn occupancy_unit(max_warps_per_sm: u32) -> String {
    if in_warps() { format!("of {max_warps_per_sm} warps") } else { "%".to_owned() }
}

/// An occupancy in the unit that [`occupancy`] does not have: "24 of 64 warps", or "37.5 %" where a person prefers warps.
pub fn occupancy_otherwise(percent: f64, max_warps_per_sm: u32) -> String {
    if in_warps() {
        return self::percent(percent);
    }
    format!("{} of {max_warps_per_sm} warps", percent_number(percent / 100.0 * f64::from(max_warps_per_sm)))
}

/// Groups thousands with commas, or as a person prefers it: 65536 is "65,536".
pub fn grouped(value: u64) -> String {
    let separator = match STYLE.get().grouping {
        Grouping::Comma => ',',
        Grouping::Space => '\u{a0}',
        Grouping::None => return value.to_string(),
    };
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

/// A percentage with one decimal, without the decimal when it is zero: "37.5 %", "50 %".
pub fn percent(value: f64) -> String {
    format!("{} %", percent_number(value))
}

/// One decimal, halves away from zero as people round: 18.75 is "18.8", 81.25 is "81.3".
pub fn one_decimal(value: f64) -> String {
    format!("{:.1}", (value * 10.0).round() / 10.0)
}

/// As [`percent`], without the sign.
pub fn percent_number(value: f64) -> String {
    let text = one_decimal(value);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    text.strip_prefix('-').map_or_else(|| text.to_owned(), |rest| if rest == "0" { rest.to_owned() } else { format!("\u{2212}{rest}") })
}

/// A byte count in KiB where that says it in at most two decimals, else in bytes: "48 KiB", "53.5 KiB", "54,785 B".
pub fn bytes(value: u64) -> String {
    if !in_bytes() && value >= 1024 && u128::from(value) * 100 % 1024 == 0 {
        format!("{} {}", kib_number(value), kib_unit())
    } else {
        format!("{} B", grouped(value))
    }
}

/// The KiB in a byte count with up to two decimals, rounded.
pub fn kib_number(value: u64) -> String {
    let hundredths = (u128::from(value) * 100 + 512) / 1024;
    let whole = u64::try_from(hundredths / 100).unwrap_or(u64::MAX);
    let fraction = format!("{:02}", hundredths % 100);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { grouped(whole) } else { format!("{}.{fraction}", grouped(whole)) }
}

/// A name from a foreign file, fit to be shown: what would move the cursor or turn the direction of writing is replaced.
pub fn harmless(text: &str) -> String {
    text.chars().map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect()
}

/// Moves the cursor, starts a terminal's command or turns the direction of writing.
pub fn is_harmful(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// "1 block", "3 blocks".
pub fn counted(value: u64, singular: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {singular}{plural}", grouped(value))
}

/// With a capital letter at the beginning, as a sentence has it.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// "+12.5", "−6.3", "0".
pub fn signed_points(points: f64) -> String {
    let text = percent_number(points);
    if points > 0.0 && text != "0" { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_commas() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(65_536), "65,536");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn numbers_read_as_a_person_sets_them() {
        let said = |sizes, grouping| {
            set_style(NumberStyle { sizes, grouping, ..NumberStyle::default() });
            let said = format!("{} / {}", bytes(49_152), grouped(65_536));
            set_style(NumberStyle::default());
            said
        };
        assert_eq!(said(SizeUnit::Kb, Grouping::Space), "48 KB / 65\u{a0}536");
        assert_eq!(said(SizeUnit::Bytes, Grouping::None), "49152 B / 65536");
        assert_eq!(said(SizeUnit::Kib, Grouping::Comma), "48 KiB / 65,536");
    }

    #[test]
    fn an_occupancy_is_in_percent_or_in_warps() {
        let said = |occupancy| {
            set_style(NumberStyle { occupancy, ..NumberStyle::default() });
            let said = [self::occupancy(37.5, 64), occupancy_otherwise(37.5, 64), occupancy_briefly(36.1, 48)];
            set_style(NumberStyle::default());
            said
        };
        assert_eq!(said(OccupancyUnit::Percent), ["37.5 %", "24 of 64 warps", "36.1 %"]);
        assert_eq!(said(OccupancyUnit::Warps), ["24 of 64 warps", "37.5 %", "17.3 warps"]);
    }

    #[test]
    fn percent_drops_a_zero_decimal() {
        assert_eq!(percent(37.5), "37.5 %");
        assert_eq!(percent(50.0), "50 %");
        assert_eq!(percent(100.0 / 3.0), "33.3 %");
        assert_eq!(percent(-4.61), "\u{2212}4.6 %");
        assert_eq!(percent(-0.01), "0 %");
        assert_eq!(percent(81.25), "81.3 %");
        assert_eq!(percent(18.75), "18.8 %");
    }

    #[test]
    fn sizes_prefer_kib_when_it_is_exact() {
        assert_eq!(bytes(49_152), "48 KiB");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(54_784), "53.5 KiB");
        assert_eq!(bytes(54_785), "54,785 B");
    }
}
