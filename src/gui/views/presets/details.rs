//! The chosen preset: what it is, what can be done with it, and its words while they are edited.

use egui::{Button, Label, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::model::{self, Draft};
use super::{Focus, PresetsState, use_preset};
use crate::explain::headline;
use crate::gui::commands::Command;
use crate::gui::theme::{self, CONTROL_HEIGHT, Theme, size};
use crate::gui::views::inputs::launch_in_words;
use crate::gui::widgets::{note, pair, quiet, rule};
use crate::session::presets::{self, Preset};
use crate::session::{Action, Session, saved};

pub fn details_ui(ui: &mut Ui, state: &mut PresetsState, session: &Session, actions: &mut Vec<Action>) {
    let selected = state.selected.clone().unwrap_or_default();
    let Some(preset) = presets::all(&session.document().library).find(|preset| preset.name == selected) else { return };
    ScrollArea::vertical().id_salt("details").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        match state.draft.take() {
            Some(draft) if draft.of == preset.name => edit_ui(ui, state, draft, preset, session, actions),
            _ => {
                preset_ui(ui, preset, session);
                rule(ui, 0.0);
                buttons_ui(ui, state, preset, session, actions);
                undo_ui(ui, session, actions);
            }
        }
    });
}

fn preset_ui(ui: &mut Ui, preset: &Preset, session: &Session) {
    ui.add(Label::new(RichText::new(&preset.name).font(theme::strong(size::TITLE))).wrap());
    if !preset.note.is_empty() {
        ui.add(Label::new(RichText::new(&preset.note).font(theme::words(size::BODY))).wrap());
    }
    ui.add_space(4.0);
    match model::occupancy(session, preset) {
        Some(occupancy) => {
            pair(ui, "Theoretical occupancy", &crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm));
            let arch = session.arch_of(&preset.configuration.gpu);
            let sentence = headline(arch, &preset.configuration.launch, &occupancy);
            note(ui, &format!("{} {}", sentence.strong, sentence.rest));
        }
        None => note(ui, "Its GPU is not known here. Choose another one after a copy, or add the GPU's file."),
    }
    ui.add_space(4.0);
    pair(ui, "GPU", &preset.configuration.gpu.to_string());
    note(ui, &launch_in_words(&preset.configuration.launch));
    if !preset.tags.is_empty() {
        pair(ui, "Tags", &preset.tags.join(", "));
    }
    if let Some(source) = &preset.source {
        note(ui, &format!("Source: {source}"));
    }
}

fn buttons_ui(ui: &mut Ui, state: &mut PresetsState, preset: &Preset, session: &Session, actions: &mut Vec<Action>) {
    let palette = Theme::of(ui).palette;
    let is_own = session.document().library.get(&preset.name).is_some();
    let name = || preset.name.clone();
    ui.horizontal_wrapped(|ui| {
        let primary = Button::new(RichText::new("Use").color(palette.on_accent)).fill(palette.accent);
        if ui.add(primary).on_hover_text("Takes its launch, GPU and view into Explore  Enter").clicked() {
            use_preset(state, preset, actions);
        }
        if is_own && ui.button("Edit…").on_hover_text("Name, note, tags  F2").clicked() {
            state.edit(preset);
        }
        let copy = if is_own { "Duplicate" } else { "Copy to your own" };
        if ui
            .button(copy)
            .on_hover_text(Command::SavePreset.shortcut().map(|keys| ui.ctx().format_shortcut(&keys)).unwrap_or_default())
            .clicked()
        {
            actions.push(Action::DuplicatePreset(name()));
        }
        if is_own && ui.button("Delete").on_hover_text("Undo brings it back  Delete").clicked() {
            actions.push(Action::DeletePreset(name()));
        }
    });
    ui.horizontal_wrapped(|ui| {
        if ui.button("Copy code").on_hover_text("One line of text; pasted into Occuscope, it is this preset").clicked() {
            actions.push(Action::CopyText(saved::code::write(preset)));
        }
        if ui.button("Export…").on_hover_text("As a file").clicked() {
            actions.push(Action::ExportPresets(vec![preset.clone()]));
        }
    });
    if !is_own {
        ui.label(quiet(ui, "It comes with Occuscope; a copy can be changed."));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for (text, is_down) in [("Move up", false), ("Move down", true)] {
            let to = model::neighbor(session, &preset.name, is_down);
            let hint = if is_down { "Alt+↓" } else { "Alt+↑" };
            if ui.add_enabled(to.is_some(), Button::new(text)).on_hover_text(hint).clicked() {
                actions.extend(to.map(|to| Action::MovePreset { name: name(), to }));
                state.moved = true;
            }
        }
        let current = &session.document().configuration;
        let update = Button::new("Update to current");
        let response = ui.add_enabled(preset.configuration != *current, update);
        if response.on_hover_text("Puts the launch and the GPU of Explore into this preset").clicked() {
            let preset = Preset { configuration: current.clone(), ..preset.clone() };
            actions.push(Action::ReplacePreset { name: name(), preset: Box::new(preset) });
        }
    });
}

/// What was done to the presets last can be taken back here: the panel covers the bar.
fn undo_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(step) = session.undo_name().filter(|step| step.contains("preset")) else { return };
    ui.add_space(4.0);
    if ui.add(Button::new(RichText::new(format!("Undo: {step}")).font(theme::words(size::NOTE))).truncate()).clicked() {
        actions.push(Action::Undo);
    }
}

fn edit_ui(ui: &mut Ui, state: &mut PresetsState, mut draft: Draft, preset: &Preset, session: &Session, actions: &mut Vec<Action>) {
    let name = field_ui(ui, "Name", &mut draft.name, "");
    if state.focus == Focus::Name {
        name.request_focus();
        state.focus = Focus::Stays;
    }
    let enter = name.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let problem = draft.problem(session);
    if let Some(problem) = &problem {
        note(ui, problem);
    }
    let label = ui.label(RichText::new("Note").font(theme::medium(size::BODY)));
    ui.add(TextEdit::multiline(&mut draft.note).desired_rows(3).desired_width(f32::INFINITY).margin(egui::Margin::symmetric(8, 6)))
        .labelled_by(label.id);
    field_ui(ui, "Tags", &mut draft.tags, "course, week 2");
    ui.label(quiet(ui, "With commas between; the first is the folder."));
    ui.checkbox(&mut draft.starts_empty, "Starts with an empty SM");
    ui.add_space(8.0);
    let (is_saved, is_cancelled) = ui
        .horizontal(|ui| {
            let palette = Theme::of(ui).palette;
            let save = Button::new(RichText::new("Save preset").color(palette.on_accent)).fill(palette.accent);
            let save = ui.add_enabled(problem.is_none(), save.min_size(vec2(0.0, CONTROL_HEIGHT)));
            (save.clicked() || (enter && problem.is_none()), ui.button("Cancel").clicked())
        })
        .inner;
    if is_saved {
        let changed = draft.applied_to(preset);
        state.selected = Some(changed.name.clone());
        if changed != *preset {
            actions.push(Action::ReplacePreset { name: draft.of.clone(), preset: Box::new(changed) });
        }
    }
    if is_saved || is_cancelled {
        state.focus = Focus::List;
        state.moved = true;
    } else {
        state.draft = Some(draft);
    }
}

fn field_ui(ui: &mut Ui, name: &str, text: &mut String, hint: &str) -> egui::Response {
    let label = ui.label(RichText::new(name).font(theme::medium(size::BODY)));
    let field = ui.add(TextEdit::singleline(text).hint_text(hint).desired_width(f32::INFINITY).margin(egui::Margin::symmetric(8, 6)));
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, name));
    field.labelled_by(label.id)
}
