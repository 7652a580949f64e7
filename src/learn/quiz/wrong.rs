//! The rules that people use instead of the right ones, and what each of them makes of a launch.
//!
//! They are wrong on purpose: the choices of a question are what they lead to.

use crate::arch::Arch;
use crate::engine::{Launch, Limit, Limits, Occupancy};

/// A rule that is nearly right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongRule {
    ThreadsNotWarps,
    NoRegisterRounding,
    RegistersRoundedPerBlock,
    OneRegisterFile,
    WarpsRoundedUp,
    NoReserve,
    NoSharedRounding,
    NoBlockSlots,
    RegistersIgnored,
    SharedMemoryIgnored,
}

impl WrongRule {
    pub const ALL: [Self; 10] = [
        Self::ThreadsNotWarps,
        Self::NoRegisterRounding,
        Self::RegistersRoundedPerBlock,
        Self::OneRegisterFile,
        Self::WarpsRoundedUp,
        Self::NoReserve,
        Self::NoSharedRounding,
        Self::NoBlockSlots,
        Self::RegistersIgnored,
        Self::SharedMemoryIgnored,
    ];

    /// What went wrong, as part of a sentence: "It …".
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThreadsNotWarps => "counts threads instead of whole warps",
            Self::NoRegisterRounding => "does not round registers up for each warp",
            Self::RegistersRoundedPerBlock => "rounds registers once for the block, not for each warp",
            Self::OneRegisterFile => "treats the register files of the sub-partitions as one",
            Self::WarpsRoundedUp => "rounds the warps of a block up to a multiple of the sub-partitions",
            Self::NoReserve => "forgets the shared memory that the driver reserves in every block",
            Self::NoSharedRounding => "does not round shared memory up",
            Self::NoBlockSlots => "ignores that an SM has only so many block slots",
            Self::RegistersIgnored => "ignores the registers",
            Self::SharedMemoryIgnored => "ignores the shared memory",
        }
    }

    /// The blocks per SM that the rule leads to; none where it cannot be told.
    pub fn blocks(self, arch: &Arch, launch: &Launch, right: &Occupancy) -> Option<u32> {
        let limits = right.limits;
        let changed = match self {
            Self::ThreadsNotWarps => Limits { warps: of(arch.max_threads_per_sm.into(), launch.threads_per_block().into())?, ..limits },
            Self::NoRegisterRounding | Self::RegistersRoundedPerBlock | Self::OneRegisterFile | Self::WarpsRoundedUp => {
                Limits { registers: self.by_registers(arch, launch, right)?, ..limits }
            }
            Self::NoReserve | Self::NoSharedRounding => Limits { shared_memory: self.by_shared_memory(arch, launch, right)?, ..limits },
            Self::NoBlockSlots => Limits { blocks: Limit::blocks(1 << 20), ..limits },
            Self::RegistersIgnored => Limits { registers: Limit::UNLIMITED, ..limits },
            Self::SharedMemoryIgnored => Limits { shared_memory: Limit::UNLIMITED, ..limits },
        };
        Some(changed.min_blocks())
    }

    /// The limit by registers that the rule leads to; none for a rule about something else.
    pub fn by_registers(self, arch: &Arch, launch: &Launch, right: &Occupancy) -> Option<Limit> {
        let warps = u64::from(launch.warps_per_block());
        let registers = u64::from(launch.registers_per_thread);
        let per_warp = right.registers.allocated_per_warp;
        let all = u64::from(arch.registers_per_sm);
        match self {
            Self::NoRegisterRounding => of(all, u64::from(launch.threads_per_block()) * registers),
            Self::RegistersRoundedPerBlock => of(all, (warps * 32 * registers).next_multiple_of(arch.register_allocation_unit.into())),
            Self::OneRegisterFile => of(all, per_warp * warps),
            Self::WarpsRoundedUp => {
                let partitions = u64::from(arch.sub_partitions);
                of(right.registers.warps_per_sub_partition? * partitions, warps.next_multiple_of(partitions))
            }
            _ => None,
        }
    }

    /// The limit by shared memory that the rule leads to; none for a rule about something else.
    pub fn by_shared_memory(self, arch: &Arch, launch: &Launch, right: &Occupancy) -> Option<Limit> {
        let asked = launch.requested_smem_bytes();
        let reserved = u64::from(arch.reserved_smem_per_block_bytes);
        match self {
            Self::NoReserve => of(right.smem.pool_per_sm, asked.next_multiple_of(arch.smem_allocation_unit_bytes.into())),
            Self::NoSharedRounding => of(right.smem.pool_per_sm, asked + reserved),
            _ => None,
        }
    }

    /// The bytes of shared memory a block would take; none for a rule about something else.
    pub fn smem_bytes(self, arch: &Arch, launch: &Launch) -> Option<u64> {
        match self {
            Self::NoReserve => Some(launch.requested_smem_bytes().next_multiple_of(arch.smem_allocation_unit_bytes.into())),
            Self::NoSharedRounding => Some(launch.requested_smem_bytes() + u64::from(arch.reserved_smem_per_block_bytes)),
            _ => None,
        }
    }
}

fn of(all: u64, one: u64) -> Option<Limit> {
    all.checked_div(one).and_then(|blocks| u32::try_from(blocks).ok()).map(Limit::blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;
    use crate::engine::evaluate;

    fn blocks(rule: WrongRule, threads: u32, registers: u32) -> (u32, u32) {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0");
        let launch = Launch::new(threads, registers);
        let right = evaluate(arch, &launch);
        (rule.blocks(arch, &launch, &right).expect("a number"), right.blocks_per_sm)
    }

    #[test]
    fn the_rules_are_wrong_where_they_are_known_to_be() {
        assert_eq!(blocks(WrongRule::NoRegisterRounding, 64, 33), (31, 24));
        assert_eq!(blocks(WrongRule::RegistersRoundedPerBlock, 64, 33), (28, 24));
        assert_eq!(blocks(WrongRule::OneRegisterFile, 160, 40), (10, 9));
        assert_eq!(blocks(WrongRule::WarpsRoundedUp, 96, 25), (16, 21));
        assert_eq!(blocks(WrongRule::NoBlockSlots, 32, 32), (64, 32));
        assert_eq!(blocks(WrongRule::ThreadsNotWarps, 48, 16), (32, 32));
    }
}
