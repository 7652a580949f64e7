//! Rows of the legend, one below the other, as long as they fit.

use egui::{Pos2, Rect, vec2};

/// The height of most rows.
pub const ROW: f32 = 18.0;

/// Where the next part goes, and what is left.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    pub at: Pos2,
    pub area: Rect,
}

impl Flow {
    /// The next row of this height, if it still fits.
    pub fn row(&mut self, height: f32) -> Option<Rect> {
        let rect = Rect::from_min_size(self.at, vec2(self.area.width(), height));
        (rect.bottom() <= self.area.bottom() + 0.5).then(|| {
            self.at.y += height;
            rect
        })
    }

    pub fn space(&mut self, height: f32) {
        self.at.y += height;
    }
}
