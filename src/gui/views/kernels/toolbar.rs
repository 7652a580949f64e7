//! Over the table: filters, groups, columns, copying and exporting, and how much of all there is remains.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, DragValue, PopupCloseBehavior, RichText, TextEdit, Ui, vec2};

use super::filter::Filter;
use super::layout::Places;
use super::rows::{Counts, Table};
use super::{KernelsState, columns, facts, output, paint};
use crate::engine::Resource;
use crate::fmt::{counted, grouped};
use crate::gui::theme::{self, Theme, size};
use crate::session::{Action, LazyText, Session, TableColumn, TableView};

/// Below this width the rarer controls share one menu.
const ROOMY: f32 = 790.0;

pub fn toolbar_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    let is_roomy = ui.available_width() >= ROOMY;
    ui.horizontal_wrapped(|ui| {
        search_ui(ui, state, if is_roomy { 180.0 } else { 150.0 });
        stays_open(ui, "Filter", |ui| filter_menu_ui(ui, state));
        if is_roomy {
            group_ui(ui, state, session, actions);
            columns_ui(ui, state, session, actions);
            output_ui(ui, state, session, actions);
            watch_ui(ui, session, actions);
        } else {
            stays_open(ui, "Table", |ui| {
                group_ui(ui, state, session, actions);
                watch_ui(ui, session, actions);
                columns_ui(ui, state, session, actions);
                output_ui(ui, state, session, actions);
            });
        }
        let is_comparing = session.beside().percent().is_some();
        let counts = if is_comparing { "Comparing …".to_owned() } else { in_words(&state.table.counts, state.table.is_grouped()) };
        let words = RichText::new(counts).font(theme::words(size::NOTE)).color(Theme::of(ui).palette.text2);
        ui.add(egui::Label::new(words).wrap_mode(egui::TextWrapMode::Extend));
    });
    chips_ui(ui, state, session, actions);
}

fn search_ui(ui: &mut Ui, state: &mut KernelsState, width: f32) {
    let field = TextEdit::singleline(&mut state.filter.text).hint_text("Filter by name").desired_width(width);
    let response = ui.add(field);
    if response.has_focus() && ui.input(|input| input.key_pressed(egui::Key::ArrowDown)) {
        // Straight to what was found; the table takes the key.
        ui.memory_mut(|memory| memory.request_focus(crate::gui::focus::rows()));
    }
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter by name"));
}

/// A menu in which several things are set one after another.
fn stays_open(ui: &mut Ui, title: &str, content: impl FnOnce(&mut Ui)) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let line = Theme::of(ui).palette.line_strong;
    MenuButton::new(title).config(config).ui(ui, |ui| {
        // Menus have no outlines; boxes and fields need theirs.
        ui.visuals_mut().widgets.inactive.bg_stroke = egui::Stroke::new(1.0, line);
        content(ui);
    });
}

fn filter_menu_ui(ui: &mut Ui, state: &mut KernelsState) {
    ui.set_min_width(250.0);
    crate::gui::widgets::caption(ui, "Limited by");
    for (resource, count) in Resource::ALL.into_iter().zip(state.table.counts.by_limiter) {
        let mut is_on = state.filter.limiters.contains(resource);
        let text = format!("{} ({})", crate::fmt::capitalized(resource.name()), grouped(count as u64));
        if ui.add_enabled(count > 0 || is_on, egui::Checkbox::new(&mut is_on, text)).changed() {
            state.filter.toggle_limiter(resource);
        }
    }
    ui.separator();
    at_least_ui(ui, "Gap at least", " points", &mut state.filter.min_gap_points);
    at_least_ui(ui, "Time at least", " %", &mut state.filter.min_share_percent);
    if state.table.compared.is_some() {
        ui.checkbox(&mut state.filter.changed_only, "Changed only");
    }
    ui.separator();
    if ui.add_enabled(state.filter.is_active(), Button::new("Clear")).clicked() {
        state.filter = Filter::default();
    }
}

fn at_least_ui(ui: &mut Ui, name: &str, unit: &str, value: &mut f64) {
    ui.horizontal(|ui| {
        let label = ui.label(name);
        ui.add(DragValue::new(value).range(0.0..=100.0).speed(0.5).max_decimals(1).suffix(unit)).labelled_by(label.id);
    });
}

fn group_ui(ui: &mut Ui, state: &KernelsState, session: &Session, actions: &mut Vec<Action>) {
    let is_compared = state.table.compared.is_some();
    let button = Button::new("Group launches").selected(state.table.is_grouped());
    let response = ui.add_enabled(!is_compared, button);
    let response = response.on_hover_text("One row for all launches of a kernel with the same shape on the same GPU");
    if response.on_disabled_hover_text("A comparison is of groups").clicked() {
        actions.push(table_with(session, |table| table.is_grouped = !table.is_grouped));
    }
}

fn watch_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let button = Button::new("Watch").selected(session.view().table.is_watching);
    if ui.add(button).on_hover_text("Read open files again when they are written again").clicked() {
        actions.push(table_with(session, |table| table.is_watching = !table.is_watching));
    }
}

pub fn table_with(session: &Session, change: impl FnOnce(&mut TableView)) -> Action {
    let mut table = session.view().table.clone();
    change(&mut table);
    Action::SetTable(table)
}

fn columns_ui(ui: &mut Ui, state: &KernelsState, session: &Session, actions: &mut Vec<Action>) {
    stays_open(ui, "Columns", |ui| {
        ui.set_min_width(230.0);
        let shown: Vec<TableColumn> = state.places.places.iter().map(|place| place.column).collect();
        let is_automatic = session.view().table.columns.is_none();
        if ui.radio(is_automatic, "As many as fit").clicked() {
            actions.push(table_with(session, |table| table.columns = None));
        }
        ui.separator();
        let offered = TableColumn::ALL.into_iter().filter(|column| *column != TableColumn::Name);
        let offered: Vec<TableColumn> = offered.filter(|column| state.table.compared.is_some() || !column.needs_baseline()).collect();
        egui::Grid::new("columns").spacing(vec2(20.0, 0.0)).show(ui, |ui| {
            let half = offered.len().div_ceil(2);
            for index in 0..half {
                for column in [Some(offered[index]), offered.get(half + index).copied()].into_iter().flatten() {
                    column_ui(ui, column, &shown, session, actions);
                }
                ui.end_row();
            }
        });
    });
}

fn column_ui(ui: &mut Ui, column: TableColumn, shown: &[TableColumn], session: &Session, actions: &mut Vec<Action>) {
    let mut is_shown = shown.contains(&column);
    if ui.checkbox(&mut is_shown, columns::short(column)).on_hover_text(columns::explained(column)).changed() {
        let mut chosen = session.view().table.columns.clone().unwrap_or_else(|| shown.to_vec());
        chosen.retain(|other| *other != column);
        chosen.extend(is_shown.then_some(column));
        actions.push(table_with(session, |table| table.columns = Some(chosen)));
    }
}

fn output_ui(ui: &mut Ui, state: &KernelsState, session: &Session, actions: &mut Vec<Action>) {
    let selected = session.document().selected.and_then(|at| state.table.position(at)).map(|place| state.table.rows[place]);
    ui.menu_button("Export table…", |ui| {
        ui.set_min_width(230.0);
        let shortcut = ui.ctx().format_shortcut(&egui::KeyboardShortcut::new(egui::Modifiers::COMMAND, egui::Key::C));
        let wide = vec2(ui.available_width(), 28.0);
        if ui.add_enabled(selected.is_some(), Button::new("Copy the selected row").right_text(shortcut).min_size(wide)).clicked() {
            actions.extend(selected.map(|row| Action::CopyText(output::tab_separated(&state.table, session, &state.places, &[row]))));
        }
        if ui.add(Button::new("Copy all shown rows").min_size(wide)).clicked() {
            let all = |table: &Table, session: &Session, places: &Places| output::tab_separated(table, session, places, &table.rows);
            actions.push(Action::CopyLazyText(later(state, session, all)));
        }
        ui.separator();
        for (title, extension) in [("Save as CSV…", "csv"), ("Save as Markdown…", "md")] {
            if ui.add(Button::new(title).min_size(wide)).clicked() {
                let write = if extension == "csv" { output::csv } else { output::markdown };
                actions.push(Action::SaveText { file_name: output::file_name(session, extension), text: later(state, session, write) });
            }
        }
    });
}

/// The table as it is now, written when it is needed.
fn later(state: &KernelsState, session: &Session, write: fn(&Table, &Session, &Places) -> String) -> LazyText {
    let (table, session, places) = (state.table.clone(), session.clone(), state.places.clone());
    LazyText::new(move || write(&table, &session, &places))
}

/// "37 of 120 kernels · 1,204.5 µs".
fn in_words(counts: &Counts, is_grouped: bool) -> String {
    let of = |shown: u64, all: u64, counted: String| if shown == all { counted } else { format!("{} of {counted}", grouped(shown)) };
    let (rows, all_rows) = (counts.rows as u64, counts.all_rows as u64);
    let mut parts = vec![of(rows, all_rows, counted(all_rows, if is_grouped { "group" } else { "kernel" }))];
    if is_grouped {
        parts.push(of(counts.launches, counts.all_launches, facts::counted_launches(counts.all_launches)));
    }
    parts.extend(counts.duration_ns.filter(|ns| *ns > 0.0).map(|ns| format!("{} µs", facts::microseconds(ns))));
    parts.join(" · ")
}

/// What is left out and what is compared, each with a way to take it back.
fn chips_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    if !state.filter.is_active() && state.table.compared.is_none() {
        return;
    }
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        if let Some((old, new)) = state.table.compared {
            let verb = if session.beside().percent().is_some() { "being compared" } else { "compared" };
            let text = format!("{} {verb} with baseline {}", paint::file_letter(new), paint::file_letter(old));
            if chip(ui, &text, "Stop comparing") {
                actions.push(table_with(session, |table| table.baseline = None));
            }
            let before = state.filter.changed_only;
            if !before && ui.button("Changed only").clicked() {
                state.filter.changed_only = true;
            }
        }
        for part in Filter::PARTS {
            if state.filter.has(part) && chip(ui, &state.filter.in_words(part), "Remove this filter") {
                state.filter.remove(part);
            }
        }
        if state.filter.is_active() && session.beside().percent().is_none() {
            let left = counted(state.table.counts.rows as u64, if state.table.is_grouped() { "group" } else { "kernel" });
            let verb = if state.table.counts.rows == 1 { "remains" } else { "remain" };
            ui.label(RichText::new(format!("{left} {verb}")).font(theme::words(size::NOTE)).color(theme.palette.text2));
            if ui.button("Clear").clicked() {
                state.filter = Filter::default();
            }
        }
    });
}

/// True when it was clicked away.
fn chip(ui: &mut Ui, text: &str, hint: &str) -> bool {
    let theme = Theme::of(ui);
    let button = Button::new(RichText::new(format!("{text}  ×")).font(theme::medium(size::NOTE)).color(theme.palette.text))
        .fill(theme.palette.accent_soft)
        .corner_radius(theme::RADIUS_CHIP);
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{hint}: {text}")));
    response.on_hover_text(hint).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_says_what_remains() {
        let counts = Counts { rows: 3, all_rows: 12, launches: 40, all_launches: 120, duration_ns: Some(1_204_500.0), by_limiter: [0; 5] };
        assert_eq!(in_words(&counts, false), "3 of 12 kernels · 1,204.5 µs");
        assert_eq!(in_words(&counts, true), "3 of 12 groups · 40 of 120 launches · 1,204.5 µs");
        let all = Counts { rows: 1, all_rows: 1, launches: 1, all_launches: 1, duration_ns: None, ..counts };
        assert_eq!(in_words(&all, true), "1 group · 1 launch");
    }
}
