//! What keeps a kernel busy, so that low occupancy is not taken for the reason.

use super::Sentence;
use crate::fmt::one_decimal;
use crate::import::Kernel;
use crate::import::account::said::{DominantStall, dominant_stall};

/// From here on the profiler calls a unit well used, and from [`NEAR_PEAK`] on it says that work must move elsewhere.
const WELL_USED: f64 = 60.0;
const NEAR_PEAK: f64 = 80.0;

/// What the report measured besides occupancy, in one line; empty when it has nothing of it.
///
/// "412.6 µs · Compute 61.4 % · DRAM 17.9 % · Stall Long Scoreboard 55.6 %".
pub fn figures(kernel: &Kernel) -> String {
    let mut parts: Vec<String> = kernel.measured.duration_ns.iter().map(|read| duration(read.value)).collect();
    parts.extend(throughputs(kernel).into_iter().map(|(name, percent)| format!("{name} {}\u{a0}%", one_decimal(percent))));
    parts.extend(
        dominant_stall(kernel).and_then(|stall| Some(format!("{} {}\u{a0}%", stall.reason?.name(), one_decimal(stall.share_percent)))),
    );
    parts.join(" · ")
}

/// Whether more warps are likely to help: what is at its peak, and what warps wait for. None when the report says neither.
///
/// "At 92 % of DRAM peak: more warps will not help." "Warps wait most for data from global, local or texture memory."
pub fn verdict(kernel: &Kernel) -> Option<Sentence> {
    let top = throughputs(kernel).into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let stall = dominant_stall(kernel);
    if top.is_none() && stall.is_none() {
        return None;
    }
    let strong = top.map_or_else(String::new, |(name, percent)| {
        if percent >= NEAR_PEAK {
            format!("At {percent:.0} % of {name} peak: more warps will not help.")
        } else if percent >= WELL_USED {
            format!("At {percent:.0} % of {name} peak: more warps may gain little.")
        } else {
            format!("Nothing is above {WELL_USED:.0} % of its peak.")
        }
    });
    let is_busy = top.is_some_and(|(_, percent)| percent >= WELL_USED);
    Some(Sentence { strong, rest: stall.map_or_else(String::new, |stall| waits(&stall, is_busy)) })
}

fn waits(stall: &DominantStall, is_busy: bool) -> String {
    let share = one_decimal(stall.share_percent);
    let Some(reason) = stall.reason else {
        return stall.sentence.as_ref().map(|sentence| format!("The profiler says: “{sentence}”")).unwrap_or_default();
    };
    let remedy = if !is_busy && reason.is_latency() { ", which more warps can hide" } else { "" };
    format!("Warps wait most {} ({}, {share} % of their time){remedy}.", reason.meaning(), reason.name())
}

/// The throughputs of single units where the report has them; else of memory as a whole.
fn throughputs(kernel: &Kernel) -> Vec<(&'static str, f64)> {
    let measured = &kernel.measured;
    let has_units = measured.dram_throughput_percent.is_some() || measured.l1_throughput_percent.is_some();
    let memory = measured.memory_throughput_percent.filter(|_| !has_units);
    let all = [
        ("compute", measured.compute_throughput_percent),
        ("DRAM", measured.dram_throughput_percent),
        ("L1/TEX", measured.l1_throughput_percent),
        ("L2", measured.l2_throughput_percent),
        ("memory", memory),
    ];
    all.into_iter().filter_map(|(name, read)| Some((name, read?.value))).collect()
}

/// "412.6 µs"; three units are enough for kernels.
fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    format!("{} {unit}", one_decimal(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::stalls::{StallReason, Stalls};
    use crate::import::{Measured, Position, Read};

    #[expect(clippy::unnecessary_wraps, reason = "reads like the fields of a kernel")]
    fn read(value: f64) -> Option<Read<f64>> {
        Some(Read::exact(value, Position::default()))
    }

    fn kernel(compute: f64, dram: f64, stall: Option<StallReason>) -> Kernel {
        let stalls = stall.map(|reason| {
            [(reason, Read::exact(3.0, Position::default())), (StallReason::Selected, Read::exact(1.0, Position::default()))]
        });
        let measured = Measured {
            duration_ns: read(412_600.0),
            compute_throughput_percent: read(compute),
            dram_throughput_percent: read(dram),
            stalls: Stalls(stalls.into_iter().flatten().collect()),
            ..Measured::default()
        };
        Kernel { measured, ..Kernel::default() }
    }

    #[test]
    fn at_its_peak_more_warps_do_not_help() {
        let busy = kernel(30.0, 92.0, Some(StallReason::LongScoreboard));
        assert_eq!(
            verdict(&busy).unwrap().to_string(),
            "At 92 % of DRAM peak: more warps will not help. Warps wait most for data from global, local or texture memory (Stall Long Scoreboard, 75.0 % of their time)."
        );
        assert_eq!(figures(&busy), "412.6 µs · compute 30.0\u{a0}% · DRAM 92.0\u{a0}% · Stall Long Scoreboard 75.0\u{a0}%");
    }

    #[test]
    fn latency_with_nothing_at_its_peak_can_be_hidden() {
        let idle = verdict(&kernel(20.0, 10.0, Some(StallReason::LongScoreboard))).unwrap().to_string();
        assert!(idle.starts_with("Nothing is above 60 % of its peak.") && idle.ends_with("which more warps can hide."), "{idle}");
        let queue = verdict(&kernel(20.0, 10.0, Some(StallReason::LgThrottle))).unwrap().to_string();
        assert!(!queue.contains("more warps can"), "{queue}");
        assert_eq!(verdict(&kernel(65.0, 10.0, None)).unwrap().strong, "At 65 % of compute peak: more warps may gain little.");
    }

    #[test]
    fn nothing_measured_is_nothing_said() {
        assert_eq!(verdict(&Kernel::default()), None);
        assert_eq!(figures(&Kernel::default()), "");
    }
}
