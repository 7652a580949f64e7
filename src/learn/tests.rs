//! Every lesson, every step, every number.

use std::sync::Arc;

use super::facts::shown;
use super::lesson::Content;
use super::template::{Fixed, Piece};
use super::*;
use crate::arch::Catalog;
use crate::engine::{Launch, evaluate};
use crate::session::{Screen, Session};

fn session() -> Session {
    Session::new(Arc::new(Catalog::builtin().clone()))
}

fn all_steps() -> impl Iterator<Item = (&'static Lesson, usize, &'static Step)> {
    lessons().iter().flat_map(|lesson| lesson.steps.iter().enumerate().map(move |(index, step)| (lesson, index, step)))
}

/// A session at a setup, reached as the app does.
fn at(setup: &Setup, place: &crate::session::LessonPlace) -> Session {
    let mut session = session();
    for action in setup.actions(&session, place) {
        session.apply(action);
    }
    session
}

#[test]
fn every_file_can_be_read() {
    for (name, text) in FILES {
        if let Err(error) = Lesson::parse(text) {
            panic!("{name}: {error}");
        }
    }
    assert_eq!(lessons().len(), FILES.len());
    let mut names: Vec<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/lessons"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".md"))
        .collect();
    names.sort();
    assert_eq!(names, FILES.map(|(name, _)| name));
}

#[test]
fn every_lesson_has_concept_prediction_maths_code_and_model() {
    for lesson in lessons() {
        for part in Part::ALL {
            assert!(lesson.steps.iter().any(|step| step.part == part), "{}: no {}", lesson.id, part.name());
        }
        assert!(lesson.checked_against.len() >= 2 && lesson.minutes > 0 && lesson.summary.ends_with('.'), "{}", lesson.id);
        let has = |wanted: fn(&Content) -> bool| lesson.steps.iter().flat_map(|step| &step.body).any(wanted);
        assert!(has(|content| matches!(content, Content::Engine(_))), "{}: none of the engine's source", lesson.id);
        let is_live = |content: &Content| match content {
            Content::Text(pieces) => pieces.iter().any(|piece| matches!(piece, Piece::Live(_))),
            Content::Trace(_) => true,
            _ => false,
        };
        let maths = lesson.steps.iter().filter(|step| step.part == Part::Maths).flat_map(|step| &step.body);
        assert!(maths.into_iter().any(is_live), "{}: no maths that follows what is shown", lesson.id);
        let calls_cuda = |content: &Content| match content {
            Content::Verbatim(code) => code.contains("cuda") || code.contains("ncu"),
            Content::Text(pieces) => format!("{pieces:?}").contains("cudaOccupancy"),
            _ => false,
        };
        assert!(lesson.steps.iter().filter(|step| step.part == Part::Code).flat_map(|step| &step.body).any(calls_cuda), "{}", lesson.id);
    }
    let mut ids: Vec<&str> = lessons().iter().map(|lesson| lesson.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), lessons().len());
}

#[test]
fn every_step_takes_the_app_where_it_says() {
    for (lesson, index, step) in all_steps() {
        let name = format!("{}, step {index}", lesson.id);
        let session = at(&step.setup, &lesson.place(index));
        assert_eq!(session.document().configuration, step.setup.configuration, "{name}");
        assert!(session.gpu().is_some(), "{name}");
        assert_eq!(session.document().compared, step.setup.compared, "{name}");
        assert_eq!(session.view().screen, Screen::Learn, "{name}");
        assert_eq!(session.view().lesson, Some(lesson.place(index)), "{name}");
        assert_eq!(session.view().hides_answers, step.setup.ask.is_some(), "{name}");
        assert_eq!(session.view().placed.map_or(step.setup.placed, Some), step.setup.placed, "{name}");
        let kernel = session.selected().map(|(kernel, _)| kernel.name.clone());
        let wanted = step.setup.kernel.as_ref().filter(|_| !step.setup.files.is_empty());
        assert!(wanted.is_none_or(|wanted| kernel.as_ref().is_some_and(|name| name == wanted)), "{name}: {kernel:?}");
        assert!(step.setup.shown != Shown::Kernel || wanted.is_some(), "{name}: no kernel is shown");
        let facts = Facts::new(&session, step.setup.latency);
        if let Some(ask) = &step.setup.ask {
            assert!(facts.value(&ask.formula).unwrap_or_else(|error| panic!("{name}: {error}")).is_some(), "{name}");
            assert_eq!(step.part, Part::Predict, "{name}");
        }
        for piece in step.body.iter().filter_map(pieces).flatten() {
            if let Piece::Live(formula) = piece {
                let value = facts.value(formula).unwrap_or_else(|error| panic!("{name}: {formula}: {error}"));
                assert!(value.is_some(), "{name}: {formula} has no number");
            }
        }
        let markdown = step.markdown(&facts);
        assert!(!markdown.contains(['{']) || markdown.contains("```"), "{name}");
    }
}

/// A launch that a lesson takes from a report is the report's.
#[test]
fn the_launch_of_a_reports_kernel_is_the_reports() {
    let mut compared = 0;
    for (lesson, index, step) in all_steps().filter(|(_, _, step)| step.setup.shown == Shown::Kernel) {
        let session = at(&step.setup, &lesson.place(index));
        let (_, account) = session.selected().expect("a kernel");
        let Some(launch) = &account.launch else { continue };
        let (here, there) = (session.occupancy(), account.occupancy.as_ref().expect("an answer"));
        assert_eq!((here.blocks_per_sm, here.limits), (there.blocks_per_sm, there.limits), "{}, step {index}", lesson.id);
        assert_eq!(session.document().configuration.launch.grid_blocks(), launch.grid_blocks(), "{}, step {index}", lesson.id);
        compared += 1;
    }
    assert!(compared > 5);
}

fn pieces(content: &Content) -> Option<&Vec<Piece>> {
    match content {
        Content::Text(pieces) => Some(pieces),
        _ => None,
    }
}

fn holds(fixed: &Fixed, setup: &Setup, place: &crate::session::LessonPlace) -> Result<(), String> {
    let mut changed = setup.clone();
    for (key, value) in &fixed.changes {
        changed.set(key, value)?;
    }
    let session = at(&changed, place);
    if session.document().configuration != changed.configuration {
        return Err("the changed setup is refused".to_owned());
    }
    let value = Facts::new(&session, changed.latency).value(&fixed.formula)?;
    if shown(value) == fixed.text { Ok(()) } else { Err(format!("says {}, is {}", fixed.text, shown(value))) }
}

#[test]
fn every_number_in_the_prose_is_the_engines() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (lesson, index, step) in all_steps() {
        for piece in step.body.iter().filter_map(pieces).flatten() {
            let Piece::Fixed(fixed) = piece else { continue };
            checked += 1;
            if let Err(error) = holds(fixed, &step.setup, &lesson.place(index)) {
                wrong.push(format!("{}, {}: {} {:?}: {error}", lesson.id, step.title, fixed.formula, fixed.changes));
            }
        }
    }
    assert!(checked > 200, "only {checked} numbers were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What lesson five says in words: never too low, and wrong for about one launch in seven.
#[test]
fn registers_without_rounding_are_wrong_for_one_launch_in_seven() {
    let arch = Catalog::builtin().find_arch("8.0").expect("8.0");
    let (mut wrong, mut all) = (0.0, 0.0);
    for warps in 1..=arch.max_threads_per_block / 32 {
        for registers in 1..=arch.max_registers_per_thread {
            let right = evaluate(arch, &Launch::new(warps * 32, registers)).blocks_per_sm;
            let unrounded = arch.registers_per_sm / (warps * 32 * registers);
            let shortcut = unrounded.min(arch.max_warps_per_sm() / warps).min(arch.max_blocks_per_sm);
            assert!(shortcut >= right, "{warps} warps, {registers} registers");
            wrong += f64::from(u8::from(shortcut != right));
            all += 1.0;
        }
    }
    let one_in: f64 = all / wrong;
    assert!((one_in - 7.0).abs() < 0.5, "one in {one_in}");
}

/// Numbers outside of braces are names, versions, or stand in code.
#[test]
fn no_number_escapes_the_engine() {
    const NAMES: [&str; 25] = [
        "A100",
        "P100",
        "H100",
        "RTX 4090",
        "RTX 3090",
        "L1",
        "capability 8.0",
        "`8.0`",
        "9.0",
        "13.2",
        "13.5.37",
        "11.8.89",
        "sm_80",
        "sm_90",
        "sm_120",
        "1. ",
        "2. ",
        "3. ",
        "255 registers",
        "⌈threads / 32⌉",
        "registers × 32",
        "multiple of 256",
        "multiple of 128",
        "+ 1)",
        "5120",
    ];
    let mut wrong = Vec::new();
    for (lesson, _, step) in all_steps() {
        let mut words = String::new();
        for piece in step.body.iter().filter_map(pieces).flatten() {
            words.push_str(if let Piece::Words(words) = piece { words } else { "#" });
        }
        let mut prose: String = words.split('`').step_by(2).collect();
        for name in NAMES {
            prose = prose.replace(name, "");
        }
        if let Some(at) = prose.find(|c: char| c.is_ascii_digit()) {
            wrong.push(format!("{}, {}: …{}", lesson.id, step.title, prose[at..].chars().take(30).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
