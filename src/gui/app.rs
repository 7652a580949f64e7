//! The app: a session, what only its window knows, and the way from a view to the session and back.
//!
//! `logic` is what happens between two pictures, `frame` what is where in one, `invoke` what commands do.

mod frame;
mod invoke;
mod logic;
mod presenting;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, Ui};

use super::ahead::Kept;
use super::autosave::Autosave;
use super::effects::Effects;
use super::focus::Focus;
use super::letters;
use super::theme::{self, Contrast};
use super::views::gpu_editor::model::Draft;
use super::views::hand_out::HandOutState;
use super::views::present::Presentation;
use super::views::{explore, kernels, learn, palette, presets};
use crate::arch::Catalog;
use crate::session::{Action, Session};
use crate::shell::{self, Base, Slot, WindowShape};

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
    /// A mistake in the program stopped the drawing, and what it said.
    stopped: Option<String>,
    asked_path: Option<String>,
    /// What the style was made for.
    contrast: Contrast,
    reduced_motion: bool,
    /// What the window was last called.
    title: String,
    autosave: Option<Autosave>,
    /// How large the window is, and how large the last one was.
    pub(super) shape: WindowShape,
    kept_shape: WindowShape,
    /// The picture after which the window is told to fill its display, as the last one did; the first that is shown, once it is known.
    fills_after: Option<u64>,
}

impl App {
    /// The app with a fresh session; `files` are opened at once.
    pub fn new(ctx: &Context, catalog: Arc<Catalog>, files: Vec<PathBuf>) -> Self {
        super::memory::keep_between_frames();
        theme::apply(ctx);
        ctx.add_plugin(super::quiet::Quiet::default());
        letters::take_as_they_are(ctx);
        ctx.add_plugin(super::plain::Plain::default());
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
            stopped: None,
            asked_path: None,
            contrast: Contrast::Screen,
            reduced_motion: false,
            title: logic::TITLE.to_owned(),
            autosave: None,
            shape: WindowShape::default(),
            kept_shape: WindowShape::default(),
            fills_after: None,
        };
        app.act(ctx, Action::OpenPaths(files));
        app
    }

    /// From now on, changes are kept on the disk. `kept` is what it has now.
    pub(super) fn keep(&mut self, ctx: &Context, kept: Kept) {
        let Kept { library, settings, recent, shape } = kept;
        let library = Arc::new(library);
        let base = Base { library: Arc::clone(&library), settings: settings.clone(), recent: recent.clone() };
        self.effects.start_keeping(ctx, base);
        self.act(ctx, Action::TakeKept { settings: Box::new(settings), recent });
        self.act(ctx, Action::MergeLibrary { base: Arc::default(), theirs: library });
        (self.shape, self.kept_shape) = (shape, shape);
        self.fills_after = shape.is_maximized.then_some(u64::MAX);
    }

    /// From now on, what is open is kept too.
    pub(super) fn keep_in(&mut self, slot: Option<Slot>) {
        self.autosave = slot.map(Autosave::new);
    }

    /// Tries again what a mistake in the program stopped.
    pub(super) fn go_on(&mut self) {
        self.stopped = None;
    }

    /// Does a part of a picture. A panic in it ends neither the window nor the work: it is told, and what is open is kept at once.
    pub fn guard(&mut self, ctx: &Context, work: impl FnOnce(&mut Self)) {
        let Err(panic) = std::panic::catch_unwind(AssertUnwindSafe(|| work(self))) else { return };
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        self.stopped = Some(words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default());
        if let Some(job) = self.autosave.as_mut().map(|autosave| autosave.now(&self.session)) {
            self.effects.keep(job);
        }
        ctx.request_repaint();
    }

    /// Applies an action and runs what it asks for.
    pub fn act(&mut self, ctx: &Context, action: Action) {
        for effect in self.session.apply(action) {
            self.effects.run(ctx, &self.session.catalog, effect);
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, frame: &mut eframe::Frame) {
        self.find_monitors(frame);
        self.guard(ctx, |app| app.logic(ctx));
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.guard(&ctx, |app| app.ui(ui));
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        if let Some(settings) = self.presentation.take().and_then(|presentation| self.with_zoom(presentation.zoom)) {
            self.effects.keep(shell::Job::Settings(Box::new(settings)));
        }
        if self.shape != self.kept_shape {
            self.effects.keep(shell::Job::Window(self.shape));
        }
        if let Some(job) = self.autosave.take().map(|autosave| autosave.close(&self.session)) {
            self.effects.keep(job);
        }
        self.effects.finish_keeping();
    }

    fn raw_input_hook(&mut self, _ctx: &Context, input: &mut egui::RawInput) {
        input.max_texture_side = input.max_texture_side.map(|side| side.min(letters::TEXTURE_SIDE));
    }

    /// The ground of the window: views paint only what differs from it.
    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
