//! An axis of cells: which values share a cell, and which one stands for it.

use crate::arch::Arch;
use crate::engine::Launch;
use crate::engine::sweep::{Line, Variable};
use crate::units::{KIB, WARP_SIZE};

/// The instruction set ends here, whatever the occupancy header accepts.
const LAST_REGISTERS: u64 = 255;
const REGISTER_STEP: u64 = 8;

/// The values of one variable, cut into cells.
///
/// Cell `i` holds the values above `first + step × (i − 1)`, up to and including `first + step × i`: hardware rounds up, so
/// 57 to 64 registers are one cell, and 225 to 256 threads. A value therefore lies in the cell of its rounded-up count, and
/// the cell's answer is that of its upper end; nothing in a cell of registers or threads has another. In the cell of the
/// present launch the present value stands for all, so that row, column and ring agree with the answer shown elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    pub variable: Variable,
    pub first: u64,
    pub step: u64,
    /// The last cell ends here, even when it is smaller than a step: 249 to 255 registers.
    pub last: u64,
    /// What the present launch has.
    pub present: u64,
    /// The smallest value of the first cell.
    pub low: u64,
}

impl Scale {
    /// The cells of a heatmap: 8 registers, a warp of threads, 2 or 4 KiB.
    pub fn coarse(variable: Variable, arch: &Arch, launch: &Launch) -> Self {
        let present = variable.get(launch);
        // 0 registers are "no register limit"; a block has a thread at least.
        let low = u64::from(variable == Variable::ThreadsPerBlock);
        let scale = |first, step, last| Self { variable, first, step, last, present, low };
        let warp = u64::from(WARP_SIZE);
        match variable {
            Variable::RegistersPerThread => scale(REGISTER_STEP, REGISTER_STEP, LAST_REGISTERS),
            Variable::ThreadsPerBlock => scale(warp, warp, u64::from(arch.max_threads_per_block).max(warp)),
            Variable::DynamicSmem => {
                let last = u64::from(arch.optin_smem_per_block_bytes);
                scale(0, if last <= 64 * KIB { 2 * KIB } else { 4 * KIB }, last)
            }
        }
    }

    /// The steps of a curve: as fine as the hardware allocates.
    ///
    /// Static shared memory may shift the edges of the allocation by less than one unit, which is far below a pixel.
    pub fn fine(variable: Variable, arch: &Arch, launch: &Launch) -> Self {
        let mut scale = Self::coarse(variable, arch, launch);
        match variable {
            Variable::ThreadsPerBlock => {}
            Variable::RegistersPerThread => scale.step = u64::from(arch.register_allocation_unit / WARP_SIZE).max(1),
            Variable::DynamicSmem => scale.step = u64::from(arch.smem_allocation_unit_bytes).max(1),
        }
        if variable == Variable::RegistersPerThread {
            scale.first = scale.step;
        }
        scale
    }

    /// The cells of `step` whose upper ends are `from` to `to` times the step, without what lies beyond this scale.
    pub fn part(&self, step: u64, from: u64, to: u64) -> Self {
        let first = step.saturating_mul(from);
        let low = if from <= self.least_index() { self.low } else { first - step + 1 };
        Self { first, step, last: step.saturating_mul(to).min(self.last), low, ..*self }
    }

    /// What the first upper end is a multiple of: shared memory may be 0, the others are at least one step.
    pub fn least_index(&self) -> u64 {
        u64::from(self.variable != Variable::DynamicSmem)
    }

    pub fn len(&self) -> usize {
        usize::try_from(self.last.saturating_sub(self.first).div_ceil(self.step)).unwrap_or(0) + 1
    }

    /// The largest value of a cell.
    pub fn upper(&self, index: usize) -> u64 {
        self.even(index).min(self.last)
    }

    /// The value that stands for a cell: the present one in its own cell, else the largest.
    pub fn value(&self, index: usize) -> u64 {
        if self.cell_of(self.present) == Some(index) { self.present } else { self.upper(index) }
    }

    /// The cell that holds `value`; none beyond the ends, and none for a block without threads.
    ///
    /// 0 registers, "no register limit", lie in the first cell.
    pub fn cell_of(&self, value: u64) -> Option<usize> {
        if value > self.last || value < self.low {
            return None;
        }
        usize::try_from(value.saturating_sub(self.first).div_ceil(self.step)).ok()
    }

    pub fn present_cell(&self) -> Option<usize> {
        self.cell_of(self.present)
    }

    /// The value `cells` away from the present one on a scale that ends with `end`; none at its ends.
    pub fn walk(&self, cells: i64, end: u64) -> Option<u64> {
        let (least, most) = (self.least_index(), end.div_ceil(self.step));
        let here = if self.present > end { most + 1 } else { self.present.div_ceil(self.step).max(least) };
        let there = here.saturating_add_signed(cells).clamp(least, most);
        (there != here).then(|| (there * self.step).min(end))
    }

    /// The values that stand for the cells.
    pub fn line(&self) -> Line {
        Line { variable: self.variable, values: (0..self.len()).map(|index| self.value(index)).collect() }
    }

    fn even(&self, index: usize) -> u64 {
        self.first + self.step * index as u64
    }

    /// The values that are shown, with their noun: "96–160 threads".
    pub fn range_text(&self) -> String {
        let noun = match self.variable {
            Variable::RegistersPerThread => "registers",
            Variable::ThreadsPerBlock => "threads",
            Variable::DynamicSmem => &format!("{} dynamic shared memory", crate::fmt::size_unit()),
        };
        let low = if self.first == self.step { self.low.max(1) } else { self.low };
        format!("{}–{} {noun}", self.tick_text(low), self.tick_text(self.last))
    }

    /// What the axis counts, with its unit.
    pub fn caption(&self) -> &'static str {
        match self.variable {
            Variable::RegistersPerThread => "registers per thread",
            Variable::ThreadsPerBlock => "threads per block",
            Variable::DynamicSmem => match crate::fmt::size_unit() {
                "KB" => "dynamic shared memory, KB",
                "bytes" => "dynamic shared memory, bytes",
                _ => "dynamic shared memory, KiB",
            },
        }
    }

    /// A value as the ticks write it.
    pub fn tick_text(&self, value: u64) -> String {
        if self.variable == Variable::DynamicSmem { crate::fmt::size_number(value) } else { crate::fmt::grouped(value) }
    }

    /// Distances of ticks that people find round, ascending.
    pub const fn tick_steps(&self) -> &'static [u64] {
        match self.variable {
            Variable::RegistersPerThread => &[1, 2, 4, 8, 16, 32, 64, 128],
            Variable::ThreadsPerBlock => &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
            Variable::DynamicSmem => &[128, 256, 512, KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 128 * KIB],
        }
    }
}

/// A value with its noun: "64 registers", "256 threads", "48 KiB".
pub fn value_text(variable: Variable, value: u64) -> String {
    match variable {
        Variable::RegistersPerThread => crate::fmt::counted(value, "register"),
        Variable::ThreadsPerBlock => crate::fmt::counted(value, "thread"),
        Variable::DynamicSmem => crate::fmt::bytes(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    fn scale(variable: Variable, launch: &Launch) -> Scale {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        Scale::coarse(variable, arch, launch)
    }

    #[test]
    fn a_value_lies_in_the_cell_of_its_rounded_count() {
        let registers = scale(Variable::RegistersPerThread, &Launch::new(256, 64));
        for (value, upper) in [(1, 8), (8, 8), (41, 48), (48, 48), (64, 64), (65, 72), (248, 248), (249, 255), (255, 255)] {
            assert_eq!(registers.upper(registers.cell_of(value).expect("a cell")), upper, "{value}");
        }
        assert_eq!(registers.cell_of(256), None);
        let threads = scale(Variable::ThreadsPerBlock, &Launch::new(256, 64));
        assert_eq!((threads.cell_of(0), threads.cell_of(33), threads.cell_of(1025)), (None, Some(1), None));
        assert_eq!((registers.len(), threads.len()), (32, 32));
    }

    #[test]
    fn the_present_value_stands_for_its_cell() {
        let registers = scale(Variable::RegistersPerThread, &Launch::new(256, 41));
        assert_eq!((registers.value(5), registers.upper(5), registers.value(6)), (41, 48, 56));
        assert_eq!(registers.line().values[4..7], [40, 41, 56]);
        assert_eq!(registers.line().values[31], 255);
    }

    #[test]
    fn walking_ends_at_the_ends() {
        let registers = scale(Variable::RegistersPerThread, &Launch::new(256, 41));
        assert_eq!((registers.walk(1, 255), registers.walk(-1, 255)), (Some(56), Some(40)));
        assert_eq!(scale(Variable::RegistersPerThread, &Launch::new(256, 255)).walk(1, 255), None);
        assert_eq!(scale(Variable::ThreadsPerBlock, &Launch::new(32, 255)).walk(-1, 1024), None);
        assert_eq!(scale(Variable::ThreadsPerBlock, &Launch::new(4096, 255)).walk(-1, 1024), Some(1024));
    }
}
