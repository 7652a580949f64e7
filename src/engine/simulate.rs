//! What a wave hides: blocks of unequal length, and a new one that starts whenever a slot is free.
//!
//! In: one schedule of a grid on the SMs of a GPU ([`Schedule`]), and what many of them come to ([`Spread`]). Not in: why
//! block times differ; they are drawn from a plain distribution with a seed, so the same input gives the same answer
//! everywhere. With equal times the results are those of [`Waves`].
//!
//! Start with [`Simulation`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::waves::Waves;

/// A grid of blocks whose times differ.
///
/// The time of a block is uniform between `1 − spread` and `1 + spread` times the mean, so its standard deviation is the
/// spread over √3: ±60 percent is one of 35 percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    waves: Waves,
    /// 0 (all blocks take equally long) to 100 (from nothing to twice the mean).
    spread_percent: u8,
}

/// Grids beyond this are not simulated: the closed form of [`Waves`] is all there is.
///
/// It is a bound on work, not on truth: 50,000 blocks are some milliseconds a run.
pub const MAX_BLOCKS: u64 = 50_000;

/// Block slots of an SM beyond which nothing is simulated. Hardware has 32 at most; a damaged report can claim anything.
pub const MAX_BLOCKS_PER_SM: u32 = 1024;

/// The mean time of a block. A power of two, so that equal times divide out without rounding.
pub const BLOCK_TICKS: u64 = 1 << 16;

/// Where and when one block ran. Times in ticks, see [`BLOCK_TICKS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub sm: u32,
    /// The block slot of the SM, from 0.
    pub slot: u32,
    pub start: u64,
    pub end: u64,
}

/// One way in which a grid can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    waves: Waves,
    /// The blocks in the order in which they started, which is the order of the grid.
    pub runs: Vec<Run>,
    /// When the last block ended, in ticks.
    pub makespan: u64,
    /// For each SM that has a block, when its last one ended. It is busy from 0 until then, without a break. They are the first
    /// SMs; none is left out unless the grid has fewer blocks than the GPU has SMs.
    pub sm_ends: Vec<u64>,
    busy_ticks: u64,
}

impl Simulation {
    /// None for a grid of more than [`MAX_BLOCKS`], or more than [`MAX_BLOCKS_PER_SM`] on one SM. A spread above 100 counts as 100.
    pub fn new(waves: Waves, spread_percent: u8) -> Option<Self> {
        let is_small = waves.grid_blocks <= MAX_BLOCKS && waves.blocks_per_sm() <= MAX_BLOCKS_PER_SM;
        is_small.then_some(Self { waves, spread_percent: spread_percent.min(100) })
    }

    pub const fn waves(&self) -> &Waves {
        &self.waves
    }

    pub const fn spread_percent(&self) -> u8 {
        self.spread_percent
    }

    /// Runs the grid once.
    ///
    /// The first blocks go over the SMs in turn, one each, then a second one each. From then on all slots are taken, and each
    /// slot that becomes free takes the next block at once. Slots that become free in the same tick take theirs in the order
    /// of the beginning, so that a partial wave of equal blocks is spread as evenly as the first.
    ///
    /// Takes about as long as sorting the blocks does.
    pub fn run(&self, seed: u64) -> Schedule {
        let waves = self.waves;
        let mut random = Random::new(seed);
        let mut free = slots(&waves);
        let mut runs = Vec::with_capacity(usize::try_from(waves.grid_blocks).unwrap_or(0));
        let num_used_sms = waves.grid_blocks.min(waves.num_sms.into());
        let mut sm_ends = vec![0; usize::try_from(num_used_sms).unwrap_or(0)];
        let mut busy_ticks = 0;
        for _ in 0..waves.grid_blocks {
            let Some(Reverse((start, slot, sm))) = free.pop() else { break };
            let ticks = self.block_ticks(&mut random);
            let end = start + ticks;
            runs.push(Run { sm, slot, start, end });
            sm_ends[sm as usize] = end.max(sm_ends[sm as usize]);
            busy_ticks += ticks;
            free.push(Reverse((end, slot, sm)));
        }
        let makespan = sm_ends.iter().copied().max().unwrap_or(0);
        Schedule { waves, runs, makespan, sm_ends, busy_ticks }
    }

    /// At least one tick: a block takes some time.
    fn block_ticks(&self, random: &mut Random) -> u64 {
        let half_width = BLOCK_TICKS * u64::from(self.spread_percent) / 100;
        (BLOCK_TICKS - half_width + random.up_to(2 * half_width)).max(1)
    }
}

/// All slots of the GPU that the grid can reach, free from the beginning. The smallest is taken first: by time, then slot, then SM.
fn slots(waves: &Waves) -> BinaryHeap<Reverse<(u64, u32, u32)>> {
    let needed = waves.grid_blocks.min(waves.blocks_per_wave);
    let all = (0..waves.blocks_per_sm()).flat_map(|slot| (0..waves.num_sms).map(move |sm| Reverse((0, slot, sm))));
    all.take(usize::try_from(needed).unwrap_or(usize::MAX)).collect()
}

impl Schedule {
    pub const fn num_sms(&self) -> u32 {
        self.waves.num_sms
    }

    pub const fn blocks_per_sm(&self) -> u32 {
        self.waves.blocks_per_sm()
    }

    /// Occupancy per *active* cycle, 0 to 100, as [`Waves::grid_limited_percent`]: an SM counts until its last block ends.
    #[expect(clippy::cast_precision_loss, reason = "ticks of at most 50,000 blocks are far below 2^53")]
    pub fn occupancy_percent(&self) -> f64 {
        self.waves.warp_share_percent() * self.busy_ticks as f64 / self.sm_ends.iter().sum::<u64>() as f64
    }

    /// Occupancy per *elapsed* cycle, 0 to 100, as [`Waves::grid_limited_per_elapsed_percent`]: every SM counts until the last block of all ends.
    #[expect(clippy::cast_precision_loss, reason = "ticks of at most 50,000 blocks are far below 2^53")]
    pub fn occupancy_per_elapsed_percent(&self) -> f64 {
        self.waves.warp_share_percent() * self.busy_ticks as f64 / (self.makespan as f64 * f64::from(self.waves.num_sms))
    }

    /// How long the whole grid took, in mean block times.
    #[expect(clippy::cast_precision_loss, reason = "ticks of at most 50,000 blocks are far below 2^53")]
    pub fn block_times(&self) -> f64 {
        self.makespan as f64 / BLOCK_TICKS as f64
    }

    /// Blocks that run at a time, in ticks.
    pub fn running_at(&self, time: u64) -> usize {
        self.runs.iter().filter(|run| (run.start..run.end).contains(&time)).count()
    }
}

/// What many schedules of one grid come to, gathered one run after another.
///
/// Seeds are 0, 1, 2 and so on, so that the answer depends on nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    simulation: Simulation,
    /// Occupancy per active cycle of each run so far, sorted.
    sorted: Vec<f64>,
}

impl Spread {
    /// Runs after which an answer is given.
    pub const RUNS: usize = 101;

    pub const fn new(simulation: Simulation) -> Self {
        Self { simulation, sorted: Vec::new() }
    }

    pub const fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    pub fn is_complete(&self) -> bool {
        self.sorted.len() >= Self::RUNS
    }

    pub fn num_runs(&self) -> usize {
        self.sorted.len()
    }

    /// Adds runs until about `max_blocks` blocks were placed, at least one run. Does nothing once complete.
    pub fn advance(&mut self, max_blocks: u64) {
        let mut placed = 0;
        while !self.is_complete() && (placed == 0 || placed < max_blocks) {
            let occupancy = self.simulation.run(self.sorted.len() as u64).occupancy_percent();
            let at = self.sorted.partition_point(|other| *other < occupancy);
            self.sorted.insert(at, occupancy);
            placed += self.simulation.waves.grid_blocks.max(1);
        }
    }

    /// The value that `percent` of the runs so far lie at or below; none before the first run.
    pub fn percentile(&self, percent: usize) -> Option<f64> {
        let last = self.sorted.len().checked_sub(1)?;
        self.sorted.get((last * percent.min(100) + 50) / 100).copied()
    }

    /// The middle of the runs so far.
    pub fn median(&self) -> Option<f64> {
        self.percentile(50)
    }

    /// What nine of ten runs lie between: the 5th and the 95th percentile.
    pub fn range(&self) -> Option<(f64, f64)> {
        Some((self.percentile(5)?, self.percentile(95)?))
    }
}

/// Random numbers that are the same on every machine. Quality matters little here.
///
/// Source: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), its constants included.
#[derive(Debug)]
struct Random(u64);

impl Random {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

    /// Seeds that follow each other must not give sequences that do.
    const fn new(seed: u64) -> Self {
        Self(mixed(seed.wrapping_add(Self::STEP)))
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        mixed(self.0)
    }

    /// A number from 0 to `last`, each equally likely but for one part in 2^32.
    const fn up_to(&mut self, last: u64) -> u64 {
        ((self.next() >> 32) * (last + 1)) >> 32
    }
}

const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulation(counts: (u32, u32, u64), spread_percent: u8) -> Simulation {
        let (blocks_per_sm, num_sms, grid_blocks) = counts;
        let waves = Waves::from_counts(blocks_per_sm, 8, 64, num_sms, grid_blocks).unwrap();
        Simulation::new(waves, spread_percent).unwrap()
    }

    #[test]
    fn equal_times_are_waves() {
        let schedule = simulation((1, 152, 288), 0).run(7);
        assert_eq!(schedule.makespan, 2 * BLOCK_TICKS);
        assert_eq!(schedule.running_at(BLOCK_TICKS - 1), 152);
        assert_eq!(schedule.running_at(BLOCK_TICKS), 136);
        assert!((schedule.block_times() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_block_starts_as_soon_as_a_slot_is_free() {
        // Two SMs with one slot each and three blocks: the third starts when the shorter of the first two ends.
        let runs = simulation((1, 2, 3), 80).run(1).runs;
        let shorter = if runs[0].end < runs[1].end { runs[0] } else { runs[1] };
        assert_eq!((runs[2].start, runs[2].sm), (shorter.end, shorter.sm));
    }

    #[test]
    fn unequal_times_can_beat_the_estimate() {
        // A nearly empty second wave: in lockstep it holds half of the SMs' active time, in truth it overlaps with the first.
        let simulation = simulation((4, 10, 50), 60);
        let estimate = simulation.waves().grid_limited_percent();
        let mut spread = Spread::new(simulation);
        spread.advance(u64::MAX);
        assert!(spread.is_complete() && spread.num_runs() == Spread::RUNS);
        assert!(spread.median().unwrap() > estimate, "{:?} against {estimate}", spread.median());
    }

    #[test]
    fn the_answer_is_the_same_on_every_machine() {
        let schedule = simulation((2, 4, 30), 40).run(3);
        assert_eq!((schedule.makespan, schedule.num_sms(), schedule.blocks_per_sm()), (296_093, 4, 2));
        let mut spread = Spread::new(simulation((2, 4, 30), 40));
        spread.advance(u64::MAX);
        let (low, high) = spread.range().unwrap();
        assert_eq!(format!("{low:.3} {:.3} {high:.3}", spread.median().unwrap()), "23.019 23.654 24.256");
    }

    #[test]
    fn the_work_is_bounded() {
        let waves = Waves::from_counts(2, 8, 64, 108, MAX_BLOCKS + 1).unwrap();
        assert_eq!(Simulation::new(waves, 10), None);
        let claimed = Waves::from_counts(u32::MAX, 8, 64, u32::MAX, 7).unwrap();
        assert_eq!(Simulation::new(claimed, 10), None);
        let many_sms = Waves::from_counts(2, 8, 64, u32::MAX, 7).unwrap();
        assert_eq!(Simulation::new(many_sms, 10).unwrap().run(0).sm_ends.len(), 7);
        let mut spread = Spread::new(simulation((2, 108, 50_000), 10));
        spread.advance(1);
        assert_eq!(spread.num_runs(), 1);
        spread.advance(50_000);
        assert_eq!(spread.num_runs(), 2, "one run placed them");
    }

    #[test]
    fn times_spread_over_the_whole_mean_at_most() {
        assert_eq!([0, 60, 100, 255].map(|percent| simulation((1, 2, 3), percent).spread_percent()), [0, 60, 100, 100]);
    }
}
