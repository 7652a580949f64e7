//! What the kernels screen shows: rows, sorted and filtered, and the same kernels as points on a heatmap.

use std::sync::Arc;

use crate::arch::{Arch, ComputeCapability};
use crate::engine::Gap;
use crate::gui::views::heatmap::{KernelPoint, KernelPoints};
use crate::import::Kernel;
use crate::import::account::Account;
use crate::session::{KernelRef, Session};

/// What the table can be sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Column {
    /// The order of the report.
    #[default]
    Order,
    Name,
    Duration,
    Block,
    Registers,
    SharedMemory,
    Blocks,
    Theoretical,
    Achieved,
    Gap,
    Waves,
}

/// Sorting and filtering.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    pub column: Column,
    pub descending: bool,
    pub filter: String,
}

impl Order {
    /// A click on a heading: sort by it, or turn the order around.
    pub fn toggle(&mut self, column: Column) {
        self.descending = if self.column == column { !self.descending } else { !matches!(column, Column::Order | Column::Name) };
        self.column = column;
    }
}

/// The kernels that fit the filter, in order. Kernels without a value come last, whatever the direction.
pub fn ordered(session: &Session, order: &Order) -> Vec<KernelRef> {
    let filter = order.filter.trim().to_lowercase();
    let fits = |kernel: &Kernel| filter.is_empty() || kernel.name.to_lowercase().contains(&filter);
    let mut rows: Vec<(KernelRef, &Kernel, &Account)> = session.document().kernels().filter(|(_, kernel, _)| fits(kernel)).collect();
    match order.column {
        Column::Order if order.descending => rows.reverse(),
        Column::Order => {}
        Column::Name => {
            rows.sort_by(|a, b| a.1.name.cmp(&b.1.name));
            if order.descending {
                rows.reverse();
            }
        }
        column => rows.sort_by(|a, b| compare(key(column, a.1, a.2), key(column, b.1, b.2), order.descending)),
    }
    rows.into_iter().map(|(at, ..)| at).collect()
}

fn compare(a: Option<f64>, b: Option<f64>, descending: bool) -> std::cmp::Ordering {
    match (a, b) {
        (Some(a), Some(b)) if descending => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "an order of sizes")]
fn key(column: Column, kernel: &Kernel, account: &Account) -> Option<f64> {
    match column {
        Column::Order | Column::Name => None,
        Column::Duration => kernel.measured.duration_ns.map(|read| read.value),
        Column::Block => kernel.threads_per_block().map(|read| read.value as f64),
        Column::Registers => kernel.registers_per_thread.map(|read| read.value.into()),
        Column::SharedMemory => smem(kernel).map(|bytes| bytes as f64),
        Column::Blocks => account.blocks_per_sm.map(f64::from),
        Column::Theoretical => account.theoretical_percent,
        Column::Achieved => account.achieved_percent,
        Column::Gap => account.gap.as_ref().map(|gap| gap.theoretical - gap.achieved),
        Column::Waves => account.waves.as_ref().map(crate::engine::Waves::waves),
    }
}

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
    let here = |account: &Account| account.arch.as_ref().is_some_and(|other| other.compute_capability == arch.compute_capability);
    let kernels = session.document().kernels().filter(|(_, _, account)| here(account));
    kernels.filter_map(|(at, kernel, account)| Some((at, point(kernel, account)?))).unzip()
}

fn point(kernel: &Kernel, account: &Account) -> Option<KernelPoint> {
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
    })
}

/// Threads of a block; 0 for a compiled kernel, whose block a launch has yet to choose.
fn threads(kernel: &Kernel) -> Option<u32> {
    match kernel.threads_per_block() {
        Some(read) => u32::try_from(read.value).ok(),
        None => kernel.compiled.as_ref().map(|_| 0),
    }
}

/// A kernel in one sentence, for tooltips and screen readers.
pub fn row_in_words(kernel: &Kernel, account: &Account) -> String {
    let percent = |value: Option<f64>, name: &str| {
        value.map_or_else(|| format!("no {name} value in this report"), |value| format!("{name} {} %", crate::fmt::one_decimal(value)))
    };
    format!("{}\n{}, {}", kernel.name, percent(account.theoretical_percent, "theoretical"), percent(account.achieved_percent, "achieved"))
}
