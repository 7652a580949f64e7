//! Random numbers that are the same on every run.

/// Steele, Lea and Flood's SplitMix64: one addition and three mixing steps a number.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`. The bias of the remainder does not matter here.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.next_u64() % end
    }

    /// One of the values.
    ///
    /// # Panics
    /// When there is none.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        let index = self.below(values.len() as u64);
        values[usize::try_from(index).expect("an index is small")]
    }

    /// True `percent` times of a hundred.
    pub const fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}
