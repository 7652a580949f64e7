//! Patterns as real lines, cut at the edges of their rectangle.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use crate::gui::theme::Hatch;

/// Fills `rect` with a pattern. `step` is the distance of its lines, both in points. Nothing is drawn in an empty rectangle.
///
/// Diagonals are anchored to the screen rather than the rectangle, so that neighbouring cells join into one pattern.
pub fn hatch(painter: &Painter, rect: Rect, pattern: Hatch, stroke: Stroke, step: f32) {
    if !rect.is_positive() || step < 0.5 || !painter.clip_rect().intersects(rect) {
        return;
    }
    let visible = rect.intersect(painter.clip_rect().expand(step));
    match pattern {
        Hatch::Slash => diagonals(painter, visible, stroke, step, false),
        Hatch::Backslash => diagonals(painter, visible, stroke, step, true),
        Hatch::Lattice => {
            diagonals(painter, visible, stroke, step, false);
            diagonals(painter, visible, stroke, step, true);
        }
        Hatch::Vertical => verticals(painter, rect, stroke, step),
        Hatch::Horizontal => horizontals(painter, rect, stroke, step),
        Hatch::Cross => {
            verticals(painter, rect, stroke, step);
            horizontals(painter, rect, stroke, step);
        }
        Hatch::Dots => dots(painter, rect, stroke, step),
    }
}

/// Lines x + y = k for "/", x − y = k for "\".
fn diagonals(painter: &Painter, rect: Rect, stroke: Stroke, step: f32, falling: bool) {
    let (low, high) = if falling {
        (rect.left() - rect.bottom(), rect.right() - rect.top())
    } else {
        (rect.left() + rect.top(), rect.right() + rect.bottom())
    };
    let mut k = (low / step).ceil() * step;
    while k < high {
        let (start, end) = if falling { falling_segment(rect, k) } else { rising_segment(rect, k) };
        painter.add(Shape::line_segment([start, end], stroke));
        k += step;
    }
}

fn rising_segment(rect: Rect, k: f32) -> (Pos2, Pos2) {
    let left = (k - rect.bottom()).max(rect.left());
    let right = (k - rect.top()).min(rect.right());
    (pos2(left, k - left), pos2(right, k - right))
}

fn falling_segment(rect: Rect, k: f32) -> (Pos2, Pos2) {
    let left = (k + rect.top()).max(rect.left());
    let right = (k + rect.bottom()).min(rect.right());
    (pos2(left, left - k), pos2(right, right - k))
}

fn verticals(painter: &Painter, rect: Rect, stroke: Stroke, step: f32) {
    let mut x = rect.left() + step / 2.0;
    while x < rect.right() {
        painter.vline(x, rect.y_range(), stroke);
        x += step;
    }
}

fn horizontals(painter: &Painter, rect: Rect, stroke: Stroke, step: f32) {
    let mut y = rect.top() + step / 2.0;
    while y < rect.bottom() {
        painter.hline(rect.x_range(), y, stroke);
        y += step;
    }
}

fn dots(painter: &Painter, rect: Rect, stroke: Stroke, step: f32) {
    let dot = vec2(stroke.width * 1.5, stroke.width * 1.5);
    let mut y = rect.top() + step / 2.0;
    while y < rect.bottom() {
        let mut x = rect.left() + step / 2.0;
        while x < rect.right() {
            painter.rect_filled(Rect::from_center_size(pos2(x, y), dot).intersect(rect), 0.0, stroke.color);
            x += step;
        }
        y += step;
    }
}

/// A stroke of a pattern: one device pixel at least.
pub fn thin(painter: &Painter, color: Color32) -> Stroke {
    Stroke::new((1.0 / painter.pixels_per_point()).max(0.75), color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_on_the_edges() {
        let rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(40.0, 30.0));
        for k in [31.0, 40.0, 55.0, 69.0] {
            let (start, end) = rising_segment(rect, k);
            for point in [start, end] {
                assert!(rect.expand(1e-3).contains(point) && (point.x + point.y - k).abs() < 1e-3, "{k}: {point:?}");
            }
        }
        for k in [-19.0, -10.0, 0.0, 19.0] {
            let (start, end) = falling_segment(rect, k);
            for point in [start, end] {
                assert!(rect.expand(1e-3).contains(point) && (point.x - point.y - k).abs() < 1e-3, "{k}: {point:?}");
            }
        }
    }
}
