//! The quiz: one question at a time, checked at once, with the way to the answer and a score.

use egui::{Frame, Key, Label, Margin, RichText, TextEdit, Ui, vec2};

use super::markdown::markdown_ui;
use crate::gui::theme::{self, CONTROL_HEIGHT, RADIUS_CONTROL, Theme, size};
use crate::gui::widgets::{caption, note};
use crate::learn::Lesson;
use crate::learn::quiz::sheet::{Sheet, letter};
use crate::learn::quiz::{Given, Kind, Question, questions};
use crate::session::{Action, Screen, ToSave};

/// Questions of one round.
const COUNT: usize = 8;
const WIDTH: f32 = 640.0;

/// A round of questions, and what was answered.
#[derive(Debug, Default)]
pub struct QuizState {
    lesson: String,
    seed: u64,
    questions: Vec<Question>,
    /// What was checked, for each question.
    given: Vec<Option<Given>>,
    at: usize,
    choice: Option<usize>,
    number: String,
}

impl QuizState {
    /// Makes the questions of a lesson; a round that goes on is kept.
    pub fn begin(&mut self, lesson: &Lesson) {
        if self.lesson != lesson.id {
            self.start(lesson, 1);
        }
    }

    fn start(&mut self, lesson: &Lesson, seed: u64) {
        let questions = questions(lesson, seed, COUNT);
        *self = Self { lesson: lesson.id.clone(), seed, given: vec![None; questions.len()], questions, ..Self::default() };
    }

    fn num_right(&self) -> usize {
        self.questions.iter().zip(&self.given).filter(|(question, given)| given.is_some_and(|given| question.is_right(given))).count()
    }

    fn num_answered(&self) -> usize {
        self.given.iter().flatten().count()
    }

    fn go_to(&mut self, at: usize) {
        self.at = at;
        self.choice = None;
        self.number.clear();
    }
}

/// At the text's side: what the quiz is, the score, other questions, and sheets to print.
pub fn intro_ui(ui: &mut Ui, state: &mut QuizState, lesson: &'static Lesson, actions: &mut Vec<Action>) {
    caption(ui, "Quiz");
    ui.label(RichText::new(format!("{}: questions", lesson.title)).font(theme::strong(size::FIGURE)));
    markdown_ui(
        ui,
        "The answers are worked out by the same engine as everything else here. Wrong answers are what the *usual* mistakes lead to, so a wrong one tells you something.",
    );
    ui.add_space(8.0);
    let score = format!("{} right of {} answered, {} questions", state.num_right(), state.num_answered(), state.questions.len());
    ui.label(RichText::new(score).font(theme::strong(size::TITLE)));
    ui.horizontal_wrapped(|ui| {
        if ui.button("New questions").clicked() {
            let seed = state.seed.wrapping_add(1);
            state.start(lesson, seed);
        }
        if ui.button("Same again").clicked() {
            let seed = state.seed;
            state.start(lesson, seed);
        }
    });
    ui.add_space(8.0);
    caption(ui, "On paper");
    note(ui, &format!("These questions, seed {}: to print as HTML, or as Markdown; the end of the file's name decides.", state.seed));
    for (words, with_answers) in [("sheet", false), ("sheet with answers", true)] {
        ui.horizontal_wrapped(|ui| {
            let sheet = Sheet { lesson, seed: state.seed, questions: &state.questions, with_answers };
            if ui.button(format!("Save {words}…")).clicked() {
                actions.push(Action::SaveFile(file_of(&sheet)));
            }
            if ui.button(format!("Copy {words}")).on_hover_text("As Markdown").clicked() {
                actions.push(Action::CopyText(sheet.markdown()));
            }
        });
    }
    note(ui, &format!("The same again: occuscope quiz --lesson {} --seed {} --format html", lesson.id, state.seed));
}

/// A sheet as a page to print, or as Markdown.
pub fn file_of(sheet: &Sheet<'_>) -> ToSave {
    let name = format!("quiz-{}-{}{}.html", sheet.lesson.id, sheet.seed, if sheet.with_answers { "-answers" } else { "" });
    ToSave { name, kinds: vec![("html", sheet.html().into_bytes()), ("md", sheet.markdown().into_bytes())] }
}

/// The question that is asked now.
pub fn quiz_ui(ui: &mut Ui, state: &mut QuizState, actions: &mut Vec<Action>) {
    let width = WIDTH.min(ui.available_width());
    ui.set_max_width(width);
    let Some(question) = state.questions.get(state.at).cloned() else { return };
    let given = state.given[state.at];
    caption(ui, &format!("Question {} of {}", state.at + 1, state.questions.len()));
    ui.scope(|ui| markdown_ui(ui, &question.prompt));
    ui.add_space(8.0);
    let checked = match &question.kind {
        Kind::Choice { choices, right } => {
            for (index, choice) in choices.iter().enumerate() {
                let chosen =
                    given.map_or(state.choice, |given| if let Given::Choice(index) = given { Some(index) } else { None }) == Some(index);
                let mark = given.map(|_| *right == index);
                if choice_ui(ui, index, &choice.text, chosen, mark) && given.is_none() {
                    state.choice = Some(index);
                }
            }
            check_ui(ui, given.is_none() && state.choice.is_some(), given.is_none()).then_some(()).and(state.choice.map(Given::Choice))
        }
        Kind::Number { unit, .. } => number_ui(ui, state, unit, given),
    };
    if let Some(checked) = checked {
        state.given[state.at] = Some(checked);
    }
    if let Some(given) = state.given[state.at] {
        verdict_ui(ui, &question, given);
        way_on_ui(ui, state, &question, actions);
    }
}

/// A choice as a button over the whole width; what is right says so in words once it is checked.
fn choice_ui(ui: &mut Ui, index: usize, text: &str, chosen: bool, is_right: Option<bool>) -> bool {
    let theme = Theme::of(ui);
    let mark = match (is_right, chosen) {
        (Some(true), _) => "right",
        (Some(false), true) => "your answer",
        _ => "",
    };
    let words = RichText::new(format!("{})  {text}", letter(index))).font(theme::words(size::TITLE)).color(theme.palette.text);
    let mark = RichText::new(mark).font(theme::medium(size::NOTE)).color(theme.palette.text2);
    let button = egui::Button::selectable(chosen, words)
        .frame_when_inactive(true)
        .wrap()
        .right_text(mark)
        .min_size(vec2(ui.available_width(), 34.0));
    ui.add(button).clicked()
}

/// "Check", while nothing was checked; true when it was pressed.
fn check_ui(ui: &mut Ui, enabled: bool, is_shown: bool) -> bool {
    let palette = Theme::of(ui).palette;
    ui.add_space(4.0);
    let ink = if enabled { palette.on_accent } else { palette.text3 };
    let button = egui::Button::new(RichText::new("Check").color(ink));
    is_shown && ui.add_enabled(enabled, if enabled { button.fill(palette.accent) } else { button }).clicked()
}

fn number_ui(ui: &mut Ui, state: &mut QuizState, unit: &str, given: Option<Given>) -> Option<Given> {
    let read = |text: &str| text.trim().trim_end_matches('%').trim().replace([',', ' '], "").parse::<f64>().ok();
    let mut enter = false;
    ui.horizontal(|ui| {
        let label = ui.label("Your answer");
        if let Some(Given::Number(number)) = given {
            ui.label(RichText::new(crate::learn::facts::shown(Some(number))).font(theme::mono_bold(size::TITLE)));
        } else {
            let field = TextEdit::singleline(&mut state.number).font(theme::mono(size::TITLE));
            let field = ui.add_sized(vec2(120.0, CONTROL_HEIGHT), field).labelled_by(label.id);
            enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        }
        ui.label(unit);
    });
    let number = read(&state.number);
    let pressed = check_ui(ui, given.is_none() && number.is_some(), given.is_none());
    if (pressed || enter) && given.is_none() { number.map(Given::Number) } else { None }
}

fn verdict_ui(ui: &mut Ui, question: &Question, given: Given) {
    let theme = Theme::of(ui);
    let frame = Frame::new().fill(theme.palette.panel).stroke(egui::Stroke::new(1.0, theme.palette.line)).corner_radius(RADIUS_CONTROL);
    frame.inner_margin(Margin::symmetric(16, 12)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 4.0;
        let verdict =
            if question.is_right(given) { "Right.".to_owned() } else { format!("Not quite. The answer is: {}", question.answer()) };
        ui.add(Label::new(RichText::new(verdict).font(theme::strong(size::TITLE))).wrap());
        if let Some(mistake) = question.mistake(given) {
            ui.add(Label::new(RichText::new(format!("Yours {mistake}.")).font(theme::words(size::BODY)).color(theme.palette.text)).wrap());
        }
        ui.add_space(6.0);
        for line in &question.explanation {
            ui.add(Label::new(RichText::new(line).font(theme::mono(size::NOTE)).color(theme.palette.text2)).wrap());
        }
    });
}

fn way_on_ui(ui: &mut Ui, state: &mut QuizState, question: &Question, actions: &mut Vec<Action>) {
    let palette = Theme::of(ui).palette;
    ui.horizontal_wrapped(|ui| {
        let next = state.given.iter().position(Option::is_none);
        if let Some(next) = next {
            let button = egui::Button::new(RichText::new("Next question").color(palette.on_accent)).fill(palette.accent);
            if ui.add(button).clicked() {
                state.go_to(next);
            }
        }
        if ui.button("Show this launch in Explore").clicked() {
            actions.push(Action::SetConfiguration(question.configuration.clone()));
            actions.push(Action::ShowScreen(Screen::Explore));
        }
        if next.is_none() {
            let score = format!("Done: {} of {} right", state.num_right(), state.questions.len());
            ui.label(RichText::new(score).font(theme::strong(size::TITLE)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::lessons;

    #[test]
    fn the_score_counts_right_answers() {
        let mut state = QuizState::default();
        state.begin(&lessons()[0]);
        assert_eq!((state.num_right(), state.num_answered(), state.questions.len()), (0, 0, COUNT));
        let right = match &state.questions[0].kind {
            Kind::Choice { right, .. } => Given::Choice(*right),
            Kind::Number { right, .. } => Given::Number(*right),
        };
        state.given[0] = Some(right);
        state.given[1] = Some(Given::Number(-1.0));
        assert_eq!((state.num_right(), state.num_answered()), (1, 2));
        state.begin(&lessons()[0]);
        assert_eq!(state.num_answered(), 2, "coming back goes on");
        state.begin(&lessons()[1]);
        assert_eq!(state.num_answered(), 0);
    }
}
