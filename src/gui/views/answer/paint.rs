//! The marks of the answer panel.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use super::model::{LimitRow, NextStep};
use crate::gui::paint::{self, block_cell, chip};
use crate::gui::theme::{self, RADIUS_CONTROL, Theme, size};

const ROW: f32 = 40.0;
const PIPS: u32 = 32;

/// One limit: chip, name, what a block takes, the number, and a pip for each block that fits.
pub fn limit_row_ui(ui: &mut Ui, row: &LimitRow, resident: u32) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let state = if row.binds { ", binds" } else { "" };
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{}: limit {}{state}, {}", row.resource.name(), row.limit, row.detail))
    });
    let painter = ui.painter();
    if row.binds {
        painter.rect_filled(rect.expand2(vec2(12.0, 0.0)), RADIUS_CONTROL, theme.palette.accent_soft);
    }
    let top = rect.top() + 12.0;
    chip(painter, theme, Rect::from_center_size(pos2(rect.left() + 8.0, top), vec2(16.0, 16.0)), row.resource, row.binds);
    let unlimited = row.limit.get().is_none();
    let name_ink = if unlimited { theme.palette.text3 } else { theme.palette.text };
    painter.text(pos2(rect.left() + 24.0, top), Align2::LEFT_CENTER, row.resource.name(), theme::medium(size::BODY), name_ink);
    let detail_at = if unlimited { rect.right() } else { rect.right() - 36.0 };
    painter.text(pos2(detail_at, top), Align2::RIGHT_CENTER, &row.detail, theme::mono(size::NOTE), theme.palette.text3);
    if let Some(limit) = row.limit.get() {
        painter.text(
            pos2(rect.right(), top),
            Align2::RIGHT_CENTER,
            crate::fmt::grouped(limit.into()),
            theme::mono_bold(size::TITLE),
            theme.palette.text,
        );
        pips(
            painter,
            theme,
            Rect::from_min_max(pos2(rect.left() + 24.0, rect.top() + 24.0), pos2(rect.right(), rect.top() + 32.0)),
            limit,
            resident,
        );
    }
    response
}

/// 32 pips at most, one a block: resident ones in their colors, then grey ones, then dots. A line marks the answer.
fn pips(painter: &egui::Painter, theme: Theme, area: Rect, limit: u32, resident: u32) {
    #[expect(clippy::cast_precision_loss, reason = "at most 32")]
    let x_of = |index: u32| area.left() + area.width() / PIPS as f32 * index as f32;
    let width = area.width() / 32.0 - 2.0;
    for index in 0..PIPS {
        let cell = Rect::from_min_size(pos2(x_of(index), area.top()), vec2(width, area.height()));
        if index < limit && index < resident {
            block_cell(painter, theme, cell, index as usize, None);
        } else if index < limit {
            painter.rect_filled(cell, 1.0, theme.gap_other());
        } else {
            painter.rect_filled(Rect::from_center_size(cell.center(), vec2(1.5, 1.5)), 0.0, theme.palette.line_strong);
        }
    }
    if resident <= PIPS {
        let x = x_of(resident) - 1.0;
        painter.line_segment([pos2(x, area.top() - 4.0), pos2(x, area.bottom() + 4.0)], Stroke::new(1.5, theme.palette.text));
    }
}

/// A change with what it leads to; the whole row is a button.
pub fn next_step_ui(ui: &mut Ui, step: &NextStep) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{}: {}, {}. {}", step.title, step.result, step.result_note, step.note))
    });
    let painter = ui.painter();
    let ground = rect.expand2(vec2(12.0, 0.0));
    if response.hovered() {
        painter.rect(ground, RADIUS_CONTROL, theme.palette.raised, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    }
    if response.has_focus() {
        painter.rect_stroke(ground, RADIUS_CONTROL, Stroke::new(2.0, theme.palette.focus), StrokeKind::Inside);
    }
    let (first, second) = (rect.top() + 14.0, rect.top() + 31.0);
    let result_width = paint::text_width(painter, &step.result, theme::mono_bold(size::BODY)).max(paint::text_width(
        painter,
        &step.result_note,
        theme::words(size::NOTE),
    ));
    let room = rect.width() - result_width - 12.0;
    let title = paint::elide_middle(painter, &step.title, &theme::medium(size::BODY), room);
    let note = paint::elide_middle(painter, &step.note, &theme::words(size::NOTE), room);
    painter.text(pos2(rect.left(), first), Align2::LEFT_CENTER, title, theme::medium(size::BODY), theme.palette.text);
    painter.text(pos2(rect.left(), second), Align2::LEFT_CENTER, note, theme::words(size::NOTE), theme.palette.text2);
    painter.text(pos2(rect.right(), first), Align2::RIGHT_CENTER, &step.result, theme::mono_bold(size::BODY), theme.palette.text);
    painter.text(pos2(rect.right(), second), Align2::RIGHT_CENTER, &step.result_note, theme::words(size::NOTE), theme.palette.text2);
    response
}

/// The sentence, its first part with weight.
pub fn sentence_job(theme: Theme, strong: &str, rest: &str, width: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    let format = |font, color| TextFormat { font_id: font, color, line_height: Some(22.0), ..TextFormat::default() };
    if !strong.is_empty() {
        job.append(strong, 0.0, format(theme::strong(size::TITLE), theme.palette.text));
        job.append(" ", 0.0, format(theme::words(size::TITLE), theme.palette.text2));
    }
    job.append(rest, 0.0, format(theme::words(size::TITLE), theme.palette.text2));
    job
}
