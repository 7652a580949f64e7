//! The window's frame: what is where at which size, keys, dropped files, and the way from a view to the session and back.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, Frame, Margin, Panel, Rect, ScrollArea, Sense, ThemePreference, Ui, vec2};

use super::autosave::Autosave;
use super::commands::{Command, Invocation, other_theme, pressed_number};
use super::effects::Effects;
use super::focus::Focus;
use super::run::Kept;
use super::theme::Contrast;
use super::theme::{self, PANEL_PADDING, Theme, size};
use super::views::bars::{self, BarEvent};
use super::views::gpu_editor::model::Draft;
use super::views::hand_out::model::{Job, Shown, View};
use super::views::hand_out::{self, HandOutEvent, HandOutState};
use super::views::kernels::model::Points;
use super::views::palette::{self, Choice};
use super::views::present::{self, Over, Presentation};
use super::views::{answer, ask_path, explore, gpu_editor, guide, inputs, kernels, keys, learn, presets, settings};
use crate::arch::Catalog;
use crate::session::settings::Settings;
use crate::session::{Action, Screen, Session, ThemeChoice, saved};
use crate::shell;

/// Below this width the inputs fold into a drawer.
const WIDE: f32 = 1200.0;
/// Below this width the answer moves under the map.
const MEDIUM: f32 = 1000.0;
/// Smaller than this, nothing is drawn: a window that is being opened or closed.
const SMALLEST: egui::Vec2 = vec2(300.0, 200.0);
const TITLE: &str = "Occuscope";
const INPUTS_WIDTH: f32 = 272.0;
const ANSWER_WIDTH: f32 = 336.0;

/// The app: a session and what only the window knows.
#[derive(Debug)]
pub struct App {
    pub session: Session,
    effects: Effects,
    explore: explore::ExploreState,
    kernels: kernels::KernelsState,
    learn: learn::LearnState,
    path_draft: String,
    /// The invented GPU that is being edited.
    gpu_draft: Option<Draft>,
    inputs_open: bool,
    keys_open: bool,
    guide_open: bool,
    focus: Focus,
    palette: palette::PaletteState,
    presentation: Option<Presentation>,
    presets: presets::PresetsState,
    hand_out: HandOutState,
    settings_open: bool,
    asked_path: Option<String>,
    /// What the style was made for.
    contrast: Contrast,
    /// What the window was last called.
    title: String,
    autosave: Option<Autosave>,
}

impl App {
    /// The app with a fresh session; `files` are opened at once.
    pub fn new(ctx: &Context, catalog: Arc<Catalog>, files: Vec<PathBuf>) -> Self {
        super::memory::keep_between_frames();
        theme::apply(ctx);
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let mut app = Self {
            session: Session::new(catalog),
            effects: Effects::default(),
            explore: explore::ExploreState::default(),
            kernels: kernels::KernelsState::default(),
            learn: learn::LearnState::default(),
            path_draft: String::new(),
            gpu_draft: None,
            inputs_open: false,
            keys_open: false,
            guide_open: false,
            focus: Focus::default(),
            palette: palette::PaletteState::default(),
            presentation: None,
            presets: presets::PresetsState::default(),
            hand_out: HandOutState::default(),
            settings_open: false,
            asked_path: None,
            contrast: Contrast::Screen,
            title: TITLE.to_owned(),
            autosave: None,
        };
        app.act(ctx, Action::OpenPaths(files));
        app
    }

    /// From now on, changes are kept on the disk. `kept` is what it has now.
    pub fn keep(&mut self, ctx: &Context, kept: Kept) {
        let Kept { library, settings, recent, slot, left_behind, problems } = kept;
        let library = Arc::new(library);
        self.effects.start_keeping(ctx, Arc::clone(&library));
        self.act(ctx, Action::TakeKept { settings: Box::new(settings), recent });
        self.act(ctx, Action::MergeLibrary { base: Arc::default(), theirs: library });
        if let Some((restored, message)) = left_behind {
            self.act(ctx, Action::TakeSession { restored: Box::new(restored), file: None, message });
        }
        if !problems.is_empty() {
            self.act(ctx, Action::Say(problems.join("; ")));
        }
        self.autosave = slot.map(Autosave::new);
    }

    /// Applies an action and runs what it asks for.
    pub fn act(&mut self, ctx: &Context, action: Action) {
        for effect in self.session.apply(action) {
            self.effects.run(ctx, &self.session.catalog, effect);
        }
    }

    /// What has to happen before anything is drawn: answers from outside, dropped files, keys.
    pub fn logic(&mut self, ctx: &Context) {
        for action in self.effects.answers() {
            self.act(ctx, action);
        }
        let dropped: Vec<PathBuf> =
            ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files)).iter().map(|file| file.path().to_owned()).collect();
        self.act(ctx, Action::OpenPaths(dropped));
        self.focus.follow(ctx);
        self.presentation_keys(ctx);
        let is_presenting = self.presentation.is_some();
        for text in pasted_codes(ctx) {
            self.act(ctx, Action::PasteText(text));
        }
        let is_covered = self.presets.is_open()
            || self.keys_open
            || self.guide_open
            || self.settings_open
            || self.hand_out.is_open()
            || self.asked_path.is_some()
            || self.gpu_draft.is_some();
        if let Some(preset) = pressed_number(ctx).filter(|_| !is_covered).and_then(|key| presets::model::of_key(&self.session, key)) {
            self.act(ctx, Action::UsePreset(Box::new(preset.clone())));
        }
        for command in Command::pressed(ctx, &self.session) {
            if !is_presenting || command.works_while_presenting() {
                self.invoke(ctx, command);
            }
        }
        if let Some(job) = self.autosave.as_mut().and_then(|autosave| autosave.due(ctx, &self.session)) {
            self.effects.keep(job);
        }
        let settings = self.session.settings();
        let contrast = if is_presenting || settings.high_contrast { Contrast::Projector } else { Contrast::Screen };
        if self.contrast != contrast {
            self.contrast = contrast;
            theme::set_contrast(ctx, contrast);
        }
        let title = title(&self.session);
        if self.title != title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        crate::fmt::set_style(settings.numbers);
        // A presentation is as large as its window lets it be.
        if !is_presenting {
            #[expect(clippy::cast_precision_loss, reason = "75 to 300")]
            ctx.set_zoom_factor(settings.zoom_percent as f32 / 100.0);
        }
        ctx.set_theme(match self.session.view().theme {
            ThemeChoice::System => ThemePreference::System,
            ThemeChoice::Dark => ThemePreference::Dark,
            ThemeChoice::Light => ThemePreference::Light,
        });
    }

    fn invoke(&mut self, ctx: &Context, command: Command) {
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
            Invocation::SavePicture => self.hand_out.toggle(),
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
    fn hand_out(&mut self, ctx: &Context, event: HandOutEvent) {
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

    fn presentation_keys(&mut self, ctx: &Context) {
        let Some(presentation) = &mut self.presentation else { return };
        match presentation.keys(ctx, &self.session) {
            Ok(actions) => actions.into_iter().for_each(|action| self.act(ctx, action)),
            Err(Over) => self.invoke(ctx, Command::Present),
        }
        if let Some(zoom) = self.presentation.as_mut().and_then(|presentation| presentation.settled_zoom(ctx)) {
            self.remember_zoom(ctx, zoom);
        }
    }

    /// Begins a presentation as large as the last one was, or ends it.
    fn toggle_presentation(&mut self, ctx: &Context) {
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
    fn with_zoom(&self, zoom: f32) -> Option<Settings> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "75 to 300")]
        let present_zoom_percent = (zoom * 100.0).round() as u32;
        let settings = self.session.settings();
        (present_zoom_percent != settings.present_zoom_percent).then(|| Settings { present_zoom_percent, ..settings.clone() })
    }

    /// More or less by some percent, or as large as fits.
    #[expect(clippy::cast_precision_loss, reason = "75 to 300")]
    fn zoom_presentation(&mut self, percent: Option<i32>) {
        let [least, most] = present::ZOOM;
        if let Some(presentation) = &mut self.presentation {
            presentation.zoom = percent.map_or(1.0, |percent| presentation.zoom + percent as f32 / 100.0).clamp(least, most);
        }
    }

    /// The view that is presented; none when nothing is.
    pub fn slide(&self) -> Option<present::Slide> {
        self.presentation.as_ref().map(|presentation| presentation.slide)
    }

    fn zoom(&mut self, ctx: &Context, percent: u32) {
        let zoom_percent = percent.clamp(*Settings::ZOOM.start(), *Settings::ZOOM.end());
        let settings = Settings { zoom_percent, ..self.session.settings().clone() };
        self.act(ctx, Action::SetSettings(Box::new(settings)));
    }

    /// The whole window.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let width = ui.available_width();
        if width < SMALLEST.x || ui.available_height() < SMALLEST.y {
            return;
        }
        if let Some(presentation) = &mut self.presentation {
            present::present_ui(ui, presentation, &self.session);
            return;
        }
        let mut actions = Vec::new();
        self.bars_ui(ui, width, &mut actions);
        match self.session.view().screen {
            Screen::Explore => self.explore_ui(ui, width, &mut actions),
            Screen::Kernels if self.session.view().hides_answers => covered_ui(ui, &mut actions),
            Screen::Kernels => kernels::kernels_ui(ui, &mut self.kernels, &self.session, &mut actions),
            Screen::Learn => learn::learn_ui(ui, &mut self.learn, &mut self.explore, &self.session, &mut actions),
        }
        gpu_editor::gpu_editor_ui(&ctx, &mut self.gpu_draft, &self.session, &mut actions);
        presets::presets_ui(&ctx, &mut self.presets, &self.session, &mut actions);
        ask_path::ask_path_ui(&ctx, &mut self.asked_path, &self.session, &mut actions);
        if let Some(event) = hand_out::hand_out_ui(&ctx, &mut self.hand_out, &self.session) {
            self.hand_out(&ctx, event);
        }
        settings::settings_ui(&ctx, &mut self.settings_open, &self.session, &mut actions);
        keys::keys_ui(&ctx, &mut self.keys_open);
        guide::guide_ui(&ctx, &mut self.guide_open);
        match palette::palette_ui(&ctx, &mut self.palette, &self.session) {
            Some(Choice::Invoke(command)) => self.invoke(&ctx, command),
            Some(Choice::Act(chosen)) => actions.extend(chosen),
            Some(Choice::Read(lesson)) => actions.extend(lesson.go_to(0, &self.session)),
            None => {}
        }
        drop_hint_ui(&ctx);
        self.focus.paint(&ctx);
        for action in actions {
            self.act(&ctx, action);
        }
    }

    fn bars_ui(&mut self, ui: &mut Ui, width: f32, actions: &mut Vec<Action>) {
        let palette = Theme::of(ui).palette;
        let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(PANEL_PADDING, 0));
        let toggle = width < WIDE && self.session.view().screen == Screen::Explore;
        let events = Panel::top("bar")
            .exact_size(44.0)
            .frame(bar)
            .show(ui, |ui| bars::top_bar_ui(ui, &self.session, &mut self.path_draft, toggle))
            .inner;
        let ctx = ui.ctx().clone();
        for event in events {
            match event {
                BarEvent::Invoke(command) => self.invoke(&ctx, command),
                BarEvent::Act(action) => actions.push(action),
                BarEvent::ToggleInputs => self.inputs_open = !self.inputs_open,
            }
        }
        Panel::bottom("status").exact_size(24.0).frame(bar).show(ui, |ui| bars::status_ui(ui, &self.session, actions));
    }

    fn explore_ui(&mut self, ui: &mut Ui, width: f32, actions: &mut Vec<Action>) {
        let mut asked = None;
        if width >= WIDE || self.inputs_open {
            side_panel(ui, Panel::left("inputs"), INPUTS_WIDTH, PANEL_PADDING, |ui| {
                asked = inputs::inputs_ui(ui, &self.session, &mut self.gpu_draft, actions);
            });
        }
        if self.session.view().hides_answers {
            return covered_ui(ui, actions);
        }
        let answer_beside = width >= MEDIUM;
        if answer_beside {
            side_panel(ui, Panel::right("answer"), ANSWER_WIDTH, 20, |ui| answer::answer_ui(ui, &self.session, actions));
        }
        let ground = Frame::new().fill(Theme::of(ui).palette.bg);
        egui::CentralPanel::default().frame(ground).show(ui, |ui| {
            explore::explore_ui(ui, &mut self.explore, &self.session, !answer_beside, actions);
        });
        if let Some(command) = asked {
            self.invoke(&ui.ctx().clone(), command);
        }
    }
}

/// Answers that are to be predicted first.
fn covered_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    let ground = Frame::new().fill(Theme::of(ui).palette.bg);
    egui::CentralPanel::default().frame(ground).show(ui, |ui| learn::cover_ui(ui, actions));
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

/// A panel of fixed width whose content scrolls.
fn side_panel(ui: &mut Ui, panel: Panel, width: f32, padding: i8, content: impl FnOnce(&mut Ui)) {
    let frame = Frame::new().fill(Theme::of(ui).palette.panel);
    panel.exact_size(width).resizable(false).frame(frame).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            Frame::new().inner_margin(Margin::symmetric(padding, 14)).show(ui, content);
        });
    });
}

/// Opens what the window that was closed last had open.
fn last_session() -> Action {
    let last = shell::state_dir().map(|state| shell::last_session(&state)).filter(|path| path.exists());
    last.map_or_else(|| Action::Say("there is no last session yet".to_owned()), |path| Action::OpenPaths(vec![path]))
}

/// Codes of presets that were pasted, wherever the keyboard is: no field is meant to have one.
fn pasted_codes(ctx: &Context) -> Vec<String> {
    let is_code = |event: &egui::Event| matches!(event, egui::Event::Paste(text) if saved::code::is_code(text));
    let events = ctx.input_mut(|input| input.events.extract_if(.., |event| is_code(event)).collect::<Vec<_>>());
    events.into_iter().filter_map(|event| if let egui::Event::Paste(text) = event { Some(text) } else { None }).collect()
}

/// Says that files may be dropped, while some hover over the window.
fn drop_hint_ui(ctx: &Context) {
    if ctx.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let screen = ctx.content_rect();
    egui::Area::new(egui::Id::unique("drop-hint")).order(egui::Order::Foreground).fixed_pos(screen.min).show(ctx, |ui| {
        let theme = Theme::of(ui);
        let (rect, _) = ui.allocate_exact_size(screen.size(), Sense::hover());
        ui.painter().rect_filled(rect, 0.0, theme.palette.bg.gamma_multiply(0.9));
        let inner = Rect::from_center_size(rect.center(), vec2(420.0, 120.0).min(rect.size()));
        super::paint::dashed_rect(ui.painter(), inner, egui::Stroke::new(2.0, theme.palette.accent), 6.0, 4.0);
        ui.painter().text(
            inner.center(),
            egui::Align2::CENTER_CENTER,
            "Drop reports, sessions or presets to open them",
            theme::strong(size::TITLE),
            theme.palette.text,
        );
    });
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        Self::logic(self, ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        Self::ui(self, ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        if let Some(settings) = self.presentation.take().and_then(|presentation| self.with_zoom(presentation.zoom)) {
            self.effects.keep(shell::Job::Settings(Box::new(settings)));
        }
        if let Some(job) = self.autosave.take().map(|autosave| autosave.close(&self.session)) {
            self.effects.keep(job);
        }
        self.effects.finish_keeping();
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
