//! One answer as one 64-bit word, and many words as one hash. The layout is that of `tests/golden/README.md`.

use occuscope::engine::{Limit, Limits};

/// The header's bit mask of limiting factors, worked out again from our limits.
///
/// First every limit but the barriers is compared with the smallest of them. Then, where the barriers allow no more than
/// that, their bit is added, and the bits of limits that no longer bind are left standing.
pub fn mask_with_stale_bits(limits: &Limits) -> u32 {
    let smallest = limits.warps.min(limits.registers).min(limits.shared_memory).min(limits.blocks).min(limits.virtual_resources);
    let bit = |limit: Limit, bit: u32| if limit == smallest { bit } else { 0 };
    bit(limits.warps, 1)
        | bit(limits.registers, 2)
        | bit(limits.shared_memory, 4)
        | bit(limits.blocks, 8)
        | bit(limits.virtual_resources, 32)
        // The block slots are always finite, so an unlimited one is never at most the smallest.
        | if limits.barriers <= smallest { 16 } else { 0 }
}

/// Blocks, mask and four limits of a valid launch; what does not fit its field, unlimited included, is all ones.
pub fn pack(limits: &Limits) -> u64 {
    let field = |limit: Limit, bits: u32| u64::from(limit.get().unwrap_or(u32::MAX)).min((1 << bits) - 1);
    u64::from(limits.min_blocks()).min(0xffff)
        | u64::from(mask_with_stale_bits(limits)) << 16
        | field(limits.warps, 8) << 24
        | field(limits.blocks, 8) << 32
        | field(limits.registers, 12) << 40
        | field(limits.shared_memory, 12) << 52
}

/// The hash of a sequence of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub const fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x100_0000_01b3);
        self.0 = mixed ^ (mixed >> 29);
    }
}
