//! What the picture shows: about two rounds of every warp's turns.

use crate::engine::latency::Turn;
use crate::fmt::percent;
use crate::learn::Latency;

/// More rows are left out; the scheduler's row has them all.
const MAX_ROWS: u32 = 24;

/// The turns that are drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Cycles from left to right.
    pub cycles: u64,
    pub turns: Vec<Turn>,
    /// Warps that have a row.
    pub shown: u32,
}

impl Picture {
    pub fn new(latency: Latency) -> Self {
        let round = u64::from(latency.compute_cycles.max(1)) + u64::from(latency.wait_cycles);
        let all = u64::from(latency.num_warps) * u64::from(latency.compute_cycles.max(1));
        let cycles = round.max(all) * 2;
        Self { cycles, turns: latency.turns(cycles), shown: latency.num_warps.min(MAX_ROWS) }
    }

    /// Rows of the picture, the scheduler's included.
    #[expect(clippy::cast_precision_loss, reason = "a few rows")]
    pub fn rows(&self) -> f32 {
        (self.shown + 1) as f32
    }

    /// Stretches in which no warp issues, as first and last cycle.
    pub fn lost(&self) -> Vec<(u64, u64)> {
        let mut free = 0;
        let mut lost = Vec::new();
        for turn in &self.turns {
            if turn.start > free {
                lost.push((free, turn.start));
            }
            free = turn.computed;
        }
        if free < self.cycles {
            lost.push((free, self.cycles));
        }
        lost
    }
}

/// The picture as a sentence.
pub fn in_words(latency: Latency) -> String {
    format!(
        "{} warps, each computes {} cycles and waits {}: the scheduler is busy {}, always from {} warps on",
        latency.num_warps,
        latency.compute_cycles,
        latency.wait_cycles,
        percent(latency.utilization_percent()),
        latency.needed_warps()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(num_warps: u32) -> Picture {
        Picture::new(Latency { num_warps, compute_cycles: 10, wait_cycles: 40 })
    }

    #[test]
    fn two_rounds_are_shown_with_their_gaps() {
        assert_eq!(of(2).cycles, 100);
        assert_eq!(of(2).lost(), [(20, 50), (70, 100)]);
        assert!(of(5).lost().is_empty());
    }

    #[test]
    fn many_warps_do_not_make_endless_rows() {
        assert_eq!(of(32).shown, MAX_ROWS);
        assert_eq!(of(32).cycles, 640);
    }
}
