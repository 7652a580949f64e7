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
