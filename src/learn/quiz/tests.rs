//! Every generator for many seeds: one right answer, distinct choices, and the engine says the same.

use std::collections::HashSet;
use std::sync::Arc;

use super::random::Random;
use super::*;
use crate::arch::Catalog;
use crate::learn::facts::shown;
use crate::learn::{Facts, lessons};
use crate::session::{Action, Session};

const SEEDS: u64 = 10_000;

fn session_of(catalog: &Arc<Catalog>, question: &Question) -> Session {
    let mut session = Session::new(Arc::clone(catalog));
    session.apply(Action::SetConfiguration(question.configuration.clone()));
    assert_eq!(session.document().configuration, question.configuration, "{}", question.prompt);
    session
}

/// What is wrong with a question; nothing when it is sound.
fn fault(question: &Question, session: &Session) -> Option<String> {
    if question.prompt.is_empty() || question.explanation.is_empty() {
        return Some("nothing is asked or explained".to_owned());
    }
    let facts = Facts::new(session, question.latency);
    let engine = question.formula.as_ref().map(|formula| facts.value(formula).expect("a formula").expect("a number"));
    match &question.kind {
        Kind::Number { right, unit, traps } => {
            let engine = engine.expect("a number is asked for by a formula");
            if (engine - right).abs() > 0.051 {
                return Some(format!("says {right}, the engine {engine}"));
            }
            if unit.is_empty() || traps.iter().any(|trap| is_same(trap.value, *right) || trap.mistake.is_empty()) {
                return Some("a trap is right or has no reason".to_owned());
            }
        }
        Kind::Choice { choices, right } => {
            let texts: HashSet<&str> = choices.iter().map(|choice| choice.text.as_str()).collect();
            if texts.len() != choices.len() || choices.len() < 3 {
                return Some(format!("choices are not distinct or too few: {choices:?}"));
            }
            let without_mistake: Vec<usize> = (0..choices.len()).filter(|index| choices[*index].mistake.is_empty()).collect();
            if without_mistake != [*right] {
                return Some(format!("not one right answer: {choices:?}"));
            }
            if let Some(engine) = engine {
                let number = choices[*right].text.split(' ').next().unwrap_or_default();
                let rounded = shown(Some((engine * 10.0).round() / 10.0));
                if number != rounded {
                    return Some(format!("says {number}, the engine {rounded}"));
                }
            }
        }
    }
    None
}

#[test]
fn every_generator_is_right_for_many_seeds() {
    let catalog = Arc::new(Catalog::builtin().clone());
    let mut seen: HashSet<usize> = HashSet::new();
    let all = lessons().iter().flat_map(|lesson| generators(&lesson.id).iter().map(move |generator| (lesson, *generator)));
    for (lesson, generator) in all.filter(|(_, generator)| seen.insert(*generator as usize)).collect::<Vec<_>>() {
        for seed in 0..SEEDS {
            let question = question(generator, seed).unwrap_or_else(|| panic!("{}: nothing for seed {seed}", lesson.id));
            let session = session_of(&catalog, &question);
            if let Some(fault) = fault(&question, &session) {
                panic!("{}, seed {seed}: {}\n{fault}", lesson.id, question.prompt);
            }
            let given = match question.kind {
                Kind::Choice { right, .. } => Given::Choice(right),
                Kind::Number { right, .. } => Given::Number(right),
            };
            assert!(question.is_right(given) && question.mistake(given).is_none());
        }
    }
}

/// What a reason rests on is checked against the engine, too.
#[test]
fn reasons_rest_on_true_numbers() {
    let arch = Catalog::builtin().find_arch("8.0").expect("8.0");
    for seed in 0..SEEDS {
        let question = question(blocks::limiter, seed).expect("a question");
        let Kind::Choice { choices, right } = &question.kind else { panic!("a choice") };
        let session = session_of(&Arc::new(Catalog::builtin().clone()), &question);
        let limiters = session.occupancy().limiters;
        let text = choices[*right].text.to_lowercase();
        for resource in crate::engine::Resource::ALL {
            assert_eq!(text.contains(&resource.name().to_lowercase()), limiters.contains(resource), "{}", question.prompt);
        }
        if seed > 2_000 {
            break;
        }
    }
    let launch = crate::engine::Launch::new(256, 64);
    assert_eq!(crate::engine::advice::max_registers_for_blocks(arch, &launch, 2), Some(128));
}

#[test]
fn every_lesson_has_enough_kinds_of_questions_and_of_both_forms() {
    for lesson in lessons() {
        assert!(generators(&lesson.id).len() >= 4, "{}", lesson.id);
        let set = questions(lesson, 1, 24);
        assert_eq!(set.len(), 24, "{}", lesson.id);
        let choices = set.iter().filter(|question| matches!(question.kind, Kind::Choice { .. })).count();
        assert!((1..24).contains(&choices), "{}: {choices} choices", lesson.id);
        let prompts: HashSet<&str> = set.iter().map(|question| question.prompt.as_str()).collect();
        assert!(prompts.len() > 20, "{}: {} different questions", lesson.id, prompts.len());
    }
}

#[test]
fn a_seed_gives_the_same_questions_and_another_gives_others() {
    let lesson = &lessons()[1];
    assert_eq!(questions(lesson, 5, 8), questions(lesson, 5, 8));
    assert_ne!(questions(lesson, 5, 8), questions(lesson, 6, 8));
    assert!(questions(lesson, 5, 0).is_empty());
}

#[test]
fn a_usual_mistake_is_named() {
    let question = (0..100)
        .filter_map(|seed| question(registers::allocated, seed))
        .find(|question| matches!(&question.kind, Kind::Number { traps, .. } if !traps.is_empty()));
    let question = question.expect("a number with a trap");
    let Kind::Number { traps, .. } = &question.kind else { unreachable!("found as one") };
    assert_eq!(question.mistake(Given::Number(traps[0].value)), Some(traps[0].mistake.as_str()));
    assert_eq!(question.mistake(Given::Number(-7.0)), None);
    assert!(!question.is_right(Given::Choice(0)));
}

#[test]
fn sheets_show_answers_only_when_asked() {
    let lesson = &lessons()[0];
    let set = questions(lesson, 3, 6);
    let sheet = |with_answers| sheet::Sheet { lesson, seed: 3, questions: &set, with_answers };
    let (without, with) = (sheet(false), sheet(true));
    for question in &set {
        assert!(without.markdown().contains(&question.prompt) && with.markdown().contains(&question.prompt));
        assert!(!without.markdown().contains(&question.explanation[0]) && with.markdown().contains(&question.explanation[0]));
    }
    assert!(with.html().starts_with("<!DOCTYPE html>") && with.html().len() > without.html().len());
    assert_eq!(with.html().matches("<li>").count(), with.html().matches("</li>").count());
    let mut random = Random::new(3);
    assert!(random.next() != random.next());
}
