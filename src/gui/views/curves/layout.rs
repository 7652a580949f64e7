//! Where the three curves lie, in points.

use egui::{Pos2, Rect, pos2};

/// Above the plots: what their y axes count.
const TOP: f32 = 24.0;
/// Left of each plot: the ticks of its y axis.
const LEFT: f32 = 40.0;
/// Right of each plot: half of its last tick.
const RIGHT: f32 = 14.0;
/// Below: ticks and what the x axis counts.
const BOTTOM: f32 = 36.0;

/// The rectangles of the view; ticks and captions lie outside the plots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    pub caption: Pos2,
    pub plots: [Rect; 3],
}

impl Layout {
    pub fn new(rect: Rect) -> Self {
        let width = (rect.width() / 3.0).max(LEFT + RIGHT + 16.0);
        let top = rect.top() + TOP;
        let bottom = (rect.bottom() - BOTTOM).max(top + 16.0);
        let plots = [0.0, 1.0, 2.0].map(|index: f32| {
            let left = rect.left() + index * width;
            Rect::from_min_max(pos2((left + LEFT).round(), top.round()), pos2((left + width - RIGHT).round(), bottom.round()))
        });
        Self { caption: pos2(rect.left(), rect.top() + TOP / 2.0 - 2.0), plots }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn plots_are_inside_and_apart() {
        for (width, height) in [(560.0, 240.0), (800.0, 340.0), (1100.0, 600.0)] {
            let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(width, height));
            let plots = Layout::new(rect).plots;
            assert!(plots.iter().all(|plot| rect.expand(0.1).contains_rect(*plot)));
            assert!(plots.windows(2).all(|pair| pair[0].right() + 8.0 < pair[1].left()));
        }
    }
}
