//! What the curves show: exact steps of occupancy over one input, a line for each GPU.
#![allow(clippy::cast_precision_loss, reason = "values of an axis as places on it")]

use super::super::heatmap::scale::Scale;
use crate::arch::Arch;
use crate::engine::sweep::{self, Cell, Variable};
use crate::engine::{Launch, Occupancy, evaluate};
use crate::units::KIB;

pub const VARIABLES: [Variable; 3] = [Variable::RegistersPerThread, Variable::ThreadsPerBlock, Variable::DynamicSmem];

/// Occupancy along one input, everything else as in the present launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// As coarse as the keys walk and the pointer chooses; it ends where the GPU that goes furthest does.
    pub coarse: Scale,
    /// One for each GPU, the chosen one first.
    pub lines: Vec<Line>,
}

/// What one GPU says along the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub max_warps_per_sm: u32,
    /// From left to right, without a gap, as fine as this hardware allocates.
    pub steps: Vec<Step>,
    /// Resident warps of the present launch; none when it cannot launch.
    pub present: Option<u32>,
}

/// A range of values with one answer: above `from`, up to and including `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub from: u64,
    pub to: u64,
    /// Resident warps per SM; none where it cannot launch.
    pub warps: Option<u32>,
}

/// What the y axes count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    #[default]
    Percent,
    Warps,
}

impl Curve {
    /// `others` are the GPUs beside `arch`.
    pub fn new<'a>(arch: &'a Arch, others: impl Iterator<Item = &'a Arch> + Clone, launch: &Launch, variable: Variable) -> Self {
        let gpus = std::iter::once(arch).chain(others);
        let coarse = Scale::coarse(variable, arch, launch);
        let last = gpus.clone().map(|arch| Scale::coarse(variable, arch, launch).last).max().unwrap_or(coarse.last);
        let coarse = Scale { last, step: if variable == Variable::DynamicSmem { KIB } else { coarse.step }, ..coarse };
        Self { coarse, lines: gpus.map(|arch| Line::new(arch, launch, variable, last)).collect() }
    }

    /// The value that a place along the axis stands for: what the pointer shows and a click goes to.
    ///
    /// Registers and threads go up to what hardware rounds to; shared memory to the nearest KiB.
    pub fn value_near(&self, x: f64) -> u64 {
        let near = |step: u64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a small axis")]
            let value = x.clamp(0.0, self.last() as f64).round() as u64;
            (value + step / 2) / step * step
        };
        if self.coarse.variable == Variable::DynamicSmem {
            return near(KIB).min(self.last());
        }
        let cell = self.coarse.cell_of(near(1).max(1)).unwrap_or(0);
        self.coarse.upper(cell)
    }

    pub fn present(&self) -> u64 {
        self.coarse.present
    }

    /// The largest value of the axis.
    pub fn last(&self) -> u64 {
        self.coarse.last
    }

    /// What the y axis ends with: 100, or the most warps that any of the GPUs holds.
    pub fn top(&self, unit: Unit) -> u32 {
        match unit {
            Unit::Percent => 100,
            Unit::Warps => self.lines.iter().map(|line| line.max_warps_per_sm).max().unwrap_or(1),
        }
    }
}

impl Line {
    fn new(arch: &Arch, launch: &Launch, variable: Variable, last: u64) -> Self {
        // The line is that of plain values; where the present one lies does not change it.
        let scale = Scale { present: u64::MAX, last, ..Scale::fine(variable, arch, launch) };
        let of_cell = |cell: &Cell| (cell.blocks_per_sm > 0).then(|| cell.active_warps_per_sm());
        let exact =
            |launch: &Launch| Some(evaluate(arch, launch)).filter(Occupancy::can_launch).map(|occupancy| occupancy.active_warps_per_sm());
        let warps: Vec<Option<u32>> = sweep::curve(arch, launch, scale.line()).iter().map(of_cell).collect();
        Self { max_warps_per_sm: arch.max_warps_per_sm(), steps: steps(&scale, &warps), present: exact(launch) }
    }

    /// Drawn in `unit`, it lies on the other line from end to end.
    pub fn is_on(&self, other: &Self, unit: Unit) -> bool {
        let height = |line: &Self, warps: Option<u32>| warps.map(|warps| line.height(warps, unit));
        let is_equal =
            |(one, two): (&Step, &Step)| (one.from, one.to) == (two.from, two.to) && height(self, one.warps) == height(other, two.warps);
        self.steps.len() == other.steps.len() && self.steps.iter().zip(&other.steps).all(is_equal)
    }

    /// Resident warps at `value`; none where it cannot launch.
    pub fn warps_at(&self, value: u64) -> Option<u32> {
        self.steps.iter().find(|step| value <= step.to).and_then(|step| step.warps)
    }

    /// How high a number of warps lies on an axis of `unit`.
    pub fn height(&self, warps: u32, unit: Unit) -> f64 {
        match unit {
            Unit::Percent => f64::from(warps) * 100.0 / f64::from(self.max_warps_per_sm),
            Unit::Warps => warps.into(),
        }
    }

    /// An answer as the tooltip lists it: "37.5 %", "24 of 64 warps", "cannot launch".
    pub fn in_words(&self, warps: Option<u32>, unit: Unit) -> String {
        match (warps, unit) {
            (None, _) => "cannot launch".to_owned(),
            (Some(warps), Unit::Percent) => crate::fmt::percent(self.height(warps, unit)),
            (Some(warps), Unit::Warps) => format!("{warps} of {} warps", self.max_warps_per_sm),
        }
    }
}

/// Joins equal neighbours.
fn steps(scale: &Scale, warps: &[Option<u32>]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (cell, warps) in warps.iter().enumerate() {
        let to = scale.upper(cell);
        match steps.last_mut() {
            Some(step) if step.warps == *warps => step.to = to,
            _ => steps.push(Step { from: steps.last().map_or(0, |step| step.to), to, warps: *warps }),
        }
    }
    steps
}

/// The first GPU before `index` whose lines lie where its own do in all of `curves`.
pub fn same_as(curves: &[Curve], index: usize, unit: Unit) -> Option<usize> {
    let is_on = |other: usize| curves.iter().all(|curve| curve.lines[index].is_on(&curve.lines[other], unit));
    (0..index).find(|other| is_on(*other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    fn arch(name: &str) -> &'static Arch {
        Catalog::builtin().find_arch(name).expect("a built-in architecture")
    }

    fn launch() -> Launch {
        Launch { dynamic_smem_bytes: 49_152, ..Launch::new(256, 64) }
    }

    fn curve(name: &str, variable: Variable) -> Curve {
        Curve::new(arch(name), std::iter::empty(), &launch(), variable)
    }

    #[test]
    fn every_line_has_the_answers_of_its_gpu() {
        let gpus = ["7.5", "6.0", "8.0", "9.0"].map(arch);
        for variable in VARIABLES {
            let curve = Curve::new(gpus[0], gpus[1..].iter().copied(), &launch(), variable);
            assert_eq!(curve.lines.len(), gpus.len());
            for (line, arch) in curve.lines.iter().zip(gpus) {
                for value in (1..=curve.last()).step_by(if variable == Variable::DynamicSmem { 97 } else { 1 }) {
                    let answer = evaluate(arch, &variable.set(&launch(), value));
                    let shown = line.warps_at(value);
                    assert_eq!(shown, answer.can_launch().then(|| answer.active_warps_per_sm()), "{variable:?} {value}");
                    let percent = shown.map(|warps| line.height(warps, Unit::Percent));
                    assert_eq!(percent, answer.can_launch().then(|| answer.theoretical_percent()), "{variable:?} {value}");
                }
            }
        }
    }

    #[test]
    fn lines_on_one_another_are_known() {
        let gpus = ["8.0", "9.0", "8.0", "7.5"].map(arch);
        let curves = VARIABLES.map(|variable| Curve::new(gpus[0], gpus[1..].iter().copied(), &launch(), variable));
        let same = |unit| [0, 1, 2, 3].map(|index| same_as(&curves, index, unit));
        assert_eq!(same(Unit::Percent), [None, None, Some(0), None]);
        // By registers alone, the two cannot be told apart.
        let small = Curve::new(gpus[0], [gpus[1]].into_iter(), &Launch::new(256, 64), Variable::RegistersPerThread);
        assert_eq!(same_as(&[small], 1, Unit::Warps), Some(0));
    }

    #[test]
    fn steps_leave_no_gap() {
        for variable in VARIABLES {
            let curve = Curve::new(arch("7.5"), [arch("9.0")].into_iter(), &launch(), variable);
            for line in &curve.lines {
                assert_eq!(line.steps.first().map(|step| step.from), Some(0));
                assert_eq!(line.steps.last().map(|step| step.to), Some(curve.last()));
                assert!(line.steps.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].warps != pair[1].warps));
            }
        }
    }

    #[test]
    fn the_axes_hold_every_gpu() {
        let curve = Curve::new(arch("7.5"), [arch("9.0")].into_iter(), &launch(), Variable::DynamicSmem);
        assert_eq!((curve.last(), curve.top(Unit::Percent), curve.top(Unit::Warps)), (227 * 1024, 100, 64));
        assert_eq!(curve.lines[0].in_words(curve.lines[0].warps_at(65 * 1024), Unit::Warps), "cannot launch");
        assert_eq!(curve.lines[0].in_words(Some(8), Unit::Warps), "8 of 32 warps");
    }

    #[test]
    fn the_pointer_goes_to_round_values() {
        let registers = curve("8.0", Variable::RegistersPerThread);
        assert_eq!([-3.0, 0.2, 41.0, 250.0, 900.0].map(|x| registers.value_near(x)), [8, 8, 48, 255, 255]);
        let memory = curve("8.0", Variable::DynamicSmem);
        assert_eq!([0.0, 1500.0, 1e9].map(|x| memory.value_near(x)), [0, 1024, 163 * 1024]);
    }
}
