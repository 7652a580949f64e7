//! The window's frame: what is where at which size, keys, dropped files, and the way from a view to the session and back.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, Frame, Margin, Panel, Rect, ScrollArea, Sense, ThemePreference, Ui, vec2};

use super::commands::{Command, Invocation, other_theme};
use super::effects::Effects;
use super::theme::{self, PANEL_PADDING, Theme, size};
use super::views::bars::{self, BarEvent};
use super::views::gpu_editor::model::Draft;
use super::views::palette::{self, Choice};
use super::views::{answer, explore, gpu_editor, inputs, kernels, keys};
use crate::arch::Catalog;
use crate::session::{Action, Screen, Session, ThemeChoice};

/// Below this width the inputs fold into a drawer.
const WIDE: f32 = 1200.0;
/// Below this width the answer moves under the map.
const MEDIUM: f32 = 1000.0;
/// Smaller than this, nothing is drawn: a window that is being opened or closed.
const SMALLEST: egui::Vec2 = vec2(300.0, 200.0);
const INPUTS_WIDTH: f32 = 272.0;
const ANSWER_WIDTH: f32 = 336.0;
const ZOOM: std::ops::RangeInclusive<f32> = 0.75..=3.0;

/// The app: a session and what only the window knows.
#[derive(Debug)]
pub struct App {
    pub session: Session,
    effects: Effects,
    explore: explore::ExploreState,
    kernels: kernels::KernelsState,
    path_draft: String,
    /// The invented GPU that is being edited.
    gpu_draft: Option<Draft>,
    inputs_open: bool,
    keys_open: bool,
    palette: palette::PaletteState,
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
            path_draft: String::new(),
            gpu_draft: None,
            inputs_open: false,
            keys_open: false,
            palette: palette::PaletteState::default(),
        };
        app.act(ctx, Action::OpenPaths(files));
        app
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
        for command in Command::pressed(ctx, &self.session) {
            self.invoke(ctx, command);
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
            Invocation::CopyAnswer => {
                let text = explore::answer_as_text(&self.session);
                self.act(ctx, Action::CopyText(text));
            }
            Invocation::SwitchTheme => self.act(ctx, Action::SetTheme(other_theme(ctx.theme() == egui::Theme::Dark))),
            Invocation::Zoom(factor) => ctx.set_zoom_factor((ctx.zoom_factor() * factor).clamp(*ZOOM.start(), *ZOOM.end())),
            Invocation::ZoomReset => ctx.set_zoom_factor(1.0),
            Invocation::ShowPalette => self.palette.toggle(),
            Invocation::ShowKeys => self.keys_open = !self.keys_open,
            Invocation::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
    }

    /// The whole window.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let width = ui.available_width();
        if width < SMALLEST.x || ui.available_height() < SMALLEST.y {
            return;
        }
        let mut actions = Vec::new();
        self.bars_ui(ui, width, &mut actions);
        match self.session.view().screen {
            Screen::Explore => self.explore_ui(ui, width, &mut actions),
            Screen::Kernels => kernels::kernels_ui(ui, &mut self.kernels, &self.session, &mut actions),
        }
        gpu_editor::gpu_editor_ui(&ctx, &mut self.gpu_draft, &self.session, &mut actions);
        keys::keys_ui(&ctx, &mut self.keys_open);
        match palette::palette_ui(&ctx, &mut self.palette, &self.session) {
            Some(Choice::Invoke(command)) => self.invoke(&ctx, command),
            Some(Choice::Act(chosen)) => actions.extend(chosen),
            None => {}
        }
        drop_hint_ui(&ctx);
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
        if width >= WIDE || self.inputs_open {
            side_panel(ui, Panel::left("inputs"), INPUTS_WIDTH, PANEL_PADDING, |ui| {
                inputs::inputs_ui(ui, &self.session, &mut self.gpu_draft, actions);
            });
        }
        let answer_beside = width >= MEDIUM;
        if answer_beside {
            side_panel(ui, Panel::right("answer"), ANSWER_WIDTH, 20, |ui| answer::answer_ui(ui, &self.session, actions));
        }
        let ground = Frame::new().fill(Theme::of(ui).palette.bg);
        egui::CentralPanel::default().frame(ground).show(ui, |ui| {
            explore::explore_ui(ui, &mut self.explore, &self.session, !answer_beside, actions);
        });
    }
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
            "Drop profiler reports to open them",
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

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
