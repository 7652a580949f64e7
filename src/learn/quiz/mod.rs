//! Questions with answers that the engine works out: as many as wanted, the same for the same seed.
//!
//! A [`Question`] is a choice or a number. Its wrong answers are what the usual wrong rules lead to ([`wrong`]), each with its
//! name; its explanation is the engine's own calculation. [`sheet`] prints a set of them.
//!
//! Start with [`questions`].

mod about;
mod blocks;
mod memory;
pub mod random;
mod reasons;
mod registers;
pub mod sheet;
#[cfg(test)]
mod tests;
mod time;
pub mod wrong;

use super::facts::Latency;
use super::lesson::Lesson;
use crate::session::Configuration;
use random::Random;

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub prompt: String,
    /// The launch that it is about.
    pub configuration: Configuration,
    pub latency: Latency,
    /// The number that is asked for, as a formula over [`super::Facts`]; none where the answer is a reason.
    pub formula: Option<String>,
    pub kind: Kind,
    /// The way to the answer, a line a step.
    pub explanation: Vec<String>,
}

/// How it is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Choice { choices: Vec<Choice>, right: usize },
    Number { right: f64, unit: &'static str, traps: Vec<Trap> },
}

/// One of several answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub text: String,
    /// What leads there, when it is wrong: "counts threads instead of whole warps". Empty for the right one.
    pub mistake: String,
}

/// A wrong number that a usual mistake leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trap {
    pub value: f64,
    pub mistake: String,
}

/// What was answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given {
    Choice(usize),
    Number(f64),
}

impl Question {
    pub fn is_right(&self, given: Given) -> bool {
        match (&self.kind, given) {
            (Kind::Choice { right, .. }, Given::Choice(given)) => *right == given,
            (Kind::Number { right, .. }, Given::Number(given)) => is_same(*right, given),
            _ => false,
        }
    }

    /// The mistake that leads to a wrong answer, when it is a usual one.
    pub fn mistake(&self, given: Given) -> Option<&str> {
        let mistake = match (&self.kind, given) {
            (Kind::Choice { choices, .. }, Given::Choice(given)) => choices.get(given).map(|choice| choice.mistake.as_str()),
            (Kind::Number { traps, .. }, Given::Number(given)) => {
                traps.iter().find(|trap| is_same(trap.value, given)).map(|trap| trap.mistake.as_str())
            }
            _ => None,
        };
        mistake.filter(|mistake| !mistake.is_empty() && !self.is_right(given))
    }

    /// The right answer as text: "3 blocks".
    pub fn answer(&self) -> String {
        match &self.kind {
            Kind::Choice { choices, right } => choices[*right].text.clone(),
            Kind::Number { right, unit, .. } => with_unit(*right, unit),
        }
    }
}

/// The same number when it is written with one decimal.
fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.051
}

fn with_unit(value: f64, unit: &str) -> String {
    let number = super::facts::shown(Some(value));
    let unit = if number == "1" { unit.strip_suffix('s').unwrap_or(unit) } else { unit };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// Makes one question; none where the random launch is not worth asking about.
pub type Generator = fn(&mut Random) -> Option<Question>;

/// The generators of a lesson, by its id. Empty for a lesson that is not known.
pub fn generators(lesson: &str) -> &'static [Generator] {
    match lesson {
        "what-an-sm-holds" => &[blocks::warps_of_a_block, blocks::resident_warps, time::needed_warps, time::busy, time::bytes_in_flight],
        "placing-blocks" => &[blocks::blocks_per_sm, blocks::occupancy, blocks::limiter, blocks::resident_warps],
        "registers" => &[
            registers::allocated,
            registers::limit,
            registers::launch_bounds_meaning,
            registers::launch_bounds_registers,
            reasons::occupancy_doubled,
        ],
        "shared-memory" => &[memory::allocated, memory::limit, memory::largest_for_blocks, memory::pool, memory::without_opt_in],
        "textbook-and-hardware" => &[blocks::what_went_wrong, registers::limit, memory::limit, blocks::blocks_per_sm],
        "waves-and-tail" => &[time::full_waves, time::partial_wave, time::tail_time, time::grid_limited, reasons::grid_too_small],
        "more-warps-is-a-means" => &[time::needed_warps, reasons::occupancy_doubled, reasons::at_the_peak, time::busy],
        "doing-it" => &[registers::for_one_more_block, time::one_wave, blocks::occupancy, registers::launch_bounds_registers],
        "things-that-break" => &[memory::without_opt_in, memory::pool, registers::some_more, memory::too_much_static],
        _ => &[],
    }
}

/// The question of one generator for a seed. Launches that are not worth asking about are passed over.
pub fn question(generator: Generator, seed: u64) -> Option<Question> {
    let mut random = Random::new(seed);
    (0..1000).find_map(|_| generator(&mut random))
}

/// `count` questions about a lesson, its kinds in turn, none twice in a row.
pub fn questions(lesson: &Lesson, seed: u64, count: usize) -> Vec<Question> {
    let mut random = Random::new(seed);
    let mut order = generators(&lesson.id).to_vec();
    random.shuffle(&mut order);
    let mut found: Vec<Question> = Vec::new();
    for generator in order.iter().cycle().take(if order.is_empty() { 0 } else { count }) {
        let fresh = (0..50).filter_map(|_| question(*generator, random.next()));
        let is_new = |question: &Question| found.iter().all(|other| other.prompt != question.prompt);
        found.extend(fresh.into_iter().find(is_new).or_else(|| question(*generator, random.next())));
    }
    found
}
