//! A presentation within the app: how it begins and ends, its keys and its size.

use egui::Context;

use super::App;
use crate::gui::commands::Command;
use crate::gui::views::present::monitors::Monitors;
use crate::gui::views::present::{self, Over, Presentation};
use crate::session::settings::Settings;
use crate::session::{Action, Screen};

impl App {
    pub(super) fn presentation_keys(&mut self, ctx: &Context) {
        let Some(presentation) = &mut self.presentation else { return };
        match presentation.keys(ctx, &self.session) {
            Ok(actions) => actions.into_iter().for_each(|action| self.act(ctx, action)),
            Err(Over) => self.invoke(ctx, Command::Present),
        }
        if let Some(zoom) = self.presentation.as_mut().and_then(|presentation| presentation.settled_zoom(ctx)) {
            self.remember_zoom(ctx, zoom);
        }
    }

    /// Which monitors there are, and where the presentation is: the desktop may have put it elsewhere.
    pub(super) fn find_monitors(&mut self, frame: &eframe::Frame) {
        if let (Some(presentation), Some(window)) = (&mut self.presentation, frame.winit_window()) {
            presentation.monitors = Some(Monitors::of(window, presentation.monitors));
        }
    }

    /// Begins a presentation as large as the last one was, or ends it.
    pub(super) fn toggle_presentation(&mut self, ctx: &Context) {
        let Some(presentation) = self.presentation.take() else {
            #[expect(clippy::cast_precision_loss, reason = "75 to 300")]
            let zoom = self.session.settings().present_zoom_percent as f32 / 100.0;
            let kernels = self.kernels.shown(&self.session);
            if self.session.view().screen == Screen::Kernels && self.session.selected().is_none() {
                self.act(ctx, Action::SelectKernel(kernels.first().copied()));
            }
            self.presentation = Some(Presentation::start(ctx, zoom, &self.session, kernels));
            return;
        };
        Presentation::end(ctx);
        self.remember_zoom(ctx, presentation.zoom);
    }

    /// The zoom of the presentation, for the next one.
    fn remember_zoom(&mut self, ctx: &Context, zoom: f32) {
        if let Some(settings) = self.with_zoom(zoom) {
            self.act(ctx, Action::SetSettings(Box::new(settings)));
        }
    }

    /// The settings with another zoom of presentations; none when they have it already.
    pub(super) fn with_zoom(&self, zoom: f32) -> Option<Settings> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "75 to 300")]
        let present_zoom_percent = (zoom * 100.0).round() as u32;
        let settings = self.session.settings();
        (present_zoom_percent != settings.present_zoom_percent).then(|| Settings { present_zoom_percent, ..settings.clone() })
    }

    /// More or less by some percent, or as large as fits.
    #[expect(clippy::cast_precision_loss, reason = "75 to 300")]
    pub(super) fn zoom_presentation(&mut self, percent: Option<i32>) {
        let [least, most] = present::ZOOM;
        if let Some(presentation) = &mut self.presentation {
            presentation.zoom = percent.map_or(1.0, |percent| presentation.zoom + percent as f32 / 100.0).clamp(least, most);
        }
    }

    /// The view that is presented; none when nothing is.
    pub fn slide(&self) -> Option<present::Slide> {
        self.presentation.as_ref().map(|presentation| presentation.slide)
    }
}
