//! The launch that a report describes.

use super::super::model::{Kernel, Read};
use super::{Missing, value};
use crate::engine::Launch;
use crate::units::Dim3;

/// The launch, or what the report lacks for it.
///
/// A launched kernel has opted in to what it uses, so the opt-in is on. The carve-out is left to the driver, who chooses one
/// that does not lower the occupancy; what the profiler makes of the configured size shows as a difference.
pub(super) fn launch(kernel: &Kernel) -> (Option<Launch>, Vec<Missing>) {
    let block = block(kernel);
    let registers = value(kernel.registers_per_thread);
    let (fixed, dynamic) = (value(kernel.static_smem_bytes), value(kernel.dynamic_smem_bytes));
    let needed = [
        (Missing::BlockSize, block.is_none()),
        (Missing::RegistersPerThread, registers.is_none()),
        (Missing::StaticSmem, fixed.is_none()),
        (Missing::DynamicSmem, dynamic.is_none()),
    ];
    let missing = needed.into_iter().filter(|(_, is_missing)| *is_missing).map(|(missing, _)| missing).collect();
    let launch = || {
        Some(Launch {
            block: block?,
            registers_per_thread: registers?,
            static_smem_bytes: fixed?,
            dynamic_smem_bytes: dynamic?,
            opt_in: true,
            barriers_per_block: value(kernel.barriers).unwrap_or(1),
            // The profiler writes 0 for a launch without clusters.
            cluster_size: value(kernel.cluster_size).unwrap_or(1).max(1),
            grid: grid(kernel),
            ..Launch::default()
        })
    };
    (launch(), missing)
}

/// The launch of a compiled kernel in blocks of a chosen shape, without dynamic shared memory. None where its registers or
/// static shared memory are not known, and for a kernel that a profiler saw: its launch is a fact.
pub fn launch_with_block(kernel: &Kernel, block: Dim3) -> Option<Launch> {
    kernel.compiled.as_ref()?;
    let chosen = |block| Read::exact(block, kernel.at);
    let mut assumed = Kernel { block: kernel.block.or(Some(chosen(block))), ..kernel.clone() };
    assumed.dynamic_smem_bytes = assumed.dynamic_smem_bytes.or(Some(Read::exact(0, kernel.at)));
    launch(&assumed).0
}

fn block(kernel: &Kernel) -> Option<Dim3> {
    value(kernel.block).or_else(|| value(kernel.block_threads).map(Dim3::linear))
}

fn grid(kernel: &Kernel) -> Option<Dim3> {
    value(kernel.grid).or_else(|| u32::try_from(value(kernel.grid_blocks)?).ok().map(Dim3::linear))
}
