//! The editor of invented GPUs: every limit with its unit and meaning, checked while it is typed, saved as a GPU file.

pub mod model;

use egui::{Context, Frame, Key, Modal, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::inputs::fields::{Edit, Kind, text_field};
use crate::gui::theme::{self, CONTROL_HEIGHT, Theme, size};
use crate::gui::widgets::quiet;
use crate::session::{Action, Session};
use model::{Draft, FIELDS, parse_sizes, sizes_text};

/// Draws the editor while there is a draft. Saving and cancelling end it.
pub fn gpu_editor_ui(ctx: &Context, draft: &mut Option<Draft>, session: &Session, actions: &mut Vec<Action>) {
    let Some(edited) = draft else { return };
    let problems = edited.problems(&session.catalog);
    let screen = ctx.content_rect();
    let frame = Frame::popup(&ctx.global_style()).inner_margin(20);
    let modal = Modal::new(egui::Id::unique("gpu-editor")).frame(frame).show(ctx, |ui| {
        ui.set_width((screen.width() - 80.0).clamp(200.0, 560.0));
        ui.label(RichText::new(if edited.is_edit() { "Edit GPU" } else { "New GPU" }).font(theme::strong(size::TITLE)));
        ui.label(quiet(ui, "An invented GPU of your own, for exercises and what-ifs. No report is taken to be from it."));
        ui.add_space(8.0);
        // As high from the first frame on as the screen lets it be: a field must not move away from under the pointer.
        let height = (screen.height() - 190.0).max(60.0);
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, |ui| {
            fields_ui(ui, edited, &problems);
        });
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let save = ui.add_enabled(problems.is_empty(), egui::Button::new("Save GPU"));
            let save = save.on_disabled_hover_text("Mend what is marked first");
            (save.clicked(), ui.button("Cancel").clicked())
        })
        .inner
    });
    let (is_saved, is_cancelled) = modal.inner;
    if is_saved {
        let (arch, gpu) = edited.finished();
        actions.push(Action::SaveGpu { arch: Box::new(arch), gpu: Box::new(gpu) });
    }
    if is_saved || is_cancelled || modal.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        *draft = None;
    }
}

fn fields_ui(ui: &mut Ui, draft: &mut Draft, problems: &[(String, String)]) {
    row_ui(ui, "Name", "", "What it is called in every list", "name", problems, |ui| {
        let field = TextEdit::singleline(&mut draft.name).font(theme::words(size::BODY));
        let response = ui.add_sized(vec2(180.0, CONTROL_HEIGHT), field);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name"));
    });
    row_ui(ui, "SMs of the GPU", "SMs", "For waves; 0 where it does not matter", "num_sms", problems, |ui| {
        number_ui(ui, "SMs of the GPU", &mut draft.num_sms);
    });
    for field in FIELDS {
        row_ui(ui, field.name, field.unit, field.meaning, field.key, problems, |ui| {
            let mut value = (field.get)(&draft.arch);
            if number_ui(ui, field.name, &mut value) {
                (field.set)(&mut draft.arch, value);
            }
        });
        if field.key == "smem_per_sm_bytes" {
            row_ui(ui, SIZES, "", "Settings of the pool", SIZES_KEY, problems, |ui| sizes_ui(ui, draft));
        }
    }
    ui.checkbox(&mut draft.arch.partitioned_caching, "Partitioned global caching can be asked for");
    // What no field shows is said all the same.
    let is_shown = |key: &str| ["name", "num_sms", SIZES_KEY].contains(&key) || FIELDS.iter().any(|field| field.key == key);
    for (key, problem) in problems.iter().filter(|(key, _)| !is_shown(key)) {
        problem_ui(ui, &format!("{key}: {problem}"));
    }
}

/// A name and its meaning at the left, the control and its unit at the right, and what is wrong with it below.
fn row_ui(ui: &mut Ui, name: &str, unit: &str, meaning: &str, key: &str, problems: &[(String, String)], control: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(name).font(theme::medium(size::BODY)));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(12.0);
            ui.add_sized(vec2(60.0, 16.0), egui::Label::new(quiet(ui, unit)));
            control(ui);
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(quiet(ui, meaning)).truncate()).on_hover_text(meaning);
            });
        });
    });
    for (_, problem) in problems.iter().filter(|(of, _)| of == key) {
        problem_ui(ui, problem);
    }
}

fn problem_ui(ui: &mut Ui, problem: &str) {
    let palette = Theme::of(ui).palette;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), egui::Sense::hover());
        crate::gui::paint::icon(ui.painter(), rect, crate::gui::paint::Icon::Info, palette.note);
        ui.add(egui::Label::new(RichText::new(problem).font(theme::words(size::NOTE)).color(palette.note)).wrap());
    });
}

/// The sizes of the shared-memory pool: one, or several that carve-outs choose from.
const SIZES: &str = "Pool sizes";
const SIZES_KEY: &str = "smem_configurations_bytes";

fn sizes_ui(ui: &mut Ui, draft: &mut Draft) {
    let sizes = &mut draft.arch.smem_configurations_bytes;
    let (response, edit) = text_field(ui, SIZES, &sizes_text(sizes), 250.0, parse_sizes);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, SIZES));
    if let Edit::Changed(changed) = edit {
        *sizes = changed;
    }
}

/// A field for a number; whether it was changed.
fn number_ui(ui: &mut Ui, name: &str, value: &mut u32) -> bool {
    let parse = |text: &str| Kind::Count.parse(text).and_then(|value| u32::try_from(value).ok());
    let (response, edit) = text_field(ui, name, &Kind::Count.format((*value).into()), 110.0, parse);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, name));
    match edit {
        Edit::Changed(changed) => {
            *value = changed;
            true
        }
        _ => false,
    }
}
