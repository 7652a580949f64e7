//! A presentation within the app: how it begins and ends, its keys and its size.

use egui::Context;

use super::App;
use crate::gui::commands::Command;
use crate::gui::views::present::{self, Over, Presentation};
use crate::session::Action;
use crate::session::settings::Settings;

impl App {
    pub(super) fn presentation_keys(&mut self, ctx: &Context) {
        let Some(presentation) = &mut self.presentation else { return };
        match presentation.keys(ctx, &self.session) {
            Ok(actions) => actions.into_iter().for_each(|action| self.act(ctx, action)),
            Err(Over) => self.invoke(ctx, Command::Present),
        }
    }

    /// Begins a presentation as large as the last one was, or ends it.
    pub(super) fn toggle_presentation(&mut self, ctx: &Context) {
        let Some(presentation) = self.presentation.take() else {
            #[expect(clippy::cast_precision_loss, reason = "75 to 300")]
            let zoom = self.session.settings().present_zoom_percent as f32 / 100.0;
            self.presentation = Some(Presentation::start(ctx, zoom));
            return;
        };
        Presentation::end(ctx);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "75 to 300")]
        let present_zoom_percent = (presentation.zoom * 100.0).round() as u32;
        if present_zoom_percent != self.session.settings().present_zoom_percent {
            let settings = Settings { present_zoom_percent, ..self.session.settings().clone() };
            self.act(ctx, Action::SetSettings(Box::new(settings)));
        }
    }

    /// More or less by some percent, or as large as fits.
    #[expect(clippy::cast_precision_loss, reason = "75 to 300")]
    pub(super) fn zoom_presentation(&mut self, percent: Option<i32>) {
        let [least, most] = present::ZOOM;
        if let Some(presentation) = &mut self.presentation {
            presentation.zoom = percent.map_or(1.0, |percent| presentation.zoom + percent as f32 / 100.0).clamp(least, most);
        }
    }
}
