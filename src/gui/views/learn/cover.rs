//! What lies over an answer that is to be predicted first.

use egui::{Align, Layout, RichText, Ui};

use crate::gui::theme::{self, Theme, size};
use crate::session::Action;

/// Says that the answer is hidden, and shows it on request.
pub fn cover_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        ui.add_space((ui.available_height().min(700.0) * 0.36).max(16.0));
        ui.label(RichText::new("The answer is hidden").font(theme::strong(size::TITLE)).color(theme.palette.text));
        ui.label(RichText::new("Predict it, then reveal.").font(theme::words(size::BODY)).color(theme.palette.text2));
        ui.add_space(8.0);
        if ui.button("Reveal (H)").clicked() {
            actions.push(Action::HideAnswers(false));
        }
    });
}
