//! Two readings of one program, before and after: which kernels changed, and how.
//!
//! Launches of a file with the same name, compute capability, block, grid and dynamic shared memory are one [`Group`]. Groups of
//! the two files are matched by all of that first, then whatever the GPU, then by name and shape, at last by name alone; where a name leaves it open which group became
//! which, nothing is matched.
//!
//! Start with [`compare`].

use std::collections::HashMap;
use std::ops::ControlFlow;

use serde::Serialize;

use super::account::Account;
use super::{Compiled, Kernel, Read};
use crate::arch::ComputeCapability;
use crate::engine::ResourceSet;

/// Achieved occupancy that moves by less, in points, is taken for noise of the measurement.
pub const ACHIEVED_NOISE_POINTS: f64 = 1.0;
/// Time that changes by less is taken for noise.
pub const TIME_NOISE_PERCENT: f64 = 5.0;

/// Launches of one kernel with one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub name: String,
    pub compute_capability: Option<ComputeCapability>,
    /// Block and grid as x, y, z; none where the file has no shape.
    pub block: Option<[u32; 3]>,
    pub grid: Option<[u32; 3]>,
    pub launches: usize,
    /// The places of the launches in their file, in order.
    pub kernels: Vec<usize>,
    pub registers_per_thread: Option<u32>,
    pub static_smem_bytes: Option<u64>,
    pub dynamic_smem_bytes: Option<u64>,
    /// What a compiler says of registers that did not fit; none for a kernel that was profiled.
    pub spill_store_bytes: Option<u64>,
    pub spill_load_bytes: Option<u64>,
    /// What the code was compiled for at most; a profiler does not say it.
    pub max_threads_per_block: Option<u64>,
    pub blocks_per_sm: Option<u32>,
    pub limiters: ResourceSet,
    pub theoretical_percent: Option<f64>,
    /// The mean over the launches that have one.
    pub achieved_percent: Option<f64>,
    /// Of all launches together; none when one of them has none.
    pub duration_ns: Option<f64>,
}

/// A group before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub old: Group,
    pub new: Group,
}

/// What became of every kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// In the order of the old file.
    pub pairs: Vec<Pair>,
    pub only_old: Vec<Group>,
    pub only_new: Vec<Group>,
}

/// A value that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    Block,
    Grid,
    Launches,
    RegistersPerThread,
    StaticSmem,
    DynamicSmem,
    SpillStores,
    SpillLoads,
    LaunchBounds,
    BlocksPerSm,
    Limiters,
    Theoretical,
    Achieved,
    Duration,
}

impl Aspect {
    pub const ALL: [Self; 14] = [
        Self::Block,
        Self::Grid,
        Self::Launches,
        Self::RegistersPerThread,
        Self::StaticSmem,
        Self::DynamicSmem,
        Self::SpillStores,
        Self::SpillLoads,
        Self::LaunchBounds,
        Self::BlocksPerSm,
        Self::Limiters,
        Self::Theoretical,
        Self::Achieved,
        Self::Duration,
    ];
}

impl Pair {
    /// What differs between the two, beyond noise.
    pub fn changes(&self) -> Vec<Aspect> {
        Aspect::ALL.into_iter().filter(|aspect| self.has_changed(*aspect)).collect()
    }

    /// Whether anything differs, beyond noise.
    pub fn is_changed(&self) -> bool {
        Aspect::ALL.into_iter().any(|aspect| self.has_changed(aspect))
    }

    fn has_changed(&self, aspect: Aspect) -> bool {
        let (old, new) = (&self.old, &self.new);
        let moved = |old: Option<f64>, new: Option<f64>, noise: f64| match (old, new) {
            (Some(old), Some(new)) => (new - old).abs() >= noise,
            (old, new) => old.is_some() != new.is_some(),
        };
        match aspect {
            Aspect::Block => old.block != new.block,
            Aspect::Grid => old.grid != new.grid,
            Aspect::Launches => old.launches != new.launches,
            Aspect::RegistersPerThread => old.registers_per_thread != new.registers_per_thread,
            Aspect::StaticSmem => old.static_smem_bytes != new.static_smem_bytes,
            Aspect::DynamicSmem => old.dynamic_smem_bytes != new.dynamic_smem_bytes,
            Aspect::SpillStores => old.spill_store_bytes != new.spill_store_bytes,
            Aspect::SpillLoads => old.spill_load_bytes != new.spill_load_bytes,
            Aspect::LaunchBounds => old.max_threads_per_block != new.max_threads_per_block,
            Aspect::BlocksPerSm => old.blocks_per_sm != new.blocks_per_sm,
            Aspect::Limiters => old.limiters != new.limiters,
            // Reports print two decimals.
            Aspect::Theoretical => moved(old.theoretical_percent, new.theoretical_percent, 0.02),
            Aspect::Achieved => moved(old.achieved_percent, new.achieved_percent, ACHIEVED_NOISE_POINTS),
            Aspect::Duration => moved(old.duration_ns, new.duration_ns, old.duration_ns.unwrap_or(0.0) * TIME_NOISE_PERCENT / 100.0),
        }
    }

    /// The points of occupancy that were lost, the larger loss of theoretical and achieved; 0 when none was.
    pub fn lost_points(&self) -> f64 {
        let lost = |old: Option<f64>, new: Option<f64>| old.zip(new).map_or(0.0, |(old, new)| old - new);
        let theoretical = lost(self.old.theoretical_percent, self.new.theoretical_percent);
        theoretical.max(lost(self.old.achieved_percent, self.new.achieved_percent)).max(0.0)
    }
}

impl Comparison {
    /// The pairs that changed, the largest loss of occupancy first, then in the order of the old file.
    pub fn changed(&self) -> Vec<&Pair> {
        let mut changed: Vec<&Pair> = self.pairs.iter().filter(|pair| pair.is_changed()).collect();
        changed.sort_by(|one, other| other.lost_points().total_cmp(&one.lost_points()));
        changed
    }
}

/// Matches the kernels of an old reading with those of a new one.
pub fn compare<'k>(
    old: impl IntoIterator<Item = (&'k Kernel, &'k Account)>,
    new: impl IntoIterator<Item = (&'k Kernel, &'k Account)>,
) -> Comparison {
    compare_while(old, new, &mut |_| ControlFlow::Continue(())).unwrap_or_default()
}

/// What groups are matched by, the closest first.
const KEYS: [fn(&Group) -> Key<'_>; 5] = [
    Group::key,
    |group| Key { capability: None, ..group.key() },
    |group| Key { capability: None, dynamic_smem_bytes: None, ..group.key() },
    |group| Key { block: group.block, ..Key::of_name(&group.name) },
    |group| Key::of_name(&group.name),
];

/// [`compare`], of many kernels: `tell` hears now and then what part is done, 0 to 1; none when it said to break off.
pub fn compare_while<'k>(
    old: impl IntoIterator<Item = (&'k Kernel, &'k Account)>,
    new: impl IntoIterator<Item = (&'k Kernel, &'k Account)>,
    tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Option<Comparison> {
    let mut old: Vec<Option<Group>> = groups(old, &mut |share| tell(share * 0.35))?.into_iter().map(Some).collect();
    let mut new: Vec<Option<Group>> = groups(new, &mut |share| tell(0.35 + share * 0.35))?.into_iter().map(Some).collect();
    let mut matched = Vec::new();
    for (key, share) in KEYS.into_iter().zip([0.7, 0.8, 0.85, 0.9, 0.95]) {
        if tell(share).is_break() {
            return None;
        }
        matched.extend(match_by(&mut old, &mut new, key));
    }
    matched.sort_by_key(|(index, _)| *index);
    Some(Comparison {
        pairs: matched.into_iter().map(|(_, pair)| pair).collect(),
        only_old: old.into_iter().flatten().collect(),
        only_new: new.into_iter().flatten().collect(),
    })
}

/// What groups are told apart by. Where two are to be the same whatever one of it is, that is none in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key<'k> {
    name: &'k str,
    capability: Option<ComputeCapability>,
    block: Option<[u32; 3]>,
    grid: Option<[u32; 3]>,
    dynamic_smem_bytes: Option<u64>,
}

impl<'k> Key<'k> {
    const fn of_name(name: &'k str) -> Self {
        Self { name, capability: None, block: None, grid: None, dynamic_smem_bytes: None }
    }

    fn of(kernel: &'k Kernel) -> Self {
        Self {
            name: &kernel.name,
            capability: kernel.compute_capability.map(|read| read.value),
            block: block(kernel),
            grid: grid(kernel),
            dynamic_smem_bytes: kernel.dynamic_smem_bytes.map(|read| read.value),
        }
    }
}

impl Group {
    fn key(&self) -> Key<'_> {
        let Self { name, block, grid, dynamic_smem_bytes, .. } = self;
        Key { name, capability: self.compute_capability, block: *block, grid: *grid, dynamic_smem_bytes: *dynamic_smem_bytes }
    }
}

/// Takes out the groups whose key is the only one of its kind on either side, each with its place in `old`.
fn match_by(old: &mut [Option<Group>], new: &mut [Option<Group>], key: fn(&Group) -> Key<'_>) -> Vec<(usize, Pair)> {
    let single: Vec<(usize, usize)> = {
        let (old_places, new_places) = (places(old, key), places(new, key));
        let both = old_places.into_iter().map(|(key, from)| (from, new_places.get(&key).copied().flatten()));
        both.filter_map(|(from, to)| from.zip(to)).collect()
    };
    let take = |(from, to): (usize, usize)| Some((from, Pair { old: old[from].take()?, new: new[to].take()? }));
    single.into_iter().filter_map(take).collect()
}

/// Where each key is; none where it is more than once.
fn places(groups: &[Option<Group>], key: fn(&Group) -> Key<'_>) -> HashMap<Key<'_>, Option<usize>> {
    let mut places = HashMap::with_capacity(groups.len());
    for (index, group) in groups.iter().enumerate() {
        if let Some(group) = group {
            places.entry(key(group)).and_modify(|place| *place = None).or_insert(Some(index));
        }
    }
    places
}

/// The groups of one file, in the order of their first launches.
fn groups<'k>(
    kernels: impl IntoIterator<Item = (&'k Kernel, &'k Account)>,
    tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Option<Vec<Group>> {
    let kernels = kernels.into_iter();
    let at_least = kernels.size_hint().0.max(1);
    let mut places: HashMap<Key<'k>, usize> = HashMap::new();
    let mut groups: Vec<(Group, Sums)> = Vec::new();
    for (index, (kernel, account)) in kernels.enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        if index % 4096 == 0 && tell((index as f32 / at_least as f32).min(1.0)).is_break() {
            return None;
        }
        let place = *places.entry(Key::of(kernel)).or_insert(groups.len());
        if place == groups.len() {
            groups.push((group(kernel, account), Sums::default()));
        }
        let (group, sums) = &mut groups[place];
        group.kernels.push(index);
        sums.add(kernel, account);
    }
    let whole = |(group, sums): (Group, Sums)| Group {
        launches: sums.launches,
        achieved_percent: sums.mean_achieved(),
        duration_ns: sums.duration_ns(),
        ..group
    };
    Some(groups.into_iter().map(whole).collect())
}

#[derive(Debug, Default)]
struct Sums {
    launches: usize,
    achieved: f64,
    with_achieved: u32,
    duration_ns: f64,
    with_duration: usize,
}

impl Sums {
    fn add(&mut self, kernel: &Kernel, account: &Account) {
        self.launches += 1;
        if let Some(percent) = account.achieved_percent {
            self.achieved += percent;
            self.with_achieved += 1;
        }
        if let Some(duration) = kernel.measured.duration_ns {
            self.duration_ns += duration.value;
            self.with_duration += 1;
        }
    }

    fn mean_achieved(&self) -> Option<f64> {
        (self.with_achieved > 0).then(|| self.achieved / f64::from(self.with_achieved))
    }

    fn duration_ns(&self) -> Option<f64> {
        (self.with_duration == self.launches).then_some(self.duration_ns)
    }
}

fn shape(shape: crate::units::Dim3) -> [u32; 3] {
    [shape.x, shape.y, shape.z]
}

fn line(count: u64) -> Option<[u32; 3]> {
    u32::try_from(count).ok().map(|count| [count, 1, 1])
}

fn block(kernel: &Kernel) -> Option<[u32; 3]> {
    kernel.block.map(|block| shape(block.value)).or_else(|| line(kernel.threads_per_block()?.value))
}

fn grid(kernel: &Kernel) -> Option<[u32; 3]> {
    kernel.grid.map(|grid| shape(grid.value)).or_else(|| line(kernel.num_blocks()?.value))
}

/// The group of a launch that is still alone.
fn group(kernel: &Kernel, account: &Account) -> Group {
    let compiled = |value: fn(&Compiled) -> Option<Read<u64>>| kernel.compiled.as_ref().and_then(value).map(|read| read.value);
    Group {
        name: kernel.name.clone(),
        compute_capability: kernel.compute_capability.map(|read| read.value),
        block: block(kernel),
        grid: grid(kernel),
        launches: 1,
        kernels: Vec::new(),
        registers_per_thread: kernel.registers_per_thread.map(|read| read.value),
        static_smem_bytes: kernel.static_smem_bytes.map(|read| read.value),
        dynamic_smem_bytes: kernel.dynamic_smem_bytes.map(|read| read.value),
        spill_store_bytes: compiled(|compiled| compiled.spill_store_bytes),
        spill_load_bytes: compiled(|compiled| compiled.spill_load_bytes),
        max_threads_per_block: compiled(|compiled| compiled.max_threads_per_block),
        blocks_per_sm: account.blocks_per_sm,
        limiters: account.limiters(kernel),
        theoretical_percent: account.theoretical_percent,
        achieved_percent: account.achieved_percent,
        duration_ns: kernel.measured.duration_ns.map(|read| read.value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::account::account;
    use super::super::position::Position;
    use super::*;
    use crate::arch::Catalog;
    use crate::units::Dim3;

    /// On an A100, with its achieved occupancy.
    fn kernel(name: &str, threads: u32, registers: u32, achieved: f64) -> Kernel {
        let block = Some(Read::exact(Dim3::linear(threads), Position::default()));
        Kernel { block, ..Kernel::measured(name, registers, achieved) }
    }

    fn compared(old: &[Kernel], new: &[Kernel]) -> Comparison {
        let join = |kernels: &[Kernel]| kernels.iter().map(|kernel| account(kernel, Catalog::builtin(), None)).collect::<Vec<_>>();
        let (old_accounts, new_accounts) = (join(old), join(new));
        compare(old.iter().zip(&old_accounts), new.iter().zip(&new_accounts))
    }

    #[test]
    fn a_kernel_with_more_registers_lost_a_block() {
        let comparison = compared(&[kernel("a", 256, 64, 48.0)], &[kernel("a", 256, 72, 35.5)]);
        let pair = &comparison.pairs[0];
        assert_eq!(pair.changes(), [Aspect::RegistersPerThread, Aspect::BlocksPerSm, Aspect::Theoretical, Aspect::Achieved]);
        assert_eq!((pair.old.theoretical_percent, pair.new.theoretical_percent), (Some(50.0), Some(37.5)));
        assert!((pair.lost_points() - 12.5).abs() < 1e-9);
    }

    #[test]
    fn noise_is_no_change() {
        let comparison = compared(&[kernel("a", 256, 64, 48.0)], &[kernel("a", 256, 64, 47.2)]);
        assert_eq!(comparison.pairs.len(), 1);
        assert!(comparison.changed().is_empty());
    }

    #[test]
    fn launches_of_one_shape_are_one_group_with_their_mean() {
        let comparison = compared(&[kernel("a", 256, 64, 40.0), kernel("a", 256, 64, 44.0)], &[kernel("a", 256, 64, 42.0)]);
        assert_eq!((comparison.pairs[0].old.launches, comparison.pairs[0].old.achieved_percent), (2, Some(42.0)));
        assert_eq!(comparison.pairs[0].old.kernels, [0, 1]);
        assert_eq!(comparison.pairs[0].changes(), [Aspect::Launches]);
    }

    #[test]
    fn another_block_is_matched_by_name_when_nothing_else_is_called_that() {
        let comparison = compared(&[kernel("a", 256, 64, 40.0), kernel("b", 64, 32, 40.0)], &[kernel("a", 512, 64, 40.0)]);
        assert_eq!(comparison.pairs[0].changes()[0], Aspect::Block);
        assert_eq!(comparison.only_old.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["b"]);
        assert!(comparison.only_new.is_empty());
    }

    #[test]
    fn another_gpu_is_another_kernel_unless_nothing_else_is_left() {
        let on = |major, registers| Kernel {
            compute_capability: Some(Read::exact(ComputeCapability { major, minor: 0 }, Position::default())),
            ..kernel("a", 256, registers, 40.0)
        };
        let both = compared(&[on(8, 64), on(9, 72)], &[on(8, 64), on(9, 80)]);
        assert_eq!((both.pairs.len(), both.changed().len(), both.changed()[0].old.registers_per_thread), (2, 1, Some(72)));
        let moved = compared(&[on(8, 64)], &[on(9, 80)]);
        assert_eq!(moved.pairs[0].new.registers_per_thread, Some(80));
    }

    #[test]
    fn compiled_kernels_change_registers_and_spills() {
        let read = |text: &[u8]| crate::import::read_report(text).expect("a log").kernels;
        let old = read(include_bytes!("../../assets/lessons/logs/ptxas_11.8.89.txt"));
        let new = read(include_bytes!("../../assets/lessons/logs/ptxas_13.5.37.txt"));
        let comparison = compared(&old, &new);
        let changed = |name: &str| comparison.pairs.iter().find(|pair| pair.old.name == name).expect("a kernel");
        assert_eq!(changed("filter").changes(), [Aspect::RegistersPerThread]);
        assert_eq!((changed("filter").old.registers_per_thread, changed("filter").new.registers_per_thread), (Some(64), Some(66)));
        assert_eq!(changed("filter_six").changes(), [Aspect::SpillStores]);
        assert_eq!((changed("filter_six").old.spill_store_bytes, changed("filter_six").new.spill_store_bytes), (Some(8), Some(48)));
    }

    #[test]
    fn what_is_ambiguous_is_not_matched() {
        let comparison = compared(&[kernel("a", 256, 64, 40.0), kernel("a", 128, 64, 40.0)], &[kernel("a", 512, 64, 40.0)]);
        assert_eq!((comparison.pairs.len(), comparison.only_old.len(), comparison.only_new.len()), (0, 2, 1));
    }
}
