//! Questions about warps, blocks and what stops the next one.

use super::Question;
use super::about::{Asked, Case, case, case_with_smem, mistaken, right};
use super::random::Random;
use super::wrong::WrongRule;
use crate::engine::{Resource, ResourceSet};

/// "How many warps is a block of 100 threads?"
pub fn warps_of_a_block(random: &mut Random) -> Option<Question> {
    let case = case(random)?;
    let threads = case.launch.threads_per_block();
    let asked = Asked::new("warps", case.right.warps_per_block, "warps")
        .trap(threads / 32, "rounds down: the last, partly filled warp takes a slot, too")
        .trap(threads, "counts threads")
        .trap(threads.div_ceil(16), "takes 16 threads for a warp; they are 32")
        .trap(threads.div_ceil(64), "takes 64 threads for a warp; they are 32");
    let prompt = format!("How many warps is a block of {threads} threads?");
    let explanation = case.steps(&["Warps per block"]);
    Some(case.asks(random, prompt, asked, explanation))
}

/// "Two blocks of 256 threads share an SM. How many warps are resident?"
pub fn resident_warps(random: &mut Random) -> Option<Question> {
    let case = case(random).filter(|case| case.right.blocks_per_sm > 1)?;
    let (threads, blocks) = (case.launch.threads_per_block(), case.right.blocks_per_sm);
    let asked = Asked::new("active_warps", case.right.active_warps_per_sm(), "warps")
        .trap(blocks * threads / 32, "adds up the threads first; every block rounds up to whole warps by itself")
        .trap(case.right.warps_per_block, "counts one block")
        .trap(blocks * threads, "counts threads")
        .trap(case.arch.max_warps_per_sm(), "takes all slots for used");
    let prompt = format!("On one SM of the {}, blocks = {blocks} at {threads} threads. How many warps are resident?", case.name);
    let mut explanation = case.steps(&["Warps per block"]);
    explanation.push(format!("{blocks} blocks × {} = {} warps", case.right.warps_per_block, case.right.active_warps_per_sm()));
    Some(case.asks(random, prompt, asked, explanation))
}

fn any_case(random: &mut Random) -> Option<Case> {
    if random.between(0, 1) == 0 { case(random) } else { case_with_smem(random) }.filter(|case| case.right.can_launch())
}

const STEPS: [&str; 4] = ["Limit", "Registers per warp", "Warps per", "Shared"];

/// "How many blocks share one SM?"
pub fn blocks_per_sm(random: &mut Random) -> Option<Question> {
    let case = any_case(random)?;
    let asked = Asked::new("blocks", case.right.blocks_per_sm, "blocks")
        .rules(&WrongRule::ALL, |rule| rule.blocks(case.arch, &case.launch, &case.right).map(f64::from));
    if asked.traps.is_empty() {
        return None;
    }
    let prompt = format!("A kernel has {}. {} How many blocks share one SM?", case.in_words(), case.gpu_in_words());
    let mut explanation = case.steps(&STEPS);
    explanation.push(format!("The smallest limit decides: {}", case.right.blocks_per_sm));
    Some(case.asks(random, prompt, asked, explanation))
}

/// "What is its theoretical occupancy?"
pub fn occupancy(random: &mut Random) -> Option<Question> {
    let case = any_case(random)?;
    let percent = |blocks: u32| f64::from(blocks * case.right.warps_per_block) * 100.0 / f64::from(case.right.max_warps_per_sm);
    let believable = |blocks: u32| Some(percent(blocks)).filter(|percent| *percent <= 100.0);
    let asked = Asked::new("occupancy", case.right.theoretical_percent(), "%")
        .rules(&WrongRule::ALL, |rule| rule.blocks(case.arch, &case.launch, &case.right).and_then(believable))
        .trap(
            f64::from(case.right.blocks_per_sm) * 100.0 / f64::from(case.arch.max_blocks_per_sm),
            "divides blocks by block slots; occupancy is about warps",
        );
    if asked.traps.is_empty() {
        return None;
    }
    let prompt = format!("A kernel has {}. {} What is its theoretical occupancy, in percent?", case.in_words(), case.gpu_in_words());
    let mut explanation = case.steps(&STEPS);
    explanation.push(format!(
        "{} blocks × {} warps = {} of {} warps",
        case.right.blocks_per_sm,
        case.right.warps_per_block,
        case.right.active_warps_per_sm(),
        case.right.max_warps_per_sm
    ));
    Some(case.asks(random, prompt, asked, explanation))
}

/// "Which resource stops the next block?"
pub fn limiter(random: &mut Random) -> Option<Question> {
    let case = any_case(random)?;
    let mut answers = vec![right(names(case.right.limiters))];
    let blocks = case.right.blocks_per_sm;
    for resource in Resource::ALL.into_iter().filter(|resource| *resource != Resource::Barriers) {
        let alone: ResourceSet = std::iter::once(resource).collect();
        if alone == case.right.limiters {
            continue;
        }
        let mistake = if case.right.limiters.contains(resource) {
            format!(
                "stops there: {} is equal, and fixing only one gains nothing",
                names(others(case.right.limiters, resource)).to_lowercase()
            )
        } else {
            format!("does not compare: this resource would allow {} blocks, not {blocks}", case.right.limits.get(resource))
        };
        answers.push(mistaken(names(alone), mistake));
    }
    let prompt = format!(
        "A kernel has {}. {} {} on an SM: what stops the next one?",
        case.in_words(),
        case.gpu_in_words(),
        crate::fmt::counted(blocks.into(), "block")
    );
    let explanation = case.steps(&["Limit"]);
    Some(case.asks_why(random, prompt, answers, explanation))
}

fn others(of: ResourceSet, without: Resource) -> ResourceSet {
    of.iter().filter(|resource| *resource != without).collect()
}

/// "Warp slots and registers, both alike".
fn names(resources: ResourceSet) -> String {
    let names: Vec<String> = resources.iter().map(|resource| resource.name().to_lowercase()).collect();
    let text = match names.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [.., last] => format!("{} and {last}, all alike", names[..names.len() - 1].join(", ")),
    };
    crate::fmt::capitalized(&text)
}

/// "A calculator says 31, the hardware holds 24. What did the calculator get wrong?"
pub fn what_went_wrong(random: &mut Random) -> Option<Question> {
    let case = any_case(random)?;
    let said = |rule: WrongRule| rule.blocks(case.arch, &case.launch, &case.right);
    let mut rules = WrongRule::ALL.to_vec();
    random.shuffle(&mut rules);
    let fault = rules.iter().copied().find(|rule| said(*rule).is_some_and(|blocks| blocks != case.right.blocks_per_sm))?;
    let blocks = said(fault)?;
    // Rules that lead to the same number would be right, too.
    let innocent: Vec<WrongRule> = rules.into_iter().filter(|rule| said(*rule).is_some_and(|other| other != blocks)).take(3).collect();
    if innocent.len() < 3 {
        return None;
    }
    let mut answers = vec![right(format!("It {}", fault.name()))];
    answers.extend(innocent.iter().map(|rule| {
        mistaken(format!("It {}", rule.name()), format!("does not fit: that mistake leads to {}", said(*rule).unwrap_or_default()))
    }));
    let prompt = format!(
        "A kernel has {}. {} A calculator says {blocks} blocks; the hardware holds {}. What does the calculator do wrong?",
        case.in_words(),
        case.gpu_in_words(),
        case.right.blocks_per_sm
    );
    let explanation = case.steps(&STEPS);
    Some(case.asks_why(random, prompt, answers, explanation))
}
