//! What a profiler report says, whatever file it came from: one [`Kernel`] per launch, and notes about the rest.
//!
//! In: plain data. Not in: how each file shape is read (the sibling modules), and what the numbers mean for occupancy.
//! A value that the report does not have is `None`, never 0; a 0 in here was printed as 0.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::numbers::DecimalMark;
use super::position::Position;
use super::stalls::Stalls;
use crate::arch::ComputeCapability;
use crate::units::Dim3;

/// A whole report: the launches or the compiled kernels it holds, in the order of the file, and everything worth saying about the reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub format: Format,
    /// The profiler's version, "2025.2.1.0". Tables do not carry it.
    pub tool_version: Option<String>,
    pub notes: Vec<Note>,
    /// How a text's numbers were read, where that was not plain or was told.
    #[serde(default)]
    pub decimal: Option<Decimal>,
    pub kernels: Vec<Kernel>,
}

/// The decimal mark that a file was read with, where it could have been the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decimal {
    pub mark: DecimalMark,
    /// By whoever opened the file; else found out.
    pub is_told: bool,
    /// What was seen: "nothing in the file settles its decimal mark; …".
    pub evidence: String,
}

/// The shape of a report that could be read: a profiler's, or what a compiler made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// One row per metric: the details page, or `--metrics`.
    Details,
    /// One row per launch, one column per metric: the raw page.
    Raw,
    /// One row per kernel, launch shape and metric: `--print-summary`.
    Summary,
    /// One row per metric, one column per launch: what the profiler's own window exports.
    GuiExport,
    /// The profiler's own binary report.
    NcuRep,
    /// What the compiler prints with `-Xptxas -v` or `--resource-usage`, alone or in a build log.
    Ptxas,
    /// What `cuobjdump --dump-resource-usage` prints.
    ResourceUsage,
    /// Compiled code: a cubin, a fat binary, or a program or library with one inside.
    Cubin,
}

impl Format {
    /// A short name for scripts; the same as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Details => "details",
            Self::Raw => "raw",
            Self::Summary => "summary",
            Self::GuiExport => "gui-export",
            Self::NcuRep => "ncu-rep",
            Self::Ptxas => "ptxas",
            Self::ResourceUsage => "resource-usage",
            Self::Cubin => "cubin",
        }
    }

    /// The name people know it by.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Details => "Nsight Compute details page",
            Self::Raw => "Nsight Compute raw page",
            Self::Summary => "Nsight Compute summary",
            Self::GuiExport => "Nsight Compute raw page, exported from its window",
            Self::NcuRep => "Nsight Compute report",
            Self::Ptxas => "compiler output (ptxas -v)",
            Self::ResourceUsage => "cuobjdump resource usage",
            Self::Cubin => "compiled code",
        }
    }
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Nothing is wrong; it is said so that nothing is dropped in silence.
    Info,
    /// Something was left out or had to be decided; the rest can be trusted.
    Warning,
    /// The report itself says that something failed.
    Error,
}

/// One thing to tell the reader of a report about how it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The line of the file, from 1. None when the note is about the whole file, and in a binary file, whose notes name the
    /// byte in their message.
    pub line: Option<u64>,
    /// The cell of that line, from 1, as a spreadsheet counts columns.
    pub column: Option<u64>,
    pub severity: Severity,
    pub message: String,
}

/// A value and where it was read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Read<T> {
    pub value: T,
    pub at: Position,
    /// The cell had a scaled unit ("73.73 Kbyte") and does not settle the value: this is the likeliest one.
    pub rounded: bool,
}

impl<T> Read<T> {
    /// A value that the cell states fully.
    pub const fn exact(value: T, at: Position) -> Self {
        Self { value, at, rounded: false }
    }

    /// The same place and certainty with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Read<U> {
        Read { value: change(self.value), at: self.at, rounded: self.rounded }
    }
}

/// One launch of a kernel as a profiler saw it; in a summary, all launches of one kernel with one shape; in what a compiler made,
/// a kernel for one GPU.
///
/// A launch is known by process and ID together: IDs start anew in every process, may have gaps, and names repeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The launch's number in its report. A summary has none.
    pub id: Option<u64>,
    pub process_id: Option<u64>,
    /// The name as the file has it: a bare function name or a demangled one.
    pub name: String,
    /// The first cell of the first row about this kernel; in a binary file the beginning of its result.
    pub at: Position,

    pub compute_capability: Option<Read<ComputeCapability>>,
    /// The product name. Only the raw page has it.
    pub device_name: Option<Read<String>>,
    pub device_index: Option<Read<u32>>,
    /// SMs that this launch could use: all of the GPU, or fewer in a green context.
    pub num_sms: Option<Read<u32>>,

    /// Block shape in threads. See [`Kernel::threads_per_block`] for the count.
    pub block: Option<Read<Dim3>>,
    /// Threads of a block as the metric gives them, without the shape.
    pub block_threads: Option<Read<u32>>,
    /// Grid shape in blocks. See [`Kernel::num_blocks`] for the count.
    pub grid: Option<Read<Dim3>>,
    /// Blocks of the grid as the metric gives them, without the shape.
    pub grid_blocks: Option<Read<u64>>,
    pub registers_per_thread: Option<Read<u32>>,
    pub static_smem_bytes: Option<Read<u64>>,
    pub dynamic_smem_bytes: Option<Read<u64>>,
    /// What the driver sets aside in every block: 1,024 from compute capability 8.0 on.
    pub driver_smem_bytes: Option<Read<u64>>,
    /// The size that the SM's shared memory was configured to.
    pub smem_config_bytes: Option<Read<u64>>,
    /// Hardware barriers of a block.
    pub barriers: Option<Read<u32>>,
    /// Blocks in a cluster; 0 when the launch had no clusters.
    pub cluster_size: Option<Read<u32>>,

    /// What the profiler says about occupancy.
    pub reported: Reported,
    /// What the profiler measured besides.
    pub measured: Measured,
    /// What the raw page says about the GPU.
    pub device: Device,
    /// The profiler's own advice, in its words.
    pub rules: Vec<Rule>,
    /// How many launches a summary row stands for.
    pub invocations: Option<Read<u64>>,
    /// What only the compiler says. None in a profiler's report.
    pub compiled: Option<Compiled>,
}

impl Kernel {
    /// Threads of a block: the product of its shape, or the metric where there is no shape.
    pub fn threads_per_block(&self) -> Option<Read<u64>> {
        self.block.map(|shape| shape.map(Dim3::count)).or_else(|| self.block_threads.map(|threads| threads.map(u64::from)))
    }

    /// Blocks of the grid: the product of its shape, or the metric where there is no shape.
    pub fn num_blocks(&self) -> Option<Read<u64>> {
        self.grid.map(|shape| shape.map(Dim3::count)).or(self.grid_blocks)
    }
}

/// What the compiler says about a kernel besides its registers, shared memory and barriers.
///
/// A kernel that has this was compiled, not launched: it has no grid and no dynamic shared memory, and a block only where the
/// code can be launched with no other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Compiled {
    /// The name in the compiled code; the same as [`Kernel::name`] for a kernel that is `extern "C"`.
    pub mangled_name: String,
    /// Bytes per thread that the code writes to local memory because registers ran out. Only `ptxas -v` has it.
    pub spill_store_bytes: Option<Read<u64>>,
    /// Bytes per thread that it reads back.
    pub spill_load_bytes: Option<Read<u64>>,
    /// Stack frame of one thread in local memory: spilled registers, and arrays that have no place in registers.
    pub stack_bytes: Option<Read<u64>>,
    /// Threads of a block that the code can be launched with at most: the first number of `__launch_bounds__`. The second,
    /// blocks per SM, is nowhere in the compiler's output.
    pub max_threads_per_block: Option<Read<u64>>,
}

/// The profiler's own occupancy figures.
///
/// The limits are blocks per SM. From 2021 on, the one for shared memory is worked out from the *configured* size, so it can
/// be lower than what the GPU could hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    pub limit_warps: Option<Read<u32>>,
    /// Block slots of the SM.
    pub limit_blocks: Option<Read<u32>>,
    pub limit_registers: Option<Read<u32>>,
    pub limit_shared_memory: Option<Read<u32>>,
    pub limit_barriers: Option<Read<u32>>,
    /// 0 to 100.
    pub theoretical_occupancy_percent: Option<Read<f64>>,
    pub theoretical_warps_per_sm: Option<Read<f64>>,
    /// 0 to 100; can lie above the theoretical value by some hundredths. In a summary, the average over the launches.
    pub achieved_occupancy_percent: Option<Read<f64>>,
    /// The lowest of the launches, in a summary.
    pub achieved_occupancy_min_percent: Option<Read<f64>>,
    /// The highest of the launches, in a summary.
    pub achieved_occupancy_max_percent: Option<Read<f64>>,
    pub achieved_warps_per_sm: Option<Read<f64>>,
    /// The grid in units of what all SMs hold at once, as printed (two decimals in most files).
    pub waves_per_sm: Option<Read<f64>>,
    /// Clusters that the GPU can hold at once; 0 for a launch without clusters.
    pub max_active_clusters: Option<Read<u32>>,
    /// The largest cluster that the launch could have. Stated for a launch without clusters too.
    pub max_cluster_size: Option<Read<u32>>,
    /// As the profiler states it; 0 to 100, and 0 without clusters.
    pub cluster_occupancy_percent: Option<Read<f64>>,
    /// The profiler's occupancy of the whole GPU by clusters; 0 to 100, and 0 without clusters.
    pub cluster_gpu_occupancy_percent: Option<Read<f64>>,
}

/// Measurements of a launch.
///
/// The throughputs are percent of what the hardware can sustain; values above 100 occur and are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub duration_ns: Option<Read<f64>>,
    pub elapsed_cycles: Option<Read<f64>>,
    /// Cycles in which an SM had work, averaged over the SMs.
    pub sm_active_cycles_avg: Option<Read<f64>>,
    /// The same of the SM with the fewest; 0 when some SM had no block.
    pub sm_active_cycles_min: Option<Read<f64>>,
    pub sm_active_cycles_max: Option<Read<f64>>,
    pub compute_throughput_percent: Option<Read<f64>>,
    pub memory_throughput_percent: Option<Read<f64>>,
    pub dram_throughput_percent: Option<Read<f64>>,
    pub l1_throughput_percent: Option<Read<f64>>,
    pub l2_throughput_percent: Option<Read<f64>>,
    /// What warps waited for.
    #[serde(default, skip_serializing_if = "Stalls::is_empty")]
    pub stalls: Stalls,
}

/// Facts about the GPU that the raw page repeats with every launch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Device {
    pub num_sms: Option<Read<u32>>,
    pub max_warps_per_sm: Option<Read<u32>>,
    pub max_threads_per_sm: Option<Read<u32>>,
    pub max_blocks_per_sm: Option<Read<u32>>,
    pub registers_per_sm: Option<Read<u32>>,
    pub smem_per_sm_bytes: Option<Read<u64>>,
    pub optin_smem_per_block_bytes: Option<Read<u64>>,
    pub reserved_smem_per_block_bytes: Option<Read<u64>>,
}

/// One piece of the profiler's advice. To show, not to take numbers from.
///
/// Its words are shared: every launch of a report gets nearly the same advice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    pub at: Position,
    /// The section's identifier, "LaunchStats".
    pub section: Arc<str>,
    /// The rule's identifier, "TheoreticalOccupancy".
    pub name: Arc<str>,
    /// "OPT", "INF", "WRN" and the like.
    pub kind: Arc<str>,
    pub text: Arc<str>,
    pub estimated_speedup: Option<EstimatedSpeedup>,
}

/// What the profiler hopes for from following a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimatedSpeedup {
    pub percent: f64,
    /// "global" (of the kernel) or "local" (of the part that the rule is about).
    pub scope: Arc<str>,
}

#[cfg(test)]
impl Kernel {
    /// A launch of 10,000 blocks of 256 threads on compute capability 8.0, with its achieved occupancy, for tests.
    pub(crate) fn measured(name: &str, registers: u32, achieved: f64) -> Self {
        fn exact<T>(value: T) -> Read<T> {
            Read::exact(value, Position::default())
        }
        let mut kernel = Self {
            name: name.to_owned(),
            compute_capability: Some(exact(ComputeCapability::new(8, 0))),
            block: Some(exact(Dim3::linear(256))),
            grid: Some(exact(Dim3::linear(10_000))),
            registers_per_thread: Some(exact(registers)),
            static_smem_bytes: Some(exact(0)),
            dynamic_smem_bytes: Some(exact(0)),
            ..Self::default()
        };
        kernel.reported.achieved_occupancy_percent = Some(exact(achieved));
        kernel
    }
}
