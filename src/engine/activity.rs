//! How long the SMs were active, as measured, and what of the occupancy is lost while they are not.
//!
//! The profiler's achieved occupancy counts only cycles in which an SM has work. An SM that ran out of blocks early, or had
//! none at all, does not lower it, so unequal SMs are no part of the gap between theoretical and achieved. They are a loss
//! beyond it, and only the cycles of the SMs show it.

/// Cycles of one kernel, from a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmActivity {
    elapsed: f64,
    average: f64,
    range: Option<(f64, f64)>,
}

/// Occupancy that is lost while SMs are idle, in percentage points. Together with [`Self::over_elapsed`] it is the achieved value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdleLoss {
    /// Achieved occupancy per *elapsed* cycle: idle SMs count too.
    pub over_elapsed: f64,
    /// SMs that had nothing left, or nothing at all, while the busiest one was active: imbalance between SMs. None when the
    /// report does not say how long the busiest one was; then it is in [`Self::launch_and_drain`].
    pub imbalance: Option<f64>,
    /// No SM was active, or only some: launching the kernel and writing back its results.
    pub launch_and_drain: f64,
}

impl IdleLoss {
    pub fn total(&self) -> f64 {
        self.imbalance.unwrap_or(0.0) + self.launch_and_drain
    }
}

impl SmActivity {
    /// `range` has the cycles of the least and the most active SM. None when the numbers are no cycles of one kernel: not
    /// finite, negative, no time at all, or the average outside of the range.
    ///
    /// A profiler may measure active and elapsed cycles in different runs of the kernel; where the active ones exceed the
    /// elapsed ones, the kernel counts as that long.
    pub fn new(elapsed: f64, average: f64, range: Option<(f64, f64)>) -> Option<Self> {
        let is_count = |cycles: f64| cycles.is_finite() && cycles >= 0.0;
        if !is_count(elapsed) || !is_count(average) || average.max(elapsed) <= 0.0 {
            return None;
        }
        // Printed values are rounded to two decimals.
        let range = range.filter(|(low, high)| is_count(*low) && is_count(*high) && average >= low - 0.01 && average <= high + 0.01);
        let longest = range.map_or(average, |(_, high)| high.max(average));
        Some(Self { elapsed: elapsed.max(longest), average, range })
    }

    /// The share of the kernel's time in which the average SM was active, 0 to 100.
    pub fn average_percent(&self) -> f64 {
        100.0 * self.average / self.elapsed
    }

    /// The same of the least and the most active SM.
    pub fn range_percent(&self) -> Option<(f64, f64)> {
        self.range.map(|(low, high)| (100.0 * low / self.elapsed, 100.0 * high / self.elapsed))
    }

    /// How far the least and the most active SM lie from the average, in percent of it: 100 below, 18.4 above.
    pub fn deviation_percent(&self) -> Option<(f64, f64)> {
        let average = Some(self.average).filter(|average| *average > 0.0)?;
        self.range.map(|(low, high)| (100.0 * (average - low).max(0.0) / average, 100.0 * (high - average).max(0.0) / average))
    }

    /// Splits what is lost beyond `achieved`, in percent of the kernel's whole time on all SMs.
    ///
    /// With `a` the average active cycles, `m` those of the busiest SM and `e` the elapsed ones: over the whole time
    /// `achieved · a/e` is held, `achieved · (m − a)/e` is lost to imbalance, and `achieved · (e − m)/e` before the first
    /// and after the last SM works. The three sum to `achieved`, and none is negative.
    ///
    /// Achieved 6.2 %, 16,201 of 25,591 cycles active, the busiest SM 19,181: 3.9 points are held, 0.7 are lost to imbalance and
    /// 1.6 to launch and drain.
    pub fn loss(&self, achieved: f64) -> IdleLoss {
        let achieved = achieved.max(0.0);
        let over_elapsed = achieved * self.average / self.elapsed;
        let imbalance = self.range.map(|(_, high)| achieved * (high - self.average).max(0.0) / self.elapsed);
        let launch_and_drain = (achieved - over_elapsed - imbalance.unwrap_or(0.0)).max(0.0);
        IdleLoss { over_elapsed, imbalance, launch_and_drain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_b200_example() {
        let activity = SmActivity::new(25_591.0, 16_200.824_324, Some((0.0, 19_181.0))).unwrap();
        let loss = activity.loss(6.212_837);
        assert_eq!(format!("{:.2} {:.2} {:.2}", loss.over_elapsed, loss.imbalance.unwrap(), loss.launch_and_drain), "3.93 0.72 1.56");
        assert!((loss.over_elapsed + loss.total() - 6.212_837).abs() < 1e-9, "what is held and what is lost are all there was");
        assert_eq!(format!("{:.1}", activity.average_percent()), "63.3");
        let (below, above) = activity.deviation_percent().unwrap();
        assert_eq!(format!("{below:.1} {above:.1}"), "100.0 18.4");
    }

    #[test]
    fn without_the_busiest_sm_nothing_is_called_imbalance() {
        let loss = SmActivity::new(1000.0, 900.0, None).unwrap().loss(50.0);
        assert_eq!((loss.imbalance, loss.over_elapsed, loss.launch_and_drain), (None, 45.0, 5.0));
    }

    #[test]
    fn numbers_that_are_no_cycles_are_refused() {
        assert_eq!(SmActivity::new(0.0, 0.0, None), None);
        assert_eq!(SmActivity::new(f64::NAN, 1.0, None), None);
        assert_eq!(SmActivity::new(10.0, -1.0, None), None);
        // An average outside of its range: the range is not used.
        assert_eq!(SmActivity::new(10.0, 9.0, Some((1.0, 5.0))).unwrap().range_percent(), None);
    }

    #[test]
    fn a_kernel_is_as_long_as_its_busiest_sm() {
        let activity = SmActivity::new(990.0, 950.0, Some((900.0, 1000.0))).unwrap();
        assert!((activity.average_percent() - 95.0).abs() < 1e-9);
        assert!(activity.loss(40.0).launch_and_drain.abs() < 1e-9);
        assert_eq!(activity.range_percent(), Some((90.0, 100.0)));
        let (below, above) = activity.deviation_percent().unwrap();
        assert!((below - 5000.0 / 950.0).abs() < 1e-9 && (above - 5000.0 / 950.0).abs() < 1e-9);
    }

    #[test]
    fn sms_that_never_worked_deviate_from_nothing() {
        assert_eq!(SmActivity::new(10.0, 0.0, Some((0.0, 0.0))).unwrap().deviation_percent(), None);
    }
}
