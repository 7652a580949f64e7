//! What is drawn around and on the cells: axes, the present and the pinned launch, what the pointer and the focus are on.

use egui::{Align2, Color32, Painter, Pos2, Rect, Response, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::layout::Layout;
use super::paint::Look;
use super::{Axes, axis};
use crate::gui::paint::{self, Icon};
use crate::gui::theme::{self, Theme, size};

/// What is marked on the cells.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    pub pinned: Option<(usize, usize)>,
    pub hovered: Option<(usize, usize)>,
}

impl Look<'_> {
    /// Ticks and captions; the present values are lit.
    pub fn paint_axes(&self, painter: &Painter, layout: &Layout) {
        let palette = self.theme.palette;
        axis::paint_ticks(painter, self.theme, self.grid.rect, &layout.x_ticks, &layout.y_ticks);
        let words = theme::words(size::NOTE);
        paint::text(painter, layout.y_caption, Align2::LEFT_CENTER, self.table.y.caption(), words.clone(), palette.text2);
        paint::text(painter, layout.x_caption, Align2::CENTER_CENTER, self.table.x.caption(), words, palette.text2);
    }

    pub fn paint_marks(&self, painter: &Painter, marks: &Marks) {
        let (ink, halo) = self.inks();
        if let Some(cell) = marks.hovered {
            let rect = self.grid.cell_rect(cell);
            painter.rect_stroke(rect, 0.0, Stroke::new(1.0, halo), StrokeKind::Outside);
            painter.rect_stroke(rect, 0.0, Stroke::new(1.0, ink), StrokeKind::Inside);
        }
        if let Some(cell) = marks.pinned {
            pinned_ring(painter, self.grid.center(cell), ink, halo);
        }
        if let Some(cell) = self.table.present_cell() {
            let (at, rect) = (self.grid.center(cell), self.grid.cell_rect(cell));
            if self.has_figures() { present_cell(painter, rect, ink, halo) } else { present_ring(painter, at, ink, halo) }
        }
    }

    /// Dotted lines along the column and the row of the present launch, as far as they are on the chart.
    pub fn paint_crosshair(&self, painter: &Painter) {
        let rect = self.grid.rect;
        let column = self.table.x.present_cell().map(|column| painter.round_to_pixel_center(self.grid.middle_x(column)));
        let row = self.table.y.present_cell().map(|row| painter.round_to_pixel_center(self.grid.middle_y(row)));
        let around = |middle: Option<f32>, ends: [f32; 2]| match middle {
            Some(middle) => vec![[middle - RING, ends[0]], [middle + RING, ends[1]]],
            None => vec![ends],
        };
        if let Some(x) = column {
            for [from, to] in around(row, [rect.top(), rect.bottom()]) {
                self.dotted(painter, pos2(x, from), pos2(x, to));
            }
        }
        if let Some(y) = row {
            for [from, to] in around(column, [rect.left(), rect.right()]) {
                self.dotted(painter, pos2(from, y), pos2(to, y));
            }
        }
    }

    fn dotted(&self, painter: &Painter, from: Pos2, to: Pos2) {
        let (ink, halo) = self.inks();
        if !self.grid.rect.expand(1.0).contains(from) {
            return;
        }
        painter.line_segment([from, to], Stroke::new(1.0, halo.gamma_multiply(0.35)));
        painter.extend(Shape::dashed_line(&[from, to], Stroke::new(1.0, ink), 2.0, 3.0));
    }
}

/// From the middle of the ring to where the crosshair begins.
const RING: f32 = 9.0;

/// The double ring of the present launch.
pub fn present_ring(painter: &Painter, at: Pos2, ink: Color32, halo: Color32) {
    painter.circle_stroke(at, 7.0, Stroke::new(5.0, halo));
    painter.circle_stroke(at, 7.0, Stroke::new(2.0, ink));
}

/// The same around a cell whose figure must stay legible.
fn present_cell(painter: &Painter, rect: Rect, ink: Color32, halo: Color32) {
    painter.rect_stroke(rect, 4.0, Stroke::new(5.0, halo), StrokeKind::Middle);
    painter.rect_stroke(rect, 4.0, Stroke::new(2.0, ink), StrokeKind::Middle);
}

/// The pinned launch: a square, so that it is not taken for the present one.
pub fn pinned_ring(painter: &Painter, at: Pos2, ink: Color32, halo: Color32) {
    let square = Rect::from_center_size(at, Vec2::splat(12.0));
    painter.rect_stroke(square, 1.0, Stroke::new(4.0, halo), StrokeKind::Middle);
    paint::dashed_rect(painter, square, Stroke::new(2.0, ink), 3.0, 3.0);
}

/// The button that opens the choice of axes: words and an arrow, flush right.
pub fn axes_button(ui: &Ui, rect: Rect, axes: Axes, response: &Response) {
    let theme = Theme::of(ui);
    let ink = if response.hovered() || response.has_focus() { theme.palette.text } else { theme.palette.text2 };
    let icon = Rect::from_center_size(pos2(rect.right() - 8.0, rect.center().y), Vec2::splat(16.0));
    let font = theme::words(size::NOTE);
    // Where there is no room beside the caption of the y axis, the arrow stands alone.
    let has_room = paint::text_width(ui.painter(), axes.name(), font.clone()) + 20.0 <= rect.width();
    let at = pos2(icon.left() - 4.0, rect.center().y);
    let words = if has_room { paint::text(ui.painter(), at, Align2::RIGHT_CENTER, axes.name(), font, ink) } else { icon };
    paint::icon(ui.painter(), icon, Icon::Down, ink);
    if response.has_focus() {
        paint::icons::focus_ring(ui.painter(), theme, words.union(icon).expand2(vec2(2.0, -2.0)));
    }
}
