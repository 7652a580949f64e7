//! Why many warps hide latency: a model of one scheduler whose warps compute, then wait, over and over.
//!
//! A model and not a simulation of hardware: one warp issues at a time, every turn is `compute_cycles` long, every wait
//! `wait_cycles`, and nothing else is in the way.

/// Warps that share one scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LatencyHiding {
    pub num_warps: u32,
    /// Cycles for which a warp issues before it has to wait; at least 1.
    pub compute_cycles: u32,
    pub wait_cycles: u32,
}

/// What a warp does from `start` to `end`, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub warp: u32,
    pub start: u64,
    /// The warp has issued all it can; it waits from here.
    pub computed: u64,
    /// What it waited for is there.
    pub end: u64,
}

impl LatencyHiding {
    /// The fewest warps with which the scheduler always finds one that can issue: `⌈(c + m) / c⌉`.
    ///
    /// 20 cycles of work and 400 of waiting: 21 warps.
    pub fn needed_warps(self) -> u32 {
        let compute = self.compute_cycles.max(1);
        compute.saturating_add(self.wait_cycles).div_ceil(compute)
    }

    /// The share of cycles in which a warp issues, 0 to 100: `N · c / (c + m)`, never more than all of them.
    ///
    /// 8 warps of 20 and 400 cycles: 38.1.
    pub fn utilization_percent(self) -> f64 {
        let compute = f64::from(self.compute_cycles.max(1));
        let round = compute + f64::from(self.wait_cycles);
        (100.0 * f64::from(self.num_warps) * compute / round).min(100.0)
    }

    /// The turns that begin before `cycles`, in the order in which they begin: the warp that has been ready for longest goes first.
    pub fn turns(self, cycles: u64) -> Vec<Turn> {
        let (compute, wait) = (u64::from(self.compute_cycles.max(1)), u64::from(self.wait_cycles));
        let mut ready = vec![0u64; self.num_warps as usize];
        let (mut turns, mut free) = (Vec::new(), 0u64);
        while let Some((warp, at)) = (0u32..).zip(ready.iter().copied()).min_by_key(|(warp, at)| (*at, *warp)) {
            let start = free.max(at);
            if start >= cycles {
                break;
            }
            let turn = Turn { warp, start, computed: start + compute, end: start + compute + wait };
            (free, ready[warp as usize]) = (turn.computed, turn.end);
            turns.push(turn);
        }
        turns
    }
}

/// Little's law: what is under way at once is the rate at which it is done times how long each takes.
///
/// 1,555 bytes a nanosecond for 500 nanoseconds: 777,500 bytes.
pub fn in_flight(rate: f64, time: f64) -> f64 {
    rate * time
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(num_warps: u32, compute_cycles: u32, wait_cycles: u32) -> LatencyHiding {
        LatencyHiding { num_warps, compute_cycles, wait_cycles }
    }

    #[test]
    fn enough_warps_keep_the_scheduler_busy() {
        assert_eq!(of(1, 20, 400).needed_warps(), 21);
        assert!((of(20, 20, 400).utilization_percent() - 2000.0 * 20.0 / 420.0).abs() < 1e-9);
        assert!((of(21, 20, 400).utilization_percent() - 100.0).abs() < 1e-9);
        assert!((of(64, 20, 400).utilization_percent() - 100.0).abs() < 1e-9);
        assert_eq!(of(1, 8, 0).needed_warps(), 1);
    }

    #[test]
    fn the_turns_agree_with_the_formula() {
        for num_warps in 1..=24 {
            let model = of(num_warps, 20, 400);
            // A whole number of rounds, the first left out.
            let (from, to) = (420 * 10, 420 * 30);
            let busy: u64 = model.turns(to).iter().map(|turn| turn.computed.clamp(from, to) - turn.start.clamp(from, to)).sum();
            let share = 100.0 * f64::from(u32::try_from(busy).unwrap()) / f64::from(420 * 20);
            assert!((share - model.utilization_percent()).abs() < 1e-9, "{num_warps} warps");
        }
    }

    #[test]
    fn one_warp_issues_at_a_time() {
        let turns = of(5, 7, 11).turns(500);
        assert!(turns.windows(2).all(|pair| pair[0].computed <= pair[1].start));
        assert!(of(0, 1, 1).turns(100).is_empty());
    }

    #[test]
    fn a_rate_and_a_time_are_an_amount() {
        assert!((in_flight(1555.0, 500.0) - 777_500.0).abs() < 1e-9);
    }
}
