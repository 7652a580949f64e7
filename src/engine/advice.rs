//! What it would take: the nearest change that gains warps, how much is free before a block is lost, and the two questions
//! that CUDA's own API answers besides occupancy.

use super::launch::Launch;
use super::limits::{self, Limit, ResourceSet};
use super::occupancy::{Occupancy, evaluate};
use super::sweep::Variable;
use crate::arch::Arch;
use crate::units::{Dim3, WARP_SIZE};

/// One changed input and the answer it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub input: Input,
    pub from: u64,
    pub to: u64,
    pub launch: Launch,
    pub occupancy: Occupancy,
}

/// An input that a change is about; sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    ThreadsPerBlock,
    RegistersPerThread,
    StaticSmem,
    DynamicSmem,
    Carveout,
    Barriers,
}

impl Input {
    pub fn get(self, launch: &Launch) -> u64 {
        match self {
            Self::ThreadsPerBlock => launch.threads_per_block().into(),
            Self::RegistersPerThread => launch.registers_per_thread.into(),
            Self::StaticSmem => launch.static_smem_bytes,
            Self::DynamicSmem => launch.dynamic_smem_bytes,
            Self::Carveout => limits::carveout_percent(launch),
            Self::Barriers => launch.barriers_per_block.into(),
        }
    }

    pub fn set(self, launch: &Launch, value: u64) -> Launch {
        let mut changed = launch.clone();
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        match self {
            Self::ThreadsPerBlock => return Variable::ThreadsPerBlock.set(launch, value),
            Self::RegistersPerThread => changed.registers_per_thread = small,
            Self::StaticSmem => changed.static_smem_bytes = value,
            Self::DynamicSmem => changed.dynamic_smem_bytes = value,
            Self::Carveout => changed.carveout_percent = Some(small),
            Self::Barriers => changed.barriers_per_block = small,
        }
        changed
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::ThreadsPerBlock => "Threads",
            Self::RegistersPerThread => "Registers",
            Self::StaticSmem => "Static shared",
            Self::DynamicSmem => "Dynamic shared",
            Self::Carveout => "Carve-out",
            Self::Barriers => "Barriers",
        }
    }
}

/// The nearest change of each single input that puts more warps on an SM, the smallest relative change first.
///
/// Empty when the SM is full or no single change helps: on a tie, fixing only one resource gains nothing.
pub fn gains(arch: &Arch, launch: &Launch) -> Vec<Change> {
    let now = evaluate(arch, launch);
    let warps = now.active_warps_per_sm();
    if warps >= now.max_warps_per_sm {
        return Vec::new();
    }
    let better = |input: Input, to: u64| {
        let changed = input.set(launch, to);
        let occupancy = evaluate(arch, &changed);
        (occupancy.active_warps_per_sm() > warps).then(|| Change { input, from: input.get(launch), to, launch: changed, occupancy })
    };
    let lower = |input: Input, largest: u32| {
        let from = input.get(launch).min(u64::from(largest) + 1);
        (1..from).rev().find_map(|to| better(input, to))
    };
    let percent = limits::carveout_percent(launch);
    let mut found: Vec<Change> = [
        lower(Input::RegistersPerThread, arch.max_registers_per_thread),
        smem_gains(arch, launch, &now, Input::DynamicSmem).find_map(|to| better(Input::DynamicSmem, to)),
        smem_gains(arch, launch, &now, Input::StaticSmem).find_map(|to| better(Input::StaticSmem, to)),
        nearest_block_sizes(arch, launch).find_map(|threads| better(Input::ThreadsPerBlock, threads)),
        (percent.saturating_add(1)..=100).find_map(|percent| better(Input::Carveout, percent)),
        lower(Input::Barriers, arch.max_barriers_per_sm.unwrap_or(0)),
    ]
    .into_iter()
    .flatten()
    .collect();
    found.sort_by_key(|change| relative(change.from, change.to));
    found
}

/// How much of a value a change is, in thousandths.
fn relative(from: u64, to: u64) -> u64 {
    from.abs_diff(to).saturating_mul(1000) / from.max(1)
}

/// Two inputs changed together, and the answer they lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairChange {
    /// Each input, from and to.
    pub changes: [(Input, u64, u64); 2],
    pub launch: Launch,
    pub occupancy: Occupancy,
}

/// The smallest change of two inputs that puts more warps on an SM where changing either of them alone does not.
///
/// What helps on a tie. `single` are the [`gains`]; inputs that help alone are left out. None when the SM is full or no pair helps.
pub fn pair_gain(arch: &Arch, launch: &Launch, single: &[Change]) -> Option<PairChange> {
    let now = evaluate(arch, launch);
    let warps = now.active_warps_per_sm();
    if !now.can_launch() || warps >= now.max_warps_per_sm {
        return None;
    }
    let helps_alone = |input: Input| single.iter().any(|change| change.input == input);
    let smem_inputs = [Input::DynamicSmem, Input::StaticSmem].into_iter().filter(|input| !helps_alone(*input));
    let mut pairs = Vec::new();
    for smem in smem_inputs.clone().filter(|_| !helps_alone(Input::RegistersPerThread)) {
        for bytes in smem_gains(arch, launch, &now, smem) {
            pairs.extend(with_fewer_registers(arch, &smem.set(launch, bytes), warps, (smem, smem.get(launch), bytes)));
        }
    }
    for threads in nearest_block_sizes(arch, launch).filter(|_| !helps_alone(Input::ThreadsPerBlock)) {
        let sized = Input::ThreadsPerBlock.set(launch, threads);
        let resized = (Input::ThreadsPerBlock, launch.threads_per_block().into(), threads);
        if !helps_alone(Input::RegistersPerThread) {
            pairs.extend(with_fewer_registers(arch, &sized, warps, resized));
        }
        for smem in smem_inputs.clone() {
            let sizes = smem_gains(arch, &sized, &evaluate(arch, &sized), smem);
            pairs.extend(sizes.map(|bytes| pair_of(arch, smem.set(&sized, bytes), [resized, (smem, smem.get(launch), bytes)])));
        }
    }
    let cost = |pair: &PairChange| pair.changes.iter().map(|(_, from, to)| relative(*from, *to)).sum::<u64>();
    pairs.into_iter().filter(|pair| pair.occupancy.active_warps_per_sm() > warps).min_by_key(cost)
}

fn pair_of(arch: &Arch, launch: Launch, changes: [(Input, u64, u64); 2]) -> PairChange {
    PairChange { changes, occupancy: evaluate(arch, &launch), launch }
}

/// The most registers below the present ones with which `launch`, changed by `other` already, has more than `warps`.
fn with_fewer_registers(arch: &Arch, launch: &Launch, warps: u32, other: (Input, u64, u64)) -> Option<PairChange> {
    let input = Input::RegistersPerThread;
    let gains = |registers: u64| evaluate(arch, &input.set(launch, registers)).active_warps_per_sm() > warps;
    // Fewer registers never cost a block, so the most that still gain can be halved towards.
    let (mut low, mut high) = (0, input.get(launch));
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if gains(middle) { low = middle } else { high = middle }
    }
    (low > 0).then(|| pair_of(arch, input.set(launch, low), [other, (input, input.get(launch), low)]))
}

/// Smaller sizes of one kind of shared memory with which one more block may fit, the largest first.
///
/// A smaller block may go with a smaller configuration of the pool, so there is one for each configuration: that block's
/// share of the pool, held to what a block and the kernel itself may have.
fn smem_gains(arch: &Arch, launch: &Launch, now: &Occupancy, input: Input) -> impl Iterator<Item = u64> + use<> {
    let current = input.get(launch);
    let other = launch.requested_smem_bytes() - current;
    let taken = other.saturating_add(arch.reserved_smem_per_block_bytes.into());
    let blocks = u64::from(now.blocks_per_sm) + 1;
    let unit = u64::from(arch.smem_allocation_unit_bytes);
    let cap = limits::smem_cap_bytes(arch, launch);
    let own_maximum = match input {
        Input::DynamicSmem if launch.opt_in => limits::max_dynamic_smem_bytes(arch, launch),
        _ => u64::MAX,
    };
    let pools = arch.smem_configurations_bytes.iter().map(|size| u64::from(*size));
    let shares = pools.map(|pool| (pool / blocks / unit * unit).min(cap));
    let mut sizes: Vec<u64> =
        shares.filter_map(|share| share.checked_sub(taken)).map(|size| size.min(own_maximum)).filter(|size| *size < current).collect();
    sizes.sort_unstable_by_key(|size| std::cmp::Reverse(*size));
    sizes.into_iter()
}

/// Whole-warp block sizes by their distance from the current one, the larger first on a tie.
fn nearest_block_sizes(arch: &Arch, launch: &Launch) -> impl Iterator<Item = u64> + use<> {
    let threads = u64::from(launch.threads_per_block());
    let mut sizes: Vec<u64> = whole_warp_blocks(arch).map(u64::from).filter(|size| *size != threads).collect();
    sizes.sort_by_key(|size| (size.abs_diff(threads), std::cmp::Reverse(*size)));
    sizes.into_iter()
}

fn whole_warp_blocks(arch: &Arch) -> impl DoubleEndedIterator<Item = u32> + use<> {
    (1..=arch.max_threads_per_block / WARP_SIZE).map(|warps| warps * WARP_SIZE)
}

/// How far an input can grow with as many blocks per SM as now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headroom {
    pub input: Input,
    pub now: u64,
    pub up_to: u64,
    /// The next value, with which a block is lost; none where there are no larger values.
    pub loss: Option<Change>,
}

/// How much can be added to each input for free, before a block is lost. Empty when the launch cannot run.
pub fn headroom(arch: &Arch, launch: &Launch) -> Vec<Headroom> {
    let blocks = evaluate(arch, launch).blocks_per_sm;
    if blocks == 0 {
        return Vec::new();
    }
    let keeps = |input: Input, value: u64| evaluate(arch, &input.set(launch, value)).blocks_per_sm >= blocks;
    let largest = |input: Input, end: u64| {
        let now = input.get(launch);
        // More of a resource never helps, so the last value that keeps the blocks can be halved towards.
        let (mut up_to, mut high) = (now, end.max(now) + 1);
        while high - up_to > 1 {
            let middle = up_to + (high - up_to) / 2;
            if keeps(input, middle) { up_to = middle } else { high = middle }
        }
        let loss = (up_to < end).then(|| {
            let (to, launch) = (up_to + 1, input.set(launch, up_to + 1));
            Change { input, from: now, to, occupancy: evaluate(arch, &launch), launch }
        });
        Headroom { input, now, up_to, loss }
    };
    vec![
        largest(Input::RegistersPerThread, arch.max_registers_per_thread.min(255).into()),
        largest(Input::DynamicSmem, arch.optin_smem_per_block_bytes.into()),
        largest(Input::ThreadsPerBlock, arch.max_threads_per_block.into()),
    ]
}

/// Block sizes (whole warps) with the same theoretical occupancy as now and their blocks per SM, ascending, the current one left out.
pub fn same_occupancy(arch: &Arch, launch: &Launch) -> Vec<(u32, u32)> {
    let warps = evaluate(arch, launch).active_warps_per_sm();
    let answers = whole_warp_blocks(arch).filter(|threads| *threads != launch.threads_per_block()).map(|threads| {
        let occupancy = evaluate(arch, &Variable::ThreadsPerBlock.set(launch, threads.into()));
        (threads, occupancy)
    });
    answers
        .filter(|(_, occupancy)| occupancy.can_launch() && occupancy.active_warps_per_sm() == warps)
        .map(|(threads, occupancy)| (threads, occupancy.blocks_per_sm))
        .collect()
}

/// The most registers per thread with which `blocks` of this launch's size fit the register files; none when not even 1 would.
///
/// What the compiler is held to by `__launch_bounds__(threads, blocks)`. Compute capability 9.0, 256 threads, 2 blocks: 128.
pub fn max_registers_for_blocks(arch: &Arch, launch: &Launch, blocks: u32) -> Option<u32> {
    let fits = |registers: &u32| {
        limits::limit_by_registers(arch, launch.warps_per_block(), *registers, launch.partitioned_caching).0 >= Limit::blocks(blocks)
    };
    (1..=arch.max_registers_per_thread.min(255)).rev().find(fits)
}

/// The largest dynamic shared memory per block, in bytes, with which `blocks` of this launch share one SM.
///
/// Answers what `cudaOccupancyAvailableDynamicSMemPerBlock` does. None when `blocks` is 0 or more than fit without any
/// dynamic shared memory. Headers before CUDA 13.2 forgot the driver's reserve and said 1,024 bytes more.
pub fn available_dynamic_smem_bytes(arch: &Arch, launch: &Launch, blocks: u32) -> Option<u64> {
    let empty = Launch { dynamic_smem_bytes: 0, ..launch.clone() };
    if blocks == 0 || blocks > limits::limits(arch, &empty).min_blocks() {
        return None;
    }
    let reserved = u64::from(arch.reserved_smem_per_block_bytes);
    let cap = limits::smem_cap_bytes(arch, launch);
    let pool = match (blocks, limits::smem_pool_bytes(arch, &empty)) {
        (1, _) => cap,
        (_, 0) => arch.smem_configurations_bytes.iter().copied().find(|size| *size > 0).map_or(0, u64::from),
        (_, pool) => pool,
    };
    let unit = u64::from(arch.smem_allocation_unit_bytes);
    let share = (pool / u64::from(blocks) / unit * unit).min(cap);
    let left = share.saturating_sub(launch.static_smem_bytes).saturating_sub(reserved);
    Some(left.min(limits::max_dynamic_smem_bytes(arch, launch)))
}

/// The block size with the most resident threads, and the blocks per SM it reaches.
///
/// Answers what `cudaOccupancyMaxPotentialBlockSize` does: sizes from the largest downward in steps of a warp, the first with
/// the most threads, so the largest wins a tie. `max_threads` is the kernel's own limit. None when no size can run.
pub fn suggested_block_size(arch: &Arch, launch: &Launch, max_threads: u32) -> Option<(u32, u32)> {
    let largest = max_threads.min(arch.max_threads_per_block);
    let mut best: Option<(u32, u32)> = None;
    for warps in (1..=largest.div_ceil(WARP_SIZE)).rev() {
        let threads = (warps * WARP_SIZE).min(largest);
        let sized = Launch { block: Dim3::linear(threads), ..launch.clone() };
        let blocks = limits::limits(arch, &sized).min_blocks();
        let resident = |(threads, blocks): (u32, u32)| u64::from(threads) * u64::from(blocks);
        if resident((threads, blocks)) > best.map_or(0, resident) {
            best = Some((threads, blocks));
        }
        if best.map_or(0, resident) == u64::from(arch.max_threads_per_sm) {
            break;
        }
    }
    best
}

/// The resources that would bind after one more block's worth of the current limiters were freed: the next wall.
pub fn next_limiters(occupancy: &Occupancy) -> ResourceSet {
    let others = limits::Resource::ALL.into_iter().filter(|resource| !occupancy.limiters.contains(*resource));
    let next = others.clone().map(|resource| occupancy.limits.get(resource)).min();
    others.filter(|resource| Some(occupancy.limits.get(*resource)) == next).collect()
}
