//! Many launches at once: the heatmaps and curves.
//!
//! The limits do not depend on one another, so a table needs one row of each, and a minimum per cell.

use super::launch::{Launch, PartitionedCaching};
use super::limits::{self, Limit, Limits, ResourceSet};
use super::occupancy::evaluate;
use crate::arch::Arch;
use crate::units::{Dim3, WARP_SIZE};

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
/// Blocks are taken as one-dimensional. Equal to [`evaluate`] cell by cell.
pub fn heatmap(arch: &Arch, launch: &Launch, x_axis: Axis, y_axis: Axis) -> Heatmap {
    let xs: Vec<Part> = x_axis.values().map(|value| Part::new(arch, launch, x_axis.variable, value)).collect();
    let ys: Vec<Part> = y_axis.values().map(|value| Part::new(arch, launch, y_axis.variable, value)).collect();
    let fixed = Fixed::new(arch, launch);
    let mut registers = RegisterTable::new(arch, launch.partitioned_caching);
    let mut cells = Vec::with_capacity(xs.len() * ys.len());
    for y in &ys {
        for x in &xs {
            cells.push(fixed.cell(arch, x, y, &mut registers));
        }
    }
    Heatmap { x_axis, y_axis, cells, max_warps_per_sm: arch.max_warps_per_sm() }
}

/// The exact answer along one variable, all other inputs as in `launch`.
pub fn curve(arch: &Arch, launch: &Launch, axis: Axis) -> Vec<Cell> {
    let fixed = Fixed::new(arch, launch);
    let mut registers = RegisterTable::new(arch, launch.partitioned_caching);
    let none = Part::NONE;
    axis.values().map(|value| fixed.cell(arch, &Part::new(arch, launch, axis.variable, value), &none, &mut registers)).collect()
}

/// What one value of one variable decides.
struct Part {
    threads: Option<u32>,
    registers: Option<u32>,
    shared_memory: Option<Limit>,
}

impl Part {
    const NONE: Self = Self { threads: None, registers: None, shared_memory: None };

    fn new(arch: &Arch, launch: &Launch, variable: Variable, value: u64) -> Self {
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        match variable {
            Variable::ThreadsPerBlock => Self { threads: Some(small), ..Self::NONE },
            Variable::RegistersPerThread => Self { registers: Some(small), ..Self::NONE },
            Variable::DynamicSmem => {
                let limit = limits::limit_by_shared_memory(arch, &variable.set(launch, value));
                Self { shared_memory: Some(limit), ..Self::NONE }
            }
        }
    }
}

/// What no variable of the sweep changes.
struct Fixed {
    threads: u32,
    registers: u32,
    limits: Limits,
    /// Launch bounds promised fewer threads than this, if any.
    max_threads: u32,
    /// Something that has nothing to do with the swept inputs makes every launch impossible.
    impossible: bool,
}

impl Fixed {
    fn new(arch: &Arch, launch: &Launch) -> Self {
        // One warp with nothing but the launch's own options: what refuses this refuses every cell.
        let plain = Launch {
            block: Dim3::linear(WARP_SIZE),
            registers_per_thread: 0,
            static_smem_bytes: 0,
            dynamic_smem_bytes: 0,
            launch_bounds: None,
            ..launch.clone()
        };
        Self {
            threads: launch.threads_per_block(),
            registers: launch.registers_per_thread,
            limits: limits::limits(arch, launch),
            max_threads: launch.launch_bounds.map_or(u32::MAX, |bounds| bounds.max_threads_per_block),
            impossible: !evaluate(arch, &plain).can_launch(),
        }
    }

    fn cell(&self, arch: &Arch, x: &Part, y: &Part, registers: &mut RegisterTable) -> Cell {
        let threads = x.threads.or(y.threads).unwrap_or(self.threads);
        let warps_per_block = threads.div_ceil(WARP_SIZE);
        let (register_limit, caching) = registers.limit(arch, warps_per_block, x.registers.or(y.registers).unwrap_or(self.registers));
        let limits = Limits {
            warps: limits::limit_by_warps(arch, threads, caching),
            registers: register_limit,
            shared_memory: x.shared_memory.or(y.shared_memory).unwrap_or(self.limits.shared_memory),
            ..self.limits
        };
        let blocks_per_sm = if self.impossible || threads > self.max_threads { 0 } else { limits.min_blocks() };
        Cell { blocks_per_sm, warps_per_block, limits }
    }
}

/// Register limits by warps per block and allocation units per thread; each is worked out once.
struct RegisterTable {
    known: Vec<Option<(Limit, bool)>>,
    caching: PartitionedCaching,
}

impl RegisterTable {
    const MAX_WARPS: usize = 64;
    const MAX_REGISTERS: usize = 512;

    fn new(_arch: &Arch, caching: PartitionedCaching) -> Self {
        Self { known: vec![None; Self::MAX_WARPS * Self::MAX_REGISTERS], caching }
    }

    fn limit(&mut self, arch: &Arch, warps: u32, registers: u32) -> (Limit, bool) {
        let (row, column) = (warps as usize, registers as usize);
        if row >= Self::MAX_WARPS || column >= Self::MAX_REGISTERS {
            return limits::limit_by_registers(arch, warps, registers, self.caching);
        }
        *self.known[row * Self::MAX_REGISTERS + column]
            .get_or_insert_with(|| limits::limit_by_registers(arch, warps, registers, self.caching))
    }
}
