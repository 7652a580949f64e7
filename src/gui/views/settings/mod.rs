//! The page of settings. Each takes effect at once and is kept; where things are kept is said below.

use egui::{Button, Context, Frame, Id, Modal, RichText, ScrollArea, Ui};

use super::inputs::gpu_picker;
use crate::fmt::{Grouping, NumberStyle, OccupancyUnit, SizeUnit};
use crate::gui::theme::{self, CONTROL_HEIGHT, size};
use crate::gui::widgets::{note, quiet, rule};
use crate::session::settings::Settings;
use crate::session::{Action, Session, ThemeChoice};
use crate::shell;

/// Steps of the zoom, in percent.
const ZOOM_STEP: u32 = 25;

/// Draws the page while it is open.
pub fn settings_ui(ctx: &Context, open: &mut bool, session: &Session, actions: &mut Vec<Action>) {
    if !*open {
        return;
    }
    let screen = ctx.content_rect();
    let frame = Frame::popup(&ctx.global_style()).inner_margin(20);
    let modal = Modal::new(Id::unique("settings")).frame(frame).show(ctx, |ui| {
        ui.set_width((screen.width() - 80.0).clamp(200.0, 560.0));
        ui.label(RichText::new("Settings").font(theme::strong(size::TITLE)));
        ui.add_space(8.0);
        // What needs more than the window has takes all of it at once: a page that grows from picture to picture cannot be clicked.
        let height = (screen.height() - 190.0).max(60.0);
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, |ui| {
            let mut settings = session.settings().clone();
            fields_ui(ui, session, &mut settings);
            if settings != *session.settings() {
                actions.push(Action::SetSettings(Box::new(settings)));
            }
            rule(ui, 0.0);
            places_ui(ui);
        });
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let reset = ui.add_enabled(*session.settings() != Settings::default(), Button::new("Reset settings"));
            if reset.on_hover_text("Everything on this page as Occuscope comes; presets and sessions stay").clicked() {
                actions.push(Action::SetSettings(Box::default()));
            }
            let report =
                ui.button("Copy a report for a bug").on_hover_text("The version, the system and the end of the log, as text to paste");
            if report.clicked() {
                actions.push(Action::CopyText(shell::mistake_report()));
            }
            ui.button("Close").clicked()
        })
        .inner
    });
    if modal.inner || modal.should_close() {
        *open = false;
    }
}

fn fields_ui(ui: &mut Ui, session: &Session, settings: &mut Settings) {
    let themes = [(ThemeChoice::System, "As the system"), (ThemeChoice::Dark, "Dark"), (ThemeChoice::Light, "Light")];
    choice_ui(ui, "Theme", &themes, &mut settings.theme);
    choice_ui(ui, "Palette", &[(false, "Standard"), (true, "High contrast")], &mut settings.high_contrast);
    row_ui(ui, "Zoom", |ui| {
        let zoom = settings.zoom_percent;
        // Right to left.
        let larger = step_button(ui, "+", "Larger", zoom < *Settings::ZOOM.end());
        ui.label(RichText::new(format!("{zoom} %")).font(theme::mono(size::BODY)));
        let smaller = step_button(ui, "−", "Smaller", zoom > *Settings::ZOOM.start());
        if larger {
            settings.zoom_percent = (zoom / ZOOM_STEP * ZOOM_STEP + ZOOM_STEP).min(*Settings::ZOOM.end());
        } else if smaller {
            settings.zoom_percent = (zoom.div_ceil(ZOOM_STEP) * ZOOM_STEP - ZOOM_STEP).max(*Settings::ZOOM.start());
        }
    });
    let NumberStyle { sizes, grouping, occupancy } = &mut settings.numbers;
    choice_ui(ui, "Sizes", &[(SizeUnit::Kib, "48 KiB"), (SizeUnit::Kb, "48 KB"), (SizeUnit::Bytes, "49,152 B")], sizes);
    ui.label(quiet(ui, "As NVIDIA writes it, a KB is 1,024 bytes: both are one number."));
    choice_ui(ui, "Thousands", &[(Grouping::Comma, "65,536"), (Grouping::Space, "65 536"), (Grouping::None, "65536")], grouping);
    choice_ui(ui, "Occupancy", &[(OccupancyUnit::Percent, "37.5 %"), (OccupancyUnit::Warps, "24 of 64 warps")], occupancy);
    choice_ui(ui, "Motion", &[(false, "Full"), (true, "Reduced")], &mut settings.reduced_motion);
    ui.label(quiet(ui, "Reduced: blocks appear in their places, lists jump instead of sliding, no cursor blinks."));
    row_ui(ui, "A new window starts with", |ui| {
        let first = &crate::session::presets::builtin()[0].configuration.gpu;
        if settings.default_gpu.is_some() && ui.button("As it comes").on_hover_text(format!("Start with {first} again")).clicked() {
            settings.default_gpu = None;
        }
        let current = settings.default_gpu.clone().unwrap_or_else(|| first.clone());
        let chosen = ui
            .allocate_ui_with_layout(egui::vec2(220.0, 36.0), egui::Layout::left_to_right(egui::Align::Center), |ui| {
                gpu_picker::gpu_picker_ui(ui, &session.catalog, &current)
            })
            .inner;
        if chosen.is_some() {
            settings.default_gpu = chosen;
        }
    });
}

/// A button whose sign has a name.
fn step_button(ui: &mut Ui, sign: &str, name: &str, enabled: bool) -> bool {
    let response = ui.add_enabled(enabled, Button::new(sign)).on_hover_text(name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, name));
    response.clicked()
}

/// Where things are kept, and that they stay there.
fn places_ui(ui: &mut Ui) {
    let place = |path: Option<std::path::PathBuf>| {
        path.map_or_else(|| "nowhere: there is no home directory".to_owned(), |path| path.display().to_string())
    };
    ui.label(RichText::new("Where things are").font(theme::medium(size::BODY)));
    for (what, path) in [
        ("Settings", shell::settings_path()),
        ("Presets", shell::presets_path()),
        ("Own GPUs", shell::config_dir().map(|config| config.join("arch"))),
        ("The running session, recent files", shell::state_dir()),
    ] {
        note(ui, &format!("{what}: {}", place(path)));
    }
    match shell::log_path() {
        Some(path) if !shell::is_logging() => note(ui, &format!("Log: none, because this cannot be written to: {}", path.display())),
        path => note(ui, &format!("Log: {}", place(path))),
    }
    let portable = if shell::portable_home().is_some() {
        "Portable: OCCUSCOPE_HOME names one directory for all of it."
    } else {
        "Set OCCUSCOPE_HOME to a directory to keep all of it there, for instance on a stick."
    };
    note(ui, portable);
    ui.add_space(4.0);
    note(ui, "Nothing leaves this machine: Occuscope makes no network connection.");
}

fn row_ui(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(CONTROL_HEIGHT);
        ui.label(RichText::new(name).font(theme::medium(size::BODY)));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(12.0);
            control(ui);
        });
    });
}

fn choice_ui<T: Copy + PartialEq>(ui: &mut Ui, name: &str, choices: &[(T, &str)], current: &mut T) {
    row_ui(ui, name, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for (value, words) in choices.iter().rev() {
            let response = ui.add(Button::new(*words).selected(value == current));
            response
                .widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, true, value == current, format!("{name}: {words}")));
            if response.clicked() {
                *current = *value;
            }
        }
    });
}
