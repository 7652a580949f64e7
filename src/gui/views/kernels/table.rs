//! The table of all kernels: headings that sort, rows that are drawn only where they are seen.

use egui::{Align2, Painter, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use super::layout::{self, Place, Wish};
use super::rows::{Row, Table};
use super::toolbar::table_with;
use super::{KernelsState, columns, keys, output, paint};
use crate::gui::focus;
use crate::gui::paint as marks;
use crate::gui::paint::{Icon, icon};
use crate::gui::theme::{self, ROW_HEIGHT, Theme, size};
use crate::session::{Action, Beside, Compared, KernelRef, Session};

const HEADING_HEIGHT: f32 = 30.0;

/// Draws the table; clicks select, a double click or Enter opens in Explore, arrow keys walk, fold and unfold.
pub fn table_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let wish = Wish {
        chosen: session.view().table.columns.as_deref(),
        is_grouped: state.table.is_grouped(),
        is_compared: state.table.compared.is_some(),
    };
    state.places = layout::places(ui.available_width(), wish);
    headings_ui(ui, state);
    if let Beside::Comparing { compared, percent } = session.beside() {
        comparing_ui(ui, session, compared, *percent, actions);
        return;
    }
    if state.table.rows.is_empty() {
        nothing_ui(ui, state);
        return;
    }
    let keyboard = keyboard_ui(ui, state, session);
    // Taken out while it is drawn, so that a click can change the rest of the state.
    let mut table = std::mem::take(&mut state.table);
    let walked = keys_ui(ui, state, &mut table, session, actions);
    for (row, unfold) in rows_ui(ui, state, &table, session, walked, actions) {
        table.unfold(row, unfold);
    }
    state.table = table;
    if keyboard.has_focus() && !state.is_pointed {
        let line = Stroke::new(2.0, Theme::of(ui).palette.focus);
        ui.painter().rect_stroke(keyboard.rect.shrink(1.0), 0.0, line, StrokeKind::Inside);
    }
}

/// One stop for the keyboard instead of one a row: Tab comes and leaves, the keys in between walk the rows.
fn keyboard_ui(ui: &Ui, state: &mut KernelsState, session: &Session) -> Response {
    let response = ui.interact(ui.available_rect_before_wrap(), focus::rows(), Sense::focusable_noninteractive());
    response.widget_info(|| {
        let count = state.table.rows.len();
        let selected = session.document().selected.and_then(|at| state.table.position(at));
        let at = selected.map_or_else(String::new, |place| format!("row {} of ", crate::fmt::grouped(place as u64 + 1)));
        egui::WidgetInfo::labeled(egui::Role::Grid, true, format!("Rows of the table, {at}{}", crate::fmt::grouped(count as u64)))
    });
    if response.has_focus() {
        let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    }
    // The ring is for who comes by keyboard.
    let has_key = ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Key { .. })));
    state.is_pointed &= response.has_focus() && !has_key;
    response
}

/// In the place of the rows: they are being compared, how far that is, and a way to stop it.
fn comparing_ui(ui: &mut Ui, session: &Session, compared: &Compared, percent: u8, actions: &mut Vec<Action>) {
    let letters = [compared.new, compared.old].map(paint::file_letter);
    let [old, new] = compared.num_kernels().map(|count| crate::fmt::counted(count as u64, "kernel"));
    ui.vertical_centered(|ui| {
        ui.add_space(24.0);
        let text = format!("Comparing {} ({new}) with baseline {} ({old})", letters[0], letters[1]);
        ui.label(egui::RichText::new(&text).color(Theme::of(ui).palette.text2));
        ui.add_space(8.0);
        let bar = egui::ProgressBar::new(f32::from(percent) / 100.0).desired_width(240.0).desired_height(6.0);
        ui.add(bar).widget_info(|| egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, format!("{text}: {percent} %")));
        ui.add_space(8.0);
        if ui.button("Cancel").on_hover_text("Stop comparing").clicked() {
            actions.push(table_with(session, |table| table.baseline = None));
        }
    });
}

/// Why there are no rows, and the way out.
fn nothing_ui(ui: &mut Ui, state: &mut KernelsState) {
    let is_filtered = state.filter.is_active();
    let text = if is_filtered { "No kernel fits the filter." } else { "No kernels in the open reports." };
    ui.vertical_centered(|ui| {
        ui.add_space(24.0);
        ui.label(egui::RichText::new(text).color(Theme::of(ui).palette.text2));
        ui.add_space(8.0);
        if is_filtered && ui.button("Clear the filter").clicked() {
            state.filter = super::filter::Filter::default();
        }
    });
}

/// What keys ask for; the row they went to.
fn keys_ui(ui: &Ui, state: &mut KernelsState, table: &mut Table, session: &Session, actions: &mut Vec<Action>) -> Option<Row> {
    let selected = session.document().selected;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows on a screen")]
    let page = (ui.available_height() / ROW_HEIGHT) as usize;
    let pressed = keys::pressed(ui, table, page, || keys::cursor(table, state.cursor, selected));
    if let Some(row) = pressed.to {
        state.cursor = Some(row);
        actions.extend(table.launch_of(row).map(|at| Action::SelectKernel(Some(at))));
    }
    if pressed.explore {
        actions.extend(selected.map(Action::ExploreKernel));
    }
    if pressed.copy
        && let Some((_, row)) = keys::cursor(table, state.cursor, selected)
    {
        actions.push(Action::CopyText(output::tab_separated(table, session, &state.places, &[row])));
    }
    if let Some((row, unfold)) = pressed.unfold {
        state.cursor = Some(row);
        table.unfold(row, unfold);
        table.update(session, state.sort, &state.filter);
        // Folding away the selected launch leaves the group selected.
        if !unfold {
            actions.extend(table.launch_of(row).map(|at| Action::SelectKernel(Some(at))));
        }
    }
    pressed.to
}

/// The rows that are seen; the groups whose triangles were clicked.
fn rows_ui(
    ui: &mut Ui,
    state: &mut KernelsState,
    table: &Table,
    session: &Session,
    walked: Option<Row>,
    actions: &mut Vec<Action>,
) -> Vec<(Row, bool)> {
    let selected = session.document().selected;
    let mut scroll = egui::ScrollArea::both().id_salt("kernel-rows").auto_shrink([false, false]);
    let current = walked.and_then(|row| table.launch_of(row)).or(selected);
    let reach = Reach { height: ui.available_height(), num_rows: table.rows.len() };
    if state.num_rows != table.rows.len() {
        // The scroll area knows the new height only after this frame.
        scroll = scroll.vertical_scroll_offset(reach.clamp(state.offset.y));
        state.num_rows = table.rows.len();
        ui.ctx().request_repaint();
    } else if current != state.shown_selection || walked.is_some() || state.generation != table.generation {
        // A selection made elsewhere, on the heatmap or by a key, is brought into view.
        let place = walked.and_then(|to| table.rows.iter().position(|row| *row == to)).or_else(|| table.position(current?));
        if let Some(place) = place {
            scroll = scroll.vertical_scroll_offset(reach.showing(place, state.offset.y));
        }
        state.shown_selection = current;
        state.generation = table.generation;
    }
    let mut drawn = Rows { state, table, session, selected, actions, unfolded: Vec::new() };
    let shown = scroll.show_rows(ui, ROW_HEIGHT, table.rows.len(), |ui, range| {
        for row in &table.rows[range] {
            drawn.row_ui(ui, *row);
        }
    });
    let unfolded = drawn.unfolded;
    state.offset = shown.state.clamped_offset();
    unfolded
}

/// How far the rows can be scrolled.
#[derive(Clone, Copy)]
struct Reach {
    height: f32,
    num_rows: usize,
}

#[expect(clippy::cast_precision_loss, reason = "rows to points")]
impl Reach {
    fn clamp(self, offset: f32) -> f32 {
        offset.min(self.num_rows as f32 * ROW_HEIGHT - self.height).max(0.0)
    }

    /// The offset nearest to `offset` with which the row is seen whole.
    fn showing(self, row: usize, offset: f32) -> f32 {
        let top = row as f32 * ROW_HEIGHT;
        self.clamp(offset.min(top).max(top + ROW_HEIGHT - self.height))
    }
}

fn headings_ui(ui: &mut Ui, state: &mut KernelsState) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING_HEIGHT), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, theme.palette.raised);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for place in &state.places.places {
        let left = rect.left() + place.left - state.offset.x;
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(place.width, rect.height()));
        if !cell.intersects(rect) {
            continue;
        }
        let sorted = state.sort.column == Some(place.column);
        let response = ui.interact(cell.intersect(rect), ui.scope_id().with(("heading", place.column)), Sense::click());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::ColumnHeader, true, format!("Sort by: {}", columns::shown_explanation(place.column)))
        });
        let arrow = if sorted { if state.sort.descending { " ↓" } else { " ↑" } } else { "" };
        let ink = if response.hovered() || sorted { theme.palette.text } else { theme.palette.text2 };
        heading(&painter, cell, *place, arrow, ink);
        if response.has_focus() {
            painter.rect_stroke(cell, 3.0, Stroke::new(2.0, theme.palette.focus), StrokeKind::Inside);
        }
        if response.clicked() {
            state.sort.toggle(place.column);
        }
        response.on_hover_text(columns::shown_explanation(place.column));
    }
}

fn heading(painter: &Painter, cell: Rect, place: Place, arrow: &str, ink: egui::Color32) {
    let (at, align) = if columns::is_left_aligned(place.column) {
        (cell.left_center(), Align2::LEFT_CENTER)
    } else {
        (cell.right_center(), Align2::RIGHT_CENTER)
    };
    painter.text(at, align, format!("{}{arrow}", columns::shown_heading(place.column)), theme::medium(size::NOTE), ink);
}

/// What rows are drawn from, and what clicks on them ask for.
struct Rows<'a> {
    state: &'a mut KernelsState,
    table: &'a Table,
    session: &'a Session,
    selected: Option<KernelRef>,
    actions: &'a mut Vec<Action>,
    unfolded: Vec<(Row, bool)>,
}

impl Rows<'_> {
    fn row_ui(&mut self, ui: &mut Ui, row: Row) {
        let theme = Theme::of(ui);
        let (Some(at), Some(facts)) = (self.table.launch_of(row), self.table.facts(self.session, row)) else { return };
        let (rect, _) = ui.allocate_exact_size(vec2(self.state.places.width, ROW_HEIGHT), Sense::hover());
        // Clicked, but no stop for the keyboard: that walks.
        let response = ui.interact(rect, ui.scope_id().with(("row", row)), Sense::CLICK);
        // Keys may stand on an unfolded group, whose launch is selected further down.
        let is_selected = self.table.is_selected(row, self.selected) || (self.state.cursor == Some(row) && self.selected == Some(at));
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Row, true, is_selected, facts.label()));
        ground(ui.painter(), theme, rect, is_selected, response.hovered());
        let beginning = paint::Beginning {
            file: (self.session.document().reports.len() > 1).then_some(at.report),
            is_grouped: self.table.is_grouped(),
            is_member: self.table.is_grouped() && matches!(row, Row::Launch(_)),
        };
        paint::row(ui.painter(), theme, rect, &self.state.places.places, &facts, beginning);
        self.triangle_ui(ui, row, rect, beginning);
        self.clicked(&response, row, at);
        response.on_hover_ui_at_pointer(|ui| {
            ui.label(facts.in_words());
        });
    }

    fn clicked(&mut self, response: &Response, row: Row, at: KernelRef) {
        if response.double_clicked() {
            self.actions.push(Action::ExploreKernel(at));
        } else if response.clicked() {
            self.state.cursor = Some(row);
            self.actions.push(Action::SelectKernel(Some(at)));
            response.ctx.memory_mut(|memory| memory.request_focus(focus::rows()));
            self.state.is_pointed = true;
        }
    }

    /// The triangle that folds and unfolds a group of several launches.
    fn triangle_ui(&mut self, ui: &Ui, row: Row, rect: Rect, beginning: paint::Beginning) {
        let Some(name) = self.state.places.places.first().filter(|_| self.table.folds(row).is_some()) else { return };
        let theme = Theme::of(ui);
        let is_unfolded = self.table.is_unfolded(row);
        let center = pos2(rect.left() + name.left + beginning.triangle() + 7.0, rect.center().y);
        let response =
            ui.interact(Rect::from_center_size(center, vec2(24.0, ROW_HEIGHT)), ui.scope_id().with(("triangle", row)), Sense::CLICK);
        response.widget_info(|| {
            let verb = if is_unfolded { "Fold" } else { "Unfold" };
            let name = self.table.facts(self.session, row).map_or_else(String::new, |facts| facts.label());
            egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{verb} {name}"))
        });
        let ink = if response.hovered() { theme.palette.text } else { theme.palette.text2 };
        let which = if is_unfolded { Icon::Down } else { Icon::Right };
        icon(ui.painter(), Rect::from_center_size(center, vec2(14.0, 14.0)), which, ink);
        if response.clicked() {
            self.unfolded.push((row, !is_unfolded));
        }
    }
}

fn ground(painter: &Painter, theme: Theme, rect: Rect, is_selected: bool, is_hovered: bool) {
    if is_selected {
        painter.rect_filled(rect, 0.0, theme.palette.accent_soft);
        painter.rect_filled(Rect::from_min_size(rect.min, vec2(3.0, rect.height())), 0.0, theme.palette.accent);
    } else if is_hovered {
        painter.rect_filled(rect, 0.0, theme.palette.raised);
    }
    marks::hairline(painter, rect.left_bottom(), rect.right_bottom(), theme.palette.line);
}
