//! Ticks: which values are written along an axis, and how. Shared with the curves.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "values of an axis as places on it")]

use egui::{Align2, Painter, Rangef, Rect, pos2};

use super::scale::Scale;
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size};

/// An advance of the monospaced font, as a share of its size.
const ADVANCE: f32 = 0.6;
/// Round values are at least this far apart along x, and along y.
const SPACING_X: f32 = 44.0;
const SPACING_Y: f32 = 40.0;

/// A label on an axis, centered at `at` along it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub at: f32,
    pub text: String,
    /// The present value.
    pub is_present: bool,
}

pub fn text_width(text: &str) -> f32 {
    text.chars().count() as f32 * size::CAPTION * ADVANCE
}

/// Ticks along x between the ends of `range` on the screen; `at` is where a value lies.
pub fn x_ticks(scale: &Scale, ends: [u64; 2], range: Rangef, at: impl Fn(u64) -> f32) -> Vec<Tick> {
    ticks(scale, ends, range, SPACING_X, at, |text| text_width(text) + 12.0)
}

/// Ticks along y.
pub fn y_ticks(scale: &Scale, ends: [u64; 2], range: Rangef, at: impl Fn(u64) -> f32) -> Vec<Tick> {
    ticks(scale, ends, range, SPACING_Y, at, |_| 16.0)
}

fn ticks(scale: &Scale, ends: [u64; 2], range: Rangef, spacing: f32, at: impl Fn(u64) -> f32, room: impl Fn(&str) -> f32) -> Vec<Tick> {
    let tick = |(value, is_present)| Tick { at: at(value), text: scale.tick_text(value), is_present };
    let range = Rangef::new(range.min - 0.5, range.max + 0.5);
    without_overlap(wanted(scale, ends, range.span(), spacing).map(tick).filter(|tick| range.contains(tick.at)), room)
}

/// Ticks along a y axis of 0 to 100 percent.
pub fn percent_ticks(present: Option<f64>, length: f32, at: impl Fn(f64) -> f32) -> Vec<Tick> {
    let step = percent_step(length);
    let round = (0..=100 / step).map(|index| (f64::from(index * step), false));
    let values = present.map(|value| (value, true)).into_iter().chain(round);
    let tick = |(value, is_present)| Tick { at: at(value), text: crate::fmt::percent_number(value), is_present };
    without_overlap(values.map(tick), |_| 16.0)
}

/// The distance of round values along x; none when not even the largest has room.
pub fn x_step(scale: &Scale, length: f32) -> Option<u64> {
    step(scale, length, SPACING_X)
}

/// A distance of round values that is no smaller than a cell and leaves room for a tick at each.
fn step(scale: &Scale, length: f32, spacing: f32) -> Option<u64> {
    let shown = scale.last.saturating_sub(scale.low).max(1) as f32;
    let fits = |step: &&u64| **step >= scale.step && length * **step as f32 / shown >= spacing;
    scale.tick_steps().iter().find(fits).copied()
}

/// The distance of round percentages.
pub fn percent_step(length: f32) -> u32 {
    [25u32, 50].into_iter().find(|step| length * *step as f32 / 100.0 >= 28.0).unwrap_or(100)
}

/// The present value, both ends and the round values between them, those that matter most first.
fn wanted(scale: &Scale, ends: [u64; 2], length: f32, spacing: f32) -> impl Iterator<Item = (u64, bool)> {
    let step = step(scale, length, spacing);
    let (low, last) = (scale.low, scale.last);
    let round = step.into_iter().flat_map(move |step| (low.div_ceil(step).max(1)..=last / step).map(move |index| index * step));
    let present = scale.present_cell().map(|_| (scale.present, true));
    present.into_iter().chain([ends[1], ends[0]].into_iter().chain(round).map(|value| (value, false)))
}

fn without_overlap(ticks: impl Iterator<Item = Tick>, room: impl Fn(&str) -> f32) -> Vec<Tick> {
    let mut placed: Vec<Tick> = Vec::new();
    for tick in ticks {
        let free = |other: &Tick| (other.at - tick.at).abs() >= f32::midpoint(room(&other.text), room(&tick.text));
        if placed.iter().all(free) {
            placed.push(tick);
        }
    }
    placed
}

/// Writes ticks below and left of `frame`; the present values are lit.
pub fn paint_ticks(painter: &Painter, theme: Theme, frame: Rect, x_ticks: &[Tick], y_ticks: &[Tick]) {
    let palette = theme.palette;
    let font = |tick: &Tick| if tick.is_present { theme::mono_bold(size::CAPTION) } else { theme::mono(size::CAPTION) };
    let ink = |tick: &Tick| if tick.is_present { palette.text } else { palette.text3 };
    for tick in x_ticks {
        let at = pos2(tick.at, frame.bottom() + 12.0);
        paint::text(painter, at, Align2::CENTER_CENTER, &tick.text, font(tick), ink(tick));
        if tick.is_present {
            paint::hairline(painter, pos2(tick.at, frame.bottom() + 1.0), pos2(tick.at, frame.bottom() + 5.0), palette.text);
        }
    }
    for tick in y_ticks {
        let at = pos2(frame.left() - 10.0, tick.at);
        paint::text(painter, at, Align2::RIGHT_CENTER, &tick.text, font(tick), ink(tick));
        if tick.is_present {
            paint::hairline(painter, pos2(frame.left() - 6.0, tick.at), pos2(frame.left() - 1.0, tick.at), palette.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_present_value_comes_first() {
        let ticks = percent_ticks(Some(48.4), 100.0, |value| -(value as f32));
        let texts: Vec<_> = ticks.iter().map(|tick| tick.text.as_str()).collect();
        assert_eq!(texts, ["48.4", "0", "100"]);
    }
}
