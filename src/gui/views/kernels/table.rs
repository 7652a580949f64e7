//! The table of all kernels: headings that sort, rows that are drawn only where they are seen.

use egui::{Align2, Key, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use super::KernelsState;
use super::layout::{self, Place};
use super::{model, paint};
use crate::gui::paint as marks;
use crate::gui::theme::{self, ROW_HEIGHT, Theme, size};
use crate::session::{Action, KernelRef, Session};

const HEADING_HEIGHT: f32 = 30.0;

/// Draws the table; clicks select, a double click or Enter opens in Explore, arrow keys walk.
pub fn table_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let places = layout::columns(ui.available_width());
    headings_ui(ui, state, &places);
    let rows = state.rows(session);
    if rows.is_empty() {
        let text = if state.order.filter.trim().is_empty() { "No kernels in the open reports." } else { "No kernel has this name." };
        ui.vertical_centered(|ui| {
            ui.add_space(24.0);
            ui.label(egui::RichText::new(text).color(Theme::of(ui).palette.text2));
        });
        return;
    }
    let selected = session.document().selected;
    let walked = walk(ui, &rows, selected);
    actions.extend(walked.map(|at| Action::SelectKernel(Some(at))));
    actions.extend(selected.filter(|_| enter_pressed(ui)).map(Action::ExploreKernel));
    let mut scroll = egui::ScrollArea::vertical().id_salt("kernel-rows").auto_shrink([false, false]);
    // A selection made elsewhere, on the heatmap or by a key, is brought into view.
    let current = walked.or(selected);
    if let Some(at) = current.filter(|_| state.shown_selection != current) {
        scroll = keep_visible(scroll, state, &rows, at, ui.available_height());
    }
    state.shown_selection = current;
    let shown = scroll.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
        for at in &rows[range] {
            row_ui(ui, session, &places, *at, selected == Some(*at), actions);
        }
    });
    state.offset = shown.state.clamped_offset().y;
}

#[expect(clippy::cast_precision_loss, reason = "rows to points")]
fn keep_visible(scroll: egui::ScrollArea, state: &KernelsState, rows: &[KernelRef], at: KernelRef, height: f32) -> egui::ScrollArea {
    let top = rows.iter().position(|row| *row == at).unwrap_or(0) as f32 * ROW_HEIGHT;
    let offset = state.offset.min(top).max(top + ROW_HEIGHT - height);
    scroll.vertical_scroll_offset(offset.max(0.0))
}

fn enter_pressed(ui: &Ui) -> bool {
    ui.memory(|memory| memory.focused().is_none()) && ui.input(|input| input.key_pressed(Key::Enter))
}

/// Arrow keys, Home and End move the selection while no field has the keyboard.
fn walk(ui: &Ui, rows: &[KernelRef], selected: Option<KernelRef>) -> Option<KernelRef> {
    if ui.memory(|memory| memory.focused().is_some()) {
        return None;
    }
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    if ![Key::Home, Key::End, Key::ArrowDown, Key::ArrowUp].into_iter().any(pressed) {
        return None;
    }
    let at = selected.and_then(|selected| rows.iter().position(|row| *row == selected));
    let last = rows.len() - 1;
    let to = match at {
        _ if pressed(Key::Home) => 0,
        _ if pressed(Key::End) => last,
        Some(at) if pressed(Key::ArrowDown) => (at + 1).min(last),
        Some(at) if pressed(Key::ArrowUp) => at.saturating_sub(1),
        None if pressed(Key::ArrowDown) => 0,
        _ => return None,
    };
    Some(rows[to])
}

fn headings_ui(ui: &mut Ui, state: &mut KernelsState, places: &[Place]) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING_HEIGHT), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, theme.palette.raised);
    for place in places {
        let cell = Rect::from_min_size(pos2(rect.left() + place.left, rect.top()), vec2(place.width, rect.height()));
        let Some(column) = place.shows.sorts_by() else {
            ui.painter().text(
                cell.left_center(),
                Align2::LEFT_CENTER,
                place.shows.heading(),
                theme::medium(size::NOTE),
                theme.palette.text2,
            );
            continue;
        };
        let response = ui.interact(cell, ui.scope_id().with(("heading", place.shows)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ColumnHeader, true, format!("Sort by: {}", place.shows.explained())));
        let sorted = state.order.column == column;
        let ink = if response.hovered() || sorted { theme.palette.text } else { theme.palette.text2 };
        let arrow = if sorted { if state.order.descending { " ↓" } else { " ↑" } } else { "" };
        let (at, align) = if place.shows.is_left_aligned() {
            (cell.left_center(), Align2::LEFT_CENTER)
        } else {
            (cell.right_center(), Align2::RIGHT_CENTER)
        };
        ui.painter().text(at, align, format!("{}{arrow}", place.shows.heading()), theme::medium(size::NOTE), ink);
        if response.has_focus() {
            ui.painter().rect_stroke(cell, 3.0, Stroke::new(2.0, theme.palette.focus), StrokeKind::Inside);
        }
        if response.clicked() {
            state.order.toggle(column);
        }
        response.on_hover_text(place.shows.explained());
    }
}

fn row_ui(ui: &mut Ui, session: &Session, places: &[Place], at: KernelRef, selected: bool, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let Some((kernel, account)) = session.document().kernel(at) else { return };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let response = ui.interact(rect, ui.scope_id().with(("row", at)), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Row, true, selected, &kernel.name));
    if selected {
        ui.painter().rect_filled(rect, 0.0, theme.palette.accent_soft);
        ui.painter().rect_filled(Rect::from_min_size(rect.min, vec2(3.0, rect.height())), 0.0, theme.palette.accent);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, theme.palette.raised);
    }
    marks::hairline(ui.painter(), rect.left_bottom(), rect.right_bottom(), theme.palette.line);
    paint::row(ui.painter(), theme, rect, places, kernel, account);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(2.0, theme.palette.focus), StrokeKind::Inside);
    }
    if response.double_clicked() {
        actions.push(Action::ExploreKernel(at));
    } else if response.clicked() {
        actions.push(Action::SelectKernel(Some(at)));
        response.surrender_focus();
    }
    response.on_hover_text_at_pointer(model::row_in_words(kernel, account));
}
