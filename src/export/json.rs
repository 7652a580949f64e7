//! The answer as the object that scripts read. Its keys are a contract: they may be added to, not renamed.

use serde::Serialize;

use crate::arch::Arch;
use crate::engine::trace::{Step, trace};
use crate::engine::{Launch, Limits, Occupancy, ResourceSet, Waves, evaluate};

/// What `occupancy` prints, and `computed` of an imported kernel.
#[derive(Debug, Serialize)]
pub struct OccupancyJson {
    compute_capability: String,
    /// The product's name.
    gpu: Option<String>,
    can_launch: bool,
    reasons: Vec<String>,
    blocks_per_sm: u32,
    active_warps_per_sm: u32,
    max_warps_per_sm: u32,
    theoretical_occupancy_percent: f64,
    limiters: ResourceSet,
    limits: Limits,
    allocated: AllocatedJson,
    waves: Option<WavesJson>,
    steps: Vec<Step>,
}

#[derive(Debug, Serialize)]
struct AllocatedJson {
    registers_per_thread: u32,
    registers_per_warp: u64,
    registers_per_block: u64,
    shared_memory_per_block_bytes: u64,
}

#[derive(Debug, Serialize)]
struct WavesJson {
    num_sms: u32,
    blocks_per_wave: u64,
    waves: f64,
    full_waves: u64,
    partial_wave_blocks: u64,
    partial_wave_max_time_percent: f64,
    slot_efficiency_percent: f64,
    grid_limited_occupancy_percent: f64,
    grid_limited_occupancy_per_elapsed_percent: f64,
}

impl OccupancyJson {
    /// `waves` beside the answer, because a report's own limits can decide them.
    pub fn new(
        arch: &Arch,
        gpu: Option<&str>,
        launch: &Launch,
        occupancy: &Occupancy,
        num_sms: Option<u32>,
        waves: Option<&Waves>,
    ) -> Self {
        Self {
            compute_capability: arch.compute_capability.to_string(),
            gpu: gpu.map(str::to_owned),
            can_launch: occupancy.can_launch(),
            reasons: occupancy.refusals.iter().map(ToString::to_string).collect(),
            blocks_per_sm: occupancy.blocks_per_sm,
            active_warps_per_sm: occupancy.active_warps_per_sm(),
            max_warps_per_sm: occupancy.max_warps_per_sm,
            theoretical_occupancy_percent: occupancy.theoretical_percent(),
            limiters: occupancy.limiters,
            limits: occupancy.limits,
            allocated: AllocatedJson {
                registers_per_thread: occupancy.registers.allocated_per_thread,
                registers_per_warp: occupancy.registers.allocated_per_warp,
                registers_per_block: occupancy.registers.allocated_per_block,
                shared_memory_per_block_bytes: occupancy.smem.allocated_per_block,
            },
            waves: waves.map(WavesJson::new),
            steps: trace(arch, launch, num_sms),
        }
    }
}

/// The answer as JSON, indented, with a line end: what `occupancy --format json` prints.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn occupancy_json(arch: &Arch, gpu: Option<&str>, launch: &Launch, num_sms: Option<u32>) -> serde_json::Result<String> {
    let occupancy = evaluate(arch, launch);
    let waves = launch.grid_blocks().zip(num_sms).and_then(|(grid, num_sms)| Waves::new(&occupancy, num_sms, grid));
    let object = OccupancyJson::new(arch, gpu, launch, &occupancy, num_sms, waves.as_ref());
    Ok(serde_json::to_string_pretty(&object)? + "\n")
}

impl WavesJson {
    fn new(waves: &Waves) -> Self {
        Self {
            num_sms: waves.num_sms,
            blocks_per_wave: waves.blocks_per_wave,
            waves: waves.waves(),
            full_waves: waves.full_waves,
            partial_wave_blocks: waves.partial_wave_blocks,
            partial_wave_max_time_percent: waves.partial_wave_max_time_percent(),
            slot_efficiency_percent: waves.slot_efficiency_percent(),
            grid_limited_occupancy_percent: waves.grid_limited_percent(),
            grid_limited_occupancy_per_elapsed_percent: waves.grid_limited_per_elapsed_percent(),
        }
    }
}
