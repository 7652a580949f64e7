//! The numbers that lessons and questions speak of, by name, for what a session shows right now.

use crate::arch::Arch;
use crate::engine::latency::{LatencyHiding, in_flight};
use crate::engine::{Limit, Occupancy, Waves};
use crate::session::Session;

/// What the picture of latency hiding is set to.
pub type Latency = LatencyHiding;

/// Where that picture starts: 4 warps that issue for 20 cycles and wait for 400.
pub const FIRST_LATENCY: Latency = LatencyHiding { num_warps: 4, compute_cycles: 20, wait_cycles: 400 };

/// What a known name stands for; none where this launch has no such number.
type Number = Option<f64>;

/// Everything that a name can stand for.
#[derive(Debug)]
pub struct Facts<'a> {
    session: &'a Session,
    latency: Latency,
    occupancy: Occupancy,
    waves: Option<Waves>,
}

impl<'a> Facts<'a> {
    pub fn new(session: &'a Session, latency: Latency) -> Self {
        Self { session, latency, occupancy: session.occupancy(), waves: session.waves() }
    }

    pub fn session(&self) -> &'a Session {
        self.session
    }

    /// The number behind a formula over names; none where this launch has none.
    ///
    /// # Errors
    /// When the formula is wrong or uses a name that is not known.
    pub fn value(&self, formula: &str) -> Result<Option<f64>, String> {
        super::expr::evaluate(formula, &|name| self.named(name))
    }

    fn named(&self, name: &str) -> Result<Option<f64>, String> {
        let found = self
            .of_launch(name)
            .or_else(|| self.of_answer(name))
            .or_else(|| of_arch(self.session.arch(), name))
            .or_else(|| self.of_grid(name))
            .or_else(|| self.of_latency(name))
            .or_else(|| self.of_kernel(name));
        found.ok_or_else(|| format!("\"{name}\" is no number that is known here"))
    }

    fn of_launch(&self, name: &str) -> Option<Number> {
        let launch = &self.session.document().configuration.launch;
        Some(Some(match name {
            "kib" => 1024.0,
            "warp_size" => f64::from(crate::units::WARP_SIZE),
            "threads" => f64::from(launch.threads_per_block()),
            "warps" => f64::from(launch.warps_per_block()),
            "registers" => f64::from(launch.registers_per_thread),
            "static_smem" => wide(launch.static_smem_bytes),
            "dynamic_smem" => wide(launch.dynamic_smem_bytes),
            "barriers" => f64::from(launch.barriers_per_block),
            "grid" => return Some(launch.grid_blocks().map(wide)),
            _ => return None,
        }))
    }

    fn of_answer(&self, name: &str) -> Option<Number> {
        let Occupancy { registers, smem, limits, .. } = &self.occupancy;
        Some(Some(match name {
            "blocks" => f64::from(self.occupancy.blocks_per_sm),
            "active_warps" => f64::from(self.occupancy.active_warps_per_sm()),
            "active_threads" => {
                f64::from(self.occupancy.blocks_per_sm) * f64::from(self.session.document().configuration.launch.threads_per_block())
            }
            "occupancy" => self.occupancy.theoretical_percent(),
            "limit_warps" => limit(limits.warps),
            "limit_blocks" => limit(limits.blocks),
            "limit_registers" => limit(limits.registers),
            "limit_smem" => limit(limits.shared_memory),
            "limit_barriers" => limit(limits.barriers),
            "allocated_registers" => f64::from(registers.allocated_per_thread),
            "registers_per_warp" => wide(registers.allocated_per_warp),
            "registers_per_block" => wide(registers.allocated_per_block),
            "free_registers" => wide(registers.free_per_sm),
            "warps_per_file" => registers.warps_per_sub_partition.map_or(f64::INFINITY, wide),
            "smem_asked" => wide(smem.requested_per_block),
            "smem_allocated" => wide(smem.allocated_per_block),
            "smem_cap" => wide(smem.cap_per_block),
            "smem_pool" => wide(smem.pool_per_sm),
            "free_smem" => wide(smem.free_per_sm),
            "limiters" => f64::from(self.occupancy.limiters.len()),
            _ => return None,
        }))
    }

    fn of_grid(&self, name: &str) -> Option<Number> {
        let of = |read: &dyn Fn(&Waves) -> f64| Some(self.waves.as_ref().map(read));
        match name {
            "sms" => Some(self.session.gpu().and_then(|gpu| gpu.num_sms).map(f64::from)),
            "bandwidth" => Some(self.session.gpu().and_then(|gpu| gpu.memory_bytes_per_second).map(wide)),
            "slots" => of(&|waves| wide(waves.blocks_per_wave)),
            "waves" => of(&Waves::waves),
            "full_waves" => of(&|waves| wide(waves.full_waves)),
            "total_waves" => of(&|waves| wide(waves.total_waves())),
            "rest" => of(&|waves| wide(waves.partial_wave_blocks)),
            "tail_time" => of(&Waves::partial_wave_max_time_percent),
            "slot_efficiency" => of(&Waves::slot_efficiency_percent),
            "grid_limited" => of(&Waves::grid_limited_percent),
            "full_grid" => of(&|waves| wide(waves.full_wave_grids().1)),
            _ => None,
        }
    }

    fn of_latency(&self, name: &str) -> Option<Number> {
        let bandwidth = self.session.gpu().and_then(|gpu| gpu.memory_bytes_per_second).map(wide);
        match name {
            "latency_warps" => Some(Some(f64::from(self.latency.num_warps))),
            "latency_compute" => Some(Some(f64::from(self.latency.compute_cycles))),
            "latency_wait" => Some(Some(f64::from(self.latency.wait_cycles))),
            "latency_needed" => Some(Some(f64::from(self.latency.needed_warps()))),
            "latency_busy" => Some(Some(self.latency.utilization_percent())),
            // Half a microsecond: the round figure that the lessons assume, and say that they do.
            "bytes_in_flight" => Some(bandwidth.map(|rate| in_flight(rate, 500e-9))),
            _ => None,
        }
    }

    fn of_kernel(&self, name: &str) -> Option<Number> {
        let selected = self.session.selected();
        let kernel = selected.map(|(kernel, _)| kernel);
        let gap = selected.and_then(|(_, account)| account.gap.as_ref());
        let compiled = kernel.and_then(|kernel| kernel.compiled.as_ref());
        Some(match name {
            "achieved" => gap.map(|gap| gap.achieved),
            "gap" => gap.map(|gap| gap.theoretical - gap.achieved),
            "gap_tail" => gap.map(|gap| gap.tail_up_to),
            "gap_unfilled" => gap.map(|gap| gap.unfilled),
            "gap_other" => gap.map(|gap| gap.other),
            "dram" => kernel.and_then(|kernel| kernel.measured.dram_throughput_percent).map(|read| read.value),
            "compute" => kernel.and_then(|kernel| kernel.measured.compute_throughput_percent).map(|read| read.value),
            "microseconds" => kernel.and_then(|kernel| kernel.measured.duration_ns).map(|read| read.value / 1e3),
            "compiled_registers" => compiled.and(kernel).and_then(|kernel| kernel.registers_per_thread).map(|read| f64::from(read.value)),
            "spill_stores" => compiled.and_then(|compiled| compiled.spill_store_bytes).map(|read| wide(read.value)),
            "spill_loads" => compiled.and_then(|compiled| compiled.spill_load_bytes).map(|read| wide(read.value)),
            _ => return None,
        })
    }
}

fn of_arch(arch: &Arch, name: &str) -> Option<Number> {
    Some(Some(match name {
        "max_warps" => f64::from(arch.max_warps_per_sm()),
        "max_threads" => f64::from(arch.max_threads_per_sm),
        "max_block" => f64::from(arch.max_threads_per_block),
        "max_blocks" => f64::from(arch.max_blocks_per_sm),
        "sub_partitions" => f64::from(arch.sub_partitions),
        "registers_per_sm" => f64::from(arch.registers_per_sm),
        "registers_per_file" => f64::from(arch.registers_per_sm / arch.sub_partitions),
        "register_unit" => f64::from(arch.register_allocation_unit),
        "smem_per_sm" => f64::from(arch.smem_per_sm_bytes),
        "smem_unit" => f64::from(arch.smem_allocation_unit_bytes),
        "smem_reserved" => f64::from(arch.reserved_smem_per_block_bytes),
        "smem_default" => f64::from(arch.default_smem_per_block_bytes),
        "smem_optin" => f64::from(arch.optin_smem_per_block_bytes),
        "max_barriers" => return Some(arch.max_barriers_per_sm.map(f64::from)),
        _ => return None,
    }))
}

fn limit(limit: Limit) -> f64 {
    limit.get().map_or(f64::INFINITY, f64::from)
}

#[expect(clippy::cast_precision_loss, reason = "counts and sizes that lessons show are far below 2^53")]
fn wide(value: u64) -> f64 {
    value as f64
}

/// A number as the text shows it: whole ones with commas, others with one decimal.
pub fn shown(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value.is_infinite() => "unlimited".to_owned(),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number in range")]
        Some(value) if (0.0..9e15).contains(&value) && (value - value.round()).abs() < 1e-9 => crate::fmt::grouped(value.round() as u64),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        Some(value) if (1e3..9e15).contains(&value) => {
            let tenths = (value * 10.0).round() as u64;
            format!("{}.{}", crate::fmt::grouped(tenths / 10), tenths % 10)
        }
        Some(value) => crate::fmt::percent_number(value),
    }
}
