//! From a command to what it does.

use egui::Context;

use super::App;
use crate::gui::commands::{Command, Invocation, other_theme};
use crate::gui::views::hand_out::model::{Job, Shown, View};
use crate::gui::views::hand_out::{self, HandOutEvent};
use crate::gui::views::kernels::model::Points;
use crate::gui::views::{explore, presets};
use crate::session::Action;
use crate::session::settings::Settings;
use crate::shell;

impl App {
    pub(super) fn invoke(&mut self, ctx: &Context, command: Command) {
        match command.invocation(&self.session) {
            Invocation::Act(action) => self.act(ctx, action),
            Invocation::ActAll(actions) => actions.into_iter().for_each(|action| self.act(ctx, action)),
            Invocation::CopyAnswer => {
                let text = explore::answer_as_text(&self.session);
                self.act(ctx, Action::CopyText(text));
            }
            Invocation::CopyJson => {
                let action =
                    hand_out::model::words::json(&self.session).map_or_else(|error| Action::Say(error.to_string()), Action::CopyText);
                self.act(ctx, action);
            }
            Invocation::CopyMarkdown => self.act(ctx, Action::CopyText(hand_out::model::words::markdown(&self.session))),
            Invocation::SavePicture => self.hand_out.toggle(&self.session),
            Invocation::CopyPicture => self.hand_out(ctx, HandOutEvent::Copy(self.hand_out.order(&self.session))),
            Invocation::SaveHeatmap => {
                let shown = Shown::new(&self.session);
                self.effects.spawn(ctx, move || Some(shown.heatmap_csv().map_or_else(Action::Say, Action::SaveFile)));
            }
            Invocation::SwitchTheme => self.act(ctx, Action::SetTheme(other_theme(ctx.theme() == egui::Theme::Dark))),
            Invocation::Zoom(percent) if self.presentation.is_some() => self.zoom_presentation(Some(percent)),
            Invocation::ZoomReset if self.presentation.is_some() => self.zoom_presentation(None),
            Invocation::Present => self.toggle_presentation(ctx),
            Invocation::Zoom(points) => self.zoom(ctx, self.session.settings().zoom_percent.saturating_add_signed(points)),
            Invocation::ZoomReset => self.zoom(ctx, 100),
            Invocation::ShowSettings => self.settings_open = !self.settings_open,
            Invocation::OpenLastSession => self.act(ctx, last_session()),
            Invocation::ShowPresets => self.presets.toggle(),
            Invocation::SavePreset if self.presets.is_open() => {
                if let Some(action) = self.presets.duplicate() {
                    self.act(ctx, action);
                }
            }
            Invocation::SavePreset => {
                let preset = presets::save_current(&self.session);
                self.presets.edit(&preset);
                self.act(ctx, Action::AddPresets(vec![preset]));
            }
            Invocation::ShowPalette => self.palette.toggle(),
            Invocation::ShowKeys => self.keys_open = !self.keys_open,
            Invocation::ShowGuide => self.guide_open = !self.guide_open,
            Invocation::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
    }

    /// Draws a picture on a thread of its own.
    pub(super) fn hand_out(&mut self, ctx: &Context, event: HandOutEvent) {
        let (HandOutEvent::Save(order) | HandOutEvent::Copy(order)) = event;
        let (heatmap, curves) = self.explore.charts();
        let is_dark = ctx.theme() == egui::Theme::Dark;
        let shown = Shown::new(&self.session);
        let is_marked = order.view == View::Heatmap;
        let points = if is_marked { shown.points(&self.session) } else { Points::default() };
        let selected = points.selected(&self.session);
        let job = Job { order, shown, is_dark, contrast: self.contrast, heatmap, curves, points, selected };
        self.effects.spawn(ctx, move || Some(if matches!(event, HandOutEvent::Save(_)) { job.save() } else { job.copy() }));
    }

    fn zoom(&mut self, ctx: &Context, percent: u32) {
        let zoom_percent = percent.clamp(*Settings::ZOOM.start(), *Settings::ZOOM.end());
        let settings = Settings { zoom_percent, ..self.session.settings().clone() };
        self.act(ctx, Action::SetSettings(Box::new(settings)));
    }
}

/// Opens what the window that was closed last had open.
fn last_session() -> Action {
    let last = shell::state_dir().map(|state| shell::last_session(&state)).filter(|path| path.exists());
    last.map_or_else(|| Action::Say("there is no last session yet".to_owned()), |path| Action::OpenPaths(vec![path]))
}
