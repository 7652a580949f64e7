//! The limits of very many launches on one architecture.
//!
//! [`Prepared`] asks each function of [`limits`] once for every value that matters, and then answers a launch by
//! looking its limits up: no division, and no branch that depends on the launch. Launches beyond its tables, and those with options
//! that are rare, are answered by the functions themselves, so that the answer is the same for every launch there is.

use super::launch::{CachePreference, Launch, PartitionedCaching};
use super::limits::{self, Limit, Limits};
use crate::arch::Arch;
use crate::units::WARP_SIZE;

/// The rows and columns that are worth a table; real GPUs stay below them.
const MAX_WARPS: u32 = 64;
const MAX_REGISTERS: u32 = 256;
const MAX_SMEM_UNITS: u64 = 4096;
const MAX_COUNT: u32 = u8::MAX as u32;

/// One architecture with its limits worked out. Making it takes some microseconds.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    arch: &'a Arch,
    max_threads: u32,
    max_registers: u32,
    blocks: Limit,
    /// By warps of a block.
    warps: Vec<Limit>,
    /// By registers of a thread: where its row of [`Self::registers`] begins.
    register_rows: Vec<u32>,
    /// Rows by warps of a block, one for each number of registers that a warp can be given.
    registers: Vec<Limit>,
    smem: SmemTable,
    /// By number.
    barriers: [Limit; MAX_COUNT as usize + 1],
    virtual_resources: [Limit; MAX_COUNT as usize + 1],
}

impl<'a> Prepared<'a> {
    pub fn new(arch: &'a Arch) -> Self {
        let max_threads = arch.max_threads_per_block.min(MAX_WARPS * WARP_SIZE);
        let max_registers = arch.max_registers_per_thread.min(MAX_REGISTERS);
        let max_warps = max_threads / WARP_SIZE;
        let (mut register_rows, mut registers) = (Vec::new(), Vec::new());
        let mut last = None;
        for per_thread in 0..=max_registers {
            let per_warp = limits::registers_per_warp(arch, per_thread);
            if last.replace(per_warp) != Some(per_warp) {
                let limit = |warps| limits::limit_by_registers(arch, warps, per_thread, PartitionedCaching::Off).0;
                registers.extend((0..=max_warps).map(limit));
            }
            register_rows.push(u32::try_from(registers.len()).unwrap_or(u32::MAX) - max_warps - 1);
        }
        Self {
            arch,
            max_threads,
            max_registers,
            blocks: Limit::blocks(arch.max_blocks_per_sm),
            warps: (0..=max_warps).map(|warps| limits::limit_by_warps(arch, warps * WARP_SIZE, false)).collect(),
            register_rows,
            registers,
            smem: SmemTable::new(arch),
            barriers: counted(arch.max_barriers_per_sm, |barriers| limits::limit_by_barriers(arch, barriers)),
            virtual_resources: counted(arch.max_virtual_resources_per_sm, |count| limits::limit_by_virtual_resources(arch, count)),
        }
    }

    pub const fn arch(&self) -> &'a Arch {
        self.arch
    }

    /// Equal to [`limits::limits`] for every launch.
    #[inline]
    pub fn limits(&self, launch: &Launch) -> Limits {
        let threads = if launch.block.is_linear() { launch.block.x } else { launch.threads_per_block() };
        let registers = launch.registers_per_thread;
        let counts = launch.barriers_per_block | launch.virtual_resources_per_block;
        if threads > self.max_threads || registers > self.max_registers || counts > MAX_COUNT || !self.smem.answers(launch) {
            return self.work_out(launch);
        }
        let warps = threads.div_ceil(WARP_SIZE) as usize;
        let row = self.register_rows[registers as usize] as usize;
        Limits {
            warps: self.warps[warps],
            blocks: self.blocks,
            registers: self.registers[row + warps],
            shared_memory: self.smem.limit(launch),
            barriers: self.barriers[(launch.barriers_per_block & MAX_COUNT) as usize],
            virtual_resources: self.virtual_resources[(launch.virtual_resources_per_block & MAX_COUNT) as usize],
        }
    }

    /// Kept out of the way of the launches that the tables answer.
    #[cold]
    #[inline(never)]
    fn work_out(&self, launch: &Launch) -> Limits {
        limits::limits(self.arch, launch)
    }
}

/// Limits by shared memory of launches that ask for no particular pool and have no maximum of their own.
///
/// What a block may have is then a matter of what it is given in whole units, whichever part of it is static.
#[derive(Clone, Debug)]
struct SmemTable {
    /// With opting in and without, by allocation units of a block; the last one is more than any block may have. Empty where
    /// units are not a power of two.
    limits: [Vec<Limit>; 2],
    shift: u32,
    /// What is added before rounding down to whole units.
    reserved_and_rounding: u64,
}

impl SmemTable {
    fn new(arch: &Arch) -> Self {
        let unit = u64::from(arch.smem_allocation_unit_bytes);
        let reserved = u64::from(arch.reserved_smem_per_block_bytes);
        let most = u64::from(arch.optin_smem_per_block_bytes.max(arch.default_smem_per_block_bytes));
        let units = if unit.is_power_of_two() { (most + reserved).div_ceil(unit) + 1 } else { 0 };
        let units = if units > MAX_SMEM_UNITS { 0 } else { units };
        let limit = |opt_in: bool, units: u64| {
            // The most that is rounded to these units; below the driver's own part there is nothing to ask for.
            let dynamic_smem_bytes = (units * unit).saturating_sub(reserved);
            limits::limit_by_shared_memory(arch, &Launch { dynamic_smem_bytes, opt_in, ..Launch::default() })
        };
        let limits = [false, true].map(|opt_in| (0..=units).map(|units| limit(opt_in, units)).collect());
        let limits = if units == 0 { [Vec::new(), Vec::new()] } else { limits };
        Self { limits, shift: arch.smem_allocation_unit_bytes.trailing_zeros(), reserved_and_rounding: reserved + unit - 1 }
    }

    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "one branch, which is always taken, in the place of five")]
    fn answers(&self, launch: &Launch) -> bool {
        launch.carveout_percent.is_none()
            & launch.max_dynamic_smem_bytes.is_none()
            & matches!(launch.cache_preference, CachePreference::None | CachePreference::SharedMemory)
            & (launch.partitioned_caching == PartitionedCaching::Off)
            & !self.limits[0].is_empty()
    }

    #[inline]
    fn limit(&self, launch: &Launch) -> Limit {
        let limits = &self.limits[usize::from(launch.opt_in)];
        let units = launch.requested_smem_bytes().saturating_add(self.reserved_and_rounding) >> self.shift;
        #[expect(clippy::cast_possible_truncation, reason = "an index into the table")]
        let index = units.min(limits.len() as u64 - 1) as usize;
        limits[index]
    }
}

/// Limits by a number; unlimited for any number without a maximum.
fn counted(most: Option<u32>, limit: impl Fn(u32) -> Limit) -> [Limit; MAX_COUNT as usize + 1] {
    let mut limits = [Limit::UNLIMITED; MAX_COUNT as usize + 1];
    if most.is_some() {
        limits.iter_mut().zip(0..).for_each(|(place, count)| *place = limit(count));
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn an_a100_is_answered_out_of_the_tables() {
        let prepared = Prepared::new(Catalog::builtin().find_arch("8.0").expect("8.0 is built in"));
        let limits = prepared.limits(&Launch { dynamic_smem_bytes: 48 << 10, ..Launch::new(256, 64) });
        let blocks = [limits.warps, limits.blocks, limits.registers, limits.shared_memory, limits.barriers].map(Limit::get);
        assert_eq!(blocks, [Some(8), Some(32), Some(4), Some(3), None]);
    }

    /// Barriers and virtual resources of a block.
    const COUNTS: [(u32, u32); 10] =
        [(0, 0), (1, 1), (64, 64), (65, 129), (129, 65), (255, 255), (256, 0), (0, 256), (256, 256), (u32::MAX, u32::MAX)];

    #[test]
    fn the_edges_of_the_tables_are_those_of_the_functions() {
        for arch in Catalog::with_textbook().archs() {
            let prepared = Prepared::new(arch);
            let most = u64::from(arch.optin_smem_per_block_bytes);
            for threads in [0, 1, 32, 33, 1023, 1024, 1025, 2049, u32::MAX] {
                for registers in [0, 1, 41, 255, 256, 257, u32::MAX] {
                    for bytes in [0, 1, most - 1, most, most + 1, most + 2048, u64::from(u32::MAX), u64::MAX] {
                        for (barriers, counted) in COUNTS {
                            let launch = Launch {
                                static_smem_bytes: u64::from(registers == 41) * 100,
                                opt_in: counted % 2 == 0,
                                dynamic_smem_bytes: bytes,
                                barriers_per_block: barriers,
                                virtual_resources_per_block: counted,
                                ..Launch::new(threads, registers)
                            };
                            let expected = limits::limits(arch, &launch);
                            assert_eq!(prepared.limits(&launch), expected, "{launch:?} on {}", arch.compute_capability);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn rare_options_are_answered_by_the_functions() {
        let plain = Launch { dynamic_smem_bytes: 20_000, ..Launch::new(96, 64) };
        let caching = [PartitionedCaching::On, PartitionedCaching::Strict];
        let preferences = [CachePreference::L1, CachePreference::Equal];
        let rare = caching.map(|partitioned_caching| Launch { partitioned_caching, ..plain.clone() }).into_iter();
        let rare = rare.chain(preferences.map(|cache_preference| Launch { cache_preference, ..plain.clone() }));
        let rare = rare.chain([0, 50].map(|percent| Launch { carveout_percent: Some(percent), ..plain.clone() }));
        let rare = rare.chain([19_999, 20_000].map(|bytes| Launch { max_dynamic_smem_bytes: Some(bytes), ..plain.clone() }));
        for launch in rare {
            for arch in Catalog::with_textbook().archs() {
                let expected = limits::limits(arch, &launch);
                assert_eq!(Prepared::new(arch).limits(&launch), expected, "{launch:?} on {}", arch.compute_capability);
            }
        }
    }
}
