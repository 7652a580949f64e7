//! Lessons in the window: reading on and back, predicting, playing, the quiz.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::gui::app::App;
use occuscope::gui::views::learn::sheet_file;
use occuscope::learn::lessons;
use occuscope::learn::quiz::sheet::Sheet;
use occuscope::session::{Action, Screen};

use crate::pictures::{THEMES, look};
use crate::window::{act, session, window};

pub fn go_to(harness: &mut Harness<'_, Option<App>>, lesson: usize, step: usize) {
    let actions = lessons()[lesson].go_to(step, session(harness));
    let ctx = harness.ctx.clone();
    let app = harness.state_mut().as_mut().expect("the app");
    for action in actions {
        app.act(&ctx, action);
    }
    harness.run();
}

fn step(harness: &Harness<'_, Option<App>>) -> usize {
    session(harness).view().lesson.as_ref().expect("a lesson").step
}

#[test]
fn every_step_of_every_lesson_is_drawn() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    for (index, lesson) in lessons().iter().enumerate() {
        for step in 0..=lesson.steps.len() {
            go_to(&mut harness, index, step);
            if let Some(step) = lesson.steps.get(step) {
                harness.get_by_label(&step.title);
            }
            look(&mut harness, &format!("lesson_{}_{step:02}_dark", index + 1));
        }
    }
}

#[test]
fn lessons_look_right_at_every_size() {
    let sizes = [([1920.0, 1080.0], 1.0), ([1280.0, 800.0], 1.0), ([640.0, 400.0], 2.0), ([800.0, 600.0], 1.0)];
    for (name, theme) in THEMES {
        for (size, scale) in sizes {
            let mut harness = window(size, scale, theme);
            act(&mut harness, Action::ShowLesson(None));
            look(&mut harness, &format!("learn_list_{name}_{}@{scale}", size[0]));
            for (lesson, step) in [(0, 2), (1, 1), (1, 2), (2, 3), (5, 0)] {
                go_to(&mut harness, lesson, step);
                look(&mut harness, &format!("learn_{lesson}_{step}_{name}_{}@{scale}", size[0]));
            }
            act(&mut harness, Action::ShowScreen(Screen::Explore));
            look(&mut harness, &format!("learn_away_{name}_{}@{scale}", size[0]));
            go_to(&mut harness, 1, lessons()[1].steps.len());
            look(&mut harness, &format!("learn_quiz_{name}_{}@{scale}", size[0]));
        }
    }
}

#[test]
fn a_lesson_survives_small_windows() {
    for size in [[320.0, 220.0], [300.0, 2000.0], [900.0, 210.0]] {
        let mut harness = window(size, 1.0, egui::Theme::Light);
        for step in 0..=lessons()[0].steps.len() {
            go_to(&mut harness, 0, step);
        }
        assert_eq!(session(&harness).view().screen, Screen::Learn);
    }
}

#[test]
fn a_lesson_is_opened_read_left_and_returned_to() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    harness.get_by_label("Learn").click();
    harness.run();
    harness.get_by(|node| node.label().is_some_and(|label| label.starts_with("Lesson 2: Placing blocks"))).click();
    harness.run();
    assert_eq!((step(&harness), session(&harness).view().placed), (0, Some(0)));
    harness.key_press(egui::Key::ArrowRight);
    harness.run();
    assert_eq!(session(&harness).view().placed, Some(1), "the player's keys work beside the text");
    harness.key_press(egui::Key::PageDown);
    harness.run();
    assert_eq!((step(&harness), session(&harness).view().placed), (1, None));
    harness.get_by_label("Play in Explore").click();
    harness.run();
    assert_eq!(session(&harness).view().screen, Screen::Explore);
    act(&mut harness, Action::SetRegistersPerThread(200));
    harness.key_press(egui::Key::L);
    harness.run();
    assert_eq!((session(&harness).view().screen, step(&harness)), (Screen::Learn, 1));
    assert_eq!(session(&harness).document().configuration.launch.registers_per_thread, 64, "as the step set it up");
    harness.key_press(egui::Key::PageUp);
    harness.run();
    assert_eq!(step(&harness), 0);
    harness.key_press(egui::Key::PageUp);
    harness.run();
    assert_eq!(step(&harness), 0, "there is nothing before the first step");
    harness.get_by_label("All lessons").click();
    harness.run();
    assert_eq!(session(&harness).view().lesson, None);
}

#[test]
fn an_answer_is_predicted_then_revealed() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    go_to(&mut harness, 1, 2);
    harness.get_by_label("The answer is hidden");
    assert!(harness.query_by_label("Theoretical occupancy 75 percent").is_none());
    harness.get_by_role_and_label(egui::Role::TextInput, "Your prediction").click();
    harness.run();
    harness.get_by_role_and_label(egui::Role::TextInput, "Your prediction").type_text("3");
    harness.run();
    harness.get_by_label("Reveal").click();
    harness.run();
    harness.get_by_label("It is 2. You said 3.");
    harness.get_by_label("Theoretical occupancy 75 percent");
    look(&mut harness, "learn_revealed_dark");
}

#[test]
fn h_hides_and_reveals_answers_everywhere() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Light);
    harness.get_by_label("Theoretical occupancy 37.5 percent");
    harness.key_press(egui::Key::H);
    harness.run();
    assert!(harness.query_by_label("Theoretical occupancy 37.5 percent").is_none());
    look(&mut harness, "hidden_explore_light");
    harness.get_by_label("Reveal (H)").click();
    harness.run();
    harness.get_by_label("Theoretical occupancy 37.5 percent");
}

#[test]
fn the_sliders_of_the_latency_picture_change_the_text() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    go_to(&mut harness, 0, 2);
    let says = |harness: &Harness<'_, Option<App>>, words: &str| harness.query_by_label_contains(words).is_some();
    assert!(says(&harness, "With 4 warps that compute 20 cycles"));
    harness.get_by_role_and_label(egui::Role::Slider, "Warps").focus();
    harness.run();
    harness.key_press(egui::Key::ArrowRight);
    harness.run();
    assert!(says(&harness, "With 5 warps that compute 20 cycles"));
}

#[test]
fn a_quiz_is_answered_by_click_and_by_keyboard() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    go_to(&mut harness, 1, lessons()[1].steps.len());
    let mut answered = 0;
    for question in 1..=8 {
        harness.get_by_label(&format!("Question {question} of 8"));
        if harness.query_by_role_and_label(egui::Role::TextInput, "Your answer").is_some() {
            harness.get_by_role_and_label(egui::Role::TextInput, "Your answer").click();
            harness.run();
            harness.get_by_role_and_label(egui::Role::TextInput, "Your answer").type_text("12345");
            harness.run();
            harness.key_press(egui::Key::Enter);
        } else {
            harness.get_by(|node| node.label().is_some_and(|label| label.starts_with("a)  "))).click();
            harness.run();
            harness.get_by_label("Check").click();
        }
        harness.run();
        answered += usize::from(harness.query_by_label("Right.").is_some() || harness.query_by_label_contains("Not quite.").is_some());
        look(&mut harness, &format!("quiz_answered_{question}_dark"));
        if question < 8 {
            harness.get_by_label("Next question").click();
            harness.run();
        }
    }
    assert_eq!(answered, 8);
    harness.get_by_label_contains("Done: ");
    harness.get_by_label("New questions").click();
    harness.run();
    harness.get_by_label("Question 1 of 8");
}

#[test]
fn a_quiz_is_saved_as_a_page_to_print() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Light);
    go_to(&mut harness, 2, lessons()[2].steps.len());
    for label in ["Save sheet…", "Save sheet with answers…", "Copy sheet", "Copy sheet with answers"] {
        harness.get_by_label(label);
    }
    let lesson = &lessons()[2];
    let set = occuscope::learn::quiz::questions(lesson, 7, 8);
    let file = |with_answers| sheet_file(&Sheet { lesson, seed: 7, questions: &set, with_answers });
    let (plain, with) = (file(false), file(true));
    assert_eq!((plain.name.as_str(), with.name.as_str()), ("quiz-registers-7.html", "quiz-registers-7-answers.html"));
    assert_eq!(plain.kinds.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), ["html", "md"]);
    assert!(plain.kinds[0].1.starts_with(b"<!DOCTYPE html>") && plain.kinds[1].1.starts_with(b"# Registers"));
    assert!(with.kinds[0].1.len() > plain.kinds[0].1.len());
}

#[test]
fn two_logs_stand_side_by_side_with_what_moved() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    go_to(&mut harness, 8, 4);
    let says = |harness: &Harness<'_, Option<App>>, words: &str| harness.query_by_label(words).is_some();
    for said in [
        "Registers per thread: 64, then 66",
        "Registers per thread: 40, then 40",
        "Spill stores: 8 B, then 48 B",
        "Theoretical occupancy: 50 %, then 37.5 %",
    ] {
        assert!(says(&harness, said), "{said}");
    }
    act(&mut harness, Action::ShowScreen(Screen::Kernels));
    harness.get_by_label("Since the baseline");
    assert!(says(&harness, "Spill stores: 8 B, then 48 B"), "the table's own account of the selected kernel says the same");
    look(&mut harness, "kernels_compared_logs_dark");
}
