//! Sizes, shapes and how people write them.
//!
//! In: parsing of sizes ("48K", "48 KiB", "49152") and block shapes ("16x16"). Not in: how they are printed, see [`crate::fmt`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Bytes in one KiB. Every size in CUDA's occupancy rules that is called "KB" is a KiB.
pub const KIB: u64 = 1024;

/// Threads that are scheduled together; the same on every GPU that CUDA has supported.
pub const WARP_SIZE: u32 = 32;

/// A three-dimensional extent: the shape of a block in threads, or of a grid in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Dim3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

impl Dim3 {
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }

    /// A one-dimensional extent.
    pub const fn linear(x: u32) -> Self {
        Self::new(x, 1, 1)
    }

    /// The product of the three extents, or the largest `u64` when it would not fit.
    pub const fn count(self) -> u64 {
        // Two u32 always fit a u64; only the third factor can overflow.
        (self.x as u64 * self.y as u64).saturating_mul(self.z as u64)
    }

    pub const fn is_linear(self) -> bool {
        self.y == 1 && self.z == 1
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {} × {}", self.x, self.y, self.z)
    }
}

/// Why a size or a shape could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseUnitError {
    #[error("\"{0}\" is not a size; write bytes (49152), or KiB (48K, 48KiB)")]
    Size(String),
    #[error("\"{0}\" is not a shape; write 256, 16x16 or 8x8x4")]
    Shape(String),
}

/// Reads a size in bytes: a whole number, or a decimal with `K`/`KB`/`KiB` or `M`/`MB`/`MiB` (factor 1,024, as CUDA's documents use it).
///
/// Commas, underscores and spaces between digits are ignored. `"48K"`, `"48 KiB"` and `"49,152"` are the same size.
///
/// # Errors
/// When the text is not a number with one of these units, is negative, or is not a whole number of bytes.
pub fn parse_size_bytes(text: &str) -> Result<u64, ParseUnitError> {
    let bad = || ParseUnitError::Size(text.trim().to_owned());
    let compact: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, ',' | '_')).collect();
    let lower = compact.to_ascii_lowercase();
    let split = lower.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(lower.len());
    let (number, unit) = lower.split_at(split);
    let factor = match unit {
        "" | "b" | "byte" | "bytes" => 1,
        "k" | "kb" | "kib" => KIB,
        "m" | "mb" | "mib" => KIB * KIB,
        _ => return Err(bad()),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(bad());
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| bad())? };
    let whole = whole.checked_mul(factor).ok_or_else(bad)?;
    let fraction = fraction_bytes(fraction, factor).ok_or_else(bad)?;
    whole.checked_add(fraction).ok_or_else(bad)
}

/// The bytes in a decimal fraction of a unit, when that is a whole number of them: "5" of a KiB is 512.
fn fraction_bytes(digits: &str, factor: u64) -> Option<u64> {
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let scale = 10u64.checked_pow(u32::try_from(digits.len()).ok()?)?;
    let scaled = digits.parse::<u64>().ok()?.checked_mul(factor)?;
    (scaled % scale == 0).then_some(scaled / scale)
}

impl FromStr for Dim3 {
    type Err = ParseUnitError;

    /// Reads `256`, `16x16`, `16,16,1`, `(16, 16, 1)` or `16 × 16`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || ParseUnitError::Shape(text.trim().to_owned());
        let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
        let mut parts = inner.split(['x', 'X', '×', ',']).map(|part| part.trim().parse::<u32>());
        let mut extent = [1u32; 3];
        let mut given = 0;
        for slot in &mut extent {
            let Some(part) = parts.next() else { break };
            *slot = part.map_err(|_| bad())?;
            given += 1;
        }
        if given == 0 || parts.next().is_some() {
            return Err(bad());
        }
        Ok(Self::new(extent[0], extent[1], extent[2]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_take_kib_and_bytes() {
        for text in ["49152", "48K", "48k", "48KiB", "48 KiB", "49,152", "48.0 KB"] {
            assert_eq!(parse_size_bytes(text), Ok(49_152), "{text}");
        }
        assert_eq!(parse_size_bytes("53.5K"), Ok(54_784));
        assert_eq!(parse_size_bytes("1M"), Ok(1_048_576));
    }

    #[test]
    fn sizes_that_are_not_whole_bytes_are_refused() {
        for text in ["", "K", "-1", "1.5", "0.0001K", "12 parsecs", "99999999999999999999", "."] {
            assert!(parse_size_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shapes_take_the_profilers_and_the_programmers_spelling() {
        assert_eq!("256".parse(), Ok(Dim3::linear(256)));
        assert_eq!("16x16".parse(), Ok(Dim3::new(16, 16, 1)));
        assert_eq!("(32, 4, 1)".parse(), Ok(Dim3::new(32, 4, 1)));
        assert!("16x16x1x1".parse::<Dim3>().is_err());
        assert!("".parse::<Dim3>().is_err());
    }

    #[test]
    fn counts_saturate() {
        assert_eq!(Dim3::new(u32::MAX, u32::MAX, u32::MAX).count(), u64::MAX);
    }
}
