//! What is where at which size: bars, panels, the view between them, and what lies over it.

use egui::{Context, Frame, Margin, Panel, Rect, ScrollArea, Sense, Ui, vec2};

use super::App;
use crate::gui::theme::{self, PANEL_PADDING, Theme, size};
use crate::gui::views::bars::{self, BarEvent};
use crate::gui::views::palette::{self, Choice};
use crate::gui::views::stopped::{self, Way};
use crate::gui::views::{answer, ask_path, explore, gpu_editor, guide, hand_out, inputs, kernels, keys, learn, present, presets, settings};
use crate::session::{Action, Screen};

/// Below this width the inputs fold into a drawer.
const WIDE: f32 = 1200.0;
/// Below this width the answer moves under the map.
const MEDIUM: f32 = 1000.0;
/// Smaller than this, nothing is drawn: a window that is being opened or closed.
const SMALLEST: egui::Vec2 = vec2(300.0, 200.0);
const INPUTS_WIDTH: f32 = 272.0;
const ANSWER_WIDTH: f32 = 336.0;

impl App {
    /// The whole window.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let width = ui.available_width();
        if width < SMALLEST.x || ui.available_height() < SMALLEST.y {
            return;
        }
        if let Some(words) = &self.stopped {
            match stopped::stopped_ui(ui, words, self.autosave.is_some()) {
                Some(Way::GoOn) => self.stopped = None,
                Some(Way::Close) => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
                None => {}
            }
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
        egui::CentralPanel::no_frame().show(ui, |ui| {
            explore::explore_ui(ui, &mut self.explore, &self.session, !answer_beside, actions);
        });
        if let Some(command) = asked {
            self.invoke(&ui.ctx().clone(), command);
        }
    }
}

/// Answers that are to be predicted first.
fn covered_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    egui::CentralPanel::no_frame().show(ui, |ui| learn::cover_ui(ui, actions));
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
        crate::gui::paint::dashed_rect(ui.painter(), inner, egui::Stroke::new(2.0, theme.palette.accent), 6.0, 4.0);
        ui.painter().text(
            inner.center(),
            egui::Align2::CENTER_CENTER,
            "Drop reports, sessions or presets to open them",
            theme::strong(size::TITLE),
            theme.palette.text,
        );
    });
}
