//! What the curves show: exact steps of occupancy over one input.
#![allow(clippy::cast_precision_loss, reason = "values of an axis as places on it")]

use super::super::heatmap::scale::Scale;
use crate::arch::Arch;
use crate::engine::sweep::{self, Cell, Variable};
use crate::engine::{Launch, evaluate};
use crate::units::KIB;

pub const VARIABLES: [Variable; 3] = [Variable::RegistersPerThread, Variable::ThreadsPerBlock, Variable::DynamicSmem];

/// Occupancy along one input, everything else as in the present launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// As fine as the hardware allocates.
    pub scale: Scale,
    /// As coarse as the keys walk and the pointer chooses.
    pub coarse: Scale,
    /// From left to right, without a gap.
    pub steps: Vec<Step>,
    /// Theoretical occupancy of the present launch, 0 to 100; none when it cannot launch.
    pub present_percent: Option<f64>,
}

/// A range of values with one answer: above `from`, up to and including `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub from: u64,
    pub to: u64,
    /// Theoretical occupancy, 0 to 100; none where it cannot launch.
    pub percent: Option<f64>,
}

impl Curve {
    pub fn new(arch: &Arch, launch: &Launch, variable: Variable) -> Self {
        // The curve is that of plain values; where the present one lies does not change it.
        let scale = Scale { present: u64::MAX, ..Scale::fine(variable, arch, launch) };
        let coarse = Scale::coarse(variable, arch, launch);
        let coarse = if variable == Variable::DynamicSmem { Scale { step: KIB, ..coarse } } else { coarse };
        let percent = |cell: &Cell| {
            let percent = f64::from(cell.active_warps_per_sm()) * 100.0 / f64::from(arch.max_warps_per_sm());
            (cell.blocks_per_sm > 0).then_some(percent)
        };
        let mut percents: Vec<Option<f64>> = sweep::curve(arch, launch, scale.sweep_axis()).iter().map(percent).collect();
        let launches = |launch: &Launch| Some(evaluate(arch, launch)).filter(crate::engine::Occupancy::can_launch);
        let exact = |launch: &Launch| launches(launch).map(|occupancy| occupancy.theoretical_percent());
        let last = scale.len() - 1;
        if scale.is_uneven(last) {
            percents[last] = exact(&variable.set(launch, scale.upper(last)));
        }
        Self { steps: steps(&scale, &percents), scale, coarse, present_percent: exact(launch) }
    }

    /// The value that a place along the axis stands for: what the pointer shows and a click goes to.
    ///
    /// Registers and threads go up to what hardware rounds to; shared memory to the nearest KiB.
    pub fn value_near(&self, x: f64) -> u64 {
        let near = |step: u64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a small axis")]
            let value = x.clamp(0.0, self.scale.last as f64).round() as u64;
            (value + step / 2) / step * step
        };
        if self.scale.variable == Variable::DynamicSmem {
            return near(KIB).min(self.scale.last);
        }
        let cell = self.coarse.cell_of(near(1).max(1)).unwrap_or(0);
        self.coarse.upper(cell)
    }

    /// The occupancy at `value`, 0 to 100; none where it cannot launch.
    pub fn percent_at(&self, value: u64) -> Option<f64> {
        self.steps.iter().find(|step| value <= step.to).and_then(|step| step.percent)
    }

    pub fn present(&self) -> u64 {
        self.coarse.present
    }
}

/// Joins equal neighbours.
fn steps(scale: &Scale, percents: &[Option<f64>]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (cell, percent) in percents.iter().enumerate() {
        let to = scale.upper(cell);
        match steps.last_mut() {
            Some(step) if step.percent == *percent => step.to = to,
            _ => steps.push(Step { from: steps.last().map_or(0, |step| step.to), to, percent: *percent }),
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    fn curve(name: &str, variable: Variable) -> (&'static Arch, Launch, Curve) {
        let arch = Catalog::builtin().find_arch(name).expect("a built-in architecture");
        let launch = Launch { dynamic_smem_bytes: 49_152, ..Launch::new(256, 64) };
        let curve = Curve::new(arch, &launch, variable);
        (arch, launch, curve)
    }

    #[test]
    fn every_value_has_the_answer_of_its_launch() {
        for name in ["6.0", "8.0", "9.0"] {
            for variable in VARIABLES {
                let (arch, launch, curve) = curve(name, variable);
                for value in (1..=curve.scale.last).step_by(if variable == Variable::DynamicSmem { 97 } else { 1 }) {
                    let answer = evaluate(arch, &variable.set(&launch, value));
                    let expected = answer.can_launch().then(|| answer.theoretical_percent());
                    assert_eq!(curve.percent_at(value), expected, "{name} {variable:?} {value}");
                }
            }
        }
    }

    #[test]
    fn steps_leave_no_gap() {
        for variable in VARIABLES {
            let (_, _, curve) = curve("8.0", variable);
            assert_eq!(curve.steps.first().map(|step| step.from), Some(0));
            assert_eq!(curve.steps.last().map(|step| step.to), Some(curve.scale.last));
            assert!(curve.steps.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].percent != pair[1].percent));
        }
    }

    #[test]
    fn the_pointer_goes_to_round_values() {
        let (_, _, registers) = curve("8.0", Variable::RegistersPerThread);
        assert_eq!([-3.0, 0.2, 41.0, 250.0, 900.0].map(|x| registers.value_near(x)), [8, 8, 48, 255, 255]);
        let (_, _, memory) = curve("8.0", Variable::DynamicSmem);
        assert_eq!([0.0, 1500.0, 1e9].map(|x| memory.value_near(x)), [0, 1024, 163 * 1024]);
    }
}
