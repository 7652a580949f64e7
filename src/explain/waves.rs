//! A grid and its waves in words: what was measured, what the model says, and why achieved lies below theoretical.

use super::Sentence;
use crate::engine::activity::SmActivity;
use crate::engine::simulate::{MAX_BLOCKS, Spread};
use crate::engine::{Gap, Waves};
use crate::fmt::{counted, grouped, one_decimal, percent};

/// From this many full waves on the tail is small whatever the block times.
const MANY_WAVES: u64 = 10;

/// What the cycles of the SMs say: worth more than any model.
///
/// "Measured: the average SM was active 63.3 % of the time; the least 0.0 %, the most 75.0 %."
pub fn measured(activity: &SmActivity) -> String {
    let range = match activity.range_percent() {
        Some((low, high)) => format!("; the least {}, the most {}", percent(low), percent(high)),
        None => String::new(),
    };
    format!("Measured: the average SM was active {} of the time{range}.", percent(activity.average_percent()))
}

/// What the model of equal block times says of a grid: unfilled, exactly full, a tail, or many waves.
pub fn waves(waves: &Waves) -> Sentence {
    let (slots, rest) = (grouped(waves.blocks_per_wave), waves.partial_wave_blocks);
    let full = counted(waves.full_waves, "full wave");
    let of_slots = format!("{} of {slots} blocks", grouped(rest));
    if waves.is_unfilled() {
        let bound = percent(waves.grid_limited_percent());
        let each = if waves.grid_blocks <= u64::from(waves.num_sms) { ", at most one block on an SM" } else { "" };
        return Sentence {
            strong: format!("{} for {slots} slots.", counted(waves.grid_blocks, "block")),
            rest: format!("The grid is smaller than one wave{each}: that keeps achieved at {bound} or below, for certain."),
        };
    }
    if !waves.has_tail() {
        return Sentence {
            strong: format!("{full}, exactly: no tail."),
            rest: "Nothing is lost to the grid as long as blocks take equally long.".to_owned(),
        };
    }
    let share = percent(waves.partial_wave_max_time_percent());
    let strong = format!("{full} + {of_slots}.");
    let idle = counted(waves.blocks_per_wave - rest, "slot");
    let rest = if waves.full_waves >= MANY_WAVES {
        format!("Among so many waves the last one takes up to {share} of the time: the tail is small.")
    } else {
        format!("With equal block times {idle} idle in the last wave, which takes up to {share} of the time.")
    };
    Sentence { strong, rest }
}

/// What blocks of unequal length make of the estimate, from the runs so far.
///
/// "With block times ±40 %: 71.2–78.4 % (equal times: 82.3 %)."
pub fn spread(spread: &Spread) -> String {
    let simulation = spread.simulation();
    let equal = percent(simulation.waves().grid_limited_percent());
    let Some((low, high)) = spread.range() else {
        return format!("With equal block times: {equal} grid-limited.");
    };
    let range = if one_decimal(low) == one_decimal(high) { percent(low) } else { format!("{}–{}", one_decimal(low), percent(high)) };
    let runs = if spread.is_complete() { String::new() } else { format!(" after {} of {} runs", spread.num_runs(), Spread::RUNS) };
    format!("With block times ±{} %: {range}{runs} (equal times: {equal}).", simulation.spread_percent())
}

/// Why a grid is not simulated.
pub fn too_large_to_simulate(waves: &Waves) -> String {
    if waves.grid_blocks <= MAX_BLOCKS {
        return "So many blocks on one SM are not simulated; only equal block times are worked out.".to_owned();
    }
    format!(
        "{} are more than the {} that are simulated; only equal block times are worked out.",
        counted(waves.grid_blocks, "block"),
        grouped(MAX_BLOCKS)
    )
}

/// Why achieved lies below theoretical, with the numbers.
///
/// "Achieved lies 5.9 points below theoretical." "Up to 4.6 of them are the tail: wave 2 fills 136 of 216 slots. The other 1.3 are
/// warps that end early, blocks of unequal length, launch and drain."
pub fn why_below(gap: &Gap, waves: Option<&Waves>) -> Sentence {
    if gap.is_above_theoretical() {
        return Sentence {
            strong: format!("Achieved lies {} points above theoretical.", two_decimals(gap.achieved - gap.theoretical)),
            rest: "Such small excesses happen in real reports: it is shown as it is, and nothing is split.".to_owned(),
        };
    }
    let points = one_decimal(gap.theoretical - gap.achieved);
    let strong = format!("Achieved lies {points} points below theoretical.");
    let other = "warps that end early, blocks of unequal length, launch and drain";
    let other_points = one_decimal(gap.other);
    let others = if other_points == "0.0" { String::new() } else { format!(" The other {other_points} are {other}.") };
    let rest = match waves {
        None => format!("The grid, the SMs or the blocks per SM are not known, so none of it is told apart from {other}."),
        Some(waves) if gap.unfilled > 0.0 => {
            let blocks = counted(waves.grid_blocks, "block");
            let slots = grouped(waves.blocks_per_wave);
            format!("For certain {} of them are unfilled slots: {blocks} for {slots}.{others}", one_decimal(gap.unfilled))
        }
        Some(waves) if gap.tail_up_to > 0.0 => {
            let tail = format!(
                "Up to {} of them are the tail: wave {} fills {} of {} slots.",
                one_decimal(gap.tail_up_to),
                grouped(waves.total_waves()),
                grouped(waves.partial_wave_blocks),
                grouped(waves.blocks_per_wave)
            );
            let overlapped =
                if gap.overlapped_better() { " The blocks overlapped better than equal times would, so the tail can be less." } else { "" };
            format!("{tail}{others}{overlapped}")
        }
        Some(waves) if !waves.has_tail() && !waves.is_unfilled() => {
            format!("The waves are exactly full, so none of it is the grid's: it is {other}.")
        }
        Some(waves) if waves.has_tail() => {
            format!("None of it is the tail's, because an SM without a block does not count in achieved: it is {other}.")
        }
        Some(_) => format!("None of it is the grid's: it is {other}."),
    };
    Sentence { strong, rest }
}

/// How unequal the SMs were; none where the report has no range.
///
/// "The busiest SM was active 18.4 % longer than the average, the least busy 100.0 % shorter."
pub fn unequal_sms(activity: &SmActivity) -> Option<String> {
    let (below, above) = activity.deviation_percent()?;
    Some(format!("The busiest SM was active {} longer than the average, the least busy one {} shorter.", percent(above), percent(below)))
}

fn two_decimals(value: f64) -> String {
    format!("{value:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::simulate::Simulation;

    fn counts(blocks_per_sm: u32, num_sms: u32, grid: u64) -> Waves {
        Waves::from_counts(blocks_per_sm, 8, 64, num_sms, grid).unwrap()
    }

    #[test]
    fn each_case_is_told_apart() {
        let said = |blocks, sms, grid| waves(&counts(blocks, sms, grid)).to_string();
        assert_eq!(
            said(8, 108, 100),
            "100 blocks for 864 slots. The grid is smaller than one wave, at most one block on an SM: that keeps achieved at 12.5 % or below, for certain."
        );
        assert_eq!(said(2, 108, 432), "2 full waves, exactly: no tail. Nothing is lost to the grid as long as blocks take equally long.");
        assert_eq!(
            said(1, 152, 288),
            "1 full wave + 136 of 152 blocks. With equal block times 16 slots idle in the last wave, which takes up to 50 % of the time."
        );
        assert!(said(2, 108, 8000).ends_with("takes up to 2.6 % of the time: the tail is small."));
    }

    #[test]
    fn above_one_wave_nothing_is_called_certain_or_a_bound() {
        for grid in [217, 352, 432, 8000] {
            let said = waves(&counts(2, 108, grid)).to_string();
            assert!(!said.contains("certain") && !said.contains("bound"), "{said}");
        }
    }

    #[test]
    fn the_reason_has_its_numbers() {
        let waves = counts(2, 108, 352);
        let said = why_below(&Gap::new(25.0, 19.1, Some(&waves)), Some(&waves)).to_string();
        assert!(said.starts_with(
            "Achieved lies 5.9 points below theoretical. Up to 4.6 of them are the tail: wave 2 fills 136 of 216 slots. The other 1.3"
        ));
        let small = counts(8, 108, 27);
        let said = why_below(&Gap::new(100.0, 11.9, Some(&small)), Some(&small)).to_string();
        assert!(said.contains("For certain 87.5 of them are unfilled slots: 27 blocks for 864."), "{said}");
        let all_unfilled = why_below(&Gap::new(100.0, 12.5, Some(&small)), Some(&small)).to_string();
        assert!(all_unfilled.ends_with("27 blocks for 864."), "no rest is spoken of where there is none: {all_unfilled}");
        assert!(why_below(&Gap::new(50.0, 50.03, None), None).to_string().starts_with("Achieved lies 0.03 points above"));
    }

    #[test]
    fn a_spread_stands_beside_the_estimate() {
        let waves = counts(2, 4, 30);
        let mut results = Spread::new(Simulation::new(waves, 40).unwrap());
        results.advance(1);
        assert!(spread(&results).contains("after 1 of 101 runs"));
        results.advance(u64::MAX);
        assert_eq!(spread(&results), "With block times ±40 %: 23.0–24.3 % (equal times: 23.4 %).");
    }

    #[test]
    fn what_was_measured_comes_with_its_range() {
        let activity = SmActivity::new(25_591.0, 16_200.824_324, Some((0.0, 19_181.0))).unwrap();
        assert_eq!(measured(&activity), "Measured: the average SM was active 63.3 % of the time; the least 0 %, the most 75 %.");
        let unequal = unequal_sms(&activity).unwrap();
        assert_eq!(unequal, "The busiest SM was active 18.4 % longer than the average, the least busy one 100 % shorter.");
    }
}
