//! The page that is shown after a mistake in the program: what became of the work, and a report to copy.

use egui::{Button, RichText, ScrollArea, TextEdit, Ui};

use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::note;
use crate::shell;

/// Where to go from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    GoOn,
    Close,
}

/// Draws the page. `words` are the panic's; `is_kept` tells whether the session is on the disk.
pub fn stopped_ui(ui: &mut Ui, words: &str, is_kept: bool) -> Option<Way> {
    let mut way = None;
    let ground = egui::Frame::new().inner_margin(32);
    egui::CentralPanel::default().frame(ground).show(ui, |ui| {
        ui.set_max_width(720.0);
        ui.label(RichText::new("Occuscope made a mistake and stopped drawing").font(theme::strong(size::TITLE)));
        note(ui, words);
        let kept = if is_kept {
            "Nothing is lost: what was open was kept just now. Go on where you were, or close; then it is the last session (Open, or Ctrl+Shift+L)."
        } else {
            "What was open is still here, but nothing can be kept on this machine: go on and save it where you can."
        };
        note(ui, kept);
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| {
            let palette = Theme::of(ui).palette;
            let go_on = Button::new(RichText::new("Go on").color(palette.on_accent)).fill(palette.accent);
            if ui.add(go_on).clicked() {
                way = Some(Way::GoOn);
            }
            if ui.button("Copy a report for a bug").on_hover_text("Nothing is sent anywhere").clicked() {
                ui.ctx().copy_text(shell::mistake_report());
            }
            if ui.button("Close").clicked() {
                way = Some(Way::Close);
            }
        });
        ui.add_space(8.0);
        let log = match shell::log_path().filter(|_| shell::is_logging()) {
            Some(path) => format!("The report, and the log that it is the end of: {}", path.display()),
            None => "The report; there is no log file:".to_owned(),
        };
        note(ui, &log);
        ScrollArea::both().show(ui, |ui| {
            let mut report = shell::mistake_report();
            ui.add(TextEdit::multiline(&mut report).font(theme::mono(size::NOTE)).desired_width(f32::INFINITY).interactive(false));
        });
    });
    way
}
