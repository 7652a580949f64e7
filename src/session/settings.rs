//! What a person sets once and for all. Kept in a file of its own, not in sessions, and not undone.

use super::document::{GpuChoice, ThemeChoice};
use crate::fmt::NumberStyle;

/// The settings. What is not set is as the program comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub theme: ThemeChoice,
    /// Stronger lines and inks on black and white, for a projector or tired eyes.
    pub high_contrast: bool,
    /// Of the whole window, [`Settings::ZOOM`].
    pub zoom_percent: u32,
    /// Of a presentation, over what fits its window, [`Settings::ZOOM`].
    pub present_zoom_percent: u32,
    pub numbers: NumberStyle,
    /// What a new window starts with; none is the first preset's.
    pub default_gpu: Option<GpuChoice>,
    /// Nothing slides, fades, scrolls by itself or blinks.
    pub reduced_motion: bool,
}

impl Settings {
    pub const ZOOM: std::ops::RangeInclusive<u32> = 75..=300;

    /// Of the whole window, as a factor.
    #[expect(clippy::cast_precision_loss, reason = "75 to 300")]
    pub fn zoom(&self) -> f32 {
        self.zoom_percent as f32 / 100.0
    }

    /// What comes of `self` when another window made `theirs` of `base`: what was not changed here is theirs.
    #[must_use]
    pub fn merged(&self, base: &Self, theirs: &Self) -> Self {
        fn one<T: Clone + PartialEq>(ours: &T, base: &T, theirs: &T) -> T {
            if ours == base { theirs.clone() } else { ours.clone() }
        }
        let (ours, from, others) = (&self.numbers, &base.numbers, &theirs.numbers);
        Self {
            theme: one(&self.theme, &base.theme, &theirs.theme),
            high_contrast: one(&self.high_contrast, &base.high_contrast, &theirs.high_contrast),
            zoom_percent: one(&self.zoom_percent, &base.zoom_percent, &theirs.zoom_percent),
            present_zoom_percent: one(&self.present_zoom_percent, &base.present_zoom_percent, &theirs.present_zoom_percent),
            numbers: NumberStyle {
                sizes: one(&ours.sizes, &from.sizes, &others.sizes),
                grouping: one(&ours.grouping, &from.grouping, &others.grouping),
                occupancy: one(&ours.occupancy, &from.occupancy, &others.occupancy),
            },
            default_gpu: one(&self.default_gpu, &base.default_gpu, &theirs.default_gpu),
            reduced_motion: one(&self.reduced_motion, &base.reduced_motion, &theirs.reduced_motion),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            high_contrast: false,
            zoom_percent: 100,
            present_zoom_percent: 100,
            numbers: NumberStyle::default(),
            default_gpu: None,
            reduced_motion: false,
        }
    }
}
