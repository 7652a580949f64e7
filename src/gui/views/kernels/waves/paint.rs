//! How a schedule looks: blocks solid, slots without a block hatched, the time that plays as a line.

use egui::{Align2, Painter, Rect, Stroke, StrokeKind, pos2};

use super::schedule::{GUTTER, Layout};
use crate::engine::simulate::{BLOCK_TICKS, Schedule};
use crate::gui::paint::{hairline, hatch};
use crate::gui::theme::{self, Hatch, Theme, size};

/// Everything until `now`, in ticks; `equal_end` is when equal block times would end.
pub fn schedule(painter: &Painter, theme: Theme, layout: &Layout, schedule: &Schedule, now: u64, equal_end: u64) {
    for index in 0..layout.sms.len() {
        painter.rect_filled(layout.sm(index), 0.0, theme.palette.well);
    }
    for idle in layout.idle(schedule, now) {
        painter.rect_stroke(idle, 0.0, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
        hatch(painter, idle, Hatch::Backslash, hatch::thin(painter, theme.blocked_line()), 5.0);
    }
    for bar in layout.bars(schedule, now) {
        // The gap between two blocks is all that tells them apart, so it goes last.
        let gap = if bar.ends && bar.rect.width() >= 3.0 { 1.0 } else { 0.0 };
        let rect = Rect::from_min_max(bar.rect.min, pos2(bar.rect.right() - gap, bar.rect.bottom()));
        painter.rect_filled(rect, 0.0, theme.achieved());
    }
    names(painter, theme, layout);
    let end = layout.x_of(equal_end);
    painter.extend(egui::Shape::dashed_line(
        &[pos2(end, layout.rows.top()), pos2(end, layout.rows.bottom())],
        Stroke::new(1.0, theme.palette.text2),
        4.0,
        3.0,
    ));
    if now < layout.to {
        let x = layout.x_of(now);
        painter.line_segment([pos2(x, layout.rows.top() - 2.0), pos2(x, layout.rows.bottom() + 2.0)], Stroke::new(2.0, theme.palette.text));
    }
}

/// "SM 1", where a line has room for it.
fn names(painter: &Painter, theme: Theme, layout: &Layout) {
    let mut free_from = f32::NEG_INFINITY;
    for (index, sm) in layout.sms.iter().enumerate() {
        let center = layout.sm(index).center().y;
        if center - 7.0 < free_from {
            continue;
        }
        let at = pos2(layout.rows.left() - 8.0, center);
        painter.text(at, Align2::RIGHT_CENTER, format!("SM {sm}"), theme::mono(size::CAPTION), theme.palette.text3);
        free_from = center + 7.0;
    }
}

/// The axis below: mean block times at both ends.
pub fn axis(painter: &Painter, theme: Theme, rect: Rect, layout: &Layout) {
    hairline(painter, pos2(rect.left() + GUTTER, rect.top()), rect.right_top(), theme.palette.line_strong);
    #[expect(clippy::cast_precision_loss, reason = "ticks are far below 2^53")]
    let times = |time: u64| crate::fmt::one_decimal(time as f64 / BLOCK_TICKS as f64);
    let y = rect.center().y + 1.0;
    let font = theme::mono(size::CAPTION);
    painter.text(pos2(rect.left() + GUTTER, y), Align2::LEFT_CENTER, times(layout.from), font.clone(), theme.palette.text3);
    painter.text(pos2(rect.right(), y), Align2::RIGHT_CENTER, times(layout.to), font, theme.palette.text3);
    let caption = "time, in mean block times";
    let middle = pos2(f32::midpoint(rect.left() + GUTTER, rect.right()), y);
    painter.text(middle, Align2::CENTER_CENTER, caption, theme::words(size::CAPTION), theme.palette.text3);
}
