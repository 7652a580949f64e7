//! The bar at the top and the line at the bottom.

use egui::{Align, Button, Key, Layout, RichText, TextEdit, Ui, vec2};

use crate::gui::commands::Command;
use crate::gui::paint::icons::focus_ring;
use crate::gui::paint::{Icon, icon_button};
use crate::gui::theme::{self, Theme, size};
use crate::gui::views::reading::reading_ui;
use crate::session::{Action, Screen, Session};

/// Recent files that the menu has room for.
const RECENT_IN_MENU: usize = 6;

/// What the bar wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum BarEvent {
    Invoke(Command),
    Act(Action),
    ToggleInputs,
}

/// Logo, screens, undo, open, theme. `inputs_toggle` offers the inputs where they do not fit beside the rest.
pub fn top_bar_ui(ui: &mut Ui, session: &Session, path_draft: &mut String, inputs_toggle: bool) -> Vec<BarEvent> {
    let mut events = Vec::new();
    let back = Some(Command::ReturnToLesson).filter(|back| back.is_enabled(session));
    let width = ui.available_width();
    // What a narrow window leaves out depends on the buttons that come and go.
    let roomy = width >= 670.0 + if inputs_toggle { 76.0 } else { 0.0 } + if back.is_some() { 76.0 } else { 0.0 };
    ui.horizontal_centered(|ui| {
        logo_ui(ui, roomy);
        ui.add_space(8.0);
        for (screen, command) in
            [(Screen::Explore, Command::ShowExplore), (Screen::Kernels, Command::ShowKernels), (Screen::Learn, Command::ShowLearn)]
        {
            if tab_ui(ui, command, session.view().screen == screen) {
                events.push(BarEvent::Invoke(command));
            }
        }
        if inputs_toggle && ui.button("Inputs").on_hover_text("Show or hide the inputs").clicked() {
            events.push(BarEvent::ToggleInputs);
        }
        if let Some(back) = back {
            let words = if width >= 1000.0 { back.text() } else { "Lesson" };
            if ui.button(words).on_hover_text(hover(ui, back)).clicked() {
                events.push(BarEvent::Invoke(back));
            }
        }
        let history = [(Command::Undo, Icon::Undo), (Command::Redo, Icon::Redo)];
        for (command, picture) in history.into_iter().filter(|_| width >= 600.0 || back.is_none()) {
            if command_button(ui, session, command, picture) {
                events.push(BarEvent::Invoke(command));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if command_button(ui, session, Command::SwitchTheme, Icon::Theme) {
                events.push(BarEvent::Invoke(Command::SwitchTheme));
            }
            let find = Command::ShowPalette;
            if roomy && ui.button("Find…").on_hover_text(hover(ui, find)).clicked() {
                events.push(BarEvent::Invoke(find));
            }
            if roomy && ui.button("Keys ?").on_hover_text("All keys").clicked() {
                events.push(BarEvent::Invoke(Command::ShowKeys));
            }
            if width >= 1000.0 {
                export_menu_ui(ui, session, &mut events);
            }
            open_menu_ui(ui, session, path_draft, &mut events);
        });
    });
    events
}

fn logo_ui(ui: &mut Ui, with_name: bool) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), egui::Sense::hover());
    let accent = theme.palette.accent;
    ui.painter().rect_stroke(rect, 3.0, egui::Stroke::new(1.5, accent), egui::StrokeKind::Inside);
    for (x, y, filled) in [(3.0, 3.0, true), (9.0, 3.0, true), (3.0, 9.0, true), (9.0, 9.0, false)] {
        let cell = egui::Rect::from_min_size(rect.min + vec2(x, y), vec2(4.0, 4.0));
        if filled {
            ui.painter().rect_filled(cell, 0.0, accent);
        } else {
            ui.painter().rect_stroke(cell, 0.0, egui::Stroke::new(1.0, accent), egui::StrokeKind::Inside);
        }
    }
    if with_name {
        ui.label(RichText::new("Occuscope").font(theme::strong(14.0)));
    }
}

fn tab_ui(ui: &mut Ui, command: Command, selected: bool) -> bool {
    let theme = Theme::of(ui);
    let ink = if selected { theme.palette.text } else { theme.palette.text2 };
    let text = RichText::new(command.text()).font(theme::medium(size::BODY)).color(ink);
    let fill = if selected { theme.palette.accent_soft } else { egui::Color32::TRANSPARENT };
    let response = ui.add(Button::new(text).fill(fill).stroke(egui::Stroke::NONE).selected(selected));
    if selected {
        let bar = response.rect;
        let underline =
            egui::Rect::from_min_max(egui::pos2(bar.left() + 12.0, bar.bottom() + 4.0), egui::pos2(bar.right() - 12.0, bar.bottom() + 7.0));
        ui.painter().rect_filled(underline, 1.0, theme.palette.accent);
    }
    if response.has_focus() {
        focus_ring(ui.painter(), theme, response.rect.shrink(3.0));
    }
    response.on_hover_text(hover(ui, command)).clicked()
}

fn hover(ui: &Ui, command: Command) -> String {
    let shortcut = command.shortcut().map(|shortcut| format!("  {}", ui.ctx().format_shortcut(&shortcut))).unwrap_or_default();
    format!("{}{shortcut}", command.text())
}

fn command_button(ui: &mut Ui, session: &Session, command: Command, picture: Icon) -> bool {
    let enabled = command.is_enabled(session);
    let name = match command.step_name(session) {
        Some(step) => format!("{}: {}", command.text(), hover(ui, command).replacen(command.text(), step, 1)),
        None => hover(ui, command),
    };
    icon_button(ui, picture, &name, enabled).clicked() && enabled
}

/// Files that were opened before, the newest first.
fn recent_ui(ui: &mut Ui, session: &Session, events: &mut Vec<BarEvent>) {
    if session.recent().is_empty() {
        return;
    }
    ui.separator();
    for path in session.recent().iter().take(RECENT_IN_MENU) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let button = Button::new(name.as_ref()).min_size(vec2(ui.available_width(), 28.0)).truncate();
        if ui.add(button).on_hover_text(path.display().to_string()).clicked() {
            events.push(BarEvent::Act(Action::OpenPaths(vec![path.clone()])));
            ui.close();
        }
    }
    if ui.add(Button::new("Forget recent files").min_size(vec2(ui.available_width(), 28.0))).clicked() {
        events.push(BarEvent::Act(Action::ForgetRecent));
        ui.close();
    }
}

/// What is shown, out of the window.
fn export_menu_ui(ui: &mut Ui, session: &Session, events: &mut Vec<BarEvent>) {
    ui.menu_button("Export", |ui| {
        ui.set_width(280.0);
        for command in [
            Command::SavePicture,
            Command::CopyPicture,
            Command::SaveHeatmap,
            Command::CopyAnswer,
            Command::CopyMarkdown,
            Command::CopyJson,
        ] {
            let shortcut = command.shortcut().map(|shortcut| ui.ctx().format_shortcut(&shortcut)).unwrap_or_default();
            let button = Button::new(command.text()).right_text(shortcut).min_size(vec2(ui.available_width(), 28.0));
            if ui.add_enabled(command.is_enabled(session), button).clicked() {
                events.push(BarEvent::Invoke(command));
                ui.close();
            }
        }
    });
}

fn open_menu_ui(ui: &mut Ui, session: &Session, path_draft: &mut String, events: &mut Vec<BarEvent>) {
    ui.menu_button("Open…", |ui| {
        ui.set_min_width(320.0);
        for command in [
            Command::Open,
            Command::OpenSample,
            Command::OpenLastSession,
            Command::SaveSession,
            Command::SaveSessionAs,
            Command::ShowSettings,
        ] {
            let shortcut = command.shortcut().map(|shortcut| ui.ctx().format_shortcut(&shortcut)).unwrap_or_default();
            if ui.add(Button::new(command.text()).right_text(shortcut).min_size(vec2(ui.available_width(), 28.0))).clicked() {
                events.push(BarEvent::Invoke(command));
                ui.close();
            }
        }
        recent_ui(ui, session, events);
        ui.separator();
        let label = ui.label("Or type a path and press Enter");
        let field =
            ui.add(TextEdit::singleline(path_draft).desired_width(f32::INFINITY).hint_text("/path/to/report.csv")).labelled_by(label.id);
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) && !path_draft.trim().is_empty() {
            events.push(BarEvent::Act(Action::OpenPaths(vec![path_draft.trim().into()])));
            path_draft.clear();
            ui.close();
        }
        let note = "Or drop files anywhere on the window.";
        ui.label(RichText::new(note).font(theme::words(size::NOTE)).color(Theme::of(ui).palette.text3));
    });
}

/// What is being done or was just done, what the numbers rest on, and the main keys.
pub fn status_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let rests_on = || match session.arch() {
        arch if arch.invented => format!("{} is invented: no real GPU has these limits.", session.gpu_name()),
        arch => format!("All numbers follow the hardware rounding of compute capability {}.", arch.compute_capability),
    };
    let said = session.message().map_or_else(rests_on, str::to_owned);
    ui.horizontal_centered(|ui| {
        let keys = match session.view().screen {
            Screen::Explore => "← → step  ·  Space play  ·  P pin  ·  ? keys",
            Screen::Kernels => "↑ ↓ select  ·  ← → fold  ·  Enter open in Explore  ·  ? keys",
            Screen::Learn => "Page Up, Page Down step  ·  H hide or reveal  ·  ? keys",
        };
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(keys).font(theme::words(size::NOTE)).color(theme.palette.text3));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if !session.reading().is_empty() {
                    return reading_ui(ui, session.reading(), actions);
                }
                ui.add(egui::Label::new(RichText::new(said).font(theme::words(size::NOTE)).color(theme.palette.text2)).truncate());
            });
        });
    });
}
