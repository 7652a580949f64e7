//! How a row of the list looks.

use egui::{Align2, Color32, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::model::Item;
use crate::gui::paint;
use crate::gui::theme::{self, RADIUS_CONTROL, ROW_HEIGHT, Theme, size};

/// The width of the column with the keys.
const KEY_WIDTH: f32 = 24.0;

/// One preset: its key, its name, its answer.
pub fn row_ui(ui: &mut Ui, item: &Item<'_>, is_selected: bool) -> Response {
    let palette = Theme::of(ui).palette;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), if item.is_own { Sense::click_and_drag() } else { Sense::click() });
    response.widget_info(|| {
        let answer = item.answer.as_ref().map_or_else(|| "unknown GPU".to_owned(), |answer| format!("occupancy {answer}"));
        let key = item.key.map_or_else(String::new, |key| format!(", key {key}"));
        WidgetInfo::selected(Role::ListItem, true, is_selected, format!("{}, {answer}{key}", item.preset.name))
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let fill = match (is_selected, response.hovered()) {
        (true, _) => palette.accent_soft,
        (false, true) => palette.raised,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, RADIUS_CONTROL, fill);
    if is_selected {
        let bar = Rect::from_min_size(rect.left_top() + vec2(0.0, 6.0), vec2(3.0, rect.height() - 12.0));
        ui.painter().rect_filled(bar, 1.0, palette.accent);
    }
    let middle = rect.center().y;
    if let Some(key) = item.key {
        paint::text(ui.painter(), pos2(rect.left() + 12.0, middle), Align2::LEFT_CENTER, key, theme::mono(size::NOTE), palette.text3);
    }
    let answer = item.answer.as_deref().unwrap_or("unknown GPU");
    let answer =
        paint::text(ui.painter(), pos2(rect.right() - 12.0, middle), Align2::RIGHT_CENTER, answer, theme::mono(size::NOTE), palette.text2);
    let left = rect.left() + 12.0 + KEY_WIDTH;
    let font = theme::words(size::BODY);
    let name = paint::elide_end(ui.painter(), &item.preset.name, &font, answer.left() - 12.0 - left);
    paint::text(ui.painter(), pos2(left, middle), Align2::LEFT_CENTER, name, font, palette.text);
    if response.has_focus() {
        focus(ui, rect);
    }
    response
}

/// Where a dragged row would go.
pub fn drop_line(ui: &Ui, across: egui::Rangef, y: f32) {
    ui.painter().hline(across, y, Stroke::new(2.0, Theme::of(ui).palette.accent));
}

/// The ring around the row that the keyboard is on.
pub fn focus(ui: &Ui, row: Rect) {
    let stroke = Stroke::new(2.0, Theme::of(ui).palette.focus);
    ui.painter().rect_stroke(row, RADIUS_CONTROL, stroke, StrokeKind::Inside);
}
