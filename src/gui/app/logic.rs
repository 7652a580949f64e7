//! What happens between two pictures: answers, dropped files, keys, and the settings that the window follows.

use std::path::PathBuf;

use egui::{Context, ThemePreference};

use super::App;
use crate::gui::commands::{Command, pressed_number};
use crate::gui::theme::{self, Contrast};
use crate::gui::views::presets;
use crate::session::{Action, Session, ThemeChoice, saved};

/// The window's name while nothing is open.
pub const TITLE: &str = "Occuscope";

impl App {
    /// What has to happen before anything is drawn: answers from outside, dropped files, keys.
    pub fn logic(&mut self, ctx: &Context) {
        if self.stopped.is_some() {
            return;
        }
        self.take_answers(ctx);
        self.focus.follow(ctx);
        self.presentation_keys(ctx);
        self.keys(ctx);
        if let Some(job) = self.autosave.as_mut().and_then(|autosave| autosave.due(ctx, &self.session)) {
            self.effects.keep(job);
        }
        self.follow_look(ctx);
        self.follow_title(ctx);
        self.fill_display(ctx);
        self.note_shape(ctx);
    }

    /// What threads and dialogs answered, and files that were dropped on the window.
    fn take_answers(&mut self, ctx: &Context) {
        for action in self.effects.answers() {
            self.act(ctx, action);
        }
        let dropped: Vec<PathBuf> =
            ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files)).iter().map(|file| file.path().to_owned()).collect();
        self.act(ctx, Action::OpenPaths(dropped));
    }

    /// Pasted presets, the numbers of presets, and the keys of commands.
    fn keys(&mut self, ctx: &Context) {
        for text in pasted_codes(ctx) {
            self.act(ctx, Action::PasteText(text));
        }
        let number = pressed_number(ctx).filter(|_| !self.is_covered());
        if let Some(preset) = number.and_then(|key| presets::model::of_key(&self.session, key)) {
            self.act(ctx, Action::UsePreset(Box::new(preset.clone())));
        }
        let is_presenting = self.presentation.is_some();
        for command in Command::pressed(ctx, &self.session) {
            if !is_presenting || command.works_while_presenting() {
                self.invoke(ctx, command);
            }
        }
    }

    /// Whether something lies over the view, so that bare keys are not meant for it.
    fn is_covered(&self) -> bool {
        self.presets.is_open()
            || self.keys_open
            || self.guide_open
            || self.settings_open
            || self.hand_out.is_open()
            || self.asked_path.is_some()
            || self.gpu_draft.is_some()
    }

    /// Names the window after what is open in it.
    fn follow_title(&mut self, ctx: &Context) {
        let title = title(&self.session);
        if self.title != title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Maximizes a window whose forerunner was. Some desktops do not listen before it is shown, which is after its first picture.
    fn fill_display(&mut self, ctx: &Context) {
        let Some(first) = self.fills_after else { return };
        let picture = ctx.cumulative_frame_nr();
        if picture <= first {
            self.fills_after = Some(picture);
            return ctx.request_repaint();
        }
        self.fills_after = None;
        if ctx.input(|input| input.viewport().maximized != Some(true)) {
            ctx.send_viewport_cmd(egui::ViewportCommand::Maximized(true));
        }
    }

    /// How large the window is, for the next one. What it is in a presentation or while it is minimized says nothing.
    fn note_shape(&mut self, ctx: &Context) {
        let shape = &mut self.shape;
        let zoom = ctx.zoom_factor();
        ctx.input(|input| {
            let window = input.viewport();
            if window.fullscreen == Some(true) || window.minimized == Some(true) {
                return;
            }
            shape.scale = window.native_pixels_per_point.unwrap_or(shape.scale);
            // macOS tells it once, and not when it changes.
            shape.is_maximized = window.maximized == Some(true) && cfg!(not(target_os = "macos"));
            if !shape.is_maximized {
                shape.size = (input.viewport_rect().size() * zoom).round().into();
            }
        });
        shape.is_light = ctx.system_theme().map(|theme| theme == egui::Theme::Light);
    }

    /// Makes the window look the way it is set.
    pub(in crate::gui) fn follow_look(&mut self, ctx: &Context) {
        let is_presenting = self.presentation.is_some();
        let settings = self.session.settings();
        let contrast = if is_presenting || settings.high_contrast { Contrast::Projector } else { Contrast::Screen };
        if (self.contrast, self.reduced_motion) != (contrast, settings.reduced_motion) {
            (self.contrast, self.reduced_motion) = (contrast, settings.reduced_motion);
            theme::set_contrast(ctx, contrast);
            theme::set_motion(ctx, settings.reduced_motion);
        }
        crate::fmt::set_style(settings.numbers);
        // A presentation is as large as its window lets it be.
        if !is_presenting {
            ctx.set_zoom_factor(settings.zoom());
        }
        ctx.set_theme(match self.session.view().theme {
            ThemeChoice::System => ThemePreference::System,
            ThemeChoice::Dark => ThemePreference::Dark,
            ThemeChoice::Light => ThemePreference::Light,
        });
    }
}

/// What the window is called: what is open in it, then the program.
fn title(session: &Session) -> String {
    let named = |path: &std::path::Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let reports = &session.document().reports;
    let open = match (session.file().and_then(named), reports.as_slice()) {
        (Some(file), _) => file,
        (None, []) => return TITLE.to_owned(),
        (None, [report]) => report.name(),
        (None, reports) => crate::fmt::counted(reports.len() as u64, "file"),
    };
    format!("{} – {TITLE}", crate::fmt::harmless(&open))
}

/// Codes of presets that were pasted, wherever the keyboard is: no field is meant to have one.
fn pasted_codes(ctx: &Context) -> Vec<String> {
    let is_code = |event: &egui::Event| matches!(event, egui::Event::Paste(text) if saved::code::is_code(text));
    let events = ctx.input_mut(|input| input.events.extract_if(.., |event| is_code(event)).collect::<Vec<_>>());
    events.into_iter().filter_map(|event| if let egui::Event::Paste(text) = event { Some(text) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::arch::Catalog;
    use crate::session::OpenReport;

    #[test]
    fn the_window_is_called_what_is_open_in_it() {
        let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
        assert_eq!(title(&session), "Occuscope");
        for (path, expected) in [("/data/a.csv", "a.csv – Occuscope"), ("/data/b.csv", "2 files – Occuscope")] {
            session.apply(Action::AddReport(OpenReport { path: path.into(), content: Err("empty".to_owned()) }));
            assert_eq!(title(&session), expected);
        }
    }

    #[test]
    fn the_size_of_the_window_is_noted_unless_it_fills_the_display() {
        use egui::{Pos2, RawInput, Rect, Theme, Vec2, ViewportId};

        use crate::shell::WindowShape;

        let ctx = Context::default();
        let mut app = App::new(&ctx, Arc::new(Catalog::builtin().clone()), Vec::new());
        let mut see = |size: [f32; 2], maximized: bool, fullscreen: bool| {
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, Vec2::from(size) / ctx.zoom_factor()));
            let mut input = RawInput { screen_rect, system_theme: Some(Theme::Light), ..RawInput::default() };
            let window = input.viewports.entry(ViewportId::ROOT).or_default();
            (window.maximized, window.fullscreen, window.native_pixels_per_point) = (Some(maximized), Some(fullscreen), Some(2.0));
            ctx.run_ui(input, |ui| app.logic(ui.ctx())).textures_delta.clear();
            app.shape
        };
        let expected = WindowShape { size: [1000.0, 700.0], scale: 2.0, is_light: Some(true), ..WindowShape::default() };
        assert_eq!(see([1000.0, 700.0], false, false), expected);
        assert_eq!(see([1920.0, 1080.0], false, true), expected);
        assert_eq!(see([1000.4, 700.4], false, false), expected);
        assert_eq!(see([1920.0, 1080.0], true, false), WindowShape { is_maximized: true, ..expected });
        ctx.options_mut(|options| options.zoom_factor = 1.25);
        assert_eq!(see([800.0, 600.0], false, false), WindowShape { size: [800.0, 600.0], ..expected });
    }

    #[test]
    fn a_window_whose_forerunner_filled_its_display_is_told_so_once_it_is_shown() {
        use egui::{RawInput, ViewportCommand, ViewportId};

        use crate::gui::ahead::Kept;
        use crate::shell::WindowShape;

        let ctx = Context::default();
        let told = |is_maximized: bool, says: Option<bool>| {
            let mut app = App::new(&ctx, Arc::new(Catalog::builtin().clone()), Vec::new());
            app.keep(&ctx, Kept { shape: WindowShape { is_maximized, ..WindowShape::default() }, ..Kept::default() });
            [(); 4].map(|()| {
                let mut input = RawInput::default();
                input.viewports.entry(ViewportId::ROOT).or_default().maximized = says;
                let mut output = ctx.run_ui(input, |ui| app.logic(ui.ctx()));
                output.textures_delta.clear();
                let window = output.viewport_output.remove(&ViewportId::ROOT).expect("the window");
                window.commands.contains(&ViewportCommand::Maximized(true))
            })
        };
        assert_eq!(told(true, Some(false)), [false, true, false, false]);
        assert_eq!(told(true, Some(true)), [false; 4]);
        assert_eq!(told(false, Some(false)), [false; 4]);
    }
}
