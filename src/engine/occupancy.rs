//! The answer for one launch on one SM.

use super::launch::Launch;
use super::limits::{self, Limits, Resource, ResourceSet};
use super::refusal::{self, Refusal};
use crate::arch::Arch;
use crate::units::WARP_SIZE;

/// How many blocks of a launch share one SM, what stops the next one, and what each block takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks resident on one SM; 0 when the launch cannot run.
    pub blocks_per_sm: u32,
    pub limits: Limits,
    /// The resources that stop the next block: all of them, on a tie.
    pub limiters: ResourceSet,
    /// Why not even one block fits. Empty when at least one does.
    pub refusals: Vec<Refusal>,
    pub warps_per_block: u32,
    pub max_warps_per_sm: u32,
    pub registers: RegisterUse,
    pub smem: SmemUse,
    /// Whether partitioned global caching stays on.
    pub partitioned_caching: bool,
}

/// What the registers of a launch come to, in 32-bit registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterUse {
    pub requested_per_thread: u32,
    /// Rounded up to what a warp is given: 41 become 48.
    pub allocated_per_thread: u32,
    pub allocated_per_warp: u64,
    pub allocated_per_block: u64,
    /// Warps that the file of one sub-partition holds; none when registers do not limit.
    pub warps_per_sub_partition: Option<u64>,
    pub per_sub_partition: u32,
    /// What the resident blocks leave of all files together. It may be in pieces too small for a warp.
    pub free_per_sm: u64,
}

/// What the shared memory of a launch comes to, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmemUse {
    /// Static and dynamic together.
    pub requested_per_block: u64,
    /// The driver's part of each block.
    pub reserved_per_block: u64,
    /// Requested and reserved, rounded up.
    pub allocated_per_block: u64,
    /// The most that [`Self::allocated_per_block`] may be.
    pub cap_per_block: u64,
    /// The configured pool of the SM.
    pub pool_per_sm: u64,
    /// What the resident blocks leave of the pool.
    pub free_per_sm: u64,
}

impl SmemUse {
    /// Bytes of each block that are lost to rounding.
    pub fn rounding_per_block(&self) -> u64 {
        self.allocated_per_block.saturating_sub(self.requested_per_block.saturating_add(self.reserved_per_block))
    }
}

impl Occupancy {
    pub fn can_launch(&self) -> bool {
        self.blocks_per_sm > 0
    }

    /// Warps resident on one full SM.
    pub fn active_warps_per_sm(&self) -> u32 {
        self.blocks_per_sm.saturating_mul(self.warps_per_block)
    }

    /// Theoretical occupancy: resident warps over warp slots, 0 to 1.
    pub fn theoretical_ratio(&self) -> f64 {
        f64::from(self.active_warps_per_sm()) / f64::from(self.max_warps_per_sm)
    }

    /// Theoretical occupancy, 0 to 100.
    pub fn theoretical_percent(&self) -> f64 {
        // Multiplied before divided, so that 24 of 64 is exactly 37.5.
        f64::from(self.active_warps_per_sm()) * 100.0 / f64::from(self.max_warps_per_sm)
    }

    /// What one more block would need of each resource beside what is left of it. Empty for a resource that plays no part.
    pub fn next_block(&self, resource: Resource, arch: &Arch, launch: &Launch) -> Option<Demand> {
        let resident = u64::from(self.blocks_per_sm);
        let demand = |needed: u64, total: u64| Some(Demand { needed, left: total.saturating_sub(needed.saturating_mul(resident)), total });
        match resource {
            Resource::Warps => demand(self.warps_per_block.into(), self.max_warps_per_sm.into()),
            Resource::Blocks => demand(1, arch.max_blocks_per_sm.into()),
            Resource::Registers => self
                .registers
                .warps_per_sub_partition
                .and_then(|_| demand(self.registers.allocated_per_block, arch.registers_per_sm.into())),
            Resource::SharedMemory => {
                self.limits.shared_memory.get().and_then(|_| demand(self.smem.allocated_per_block, self.smem.pool_per_sm))
            }
            Resource::Barriers => arch
                .max_barriers_per_sm
                .filter(|_| launch.barriers_per_block > 0)
                .and_then(|total| demand(launch.barriers_per_block.into(), total.into())),
        }
    }
}

/// What one more block needs of a resource, and what the resident ones leave; in the resource's own unit (warps, blocks, registers, bytes, barriers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    pub needed: u64,
    pub left: u64,
    pub total: u64,
}

impl Demand {
    /// What is missing for one more block; 0 when the amount would do. For registers the amount can do and the launch still
    /// fail, because what is left lies in pieces too small for a warp.
    pub fn short(&self) -> u64 {
        self.needed.saturating_sub(self.left)
    }
}

/// The exact answer for `launch` on one SM of `arch`.
///
/// Total: inputs saturate, a launch that cannot run is an answer with 0 blocks and its reasons.
///
/// Equal to NVIDIA's `cuda_occupancy.h` for everything that header knows; beyond it, launch bounds, the block's shape and clusters are checked.
///
/// Compute capability 8.0, 256 threads × 64 registers with 48 KiB: 3 blocks, 24 of 64 warps, 37.5 %, stopped by shared memory.
pub fn evaluate(arch: &Arch, launch: &Launch) -> Occupancy {
    let (limits, partitioned_caching, registers, smem) = limits::limits_and_sizes(arch, launch);
    let refusals = refusal::refusals(arch, launch, &limits);
    let blocks_per_sm = if refusals.is_empty() { limits.min_blocks() } else { 0 };
    let limiters = if refusals.is_empty() { limits.binding() } else { refusals.iter().filter_map(Refusal::resource).collect() };
    Occupancy {
        blocks_per_sm,
        limiters,
        limits,
        refusals,
        warps_per_block: launch.warps_per_block(),
        max_warps_per_sm: arch.max_warps_per_sm(),
        registers: register_use(arch, launch, registers, blocks_per_sm),
        smem: smem_use(arch, launch, smem, blocks_per_sm),
        partitioned_caching,
    }
}

#[inline]
fn register_use(arch: &Arch, launch: &Launch, sizes: limits::RegisterSizes, blocks_per_sm: u32) -> RegisterUse {
    let per_warp = sizes.per_warp;
    let per_block = per_warp.saturating_mul(launch.warps_per_block().into());
    RegisterUse {
        requested_per_thread: launch.registers_per_thread,
        allocated_per_thread: u32::try_from(per_warp / u64::from(WARP_SIZE)).unwrap_or(u32::MAX),
        allocated_per_warp: per_warp,
        allocated_per_block: per_block,
        warps_per_sub_partition: sizes.held,
        per_sub_partition: sizes.per_sub_partition,
        free_per_sm: u64::from(arch.registers_per_sm).saturating_sub(per_block.saturating_mul(blocks_per_sm.into())),
    }
}

#[inline]
fn smem_use(arch: &Arch, launch: &Launch, sizes: limits::SmemSizes, blocks_per_sm: u32) -> SmemUse {
    SmemUse {
        requested_per_block: launch.requested_smem_bytes(),
        reserved_per_block: arch.reserved_smem_per_block_bytes.into(),
        allocated_per_block: sizes.allocated,
        cap_per_block: sizes.cap,
        pool_per_sm: sizes.pool,
        free_per_sm: sizes.pool.saturating_sub(sizes.allocated.saturating_mul(blocks_per_sm.into())),
    }
}
