//! Many launches at once: the heatmaps and curves.
//!
//! The limits do not depend on one another, so a table needs one row of each, and a minimum per cell.

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
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        match self {
            Self::ThreadsPerBlock if small == launch.threads_per_block() => {}
            Self::ThreadsPerBlock => changed.block = Dim3::linear(small),
            Self::RegistersPerThread => changed.registers_per_thread = small,
            Self::DynamicSmem => changed.dynamic_smem_bytes = value,
        }
        changed
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

/// A table over two variables, row-major: `cells[y * x_axis.len() + x]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heatmap {
    pub x_axis: Axis,
    pub y_axis: Axis,
    pub cells: Vec<Cell>,
    pub max_warps_per_sm: u32,
}

impl Heatmap {
    pub fn cell(&self, x: usize, y: usize) -> Option<&Cell> {
        (x < self.x_axis.len()).then(|| self.cells.get(y * self.x_axis.len() + x)).flatten()
    }

    /// Theoretical occupancy of a cell, 0 to 100.
    pub fn percent(&self, cell: &Cell) -> f64 {
        f64::from(cell.active_warps_per_sm()) * 100.0 / f64::from(self.max_warps_per_sm)
    }
}

/// The exact answer for every pair of values of two different variables, all other inputs as in `launch`.
///
/// Equal to [`evaluate`] of the launch with both values [set](Variable::set), cell by cell.
pub fn heatmap(arch: &Arch, launch: &Launch, x_axis: Axis, y_axis: Axis) -> Heatmap {
    let xs: Vec<Part> = x_axis.values().map(|value| Part::new(arch, launch, x_axis.variable, value)).collect();
    let fixed = Fixed::new(arch, launch);
    let mut registers = RegisterTable::new(arch, launch);
    let mut cells = Vec::with_capacity(xs.len() * y_axis.len());
    for value in y_axis.values() {
        let y = Part::new(arch, launch, y_axis.variable, value);
        cells.extend(xs.iter().map(|x| fixed.cell(x, &y, &mut registers)));
    }
    Heatmap { x_axis, y_axis, cells, max_warps_per_sm: arch.max_warps_per_sm() }
}

/// The exact answer along one variable, all other inputs as in `launch`.
pub fn curve(arch: &Arch, launch: &Launch, axis: Axis) -> Vec<Cell> {
    let fixed = Fixed::new(arch, launch);
    let mut registers = RegisterTable::new(arch, launch);
    axis.values().map(|value| fixed.cell(&Part::new(arch, launch, axis.variable, value), &Part::NONE, &mut registers)).collect()
}

/// What one value of one variable decides.
struct Part {
    block: Option<Block>,
    registers: Option<Registers>,
    shared_memory: Option<Limit>,
}

impl Part {
    const NONE: Self = Self { block: None, registers: None, shared_memory: None };

    fn new(arch: &Arch, launch: &Launch, variable: Variable, value: u64) -> Self {
        let changed = variable.set(launch, value);
        match variable {
            Variable::ThreadsPerBlock => Self { block: Some(Block::new(arch, &changed)), ..Self::NONE },
            Variable::RegistersPerThread => Self { registers: Some(Registers::new(arch, &changed)), ..Self::NONE },
            Variable::DynamicSmem => Self { shared_memory: Some(limits::limit_by_shared_memory(arch, &changed)), ..Self::NONE },
        }
    }
}

/// What the block of a launch decides.
#[derive(Clone, Copy)]
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
    limits: Limits,
}

impl Fixed {
    fn new(arch: &Arch, launch: &Launch) -> Self {
        Self { block: Block::new(arch, launch), registers: Registers::new(arch, launch), limits: limits::limits(arch, launch) }
    }

    fn cell(&self, x: &Part, y: &Part, registers: &mut RegisterTable<'_>) -> Cell {
        let block = x.block.or(y.block).unwrap_or(self.block);
        let (register_limit, caching) = registers.limit(block.warps, x.registers.or(y.registers).unwrap_or(self.registers));
        let limits = Limits {
            warps: if caching { block.limit_with_caching } else { block.limit },
            registers: register_limit,
            shared_memory: x.shared_memory.or(y.shared_memory).unwrap_or(self.limits.shared_memory),
            ..self.limits
        };
        Cell { blocks_per_sm: if block.allowed { limits.min_blocks() } else { 0 }, warps_per_block: block.warps, limits }
    }
}

/// Register limits by warps per block and registers per warp; each is worked out once.
struct RegisterTable<'a> {
    arch: &'a Arch,
    caching: PartitionedCaching,
    known: Vec<Option<(Limit, bool)>>,
}

impl<'a> RegisterTable<'a> {
    const MAX_WARPS: usize = 64;
    const MAX_UNITS: usize = 64;

    fn new(arch: &'a Arch, launch: &Launch) -> Self {
        Self { arch, caching: launch.partitioned_caching, known: vec![None; Self::MAX_WARPS * Self::MAX_UNITS] }
    }

    #[inline]
    fn limit(&mut self, warps: u32, registers: Registers) -> (Limit, bool) {
        let column = registers.units_per_warp.filter(|_| (warps as usize) < Self::MAX_WARPS);
        let at = column.map(|column| warps as usize * Self::MAX_UNITS + column);
        at.and_then(|at| self.known[at]).unwrap_or_else(|| self.work_out(at, warps, registers.per_thread))
    }

    /// Kept out of the loop over cells, which it would make too large to be fast.
    #[cold]
    #[inline(never)]
    fn work_out(&mut self, at: Option<usize>, warps: u32, registers_per_thread: u32) -> (Limit, bool) {
        let limit = limits::limit_by_registers(self.arch, warps, registers_per_thread, self.caching);
        if let Some(at) = at {
            self.known[at] = Some(limit);
        }
        limit
    }
}

/// What the registers of a launch decide.
#[derive(Clone, Copy)]
struct Registers {
    per_thread: u32,
    /// Allocation units of one warp. All register counts with the same number of them have the same limit, so a table needs
    /// only one column for them. None for counts that no thread may have, and for more units than are worth a table.
    units_per_warp: Option<usize>,
}

impl Registers {
    fn new(arch: &Arch, launch: &Launch) -> Self {
        let per_thread = launch.registers_per_thread;
        let units = limits::registers_per_warp(arch, per_thread) / u64::from(arch.register_allocation_unit);
        let column = usize::try_from(units).ok().filter(|units| *units < RegisterTable::MAX_UNITS);
        Self { per_thread, units_per_warp: column.filter(|_| per_thread <= arch.max_registers_per_thread) }
    }
}
