//! The panel of presets: search and folders at the left, the chosen preset at the right. All of it by keyboard too.

mod details;
pub mod model;
mod paint;

use egui::{
    Context, Event, EventFilter, Frame, Id, Key, Modal, Modifiers, Rect, RichText, ScrollArea, Sense, TextEdit, Ui, UiBuilder, vec2,
};

use crate::gui::paint::{Icon, icon_button};
use crate::gui::theme::{self, ROW_HEIGHT, size};
use crate::gui::widgets::{caption, quiet};
use crate::session::presets::{self, Preset};
use crate::session::{Action, Session, saved};
use model::{Draft, Folder};

/// What only this view knows.
#[derive(Clone, Debug, Default)]
pub struct PresetsState {
    open: bool,
    search: String,
    /// The name of the chosen preset.
    selected: Option<String>,
    draft: Option<Draft>,
    /// What is to get the keyboard in the next frame.
    focus: Focus,
    moved: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Focus {
    #[default]
    Stays,
    Search,
    List,
    Name,
}

impl PresetsState {
    /// Opens the panel, or closes it.
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, focus: Focus::Search, selected: self.selected.take(), ..Self::default() };
    }

    /// Opens the panel at a preset of the user's own, its name ready to be changed.
    pub fn edit(&mut self, preset: &Preset) {
        let draft = Some(Draft::new(preset));
        *self = Self { open: true, selected: Some(preset.name.clone()), draft, focus: Focus::Name, ..Self::default() };
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    /// What the keys that save a preset do within the panel: they copy the chosen one.
    pub fn duplicate(&self) -> Option<Action> {
        self.selected.clone().filter(|_| self.draft.is_none()).map(Action::DuplicatePreset)
    }
}

/// Saves the current configuration under a name of its own; the panel opens to change it.
pub fn save_current(session: &Session) -> Preset {
    let configuration = session.document().configuration.clone();
    let name = session.document().library.free_name(&presets::name_of(&configuration));
    let view = presets::PresetView { chart: Some(session.view().chart), placed: None };
    Preset { view, ..Preset::new(name, configuration) }
}

/// Draws the panel while it is open.
pub fn presets_ui(ctx: &Context, state: &mut PresetsState, session: &Session, actions: &mut Vec<Action>) {
    if !state.open {
        return;
    }
    let screen = ctx.content_rect();
    let frame = Frame::popup(&ctx.global_style()).inner_margin(16);
    let modal = Modal::new(Id::unique("presets")).frame(frame).show(ctx, |ui| {
        ui.set_width((screen.width() - 64.0).clamp(200.0, 860.0));
        header_ui(ui, state, session, actions);
        ui.add_space(4.0);
        let height = (screen.height() - 150.0).clamp(120.0, 560.0);
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let (left, right) = rect.split_left_right_at_fraction(0.46);
        ui.scope_builder(UiBuilder::new().max_rect(left.with_max_x(left.right() - 8.0)), |ui| list_ui(ui, state, session, actions));
        ui.scope_builder(UiBuilder::new().max_rect(right.with_min_x(right.left() + 8.0)), |ui| {
            details::details_ui(ui, state, session, actions);
        });
    });
    if state.draft.is_some() {
        // A click beside the panel must not throw away what is being typed.
        if ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            state.draft = None;
            state.focus = Focus::List;
        }
    } else if modal.should_close() {
        state.open = false;
    }
}

fn header_ui(ui: &mut Ui, state: &mut PresetsState, session: &Session, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Presets").font(theme::strong(size::TITLE)));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if icon_button(ui, Icon::Close, "Close the presets", true).clicked() {
                state.open = false;
            }
            let own = session.document().library.presets();
            let all = egui::Button::new("Export all…");
            if ui.add_enabled(!own.is_empty(), all).on_disabled_hover_text("You have no presets of your own yet").clicked() {
                actions.push(Action::ExportPresets(own.to_vec()));
            }
            if ui.button("Import…").on_hover_text("Files of presets; they can also be dropped on the window").clicked() {
                actions.push(Action::ImportPresets);
            }
            if ui.button("Save current").on_hover_text("The launch and the GPU of Explore as a preset of your own").clicked() {
                let preset = save_current(session);
                state.edit(&preset);
                actions.push(Action::AddPresets(vec![preset]));
            }
        });
    });
}

fn list_ui(ui: &mut Ui, state: &mut PresetsState, session: &Session, actions: &mut Vec<Action>) {
    search_ui(ui, state);
    let folders = model::folders(session, &state.search);
    let names: Vec<&str> = folders.iter().flat_map(|folder| &folder.items).map(|item| item.preset.name.as_str()).collect();
    if !state.selected.as_deref().is_some_and(|selected| names.contains(&selected)) && state.draft.is_none() {
        state.selected = names.first().map(|name| (*name).to_owned());
    }
    if folders.is_empty() {
        ui.label(quiet(ui, "No preset has these words in its name, note, tags or GPU."));
        return;
    }
    let list = ui.interact(ui.available_rect_before_wrap(), ui.scope_id().with("list"), Sense::focusable_noninteractive());
    list.widget_info(|| egui::WidgetInfo::labeled(egui::Role::List, true, "Presets"));
    if state.focus == Focus::List {
        list.request_focus();
        // Only from the next frame on can the list keep the arrow keys for itself.
        ui.ctx().request_repaint();
        state.focus = Focus::Stays;
    }
    keys(ui, &list, state, session, &names, actions);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut dragged = None;
        for Folder { name, items } in &folders {
            let mut rows = Vec::new();
            ui.add_space(6.0);
            caption(ui, name);
            ui.add_space(2.0);
            for item in items {
                let is_selected = state.selected.as_deref() == Some(&item.preset.name);
                let response = paint::row_ui(ui, item, is_selected);
                rows.push((item.preset.name.as_str(), response.rect));
                if item.is_own && state.draft.is_none() && (response.dragged() || response.drag_stopped()) {
                    dragged = Some(response.clone());
                }
                if is_selected && list.has_focus() {
                    paint::focus(ui, response.rect);
                }
                if is_selected && std::mem::take(&mut state.moved) {
                    response.scroll_to_me(None);
                }
                if response.clicked() && state.draft.is_none() {
                    state.selected = Some(item.preset.name.clone());
                    state.focus = Focus::List;
                }
                if response.double_clicked() && state.draft.is_none() {
                    use_preset(state, item.preset, actions);
                }
            }
            if let Some(response) = dragged.take() {
                drag_ui(ui, &response, &rows, state, session, actions);
            }
        }
        ui.add_space(ROW_HEIGHT / 2.0);
    });
}

/// A preset on its way to another place in its folder: a line shows where it would go, and the end of the drag takes it there.
fn drag_ui(
    ui: &Ui,
    response: &egui::Response,
    rows: &[(&str, Rect)],
    state: &mut PresetsState,
    session: &Session,
    actions: &mut Vec<Action>,
) {
    let Some((name, _)) = rows.iter().find(|(_, row)| *row == response.rect) else { return };
    let Some(at) = response.interact_pointer_pos() else { return };
    let slot = rows.iter().filter(|(other, row)| other != name && row.center().y < at.y).count();
    ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    state.selected = Some((*name).to_owned());
    if response.drag_stopped() {
        state.focus = Focus::List;
        actions.extend(model::dropped(session, name, slot).map(|to| Action::MovePreset { name: (*name).to_owned(), to }));
    } else if let (Some((_, first)), Some((_, last))) = (rows.first(), rows.last()) {
        let above = rows.iter().filter(|(_, row)| row.center().y < at.y).map(|(_, row)| row.bottom()).next_back();
        paint::drop_line(ui, first.union(*last).x_range(), above.unwrap_or(first.top()));
    }
}

fn search_ui(ui: &mut Ui, state: &mut PresetsState) {
    let field = ui.add(
        TextEdit::singleline(&mut state.search)
            .hint_text("Search names, notes, tags, GPUs")
            .margin(egui::Margin::symmetric(8, 6))
            .desired_width(f32::INFINITY),
    );
    field.widget_info(|| {
        let mut info = egui::WidgetInfo::text_edit(true, "", &state.search, "");
        info.label = Some("Search presets".to_owned());
        info
    });
    if state.focus == Focus::Search {
        field.request_focus();
        // The click that opened the panel is a click beside the field, and takes the keyboard from it again.
        if ui.input(|input| input.pointer.any_released()) {
            ui.ctx().request_repaint();
        } else {
            state.focus = Focus::Stays;
        }
    }
    if field.has_focus() {
        // Down is ours: it must not go to whatever lies below.
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(field.id, filter));
    }
    // From the search straight into the list.
    let leaves = field.has_focus()
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowDown) || input.consume_key(Modifiers::NONE, Key::Enter));
    if leaves {
        state.focus = Focus::List;
        state.moved = true;
    }
}

fn use_preset(state: &mut PresetsState, preset: &Preset, actions: &mut Vec<Action>) {
    actions.push(Action::UsePreset(Box::new(preset.clone())));
    state.open = false;
}

/// The keys of the list, while it has the keyboard.
fn keys(ui: &Ui, list: &egui::Response, state: &mut PresetsState, session: &Session, names: &[&str], actions: &mut Vec<Action>) {
    if !list.has_focus() || state.draft.is_some() {
        return;
    }
    ui.memory_mut(|memory| memory.set_focus_lock_filter(list.id, EventFilter { vertical_arrows: true, ..EventFilter::default() }));
    let Some(preset) =
        state.selected.as_deref().and_then(|name| presets::all(&session.document().library).find(|preset| preset.name == name))
    else {
        return;
    };
    let name = preset.name.clone();
    let is_own = session.document().library.get(&name).is_some();
    let at = names.iter().position(|listed| *listed == name).unwrap_or_default();
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let (down, up) = (pressed(Modifiers::ALT, Key::ArrowDown), pressed(Modifiers::ALT, Key::ArrowUp));
    if down || up {
        actions.extend(model::neighbor(session, &name, down).map(|to| Action::MovePreset { name, to }));
        state.moved = true;
    } else if pressed(Modifiers::NONE, Key::ArrowDown) {
        go_to(state, names, at + 1);
    } else if pressed(Modifiers::NONE, Key::ArrowUp) {
        go_to(state, names, at.saturating_sub(1));
    } else if pressed(Modifiers::NONE, Key::Enter) {
        use_preset(state, preset, actions);
    } else if is_own && pressed(Modifiers::NONE, Key::F2) {
        state.edit(preset);
    } else if is_own && pressed(Modifiers::NONE, Key::Delete) {
        go_to(state, names, if at + 1 < names.len() { at + 1 } else { at.saturating_sub(1) });
        actions.push(Action::DeletePreset(name));
    } else if ui.input(|input| input.events.iter().any(|event| matches!(event, Event::Copy))) {
        actions.push(Action::CopyText(saved::code::write(preset)));
    }
}

fn go_to(state: &mut PresetsState, names: &[&str], at: usize) {
    state.selected = names.get(at.min(names.len().saturating_sub(1))).map(|name| (*name).to_owned());
    state.moved = true;
}
