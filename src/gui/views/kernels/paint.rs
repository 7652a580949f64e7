//! The gap bar, the rows of the table, the wave strip.

use egui::{Align2, Painter, Pos2, Rect, Stroke, StrokeKind, pos2, vec2};

use super::layout::{Place, Shows};
use super::model;
use crate::engine::{Gap, ResourceSet, Waves};
use crate::fmt::{grouped, kib_number};
use crate::gui::paint::{self, chip, hatch};
use crate::gui::theme::{self, Hatch, Theme, size};
use crate::import::Kernel;
use crate::import::account::Account;

/// Achieved solid, other grey, tail hatched ("up to"), unfilled dotted, theoretical as a tick; the whole width is `full` percent.
pub fn gap_bar(painter: &Painter, theme: Theme, rect: Rect, gap: &Gap, full: f64) {
    painter.rect(rect, 0.0, theme.palette.well, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let x_of = |percent: f64| rect.left() + rect.width() * (percent / full).clamp(0.0, 1.0) as f32;
    let part = |from: f64, to: f64| Rect::from_min_max(pos2(x_of(from), rect.top()), pos2(x_of(to), rect.bottom()));
    let achieved = theme.achieved();
    painter.rect_filled(part(0.0, gap.achieved), 0.0, achieved);
    let other_end = gap.achieved + gap.other;
    painter.rect_filled(part(gap.achieved, other_end), 0.0, theme.gap_other());
    let tail_end = other_end + gap.tail_up_to;
    hatch(painter, part(other_end, tail_end), Hatch::Slash, Stroke::new(1.0, achieved), 4.0);
    hatch(painter, part(tail_end, tail_end + gap.unfilled), Hatch::Dots, Stroke::new(1.0, theme.palette.text2), 4.0);
    let tick = x_of(gap.theoretical).clamp(rect.left() + 1.0, rect.right() - 1.0);
    painter.line_segment([pos2(tick, rect.top() - 3.0), pos2(tick, rect.bottom() + 3.0)], Stroke::new(2.0, theme.palette.text));
}

/// A tick alone, where only the theoretical value is known.
pub fn theoretical_bar(painter: &Painter, theme: Theme, rect: Rect, percent: f64) {
    painter.rect(rect, 0.0, theme.palette.well, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let x = rect.left() + rect.width() * (percent / 100.0).clamp(0.0, 1.0) as f32;
    painter.line_segment([pos2(x, rect.top() - 3.0), pos2(x, rect.bottom() + 3.0)], Stroke::new(2.0, theme.palette.text));
}

/// Up to three filled chips of limiters.
pub fn chips(painter: &Painter, theme: Theme, left_center: Pos2, limiters: ResourceSet) {
    for (index, resource) in limiters.iter().take(3).enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most 3")]
        let x = left_center.x + 8.0 + 20.0 * index as f32;
        chip(painter, theme, Rect::from_center_size(pos2(x, left_center.y), vec2(16.0, 16.0)), resource, true);
    }
}

fn number(value: Option<impl Into<u64>>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| grouped(value.into()))
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), crate::fmt::one_decimal)
}

/// Nanoseconds as microseconds with one decimal and grouped thousands: "30,860.0".
fn microseconds(nanoseconds: f64) -> String {
    let text = crate::fmt::one_decimal(nanoseconds / 1000.0);
    match text.split_once('.') {
        Some((whole, decimal)) => whole.parse().map_or_else(|_| text.clone(), |whole| format!("{}.{decimal}", grouped(whole))),
        None => text,
    }
}

/// The text of a cell that is only text.
pub fn cell_text(shows: Shows, kernel: &Kernel, account: &Account) -> String {
    match shows {
        Shows::Name => kernel.name.clone(),
        Shows::Duration => kernel.measured.duration_ns.map_or_else(|| "–".to_owned(), |read| microseconds(read.value)),
        Shows::Block => number(kernel.threads_per_block().map(|read| read.value)),
        Shows::Registers => number(kernel.registers_per_thread.map(|read| read.value)),
        Shows::SharedMemory => model::smem(kernel)
            .map_or_else(|| "–".to_owned(), |bytes| if bytes == 0 { "0".to_owned() } else { format!("{} K", kib_number(bytes)) }),
        Shows::Blocks => number(account.blocks_per_sm),
        Shows::Theoretical => percent(account.theoretical_percent),
        Shows::Achieved => percent(account.achieved_percent),
        Shows::Waves => account.waves.as_ref().map_or_else(|| "–".to_owned(), |waves| format!("{:.2}", waves.waves())),
        Shows::Tail => model::tail_text(account.gap.as_ref()),
        Shows::Limiters | Shows::Bar => String::new(),
    }
}

/// One row of the table.
pub fn row(painter: &Painter, theme: Theme, rect: Rect, places: &[Place], kernel: &Kernel, account: &Account) {
    let y = rect.center().y;
    for place in places {
        let (left, right) = (rect.left() + place.left, rect.left() + place.left + place.width);
        match place.shows {
            Shows::Name => {
                let font = theme::mono(size::NOTE);
                let name = paint::elide_middle(painter, &kernel.name, &font, place.width);
                painter.text(pos2(left, y), Align2::LEFT_CENTER, name, font, theme.palette.text);
            }
            Shows::Limiters => chips(painter, theme, pos2(left, y), account.limiters(kernel)),
            Shows::Bar => {
                let bar = Rect::from_min_max(pos2(left, y - 5.0), pos2(right, y + 5.0));
                match (&account.gap, account.theoretical_percent) {
                    (Some(gap), _) => gap_bar(painter, theme, bar, gap, 100.0),
                    (None, Some(percent)) => theoretical_bar(painter, theme, bar, percent),
                    (None, None) => {}
                }
            }
            shows => {
                let strong = matches!(shows, Shows::Achieved | Shows::Theoretical | Shows::Blocks);
                let ink = if strong { theme.palette.text } else { theme.palette.text2 };
                painter.text(pos2(right, y), Align2::RIGHT_CENTER, cell_text(shows, kernel, account), theme::mono(size::BODY), ink);
            }
        }
    }
}

/// The waves as columns of equal time, slots per SM as rows; idle slots of the last wave hatched. Beyond 6 waves the full ones fold into one.
pub fn wave_strip(painter: &Painter, theme: Theme, rect: Rect, waves: &Waves) {
    let folded = waves.full_waves > 6;
    let full_columns = if folded { 1 } else { waves.full_waves };
    let columns = full_columns + u64::from(waves.partial_wave_blocks > 0);
    #[expect(clippy::cast_precision_loss, reason = "at most 7 columns")]
    let width = rect.width() / columns.max(1) as f32;
    #[expect(clippy::cast_precision_loss, reason = "at most 7 columns")]
    let column = |index: u64| Rect::from_min_size(pos2(rect.left() + width * index as f32, rect.top()), vec2(width - 3.0, rect.height()));
    for index in 0..full_columns {
        let cell = column(index);
        painter.rect_filled(cell, 0.0, theme.achieved());
        let text = if folded { format!("× {}", grouped(waves.full_waves)) } else { format!("wave {}", index + 1) };
        label(painter, theme, cell, &text);
    }
    if waves.partial_wave_blocks == 0 {
        return;
    }
    let cell = column(full_columns);
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a share of pixels")]
    let share = (waves.partial_wave_blocks as f64 / waves.blocks_per_wave as f64) as f32;
    let edge = cell.top() + cell.height() * share;
    let used = Rect::from_min_max(cell.min, pos2(cell.right(), edge));
    let idle = Rect::from_min_max(pos2(cell.left(), edge), cell.max);
    painter.rect_filled(used, 0.0, theme.achieved());
    painter.rect(idle, 0.0, theme.palette.well, Stroke::new(1.0, theme.palette.line_strong), StrokeKind::Inside);
    hatch(painter, idle.shrink(1.0), Hatch::Backslash, hatch::thin(painter, theme.blocked_line()), 5.0);
    label(painter, theme, used, &format!("{} blocks", grouped(waves.partial_wave_blocks)));
    let idle_slots = waves.blocks_per_wave - waves.partial_wave_blocks;
    label(painter, theme, idle, &format!("{} slots idle", grouped(idle_slots)));
}

/// A label on a plate, where there is room for it.
fn label(painter: &Painter, theme: Theme, cell: Rect, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::words(size::NOTE), theme.palette.text);
    let plate = Rect::from_center_size(cell.center(), galley.size() + vec2(10.0, 4.0));
    if plate.width() > cell.width() || plate.height() > cell.height() {
        return;
    }
    painter.rect_filled(plate, 2.0, theme.palette.panel);
    painter.galley(Rect::from_center_size(cell.center(), galley.size()).min, galley, theme.palette.text);
}

/// One part of a gap bar alone, for legends.
pub fn gap_swatch(painter: &Painter, theme: Theme, rect: Rect, gap: &Gap) {
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    if gap.other > 0.0 {
        painter.rect_filled(rect, 0.0, theme.gap_other());
    } else if gap.tail_up_to > 0.0 {
        hatch(painter, rect, Hatch::Slash, Stroke::new(1.0, theme.achieved()), 4.0);
    } else if gap.unfilled > 0.0 {
        hatch(painter, rect, Hatch::Dots, Stroke::new(1.0, theme.palette.text2), 4.0);
    } else {
        painter.rect_filled(rect, 0.0, theme.achieved());
    }
}
