//! Imported reports as the object that scripts read. A value that a report does not have is null.

use serde::Serialize;

use super::ImportedFile;
use crate::engine::activity::SmActivity;
use crate::engine::{Gap, Resource};
use crate::export::OccupancyJson;
use crate::import::account::said::{dominant_stall, said};
use crate::import::account::{Account, Difference, reported_limit};
use crate::import::stalls::StallReason;
use crate::import::{Compiled, Kernel, Note, Read};
use crate::units::Dim3;

#[derive(Debug, Serialize)]
pub(super) struct FilesJson<'f> {
    files: Vec<FileJson<'f>>,
}

#[derive(Debug, Serialize)]
struct FileJson<'f> {
    path: &'f str,
    format: Option<&'f str>,
    tool_version: Option<&'f str>,
    notes: &'f [Note],
    kernels: Vec<KernelJson<'f>>,
}

#[derive(Debug, Serialize)]
struct KernelJson<'f> {
    id: Option<u64>,
    process_id: Option<u64>,
    name: &'f str,
    compute_capability: Option<String>,
    device_name: Option<&'f str>,
    num_sms: Option<u32>,
    block: Option<[u32; 3]>,
    block_threads: Option<u64>,
    grid: Option<[u32; 3]>,
    grid_blocks: Option<u64>,
    registers_per_thread: Option<u32>,
    static_smem_bytes: Option<u64>,
    dynamic_smem_bytes: Option<u64>,
    driver_smem_bytes: Option<u64>,
    smem_config_bytes: Option<u64>,
    reported: ReportedJson,
    computed: Option<OccupancyJson>,
    /// What the report lacks to compute it.
    computed_missing: Vec<String>,
    gap: Option<GapJson>,
    /// How long the SMs were active, and what their idling costs beyond the gap; null without their cycles.
    activity: Option<ActivityJson>,
    dominant_stall: Option<StallJson>,
    clusters: ClustersJson,
    /// What the profiler's own rules say in numbers.
    profiler_says: Vec<SaidJson>,
    differences: Vec<DifferenceJson>,
    remarks: &'f [String],
    barriers: Option<u32>,
    /// What a compiler says besides; null for a kernel that was profiled.
    compiled: Option<CompiledJson<'f>>,
}

#[derive(Debug, Serialize)]
struct CompiledJson<'f> {
    mangled_name: &'f str,
    spill_store_bytes: Option<u64>,
    spill_load_bytes: Option<u64>,
    stack_bytes: Option<u64>,
    max_threads_per_block: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ReportedJson {
    limits: ReportedLimitsJson,
    theoretical_occupancy_percent: Option<f64>,
    achieved_occupancy_percent: Option<f64>,
    waves_per_sm: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ReportedLimitsJson {
    warps: Option<u32>,
    blocks: Option<u32>,
    registers: Option<u32>,
    shared_memory: Option<u32>,
    barriers: Option<u32>,
}

/// Percentage points.
#[derive(Debug, Serialize)]
struct GapJson {
    theoretical: f64,
    grid_limited: Option<f64>,
    achieved: f64,
    unfilled: f64,
    tail_up_to: f64,
    other: f64,
}

/// Percent of the kernel's time, and percentage points of occupancy.
#[derive(Debug, Serialize)]
struct ActivityJson {
    average_percent: f64,
    least_percent: Option<f64>,
    most_percent: Option<f64>,
    /// Null without an achieved value, as the two that follow.
    achieved_per_elapsed: Option<f64>,
    imbalance: Option<f64>,
    launch_and_drain: Option<f64>,
}

#[derive(Debug, Serialize)]
struct StallJson {
    reason: Option<StallReason>,
    share_percent: f64,
}

#[derive(Debug, Serialize)]
struct ClustersJson {
    size: Option<u32>,
    max_active: Option<u32>,
    max_size: Option<u32>,
    occupancy_percent: Option<f64>,
    gpu_occupancy_percent: Option<f64>,
}

#[derive(Debug, Serialize)]
struct SaidJson {
    sentence: String,
    /// Whether the numbers are those computed here; null where there are none.
    agrees: Option<bool>,
}

#[derive(Debug, Serialize)]
struct DifferenceJson {
    /// A limit by its key, or the name of the number.
    of: &'static str,
    reported: f64,
    computed: Option<f64>,
    explained: bool,
    message: String,
}

pub(super) fn files(files: &[ImportedFile]) -> FilesJson<'_> {
    FilesJson { files: files.iter().map(file).collect() }
}

fn file(file: &ImportedFile) -> FileJson<'_> {
    FileJson {
        path: &file.path,
        format: file.format.as_deref(),
        tool_version: file.tool_version.as_deref(),
        notes: &file.notes,
        kernels: file.kernels.iter().map(|(kernel, account)| self::kernel(kernel, account)).collect(),
    }
}

fn value<T>(read: Option<Read<T>>) -> Option<T> {
    read.map(|read| read.value)
}

fn extents(shape: Option<Read<Dim3>>) -> Option<[u32; 3]> {
    value(shape).map(|shape| [shape.x, shape.y, shape.z])
}

fn kernel<'f>(kernel: &'f Kernel, account: &'f Account) -> KernelJson<'f> {
    KernelJson {
        id: kernel.id,
        process_id: kernel.process_id,
        name: &kernel.name,
        compute_capability: value(kernel.compute_capability).map(|cc| cc.to_string()),
        device_name: kernel.device_name.as_ref().map(|name| name.value.as_str()),
        num_sms: value(kernel.num_sms).or_else(|| value(kernel.device.num_sms)),
        block: extents(kernel.block),
        block_threads: value(kernel.threads_per_block()),
        grid: extents(kernel.grid),
        grid_blocks: value(kernel.num_blocks()),
        registers_per_thread: value(kernel.registers_per_thread),
        static_smem_bytes: value(kernel.static_smem_bytes),
        dynamic_smem_bytes: value(kernel.dynamic_smem_bytes),
        driver_smem_bytes: value(kernel.driver_smem_bytes),
        smem_config_bytes: value(kernel.smem_config_bytes),
        reported: reported(kernel),
        computed: computed(account),
        computed_missing: account.missing.iter().map(ToString::to_string).collect(),
        gap: account.gap.as_ref().map(gap),
        activity: account.activity.as_ref().map(|measured| activity(measured, account.achieved_percent)),
        dominant_stall: dominant_stall(kernel).map(|stall| StallJson { reason: stall.reason, share_percent: stall.share_percent }),
        clusters: clusters(kernel),
        profiler_says: said(kernel, account).into_iter().map(|said| SaidJson { sentence: said.sentence, agrees: said.agrees }).collect(),
        differences: account.differences.iter().map(difference).collect(),
        remarks: &account.notes,
        barriers: value(kernel.barriers),
        compiled: kernel.compiled.as_ref().map(compiled),
    }
}

fn compiled(compiled: &Compiled) -> CompiledJson<'_> {
    CompiledJson {
        mangled_name: &compiled.mangled_name,
        spill_store_bytes: value(compiled.spill_store_bytes),
        spill_load_bytes: value(compiled.spill_load_bytes),
        stack_bytes: value(compiled.stack_bytes),
        max_threads_per_block: value(compiled.max_threads_per_block),
    }
}

fn reported(kernel: &Kernel) -> ReportedJson {
    let limit = |resource| reported_limit(kernel, resource);
    ReportedJson {
        limits: ReportedLimitsJson {
            warps: limit(Resource::Warps),
            blocks: limit(Resource::Blocks),
            registers: limit(Resource::Registers),
            shared_memory: limit(Resource::SharedMemory),
            barriers: limit(Resource::Barriers),
        },
        theoretical_occupancy_percent: value(kernel.reported.theoretical_occupancy_percent),
        achieved_occupancy_percent: value(kernel.reported.achieved_occupancy_percent),
        waves_per_sm: value(kernel.reported.waves_per_sm),
    }
}

fn computed(account: &Account) -> Option<OccupancyJson> {
    let (arch, launch, occupancy) = account.computed()?;
    let gpu = account.gpu.as_ref().map(|gpu| gpu.name.as_str());
    Some(OccupancyJson::new(arch, gpu, launch, occupancy, account.num_sms, account.waves.as_ref()))
}

fn gap(gap: &Gap) -> GapJson {
    let Gap { theoretical, grid_limited, achieved, unfilled, tail_up_to, other } = *gap;
    GapJson { theoretical, grid_limited, achieved, unfilled, tail_up_to, other }
}

fn activity(activity: &SmActivity, achieved: Option<f64>) -> ActivityJson {
    let range = activity.range_percent();
    let loss = achieved.map(|achieved| activity.loss(achieved));
    ActivityJson {
        average_percent: activity.average_percent(),
        least_percent: range.map(|(least, _)| least),
        most_percent: range.map(|(_, most)| most),
        achieved_per_elapsed: loss.map(|loss| loss.over_elapsed),
        imbalance: loss.and_then(|loss| loss.imbalance),
        launch_and_drain: loss.map(|loss| loss.launch_and_drain),
    }
}

fn clusters(kernel: &Kernel) -> ClustersJson {
    let said = &kernel.reported;
    ClustersJson {
        size: value(kernel.cluster_size),
        max_active: value(said.max_active_clusters),
        max_size: value(said.max_cluster_size),
        occupancy_percent: value(said.cluster_occupancy_percent),
        gpu_occupancy_percent: value(said.cluster_gpu_occupancy_percent),
    }
}

fn difference(difference: &Difference) -> DifferenceJson {
    DifferenceJson {
        of: difference.subject.key(),
        reported: difference.reported,
        computed: difference.computed,
        explained: difference.is_explained(),
        message: difference.sentence(),
    }
}
