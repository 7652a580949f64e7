//! Where the three curves lie, in points.

use egui::{Rect, pos2, vec2};

/// Above the plots: what their y axes count, and the choice of it.
const TOP: f32 = 30.0;
const CAPTION: f32 = 22.0;
/// Each of the two choices.
const UNIT: f32 = 64.0;
/// The row that says which line is whose.
const LEGEND: f32 = 22.0;
/// Left of each plot: the ticks of its y axis.
const LEFT: f32 = 40.0;
/// Right of each plot: half of its last tick.
const RIGHT: f32 = 14.0;
/// Below: ticks and what the x axis counts.
const BOTTOM: f32 = 36.0;

/// The rectangles of the view; ticks and captions lie outside the plots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    pub caption: Rect,
    /// Percent and warps.
    pub units: [Rect; 2],
    /// Only where there is more than one line.
    pub legend: Option<Rect>,
    pub plots: [Rect; 3],
}

impl Layout {
    pub fn new(rect: Rect, with_legend: bool) -> Self {
        let width = (rect.width() / 3.0).max(LEFT + RIGHT + 16.0);
        let top = rect.top() + TOP + if with_legend { LEGEND } else { 0.0 };
        let bottom = (rect.bottom() - BOTTOM).max(top + 16.0);
        let plots = [0.0, 1.0, 2.0].map(|index: f32| {
            let left = rect.left() + index * width;
            Rect::from_min_max(pos2((left + LEFT).round(), top.round()), pos2((left + width - RIGHT).round(), bottom.round()))
        });
        let caption = Rect::from_min_size(rect.min, vec2(rect.width(), CAPTION));
        let unit = |back: f32| Rect::from_min_size(pos2((caption.right() - UNIT * back).round(), caption.top()), vec2(UNIT, CAPTION));
        let legend = Rect::from_min_size(pos2(rect.left(), rect.top() + TOP - 4.0), vec2(rect.width(), LEGEND));
        Self { caption, units: [unit(2.0), unit(1.0)], legend: with_legend.then_some(legend), plots }
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
            let layout = Layout::new(rect, true);
            let plots = layout.plots;
            let over = layout.legend.expect("a legend");
            assert!(layout.units.iter().all(|unit| rect.expand(0.5).contains_rect(*unit) && unit.bottom() <= over.top()));
            assert!(plots.iter().all(|plot| plot.top() >= over.bottom()));
            assert!(plots.iter().all(|plot| rect.expand(0.1).contains_rect(*plot)));
            assert!(plots.windows(2).all(|pair| pair[0].right() + 8.0 < pair[1].left()));
        }
    }
}
