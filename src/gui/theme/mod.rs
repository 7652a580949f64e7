//! How everything looks: colors, type, spacing, and the egui style made from them.
//!
//! A view asks for [`Theme::of`] and draws with it. Color is for data; chrome is neutral plus one accent.
//! [`tokens`] is the only file that names a color.

pub mod color;
pub mod fonts;
mod style;
#[cfg(test)]
mod tests;
pub mod tokens;

use egui::{Color32, FontFamily, FontId, Ui, Visuals};

pub use style::{apply, set_contrast, set_motion};
use tokens::Palette;

use crate::engine::Resource;

/// The smallest distance; all others are multiples.
pub const UNIT: f32 = 4.0;
pub const RADIUS_CELL: f32 = 2.0;
pub const RADIUS_CHIP: f32 = 3.0;
pub const RADIUS_CONTROL: f32 = 6.0;
pub const PANEL_PADDING: i8 = 16;
pub const CONTROL_HEIGHT: f32 = 28.0;
pub const ROW_HEIGHT: f32 = 30.0;

/// Sizes of type, in points.
pub mod size {
    /// Axis ticks and captions over groups: the smallest there is.
    pub const CAPTION: f32 = 11.0;
    /// Notes and secondary values.
    pub const NOTE: f32 = 12.0;
    /// Body, controls, table.
    pub const BODY: f32 = 13.0;
    /// View titles, the sentence of the answer, limit values.
    pub const TITLE: f32 = 15.0;
    /// Figures beside a chart.
    pub const FIGURE: f32 = 20.0;
    /// The three occupancies of a kernel.
    pub const OCCUPANCY: f32 = 26.0;
    /// The answer.
    pub const ANSWER: f32 = 46.0;
}

/// How far colors stand apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Contrast {
    /// For a screen of one's own.
    #[default]
    Screen,
    /// For a projector, for paper, and for who needs more.
    Projector,
}

/// What a view needs to draw in the current theme.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub dark: bool,
    pub palette: Palette,
}

impl Theme {
    pub const DARK: Self = Self { dark: true, palette: tokens::DARK };
    pub const LIGHT: Self = Self { dark: false, palette: tokens::LIGHT };
    /// Black ground for a dim projector.
    pub const PROJECTOR_DARK: Self = Self { dark: true, palette: tokens::PROJECTOR_DARK };
    /// White ground for a projector in a bright room, and for paper.
    pub const PROJECTOR_LIGHT: Self = Self { dark: false, palette: tokens::PROJECTOR_LIGHT };

    pub const ALL: [Self; 4] = [Self::DARK, Self::LIGHT, Self::PROJECTOR_DARK, Self::PROJECTOR_LIGHT];

    /// The theme that `ui` is drawn in.
    pub fn of(ui: &Ui) -> Self {
        Self::of_visuals(ui.visuals())
    }

    /// The theme that a style was made from: the one with its ground.
    pub fn of_visuals(visuals: &Visuals) -> Self {
        let is_it = |theme: &Self| theme.dark == visuals.dark_mode && theme.palette.bg == visuals.panel_fill;
        Self::ALL.into_iter().find(is_it).unwrap_or(if visuals.dark_mode { Self::DARK } else { Self::LIGHT })
    }

    /// The theme of that brightness and contrast.
    pub const fn new(dark: bool, contrast: Contrast) -> Self {
        match (dark, contrast) {
            (true, Contrast::Screen) => Self::DARK,
            (false, Contrast::Screen) => Self::LIGHT,
            (true, Contrast::Projector) => Self::PROJECTOR_DARK,
            (false, Contrast::Projector) => Self::PROJECTOR_LIGHT,
        }
    }

    /// The color of resident block `index`, counted from 0. Blocks 9 to 16 repeat the colors with a hatch, see [`Self::block_hatch`].
    pub fn block(self, index: usize) -> Color32 {
        tokens::BLOCKS[index % tokens::BLOCKS.len()]
    }

    /// The outline of a block cell: none in dark themes, the color darkened in light ones.
    pub fn block_outline(self, index: usize) -> Option<Color32> {
        (!self.dark).then(|| color::mix(self.block(index), Color32::BLACK, 0.35))
    }

    /// The hatch that tells blocks of one color apart.
    pub fn block_hatch(self, index: usize) -> Option<Hatch> {
        match index / tokens::BLOCKS.len() {
            0 => None,
            1 => Some(Hatch::Slash),
            2 => Some(Hatch::Backslash),
            _ => Some(Hatch::Cross),
        }
    }

    /// The outline of a block that was refused.
    pub fn ghost(self, index: usize) -> Color32 {
        if self.dark { self.block(index) } else { color::mix(self.block(index), Color32::BLACK, 0.45) }
    }

    pub fn limiter(self, resource: Resource) -> Color32 {
        tokens::LIMITERS[resource as usize]
    }

    /// The hatch that stands for a limiter beside its color and letter.
    pub fn limiter_hatch(self, resource: Resource) -> Hatch {
        match resource {
            Resource::Warps => Hatch::Vertical,
            Resource::Registers => Hatch::Slash,
            Resource::SharedMemory => Hatch::Dots,
            Resource::Blocks => Hatch::Horizontal,
            Resource::Barriers => Hatch::Cross,
        }
    }

    /// Occupancy as a color, for a share from 0 to 1: little is quiet, much is loud.
    pub fn ramp(self, share: f64) -> Color32 {
        color::ramp(if self.dark { &tokens::RAMP_DARK } else { &tokens::RAMP_LIGHT }, share)
    }

    /// A difference as a color, from −1 (lost) over 0 to 1 (gained).
    pub fn diverging(self, share: f64) -> Color32 {
        color::ramp(if self.dark { &tokens::DIVERGING_DARK } else { &tokens::DIVERGING_LIGHT }, f64::midpoint(share, 1.0))
    }

    /// The solid color of achieved occupancy in gap bars.
    pub fn achieved(self) -> Color32 {
        self.ramp(if self.dark { 0.56 } else { 0.62 })
    }

    /// The grey of the part of a gap that is neither the grid's nor the tail's.
    pub fn gap_other(self) -> Color32 {
        color::mix(self.palette.panel, self.palette.text3, if self.dark { 0.55 } else { 0.5 })
    }

    /// The lines of the hatch over free cells that another resource blocks, and of cells that cannot launch.
    pub fn blocked_line(self) -> Color32 {
        color::mix(self.palette.panel, self.palette.line_strong, if self.dark { 0.7 } else { 0.6 })
    }
}

/// The patterns. Each means one thing within its view; the legend says what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hatch {
    Slash,
    Backslash,
    Vertical,
    Horizontal,
    /// Vertical and horizontal.
    Cross,
    /// Both diagonals.
    Lattice,
    Dots,
}

/// Words.
pub fn words(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// Words with some weight: labels of controls.
pub fn medium(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(fonts::MEDIUM.into()))
}

/// Words with weight: titles.
pub fn strong(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(fonts::SEMIBOLD.into()))
}

/// Numbers that can change or be compared, code, kernel names.
pub fn mono(size: f32) -> FontId {
    FontId::new(size, FontFamily::Monospace)
}

/// Numbers that are the point.
pub fn mono_bold(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(fonts::MONO_BOLD.into()))
}
