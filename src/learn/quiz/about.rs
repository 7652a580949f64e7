//! What questions are made of: random launches, their GPUs, explanations, and answers with distinct wrong ones beside them.

use super::random::Random;
use super::wrong::WrongRule;
use super::{Choice, Kind, Question, Trap, with_unit};
use crate::arch::{Arch, Catalog};
use crate::engine::trace::{Step, trace};
use crate::engine::{Launch, Occupancy, evaluate};
use crate::fmt::{bytes, grouped};
use crate::learn::facts::FIRST_LATENCY;
use crate::session::{Configuration, GpuChoice};
use crate::units::{Dim3, KIB};

/// GPUs that questions are about, of different generations.
pub const GPUS: [&str; 5] = ["A100 SXM 40 GB", "H100 SXM", "RTX 4090", "RTX 3090", "T4"];

/// Answers at most, the right one included.
const CHOICES: usize = 4;

/// A launch on a GPU, with the engine's answer.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: &'static str,
    pub arch: &'static Arch,
    pub num_sms: u32,
    pub launch: Launch,
    pub right: Occupancy,
}

impl Case {
    /// None for a product that is not in the table.
    pub fn new(name: &'static str, launch: Launch) -> Option<Self> {
        let catalog = Catalog::builtin();
        let gpu = catalog.gpus().iter().find(|gpu| gpu.name == name)?;
        let arch = catalog.arch(gpu.compute_capability)?;
        let right = evaluate(arch, &launch);
        Some(Self { name, arch, num_sms: gpu.num_sms?, launch, right })
    }

    pub fn configuration(&self) -> Configuration {
        Configuration { gpu: GpuChoice::Product(self.name.to_owned()), launch: self.launch.clone() }
    }

    /// "256 threads, 64 registers, 48 KiB of shared memory a block" and the like.
    pub fn in_words(&self) -> String {
        let mut parts = vec![
            format!("{} threads a block", self.launch.threads_per_block()),
            format!("{} registers a thread", self.launch.registers_per_thread),
        ];
        if self.launch.requested_smem_bytes() > 0 {
            parts.push(format!("{} of shared memory a block", bytes(self.launch.requested_smem_bytes())));
        }
        parts.join(", ")
    }

    /// The limits of the GPU that the reader needs.
    pub fn gpu_in_words(&self) -> String {
        let arch = self.arch;
        let mut parts = vec![
            format!("{} warp slots", arch.max_warps_per_sm()),
            format!("{} block slots", arch.max_blocks_per_sm),
            format!("{} registers in {} files", grouped(arch.registers_per_sm.into()), arch.sub_partitions),
        ];
        if self.launch.requested_smem_bytes() > 0 {
            parts.push(format!("{} of shared memory", bytes(arch.smem_per_sm_bytes.into())));
        }
        format!("An SM of the {} has {}.", self.name, parts.join(", "))
    }

    /// The engine's steps whose rules contain one of `rules`.
    pub fn steps(&self, rules: &[&str]) -> Vec<String> {
        let steps = trace(self.arch, &self.launch, Some(self.num_sms));
        let chosen = steps.iter().filter(|step| rules.iter().any(|rule| step.rule.contains(rule)));
        let unit = |step: &Step| if step.result == "1" { step.unit.trim_end_matches('s') } else { step.unit };
        chosen.map(|step| format!("{}: {} = {} {}", step.rule, step.numbers, step.result, unit(step))).collect()
    }

    /// A question for a number of this launch.
    pub fn asks(&self, random: &mut Random, prompt: String, asked: Asked, explanation: Vec<String>) -> Question {
        Question {
            prompt,
            configuration: self.configuration(),
            latency: FIRST_LATENCY,
            formula: Some(asked.formula.to_owned()),
            kind: asked.kind(random),
            explanation,
        }
    }

    /// A question for a reason.
    pub fn asks_why(&self, random: &mut Random, prompt: String, answers: Vec<Choice>, explanation: Vec<String>) -> Question {
        Question {
            prompt,
            configuration: self.configuration(),
            latency: FIRST_LATENCY,
            formula: None,
            kind: shuffled(random, answers),
            explanation,
        }
    }
}

/// A number that is asked for, and the numbers that mistakes lead to.
#[derive(Clone, Debug)]
pub struct Asked {
    pub formula: &'static str,
    pub right: f64,
    pub unit: &'static str,
    pub traps: Vec<Trap>,
}

impl Asked {
    pub fn new(formula: &'static str, right: impl Into<f64>, unit: &'static str) -> Self {
        Self { formula, right: right.into(), unit, traps: Vec::new() }
    }

    /// With a mistake that leads to another number. One that leads to the right number is no trap.
    pub fn trap(mut self, value: impl Into<f64>, mistake: &str) -> Self {
        let value = value.into();
        let known = |trap: &Trap| (trap.value - value).abs() < 0.1;
        if value.is_finite() && value >= 0.0 && (value - self.right).abs() >= 0.1 && !self.traps.iter().any(known) {
            self.traps.push(Trap { value, mistake: mistake.to_owned() });
        }
        self
    }

    /// With what each of these rules leads to.
    pub fn rules(self, rules: &[WrongRule], value_of: impl Fn(WrongRule) -> Option<f64>) -> Self {
        rules.iter().fold(self, |asked, rule| match value_of(*rule) {
            Some(value) => asked.trap(value, rule.name()),
            None => asked,
        })
    }

    /// A choice where mistakes lead to several numbers, unless chance wants the number typed.
    fn kind(mut self, random: &mut Random) -> Kind {
        if self.traps.len() < 2 || random.between(0, 2) == 0 {
            return Kind::Number { right: self.right, unit: self.unit, traps: self.traps };
        }
        random.shuffle(&mut self.traps);
        let right = Choice { text: with_unit(self.right, self.unit), mistake: String::new() };
        let wrong = self.traps.iter().take(CHOICES - 1);
        let wrong = wrong.map(|trap| Choice { text: with_unit(trap.value, self.unit), mistake: trap.mistake.clone() });
        shuffled(random, std::iter::once(right).chain(wrong).collect())
    }
}

/// The first of `answers` is the right one; all are put in a random order.
fn shuffled(random: &mut Random, mut answers: Vec<Choice>) -> Kind {
    random.shuffle(&mut answers);
    let right = answers.iter().position(|answer| answer.mistake.is_empty()).unwrap_or_default();
    Kind::Choice { choices: answers, right }
}

pub fn right(text: impl Into<String>) -> Choice {
    Choice { text: text.into(), mistake: String::new() }
}

pub fn mistaken(text: impl Into<String>, mistake: impl Into<String>) -> Choice {
    Choice { text: text.into(), mistake: mistake.into() }
}

/// A launch without shared memory whose block may have a partly filled warp.
pub fn case(random: &mut Random) -> Option<Case> {
    let name = random.pick(&GPUS);
    let threads = match random.between(0, 3) {
        0 => random.between(1, 32) * 32,
        1 => random.between(33, 700),
        _ => *random.pick(&[64, 96, 128, 160, 192, 256, 320, 384, 512, 768]),
    };
    let registers = random.between(16, 128);
    Case::new(name, Launch { block: Dim3::linear(threads), registers_per_thread: registers, ..Launch::default() })
}

/// A launch that also asks for shared memory, of whole KiB or not.
pub fn case_with_smem(random: &mut Random) -> Option<Case> {
    let plain = case(random)?;
    let most = plain.arch.optin_smem_per_block_bytes / 1024;
    let kib = u64::from(random.between(1, most.min(64)));
    let dynamic = if random.between(0, 1) == 0 { kib * KIB } else { kib * KIB - u64::from(random.between(1, 900)) };
    Case::new(plain.name, Launch { dynamic_smem_bytes: dynamic, ..plain.launch })
}
