//! The lesson's side: where the reader is, the step's text, the prediction, and the way on and back.

use egui::{Align, Button, Frame, Key, Layout, Margin, Panel, RichText, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, vec2};

use super::markdown::markdown_ui;
use super::{LearnState, quiz};
use crate::gui::theme::{self, CONTROL_HEIGHT, Theme, size};
use crate::gui::widgets::{caption, note, rule};
use crate::learn::setup::Ask;
use crate::learn::{Facts, Lesson, Step, facts, lessons};
use crate::session::{Action, Screen, Session};

/// Everything at the text's side for one step, or for the quiz after the last.
pub fn lesson_ui(ui: &mut Ui, state: &mut LearnState, lesson: &'static Lesson, step: usize, session: &Session, actions: &mut Vec<Action>) {
    let bar = Frame::new().inner_margin(Margin::symmetric(20, 10));
    Panel::bottom("lesson steps").frame(bar).show(ui, |ui| footer_ui(ui, lesson, step, session, actions));
    Panel::top("lesson title").frame(Frame::new().inner_margin(Margin { left: 20, right: 20, top: 12, bottom: 6 })).show(ui, |ui| {
        header_ui(ui, lesson, actions);
    });
    let scroll = ScrollArea::vertical().id_salt(("lesson", &lesson.id, step)).auto_shrink([false, false]);
    scroll.show(ui, |ui| {
        Frame::new().inner_margin(Margin { left: 20, right: 20, top: 12, bottom: 16 }).show(ui, |ui| {
            body_ui(ui, state, lesson, step, session, actions);
        });
    });
}

/// The step's text, or what the quiz is.
pub fn body_ui(ui: &mut Ui, state: &mut LearnState, lesson: &'static Lesson, step: usize, session: &Session, actions: &mut Vec<Action>) {
    match lesson.steps.get(step) {
        Some(current) => step_ui(ui, state, lesson, (step, current), session, actions),
        None => quiz::intro_ui(ui, &mut state.quiz, lesson, actions),
    }
}

pub fn header_ui(ui: &mut Ui, lesson: &Lesson, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        if ui.button("All lessons").clicked() {
            actions.push(Action::HideAnswers(false));
            actions.push(Action::ShowLesson(None));
        }
        let number = lessons().iter().position(|other| other.id == lesson.id).unwrap_or_default() + 1;
        let text = RichText::new(format!("{number}  {}", lesson.title)).font(theme::medium(size::BODY)).color(theme.palette.text2);
        ui.add(egui::Label::new(text).truncate());
    });
}

fn step_ui(
    ui: &mut Ui,
    state: &mut LearnState,
    lesson: &Lesson,
    (index, step): (usize, &Step),
    session: &Session,
    actions: &mut Vec<Action>,
) {
    caption(ui, step.part.name());
    ui.label(RichText::new(&step.title).font(theme::strong(size::FIGURE)));
    ui.add_space(4.0);
    let facts = Facts::new(session, state.latency);
    markdown_ui(ui, &step.markdown(&facts));
    if let Some(ask) = &step.setup.ask {
        ui.add_space(8.0);
        ask_ui(ui, &mut state.prediction, ask, &facts, actions);
    }
    if index + 1 == lesson.steps.len() {
        rule(ui, 0.0);
        caption(ui, "Checked against");
        for document in &lesson.checked_against {
            note(ui, document);
        }
    }
}

/// The question, a field for the prediction, and after revealing what it was.
fn ask_ui(ui: &mut Ui, prediction: &mut String, ask: &Ask, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let frame = Frame::new().fill(theme.palette.accent_soft).corner_radius(theme::RADIUS_CONTROL).inner_margin(Margin::symmetric(14, 12));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(&ask.prompt).font(theme::medium(size::TITLE)).line_height(Some(22.0)));
        let is_hidden = facts.session().view().hides_answers;
        ui.horizontal(|ui| {
            let label = ui.label("Your prediction");
            let field = ui
                .add_sized(vec2(90.0, CONTROL_HEIGHT), TextEdit::singleline(prediction).font(theme::mono(size::BODY)))
                .labelled_by(label.id);
            let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let word = if is_hidden { "Reveal" } else { "Hide again" };
            if ui.button(word).clicked() || (enter && is_hidden) {
                actions.push(Action::HideAnswers(!is_hidden));
            }
        });
        if !is_hidden {
            ui.label(RichText::new(verdict(prediction, facts.value(&ask.formula).ok().flatten())).font(theme::strong(size::TITLE)));
        }
    });
}

/// "It is 3. You said 4."
fn verdict(prediction: &str, right: Option<f64>) -> String {
    let answer = facts::shown(right);
    let said = prediction.trim().trim_end_matches('%').trim().replace(',', ".");
    match (said.parse::<f64>(), right) {
        (Ok(said), Some(right)) if (said - right).abs() < 0.051 => format!("It is {answer}, as you said."),
        (Ok(_), _) => format!("It is {answer}. You said {}.", prediction.trim()),
        (Err(_), _) => format!("It is {answer}."),
    }
}

pub fn footer_ui(ui: &mut Ui, lesson: &Lesson, step: usize, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    progress_ui(ui, lesson, step);
    ui.horizontal(|ui| {
        if ui.add_enabled(step > 0, Button::new("Back")).on_hover_text("Page Up").clicked() {
            actions.extend(lesson.go_to(step - 1, session));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let last = lesson.steps.len();
            let next = if step + 1 == last { "Quiz" } else { "Next" };
            let button = Button::new(RichText::new(next).color(if step < last { theme.palette.on_accent } else { theme.palette.text3 }));
            let button = if step < last { button.fill(theme.palette.accent) } else { button };
            if ui.add_enabled(step < last, button).on_hover_text("Page Down").clicked() {
                actions.extend(lesson.go_to(step + 1, session));
            }
            if step < last && ui.button("Play in Explore").on_hover_text("Change anything there; L returns to the lesson").clicked() {
                actions.push(Action::ShowScreen(Screen::Explore));
            }
            if step < last
                && ui.available_width() > 90.0
                && ui.button("Set up again").on_hover_text("As it was when the step began").clicked()
            {
                actions.extend(lesson.go_to(step, session));
            }
        });
    });
}

/// A bar with a part for each step and one for the quiz.
fn progress_ui(ui: &mut Ui, lesson: &Lesson, step: usize) {
    let theme = Theme::of(ui);
    let count = lesson.steps.len() + 1;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
    let said = if step < lesson.steps.len() { format!("Step {} of {}", step + 1, lesson.steps.len()) } else { "Quiz".to_owned() };
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &said));
    #[expect(clippy::cast_precision_loss, reason = "a few steps")]
    let x = |index: usize| rect.left() + rect.width() * index as f32 / count as f32;
    for index in 0..count {
        let part = egui::Rect::from_min_max(egui::pos2(x(index), rect.top()), egui::pos2(x(index + 1) - 3.0, rect.bottom()));
        ui.painter().rect_filled(part, 2.0, if index <= step { theme.palette.accent } else { theme.palette.line });
    }
    response.on_hover_text(said);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prediction_is_compared_as_people_write_numbers() {
        assert_eq!(verdict("37,5 %", Some(37.5)), "It is 37.5, as you said.");
        assert_eq!(verdict("4", Some(3.0)), "It is 3. You said 4.");
        assert_eq!(verdict("", Some(3.0)), "It is 3.");
    }
}
