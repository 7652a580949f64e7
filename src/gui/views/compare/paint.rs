//! The marks of the comparison: limits as chips with their numbers, and the cells of the strip.

use egui::{Align2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::model::Fit;
use crate::engine::{Occupancy, Resource};
use crate::gui::paint::{chip, elide_end, icons::focus_ring, impossible_cell, snap};
use crate::gui::theme::{self, RADIUS_CELL, RADIUS_CONTROL, Theme, color, size};

const CELL: egui::Vec2 = vec2(58.0, 46.0);
/// Invented GPUs are called by a name.
const NAMED_CELL: egui::Vec2 = vec2(166.0, 46.0);

/// The limits in one row: the chip of each, filled where it binds, and under it the blocks that it allows.
pub fn limits_ui(ui: &mut Ui, occupancy: &Occupancy) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let width = (ui.available_width() / 5.0).min(36.0);
        for resource in Resource::ALL {
            let limit = occupancy.limits.get(resource);
            let binds = occupancy.limiters.contains(resource);
            let (rect, response) = ui.allocate_exact_size(vec2(width, 36.0), Sense::hover());
            let said = format!("{}: limit {limit}{}", resource.name(), if binds { ", binds" } else { "" });
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
            let painter = ui.painter();
            let center = rect.left() + 9.0;
            chip(painter, theme, snap(painter, Rect::from_center_size(pos2(center, rect.top() + 10.0), vec2(16.0, 16.0))), resource, binds);
            let font = if binds { theme::mono_bold(size::NOTE) } else { theme::mono(size::NOTE) };
            let ink = if binds { theme.palette.text } else { theme.palette.text2 };
            let number = limit.get().map_or_else(|| "–".to_owned(), |limit| limit.to_string());
            painter.text(pos2(center, rect.top() + 27.0), Align2::CENTER_CENTER, number, font, ink);
            response.on_hover_text(said);
        }
    });
}

/// One cell of the strip: ramp color, figure and limiter, or a lattice where it cannot launch.
pub fn fit_cell_ui(ui: &mut Ui, fit: &Fit) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(if fit.is_invented { NAMED_CELL } else { CELL }, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, fit.in_words()));
    let painter = ui.painter();
    let rect = snap(painter, rect);
    let label = elide_end(painter, &fit.label, &theme::words(size::CAPTION), rect.width() - 10.0);
    let (top, bottom) = (pos2(rect.center().x, rect.top() + 13.0), pos2(rect.center().x, rect.bottom() - 14.0));
    if fit.occupancy.can_launch() {
        let fill = theme.ramp(fit.occupancy.theoretical_percent() / 100.0);
        let ink = color::ink(fill);
        painter.rect_filled(rect, RADIUS_CELL, fill);
        painter.text(top, Align2::CENTER_CENTER, &label, theme::words(size::CAPTION), ink);
        let figure = crate::fmt::occupancy_number(fit.occupancy.theoretical_percent(), fit.occupancy.max_warps_per_sm);
        let text = format!("{figure} {}", fit.limiters());
        painter.text(bottom, Align2::CENTER_CENTER, text, theme::mono_bold(size::CAPTION), ink);
    } else {
        impossible_cell(painter, theme, rect);
        painter.rect_filled(rect.shrink(4.0), RADIUS_CELL, theme.palette.well);
        painter.text(top, Align2::CENTER_CENTER, &label, theme::words(size::CAPTION), theme.palette.text2);
        painter.text(bottom, Align2::CENTER_CENTER, "cannot", theme::words(size::CAPTION), theme.palette.text);
    }
    let outline = if response.hovered() { Stroke::new(2.0, theme.palette.text) } else { Stroke::new(1.0, theme.palette.line_strong) };
    painter.rect_stroke(rect, RADIUS_CELL, outline, StrokeKind::Inside);
    if response.has_focus() {
        focus_ring(painter, theme, rect.shrink(RADIUS_CONTROL / 3.0));
    }
    response
}
