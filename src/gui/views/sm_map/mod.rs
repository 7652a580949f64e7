//! One SM, drawn to the scale of its allocation units: what each resident block takes of every resource, and the block
//! that does not fit as a ghost at the resources that refuse it.
//!
//! Start with [`sm_map_ui`]. [`model`] says what is shown, [`layout`] where, `paint` how it looks.

mod blocks;
mod clock;
mod details;
pub mod layout;
pub mod model;
mod paint;
mod player;
mod slide;
#[cfg(test)]
mod tests;
mod words;

use egui::{Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::arch::Arch;
use crate::engine::Launch;
use crate::engine::placement::resources_of_a_block;
use crate::gui::theme::Theme;
use crate::gui::widgets::is_bare;
use crate::session::{Action, Course, Playback, View};
use clock::{Clock, Tick};
use layout::SmMapLayout;
use model::SmMapModel;
use slide::Slide;

pub use player::PlayerStep;

/// What the map is of.
#[derive(Clone, Copy, Debug)]
pub struct SmMap<'a> {
    pub arch: &'a Arch,
    /// As in "One SM of the A100".
    pub gpu_name: &'a str,
    pub launch: &'a Launch,
}

/// Which step of the placement is shown, and what is pointed at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmMapState {
    /// Blocks that are placed; none shows all that fit and the refused one. More than fit count as all that fit.
    pub placed: Option<usize>,
    /// Resources that the block after those has taken already.
    pub resources_placed: usize,
    pub playback: Playback,
    /// The block with an outline, counted from 0.
    pub selected_block: Option<usize>,
    /// The block that arrow keys move from, and whether they do.
    focused_block: usize,
    has_focus: bool,
    clock: Clock,
    slide: Slide,
    /// The block that is lit up, counted from 0: set here while the pointer is on the map, and by others while it is on them.
    pub hovered_block: Option<usize>,
    /// The pointer was on the map, so that leaving it is noticed.
    is_pointed_at: bool,
}

impl SmMapState {
    /// Takes over where the session is.
    pub fn show(&mut self, view: &View) {
        self.place(view.placement());
        self.playback = view.playback;
    }

    /// What was changed here, for the session.
    pub fn changes(&self, view: &View) -> Vec<Action> {
        let (now, before) = (self.playback, view.playback);
        let mut actions = Vec::new();
        actions.extend((now.is_fine != before.is_fine).then_some(Action::SetFineSteps(now.is_fine)));
        actions.extend((self.placement() != view.placement()).then_some(Action::Place(self.placement())));
        actions.extend((now.is_playing != before.is_playing).then_some(Action::Play(now.is_playing)));
        actions.extend((now.speed != before.speed).then_some(Action::SetSpeed(now.speed)));
        actions
    }
}

/// Places the next block when it is time, and asks for a frame when it will be. Asks for none while nothing plays.
fn play(ui: &Ui, state: &mut SmMapState, input: &SmMap<'_>) {
    let now = ui.input(|input| input.time);
    let mut tick = state.clock.tick(now, state.placement(), state.playback);
    if tick == Tick::Step {
        state.step(PlayerStep::Next, Course::new(input.arch, input.launch));
        tick = state.clock.tick(now, state.placement(), state.playback);
    }
    if let Tick::Wait(seconds) = tick {
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(seconds));
    }
}

/// Draws the map over the available width and answers its player.
///
/// The markers of refusing resources stand left of the map, in the padding of the panel around it.
pub fn sm_map_ui(ui: &mut Ui, state: &mut SmMapState, input: &SmMap<'_>) -> Response {
    play(ui, state, input);
    let mut model = SmMapModel::at(input.arch, input.launch, state.placement());
    let moving = state.slide.moving(ui, input, state.placement(), &mut model);
    let width = ui.available_width();
    let measured = paint::measure(ui, &model, width);
    let layout = SmMapLayout::new(&model, Pos2::ZERO, width, &measured);
    let (untitled, height) = (untitled(ui, &layout), layout.height - untitled(ui, &layout));
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(model.sentence.clone()),
        ..WidgetInfo::labeled(Role::Image, true, format!("One SM of the {}: {}", input.gpu_name, model.sentence))
    });
    let top = rect.min - vec2(0.0, untitled);
    let layout = SmMapLayout::new(&model, top, width, &measured);
    point_at_block(ui, &response, state, &model, &layout);
    blocks::blocks_ui(ui, &response, state, input, &model, &layout);
    let painter = painter_with_margin(ui);
    let scene = paint::Scene {
        painter: &painter,
        theme: Theme::of(ui),
        model: &model,
        layout: &layout,
        hovered: state.hovered_block,
        selected: state.selected_block,
        focused: state.has_focus.then_some(state.focused_block),
    };
    scene.paint();
    if let Some(moving) = &moving {
        let mut painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        painter.set_opacity(1.0 - moving.away);
        let layout = SmMapLayout::new(&moving.model, top + vec2(slide::DISTANCE * moving.away, 0.0), width, &measured);
        paint::Scene { painter: &painter, model: &moving.model, layout: &layout, ..scene }.paint_blocks();
    }
    details::rows_ui(ui, &response, input, &model, &layout);
    let order = resources_of_a_block(input.arch, input.launch, &model.occupancy);
    if !is_bare(ui) {
        player::title_ui(ui, layout.title, input.gpu_name, state, &model, &order);
    }
    response
}

/// How high the map is when it is `width` wide.
pub fn desired_height(ui: &Ui, width: f32, input: &SmMap<'_>) -> f32 {
    let model = SmMapModel::new(input.arch, input.launch, None);
    let layout = SmMapLayout::new(&model, Pos2::ZERO, width, &paint::measure(ui, &model, width));
    layout.height - untitled(ui, &layout)
}

/// How much of a layout at the origin is its title, where that is left out: what stands around a bare map names it.
fn untitled(ui: &Ui, layout: &SmMapLayout) -> f32 {
    if is_bare(ui) { layout.captions.first().map_or(0.0, Rect::top) } else { 0.0 }
}

/// The markers stand outside of the map, where a scroll area would cut them off.
fn painter_with_margin(ui: &Ui) -> egui::Painter {
    let clip = ui.clip_rect();
    let margin = layout::MARKER.0 + 1.0;
    ui.painter().with_clip_rect(Rect::from_min_max(pos2(clip.left() - margin, clip.top()), clip.max))
}

fn point_at_block(ui: &Ui, response: &Response, state: &mut SmMapState, model: &SmMapModel, layout: &SmMapLayout) {
    if let Some(pointer) = ui.ctx().pointer_hover_pos().filter(|_| response.contains_pointer()) {
        state.hovered_block = layout.block_at(model, pointer);
        state.is_pointed_at = true;
    } else if state.is_pointed_at {
        state.hovered_block = None;
        state.is_pointed_at = false;
    }
}
