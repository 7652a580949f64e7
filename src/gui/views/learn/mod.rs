//! Lessons: the list of them, one step's text beside the live view it talks about, and the quiz at the end.
//!
//! Where the reader is stands in the session ([`crate::session::LessonPlace`]); a step's setup is applied as actions when it is gone to,
//! so everything that it shows can be played with. Presenting can use the same place and the same actions.

mod cover;
mod latency;
mod list;
mod live;
pub mod markdown;
mod quiz;
mod text;

use egui::{CentralPanel, Frame, Margin, Panel, ScrollArea, Ui};

use super::explore::ExploreState;
use super::kernels::DetailState;
use crate::gui::theme::Theme;
use crate::learn::facts::FIRST_LATENCY;
use crate::learn::{Latency, Lesson, Shown, Step, find};
use crate::session::{Action, LessonPlace, Screen, Session};

pub use cover::cover_ui;
pub use quiz::file_of as sheet_file;

/// Below this width the view stands under the text.
const BESIDE: f32 = 900.0;
/// Below this height, in one column, text and view scroll together.
const LOW: f32 = 460.0;
/// What the view gets then.
const VIEW_HEIGHT: f32 = 380.0;

/// What only this view knows.
#[derive(Debug)]
pub struct LearnState {
    latency: Latency,
    /// The place that the fields below belong to.
    shown: Option<LessonPlace>,
    /// What the reader expects, before the answer is shown.
    prediction: String,
    quiz: quiz::QuizState,
    /// Threads of a block with which a compiled kernel is looked at.
    block: u32,
    kernel: DetailState,
}

impl Default for LearnState {
    fn default() -> Self {
        Self {
            latency: FIRST_LATENCY,
            shown: None,
            prediction: String::new(),
            quiz: quiz::QuizState::default(),
            block: 256,
            kernel: DetailState::default(),
        }
    }
}

impl LearnState {
    /// Starts afresh where the place has changed.
    fn arrive(&mut self, lesson: &Lesson, place: &LessonPlace) {
        if self.shown.as_ref() == Some(place) {
            return;
        }
        self.shown = Some(place.clone());
        self.prediction.clear();
        if let Some(step) = lesson.steps.get(place.step) {
            self.latency = step.setup.latency;
        }
        self.quiz.begin(lesson);
    }
}

/// The step after or before the one the reader is at, as actions. Empty at either end.
pub fn step_actions(session: &Session, forward: bool) -> Vec<Action> {
    let next = current(session).and_then(|(lesson, step)| Some((lesson, neighbor(lesson, step, forward)?)));
    next.map(|(lesson, next)| lesson.go_to(next, session)).unwrap_or_default()
}

/// The same while a lesson is presented: the quiz after the last step is no slide.
pub fn slide_actions(session: &Session, forward: bool) -> Vec<Action> {
    let is_last = current(session).is_some_and(|(lesson, step)| step + 1 >= lesson.steps.len());
    if forward && is_last { Vec::new() } else { step_actions(session, forward) }
}

/// The step that the reader is at, counted from 1, and how many there are.
pub fn place(session: &Session) -> Option<(usize, usize)> {
    let (lesson, step) = current(session).filter(|_| current_step(session).is_some())?;
    Some((step + 1, lesson.steps.len()))
}

/// Whether a lesson is on screen, and not the list of them.
pub fn is_in_lesson(session: &Session) -> bool {
    session.view().screen == Screen::Learn && current(session).is_some()
}

/// Whether there is a step in that direction. Asked in every frame, so that it works out no actions.
pub fn can_step(session: &Session, forward: bool) -> bool {
    current(session).is_some_and(|(lesson, step)| neighbor(lesson, step, forward).is_some())
}

fn neighbor(lesson: &Lesson, step: usize, forward: bool) -> Option<usize> {
    if forward { Some(step + 1).filter(|step| *step <= lesson.steps.len()) } else { step.checked_sub(1) }
}

/// Back to the step, set up again as it was.
pub fn return_actions(session: &Session) -> Vec<Action> {
    current(session).map(|(lesson, step)| lesson.go_to(step, session)).unwrap_or_default()
}

/// The step that the reader is at, while lessons are on screen; none at the list and at the quiz.
pub fn current_step(session: &Session) -> Option<&'static Step> {
    let (lesson, step) = current(session).filter(|_| session.view().screen == Screen::Learn)?;
    lesson.steps.get(step)
}

/// The latency picture of the step that the reader is at, as a slide.
pub fn latency_slide_ui(ui: &mut Ui, session: &Session) {
    if let Some(step) = current_step(session) {
        latency::latency_ui(ui, &mut step.setup.latency.clone());
    }
}

/// Whether the SM map stands beside the text.
pub fn shows_map(session: &Session) -> bool {
    let step = current(session).and_then(|(lesson, step)| lesson.steps.get(step));
    !session.view().hides_answers && step.is_some_and(|step| step.setup.shown == Shown::Map)
}

fn current(session: &Session) -> Option<(&'static Lesson, usize)> {
    let place = session.view().lesson.as_ref()?;
    Some((find(&place.lesson)?, place.step))
}

/// Draws the list, or a lesson.
pub fn learn_ui(ui: &mut Ui, state: &mut LearnState, explore: &mut ExploreState, session: &Session, actions: &mut Vec<Action>) {
    let Some((lesson, step)) = current(session) else {
        return list::list_ui(ui, session, actions);
    };
    state.arrive(lesson, &lesson.place(step));
    let panel = Theme::of(ui).palette.panel;
    let size = ui.available_size();
    if size.x >= BESIDE {
        let width = (size.x * 0.38).clamp(380.0, 600.0);
        Panel::left("lesson").exact_size(width).resizable(false).frame(Frame::new().fill(panel)).show(ui, |ui| {
            text::lesson_ui(ui, state, lesson, step, session, actions);
        });
        CentralPanel::no_frame().show(ui, |ui| beside_ui(ui, state, explore, (lesson, step), session, actions));
        return;
    }
    if size.y < LOW {
        return stacked_ui(ui, state, explore, (lesson, step), session, actions);
    }
    // The text keeps its buttons in sight; both halves scroll by themselves.
    let below =
        Panel::bottom("lesson view").resizable(true).default_size(size.y * 0.5).min_size(120.0).max_size((size.y - 160.0).max(120.0));
    below.frame(Frame::new()).show(ui, |ui| beside_ui(ui, state, explore, (lesson, step), session, actions));
    CentralPanel::default().frame(Frame::new().fill(panel)).show(ui, |ui| text::lesson_ui(ui, state, lesson, step, session, actions));
}

/// Text and view in one column that scrolls, where there is no room for two.
fn stacked_ui(
    ui: &mut Ui,
    state: &mut LearnState,
    explore: &mut ExploreState,
    at: (&'static Lesson, usize),
    session: &Session,
    actions: &mut Vec<Action>,
) {
    let panel = Theme::of(ui).palette.panel;
    let footer = Frame::new().fill(panel).inner_margin(Margin::symmetric(20, 8));
    Panel::bottom("lesson steps").frame(footer).show(ui, |ui| text::footer_ui(ui, at.0, at.1, session, actions));
    CentralPanel::no_frame().show(ui, |ui| {
        ScrollArea::vertical().id_salt(("lesson", &at.0.id, at.1)).auto_shrink([false, false]).show(ui, |ui| {
            Frame::new().fill(panel).inner_margin(Margin::symmetric(20, 12)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                text::header_ui(ui, at.0, actions);
                ui.add_space(8.0);
                text::body_ui(ui, state, at.0, at.1, session, actions);
            });
            ui.allocate_ui(egui::vec2(ui.available_width(), VIEW_HEIGHT), |ui| {
                ui.set_min_height(VIEW_HEIGHT);
                beside_ui(ui, state, explore, at, session, actions);
            });
        });
    });
}

/// What stands beside the text: the step's view, or the quiz.
fn beside_ui(
    ui: &mut Ui,
    state: &mut LearnState,
    explore: &mut ExploreState,
    (lesson, step): (&'static Lesson, usize),
    session: &Session,
    actions: &mut Vec<Action>,
) {
    match lesson.steps.get(step) {
        Some(step) => live::live_ui(ui, state, explore, step, session, actions),
        None => padded_scroll(ui, |ui| quiz::quiz_ui(ui, &mut state.quiz, actions)),
    }
}

fn padded_scroll(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().id_salt("beside").auto_shrink([false, false]).show(ui, |ui| {
        Frame::new().inner_margin(Margin::symmetric(24, 20)).show(ui, content);
    });
}
