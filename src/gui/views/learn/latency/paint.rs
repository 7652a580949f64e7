//! How the turns and the curve look.

#![expect(clippy::cast_precision_loss, reason = "cycles become pixels")]

use egui::{Align2, Painter, Rect, Shape, Stroke, pos2};

use super::model::Picture;
use crate::gui::paint::{block_cell, blocked_cell, hairline, snap, text};
use crate::gui::theme::{self, Theme, size};
use crate::learn::Latency;

/// Room for the names of the rows.
const NAMES: f32 = 76.0;

/// A row for each warp, and the scheduler's below them.
pub fn turns(painter: &Painter, theme: Theme, rect: Rect, picture: &Picture) {
    let row_height = (rect.height() - 22.0) / picture.rows();
    let area = Rect::from_min_max(pos2(rect.left() + NAMES, rect.top()), pos2(rect.right(), rect.bottom() - 18.0));
    let x = |cycle: u64| area.left() + area.width() * (cycle.min(picture.cycles) as f32 / picture.cycles as f32);
    let row = |index: u32| area.top() + row_height * index as f32;
    let cell = |index: u32, from: u64, to: u64| {
        let inner = (row_height * 0.15).min(3.0);
        snap(painter, Rect::from_min_max(pos2(x(from), row(index) + inner), pos2(x(to), row(index) + row_height - inner)))
    };
    for index in 0..picture.shown {
        if row_height >= 12.0 || index % 4 == 0 {
            let at = pos2(rect.left(), row(index) + row_height / 2.0);
            text(painter, at, Align2::LEFT_CENTER, format!("Warp {}", index + 1), theme::words(size::CAPTION), theme.palette.text3);
        }
    }
    for turn in &picture.turns {
        if turn.warp < picture.shown {
            let middle = row(turn.warp) + row_height / 2.0;
            hairline(painter, pos2(x(turn.computed), middle), pos2(x(turn.end), middle), theme.palette.line_strong);
            block_cell(painter, theme, cell(turn.warp, turn.start, turn.computed), turn.warp as usize, None);
        }
        block_cell(painter, theme, cell(picture.shown, turn.start, turn.computed), turn.warp as usize, None);
    }
    for (from, to) in picture.lost() {
        blocked_cell(painter, theme, cell(picture.shown, from, to));
    }
    let at = pos2(rect.left(), row(picture.shown) + row_height / 2.0);
    text(painter, at, Align2::LEFT_CENTER, "Scheduler", theme::medium(size::CAPTION), theme.palette.text);
    let bottom = rect.bottom() - 4.0;
    let caption = |at, anchor, words: String| text(painter, at, anchor, words, theme::words(size::CAPTION), theme.palette.text3);
    caption(pos2(area.left(), bottom), Align2::LEFT_BOTTOM, "0".to_owned());
    caption(pos2(area.right(), bottom), Align2::RIGHT_BOTTOM, format!("{} cycles", crate::fmt::grouped(picture.cycles)));
}

/// Busy in percent against the number of warps, where it stands now, and from where on it stays at the top.
pub fn curve(painter: &Painter, theme: Theme, area: Rect, latency: Latency) {
    let last = latency.needed_warps().saturating_add(latency.needed_warps() / 2).clamp(8, 128).max(latency.num_warps + 2);
    let x = |warps: u32| area.left() + area.width() * (warps as f32 / last as f32);
    #[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
    let y = |percent: f64| area.bottom() - area.height() * (percent / 100.0) as f32;
    let small = |at, anchor, words: String| text(painter, at, anchor, words, theme::words(size::CAPTION), theme.palette.text3);
    for percent in [0, 50, 100] {
        let height = y(f64::from(percent));
        hairline(painter, pos2(area.left(), height), pos2(area.right(), height), theme.palette.line);
        small(pos2(area.left() - 6.0, height), Align2::RIGHT_CENTER, format!("{percent} %"));
    }
    let at = |num_warps: u32| pos2(x(num_warps), y(Latency { num_warps, ..latency }.utilization_percent()));
    painter.add(Shape::line((0..=last).map(at).collect(), Stroke::new(2.0, theme.palette.text2)));
    let needed = latency.needed_warps().min(last);
    painter.extend(Shape::dashed_line(
        &[pos2(x(needed), area.top()), pos2(x(needed), area.bottom())],
        Stroke::new(1.0, theme.palette.text3),
        3.0,
        3.0,
    ));
    let present = at(latency.num_warps);
    painter.circle(present, 5.0, theme.palette.panel, Stroke::new(2.0, theme.palette.accent));
    small(pos2(area.left(), area.bottom() + 4.0), Align2::LEFT_TOP, "0".to_owned());
    small(pos2(area.right(), area.bottom() + 4.0), Align2::RIGHT_TOP, format!("{last} warps"));
    let crowded = x(needed) - area.left() < 60.0 || area.right() - x(needed) < 70.0;
    if !crowded {
        small(pos2(x(needed), area.bottom() + 4.0), Align2::CENTER_TOP, format!("enough: {}", latency.needed_warps()));
    }
}
