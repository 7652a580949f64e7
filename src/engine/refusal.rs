//! Why a launch cannot run at all, in words that say the way out.

use std::fmt;

use super::launch::Launch;
use super::limits::{self, RegisterRefusal, Resource};
use crate::arch::{Arch, ComputeCapability};
use crate::fmt::{bytes, counted, grouped};
use crate::units::WARP_SIZE;

/// One reason why not even one block fits. Printed as a sentence with the value, what is allowed, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A block needs at least one thread. An invalid input rather than a lack of resources.
    NoThreads,
    /// Carve-outs go from 0 to 100 percent; not looked at where shared memory is fixed (before 7.0).
    /// An invalid input rather than a lack of resources.
    Carveout {
        percent: u32,
    },
    /// A grid needs at least one block. An invalid input rather than a lack of resources.
    NoBlocks,
    Threads {
        threads: u32,
        allowed: u32,
    },
    /// Blocks may be 1,024 wide and high, and 64 deep.
    BlockShape {
        axis: char,
        extent: u32,
        allowed: u32,
    },
    /// `__launch_bounds__` promised fewer threads.
    LaunchBounds {
        threads: u32,
        promised: u32,
    },
    RegistersPerThread {
        registers: u32,
        allowed: u32,
    },
    RegistersPerBlock {
        charged: u64,
        allowed: u32,
        warps: u32,
        sub_partitions: u32,
        portable: bool,
    },
    /// More dynamic shared memory than the kernel's own maximum.
    DynamicOverOwnMaximum {
        dynamic_bytes: u64,
        maximum_bytes: u64,
    },
    SharedMemory {
        static_bytes: u64,
        dynamic_bytes: u64,
        allowed_bytes: u64,
        opt_in_bytes: u64,
        cc: ComputeCapability,
    },
    Barriers {
        barriers: u32,
        allowed: u32,
    },
    VirtualResources {
        asked: u32,
        allowed: u32,
    },
    NoClusters {
        cluster_size: u32,
        cc: ComputeCapability,
    },
    ClusterSize {
        cluster_size: u32,
    },
}

/// The largest cluster any GPU runs, and only where the kernel asks for a size that is not portable.
pub const MAX_NON_PORTABLE_CLUSTER_SIZE: u32 = 16;

const MAX_BLOCK_SHAPE: [(char, u32); 3] = [('x', 1024), ('y', 1024), ('z', 64)];

impl Refusal {
    /// Whether the launch makes no sense on any GPU, so that no limit can be worked out from it.
    pub const fn is_invalid_input(&self) -> bool {
        matches!(self, Self::NoThreads | Self::NoBlocks | Self::Carveout { .. })
    }

    /// The resource that refuses, where it is one.
    pub const fn resource(&self) -> Option<Resource> {
        match self {
            Self::Threads { .. } => Some(Resource::Warps),
            Self::RegistersPerThread { .. } | Self::RegistersPerBlock { .. } => Some(Resource::Registers),
            Self::DynamicOverOwnMaximum { .. } | Self::SharedMemory { .. } => Some(Resource::SharedMemory),
            Self::Barriers { .. } => Some(Resource::Barriers),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoThreads => write!(f, "a block has no threads; give it at least 1"),
            Self::Carveout { percent } => write!(f, "the carve-out is {percent} percent; it goes from 0 to 100"),
            Self::NoBlocks => write!(f, "the grid has no blocks; give it at least 1"),
            Self::Threads { threads, allowed } => {
                write!(
                    f,
                    "a block of {} threads, but at most {} are allowed; use smaller blocks",
                    grouped((*threads).into()),
                    grouped((*allowed).into())
                )
            }
            Self::BlockShape { axis, extent, allowed } => {
                write!(
                    f,
                    "a block is {} threads long in {axis}, but at most {} are allowed; fold it into another dimension",
                    grouped((*extent).into()),
                    grouped((*allowed).into())
                )
            }
            Self::LaunchBounds { threads, promised } => write!(
                f,
                "a block of {threads} threads, but __launch_bounds__ promised at most {promised}; launch fewer or raise the bound and compile again"
            ),
            Self::RegistersPerThread { registers, allowed } => {
                write!(
                    f,
                    "{registers} registers per thread, but at most {allowed} are allowed; limit them with -maxrregcount or __launch_bounds__"
                )
            }
            Self::RegistersPerBlock { charged, allowed, warps, sub_partitions, portable } => {
                write_registers(f, *charged, *allowed, *warps, *sub_partitions, *portable)
            }
            Self::DynamicOverOwnMaximum { dynamic_bytes, maximum_bytes } => write!(
                f,
                "{} of dynamic shared memory, but the kernel's own maximum is {}; raise cudaFuncAttributeMaxDynamicSharedMemorySize",
                bytes(*dynamic_bytes),
                bytes(*maximum_bytes)
            ),
            Self::SharedMemory { static_bytes, dynamic_bytes, allowed_bytes, opt_in_bytes, cc } => {
                write_shared_memory(f, *static_bytes, *dynamic_bytes, *allowed_bytes, *opt_in_bytes, *cc)
            }
            Self::Barriers { barriers, allowed } => write!(f, "{barriers} barriers per block, but an SM has {allowed}; use fewer"),
            Self::VirtualResources { asked, allowed } => {
                write!(f, "{asked} virtual resources per block, but an SM has {allowed}; use fewer")
            }
            Self::NoClusters { cluster_size, cc } => {
                write!(f, "a cluster of {cluster_size} blocks, but compute capability {cc} has no clusters; they exist from 9.0 on")
            }
            Self::ClusterSize { cluster_size } => {
                write!(f, "a cluster of {cluster_size} blocks, but clusters have 1, 2, 4, 8 or, where the GPU allows it, 16")
            }
        }
    }
}

fn write_registers(f: &mut fmt::Formatter<'_>, charged: u64, allowed: u32, warps: u32, sub_partitions: u32, portable: bool) -> fmt::Result {
    write!(f, "a block is charged {} registers, but may have {}", grouped(charged), grouped(allowed.into()))?;
    let rounded = warps.next_multiple_of(sub_partitions);
    if rounded != warps {
        write!(f, " ({} count as {rounded}, the same number in each of {sub_partitions} sub-partitions", counted(warps.into(), "warp"))?;
        write!(f, "{})", if portable { ", as on every GPU of the family" } else { "" })?;
    }
    write!(f, "; use fewer registers or smaller blocks")
}

fn write_shared_memory(
    f: &mut fmt::Formatter<'_>,
    static_bytes: u64,
    dynamic_bytes: u64,
    allowed: u64,
    opt_in: u64,
    cc: ComputeCapability,
) -> fmt::Result {
    let total = static_bytes.saturating_add(dynamic_bytes);
    write!(
        f,
        "shared memory per block is {} bytes ({} dynamic + {} static), but compute capability {cc} allows {}",
        grouped(total),
        grouped(dynamic_bytes),
        grouped(static_bytes),
        grouped(allowed)
    )?;
    if opt_in >= total {
        return write!(f, " without opting in; opt in with cudaFuncAttributeMaxDynamicSharedMemorySize, up to {}", grouped(opt_in));
    }
    write!(f, "; free {}", counted(total - allowed.min(total), "byte"))
}

/// Every reason why `launch` cannot run on `arch`; empty when at least one block fits.
#[inline]
pub(super) fn refusals(arch: &Arch, launch: &Launch, limits: &limits::Limits) -> Vec<Refusal> {
    if fits_plainly(arch, launch, limits) { Vec::new() } else { find_refusals(arch, launch, limits) }
}

/// The usual case, told at once: room for a block, of a shape that every GPU takes, with no options that could refuse it.
#[inline]
fn fits_plainly(arch: &Arch, launch: &Launch, limits: &limits::Limits) -> bool {
    let plain_shape = launch.block.y == 1 && launch.block.z == 1;
    let plain_options = launch.launch_bounds.is_none() && launch.cluster_size <= 1 && launch.grid.is_none();
    let carveout = launch.carveout_percent.is_none_or(|percent| percent <= 100);
    limits.min_blocks() > 0
        && plain_shape
        && launch.block.x <= arch.max_threads_per_block.min(MAX_BLOCK_SHAPE[0].1)
        && plain_options
        && carveout
}

fn find_refusals(arch: &Arch, launch: &Launch, limits: &limits::Limits) -> Vec<Refusal> {
    let mut found = Vec::new();
    invalid_inputs(arch, launch, &mut found);
    block_refusals(arch, launch, &mut found);
    if limits.registers == limits::Limit::ZERO {
        found.push(register_refusal(arch, launch));
    }
    if limits.shared_memory == limits::Limit::ZERO {
        found.push(smem_refusal(arch, launch));
    }
    if let (Some(allowed), limits::Limit::ZERO) = (arch.max_barriers_per_sm, limits.barriers) {
        found.push(Refusal::Barriers { barriers: launch.barriers_per_block, allowed });
    }
    if let (Some(allowed), limits::Limit::ZERO) = (arch.max_virtual_resources_per_sm, limits.virtual_resources) {
        found.push(Refusal::VirtualResources { asked: launch.virtual_resources_per_block, allowed });
    }
    cluster_refusals(arch, launch, &mut found);
    found
}

fn invalid_inputs(arch: &Arch, launch: &Launch, found: &mut Vec<Refusal>) {
    if launch.threads_per_block() == 0 {
        found.push(Refusal::NoThreads);
    }
    if launch.grid_blocks() == Some(0) {
        found.push(Refusal::NoBlocks);
    }
    if let Some(percent) = launch.carveout_percent.filter(|percent| *percent > 100 && arch.has_configurable_smem()) {
        found.push(Refusal::Carveout { percent });
    }
}

fn block_refusals(arch: &Arch, launch: &Launch, found: &mut Vec<Refusal>) {
    let threads = launch.threads_per_block();
    if threads > arch.max_threads_per_block {
        found.push(Refusal::Threads { threads, allowed: arch.max_threads_per_block });
    } else if threads > arch.max_threads_per_sm {
        found.push(Refusal::Threads { threads, allowed: arch.max_threads_per_sm });
    } else {
        for ((axis, allowed), extent) in MAX_BLOCK_SHAPE.into_iter().zip([launch.block.x, launch.block.y, launch.block.z]) {
            if extent > allowed {
                found.push(Refusal::BlockShape { axis, extent, allowed });
            }
        }
    }
    if let Some(bounds) = launch.launch_bounds.filter(|bounds| threads > bounds.max_threads_per_block) {
        found.push(Refusal::LaunchBounds { threads, promised: bounds.max_threads_per_block });
    }
}

fn register_refusal(arch: &Arch, launch: &Launch) -> Refusal {
    let warps = launch.warps_per_block();
    match limits::register_refusal(arch, warps, launch.registers_per_thread) {
        Some(RegisterRefusal::PerThread) => {
            Refusal::RegistersPerThread { registers: launch.registers_per_thread, allowed: arch.max_registers_per_thread }
        }
        Some(RegisterRefusal::PerBlock { charged, sub_partitions }) => Refusal::RegistersPerBlock {
            charged,
            allowed: arch.max_registers_per_block,
            warps,
            sub_partitions,
            portable: sub_partitions != arch.sub_partitions,
        },
        None => {
            // What passes the launch check fits the whole SM: here it has to fit one half, for strict partitioned caching.
            let charged = limits::registers_per_warp(arch, launch.registers_per_thread).saturating_mul(warps.into());
            Refusal::RegistersPerBlock { charged, allowed: arch.registers_per_sm / 2, warps, sub_partitions: 1, portable: false }
        }
    }
}

fn smem_refusal(arch: &Arch, launch: &Launch) -> Refusal {
    let maximum_bytes = limits::max_dynamic_smem_bytes(arch, launch);
    let reserved = u64::from(arch.reserved_smem_per_block_bytes);
    // What a block is given is rounded up, so a part of a unit is of no use to it.
    let unit = u64::from(arch.smem_allocation_unit_bytes);
    let usable = |bytes: u64| (bytes / unit * unit).saturating_sub(reserved);
    let opt_in_bytes = usable(u64::from(arch.optin_smem_per_block_bytes) + reserved);
    if launch.opt_in && launch.dynamic_smem_bytes > maximum_bytes && launch.requested_smem_bytes() <= opt_in_bytes {
        return Refusal::DynamicOverOwnMaximum { dynamic_bytes: launch.dynamic_smem_bytes, maximum_bytes };
    }
    let cap = usable(limits::smem_cap_bytes(arch, launch));
    Refusal::SharedMemory {
        static_bytes: launch.static_smem_bytes,
        dynamic_bytes: launch.dynamic_smem_bytes,
        allowed_bytes: cap,
        opt_in_bytes: if launch.opt_in { cap } else { opt_in_bytes },
        cc: arch.compute_capability,
    }
}

fn cluster_refusals(arch: &Arch, launch: &Launch, found: &mut Vec<Refusal>) {
    let cluster_size = launch.cluster_size;
    if cluster_size <= 1 {
        return;
    }
    if arch.max_portable_cluster_size.is_none() {
        found.push(Refusal::NoClusters { cluster_size, cc: arch.compute_capability });
    } else if !cluster_size.is_power_of_two() || cluster_size > MAX_NON_PORTABLE_CLUSTER_SIZE {
        found.push(Refusal::ClusterSize { cluster_size });
    }
}

/// The largest block, in threads and a multiple of a warp, that could launch with everything else as it is; none when not even one warp fits.
pub fn largest_launchable_threads(arch: &Arch, launch: &Launch) -> Option<u32> {
    let fits = |threads: u32| {
        let smaller = Launch { block: crate::units::Dim3::linear(threads), ..launch.clone() };
        super::evaluate(arch, &smaller).can_launch()
    };
    (1..=arch.max_threads_per_block / WARP_SIZE).rev().map(|warps| warps * WARP_SIZE).find(|threads| fits(*threads))
}
