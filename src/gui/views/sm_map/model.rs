//! What the SM map shows: every resource as cells that follow one another, in the resource's own unit.

use std::iter::repeat_n;

use crate::arch::Arch;
use crate::engine::limits::max_dynamic_smem_bytes;
use crate::engine::placement::{barriers_matter, resources_of_a_block};
use crate::engine::{Launch, Occupancy, Placement, Refusal, Resource, ResourceSet};
use crate::session::{Course, Placed};

use super::words;

/// One SM with its resident blocks, and the one it refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmMapModel {
    pub occupancy: Occupancy,
    /// Blocks that are shown as resident.
    pub placed: usize,
    /// The block that is shown as refused, counted from 0; none at the steps before it.
    pub refused: Option<usize>,
    /// The resources that the block after the resident ones has taken, while it has not taken all of them.
    pub partial: Vec<Resource>,
    pub sub_partitions: usize,
    pub rows: Vec<Row>,
    /// Why the launch cannot run at all. Empty when it can.
    pub reasons: Vec<Reason>,
    /// Everything in words, for who cannot see it.
    pub sentence: String,
}

/// One resource of the SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub resource: Resource,
    /// Whether it is shown as one that stops the next block.
    pub refuses: bool,
    /// Blocks with a share of it: one more than are resident where a block is being placed.
    pub blocks: usize,
    /// Units in each lane.
    pub capacity: u64,
    /// As `capacity`, with the room that the refused block takes past the edge. The same at every step of a launch, and
    /// at most twice the capacity: see `is_cut`.
    pub extent: u64,
    /// The refused block reaches beyond `extent`.
    pub is_cut: bool,
    /// What one cell of the picture stands for.
    pub unit: u64,
    /// One for each sub-partition, or one for the whole SM.
    pub lanes: Vec<Lane>,
    /// How much is used, "24 of 64 used".
    pub value: String,
    /// What there is to say about the rest, the most detailed first. May be empty.
    pub notes: Vec<String>,
}

/// Cells in order, without gaps: up to the capacity, and past it where a refused block reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    pub cells: Vec<Cell>,
    /// What resident blocks take, rounding included.
    pub used: u64,
    pub left: u64,
}

/// A stretch of one resource in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub state: CellState,
    /// The block it belongs to, counted from 0.
    pub block: Option<usize>,
    pub start: u64,
    pub amount: u64,
}

impl Cell {
    pub fn end(self) -> u64 {
        self.start + self.amount
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellState {
    Used,
    /// Lost to rounding.
    Rounding,
    /// The driver's part of a block's shared memory.
    Reserve,
    Free,
    /// Free, and of no use: another resource ran out, or what is left is too small for a warp.
    Blocked,
    /// What a refused block would still get.
    Refused,
    /// What a refused block lacks.
    Short,
}

/// Why a launch cannot run, and the resource that says so where it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub resource: Option<Resource>,
    pub text: String,
}

/// A row before it is cut into cells: who takes what, and what the next block would take.
struct Plan {
    resource: Resource,
    /// Blocks with a share of it.
    blocks: usize,
    capacity: u64,
    unit: u64,
    /// What each holder takes, in order.
    parts: Vec<(CellState, u64)>,
    /// The blocks whose warps, or which themselves, lie in each lane, in order.
    holders: Vec<Vec<usize>>,
    /// What all resident blocks take in each lane, at whatever step.
    resident: Vec<u64>,
    /// What the refused block would take in each lane.
    next: Vec<Next>,
}

/// One share of the refused block for each of its warps in a lane, or one for the block itself.
#[derive(Clone, Copy, Default)]
struct Next {
    count: u64,
    each: u64,
    /// How much of all of them one block may have.
    allowed: u64,
}

/// The step that is shown.
#[derive(Clone, Copy)]
struct Step {
    refused: Option<usize>,
    refusing: ResourceSet,
}

/// Whole blocks, and what the next one has taken already.
struct Shown<'a> {
    blocks: usize,
    partial: &'a [Resource],
}

impl Shown<'_> {
    /// Blocks with a share of a resource.
    fn with(&self, resource: Resource) -> usize {
        self.blocks + usize::from(self.partial.contains(&resource))
    }
}

impl SmMapModel {
    /// The SM after `placed` blocks; none shows all that fit and the refused one.
    pub fn new(arch: &Arch, launch: &Launch, placed: Option<usize>) -> Self {
        Self::at(arch, launch, Placed { blocks: placed, resources: 0 })
    }

    /// The SM at a step between two blocks, too: the next one has its cells where it has taken something, and nowhere else.
    pub fn at(arch: &Arch, launch: &Launch, placed: Placed) -> Self {
        let placement = Placement::new(arch, launch);
        let occupancy = &placement.occupancy;
        let resident = placement.blocks.len();
        let order = resources_of_a_block(arch, launch, occupancy);
        let at = Course { resident, resources: order.len() }.nearest(placed);
        // A block without threads is no block: there is nothing to refuse.
        let has_next = at.blocks.is_none() && occupancy.warps_per_block > 0;
        let refused = has_next.then_some(resident);
        let refusing = if has_next { occupancy.limiters } else { ResourceSet::EMPTY };
        let placed = at.blocks.unwrap_or(resident);
        let partial = order[..at.resources].to_vec();
        let step = Step { refused, refusing };
        let rows = plans(arch, launch, &placement, &Shown { blocks: placed, partial: &partial })
            .iter()
            .map(|plan| row(plan, occupancy, step))
            .collect();
        let mut model = Self {
            placed,
            refused,
            partial,
            sub_partitions: arch.sub_partitions as usize,
            rows,
            reasons: occupancy.refusals.iter().map(reason).collect(),
            sentence: String::new(),
            occupancy: placement.occupancy.clone(),
        };
        words::fill_in(&mut model, arch, launch);
        model
    }

    /// The block that is being placed, counted from 0.
    pub fn partial_block(&self) -> Option<usize> {
        (!self.partial.is_empty()).then_some(self.placed)
    }

    /// Blocks with a cell: resident ones, one that is being placed, and the refused one.
    pub fn shown_blocks(&self) -> usize {
        self.placed + usize::from(self.refused.is_some() || !self.partial.is_empty())
    }

    pub fn row(&self, resource: Resource) -> Option<&Row> {
        self.rows.iter().find(|row| row.resource == resource)
    }
}

impl Row {
    pub fn used(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.used).sum()
    }

    pub fn left(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.left).sum()
    }

    pub fn total(&self) -> u64 {
        self.used() + self.left()
    }
}

fn reason(refusal: &Refusal) -> Reason {
    Reason { resource: refusal.resource(), text: refusal.to_string() }
}

fn plans(arch: &Arch, launch: &Launch, placement: &Placement, shown: &Shown<'_>) -> Vec<Plan> {
    let occupancy = &placement.occupancy;
    let with = |resource| shown.with(resource);
    let mut plans = vec![
        warp_plan(arch, placement, with(Resource::Warps)),
        register_plan(arch, placement, with(Resource::Registers)),
        smem_plan(arch, launch, occupancy, with(Resource::SharedMemory)),
        // The slot of a block comes with the slots of its warps.
        pool_plan(Resource::Blocks, arch.max_blocks_per_sm, 1, occupancy, with(Resource::Warps)),
    ];
    plans.extend(barrier_plan(arch, launch, occupancy, with(Resource::Barriers)));
    plans
}

fn warp_plan(arch: &Arch, placement: &Placement, placed: usize) -> Plan {
    Plan {
        resource: Resource::Warps,
        blocks: placed,
        capacity: placement.warp_slots_per_sub_partition.into(),
        unit: 1,
        parts: vec![(CellState::Used, 1)],
        holders: warp_holders(placement, placed),
        resident: resident_warps(placement, 1),
        next: next_warps(arch, placement, 1, arch.max_threads_per_block / crate::units::WARP_SIZE),
    }
}

fn register_plan(arch: &Arch, placement: &Placement, placed: usize) -> Plan {
    let registers = &placement.occupancy.registers;
    let per_warp = registers.allocated_per_warp;
    let requested = (u64::from(registers.requested_per_thread) * u64::from(crate::units::WARP_SIZE)).min(per_warp);
    let allowed = u64::from(arch.max_registers_per_block).checked_div(per_warp).unwrap_or(u64::MAX);
    Plan {
        resource: Resource::Registers,
        blocks: placed,
        capacity: placement.registers_per_sub_partition.into(),
        unit: u64::from(arch.register_allocation_unit).max(1),
        parts: vec![(CellState::Used, requested), (CellState::Rounding, per_warp - requested)],
        holders: warp_holders(placement, placed),
        resident: resident_warps(placement, per_warp),
        next: next_warps(arch, placement, per_warp, u32::try_from(allowed).unwrap_or(u32::MAX)),
    }
}

fn smem_plan(arch: &Arch, launch: &Launch, occupancy: &Occupancy, placed: usize) -> Plan {
    let smem = &occupancy.smem;
    let own = launch.static_smem_bytes.saturating_add(max_dynamic_smem_bytes(arch, launch)).saturating_add(smem.reserved_per_block);
    let allowed = if launch.opt_in { smem.cap_per_block.min(own) } else { smem.cap_per_block };
    let used = smem.allocated_per_block.saturating_sub(smem.reserved_per_block + smem.rounding_per_block());
    Plan {
        resource: Resource::SharedMemory,
        blocks: placed,
        capacity: smem.pool_per_sm,
        unit: u64::from(arch.smem_allocation_unit_bytes).max(1),
        parts: vec![
            (CellState::Reserve, smem.reserved_per_block),
            (CellState::Used, used),
            (CellState::Rounding, smem.rounding_per_block()),
        ],
        holders: vec![(0..placed).collect()],
        resident: vec![smem.allocated_per_block.saturating_mul(occupancy.blocks_per_sm.into())],
        next: vec![Next { count: 1, each: smem.allocated_per_block, allowed }],
    }
}

/// Barriers are a row of their own only where a launch makes them matter.
fn barrier_plan(arch: &Arch, launch: &Launch, occupancy: &Occupancy, placed: usize) -> Option<Plan> {
    let total = arch.max_barriers_per_sm.filter(|_| barriers_matter(arch, launch, occupancy))?;
    Some(pool_plan(Resource::Barriers, total, launch.barriers_per_block, occupancy, placed))
}

/// A resource of the whole SM that is counted in ones.
fn pool_plan(resource: Resource, total: u32, per_block: u32, occupancy: &Occupancy, placed: usize) -> Plan {
    Plan {
        resource,
        blocks: placed,
        capacity: total.into(),
        unit: 1,
        parts: vec![(CellState::Used, per_block.into())],
        holders: vec![(0..placed).collect()],
        resident: vec![u64::from(occupancy.blocks_per_sm) * u64::from(per_block)],
        next: vec![Next { count: 1, each: per_block.into(), allowed: u64::MAX }],
    }
}

/// The block of each resident warp, by sub-partition.
fn warp_holders(placement: &Placement, placed: usize) -> Vec<Vec<usize>> {
    let mut lanes = vec![Vec::new(); placement.sub_partitions as usize];
    for (block, warps) in placement.blocks.iter().take(placed).enumerate() {
        for warp in &warps.warps {
            lanes[warp.sub_partition as usize].push(block);
        }
    }
    lanes
}

/// What all resident warps take in each sub-partition.
fn resident_warps(placement: &Placement, per_warp: u64) -> Vec<u64> {
    let all = placement.blocks.len();
    (0..placement.sub_partitions).map(|index| per_warp.saturating_mul(placement.warps_in(index, all).into())).collect()
}

/// What the warps of the refused block would take in each sub-partition; the first `allowed` of them may be had by one block.
fn next_warps(arch: &Arch, placement: &Placement, per_warp: u64, allowed: u32) -> Vec<Next> {
    // More than fill the picture twice over are not worth placing.
    let enough = 2 * arch.max_warps_per_sm().max(arch.registers_per_sm / arch.register_allocation_unit.max(1));
    let mut lanes = vec![Next::default(); placement.sub_partitions as usize];
    for (index, warp) in placement.next_warps(arch, enough).iter().enumerate() {
        let lane = &mut lanes[warp.sub_partition as usize];
        lane.count += 1;
        lane.each = per_warp;
        if index < allowed as usize {
            lane.allowed = lane.allowed.saturating_add(per_warp);
        }
    }
    lanes
}

fn row(plan: &Plan, occupancy: &Occupancy, step: Step) -> Row {
    let refuses = step.refusing.contains(plan.resource);
    let is_limiter = occupancy.limiters.contains(plan.resource) && occupancy.warps_per_block > 0;
    let wanted = if is_limiter { wanted_extent(plan) } else { plan.capacity };
    let extent = wanted.min(plan.capacity.saturating_mul(2)).max(plan.capacity);
    let ghost = step.refused.filter(|_| refuses);
    let rest = if step.refused.is_some() { CellState::Blocked } else { CellState::Free };
    let lanes = plan.holders.iter().zip(&plan.next).map(|(holders, next)| lane(plan, holders, ghost.map(|b| (b, *next)), rest, extent));
    Row {
        resource: plan.resource,
        refuses,
        blocks: plan.blocks,
        capacity: plan.capacity,
        extent,
        is_cut: wanted > extent,
        unit: plan.unit,
        lanes: lanes.collect(),
        value: String::new(),
        notes: Vec::new(),
    }
}

/// How far the fullest lane reaches with all resident blocks and the refused one, at whatever step.
fn wanted_extent(plan: &Plan) -> u64 {
    let ends = plan.resident.iter().zip(&plan.next).map(|(resident, next)| resident.saturating_add(next.each.saturating_mul(next.count)));
    ends.max().unwrap_or(0).max(plan.capacity)
}

/// Resident parts, then the refused block up to the edge and past it, then what is left.
fn lane(plan: &Plan, holders: &[usize], ghost: Option<(usize, Next)>, rest: CellState, extent: u64) -> Lane {
    let mut lane = Lane::default();
    let parts = holders.iter().flat_map(|block| repeat_n(*block, plan.parts.len()).zip(&plan.parts));
    for (block, (state, amount)) in parts {
        lane.push(*state, Some(block), *amount);
    }
    lane.used = lane.end();
    lane.left = plan.capacity.saturating_sub(lane.used);
    if let Some((block, next)) = ghost {
        let edge = lane.used.saturating_add(next.allowed).min(plan.capacity);
        lane.push_refused(block, next, edge, extent);
    }
    lane.push(rest, None, plan.capacity.saturating_sub(lane.end()));
    lane
}

impl Lane {
    fn end(&self) -> u64 {
        self.cells.last().map_or(0, |cell| cell.end())
    }

    /// The refused block, share by share: each up to `edge`, and what is over it up to `extent`.
    fn push_refused(&mut self, block: usize, next: Next, edge: u64, extent: u64) {
        for _ in 0..next.count {
            let start = self.end();
            let share = next.each.min(extent.saturating_sub(start));
            let fitting = share.min(edge.saturating_sub(start));
            self.push(CellState::Refused, Some(block), fitting);
            self.push(CellState::Short, Some(block), share - fitting);
        }
    }

    fn push(&mut self, state: CellState, block: Option<usize>, amount: u64) {
        if amount > 0 {
            self.cells.push(Cell { state, block, start: self.end(), amount });
        }
    }
}
