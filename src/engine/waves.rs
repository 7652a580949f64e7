//! Waves, tail and the gap between theoretical and achieved occupancy.
//!
//! A wave is a picture: as many blocks as the GPU holds at once. The hardware starts a new block whenever a slot is free,
//! so above one wave the figures here are estimates from equal block times; below one wave they are bounds.

use super::occupancy::Occupancy;

/// A grid laid over all SMs of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waves {
    pub num_sms: u32,
    pub grid_blocks: u64,
    /// Block slots of the whole GPU: blocks per SM times SMs.
    pub blocks_per_wave: u64,
    pub full_waves: u64,
    /// Blocks of the last, partial wave; 0 when the waves are exactly full.
    pub partial_wave_blocks: u64,
    blocks_per_sm: u32,
    warps_per_block: u32,
    max_warps_per_sm: u32,
}

impl Waves {
    /// None when the launch cannot run, or there are no blocks or no SMs.
    pub fn new(occupancy: &Occupancy, num_sms: u32, grid_blocks: u64) -> Option<Self> {
        Self::from_counts(occupancy.blocks_per_sm, occupancy.warps_per_block, occupancy.max_warps_per_sm, num_sms, grid_blocks)
    }

    /// As [`Waves::new`], from counts that a report states. None when one of them is 0.
    pub fn from_counts(blocks_per_sm: u32, warps_per_block: u32, max_warps_per_sm: u32, num_sms: u32, grid_blocks: u64) -> Option<Self> {
        let blocks_per_wave = u64::from(blocks_per_sm) * u64::from(num_sms);
        if blocks_per_wave == 0 || grid_blocks == 0 || max_warps_per_sm == 0 || warps_per_block == 0 {
            return None;
        }
        Some(Self {
            num_sms,
            grid_blocks,
            blocks_per_wave,
            full_waves: grid_blocks / blocks_per_wave,
            partial_wave_blocks: grid_blocks % blocks_per_wave,
            blocks_per_sm,
            warps_per_block,
            max_warps_per_sm,
        })
    }

    /// Waves of the grid, with their fraction: 1.63.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of counts; grids end at 2^63")]
    pub fn waves(&self) -> f64 {
        self.grid_blocks as f64 / self.blocks_per_wave as f64
    }

    /// The grid is smaller than one wave: slots stay empty from the start, which is not a tail.
    pub fn is_unfilled(&self) -> bool {
        self.full_waves == 0
    }

    /// There is a partial wave after at least one full one.
    pub fn has_tail(&self) -> bool {
        self.full_waves > 0 && self.partial_wave_blocks > 0
    }

    /// Waves counted whole, the partial one included.
    pub fn total_waves(&self) -> u64 {
        self.full_waves + u64::from(self.partial_wave_blocks > 0)
    }

    /// How much of the run time the partial wave may account for when all blocks take equally long, 0 to 100; 0 when there is none.
    ///
    /// One full wave and a partial one: up to 50.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of counts; grids end at 2^63")]
    pub fn partial_wave_max_time_percent(&self) -> f64 {
        if self.partial_wave_blocks == 0 { 0.0 } else { 100.0 / (self.full_waves + 1) as f64 }
    }

    /// The share of block slots that ever hold a block, 0 to 100.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of counts; grids end at 2^63")]
    pub fn slot_efficiency_percent(&self) -> f64 {
        100.0 * self.grid_blocks as f64 / (self.total_waves() as f64 * self.blocks_per_wave as f64)
    }

    /// The occupancy this grid reaches per *active* cycle when blocks take equally long and are spread evenly, 0 to 100.
    ///
    /// Below one wave a hard upper bound; above, an estimate. A grid of at most one block an SM reaches `w / W`, however
    /// high the theoretical value.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of counts; grids end at 2^63")]
    pub fn grid_limited_percent(&self) -> f64 {
        let sms = u64::from(self.num_sms);
        let active = sms as f64 * self.full_waves as f64 + self.partial_wave_blocks.min(sms) as f64;
        self.warp_share_percent() * self.grid_blocks as f64 / active
    }

    /// As [`Self::grid_limited_percent`], per *elapsed* cycle: an SM that idles through the last wave counts too.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of counts; grids end at 2^63")]
    pub fn grid_limited_per_elapsed_percent(&self) -> f64 {
        self.warp_share_percent() * self.grid_blocks as f64 / (f64::from(self.num_sms) * self.total_waves() as f64)
    }

    /// The theoretical occupancy these waves are made of, 0 to 100.
    pub fn theoretical_percent(&self) -> f64 {
        self.warp_share_percent() * f64::from(self.blocks_per_sm)
    }

    /// The nearest grids below and above that fill their waves, in blocks; the lower one is none below one wave.
    pub fn full_wave_grids(&self) -> (Option<u64>, u64) {
        let below = (self.full_waves > 0).then(|| self.full_waves * self.blocks_per_wave);
        let above = self.blocks_per_wave.saturating_mul(self.total_waves());
        (below, above)
    }

    /// Blocks that an SM holds at once.
    pub const fn blocks_per_sm(&self) -> u32 {
        self.blocks_per_sm
    }

    /// What one block contributes to an SM's occupancy, 0 to 100.
    pub fn warp_share_percent(&self) -> f64 {
        100.0 * f64::from(self.warps_per_block) / f64::from(self.max_warps_per_sm)
    }
}

/// Where the difference between theoretical and achieved occupancy goes, in percentage points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    pub theoretical: f64,
    /// None when the grid, the number of SMs or the blocks per SM are not known.
    pub grid_limited: Option<f64>,
    pub achieved: f64,
    /// Certain: the grid is smaller than one wave.
    pub unfilled: f64,
    /// At most this much is the partial wave's.
    pub tail_up_to: f64,
    /// The rest, at least: warps that end early, block times that differ, launch and drain, imbalance between SMs.
    pub other: f64,
}

impl Gap {
    /// Splits the gap. `theoretical` and `achieved` in percent.
    ///
    /// Achieved above theoretical happens in real reports by some hundredths: then nothing is split and all parts are 0.
    pub fn new(theoretical: f64, achieved: f64, waves: Option<&Waves>) -> Self {
        let gap = (theoretical - achieved).max(0.0);
        let grid_limited = waves.map(Waves::grid_limited_percent);
        let lost_to_grid = grid_limited.map_or(0.0, |grid_limited| (theoretical - grid_limited).clamp(0.0, gap));
        let unfilled = if waves.is_some_and(Waves::is_unfilled) { lost_to_grid } else { 0.0 };
        let tail_up_to = if waves.is_some_and(Waves::has_tail) { lost_to_grid } else { 0.0 };
        Self { theoretical, grid_limited, achieved, unfilled, tail_up_to, other: gap - unfilled - tail_up_to }
    }

    /// Achieved is above theoretical; nothing is split.
    pub fn is_above_theoretical(&self) -> bool {
        self.achieved > self.theoretical
    }

    /// Achieved is above what equal block times would give: the blocks overlapped better.
    pub fn overlapped_better(&self) -> bool {
        self.grid_limited.is_some_and(|grid_limited| self.achieved > grid_limited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_full_wave_and_136_blocks() {
        // 152 SMs, one block of 12 warps each, 288 blocks: the profiler's own sentence says 1 full wave and 136 blocks, up to 50 %.
        let waves = Waves::from_counts(1, 12, 64, 152, 288).unwrap();
        assert_eq!((waves.full_waves, waves.partial_wave_blocks), (1, 136));
        assert!((waves.partial_wave_max_time_percent() - 50.0).abs() < 1e-9);
        assert!((waves.slot_efficiency_percent() - 100.0 * 288.0 / 304.0).abs() < 1e-9);
        assert!((waves.grid_limited_percent() - 18.75).abs() < 1e-9);
        assert_eq!(waves.full_wave_grids(), (Some(152), 304));
    }

    #[test]
    fn where_a_count_is_zero_there_are_no_waves() {
        assert!(Waves::from_counts(1, 12, 64, 152, 288).is_some());
        for [blocks, warps, max_warps, sms] in [[0, 12, 64, 152], [1, 0, 64, 152], [1, 12, 0, 152], [1, 12, 64, 0]] {
            assert_eq!(Waves::from_counts(blocks, warps, max_warps, sms, 288), None);
        }
        assert_eq!(Waves::from_counts(1, 12, 64, 152, 0), None);
    }

    #[test]
    fn waves_have_a_fraction() {
        let waves = Waves::from_counts(2, 8, 64, 108, 352).unwrap();
        assert!((waves.waves() - 352.0 / 216.0).abs() < 1e-12);
        assert_eq!(waves.blocks_per_sm(), 2);
    }

    #[test]
    fn a_grid_of_one_block_an_sm_reaches_one_block() {
        let waves = Waves::from_counts(8, 8, 64, 108, 100).unwrap();
        assert!(waves.is_unfilled() && !waves.has_tail());
        assert!((waves.grid_limited_percent() - 12.5).abs() < 1e-9);
        assert_eq!(waves.full_wave_grids(), (None, 864));
    }

    #[test]
    fn full_waves_have_no_tail() {
        let waves = Waves::from_counts(2, 8, 64, 108, 432).unwrap();
        assert!(!waves.has_tail() && !waves.is_unfilled());
        assert!((waves.grid_limited_percent() - waves.theoretical_percent()).abs() < 1e-9);
        assert!((waves.slot_efficiency_percent() - 100.0).abs() < 1e-9);
        assert!(waves.partial_wave_max_time_percent().abs() < 1e-9);
        assert_eq!(waves.full_wave_grids(), (Some(432), 432));
    }

    #[test]
    fn the_gap_of_a_partial_wave_is_an_upper_estimate() {
        // 25 % theoretical, 352 blocks on 216 slots: grid-limited 20.37.
        let waves = Waves::from_counts(2, 8, 64, 108, 352).unwrap();
        let gap = Gap::new(25.0, 19.1, Some(&waves));
        let grid_limited = 12.5 * 352.0 / 216.0;
        assert!((gap.tail_up_to - (25.0 - grid_limited)).abs() < 1e-9);
        assert!((gap.unfilled + gap.tail_up_to + gap.other - 5.9).abs() < 1e-9);
        assert!(!gap.overlapped_better());
    }

    #[test]
    fn the_parts_never_exceed_the_gap() {
        let waves = Waves::from_counts(2, 8, 64, 108, 352).unwrap();
        let gap = Gap::new(25.0, 24.0, Some(&waves));
        assert!((gap.tail_up_to - 1.0).abs() < 1e-9 && gap.other.abs() < 1e-9);
        assert!(gap.overlapped_better() && !gap.is_above_theoretical());
    }

    #[test]
    fn what_was_expected_is_neither_above_nor_better() {
        let full = Waves::from_counts(2, 8, 64, 108, 432).unwrap();
        let gap = Gap::new(25.0, 25.0, Some(&full));
        assert!(!gap.is_above_theoretical() && !gap.overlapped_better());
    }

    #[test]
    fn achieved_above_theoretical_splits_nothing() {
        let gap = Gap::new(50.0, 50.03, None);
        assert!(gap.is_above_theoretical());
        assert!(gap.unfilled == 0.0 && gap.tail_up_to == 0.0 && gap.other == 0.0);
    }
}
