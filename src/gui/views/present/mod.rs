//! Present: one view and the sentence that answers, large, for the last row of a room; stepped by keys or a clicker.
//!
//! Start with [`present_ui`]. [`model`] says which words stand there, `paint` how the band and the step line look.

mod kernel;
pub mod model;
pub mod monitors;
mod paint;
mod slides;

use std::time::Duration;

use egui::{CentralPanel, Color32, Context, Frame, Key, Margin, Modifiers, Panel, RichText, Ui, ViewportCommand, vec2};

use super::compare::bare_compare_ui;
use super::compare::model::Comparison;
use super::curves::{CurvesInput, CurvesState, curves_ui};
use super::heatmap::{HeatmapInput, HeatmapState, OtherGpu, heatmap_ui};
use super::kernels::changes::changes_ui;
use super::kernels::model::Points;
use super::kernels::waves::model_of_grid_ui;
use super::learn;
use super::sm_map::{SmMap, SmMapState, desired_height, sm_map_ui};
use super::topic::Topic;
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::set_bare;
use crate::learn::Shown;
use crate::session::{Action, KernelRef, Placed, Screen, Session};
use model::{Counted, Words};
use monitors::Monitors;
pub use slides::Slide;

/// As high as a slide is in points: at 1080 pixels, the smallest text has 18 of them.
pub const SLIDE_HEIGHT: f32 = 654.0;
const MARGIN: i8 = 24;
const HEADER_HEIGHT: f32 = 64.0;
const BAND_HEIGHT: f32 = 84.0;
const FOOTER_HEIGHT: f32 = 30.0;

/// Threads of a block with which compiled kernels are compared.
const BLOCK: u32 = 256;
/// A zoom that has not changed for so long is kept.
const REST: Duration = Duration::from_millis(600);

/// The least and the most over what fits the window.
pub const ZOOM: [f32; 2] = [0.75, 3.0];

/// A presentation that is going on.
#[derive(Debug, Default)]
pub struct Presentation {
    pub slide: Slide,
    /// What the lesson's step showed last, so that another view may be looked at in between.
    followed: Option<Shown>,
    /// Nothing is seen.
    pub is_blank: bool,
    pub has_spotlight: bool,
    /// When the timer was started, in seconds of the window.
    timer_since: Option<f64>,
    /// Over the zoom that fits the slide into the window.
    pub zoom: f32,
    sm_map: SmMapState,
    heatmap: HeatmapState,
    curves: CurvesState,
    points: Points,
    last_zoom: f32,
    /// When the zoom changed last, while that is not kept yet.
    zoomed_at: Option<f64>,
    /// The kernels that are stepped through, in the order of their table.
    kernels: Vec<KernelRef>,
    /// None until the window was asked.
    pub monitors: Option<Monitors>,
}

impl Presentation {
    /// Begins, full screen, as large as the last one was. `kernels` are those of the table, as it is sorted and filtered.
    pub fn start(ctx: &Context, zoom: f32, session: &Session, kernels: Vec<KernelRef>) -> Self {
        ctx.send_viewport_cmd(ViewportCommand::Fullscreen(true));
        set_bare(ctx, true);
        ctx.memory_mut(egui::Memory::stop_text_input);
        Self { zoom, last_zoom: zoom, slide: Slide::first(session), kernels, ..Self::default() }
    }

    /// The view that a lesson's step talks about, when it comes to another one.
    fn follow(&mut self, shown: Option<Shown>) {
        if self.followed == shown {
            return;
        }
        self.followed = shown;
        self.slide = shown.map_or(self.slide, Slide::of_lesson);
    }

    /// The clicker steps through kernels: on their own slide, and while their screen is presented.
    fn steps_kernels(&self, session: &Session) -> bool {
        session.selected().is_some() && (self.slide == Slide::Kernel || session.view().screen == Screen::Kernels)
    }

    /// The zoom, once it has rested for a moment: a turn of the wheel is many small changes, and each would be written to the disk.
    pub fn settled_zoom(&mut self, ctx: &Context) -> Option<f32> {
        let now = ctx.input(|input| input.time);
        if self.last_zoom.to_bits() != self.zoom.to_bits() {
            self.last_zoom = self.zoom;
            self.zoomed_at = Some(now);
        }
        let left = REST.as_secs_f64() - (now - self.zoomed_at?);
        if left > 0.0 {
            ctx.request_repaint_after(Duration::from_secs_f64(left));
            return None;
        }
        self.zoomed_at = None;
        Some(self.zoom)
    }

    /// Where the selected kernel is among those that are stepped through. A file that was closed since has none.
    fn place_of_kernel(&self, session: &Session) -> Option<(usize, usize)> {
        let selected = session.document().selected?;
        Some((self.kernels.iter().position(|at| *at == selected)?, self.kernels.len()))
    }

    fn neighbor_kernel(&self, session: &Session, forward: bool) -> Option<Action> {
        let to = match (self.place_of_kernel(session), forward) {
            (None, _) => 0,
            (Some((at, _)), true) => at + 1,
            (Some((at, _)), false) => at.checked_sub(1)?,
        };
        let kernel = self.kernels.get(to).filter(|at| session.document().kernel(**at).is_some())?;
        Some(Action::SelectKernel(Some(*kernel)))
    }

    /// Leaves full screen.
    pub fn end(ctx: &Context) {
        ctx.send_viewport_cmd(ViewportCommand::Fullscreen(false));
        set_bare(ctx, false);
    }

    /// Keys that mean something only here. Returns what they ask of the session, or that the presentation is over.
    pub fn keys(&mut self, ctx: &Context, session: &Session) -> Result<Vec<Action>, Over> {
        let pressed = |keys: &[Key]| ctx.input_mut(|input| keys.iter().any(|key| input.consume_key(Modifiers::NONE, *key)));
        let was_blank = self.is_blank;
        if pressed(&[Key::Escape]) {
            return Err(Over);
        }
        self.is_blank ^= pressed(&[Key::B, Key::Period]);
        self.has_spotlight ^= pressed(&[Key::S]);
        if pressed(&[Key::V]) {
            self.slide = self.slide.next(session);
        }
        if pressed(&[Key::T]) {
            let now = ctx.input(|input| input.time);
            self.timer_since = self.timer_since.is_none().then_some(now);
        }
        if pressed(&[Key::M])
            && let Some(next) = self.monitors.and_then(Monitors::next)
        {
            ctx.send_viewport_cmd(ViewportCommand::SetMonitor(next.at));
            self.monitors = Some(next);
        }
        let (course, at) = (session.course(), session.view().placement());
        let wheel = ctx.input(egui::InputState::zoom_delta);
        self.zoom = (self.zoom * wheel).clamp(ZOOM[0], ZOOM[1]);
        let next = pressed(&[Key::ArrowRight, Key::PageDown, Key::Space, Key::Enter]);
        let back = pressed(&[Key::ArrowLeft, Key::PageUp, Key::Backspace]);
        let (down, up) = (pressed(&[Key::ArrowDown]), pressed(&[Key::ArrowUp]));
        let (first, last) = (pressed(&[Key::Home]), pressed(&[Key::End]));
        let hide = pressed(&[Key::H]).then(|| Action::HideAnswers(!session.view().hides_answers));
        if was_blank && self.is_blank && (next || back || down || up) {
            // The first step out of the dark only brings the picture back.
            self.is_blank = false;
            return Ok(Vec::new());
        }
        if learn::is_in_lesson(session) && (next || back || down || up) {
            return Ok(learn::slide_actions(session, next || down));
        }
        if self.steps_kernels(session) {
            let step = (next || back || down || up).then(|| self.neighbor_kernel(session, next || down)).flatten();
            return Ok(step.into_iter().chain(hide).collect());
        }
        if down || up {
            return Ok(model::neighbor_preset(session, down).map(|preset| Action::UsePreset(Box::new(preset))).into_iter().collect());
        }
        let to = match (next, back, first, last) {
            (true, ..) => Some(course.next(at, session.view().playback.is_fine)),
            (_, true, ..) => Some(course.previous(at, session.view().playback.is_fine)),
            (_, _, true, _) => Some(Placed::blocks(0)),
            (.., true) => Some(Placed::ALL),
            _ => None,
        };
        Ok(to.filter(|to| *to != at).map(Action::Place).into_iter().chain(hide).collect())
    }
}

/// The presentation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over;

/// Draws the slide over the whole window. Nothing on it can be clicked, so that a stray click changes nothing.
pub fn present_ui(ui: &mut Ui, state: &mut Presentation, session: &Session) {
    state.follow(learn::current_step(session).map(|step| step.setup.shown));
    if !state.slide.is_possible(session) {
        state.slide = Slide::first(session);
    }
    let is_hidden = session.view().hides_answers;
    let mut words = Words::new(session, state.slide);
    if !learn::is_in_lesson(session) && state.steps_kernels(session) {
        words.steps = state.place_of_kernel(session).map(|(at, count)| Counted::Kernel { at: at + 1, count });
    }
    let is_secret = is_hidden && words.tells_the_answer;
    // How many steps there are would tell it too.
    words.steps = words.steps.filter(|steps| !is_secret || !matches!(steps, Counted::Blocks { .. }));
    fit(ui, state, session);
    let raised = Theme::of(ui).palette.raised;
    let ground = Frame::new().inner_margin(Margin::symmetric(MARGIN, 0));
    let footer = Panel::bottom("present-steps").exact_size(FOOTER_HEIGHT).frame(ground).show_separator_line(false);
    footer.show(ui, |ui| {
        let since = state.timer_since.map(|since| timer(ui, since));
        let footer =
            paint::Footer { is_hidden, timer: since.as_deref(), has_other_monitor: state.monitors.and_then(Monitors::next).is_some() };
        paint::footer(ui, &words, &footer);
    });
    let band = Panel::bottom("present-sentence").exact_size(BAND_HEIGHT).show_separator_line(false);
    band.frame(Frame::new().fill(raised)).show(ui, |ui| paint::band(ui, &words, is_hidden));
    let header = Panel::top("present-answer").exact_size(HEADER_HEIGHT).frame(ground).show_separator_line(false);
    header.show(ui, |ui| paint::header(ui, &words, is_hidden));
    CentralPanel::default().frame(ground).show(ui, |ui| {
        ui.visuals_mut().disabled_alpha = 1.0;
        ui.disable();
        slide_ui(ui, state, session, is_secret);
    });
    let screen = ui.ctx().content_rect();
    let over = ui.painter().with_clip_rect(screen);
    if state.is_blank {
        over.rect_filled(screen, 0.0, Color32::BLACK);
    } else if let Some(at) = ui.ctx().pointer_hover_pos().filter(|_| state.has_spotlight) {
        over.add(paint::all_but_a_hole(at, 110.0, screen.size().length()));
    }
}

/// As large as the window lets the slide be, and as the presenter wants it.
fn fit(ui: &Ui, state: &Presentation, session: &Session) {
    let ctx = ui.ctx();
    let height = ctx.content_rect().height() * ctx.zoom_factor();
    let topic = Topic::new(session);
    let width = ui.available_width() - 2.0 * f32::from(MARGIN);
    let needed = HEADER_HEIGHT + BAND_HEIGHT + FOOTER_HEIGHT + desired_height(ui, width, &map_of(&topic)) + 8.0;
    let zoom = (height / needed.max(SLIDE_HEIGHT) * state.zoom).clamp(0.3, 8.0);
    // A little more or less is not worth drawing everything anew.
    if (zoom / ctx.zoom_factor() - 1.0).abs() > 0.01 {
        ctx.set_zoom_factor(zoom);
    }
}

fn map_of<'a>(topic: &'a Topic<'_>) -> SmMap<'a> {
    SmMap { arch: topic.arch, gpu_name: &topic.gpu_name, launch: topic.launch }
}

fn slide_ui(ui: &mut Ui, state: &mut Presentation, session: &Session, is_secret: bool) {
    let topic = Topic::new(session);
    match state.slide {
        slide if is_secret && slide != Slide::SmMap => hidden_ui(ui),
        Slide::SmMap => {
            state.sm_map.show(session.view());
            state.sm_map.place(if is_secret { Placed::blocks(0) } else { topic.placed });
            sm_map_ui(ui, &mut state.sm_map, &map_of(&topic));
        }
        Slide::Heatmap => heatmap_slide_ui(ui, state, session, &topic),
        Slide::Curves => {
            let names: Vec<String> = session.document().compared.iter().map(ToString::to_string).collect();
            let others = session.document().compared.iter().zip(&names);
            let others: Vec<_> = others.map(|(choice, name)| OtherGpu { arch: session.arch_of(choice), name }).collect();
            let input = CurvesInput { arch: topic.arch, gpu_name: &topic.gpu_name, others: &others, launch: topic.launch };
            ui.allocate_ui(vec2(ui.available_width(), ui.available_height().min(380.0)), |ui| curves_ui(ui, &mut state.curves, &input));
        }
        Slide::Latency => learn::latency_slide_ui(ui, session),
        Slide::Waves => {
            if let Some(waves) = topic.waves {
                let height = (ui.available_height() - 180.0).clamp(96.0, 300.0);
                model_of_grid_ui(ui, &waves, height);
            }
        }
        Slide::Compare => bare_compare_ui(ui, &Comparison::new(session)),
        Slide::Kernel => kernel::kernel_ui(ui, session),
        Slide::Changes => changes_ui(ui, session, &mut { BLOCK }),
    }
}

/// In the place of a view that would tell the answer.
fn hidden_ui(ui: &mut Ui) {
    let ink = Theme::of(ui).palette.text3;
    ui.centered_and_justified(|ui| ui.label(RichText::new("The answer is hidden").font(theme::words(size::OCCUPANCY)).color(ink)));
}

fn heatmap_slide_ui(ui: &mut Ui, state: &mut Presentation, session: &Session, topic: &Topic<'_>) {
    state.points.update(session, topic.arch);
    let input = HeatmapInput {
        arch: topic.arch,
        gpu_name: &topic.gpu_name,
        launch: topic.launch,
        points: &state.points.points,
        selected: state.points.selected(session),
        pinned: None,
        other: None,
        scrolls: false,
    };
    heatmap_ui(ui, &mut state.heatmap, &input);
}

/// "12 min", and asks for a frame when that changes.
fn timer(ui: &Ui, since: f64) -> String {
    let seconds = ui.input(|input| input.time) - since;
    ui.ctx().request_repaint_after(Duration::from_secs_f64(60.0 - seconds % 60.0));
    format!("{:.0} min", (seconds / 60.0).floor())
}
