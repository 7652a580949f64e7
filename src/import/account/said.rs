//! What the profiler's own rules say of waves, occupancy and SMs, in numbers, and whether they agree with ours.
//!
//! In: the sentences that carry numbers, known by their fixed words. Not in: its other advice. A sentence in other words than
//! these is no error; it is then only shown, not compared.

use super::Account;
use crate::engine::{Resource, ResourceSet};
use crate::import::Kernel;
use crate::import::stalls::StallReason;

/// A sentence of the profiler with the numbers in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// In the profiler's words.
    pub sentence: String,
    pub statement: Statement,
    /// Whether our numbers are the same, as far as they are printed. None where we have none.
    pub agrees: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statement {
    /// Full waves, blocks of the partial one, and the share of time that it may take at most.
    Waves {
        full: u64,
        rest: u64,
        max_time_percent: f64,
    },
    /// The grid is this part of a wave, printed with one decimal.
    Unfilled {
        waves: f64,
    },
    /// The grid has fewer blocks than the GPU has SMs.
    FewBlocks {
        blocks: u64,
        sms: u64,
    },
    Theoretical {
        percent: f64,
        /// Empty when nothing limits below 100 percent.
        limiters: ResourceSet,
    },
    Achieved {
        theoretical: f64,
        achieved: f64,
    },
    /// How far the most and the least active SM lie from the average. The profiler says "above the average" and divides by the
    /// most active one: with an average of 20,774 cycles and a maximum of 50,159 it says 58.58 %, not 141.45 %.
    Imbalance {
        above: f64,
        below: f64,
    },
}

impl Statement {
    /// Whether it is about the grid and its waves.
    pub const fn is_about_waves(&self) -> bool {
        matches!(self, Self::Waves { .. } | Self::Unfilled { .. } | Self::FewBlocks { .. })
    }
}

/// All such sentences in the rules of a kernel, in their order.
pub fn said(kernel: &Kernel, account: &Account) -> Vec<Said> {
    kernel
        .rules
        .iter()
        .filter_map(|rule| {
            let (statement, sentence) = read(&rule.text)?;
            Some(Said { sentence, statement, agrees: agrees(&statement, kernel, account) })
        })
        .collect()
}

const PARTIAL_WAVE: &str = " full waves and a partial wave of ";
const ACROSS_SMS: &str = " full waves across all SMs";
const FEW_BLOCKS: &str = " blocks, which is less than the GPU's ";
const THEORETICAL: &str = "theoretical occupancy (";
const DIFFERENCE: &str = "calculated theoretical (";
const ACHIEVED: &str = "measured achieved occupancy (";

/// What most of the warps' time went to.
#[derive(Clone, Debug, PartialEq)]
pub struct DominantStall {
    /// None when only a rule speaks of it, in words that name no reason known here.
    pub reason: Option<StallReason>,
    /// Of the time between two instructions of a warp.
    pub share_percent: f64,
    /// The rule's sentence, where it comes from a rule.
    pub sentence: Option<String>,
}

/// The dominant stall: from the report's numbers where it has them, else from the rule with the largest share.
pub fn dominant_stall(kernel: &Kernel) -> Option<DominantStall> {
    let measured = kernel.measured.stalls.dominant();
    let measured = measured.map(|(reason, share_percent)| DominantStall { reason: Some(reason), share_percent, sentence: None });
    let by_rules = kernel.rules.iter().filter_map(|rule| {
        let share_percent = number_after(&rule.text, STALL_SHARE).filter(|_| rule.text.contains(STALLED))?;
        let reason = STALL_WORDS.iter().find(|(words, _)| rule.text.contains(words)).map(|(_, reason)| *reason);
        Some(DominantStall { reason, share_percent, sentence: Some(sentences(&rule.text, &[STALLED])) })
    });
    measured.or_else(|| by_rules.max_by(|a, b| a.share_percent.total_cmp(&b.share_percent)))
}

const STALLED: &str = " cycles being stalled ";
const STALL_SHARE: &str = " represents about ";

/// How the profiler's rules describe what warps wait for.
const STALL_WORDS: [(&str, StallReason); 3] = [
    ("scoreboard dependency on a L1TEX", StallReason::LongScoreboard),
    ("L1 instruction queue for local and global", StallReason::LgThrottle),
    ("fixed latency execution dependency", StallReason::Wait),
];

/// How the profiler names what limits.
const LIMITERS: [(&str, Resource); 4] = [
    ("number of required registers", Resource::Registers),
    ("required amount of shared memory", Resource::SharedMemory),
    ("number of warps within each block", Resource::Warps),
    ("number of blocks that can fit on the SM", Resource::Blocks),
];

fn read(text: &str) -> Option<(Statement, String)> {
    if let Some((before, after)) = text.split_once(PARTIAL_WAVE) {
        let max_time_percent = number_after(text, "may account for up to ")?;
        let statement = Statement::Waves { full: last_count(before)?, rest: first_count(after)?, max_time_percent };
        return Some((statement, sentences(text, &[PARTIAL_WAVE, "may account for up to "])));
    }
    if let Some((before, _)) = text.split_once(ACROSS_SMS) {
        let waves = before.rsplit(' ').next()?.parse().ok()?;
        return Some((Statement::Unfilled { waves }, sentences(text, &[ACROSS_SMS])));
    }
    if let Some((before, after)) = text.split_once(FEW_BLOCKS) {
        let statement = Statement::FewBlocks { blocks: last_count(before)?, sms: first_count(after)? };
        return Some((statement, sentences(text, &[FEW_BLOCKS])));
    }
    if text.starts_with("One or more SMs ") {
        let above = number_after(text, "Maximum instance value is ")?;
        let below = number_after(text, "minimum instance value is ")?;
        return Some((Statement::Imbalance { above, below }, sentences(text, &["Maximum instance value is "])));
    }
    if let Some(percent) = number_after(text, THEORETICAL) {
        let limiters = LIMITERS.iter().filter(|(words, _)| text.contains(words)).map(|(_, resource)| *resource).collect();
        return Some((Statement::Theoretical { percent, limiters }, sentences(text, &[THEORETICAL])));
    }
    let (theoretical, achieved) = (number_after(text, DIFFERENCE)?, number_after(text, ACHIEVED)?);
    Some((Statement::Achieved { theoretical, achieved }, sentences(text, &[DIFFERENCE])))
}

/// The sentences of `text` that have one of these words in them.
fn sentences(text: &str, words: &[&str]) -> String {
    let with_words = text.split(". ").filter(|sentence| words.iter().any(|words| sentence.contains(words)));
    with_words.map(|sentence| format!("{}.", sentence.trim().trim_end_matches('.'))).collect::<Vec<_>>().join(" ")
}

fn count(text: &str) -> Option<u64> {
    text.replace(',', "").parse().ok()
}

fn last_count(text: &str) -> Option<u64> {
    count(text.rsplit(' ').next()?)
}

fn first_count(text: &str) -> Option<u64> {
    count(text.split(' ').next()?)
}

/// The number behind these words, up to a percent sign.
fn number_after(text: &str, words: &str) -> Option<f64> {
    text.split_once(words)?.1.split_once('%')?.0.replace(',', "").parse().ok()
}

/// Percentages are printed with one decimal.
fn prints_as(value: f64, printed: f64) -> bool {
    (value - printed).abs() <= 0.050_001
}

fn agrees(statement: &Statement, kernel: &Kernel, account: &Account) -> Option<bool> {
    match *statement {
        Statement::Waves { full, rest, max_time_percent } => {
            let waves = account.waves.as_ref()?;
            let counts = (waves.full_waves, waves.partial_wave_blocks) == (full, rest);
            Some(counts && prints_as(waves.partial_wave_max_time_percent(), max_time_percent))
        }
        Statement::Unfilled { waves } => Some(prints_as(account.waves.as_ref()?.waves(), waves)),
        Statement::FewBlocks { blocks, sms } => {
            let (grid, known) = (kernel.num_blocks()?.value, account.num_sms);
            Some(grid == blocks && known.is_none_or(|known| u64::from(known) == sms))
        }
        Statement::Theoretical { percent, limiters } => {
            let (_, _, occupancy) = account.computed()?;
            let is_named = limiters.is_empty() || limiters == account.limiters(kernel);
            Some(is_named && prints_as(occupancy.theoretical_percent(), percent))
        }
        Statement::Achieved { theoretical, achieved } => {
            Some(prints_as(account.theoretical_percent?, theoretical) && prints_as(account.achieved_percent?, achieved))
        }
        Statement::Imbalance { above, below } => {
            let activity = account.activity?;
            let (_, most) = activity.range_percent()?;
            let above_of_most = 100.0 * (most - activity.average_percent()) / most;
            Some((activity.deviation_percent()?.0 - below).abs() <= 0.01 && (above_of_most - above).abs() <= 0.01)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Made up, with the words that the profiler uses around its numbers.
    #[test]
    fn numbers_are_found_between_the_profilers_words() {
        let wave = "About waves. This kernel launch results in 1,002 full waves and a partial wave of 136 thread blocks. \
                    If all are alike, this partial wave may account for up to 0.1% of the total runtime of this kernel. More.";
        let (statement, sentence) = read(wave).unwrap();
        assert_eq!(statement, Statement::Waves { full: 1002, rest: 136, max_time_percent: 0.1 });
        assert!(sentence.starts_with("This kernel launch") && sentence.ends_with("of this kernel."), "{sentence}");
        let few = "Configured to execute only 64 blocks, which is less than the GPU's 148 multiprocessors. Do more.";
        assert_eq!(read(few).unwrap().0, Statement::FewBlocks { blocks: 64, sms: 148 });
        assert_eq!(read("Too small, only 0.3 full waves across all SMs. Look.").unwrap().0, Statement::Unfilled { waves: 0.3 });
        let imbalance = "One or more SMs differ. Maximum instance value is 58.58% above the average, while the minimum instance value is 100.00% below the average.";
        assert_eq!(read(imbalance).unwrap().0, Statement::Imbalance { above: 58.58, below: 100.0 });
    }

    #[test]
    fn limiters_are_read_in_the_profilers_words() {
        let text = "Its theoretical occupancy (66.7%) is limited by the number of required registers. It is limited by the required amount of shared memory.";
        let Some((Statement::Theoretical { percent, limiters }, _)) = read(text) else { panic!("not read") };
        assert!((percent - 66.7).abs() < 1e-9);
        assert_eq!(limiters.iter().collect::<Vec<_>>(), [Resource::Registers, Resource::SharedMemory]);
        let achieved = "The difference between calculated theoretical (25.0%) and measured achieved occupancy (12.5%) has reasons.";
        assert_eq!(read(achieved).unwrap().0, Statement::Achieved { theoretical: 25.0, achieved: 12.5 });
    }

    #[test]
    fn the_largest_stall_of_the_rules_is_the_dominant_one() {
        let rule = |text: &str| crate::import::Rule {
            at: crate::import::Position::default(),
            section: "".into(),
            name: "".into(),
            kind: "".into(),
            text: text.into(),
            estimated_speedup: None,
        };
        let small =
            "Each warp spends 1.0 cycles being stalled on a fixed latency execution dependency. It represents about 10.0% of the total.";
        let large = "Each warp spends 9.0 cycles being stalled on something new. It represents about 90.0% of the total.";
        let mut kernel = Kernel { rules: vec![rule(small), rule("Use less.")], ..Kernel::default() };
        assert_eq!(dominant_stall(&kernel).unwrap().reason, Some(StallReason::Wait));
        kernel.rules.push(rule(large));
        let stall = dominant_stall(&kernel).unwrap();
        assert_eq!((stall.reason, stall.share_percent), (None, 90.0));
        assert_eq!(stall.sentence.unwrap(), "Each warp spends 9.0 cycles being stalled on something new.");
    }

    #[test]
    fn other_advice_says_nothing_here() {
        for text in
            ["", "Use fewer registers.", "a partial wave of blocks", "One or more SMSPs differ. Maximum instance value is 1% above."]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
