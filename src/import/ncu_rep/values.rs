//! A metric of a result: the index of its name, and its value.
//!
//! The same metric is a float in one version and an integer in the next, so every kind of number is taken. Values are in
//! base units, and the file has no units.

use super::wire::{Content, Damage, Part};

/// What a metric says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Number(f64),
    Text(&'a [u8]),
    /// No value, or none that is a number: the metric has only single instances, or could not be measured.
    Missing,
}

/// The index of the name of a metric; 0 when it is not written, as the format has it for zeros.
pub(super) fn name_index(metric: Part<'_>) -> Result<u64, Damage> {
    // It comes first in every report, so that the instances behind it are not gone through.
    for field in metric.fields() {
        let field = field?;
        if let (1, Some(index)) = (field.number, field.content.integer()) {
            return Ok(index);
        }
    }
    Ok(0)
}

/// The value of a metric and the bytes that it is in.
pub(super) fn value(metric: Part<'_>) -> Result<(Value<'_>, Part<'_>), Damage> {
    for field in metric.fields() {
        let field = field?;
        if let (2, Some(part)) = (field.number, field.content.part()) {
            return Ok((variant(part)?, part));
        }
    }
    Ok((Value::Missing, metric))
}

/// The one field of a value that is set.
fn variant(value: Part<'_>) -> Result<Value<'_>, Damage> {
    let mut found = Value::Missing;
    for field in value.fields() {
        let field = field?;
        found = match (field.number, field.content) {
            (1, Content::Part(text)) => Value::Text(text.bytes),
            (2, Content::Fixed32(bytes)) => number(f64::from(f32::from_le_bytes(bytes))),
            (3, Content::Fixed64(bytes)) => number(f64::from_le_bytes(bytes)),
            (4 | 5, Content::Varint(count)) => Value::Number(real(count)),
            _ => found,
        };
    }
    Ok(found)
}

fn number<'a>(value: f64) -> Value<'a> {
    if value.is_finite() { Value::Number(value) } else { Value::Missing }
}

#[expect(clippy::cast_precision_loss, reason = "counters beyond 2^53 keep 15 digits, more than is ever shown")]
const fn real(count: u64) -> f64 {
    count as f64
}
