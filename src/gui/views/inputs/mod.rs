//! The inputs at the left: GPU, launch, presets, pin. Everything is live; nothing waits for an Apply.

pub mod fields;
pub mod gpu_picker;
mod more;
mod notes;
mod short;

use egui::{RichText, Ui, vec2};

use crate::gui::commands::Command;
use crate::gui::paint::{self, Icon, icon};
use crate::gui::theme::{self, RADIUS_CONTROL, Theme, size};
use crate::gui::widgets::{caption, note, rule};
use crate::session::{Action, Session, presets};
use crate::units::Dim3;
pub use notes::launch_in_words;
pub use short::short_inputs_ui;

use super::gpu_editor::model::Draft;
use super::presets::model::NUM_KEYS;
use fields::{Edit, Kind, NumberInput};

/// Draws the inputs and collects what was changed.
pub fn inputs_ui(ui: &mut Ui, session: &Session, editor: &mut Option<Draft>, actions: &mut Vec<Action>) -> Option<Command> {
    ui.spacing_mut().item_spacing.y = 4.0;
    gpu_ui(ui, session, actions);
    own_gpu_ui(ui, session, editor, actions);
    rule(ui, 0.0);
    launch_ui(ui, session, actions);
    rule(ui, 0.0);
    more::more_ui(ui, session, actions);
    rule(ui, 0.0);
    let command = presets_ui(ui, session, actions);
    pin_ui(ui, session, actions);
    command
}

fn gpu_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    caption(ui, "GPU");
    let current = &session.document().configuration.gpu;
    actions.extend(gpu_picker::gpu_picker_ui(ui, &session.catalog, current).map(Action::SelectGpu));
    let palette = Theme::of(ui).palette;
    ui.add_space(2.0);
    ui.label(RichText::new(notes::gpu(session)).font(theme::mono(size::CAPTION)).color(palette.text2));
    for doubt in notes::doubts(session) {
        note(ui, &format!("Not certain: {doubt}"));
    }
}

/// A copy of the chosen GPU to be edited; and one of the user's own is changed or deleted.
fn own_gpu_ui(ui: &mut Ui, session: &Session, editor: &mut Option<Draft>, actions: &mut Vec<Action>) {
    let (arch, gpu) = (session.arch(), session.gpu());
    let own = session.catalog.own_file_of(arch.compute_capability).and(gpu);
    ui.horizontal(|ui| {
        if ui.button("Edit a copy…").on_hover_text("An invented GPU with limits of your own").clicked() {
            *editor = Draft::copy_of(&session.catalog, arch, gpu);
        }
        let Some(own) = own else { return };
        if ui.button("Edit…").clicked() {
            *editor = Some(Draft::edit(arch, own));
        }
        if ui.button("Delete").on_hover_text(format!("Deletes the file of {}", own.name)).clicked() {
            actions.push(Action::DeleteGpu(arch.compute_capability));
        }
    });
}

/// What was done to a number, as an action.
fn push<T>(actions: &mut Vec<Action>, edit: Edit<T>, action: impl FnOnce(T) -> Action) {
    match edit {
        Edit::None => {}
        Edit::Changed(value) => actions.push(action(value)),
        Edit::Ended => actions.push(Action::EndGesture),
    }
}

fn count(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn launch_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let arch = session.arch();
    let launch = &session.document().configuration.launch;
    let occupancy = session.occupancy();
    let threads = NumberInput {
        name: "Threads per block",
        value: launch.threads_per_block().into(),
        kind: Kind::Count,
        range: 32..=u64::from(arch.max_threads_per_block),
        step: 32,
        slider: true,
        note: notes::threads(launch),
        hint: "A shape such as 16 × 16 goes under More",
    };
    push(actions, threads.ui(ui), |value| Action::SetBlock(Dim3::linear(count(value))));
    ui.add_space(8.0);
    let registers = NumberInput {
        name: "Registers per thread",
        value: launch.registers_per_thread.into(),
        kind: Kind::Count,
        range: 0..=255,
        step: 1,
        slider: true,
        note: notes::registers(&occupancy),
        hint: "As ptxas -v or the profiler reports them",
    };
    push(actions, registers.ui(ui), |value| Action::SetRegistersPerThread(count(value)));
    ui.add_space(8.0);
    let dynamic = NumberInput {
        name: "Dynamic shared",
        value: launch.dynamic_smem_bytes,
        kind: Kind::Size,
        range: 0..=fields::smem_slider_end(arch.optin_smem_per_block_bytes),
        step: 1024,
        slider: true,
        note: notes::shared_memory(&occupancy),
        hint: "Bytes of the launch: 48, 48 KiB or 49152",
    };
    push(actions, dynamic.ui(ui), Action::SetDynamicSmemBytes);
    ui.add_space(8.0);
    let fixed = NumberInput {
        name: "Static shared",
        value: launch.static_smem_bytes,
        kind: Kind::Size,
        range: 0..=u64::from(arch.default_smem_per_block_bytes),
        step: 1024,
        slider: false,
        note: notes::static_shared(launch),
        hint: "Bytes that the kernel declares with __shared__",
    };
    push(actions, fixed.ui(ui), Action::SetStaticSmemBytes);
    ui.add_space(4.0);
    push(
        actions,
        fields::shape_field(ui, "Grid", launch.grid, "Blocks in the grid: 1024 or 64 × 64; leave empty when unknown"),
        Action::SetGrid,
    );
    note(ui, &notes::grid(session));
}

/// The first presets, which have keys; the others are behind a button.
fn presets_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> Option<Command> {
    let asked = presets_header_ui(ui);
    let palette = Theme::of(ui).palette;
    ui.spacing_mut().item_spacing.y = 2.0;
    for (index, preset) in presets::all(&session.document().library).take(NUM_KEYS).enumerate() {
        let selected = preset.configuration == session.document().configuration;
        let ink = if selected { palette.text } else { palette.text2 };
        let key = RichText::new((index + 1).to_string()).font(theme::mono(size::NOTE)).color(palette.text3);
        let name = RichText::new(&preset.name).font(theme::words(size::BODY)).color(ink);
        let button = egui::Button::selectable(selected, name).right_text(key).min_size(vec2(ui.available_width(), 26.0)).truncate();
        let response = ui.add(button);
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, selected, &preset.name));
        if response.on_hover_text(if preset.note.is_empty() { &preset.name } else { &preset.note }).clicked() {
            actions.push(Action::UsePreset(Box::new(preset.clone())));
        }
    }
    asked
}

/// Above the list, so that it is in sight in a low window too.
fn presets_header_ui(ui: &mut Ui) -> Option<Command> {
    let mut asked = None;
    ui.horizontal(|ui| {
        caption(ui, "Presets, keys 1 to 9");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            for (command, text) in [(Command::ShowPresets, "All…"), (Command::SavePreset, "Save…")] {
                let name = RichText::new(text).font(theme::words(size::NOTE));
                let keys = command.shortcut().map(|keys| ui.ctx().format_shortcut(&keys)).unwrap_or_default();
                let response = ui.add(egui::Button::new(name).small()).on_hover_text(format!("{}  {keys}", command.text()));
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, command.text()));
                if response.clicked() {
                    asked = Some(command);
                }
            }
        });
    });
    asked
}

fn pin_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    ui.add_space(8.0);
    caption(ui, "Pinned");
    match &session.document().pinned {
        Some(pinned) => {
            let arch = session.arch_of(&pinned.gpu);
            let occupancy = crate::engine::evaluate(arch, &pinned.launch);
            note(ui, &format!("{} on {}", launch_in_words(&pinned.launch), pinned.gpu));
            note(
                ui,
                &format!("theoretical occupancy {}", crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm)),
            );
            ui.horizontal(|ui| {
                if ui.button("Go back to it").clicked() {
                    actions.push(Action::SetConfiguration(pinned.clone()));
                }
                if ui.button("Unpin").clicked() {
                    actions.push(Action::Unpin);
                }
            });
        }
        None => {
            if pin_button(ui) {
                actions.push(Action::PinConfiguration);
            }
        }
    }
}

fn pin_button(ui: &mut Ui) -> bool {
    let theme = Theme::of(ui);
    let text = "Pin this to compare (P)";
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 34.0), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, text));
    let stroke = egui::Stroke::new(1.0, if response.hovered() { theme.palette.text2 } else { theme.palette.line_strong });
    paint::dashed_rect(ui.painter(), rect.shrink(0.5), stroke, 4.0, 3.0);
    icon(
        ui.painter(),
        egui::Rect::from_center_size(egui::pos2(rect.left() + 18.0, rect.center().y), vec2(16.0, 16.0)),
        Icon::Pin,
        theme.palette.text3,
    );
    let at = egui::pos2(rect.left() + 34.0, rect.center().y);
    ui.painter().text(at, egui::Align2::LEFT_CENTER, text, theme::words(size::BODY), theme.palette.text2);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, RADIUS_CONTROL, egui::Stroke::new(2.0, theme.palette.focus), egui::StrokeKind::Inside);
    }
    response.clicked()
}
