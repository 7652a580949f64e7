//! Launches of one kernel with one shape as one group: by name and shape in a file, or as a comparison with a baseline has them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::document::{Document, KernelRef, OpenReport};
use crate::engine::Gap;
use crate::import::Kernel;
use crate::import::account::Account;
use crate::import::compare::{Aspect, Pair, compare_while};
use crate::units::Dim3;

/// Launches that are one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The same for the same kernel of the same file after another reading.
    pub key: u64,
    /// The longest launch, or the first where durations are not known: selecting the group selects it.
    pub stands_for: KernelRef,
    /// In the order of the file.
    pub members: Vec<KernelRef>,
    /// More than members where a summary counts several launches as one.
    pub launches: u64,
    /// The median; beside a baseline the mean.
    pub achieved_percent: Option<f64>,
    /// Of all launches together; none when one of them has none.
    pub duration_ns: Option<f64>,
    /// Of [`Self::achieved_percent`].
    pub gap: Option<Gap>,
    pub change: Option<Change>,
}

/// What became of a group since the baseline.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Changed(Box<Pair>),
    Same(Box<Pair>),
    New,
    /// Only the baseline has it.
    Gone,
}

impl Change {
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Changed(_) => "changed",
            Self::Same(_) => "same",
            Self::New => "new",
            Self::Gone => "gone",
        }
    }

    pub const fn is_same(&self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// Before and after; none for what is new or gone.
    pub const fn pair(&self) -> Option<&Pair> {
        match self {
            Self::Changed(pair) | Self::Same(pair) => Some(pair),
            Self::New | Self::Gone => None,
        }
    }

    /// Time moves by noise; in percent of before.
    pub fn duration_percent(&self) -> Option<f64> {
        let pair = self.pair()?;
        let (old, new) = (pair.old.duration_ns.filter(|ns| *ns > 0.0)?, pair.new.duration_ns?);
        Some((new - old) * 100.0 / old)
    }

    /// "registers 64 → 72, blocks per SM 4 → 3".
    pub fn in_words(&self) -> String {
        let Some(pair) = self.pair() else { return self.word().to_owned() };
        let parts: Vec<String> = pair.changes().into_iter().filter_map(|aspect| moved(aspect, pair)).collect();
        if parts.is_empty() { self.word().to_owned() } else { parts.join(", ") }
    }
}

fn moved(aspect: Aspect, pair: &Pair) -> Option<String> {
    let (old, new) = (&pair.old, &pair.new);
    let counts = |name: &str, old: Option<u64>, new: Option<u64>| {
        let text = |value: Option<u64>| value.map_or_else(|| "–".to_owned(), crate::fmt::grouped);
        Some(format!("{name} {} → {}", text(old), text(new)))
    };
    let percents = |name: &str, old: Option<f64>, new: Option<f64>| {
        let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), crate::fmt::percent);
        Some(format!("{name} {} → {}", text(old), text(new)))
    };
    let threads = |shape: Option<[u32; 3]>| shape.map(|shape| shape.into_iter().map(u64::from).product());
    match aspect {
        Aspect::Block => counts("block", threads(old.block), threads(new.block)),
        Aspect::Grid => counts("grid", threads(old.grid), threads(new.grid)),
        Aspect::Launches => counts("launches", Some(old.launches as u64), Some(new.launches as u64)),
        Aspect::RegistersPerThread => counts("registers", old.registers_per_thread.map(u64::from), new.registers_per_thread.map(u64::from)),
        Aspect::StaticSmem => counts("static shared bytes", old.static_smem_bytes, new.static_smem_bytes),
        Aspect::DynamicSmem => counts("dynamic shared bytes", old.dynamic_smem_bytes, new.dynamic_smem_bytes),
        Aspect::SpillStores => counts("bytes of spill stores", old.spill_store_bytes, new.spill_store_bytes),
        Aspect::SpillLoads => counts("bytes of spill loads", old.spill_load_bytes, new.spill_load_bytes),
        Aspect::LaunchBounds => counts("launch bounds", old.max_threads_per_block, new.max_threads_per_block),
        Aspect::BlocksPerSm => counts("blocks per SM", old.blocks_per_sm.map(u64::from), new.blocks_per_sm.map(u64::from)),
        Aspect::Limiters => Some(format!("stopped by {} → {}", old.limiters.joined_keys(), new.limiters.joined_keys())),
        Aspect::Theoretical => percents("theoretical", old.theoretical_percent, new.theoretical_percent),
        Aspect::Achieved => percents("achieved", old.achieved_percent, new.achieved_percent),
        Aspect::Duration => {
            let percent = Change::Changed(Box::new(pair.clone())).duration_percent()?;
            Some(format!("time {} %", crate::fmt::signed_points(percent)))
        }
    }
}

/// Everything that launches of one group have in common.
#[derive(PartialEq, Eq, Hash)]
struct Shape<'k> {
    file: usize,
    name: &'k str,
    block: Option<Dim3>,
    block_threads: Option<u64>,
    grid: Option<Dim3>,
    grid_blocks: Option<u64>,
    registers: Option<u32>,
    smem_bytes: (Option<u64>, Option<u64>),
    gpu: (Option<crate::arch::ComputeCapability>, Option<&'k str>),
}

impl<'k> Shape<'k> {
    fn new(file: usize, kernel: &'k Kernel) -> Self {
        Self {
            file,
            name: &kernel.name,
            block: kernel.block.map(|read| read.value),
            block_threads: kernel.threads_per_block().map(|read| read.value),
            grid: kernel.grid.map(|read| read.value),
            grid_blocks: kernel.num_blocks().map(|read| read.value),
            registers: kernel.registers_per_thread.map(|read| read.value),
            smem_bytes: (kernel.static_smem_bytes.map(|read| read.value), kernel.dynamic_smem_bytes.map(|read| read.value)),
            gpu: (kernel.compute_capability.map(|read| read.value), kernel.device_name.as_ref().map(|read| read.value.as_str())),
        }
    }
}

/// Files with their places in the list of open ones.
type Files<'a> = &'a [(usize, &'a OpenReport)];

/// The groups of all open files, in the order of their first launches.
pub fn by_shape(document: &Document) -> Vec<Group> {
    let mut places: HashMap<Shape<'_>, usize> = HashMap::new();
    let mut members: Vec<Vec<KernelRef>> = Vec::new();
    for (at, kernel, _) in document.kernels() {
        let place = *places.entry(Shape::new(at.report, kernel)).or_insert(members.len());
        if place == members.len() {
            members.push(Vec::new());
        }
        members[place].push(at);
    }
    let files: Vec<(usize, &OpenReport)> = document.reports.iter().map(Arc::as_ref).enumerate().collect();
    members.into_iter().map(|members| group(&files, members, None)).collect()
}

/// The groups of the file at `new` as they are beside the file at `old`, and at the end those that are gone.
///
/// `tell` hears now and then what part of the work is done, 0 to 1; none when it said to break off.
pub(super) fn compared(
    old: (usize, &OpenReport),
    new: (usize, &OpenReport),
    tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Option<Vec<Group>> {
    /// What the comparison takes of all the work; the rest is what follows.
    const COMPARING: f32 = 0.6;
    let comparison = compare_while(old.1.kernels(), new.1.kernels(), &mut |share| tell(share * COMPARING))?;
    let files = [old, new];
    let of = |report: usize, kernels: &[usize]| kernels.iter().map(|kernel| KernelRef { report, kernel: *kernel }).collect::<Vec<_>>();
    let in_new = comparison.pairs.into_iter().map(|pair| {
        let members = of(new.0, &pair.new.kernels);
        let is_same = !pair.is_changed();
        let pair = Box::new(pair);
        (members, if is_same { Change::Same(pair) } else { Change::Changed(pair) })
    });
    let in_new = in_new.chain(comparison.only_new.iter().map(|only| (of(new.0, &only.kernels), Change::New)));
    let mut all: Vec<(Vec<KernelRef>, Change)> = in_new.collect();
    all.sort_by_key(|(members, _)| members.first().copied());
    all.extend(comparison.only_old.iter().map(|only| (of(old.0, &only.kernels), Change::Gone)));
    let count = all.len();
    let mut groups = Vec::with_capacity(count);
    for (index, (members, change)) in all.into_iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        if index % 4096 == 0 && tell(COMPARING + (1.0 - COMPARING) * index as f32 / count as f32).is_break() {
            return None;
        }
        groups.push(group(&files, members, Some(change)));
    }
    Some(groups)
}

fn kernel(files: Files<'_>, at: KernelRef) -> Option<(&OpenReport, &Kernel, &Account)> {
    let (_, file) = files.iter().find(|(report, _)| *report == at.report)?;
    let read = file.content.as_ref().ok()?;
    Some((file, read.report.kernels.get(at.kernel)?, read.accounts.get(at.kernel)?))
}

fn group(files: Files<'_>, members: Vec<KernelRef>, change: Option<Change>) -> Group {
    let launches: Vec<(KernelRef, &Kernel, &Account)> =
        members.iter().filter_map(|at| kernel(files, *at).map(|(_, kernel, account)| (*at, kernel, account))).collect();
    let mut longest: Option<(KernelRef, f64)> = None;
    for (at, kernel, _) in &launches {
        let duration = kernel.measured.duration_ns.map_or(0.0, |read| read.value);
        if longest.is_none_or(|(_, other)| duration > other) {
            longest = Some((*at, duration));
        }
    }
    let stands_for = longest.map_or(KernelRef { report: 0, kernel: 0 }, |(at, _)| at);
    let achieved: Vec<f64> = launches.iter().filter_map(|(.., account)| account.achieved_percent).collect();
    let achieved_percent = match change.as_ref().and_then(Change::pair) {
        Some(pair) => pair.new.achieved_percent,
        None => median(achieved),
    };
    let durations: Option<f64> = launches.iter().map(|(_, kernel, _)| duration_ns(kernel)).sum();
    let theoretical = kernel(files, stands_for).and_then(|(.., account)| Some((account.theoretical_percent?, account.waves.as_ref())));
    Group {
        key: key(files, stands_for),
        stands_for,
        launches: launches.iter().map(|(_, kernel, _)| num_launches(kernel)).sum(),
        achieved_percent,
        duration_ns: durations,
        gap: theoretical.zip(achieved_percent).map(|((theoretical, waves), achieved)| Gap::new(theoretical, achieved, waves)),
        members,
        change,
    }
}

fn key(files: Files<'_>, at: KernelRef) -> u64 {
    let mut hasher = DefaultHasher::new();
    if let Some((open, kernel, _)) = kernel(files, at) {
        open.path.hash(&mut hasher);
        Shape::new(0, kernel).hash(&mut hasher);
    }
    hasher.finish()
}

/// One, or what a summary counts.
pub fn num_launches(kernel: &Kernel) -> u64 {
    kernel.invocations.map_or(1, |read| read.value)
}

/// Of all launches that this stands for; a summary has their average.
#[expect(clippy::cast_precision_loss, reason = "a time")]
pub fn duration_ns(kernel: &Kernel) -> Option<f64> {
    kernel.measured.duration_ns.map(|read| read.value * num_launches(kernel) as f64)
}

/// The middle value, or the mean of the two in the middle.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len().is_multiple_of(2) { f64::midpoint(values[middle - 1], upper) } else { upper })
}
