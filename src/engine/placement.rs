//! Where the resident blocks of a launch sit on one SM: the picture behind the SM map.
//!
//! A model, not a measurement: which warp goes to which sub-partition is the hardware's own choice and not public. Here
//! each warp goes to the sub-partition with the fewest warps, the lowest one on a tie, which fills the register files as
//! evenly as the limits assume. Amounts are exact; positions are illustration.

use super::launch::Launch;
use super::limits::Resource;
use super::occupancy::{Occupancy, evaluate};
use crate::arch::Arch;

/// All resident blocks of one SM, in the order in which they are placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub occupancy: Occupancy,
    pub blocks: Vec<PlacedBlock>,
    pub sub_partitions: u32,
    pub warp_slots_per_sub_partition: u32,
    pub registers_per_sub_partition: u32,
}

/// One resident block. Its block slot is its index in [`Placement::blocks`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedBlock {
    pub warps: Vec<PlacedWarp>,
    /// Where its shared memory starts in the pool, in bytes.
    pub smem_offset_bytes: u64,
}

/// One resident warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedWarp {
    pub sub_partition: u32,
    /// The warp slot within its sub-partition.
    pub slot: u32,
    /// Where its registers start in the file of its sub-partition, in registers.
    pub register_offset: u64,
}

impl Placement {
    /// Places every block that fits. Empty when the launch cannot run.
    pub fn new(arch: &Arch, launch: &Launch) -> Self {
        let occupancy = evaluate(arch, launch);
        let mut warps_in = vec![0u32; arch.sub_partitions as usize];
        let mut blocks = Vec::with_capacity(occupancy.blocks_per_sm as usize);
        let mut smem_offset_bytes = 0;
        for index in 0..occupancy.blocks_per_sm {
            let allowed = sub_partitions_for(arch, &occupancy, index);
            let warps = (0..occupancy.warps_per_block)
                .map(|_| place_warp(&mut warps_in, allowed.clone(), occupancy.registers.allocated_per_warp))
                .collect();
            blocks.push(PlacedBlock { warps, smem_offset_bytes });
            smem_offset_bytes += occupancy.smem.allocated_per_block;
        }
        Self {
            blocks,
            sub_partitions: arch.sub_partitions,
            warp_slots_per_sub_partition: arch.max_warps_per_sm() / arch.sub_partitions,
            registers_per_sub_partition: arch.registers_per_sm / arch.sub_partitions,
            occupancy,
        }
    }

    /// Where the warps of one more block would go if the sub-partitions had no end: the block that is refused.
    ///
    /// At most `max_warps` of them, because a launch that cannot run may have any number.
    pub fn next_warps(&self, arch: &Arch, max_warps: u32) -> Vec<PlacedWarp> {
        let mut warps_in: Vec<u32> = (0..self.sub_partitions).map(|index| self.warps_in(index, self.blocks.len())).collect();
        let allowed = sub_partitions_for(arch, &self.occupancy, self.occupancy.blocks_per_sm);
        let warps = 0..self.occupancy.warps_per_block.min(max_warps);
        warps.map(|_| place_warp(&mut warps_in, allowed.clone(), self.occupancy.registers.allocated_per_warp)).collect()
    }

    /// Warps of the first `placed` blocks in `sub_partition`.
    pub fn warps_in(&self, sub_partition: u32, placed: usize) -> u32 {
        let warps = self.blocks.iter().take(placed).flat_map(|block| &block.warps);
        u32::try_from(warps.filter(|warp| warp.sub_partition == sub_partition).count()).unwrap_or(u32::MAX)
    }
}

/// The resources that a block takes, in the order in which a picture of the placement shows them; at least its warp slots.
///
/// The order is illustration: the hardware takes all of them or none. The block slot comes with the warp slots.
pub fn resources_of_a_block(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> Vec<Resource> {
    let mut taken = vec![Resource::Warps];
    taken.extend((occupancy.registers.allocated_per_block > 0).then_some(Resource::Registers));
    taken.extend((occupancy.smem.allocated_per_block > 0).then_some(Resource::SharedMemory));
    taken.extend(barriers_matter(arch, launch, occupancy).then_some(Resource::Barriers));
    taken
}

/// Whether barriers are worth a picture: every block has one, and only more, or too many blocks, make them matter.
pub fn barriers_matter(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> bool {
    arch.max_barriers_per_sm.is_some() && (launch.barriers_per_block > 1 || occupancy.limiters.contains(Resource::Barriers))
}

/// With partitioned caching a block lives in one half of the SM, and blocks alternate between the halves.
fn sub_partitions_for(arch: &Arch, occupancy: &Occupancy, block: u32) -> std::ops::Range<usize> {
    let all = arch.sub_partitions as usize;
    match (occupancy.partitioned_caching, block % 2) {
        (false, _) => 0..all,
        (true, 0) => 0..all / 2,
        (true, _) => all / 2..all,
    }
}

fn place_warp(warps_in: &mut [u32], allowed: std::ops::Range<usize>, registers_per_warp: u64) -> PlacedWarp {
    let emptiest = allowed.clone().min_by_key(|index| warps_in[*index]).unwrap_or(allowed.start);
    let slot = warps_in[emptiest];
    warps_in[emptiest] += 1;
    PlacedWarp {
        sub_partition: u32::try_from(emptiest).unwrap_or(0),
        slot,
        register_offset: registers_per_warp.saturating_mul(slot.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    fn arch(compute_capability: &str) -> &'static Arch {
        Catalog::builtin().find_arch(compute_capability).expect("a built-in architecture")
    }

    #[test]
    fn the_block_that_is_refused_goes_on_where_the_others_end() {
        // 3 blocks of 8 warps: each of 4 sub-partitions has 6 warps of 2,048 registers.
        let launch = Launch { dynamic_smem_bytes: 48 << 10, ..Launch::new(256, 64) };
        let next = Placement::new(arch("8.0"), &launch).next_warps(arch("8.0"), 5);
        let at = |sub_partition: u32, slot: u32| PlacedWarp { sub_partition, slot, register_offset: u64::from(slot) * 2048 };
        assert_eq!(next, [at(0, 6), at(1, 6), at(2, 6), at(3, 6), at(0, 7)]);
    }

    fn resources(compute_capability: &str, launch: &Launch) -> Vec<Resource> {
        resources_of_a_block(arch(compute_capability), launch, &evaluate(arch(compute_capability), launch))
    }

    #[test]
    fn a_block_takes_what_it_asks_for_and_what_the_driver_adds() {
        assert_eq!(resources("5.2", &Launch::new(256, 0)), [Resource::Warps]);
        assert_eq!(resources("5.2", &Launch::new(256, 32)), [Resource::Warps, Resource::Registers]);
        assert_eq!(resources("8.0", &Launch::new(256, 0)), [Resource::Warps, Resource::SharedMemory]);
    }

    #[test]
    fn one_barrier_matters_only_where_barriers_stop_the_next_block() {
        let with = |barriers_per_block, threads| Launch { barriers_per_block, ..Launch::new(threads, 32) };
        let matter = |cc, launch: &Launch| resources(cc, launch).contains(&Resource::Barriers);
        assert!(matter("9.0", &with(2, 256)) && !matter("9.0", &with(1, 256)) && !matter("9.0", &with(0, 256)));
        // 24 barriers are 24 blocks of 2 warps, as many as the 48 warp slots hold.
        assert!(matter("12.0", &with(1, 64)) && !matter("12.0", &with(0, 64)) && !matter("12.0", &with(1, 256)));
        assert!(!matter("8.0", &with(2, 256)), "before 9.0 nobody counts them");
    }
}
