//! The quantities that are kept, and every name that profilers have given them.
//!
//! One table: a quantity, what kind of number it is, its labels on the details page and its metric names. The first metric
//! name is today's; the others are of Pascal and of 2020. Finding a name is a look into a short list, without allocation:
//! it happens for every row of a file.

use std::sync::LazyLock;

use super::measures::Measure;
use super::stalls::StallReason;

/// A number that a report can hold about a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Quantity {
    BlockThreads,
    GridBlocks,
    BlockDimX,
    BlockDimY,
    BlockDimZ,
    GridDimX,
    GridDimY,
    GridDimZ,
    RegistersPerThread,
    StaticSmem,
    DynamicSmem,
    DriverSmem,
    SmemConfig,
    Barriers,
    ClusterSize,
    NumSms,
    LimitBlocks,
    LimitRegisters,
    LimitSharedMemory,
    LimitWarps,
    LimitBarriers,
    TheoreticalOccupancy,
    TheoreticalWarps,
    AchievedOccupancy,
    AchievedOccupancyMin,
    AchievedOccupancyMax,
    AchievedWarps,
    Waves,
    Duration,
    ElapsedCycles,
    SmActiveCyclesAvg,
    SmActiveCyclesMin,
    SmActiveCyclesMax,
    ComputeThroughput,
    MemoryThroughput,
    DramThroughput,
    L1Throughput,
    L2Throughput,
    MaxActiveClusters,
    MaxClusterSize,
    ClusterOccupancy,
    ClusterGpuOccupancy,
    StallBarrier,
    StallBranchResolving,
    StallDispatchStall,
    StallDrain,
    StallGmma,
    StallImcMiss,
    StallLgThrottle,
    StallLongScoreboard,
    StallMathPipeThrottle,
    StallMembar,
    StallMioThrottle,
    StallMisc,
    StallNoInstruction,
    StallNotSelected,
    StallSelected,
    StallShortScoreboard,
    StallSleeping,
    StallTexThrottle,
    StallWait,
    ComputeCapabilityMajor,
    ComputeCapabilityMinor,
    DeviceNumSms,
    DeviceMaxWarps,
    DeviceMaxThreads,
    DeviceMaxBlocks,
    DeviceRegisters,
    DeviceSmem,
    DeviceOptinSmem,
    DeviceReservedSmem,
}

impl Quantity {
    pub(super) const COUNT: usize = Self::DeviceReservedSmem as usize + 1;

    /// Whether a row inside a body item can stand for it. The label "SM Active Cycles" comes four times in one body item,
    /// for average, maximum, minimum and sum, and the file does not say which is which.
    pub(super) const fn is_clear_in_body_item(self) -> bool {
        !matches!(self, Self::SmActiveCyclesAvg)
    }
}

/// One row of the table of names.
struct Names {
    quantity: Quantity,
    measure: Measure,
    /// The section that the labels must be in, when other sections use the same label for something else.
    section: Option<&'static str>,
    labels: &'static [&'static str],
    metrics: &'static [&'static str],
}

const fn names(quantity: Quantity, measure: Measure, labels: &'static [&'static str], metrics: &'static [&'static str]) -> Names {
    Names { quantity, measure, section: None, labels, metrics }
}

/// A throughput of the Speed Of Light section. "Memory Throughput" is bytes a second elsewhere.
const fn throughput(quantity: Quantity, labels: &'static [&'static str], metrics: &'static [&'static str]) -> Names {
    Names { quantity, measure: Percent, section: Some("GPU Speed Of Light"), labels, metrics }
}

/// Warp-cycles for each issued instruction, by reason. Their labels are short enough to mean something else in other sections.
const fn stall(quantity: Quantity, labels: &'static [&'static str], metrics: &'static [&'static str]) -> Names {
    Names { quantity, measure: Count, section: Some("Warp State Statistics"), labels, metrics }
}

const fn attribute(quantity: Quantity, measure: Measure, metrics: &'static [&'static str]) -> Names {
    names(quantity, measure, &[], metrics)
}

use Measure::{ConfiguredBytes, Count, Cycles, Percent, RequestedBytes, Time};
use Quantity as Q;

const TABLE: &[Names] = &[
    names(Q::BlockThreads, Count, &["Block Size"], &["launch__block_size"]),
    names(Q::GridBlocks, Count, &["Grid Size"], &["launch__grid_size"]),
    attribute(Q::BlockDimX, Count, &["launch__block_dim_x"]),
    attribute(Q::BlockDimY, Count, &["launch__block_dim_y"]),
    attribute(Q::BlockDimZ, Count, &["launch__block_dim_z"]),
    attribute(Q::GridDimX, Count, &["launch__grid_dim_x"]),
    attribute(Q::GridDimY, Count, &["launch__grid_dim_y"]),
    attribute(Q::GridDimZ, Count, &["launch__grid_dim_z"]),
    names(Q::RegistersPerThread, Count, &["Registers Per Thread"], &["launch__registers_per_thread"]),
    names(Q::StaticSmem, RequestedBytes, &["Static Shared Memory Per Block"], &["launch__shared_mem_per_block_static"]),
    names(Q::DynamicSmem, RequestedBytes, &["Dynamic Shared Memory Per Block"], &["launch__shared_mem_per_block_dynamic"]),
    names(Q::DriverSmem, ConfiguredBytes, &["Driver Shared Memory Per Block"], &["launch__shared_mem_per_block_driver"]),
    names(Q::SmemConfig, ConfiguredBytes, &["Shared Memory Configuration Size"], &["launch__shared_mem_config_size"]),
    attribute(Q::Barriers, Count, &["launch__barrier_count"]),
    names(Q::ClusterSize, Count, &["Cluster Size"], &["launch__cluster_size"]),
    names(Q::NumSms, Count, &["# SMs"], &["launch__sm_count"]),
    names(Q::LimitBlocks, Count, &["Block Limit SM"], &["launch__occupancy_limit_blocks"]),
    names(Q::LimitRegisters, Count, &["Block Limit Registers"], &["launch__occupancy_limit_registers"]),
    names(Q::LimitSharedMemory, Count, &["Block Limit Shared Mem"], &["launch__occupancy_limit_shared_mem"]),
    names(Q::LimitWarps, Count, &["Block Limit Warps"], &["launch__occupancy_limit_warps"]),
    names(Q::LimitBarriers, Count, &["Block Limit Barriers"], &["launch__occupancy_limit_barriers"]),
    names(Q::TheoreticalOccupancy, Percent, &["Theoretical Occupancy"], &["sm__maximum_warps_per_active_cycle_pct"]),
    names(Q::TheoreticalWarps, Count, &["Theoretical Active Warps per SM"], &["sm__maximum_warps_avg_per_active_cycle"]),
    names(
        Q::AchievedOccupancy,
        Percent,
        &["Achieved Occupancy"],
        &["sm__warps_active.avg.pct_of_peak_sustained_active", "sm__active_warps_avg_per_active_cycle_pct"],
    ),
    names(
        Q::AchievedWarps,
        Count,
        &["Achieved Active Warps Per SM"],
        &["sm__warps_active.avg.per_cycle_active", "sm__active_warps_avg_per_active_cycle"],
    ),
    names(Q::Waves, Count, &["Waves Per SM"], &["launch__waves_per_multiprocessor"]),
    names(Q::Duration, Time, &["Duration"], &["gpu__time_duration.sum", "gpu__time_duration"]),
    names(Q::ElapsedCycles, Cycles, &["Elapsed Cycles"], &["gpc__cycles_elapsed.max", "gpc__elapsed_cycles_max", "sm__elapsed_cycles_avg"]),
    names(Q::SmActiveCyclesAvg, Cycles, &["SM Active Cycles", "Average SM Active Cycles"], &["sm__cycles_active.avg"]),
    attribute(Q::SmActiveCyclesMin, Cycles, &["sm__cycles_active.min"]),
    attribute(Q::SmActiveCyclesMax, Cycles, &["sm__cycles_active.max"]),
    throughput(
        Q::ComputeThroughput,
        &["Compute (SM) Throughput", "Compute (SM) [%]", "SOL SM", "SM [%]"],
        &["sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm__sol_pct"],
    ),
    throughput(
        Q::MemoryThroughput,
        &["Memory Throughput", "SOL Memory", "Memory [%]"],
        &["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "gpu__compute_memory_sol_pct"],
    ),
    throughput(
        Q::DramThroughput,
        &["DRAM Throughput", "SOL DRAM", "SOL FB"],
        &["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "fbpa__sol_pct"],
    ),
    throughput(
        Q::L1Throughput,
        &["L1/TEX Cache Throughput", "SOL L1/TEX Cache", "SOL TEX"],
        &["l1tex__throughput.avg.pct_of_peak_sustained_active", "tex__sol_pct"],
    ),
    throughput(
        Q::L2Throughput,
        &["L2 Cache Throughput", "SOL L2 Cache", "SOL L2"],
        &["lts__throughput.avg.pct_of_peak_sustained_elapsed", "ltc__sol_pct"],
    ),
    names(Q::MaxActiveClusters, Count, &["Max Active Clusters"], &["launch__cluster_max_active"]),
    names(Q::MaxClusterSize, Count, &["Max Cluster Size"], &["launch__cluster_max_potential_size"]),
    names(Q::ClusterOccupancy, Percent, &["Cluster Occupancy"], &["launch__occupancy_cluster_pct"]),
    names(Q::ClusterGpuOccupancy, Percent, &["Overall GPU Occupancy"], &["launch__occupancy_cluster_gpu_pct"]),
    stall(Q::StallBarrier, &["Stall Barrier"], &["smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"]),
    stall(
        Q::StallBranchResolving,
        &["Stall Branch Resolving"],
        &["smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio"],
    ),
    stall(Q::StallDispatchStall, &["Stall Dispatch Stall"], &["smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio"]),
    stall(Q::StallDrain, &["Stall Drain"], &["smsp__average_warps_issue_stalled_drain_per_issue_active.ratio"]),
    stall(Q::StallGmma, &["Stall GMMA"], &["smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio"]),
    stall(Q::StallImcMiss, &["Stall IMC Miss"], &["smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio"]),
    stall(Q::StallLgThrottle, &["Stall LG Throttle"], &["smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"]),
    stall(
        Q::StallLongScoreboard,
        &["Stall Long Scoreboard"],
        &["smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"],
    ),
    stall(
        Q::StallMathPipeThrottle,
        &["Stall Math Pipe Throttle"],
        &["smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio"],
    ),
    stall(Q::StallMembar, &["Stall Membar"], &["smsp__average_warps_issue_stalled_membar_per_issue_active.ratio"]),
    stall(Q::StallMioThrottle, &["Stall MIO Throttle"], &["smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"]),
    stall(Q::StallMisc, &["Stall Misc"], &["smsp__average_warps_issue_stalled_misc_per_issue_active.ratio"]),
    stall(Q::StallNoInstruction, &["Stall No Instruction"], &["smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio"]),
    stall(Q::StallNotSelected, &["Stall Not Selected"], &["smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"]),
    stall(Q::StallSelected, &["Selected"], &["smsp__average_warps_issue_stalled_selected_per_issue_active.ratio"]),
    stall(
        Q::StallShortScoreboard,
        &["Stall Short Scoreboard"],
        &["smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"],
    ),
    stall(Q::StallSleeping, &["Stall Sleeping"], &["smsp__average_warps_issue_stalled_sleeping_per_issue_active.ratio"]),
    stall(Q::StallTexThrottle, &["Stall Tex Throttle"], &["smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio"]),
    stall(Q::StallWait, &["Stall Wait"], &["smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"]),
    attribute(Q::ComputeCapabilityMajor, Count, &["device__attribute_compute_capability_major"]),
    attribute(Q::ComputeCapabilityMinor, Count, &["device__attribute_compute_capability_minor"]),
    attribute(Q::DeviceNumSms, Count, &["device__attribute_multiprocessor_count"]),
    attribute(Q::DeviceMaxWarps, Count, &["device__attribute_max_warps_per_multiprocessor"]),
    attribute(Q::DeviceMaxThreads, Count, &["device__attribute_max_threads_per_multiprocessor"]),
    attribute(Q::DeviceMaxBlocks, Count, &["device__attribute_max_blocks_per_multiprocessor", "device__attribute_limits_max_cta_per_sm"]),
    attribute(Q::DeviceRegisters, Count, &["device__attribute_max_registers_per_multiprocessor"]),
    attribute(Q::DeviceSmem, ConfiguredBytes, &["device__attribute_max_shared_memory_per_multiprocessor"]),
    attribute(Q::DeviceOptinSmem, ConfiguredBytes, &["device__attribute_max_shared_memory_per_block_optin"]),
    attribute(Q::DeviceReservedSmem, ConfiguredBytes, &["device__attribute_reserved_shared_memory_per_block"]),
];

/// Which reason each stall quantity is about.
pub(super) const STALLS: [(Quantity, StallReason); 19] = [
    (Q::StallBarrier, StallReason::Barrier),
    (Q::StallBranchResolving, StallReason::BranchResolving),
    (Q::StallDispatchStall, StallReason::DispatchStall),
    (Q::StallDrain, StallReason::Drain),
    (Q::StallGmma, StallReason::Gmma),
    (Q::StallImcMiss, StallReason::ImcMiss),
    (Q::StallLgThrottle, StallReason::LgThrottle),
    (Q::StallLongScoreboard, StallReason::LongScoreboard),
    (Q::StallMathPipeThrottle, StallReason::MathPipeThrottle),
    (Q::StallMembar, StallReason::Membar),
    (Q::StallMioThrottle, StallReason::MioThrottle),
    (Q::StallMisc, StallReason::Misc),
    (Q::StallNoInstruction, StallReason::NoInstruction),
    (Q::StallNotSelected, StallReason::NotSelected),
    (Q::StallSelected, StallReason::Selected),
    (Q::StallShortScoreboard, StallReason::ShortScoreboard),
    (Q::StallSleeping, StallReason::Sleeping),
    (Q::StallTexThrottle, StallReason::TexThrottle),
    (Q::StallWait, StallReason::Wait),
];

/// The metric that holds the product name; the only text among the metrics that is kept.
pub(super) const DEVICE_NAME_METRIC: &[u8] = b"device__attribute_display_name";

/// A name that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Metric {
    pub quantity: Quantity,
    pub measure: Measure,
    /// 0 for a label and for today's metric name; the older names come after it and give way to it.
    pub rank: u8,
    section: Option<&'static str>,
}

impl Metric {
    /// The same kind of number for another quantity: the range next to an average.
    pub(super) const fn for_quantity(self, quantity: Quantity) -> Self {
        Self { quantity, ..self }
    }

    /// Whether a row of this section is about it.
    pub(super) fn belongs_in(self, section: &[u8]) -> bool {
        self.section.is_none_or(|prefix| section.starts_with(prefix.as_bytes()))
    }
}

type Bucket = Vec<(&'static [u8], Metric)>;

/// All names by their length: at most a handful share one.
static BY_LENGTH: LazyLock<Vec<Bucket>> = LazyLock::new(|| {
    let mut buckets: Vec<Bucket> = Vec::new();
    for row in TABLE {
        let labels = row.labels.iter().map(|label| (label, row.section, 0));
        let metrics = row.metrics.iter().zip(0..).map(|(metric, rank)| (metric, None, rank));
        for (name, section, rank) in labels.chain(metrics) {
            if buckets.len() <= name.len() {
                buckets.resize(name.len() + 1, Vec::new());
            }
            buckets[name.len()].push((name.as_bytes(), Metric { quantity: row.quantity, measure: row.measure, rank, section }));
        }
    }
    buckets
});

/// The quantity with this label or metric name, or none.
pub(super) fn find(name: &[u8]) -> Option<Metric> {
    BY_LENGTH.get(name.len())?.iter().find(|(known, _)| *known == name).map(|(_, metric)| *metric)
}

/// As [`find`], and also takes a label and a metric name in one cell, as `--print-metric-name label-name` writes them.
pub(super) fn find_in_cell(cell: &[u8]) -> Option<Metric> {
    find(cell).or_else(|| metric_name_in(cell).and_then(find))
}

/// The word with a double underscore, which every metric name has and no label does.
fn metric_name_in(cell: &[u8]) -> Option<&[u8]> {
    // Most cells are labels, and labels have no underscore.
    memchr::memchr(b'_', cell)?;
    let is_break = |byte: &u8| matches!(byte, b' ' | b'(' | b')' | b'[' | b']' | b',' | b':');
    if !cell.iter().any(is_break) {
        return None;
    }
    cell.split(is_break).find(|word| word.windows(2).any(|pair| pair == b"__"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_metric_names_find_the_same_quantity() {
        for row in TABLE {
            for name in row.labels.iter().chain(row.metrics) {
                assert_eq!(find(name.as_bytes()).map(|metric| metric.quantity), Some(row.quantity), "{name}");
            }
        }
        assert_eq!(find(b"dram__bytes.sum"), None);
        assert_eq!(find(b""), None);
    }

    #[test]
    fn a_label_with_its_metric_name_is_found() {
        for cell in ["Registers Per Thread (launch__registers_per_thread)", "Registers Per Thread launch__registers_per_thread"] {
            assert_eq!(find_in_cell(cell.as_bytes()).map(|metric| metric.quantity), Some(Quantity::RegistersPerThread), "{cell}");
        }
        assert_eq!(find_in_cell(b"SM_A.TriageAC.sm__cycles_active.avg [cycle]"), None);
    }

    #[test]
    fn memory_throughput_is_a_percentage_only_in_its_section() {
        let metric = find(b"Memory Throughput").unwrap();
        assert!(metric.belongs_in(b"GPU Speed Of Light Throughput"));
        assert!(!metric.belongs_in(b"Memory Workload Analysis"));
    }
}
