//! The radio list of what the colors show.
#![allow(clippy::cast_precision_loss, reason = "columns")]

use egui::{Align2, CornerRadius, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::flow::{Flow, ROW};
use super::{HeatmapInput, Mode};
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size};

/// From this height of the legend on, the list has a caption; from the other on, one choice a row.
const ROOMY: f32 = 300.0;
const ONE_COLUMN: f32 = 480.0;

/// The radio list of modes.
pub fn modes_ui(ui: &Ui, flow: &mut Flow, mode: Mode, input: &HeatmapInput<'_>, height: f32) -> Option<Mode> {
    let theme = Theme::of(ui);
    let roomy = height >= ROOMY;
    if roomy && let Some(row) = flow.row(ROW) {
        let font = theme::medium(size::CAPTION);
        paint::text(ui.painter(), row.left_center(), Align2::LEFT_CENTER, "Color shows", font, theme.palette.text3);
    }
    let columns = if height >= ONE_COLUMN { 1 } else { 2 };
    let mut chosen = None;
    for modes in Mode::ALL.chunks(columns) {
        let Some(row) = flow.row(if columns == 1 { 25.0 } else { 24.0 }) else { break };
        let width = row.width() / columns as f32;
        for (column, choice) in modes.iter().enumerate() {
            let min = pos2(row.left() + width * column as f32, row.top());
            let rect = Rect::from_min_size(min, vec2(width, 24.0));
            let enabled = choice.is_possible(input);
            if radio_ui(ui, rect, *choice, mode == *choice, enabled) {
                chosen = Some(*choice);
            }
        }
    }
    chosen
}

fn radio_ui(ui: &Ui, rect: Rect, choice: Mode, selected: bool, enabled: bool) -> bool {
    let theme = Theme::of(ui);
    let palette = theme.palette;
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with(("heatmap mode", choice)), sense);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, selected, choice.name()));
    let painter = ui.painter();
    if selected {
        painter.rect_filled(rect, CornerRadius::same(4), palette.accent_soft);
    } else if enabled && response.hovered() {
        painter.rect_filled(rect, CornerRadius::same(4), palette.raised);
    }
    // Two columns leave just enough for "Occupancy".
    let (indent, gap) = if rect.width() > 120.0 { (12.0, 13.0) } else { (9.0, 9.0) };
    let dot = rect.left_center() + vec2(indent, 0.0);
    if selected {
        painter.circle_filled(dot, 5.0, palette.accent);
        painter.circle_filled(dot, 2.0, palette.on_accent);
    } else {
        painter.circle_stroke(dot, 4.5, Stroke::new(1.5, if enabled { palette.line_strong } else { palette.line }));
    }
    let ink = match (selected, enabled) {
        (true, _) => palette.text,
        (false, true) => palette.text2,
        (false, false) => palette.text3,
    };
    paint::text(painter, dot + vec2(gap, 0.0), Align2::LEFT_CENTER, choice.name(), theme::words(size::BODY), ink);
    if response.has_focus() {
        paint::icons::focus_ring(painter, theme, rect.shrink(3.0));
    }
    let response = response.on_hover_text(about(choice, enabled));
    response.clicked()
}

/// What a choice shows, or what it needs.
const fn about(choice: Mode, enabled: bool) -> &'static str {
    match choice {
        Mode::Occupancy => "Theoretical occupancy",
        Mode::Limiter => "What keeps a further block off the SM",
        Mode::Warps => "Resident warps per SM",
        Mode::Blocks => "Resident blocks per SM",
        Mode::Difference if enabled => "Points of occupancy against the pinned configuration",
        Mode::Difference => "Pin a configuration (P) to see the difference to it",
        Mode::OtherGpu if enabled => "Points of occupancy against the first GPU under Compare, at the same launch",
        Mode::OtherGpu => "Add a GPU under Compare to see the difference to it",
        Mode::Better => "The same occupancy or better than now, and whether it takes more of something",
    }
}
