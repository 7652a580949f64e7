//! Where the three curves lie, in points.

use egui::{Pos2, Rect, pos2};

/// Above the plots: what their y axes count.
const TOP: f32 = 24.0;
const GAP: f32 = 16.0;

/// The rectangles of the view; each plot with its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    pub caption: Pos2,
    pub plots: [Rect; 3],
}

impl Layout {
    pub fn new(rect: Rect) -> Self {
        let width = ((rect.width() - 2.0 * GAP) / 3.0).max(64.0);
        let top = rect.top() + TOP;
        let bottom = rect.bottom().max(top + 64.0);
        let plots = [0.0, 1.0, 2.0].map(|index: f32| {
            let left = rect.left() + index * (width + GAP);
            Rect::from_min_max(pos2(left, top), pos2(left + width, bottom))
        });
        Self { caption: pos2(rect.left(), rect.top() + TOP / 2.0 - 2.0), plots }
    }
}

/// The finest of `steps` whose ticks along `length` points stay `room` apart; the coarsest when none does.
pub fn tick_step(steps: &[u64], last: u64, length: f32, room: f32) -> u64 {
    #[expect(clippy::cast_precision_loss, reason = "values of an axis")]
    let fits = |step: &&u64| length * (**step as f32) / (last.max(1) as f32) >= room;
    steps.iter().find(fits).or(steps.last()).copied().unwrap_or(1)
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

    #[test]
    fn ticks_are_as_fine_as_they_fit() {
        assert_eq!(tick_step(&[16, 32, 64, 128], 255, 255.0, 30.0), 32);
        assert_eq!(tick_step(&[16, 32, 64, 128], 255, 10.0, 30.0), 128);
    }
}
