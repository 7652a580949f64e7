//! Many launches at once: the heatmaps and curves.
//!
//! The limits do not depend on one another, so a table needs one row of each, and a minimum per cell. And the hardware rounds: most
//! rows and columns are like their neighbours, and are worked out once for all of them.

use super::launch::{Launch, PartitionedCaching};
use super::limits::{self, Limit, Limits, ResourceSet};
use super::occupancy::evaluate;
use crate::arch::Arch;
use crate::units::Dim3;

/// An input that a sweep runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    ThreadsPerBlock,
    RegistersPerThread,
    /// In bytes.
    DynamicSmem,
}

impl Variable {
    /// The launch with this input set to `value`; the block becomes one-dimensional when its size changes.
    pub fn set(self, launch: &Launch, value: u64) -> Launch {
        let mut changed = launch.clone();
        self.put(launch, &mut changed, value);
        changed
    }

    /// The same in place: `changed` is `launch` with any value of this variable.
    fn put(self, launch: &Launch, changed: &mut Launch, value: u64) {
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        match self {
            Self::ThreadsPerBlock if small == launch.threads_per_block() => changed.block = launch.block,
            Self::ThreadsPerBlock => changed.block = Dim3::linear(small),
            Self::RegistersPerThread => changed.registers_per_thread = small,
            Self::DynamicSmem => changed.dynamic_smem_bytes = value,
        }
    }

    pub fn get(self, launch: &Launch) -> u64 {
        match self {
            Self::ThreadsPerBlock => launch.threads_per_block().into(),
            Self::RegistersPerThread => launch.registers_per_thread.into(),
            Self::DynamicSmem => launch.dynamic_smem_bytes,
        }
    }
}

/// Evenly spaced values of one variable, `first` to `last`, both included where the step meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Axis {
    pub variable: Variable,
    pub first: u64,
    pub last: u64,
    pub step: u64,
}

impl Axis {
    /// `step` of 0 is read as 1; a `last` below `first` leaves one value.
    pub const fn new(variable: Variable, first: u64, last: u64, step: u64) -> Self {
        Self { variable, first, last, step }
    }

    pub fn len(&self) -> usize {
        usize::try_from(self.last.saturating_sub(self.first) / self.step.max(1)).map_or(usize::MAX, |steps| steps.saturating_add(1))
    }

    /// An axis always has its first value.
    pub const fn is_empty(&self) -> bool {
        false
    }

    pub fn value(&self, index: usize) -> u64 {
        self.first + self.step.max(1) * index as u64
    }

    pub fn values(&self) -> impl Iterator<Item = u64> + use<> {
        let axis = *self;
        (0..axis.len()).map(move |index| axis.value(index))
    }

    /// The index whose value is nearest to `value`, the lower one on a tie.
    pub fn nearest_index(&self, value: u64) -> usize {
        let step = self.step.max(1);
        let offset = value.saturating_sub(self.first);
        let index = offset / step + u64::from(offset % step > step / 2);
        usize::try_from(index).unwrap_or(usize::MAX).min(self.len() - 1)
    }
}

/// Values of one variable in any order, with one place in a table each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub variable: Variable,
    pub values: Vec<u64>,
}

impl From<Axis> for Line {
    fn from(axis: Axis) -> Self {
        Self { variable: axis.variable, values: axis.values().collect() }
    }
}

/// The answer of one cell: all its limits and their minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// 0 when such a launch cannot run.
    pub blocks_per_sm: u32,
    pub warps_per_block: u32,
    pub limits: Limits,
}

impl Cell {
    pub fn active_warps_per_sm(&self) -> u32 {
        self.blocks_per_sm.saturating_mul(self.warps_per_block)
    }

    pub fn binding(&self) -> ResourceSet {
        self.limits.binding()
    }
}

/// A table over two variables.
///
/// Neighbours along an axis that the hardware rounds to the same are one group: 57 to 64 registers, 225 to 256 threads. A cell is
/// worked out once for each pair of groups, so that a table costs little more than its longest row, and holds whole [`Cell`]s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heatmap {
    pub max_warps_per_sm: u32,
    columns: Groups,
    rows: Groups,
    /// Row-major over the groups.
    answers: Vec<Cell>,
}

impl Heatmap {
    pub fn width(&self) -> usize {
        self.columns.of_value.len()
    }

    pub fn height(&self) -> usize {
        self.rows.of_value.len()
    }

    pub fn cell(&self, x: usize, y: usize) -> Option<&Cell> {
        let (column, row) = (*self.columns.of_value.get(x)?, *self.rows.of_value.get(y)?);
        self.answers.get(row as usize * self.columns.parts.len() + column as usize)
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        let row = |row: &u32| &self.answers[*row as usize * self.columns.parts.len()..][..self.columns.parts.len()];
        self.rows.of_value.iter().map(row).flat_map(|row| self.columns.of_value.iter().map(|column| &row[*column as usize]))
    }

    /// Theoretical occupancy of a cell, 0 to 100.
    pub fn percent(&self, cell: &Cell) -> f64 {
        f64::from(cell.active_warps_per_sm()) * 100.0 / f64::from(self.max_warps_per_sm)
    }

    /// Blocks per SM of all cells, row by row, in the place of what `blocks` holds. No SM has as many as 65,536 block slots.
    pub fn blocks_into(&self, blocks: &mut Vec<u16>) {
        blocks.clear();
        blocks.reserve(self.width() * self.height());
        let mut last = None;
        for row in &self.rows.of_value {
            if last.replace(*row) == Some(*row) {
                blocks.extend_from_within(blocks.len() - self.width()..);
            } else {
                self.row_into(*row as usize, blocks);
            }
        }
    }

    fn row_into(&self, row: usize, blocks: &mut Vec<u16>) {
        let cells = &self.answers[row * self.columns.parts.len()..];
        let mut begin = 0;
        for (cell, end) in cells.iter().zip(&self.columns.ends) {
            let count = u16::try_from(cell.blocks_per_sm).unwrap_or(u16::MAX);
            blocks.resize(blocks.len() + end - begin, count);
            begin = *end;
        }
    }
}

/// The exact answer for every pair of values of two different variables, all other inputs as in `launch`.
///
/// Equal to [`evaluate`] of the launch with both values [set](Variable::set), cell by cell.
pub fn heatmap(arch: &Arch, launch: &Launch, x: impl Into<Line>, y: impl Into<Line>) -> Heatmap {
    let (columns, rows) = (Groups::new(arch, launch, &x.into()), Groups::new(arch, launch, &y.into()));
    let fixed = Fixed::new(arch, launch);
    let cell = |row| columns.parts.iter().map(move |column| (column, row));
    let answers = rows.parts.iter().flat_map(cell).map(|(x, y)| fixed.cell(arch, x, y)).collect();
    Heatmap { max_warps_per_sm: arch.max_warps_per_sm(), columns, rows, answers }
}

/// The exact answer along one variable, all other inputs as in `launch`.
pub fn curve(arch: &Arch, launch: &Launch, line: impl Into<Line>) -> Vec<Cell> {
    let groups = Groups::new(arch, launch, &line.into());
    let fixed = Fixed::new(arch, launch);
    let answers: Vec<Cell> = groups.parts.iter().map(|part| fixed.cell(arch, part, &Part::NONE)).collect();
    groups.of_value.iter().map(|group| answers[*group as usize]).collect()
}

/// The values of a line, those that cannot differ from their neighbours as one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Groups {
    parts: Vec<Part>,
    /// The index behind the last value of each part.
    ends: Vec<usize>,
    /// The part of each value.
    of_value: Vec<u32>,
}

impl Groups {
    fn new(arch: &Arch, launch: &Launch, line: &Line) -> Self {
        let mut groups = Self { parts: Vec::new(), ends: Vec::new(), of_value: Vec::with_capacity(line.values.len()) };
        let mut changed = launch.clone();
        for value in &line.values {
            let part = Part::new(arch, launch, &mut changed, line.variable, *value);
            if groups.parts.last() != Some(&part) {
                groups.parts.push(part);
                groups.ends.push(groups.of_value.len());
            }
            if let (Some(end), Ok(group)) = (groups.ends.last_mut(), u32::try_from(groups.parts.len() - 1)) {
                *end += 1;
                groups.of_value.push(group);
            }
        }
        groups
    }
}

/// What one value of one variable decides. Two values with equal parts have the same answer, whatever else a launch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    block: Option<Block>,
    registers: Option<Registers>,
    shared_memory: Option<Limit>,
}

impl Part {
    const NONE: Self = Self { block: None, registers: None, shared_memory: None };

    /// `changed` is `launch` but for this variable, whatever it had there before.
    fn new(arch: &Arch, launch: &Launch, changed: &mut Launch, variable: Variable, value: u64) -> Self {
        variable.put(launch, changed, value);
        match variable {
            Variable::ThreadsPerBlock => Self { block: Some(Block::new(arch, changed)), ..Self::NONE },
            Variable::RegistersPerThread => Self { registers: Some(Registers::new(arch, changed)), ..Self::NONE },
            Variable::DynamicSmem => Self { shared_memory: Some(limits::limit_by_shared_memory(arch, changed)), ..Self::NONE },
        }
    }
}

/// What the block of a launch decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    warps: u32,
    limit: Limit,
    limit_with_caching: Limit,
    /// Such a block can run when it takes no registers and no shared memory: its shape, the launch bounds and everything
    /// that is not swept allow it.
    allowed: bool,
}

impl Block {
    fn new(arch: &Arch, launch: &Launch) -> Self {
        let empty = Launch { registers_per_thread: 0, static_smem_bytes: 0, dynamic_smem_bytes: 0, ..launch.clone() };
        Self {
            warps: launch.warps_per_block(),
            limit: limits::limit_by_warps(arch, launch.threads_per_block(), false),
            limit_with_caching: limits::limit_by_warps(arch, launch.threads_per_block(), true),
            allowed: evaluate(arch, &empty).can_launch(),
        }
    }
}

/// The launch itself, for what no variable of the sweep changes.
struct Fixed {
    block: Block,
    registers: Registers,
    caching: PartitionedCaching,
    limits: Limits,
}

impl Fixed {
    fn new(arch: &Arch, launch: &Launch) -> Self {
        Self {
            block: Block::new(arch, launch),
            registers: Registers::new(arch, launch),
            caching: launch.partitioned_caching,
            limits: limits::limits(arch, launch),
        }
    }

    fn cell(&self, arch: &Arch, x: &Part, y: &Part) -> Cell {
        let block = x.block.or(y.block).unwrap_or(self.block);
        let registers = x.registers.or(y.registers).unwrap_or(self.registers);
        let (register_limit, caching) = limits::limit_by_registers(arch, block.warps, registers.per_thread, self.caching);
        let limits = Limits {
            warps: if caching { block.limit_with_caching } else { block.limit },
            registers: register_limit,
            shared_memory: x.shared_memory.or(y.shared_memory).unwrap_or(self.limits.shared_memory),
            ..self.limits
        };
        Cell { blocks_per_sm: if block.allowed { limits.min_blocks() } else { 0 }, warps_per_block: block.warps, limits }
    }
}

/// What the registers of a launch decide.
#[derive(Clone, Copy, Debug)]
struct Registers {
    per_thread: u32,
    /// What a warp is given; none for more than a thread may have.
    per_warp: Option<u64>,
}

impl Registers {
    fn new(arch: &Arch, launch: &Launch) -> Self {
        let per_thread = launch.registers_per_thread;
        let allowed = per_thread <= arch.max_registers_per_thread;
        Self { per_thread, per_warp: allowed.then(|| limits::registers_per_warp(arch, per_thread)) }
    }
}

impl PartialEq for Registers {
    /// A limit depends on what a warp is given, and not on what was asked for.
    fn eq(&self, other: &Self) -> bool {
        self.per_warp == other.per_warp
    }
}

impl Eq for Registers {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn the_nearest_value_is_the_lower_one_on_a_tie() {
        let threads = Axis::new(Variable::ThreadsPerBlock, 32, 1024, 32);
        assert_eq!([0, 47, 48, 49, 96, 5000].map(|value| threads.nearest_index(value)), [0, 0, 0, 1, 2, 31]);
        let odd = Axis::new(Variable::DynamicSmem, 0, 9, 3);
        assert_eq!([1, 2, 3].map(|value| odd.nearest_index(value)), [0, 1, 1]);
        assert!(!odd.is_empty());
    }

    #[test]
    fn a_block_keeps_its_shape_where_its_size_is_the_present_one() {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        // 128 threads deep are refused; 96 and 160 threads in a row are not.
        let launch = Launch { block: Dim3::new(1, 1, 128), ..Launch::default() };
        let cells = curve(arch, &launch, Axis::new(Variable::ThreadsPerBlock, 96, 160, 32));
        assert_eq!(cells.iter().map(|cell| cell.blocks_per_sm).collect::<Vec<_>>(), [21, 0, 12]);
    }
}
