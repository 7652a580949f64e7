//! The limits: how many blocks of a launch each resource of an SM allows, one function per resource.
//!
//! They do not depend on one another (only partitioned caching links registers to warps), so the answer is their minimum
//! and a table over many launches needs each of them only once per value.
//!
//! Sweeps come here hundreds of millions of times, and what follows a limit is mostly its own steps once more: `#[inline]`
//! lets the compiler work them out once.
//!
//! Every rule is NVIDIA's own: `cuda_occupancy.h` (CUDA 13.5), key `occ-h` in `arch/README.md`.

use serde::{Serialize, Serializer};

use super::launch::{CachePreference, Launch, PartitionedCaching};
use crate::arch::Arch;

/// A number of blocks per SM, or [`Limit::UNLIMITED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit(u32);

impl Limit {
    /// The resource never stops a block. Greater than every number of blocks.
    pub const UNLIMITED: Self = Self(u32::MAX);
    pub const ZERO: Self = Self(0);

    /// A limit of `blocks`, at most `u32::MAX - 1`.
    pub const fn blocks(blocks: u32) -> Self {
        Self(if blocks == u32::MAX { u32::MAX - 1 } else { blocks })
    }

    /// The number of blocks, or none when unlimited.
    pub const fn get(self) -> Option<u32> {
        if self.0 == u32::MAX { None } else { Some(self.0) }
    }

    fn from_u64(blocks: u64) -> Self {
        Self(u32::try_from(blocks).unwrap_or(u32::MAX - 1).min(u32::MAX - 1))
    }
}

impl Serialize for Limit {
    /// A number, or null when unlimited.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.get() {
            Some(blocks) => blocks.fmt(f),
            None => "unlimited".fmt(f),
        }
    }
}

/// The resources of an SM that can stop the next block, in the order in which they are always listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    Warps,
    Blocks,
    Registers,
    SharedMemory,
    Barriers,
}

impl Resource {
    pub const ALL: [Self; 5] = [Self::Warps, Self::Blocks, Self::Registers, Self::SharedMemory, Self::Barriers];

    /// The name in files and on the command line: "shared_memory".
    pub const fn key(self) -> &'static str {
        match self {
            Self::Warps => "warps",
            Self::Blocks => "blocks",
            Self::Registers => "registers",
            Self::SharedMemory => "shared_memory",
            Self::Barriers => "barriers",
        }
    }

    /// The name people read: "Shared memory".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warps => "Warp slots",
            Self::Blocks => "Block slots",
            Self::Registers => "Registers",
            Self::SharedMemory => "Shared memory",
            Self::Barriers => "Barriers",
        }
    }

    /// The letter that stands for it where there is no room for the name.
    pub const fn letter(self) -> char {
        match self {
            Self::Warps => 'W',
            Self::Blocks => 'B',
            Self::Registers => 'R',
            Self::SharedMemory => 'S',
            Self::Barriers => 'N',
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of resources, iterated in the order of [`Resource::ALL`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ResourceSet(u8);

impl ResourceSet {
    pub const EMPTY: Self = Self(0);

    pub const fn contains(self, resource: Resource) -> bool {
        self.0 & resource.bit() != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub fn insert(&mut self, resource: Resource) {
        self.0 |= resource.bit();
    }

    pub fn iter(self) -> impl Iterator<Item = Resource> {
        Resource::ALL.into_iter().filter(move |resource| self.contains(*resource))
    }

    /// The keys joined with `+`: "registers+warps". Empty for no resource.
    pub fn joined_keys(self) -> String {
        self.iter().map(Resource::key).collect::<Vec<_>>().join("+")
    }
}

impl FromIterator<Resource> for ResourceSet {
    fn from_iter<I: IntoIterator<Item = Resource>>(resources: I) -> Self {
        let mut set = Self::EMPTY;
        for resource in resources {
            set.insert(resource);
        }
        set
    }
}

impl std::fmt::Debug for ResourceSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for ResourceSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// How many blocks each resource allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Limits {
    pub warps: Limit,
    pub blocks: Limit,
    pub registers: Limit,
    pub shared_memory: Limit,
    pub barriers: Limit,
    /// See [`Launch::virtual_resources_per_block`]; unlimited for every launch that a compiler makes.
    #[serde(skip)]
    pub virtual_resources: Limit,
}

impl Limits {
    pub const fn get(&self, resource: Resource) -> Limit {
        match resource {
            Resource::Warps => self.warps,
            Resource::Blocks => self.blocks,
            Resource::Registers => self.registers,
            Resource::SharedMemory => self.shared_memory,
            Resource::Barriers => self.barriers,
        }
    }

    /// The smallest limit: blocks that share one SM.
    ///
    /// The block slots are always finite, so this is a number.
    #[inline]
    pub fn min_blocks(&self) -> u32 {
        self.smallest().0
    }

    /// Never [`Limit::UNLIMITED`]: see [`Self::min_blocks`].
    #[inline]
    fn smallest(&self) -> Limit {
        let (one, two) = (self.warps.min(self.blocks), self.registers.min(self.shared_memory));
        one.min(two).min(self.barriers.min(self.virtual_resources))
    }

    /// Every resource whose limit is the smallest one. On a tie, freeing only one of them gains nothing.
    ///
    /// NVIDIA's header keeps bits of earlier comparisons when barriers bind; this does not.
    #[inline]
    pub fn binding(&self) -> ResourceSet {
        let smallest = self.smallest();
        let bit = |resource: Resource, limit: Limit| u8::from(limit == smallest) * resource.bit();
        ResourceSet(
            bit(Resource::Warps, self.warps)
                | bit(Resource::Blocks, self.blocks)
                | bit(Resource::Registers, self.registers)
                | bit(Resource::SharedMemory, self.shared_memory)
                | bit(Resource::Barriers, self.barriers),
        )
    }
}

/// All limits of `launch` on one SM of `arch`.
///
/// Total: out-of-range inputs saturate, and what makes a launch impossible shows as a limit of 0.
#[inline]
pub fn limits(arch: &Arch, launch: &Launch) -> Limits {
    limits_and_sizes(arch, launch).0
}

/// All limits, whether partitioned caching stays on, and the sizes behind the limits by registers and shared memory.
#[inline]
pub(super) fn limits_and_sizes(arch: &Arch, launch: &Launch) -> (Limits, bool, RegisterSizes, SmemSizes) {
    let warps = launch.warps_per_block();
    let sizes = RegisterSizes::new(arch, launch.registers_per_thread);
    let (registers, caching) = sizes.limit(arch, warps, launch.registers_per_thread, launch.partitioned_caching);
    let smem = SmemSizes::new(arch, launch);
    let limits = Limits {
        warps: limit_by_warps(arch, launch.threads_per_block(), caching),
        blocks: Limit::blocks(arch.max_blocks_per_sm),
        registers,
        shared_memory: smem.limit(),
        barriers: limit_by_barriers(arch, launch.barriers_per_block),
        virtual_resources: limit_by_virtual_resources(arch, launch.virtual_resources_per_block),
    };
    (limits, caching, sizes, smem)
}

/// Registers set aside for one warp, after hardware rounding.
///
/// `registers_per_thread × 32`, rounded **up** to `arch.register_allocation_unit`. A partly filled warp costs as much as a full one.
///
/// Returns a count of 32-bit registers. Compute capability 8.0, 41 registers: 1,312 → 1,536, the same as for 48.
#[inline]
pub fn registers_per_warp(arch: &Arch, registers_per_thread: u32) -> u64 {
    let requested = u64::from(registers_per_thread) * u64::from(crate::units::WARP_SIZE);
    requested.next_multiple_of(u64::from(arch.register_allocation_unit))
}

/// Warps with this many registers that the register file of one sub-partition holds; none when registers do not limit.
#[inline]
pub fn warps_per_sub_partition(arch: &Arch, sub_partitions: u32, registers_per_warp: u64) -> Option<u64> {
    u64::from(arch.registers_per_sm / sub_partitions).checked_div(registers_per_warp)
}

/// Why the registers of a launch make even one block impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegisterRefusal {
    PerThread,
    /// What the launch check charges, and with how many sub-partitions.
    PerBlock {
        charged: u64,
        sub_partitions: u32,
    },
}

/// The launch check: every sub-partition is charged alike, so warps count as rounded up to the number of sub-partitions.
///
/// The simple product is not enough: 576 threads × 104 registers on 8.0 are 59,904 of 65,536 registers and cannot launch,
/// because 18 warps are charged as 20.
#[inline]
pub(super) fn register_refusal(arch: &Arch, warps_per_block: u32, registers_per_thread: u32) -> Option<RegisterRefusal> {
    let check = |sub_partitions: u32| {
        let warps = u64::from(warps_per_block).next_multiple_of(u64::from(sub_partitions));
        let charged = registers_per_warp(arch, registers_per_thread).saturating_mul(warps);
        (charged > u64::from(arch.max_registers_per_block)).then_some(RegisterRefusal::PerBlock { charged, sub_partitions })
    };
    if registers_per_thread > arch.max_registers_per_thread {
        return Some(RegisterRefusal::PerThread);
    }
    check(arch.sub_partitions).or_else(|| arch.portable_sub_partitions.and_then(check))
}

/// Blocks that the register files allow, and whether partitioned caching stays on.
///
/// Each sub-partition holds a whole number of warps; those are then pooled over the SM, so a block need not divide evenly
/// among sub-partitions. 0 when the launch check fails, unlimited for 0 registers.
///
/// Compute capability 8.0, 256 threads × 64 registers: 2,048 a warp, 8 warps in each of 4 files, 32 / 8 = 4 blocks.
///
/// The simpler formula that pools registers instead of warps is too high for block sizes that are not a multiple of
/// 4 warps: 32 threads × 80 registers are 24 blocks, not 25.
#[inline]
pub fn limit_by_registers(arch: &Arch, warps_per_block: u32, registers_per_thread: u32, caching: PartitionedCaching) -> (Limit, bool) {
    RegisterSizes::new(arch, registers_per_thread).limit(arch, warps_per_block, registers_per_thread, caching)
}

/// The sizes that decide how many warps the register files hold.
#[derive(Clone, Copy)]
pub(super) struct RegisterSizes {
    pub per_warp: u64,
    pub per_sub_partition: u32,
    /// Warps that the file of one sub-partition holds; none when registers do not limit.
    pub held: Option<u64>,
}

impl RegisterSizes {
    #[inline]
    fn new(arch: &Arch, registers_per_thread: u32) -> Self {
        let per_warp = registers_per_warp(arch, registers_per_thread);
        let per_sub_partition = arch.registers_per_sm / arch.sub_partitions;
        Self { per_warp, per_sub_partition, held: u64::from(per_sub_partition).checked_div(per_warp) }
    }

    #[inline]
    fn limit(&self, arch: &Arch, warps_per_block: u32, registers_per_thread: u32, caching: PartitionedCaching) -> (Limit, bool) {
        let asked = arch.partitioned_caching && caching != PartitionedCaching::Off;
        if register_refusal(arch, warps_per_block, registers_per_thread).is_some() {
            return (Limit::ZERO, asked);
        }
        let partitions = u64::from(arch.sub_partitions);
        let (Some(held), true) = (self.held, warps_per_block > 0) else {
            return (Limit::UNLIMITED, asked);
        };
        let warps = u64::from(warps_per_block);
        if asked {
            let halves = held * (partitions / 2) / warps * 2;
            if halves > 0 || caching == PartitionedCaching::Strict {
                return (Limit::from_u64(halves), true);
            }
        }
        (Limit::from_u64(held * partitions / warps), false)
    }
}

/// Blocks that the warp slots allow; 0 for a block of more than `arch.max_threads_per_block` threads.
///
/// With partitioned caching a block lives in one half of the SM.
#[inline]
pub fn limit_by_warps(arch: &Arch, threads_per_block: u32, caching: bool) -> Limit {
    let warps = threads_per_block.div_ceil(crate::units::WARP_SIZE);
    if threads_per_block > arch.max_threads_per_block || warps == 0 {
        return Limit::ZERO;
    }
    let slots = arch.max_warps_per_sm();
    Limit::blocks(if caching { slots / 2 / warps * 2 } else { slots / warps })
}

/// Shared memory set aside for one block, in bytes: static, dynamic and the driver's reserve, rounded up to the unit.
///
/// From 8.0 on even an empty kernel takes 1,024 bytes.
#[inline]
pub fn allocated_smem_bytes(arch: &Arch, launch: &Launch) -> u64 {
    let asked = launch.requested_smem_bytes().saturating_add(u64::from(arch.reserved_smem_per_block_bytes));
    let unit = u64::from(arch.smem_allocation_unit_bytes);
    asked.checked_next_multiple_of(unit).unwrap_or(u64::MAX)
}

/// The kernel's own maximum of dynamic shared memory, in bytes; what the GPU allows beside the static part when none was set.
#[inline]
pub fn max_dynamic_smem_bytes(arch: &Arch, launch: &Launch) -> u64 {
    launch.max_dynamic_smem_bytes.unwrap_or_else(|| u64::from(arch.optin_smem_per_block_bytes).saturating_sub(launch.static_smem_bytes))
}

/// The most shared memory one block may be given, in bytes, to be compared with [`allocated_smem_bytes`].
///
/// 48 KiB, or the opt-in size where the kernel opted in and has a use for it; plus the driver's reserve.
#[inline]
pub fn smem_cap_bytes(arch: &Arch, launch: &Launch) -> u64 {
    let reserved = u64::from(arch.reserved_smem_per_block_bytes);
    let default = u64::from(arch.default_smem_per_block_bytes);
    let possible = launch.static_smem_bytes.saturating_add(reserved).saturating_add(max_dynamic_smem_bytes(arch, launch));
    let cap = if launch.opt_in && possible > default { u64::from(arch.optin_smem_per_block_bytes) } else { default };
    cap + reserved
}

/// The smallest configuration of the shared-memory pool with room for `bytes`; the largest one when none has.
#[inline]
fn configuration_for(arch: &Arch, bytes: u64) -> u64 {
    // From the largest down, because most launches want all of it.
    let mut configurations = arch.smem_configurations_bytes.iter().rev().map(|size| u64::from(*size));
    let largest = configurations.next().unwrap_or(arch.smem_per_sm_bytes.into());
    configurations.take_while(|size| *size >= bytes).last().unwrap_or(largest)
}

/// The percentage of the SM's shared memory that a launch asks for: its carve-out, else its cache preference, else all of it.
#[inline]
pub fn carveout_percent(launch: &Launch) -> u64 {
    let preferred = match launch.cache_preference {
        CachePreference::None | CachePreference::SharedMemory => 100,
        CachePreference::L1 => 0,
        CachePreference::Equal => 50,
    };
    launch.carveout_percent.map_or(preferred, u64::from)
}

/// The shared-memory pool of an SM for this launch, in bytes.
///
/// The carve-out asks for a part, raised to the next size the hardware can be configured to. Where that is too small for
/// one block, the smallest size that holds one is taken. CUDA calls the carve-out a hint; this is what NVIDIA's own
/// calculation makes of it.
pub fn smem_pool_bytes(arch: &Arch, launch: &Launch) -> u64 {
    pool_for(arch, launch, allocated_smem_bytes(arch, launch))
}

#[inline]
fn pool_for(arch: &Arch, launch: &Launch, allocated: u64) -> u64 {
    if !arch.has_configurable_smem() {
        return u64::from(arch.smem_per_sm_bytes);
    }
    let wanted = carveout_percent(launch).min(100) * u64::from(arch.smem_per_sm_bytes) / 100;
    let pool = configuration_for(arch, wanted);
    if pool >= allocated { pool } else { configuration_for(arch, allocated) }
}

/// Blocks that the shared-memory pool allows.
///
/// 0 for a block over the cap, or over the kernel's own maximum; unlimited when a block takes none at all (before 8.0).
///
/// 48 KiB dynamic: 49 KiB with the reserve, 3 blocks in an A100's 164 KiB, 4 in an H100's 228 KiB.
pub fn limit_by_shared_memory(arch: &Arch, launch: &Launch) -> Limit {
    SmemSizes::new(arch, launch).limit()
}

/// The sizes that decide how many blocks the shared memory holds, in bytes.
#[derive(Clone, Copy)]
pub(super) struct SmemSizes {
    pub allocated: u64,
    pub cap: u64,
    pub pool: u64,
    over_own_maximum: bool,
}

impl SmemSizes {
    #[inline]
    pub(super) fn new(arch: &Arch, launch: &Launch) -> Self {
        let allocated = allocated_smem_bytes(arch, launch);
        Self {
            allocated,
            cap: smem_cap_bytes(arch, launch),
            pool: pool_for(arch, launch, allocated),
            over_own_maximum: launch.opt_in && launch.dynamic_smem_bytes > max_dynamic_smem_bytes(arch, launch),
        }
    }

    #[inline]
    fn limit(&self) -> Limit {
        if self.over_own_maximum || self.allocated > self.cap {
            return Limit::ZERO;
        }
        self.pool.checked_div(self.allocated).map_or(Limit::UNLIMITED, Limit::from_u64)
    }
}

/// Blocks that the barriers allow; unlimited before 9.0 and for a block that uses none.
#[inline]
pub fn limit_by_barriers(arch: &Arch, barriers_per_block: u32) -> Limit {
    let allowed = arch.max_barriers_per_sm.and_then(|barriers| barriers.checked_div(barriers_per_block));
    allowed.map_or(Limit::UNLIMITED, Limit::blocks)
}

#[inline]
pub(super) fn limit_by_virtual_resources(arch: &Arch, per_block: u32) -> Limit {
    let allowed = arch.max_virtual_resources_per_sm.and_then(|resources| resources.checked_div(per_block));
    allowed.map_or(Limit::UNLIMITED, Limit::blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn only_unlimited_is_unlimited() {
        assert_eq!(Limit::UNLIMITED.get(), None);
        for huge in [Limit::blocks(u32::MAX), Limit::blocks(u32::MAX - 1), Limit::from_u64(u32::MAX.into()), Limit::from_u64(u64::MAX)] {
            assert_eq!(huge.get(), Some(u32::MAX - 1));
        }
        assert_eq!((Limit::UNLIMITED.to_string(), Limit::blocks(12).to_string()), ("unlimited".to_owned(), "12".to_owned()));
    }

    #[test]
    fn each_resource_has_its_key_its_name_and_its_letter() {
        assert_eq!(Resource::ALL.map(Resource::key), ["warps", "blocks", "registers", "shared_memory", "barriers"]);
        assert_eq!(Resource::ALL.map(Resource::name), ["Warp slots", "Block slots", "Registers", "Shared memory", "Barriers"]);
        assert_eq!(Resource::ALL.map(Resource::letter), ['W', 'B', 'R', 'S', 'N']);
    }

    #[test]
    fn a_set_has_what_was_put_into_it() {
        let set: ResourceSet = [Resource::Barriers, Resource::Registers, Resource::Barriers].into_iter().collect();
        assert_eq!((set.len(), set.is_empty(), ResourceSet::EMPTY.is_empty(), ResourceSet::EMPTY.len()), (2, false, true, 0));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Resource::Registers, Resource::Barriers]);
        assert_eq!(set.joined_keys(), "registers+barriers");
        assert_eq!(format!("{set:?}"), "{Registers, Barriers}");
        assert!(set.contains(Resource::Registers) && !set.contains(Resource::Warps));
    }

    #[test]
    fn each_limit_is_found_by_its_resource() {
        let [warps, blocks, registers, shared_memory, barriers] = [1, 2, 3, 4, 5].map(Limit::blocks);
        let limits = Limits { warps, blocks, registers, shared_memory, barriers, virtual_resources: Limit::UNLIMITED };
        assert_eq!(Resource::ALL.map(|resource| limits.get(resource).get()), [1, 2, 3, 4, 5].map(Some));
        assert_eq!((limits.min_blocks(), limits.binding().joined_keys().as_str()), (1, "warps"));
    }

    #[test]
    fn an_a100s_register_file_holds_so_many_warps() {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        assert_eq!(warps_per_sub_partition(arch, 4, 2_048), Some(8));
        assert_eq!(warps_per_sub_partition(arch, 4, 0), None);
        let launch = Launch { carveout_percent: Some(50), ..Launch::default() };
        assert_eq!(smem_pool_bytes(arch, &launch), 100 << 10, "82 KiB, raised to the next configuration");
    }
}
