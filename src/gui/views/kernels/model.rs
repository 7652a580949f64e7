//! What the kernels screen shows of a kernel, and the kernels as points on a heatmap.

use std::sync::Arc;

use super::paint::file_letter;
use crate::arch::{Arch, ComputeCapability};
use crate::engine::Gap;
use crate::gui::views::heatmap::{KernelPoint, KernelPoints};
use crate::import::Kernel;
use crate::import::account::Account;
use crate::session::{KernelRef, Session};

/// Static and dynamic shared memory; none when the report has neither.
pub fn smem(kernel: &Kernel) -> Option<u64> {
    match (kernel.static_smem_bytes, kernel.dynamic_smem_bytes) {
        (None, None) => None,
        (fixed, dynamic) => Some(fixed.map_or(0, |read| read.value).saturating_add(dynamic.map_or(0, |read| read.value))),
    }
}

/// "up to 4.6", "unfilled", "none".
pub fn tail_text(gap: Option<&Gap>) -> String {
    match gap {
        None => "–".to_owned(),
        Some(gap) if gap.unfilled > 0.0 => "unfilled".to_owned(),
        Some(gap) if gap.tail_up_to > 0.0 => crate::fmt::one_decimal(gap.tail_up_to),
        Some(_) => "none".to_owned(),
    }
}

/// Kernels as points of a heatmap, kept from frame to frame: a report can have 100,000.
#[derive(Debug, Default)]
pub struct Points {
    pub refs: Vec<KernelRef>,
    pub points: KernelPoints,
    /// What they were made from: the reports by address and the GPU.
    made_from: Option<(Vec<usize>, ComputeCapability)>,
}

impl Points {
    /// The kernels that ran on `arch`.
    pub fn update(&mut self, session: &Session, arch: &Arch) {
        let key = (report_addresses(session), arch.compute_capability);
        if self.made_from.as_ref() != Some(&key) {
            let (refs, points) = points(session, arch);
            (self.refs, self.points) = (refs, KernelPoints::new(points));
            self.made_from = Some(key);
        }
    }

    /// The selected kernel's index.
    pub fn selected(&self, session: &Session) -> Option<usize> {
        session.document().selected.and_then(|at| self.refs.binary_search(&at).ok())
    }
}

/// Which readings are open; a report that is read anew has another address.
pub fn report_addresses(session: &Session) -> Vec<usize> {
    session.document().reports.iter().map(|report| Arc::as_ptr(report) as usize).collect()
}

fn points(session: &Session, arch: &Arch) -> (Vec<KernelRef>, Vec<KernelPoint>) {
    let kernels = session.document().kernels().filter(|(_, _, account)| ran_on(account, arch));
    // Where several files are open, names and marks say which.
    let is_lettered = session.document().reports.len() > 1;
    let named = |at: KernelRef, mut point: KernelPoint| {
        if is_lettered {
            point.file = Some(at.report);
            point.name = format!("{} · {}", file_letter(at.report), point.name);
        }
        point
    };
    kernels.filter_map(|(at, kernel, account)| Some((at, named(at, point(kernel, account)?)))).unzip()
}

/// Whether a kernel ran on a GPU with these facts.
pub fn ran_on(account: &Account, arch: &Arch) -> bool {
    account.arch.as_ref().is_some_and(|other| other.compute_capability == arch.compute_capability)
}

/// A kernel as a mark on the heatmap; none without registers or, unless it is only compiled, without a block.
pub fn point(kernel: &Kernel, account: &Account) -> Option<KernelPoint> {
    let smem_bytes = smem(kernel).unwrap_or(0);
    let gap = account.gap.as_ref();
    Some(KernelPoint {
        name: kernel.name.clone(),
        registers: kernel.registers_per_thread?.value,
        threads: threads(kernel)?,
        theoretical_percent: account.theoretical_percent,
        achieved_percent: account.achieved_percent,
        grid_limited_percent: account.waves.as_ref().map(crate::engine::Waves::grid_limited_percent),
        unfilled_points: gap.map_or(0.0, |gap| gap.unfilled),
        tail_points: gap.map_or(0.0, |gap| gap.tail_up_to),
        smem_bytes,
        duration_ns: kernel.measured.duration_ns.map(|read| read.value),
        file: None,
    })
}

/// Threads of a block; 0 for a compiled kernel, whose block a launch has yet to choose.
fn threads(kernel: &Kernel) -> Option<u32> {
    match kernel.threads_per_block() {
        Some(read) => u32::try_from(read.value).ok(),
        None => kernel.compiled.as_ref().map(|_| 0),
    }
}
