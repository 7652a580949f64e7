//! Launches while a report is read: their rows may come in any order, and each row adds one number.

use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::{iter, thread};

use foldhash::fast::RandomState;

use super::measures::{Measure, whole, whole_bytes};
use super::metrics::{Quantity, STALLS};
use super::model::{Device, Kernel, Measured, Read, Reported, Rule, Severity};
use super::notes::{Notes, Topic};
use super::numbers::Number;
use super::position::Position;
use super::stalls::Stalls;
use crate::arch::ComputeCapability;
use crate::units::Dim3;

/// A number that was read, in base units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub number: Number,
    pub at: Position,
    /// The unit was larger than the base unit.
    pub is_scaled: bool,
    /// Where it was read counts: the lowest wins. Only numbers of rank 0 can contradict each other.
    pub rank: u8,
}

/// One launch: what it is, and its numbers.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub identity: Identity,
    slots: SlotList,
}

/// What a launch is: all that is known of it besides its numbers. A [`Kernel`] has room for every number there can be, so a launch
/// becomes one at the end only.
#[derive(Clone, Debug, Default)]
pub(super) struct Identity {
    pub id: Option<u64>,
    pub process_id: Option<u64>,
    pub name: String,
    pub at: Position,
    pub compute_capability: Option<Read<ComputeCapability>>,
    pub device_name: Option<Read<String>>,
    pub device_index: Option<Read<u32>>,
    pub block: Option<Read<Dim3>>,
    pub grid: Option<Read<Dim3>>,
    pub rules: Vec<Rule>,
    pub invocations: Option<Read<u64>>,
}

impl Identity {
    fn into_kernel(self) -> Kernel {
        let Self { id, process_id, name, at, compute_capability, device_name, device_index, block, grid, rules, invocations } = self;
        Kernel {
            id,
            process_id,
            name,
            at,
            compute_capability,
            device_name,
            device_index,
            block,
            grid,
            rules,
            invocations,
            ..Kernel::default()
        }
    }
}

/// The numbers of a launch. Most launches have half of them, and a report has many launches, so only those take room.
#[derive(Clone, Debug)]
struct SlotList {
    /// For each quantity its place in the list, from 1; 0 when there is no such number.
    places: [u8; Quantity::COUNT],
    list: Vec<Slot>,
}

impl Default for SlotList {
    fn default() -> Self {
        Self { places: [0; Quantity::COUNT], list: Vec::new() }
    }
}

impl SlotList {
    fn get(&self, quantity: Quantity) -> Option<Slot> {
        let place = usize::from(self.places[quantity as usize]);
        self.list.get(place.checked_sub(1)?).copied()
    }

    fn set(&mut self, quantity: Quantity, slot: Slot) {
        let place = usize::from(self.places[quantity as usize]);
        if let Some(old) = place.checked_sub(1).and_then(|place| self.list.get_mut(place)) {
            *old = slot;
            return;
        }
        self.list.push(slot);
        self.places[quantity as usize] = u8::try_from(self.list.len()).expect("there are fewer quantities than that");
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Launches {
    list: Vec<Launch>,
    by_key: HashMap<Vec<u8>, usize, RandomState>,
    last_key: Vec<u8>,
    last: Option<usize>,
}

/// Between the parts of a key; not in any cell of a text file.
const KEY_BREAK: u8 = 0;

impl Launches {
    pub(super) const fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut Launch {
        &mut self.list[index]
    }

    /// The launch with this key, when it has been seen. Rows of one launch follow each other, so the last one is tried first.
    pub(super) fn find(&mut self, key: &[&[u8]]) -> Option<usize> {
        if self.last.is_some() && is_key(&self.last_key, key) {
            return self.last;
        }
        let joined = key.join(&KEY_BREAK);
        let found = self.by_key.get(&joined).copied();
        self.last_key = joined;
        self.last = found;
        found
    }

    /// Starts a launch under the key that [`Launches::find`] was just asked for.
    pub(super) fn start(&mut self, identity: Identity) -> usize {
        let index = self.list.len();
        self.push(identity);
        self.by_key.insert(self.last_key.clone(), index);
        self.last = Some(index);
        index
    }

    /// Starts a launch that no later row belongs to.
    pub(super) fn start_alone(&mut self, identity: Identity) -> usize {
        self.push(identity);
        self.list.len() - 1
    }

    fn push(&mut self, mut identity: Identity) {
        let mut slots = SlotList::default();
        // The rows of a launch follow each other, so the one before is complete, and the next one has nearly as many.
        if let Some(before) = self.list.last_mut() {
            before.identity.rules.shrink_to_fit();
            before.slots.list.shrink_to_fit();
            identity.rules.reserve(before.identity.rules.len());
            slots.list.reserve(before.slots.list.len());
        }
        self.list.push(Launch { identity, slots });
    }

    /// Later rows belong to other launches, even with the same key: a second run in the same file.
    pub(super) fn start_new_run(&mut self) {
        self.by_key.clear();
        self.last = None;
    }

    /// Whether no launch of a later part of the text is one of these.
    pub(super) fn can_append(&self, later: &Self) -> bool {
        !later.by_key.keys().any(|key| self.by_key.contains_key(key))
    }

    /// Adds the launches of a later part of the text.
    pub(super) fn append(&mut self, mut later: Self) {
        let before = self.list.len();
        self.list.append(&mut later.list);
        self.by_key.extend(later.by_key.into_iter().map(|(key, index)| (key, before + index)));
        self.last_key = later.last_key;
        self.last = later.last.map(|index| before + index);
    }

    /// Keeps the number with the lowest rank for each quantity, and of equal ones the first.
    /// Returns the earlier number when the new one contradicts it.
    pub(super) fn keep(&mut self, launch: usize, quantity: Quantity, new: Slot) -> Option<Slot> {
        let slots = &mut self.list[launch].slots;
        match slots.get(quantity) {
            Some(old) if old.rank <= new.rank => (new.rank == 0 && !old.number.agrees_with(new.number)).then_some(old),
            _ => {
                slots.set(quantity, new);
                None
            }
        }
    }

    /// The finished kernels, in the order of the file. So many threads share the work, where there is enough of it.
    pub(super) fn finish(self, num_threads: usize, notes: &mut Notes) -> Vec<Kernel> {
        if num_threads < 2 || self.list.len() < MIN_SHARED_LAUNCHES {
            return finish(self.list, notes);
        }
        let mut kernels = Vec::with_capacity(self.list.len());
        let shares = Mutex::new(self.list.into_iter().enumerate());
        let next_share = || {
            let mut launches = shares.lock().unwrap_or_else(PoisonError::into_inner);
            let (index, first) = launches.next()?;
            Some((index, iter::once(first).chain(launches.by_ref().map(|(_, launch)| launch).take(SHARE - 1)).collect()))
        };
        thread::scope(|scope| {
            let (done, finished) = channel();
            for _ in 0..num_threads {
                let done = done.clone();
                let work = move || {
                    while let Some((index, launches)) = next_share() {
                        let mut notes = Notes::default();
                        let kernels = finish(launches, &mut notes);
                        let _ = done.send((index, kernels, notes));
                    }
                };
                // Fewer threads will do, and without any this one does it.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            drop(done);
            let mut waiting = BTreeMap::new();
            for (index, share, of_share) in finished {
                waiting.insert(index, (share, of_share));
                while let Some((mut share, of_share)) = waiting.remove(&kernels.len()) {
                    kernels.append(&mut share);
                    notes.append(of_share);
                }
            }
        });
        while let Some((_, launches)) = next_share() {
            kernels.append(&mut finish(launches, notes));
        }
        kernels
    }
}

/// Below so many launches, starting a thread takes longer than it saves.
const MIN_SHARED_LAUNCHES: usize = 512;

/// Launches that a thread takes at a time: few enough that the memory of one share can serve the next.
const SHARE: usize = 64;

fn finish(launches: Vec<Launch>, notes: &mut Notes) -> Vec<Kernel> {
    launches.into_iter().map(|launch| launch.finish(notes)).collect()
}

fn is_key(joined: &[u8], parts: &[&[u8]]) -> bool {
    let mut rest = joined;
    for (i, part) in parts.iter().enumerate() {
        let Some(tail) = rest.strip_prefix(*part) else { return false };
        rest = tail;
        if i + 1 < parts.len() {
            let Some(tail) = rest.strip_prefix(&[KEY_BREAK]) else { return false };
            rest = tail;
        }
    }
    rest.is_empty()
}

impl Launch {
    fn finish(self, notes: &mut Notes) -> Kernel {
        let mut kernel = self.identity.into_kernel();
        let mut slots = Slots { slots: &self.slots, notes };
        slots.identify(&mut kernel);
        slots.fill_launch(&mut kernel);
        kernel.reported = slots.reported();
        kernel.measured = slots.measured();
        kernel.device = slots.device();
        kernel.num_sms = slots.count(Quantity::NumSms).or(kernel.device.num_sms);
        check_shape(&kernel, notes);
        kernel
    }
}

/// The numbers of a launch, on their way into the model.
struct Slots<'a> {
    slots: &'a SlotList,
    notes: &'a mut Notes,
}

impl Slots<'_> {
    fn slot(&self, quantity: Quantity) -> Option<Slot> {
        self.slots.get(quantity)
    }

    fn real(&self, quantity: Quantity) -> Option<Read<f64>> {
        let slot = self.slot(quantity)?;
        let rounded = slot.is_scaled && slot.number.half_step >= 0.5;
        Some(Read { value: slot.number.value, at: slot.at, rounded })
    }

    fn large_count(&mut self, quantity: Quantity) -> Option<Read<u64>> {
        let slot = self.slot(quantity)?;
        let value = whole(slot.number.value);
        if value.is_none() {
            self.note_not_a_count(slot);
        }
        Some(Read::exact(value?, slot.at))
    }

    fn count(&mut self, quantity: Quantity) -> Option<Read<u32>> {
        let large = self.large_count(quantity)?;
        let value = u32::try_from(large.value).ok();
        if value.is_none() {
            self.note_not_a_count(self.slot(quantity)?);
        }
        Some(Read::exact(value?, large.at))
    }

    fn bytes(&mut self, quantity: Quantity, measure: Measure) -> Option<Read<u64>> {
        let slot = self.slot(quantity)?;
        let bytes = whole_bytes(slot.number, measure);
        if bytes.is_none() {
            self.note_not_a_count(slot);
        }
        let (value, rounded) = bytes?;
        Some(Read { value, at: slot.at, rounded })
    }

    fn note_not_a_count(&mut self, slot: Slot) {
        let message = || format!("{} is no possible count here; left out", slot.number.value);
        self.notes.at(Topic::Number, Severity::Warning, slot.at, message);
    }

    fn shape(&mut self, extents: [Quantity; 3]) -> Option<Read<Dim3>> {
        let x = self.count(extents[0])?;
        let y = self.count(extents[1])?;
        let z = self.count(extents[2])?;
        Some(x.map(|x| Dim3::new(x, y.value, z.value)))
    }

    fn identify(&mut self, kernel: &mut Kernel) {
        let major = self.count(Quantity::ComputeCapabilityMajor);
        let minor = self.count(Quantity::ComputeCapabilityMinor);
        if let (None, Some(major), Some(minor)) = (kernel.compute_capability, major, minor) {
            let parts = u8::try_from(major.value).ok().zip(u8::try_from(minor.value).ok());
            kernel.compute_capability = parts.map(|(m, n)| Read::exact(ComputeCapability::new(m, n), major.at));
        }
        let block = self.shape([Quantity::BlockDimX, Quantity::BlockDimY, Quantity::BlockDimZ]);
        kernel.block = kernel.block.or(block);
        let grid = self.shape([Quantity::GridDimX, Quantity::GridDimY, Quantity::GridDimZ]);
        kernel.grid = kernel.grid.or(grid);
    }

    fn fill_launch(&mut self, kernel: &mut Kernel) {
        kernel.block_threads = self.count(Quantity::BlockThreads);
        kernel.grid_blocks = self.large_count(Quantity::GridBlocks);
        kernel.registers_per_thread = self.count(Quantity::RegistersPerThread);
        kernel.static_smem_bytes = self.bytes(Quantity::StaticSmem, Measure::RequestedBytes);
        kernel.dynamic_smem_bytes = self.bytes(Quantity::DynamicSmem, Measure::RequestedBytes);
        kernel.driver_smem_bytes = self.bytes(Quantity::DriverSmem, Measure::ConfiguredBytes);
        kernel.smem_config_bytes = self.bytes(Quantity::SmemConfig, Measure::ConfiguredBytes);
        kernel.barriers = self.count(Quantity::Barriers);
        kernel.cluster_size = self.count(Quantity::ClusterSize);
    }

    fn reported(&mut self) -> Reported {
        Reported {
            limit_warps: self.count(Quantity::LimitWarps),
            limit_blocks: self.count(Quantity::LimitBlocks),
            limit_registers: self.count(Quantity::LimitRegisters),
            limit_shared_memory: self.count(Quantity::LimitSharedMemory),
            limit_barriers: self.count(Quantity::LimitBarriers),
            theoretical_occupancy_percent: self.real(Quantity::TheoreticalOccupancy),
            theoretical_warps_per_sm: self.real(Quantity::TheoreticalWarps),
            achieved_occupancy_percent: self.real(Quantity::AchievedOccupancy),
            achieved_occupancy_min_percent: self.real(Quantity::AchievedOccupancyMin),
            achieved_occupancy_max_percent: self.real(Quantity::AchievedOccupancyMax),
            achieved_warps_per_sm: self.real(Quantity::AchievedWarps),
            waves_per_sm: self.real(Quantity::Waves),
            max_active_clusters: self.count(Quantity::MaxActiveClusters),
            max_cluster_size: self.count(Quantity::MaxClusterSize),
            cluster_occupancy_percent: self.real(Quantity::ClusterOccupancy),
            cluster_gpu_occupancy_percent: self.real(Quantity::ClusterGpuOccupancy),
        }
    }

    fn measured(&self) -> Measured {
        Measured {
            duration_ns: self.real(Quantity::Duration),
            elapsed_cycles: self.real(Quantity::ElapsedCycles),
            sm_active_cycles_avg: self.real(Quantity::SmActiveCyclesAvg),
            sm_active_cycles_min: self.real(Quantity::SmActiveCyclesMin),
            sm_active_cycles_max: self.real(Quantity::SmActiveCyclesMax),
            compute_throughput_percent: self.real(Quantity::ComputeThroughput),
            memory_throughput_percent: self.real(Quantity::MemoryThroughput),
            dram_throughput_percent: self.real(Quantity::DramThroughput),
            l1_throughput_percent: self.real(Quantity::L1Throughput),
            l2_throughput_percent: self.real(Quantity::L2Throughput),
            stalls: Stalls(STALLS.into_iter().filter_map(|(quantity, reason)| Some((reason, self.real(quantity)?))).collect()),
        }
    }

    fn device(&mut self) -> Device {
        Device {
            num_sms: self.count(Quantity::DeviceNumSms),
            max_warps_per_sm: self.count(Quantity::DeviceMaxWarps),
            max_threads_per_sm: self.count(Quantity::DeviceMaxThreads),
            max_blocks_per_sm: self.count(Quantity::DeviceMaxBlocks),
            registers_per_sm: self.count(Quantity::DeviceRegisters),
            smem_per_sm_bytes: self.bytes(Quantity::DeviceSmem, Measure::ConfiguredBytes),
            optin_smem_per_block_bytes: self.bytes(Quantity::DeviceOptinSmem, Measure::ConfiguredBytes),
            reserved_smem_per_block_bytes: self.bytes(Quantity::DeviceReservedSmem, Measure::ConfiguredBytes),
        }
    }
}

/// The shape in the columns and the count in the metric say the same twice; files that were edited by hand contradict themselves.
fn check_shape(kernel: &Kernel, notes: &mut Notes) {
    let sizes = [
        ("block", "threads", kernel.block, kernel.block_threads.map(|threads| threads.map(u64::from))),
        ("grid", "blocks", kernel.grid, kernel.grid_blocks),
    ];
    for (what, of_what, shape, size) in sizes {
        let (Some(shape), Some(size)) = (shape, size) else { continue };
        if shape.value.count() != size.value {
            notes.at(Topic::Contradiction, Severity::Warning, size.at, || {
                format!(
                    "the {what} has {} {of_what} here but is {} at {}; the shape is used",
                    crate::fmt::grouped(size.value),
                    shape.value,
                    shape.at,
                )
            });
        }
    }
}
