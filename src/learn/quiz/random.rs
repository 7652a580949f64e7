//! Numbers that look random and are the same for the same seed, on every machine and in every release.

/// A generator after SplitMix64: one addition and three mixes a number.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        let count = u64::from(high - low) + 1;
        low + u32::try_from(self.next() % count).unwrap_or_default()
    }

    /// One of several; there has to be at least one.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let count = u32::try_from(of.len()).unwrap_or(u32::MAX);
        &of[self.between(0, count - 1) as usize]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = self.between(0, u32::try_from(at).unwrap_or(u32::MAX)) as usize;
            items.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let numbers = |seed: u64| {
            let mut random = Random::new(seed);
            [random.next(), random.next()]
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        // The first number that SplitMix64 gives for seed 0, as published.
        assert_eq!(numbers(0)[0], 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn a_range_is_met_at_both_ends() {
        let mut random = Random::new(1);
        let seen: std::collections::BTreeSet<u32> = (0..200).map(|_| random.between(3, 5)).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [3, 4, 5]);
    }
}
