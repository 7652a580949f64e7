//! The same answer as ordered steps: each rule, the numbers put in, the result, and where the rule comes from.

use serde::Serialize;

use super::launch::Launch;
use super::limits;
use super::occupancy::{Occupancy, evaluate};
use super::waves::Waves;
use crate::arch::Arch;
use crate::fmt::{grouped, percent_number};

/// One step of the calculation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What is worked out: "Registers per warp".
    pub rule: &'static str,
    /// The rule in general: "⌈registers per thread × 32⌉ to a multiple of the allocation unit".
    pub formula: &'static str,
    /// The rule with the numbers of this launch put in.
    pub numbers: String,
    pub result: String,
    /// The unit of the result: "blocks", "bytes", "%".
    pub unit: &'static str,
    /// The key of the source in `arch/README.md`.
    pub source: &'static str,
}

/// NVIDIA's `cuda_occupancy.h`, see `arch/README.md`.
const HEADER: &str = "occ-h";
/// Arithmetic of this program, explained where the step says so.
const MODEL: &str = "model";

/// The steps from `launch` to its theoretical occupancy on `arch`, and on to the waves of its grid when `num_sms` is known.
///
/// A launch that cannot run has its steps too; the limit that refuses it is 0.
pub fn trace(arch: &Arch, launch: &Launch, num_sms: Option<u32>) -> Vec<Step> {
    let occupancy = evaluate(arch, launch);
    let mut steps = vec![warps_step(launch), warp_limit_step(arch, launch, &occupancy), block_limit_step(arch)];
    steps.extend(register_steps(arch, launch, &occupancy));
    steps.extend(smem_steps(arch, launch, &occupancy));
    steps.extend(barrier_step(arch, launch, &occupancy));
    steps.extend(answer_steps(&occupancy));
    let waves = launch.grid_blocks().zip(num_sms).and_then(|(grid, num_sms)| Waves::new(&occupancy, num_sms, grid));
    steps.extend(waves.iter().flat_map(|waves| wave_steps(&occupancy, waves)));
    steps
}

fn number(value: impl Into<u64>) -> String {
    grouped(value.into())
}

fn warps_step(launch: &Launch) -> Step {
    Step {
        rule: "Warps per block",
        formula: "⌈threads per block / 32⌉",
        numbers: format!("⌈{} / 32⌉", number(launch.threads_per_block())),
        result: number(launch.warps_per_block()),
        unit: "warps",
        source: HEADER,
    }
}

fn warp_limit_step(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> Step {
    let threads = launch.threads_per_block();
    let (slots, warps) = (arch.max_warps_per_sm(), occupancy.warps_per_block);
    let numbers = if threads > arch.max_threads_per_block {
        format!("{} threads > {}: no block", number(threads), number(arch.max_threads_per_block))
    } else if occupancy.partitioned_caching {
        format!("2 × ⌊{} / {warps}⌋", slots / 2)
    } else {
        format!("⌊{slots} / {warps}⌋")
    };
    Step {
        rule: "Limit by warp slots",
        formula: "⌊warp slots / warps per block⌋",
        numbers,
        result: occupancy.limits.warps.to_string(),
        unit: "blocks",
        source: HEADER,
    }
}

fn block_limit_step(arch: &Arch) -> Step {
    Step {
        rule: "Limit by block slots",
        formula: "block slots",
        numbers: number(arch.max_blocks_per_sm),
        result: number(arch.max_blocks_per_sm),
        unit: "blocks",
        source: HEADER,
    }
}

fn register_steps(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> Vec<Step> {
    let registers = &occupancy.registers;
    let per_warp = number(registers.allocated_per_warp);
    let mut steps = vec![Step {
        rule: "Registers per warp",
        formula: "registers per thread × 32, rounded up to the allocation unit",
        numbers: format!(
            "{} × 32 = {} → multiple of {}",
            launch.registers_per_thread,
            number(u64::from(launch.registers_per_thread) * 32),
            arch.register_allocation_unit
        ),
        result: per_warp.clone(),
        unit: "registers",
        source: HEADER,
    }];
    let held = registers.warps_per_sub_partition;
    steps.extend(held.map(|held| Step {
        rule: "Warps per register file",
        formula: "⌊registers per sub-partition / registers per warp⌋",
        numbers: format!("⌊{} / {per_warp}⌋", number(registers.per_sub_partition)),
        result: number(held),
        unit: "warps",
        source: HEADER,
    }));
    let warps = occupancy.warps_per_block;
    let numbers = match (limits::register_refusal(arch, warps, launch.registers_per_thread), held) {
        (Some(limits::RegisterRefusal::PerThread), _) => {
            format!("{} per thread > {}: no block", launch.registers_per_thread, arch.max_registers_per_thread)
        }
        (Some(limits::RegisterRefusal::PerBlock { charged, .. }), _) => {
            format!("a block is charged {} > {}: no block", number(charged), number(arch.max_registers_per_block))
        }
        (None, Some(held)) if occupancy.partitioned_caching => format!("2 × ⌊{held} × {} / {warps}⌋", arch.sub_partitions / 2),
        (None, Some(held)) => format!("⌊{held} × {} / {warps}⌋", arch.sub_partitions),
        (None, None) => "no registers, no limit".to_owned(),
    };
    steps.push(Step {
        rule: "Limit by registers",
        formula: "⌊warps per register file × sub-partitions / warps per block⌋",
        numbers,
        result: occupancy.limits.registers.to_string(),
        unit: "blocks",
        source: HEADER,
    });
    steps
}

fn smem_steps(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> Vec<Step> {
    let smem = &occupancy.smem;
    let (allocated, pool) = (number(smem.allocated_per_block), number(smem.pool_per_sm));
    let pool_numbers = if arch.has_configurable_smem() {
        format!("{} % of {} → {pool}", limits::carveout_percent(launch), number(arch.smem_per_sm_bytes))
    } else {
        format!("fixed: {pool}")
    };
    let numbers = match occupancy.limits.shared_memory.get() {
        Some(0) if smem.allocated_per_block > smem.cap_per_block => {
            format!("{allocated} > {} that a block may have: no block", number(smem.cap_per_block))
        }
        Some(0) => format!(
            "{} > the kernel's own maximum of {}: no block",
            number(launch.dynamic_smem_bytes),
            number(limits::max_dynamic_smem_bytes(arch, launch))
        ),
        Some(_) => format!("⌊{pool} / {allocated}⌋"),
        None => "none used, no limit".to_owned(),
    };
    vec![
        Step {
            rule: "Shared memory per block",
            formula: "static + dynamic + reserved, rounded up to the allocation unit",
            numbers: format!(
                "{} + {} + {} → multiple of {}",
                number(launch.static_smem_bytes),
                number(launch.dynamic_smem_bytes),
                number(smem.reserved_per_block),
                arch.smem_allocation_unit_bytes
            ),
            result: allocated,
            unit: "bytes",
            source: HEADER,
        },
        Step {
            rule: "Shared-memory pool",
            formula: "carve-out of the SM's shared memory, raised to a size it can be configured to",
            numbers: pool_numbers,
            result: pool,
            unit: "bytes",
            source: HEADER,
        },
        Step {
            rule: "Limit by shared memory",
            formula: "⌊pool / shared memory per block⌋",
            numbers,
            result: occupancy.limits.shared_memory.to_string(),
            unit: "blocks",
            source: HEADER,
        },
    ]
}

fn barrier_step(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> Option<Step> {
    let barriers = arch.max_barriers_per_sm.filter(|_| launch.barriers_per_block > 0)?;
    Some(Step {
        rule: "Limit by barriers",
        formula: "⌊barriers of the SM / barriers per block⌋",
        numbers: format!("⌊{barriers} / {}⌋", launch.barriers_per_block),
        result: occupancy.limits.barriers.to_string(),
        unit: "blocks",
        source: HEADER,
    })
}

fn answer_steps(occupancy: &Occupancy) -> Vec<Step> {
    let limits = limits::Resource::ALL.into_iter().filter_map(|resource| occupancy.limits.get(resource).get());
    let listed = limits.map(|limit| limit.to_string()).collect::<Vec<_>>().join(", ");
    let refused = (!occupancy.can_launch()).then(|| "cannot launch".to_owned());
    vec![
        Step {
            rule: "Blocks per SM",
            formula: "the smallest limit",
            numbers: refused.unwrap_or_else(|| format!("min({listed})")),
            result: number(occupancy.blocks_per_sm),
            unit: "blocks",
            source: HEADER,
        },
        Step {
            rule: "Active warps per SM",
            formula: "blocks per SM × warps per block",
            numbers: format!("{} × {}", occupancy.blocks_per_sm, occupancy.warps_per_block),
            result: number(occupancy.active_warps_per_sm()),
            unit: "warps",
            source: HEADER,
        },
        Step {
            rule: "Theoretical occupancy",
            formula: "active warps per SM / warp slots",
            numbers: format!("{} / {}", occupancy.active_warps_per_sm(), occupancy.max_warps_per_sm),
            result: percent_number(occupancy.theoretical_percent()),
            unit: "%",
            source: HEADER,
        },
    ]
}

fn wave_steps(occupancy: &Occupancy, waves: &Waves) -> Vec<Step> {
    let (grid, slots) = (number(waves.grid_blocks), number(waves.blocks_per_wave));
    let share = format!("{} / {}", occupancy.warps_per_block, occupancy.max_warps_per_sm);
    let active =
        format!("{} × {} + min({}, {})", waves.num_sms, number(waves.full_waves), number(waves.partial_wave_blocks), waves.num_sms);
    let tail = waves.has_tail().then(|| Step {
        rule: "Share of time in the tail",
        formula: "at most 1 / (full waves + 1)",
        numbers: format!("1 / ({} + 1)", number(waves.full_waves)),
        result: percent_number(waves.partial_wave_max_time_percent()),
        unit: "%",
        source: MODEL,
    });
    let steps = [
        Step {
            rule: "Blocks per wave",
            formula: "SMs × blocks per SM",
            numbers: format!("{} × {}", waves.num_sms, occupancy.blocks_per_sm),
            result: slots.clone(),
            unit: "blocks",
            source: MODEL,
        },
        Step {
            rule: "Waves",
            formula: "blocks in the grid / blocks per wave",
            numbers: format!("{grid} / {slots}"),
            result: format!("{:.2}", waves.waves()),
            unit: "waves",
            source: MODEL,
        },
        Step {
            rule: "Slot efficiency",
            formula: "blocks in the grid / (waves, rounded up × blocks per wave)",
            numbers: format!("{grid} / ({} × {slots})", number(waves.total_waves())),
            result: percent_number(waves.slot_efficiency_percent()),
            unit: "%",
            source: MODEL,
        },
        Step {
            rule: "Grid-limited occupancy",
            formula: "(warps per block / warp slots) × blocks in the grid / SM-waves that are active",
            numbers: format!("({share}) × {grid} / ({active})"),
            result: percent_number(waves.grid_limited_percent()),
            unit: "%",
            source: MODEL,
        },
    ];
    steps.into_iter().chain(tail).collect()
}
