//! Questions whose answer is a reason; the numbers in them are the engine's.

use super::Question;
use super::about::{Case, case, mistaken, right};
use super::random::Random;
use crate::engine::{Launch, Waves, advice};
use crate::fmt::percent;
use crate::units::Dim3;

/// "Occupancy doubled and the kernel got slower. Why?"
pub fn occupancy_doubled(random: &mut Random) -> Option<Question> {
    let before = case(random).filter(|case| case.right.can_launch())?;
    let blocks = before.right.blocks_per_sm;
    let registers = advice::max_registers_for_blocks(before.arch, &before.launch, blocks * 2)?;
    let case = Case::new(before.name, Launch { registers_per_thread: registers, ..before.launch.clone() })?;
    if case.right.blocks_per_sm != blocks * 2 || registers >= before.launch.registers_per_thread {
        return None;
    }
    let answers = vec![
        right("Values spilled: the extra loads and stores cost more than the extra warps hide"),
        mistaken(
            "More warps take the scheduler more time to switch between",
            "expects a price for switching; all resident warps have their registers, so there is none",
        ),
        mistaken("With fewer registers each instruction takes longer", "expects slower instructions; there are more of them instead"),
        mistaken(
            "The grid now has fewer waves, and fewer waves are slower",
            "takes the number of waves for time; full waves of more blocks are no loss by themselves",
        ),
    ];
    let prompt = format!(
        "`-maxrregcount` took a kernel on the {} from {} to {registers} registers. Theoretical occupancy doubled from {} to {}, ptxas now reports spill stores, and the kernel got *slower*. What is the likely reason?",
        case.name,
        before.launch.registers_per_thread,
        percent(before.right.theoretical_percent()),
        percent(case.right.theoretical_percent())
    );
    let mut explanation = case.steps(&["Limit by registers", "Theoretical"]);
    explanation.push("Occupancy is a means. Spilled values go through L1 and perhaps to memory, for every thread.".to_owned());
    Some(case.asks_why(random, prompt, answers, explanation))
}

/// "A kernel is at the memory's peak. What helps?"
pub fn at_the_peak(random: &mut Random) -> Option<Question> {
    let case = case(random).filter(|case| case.right.can_launch() && case.right.theoretical_percent() < 80.0)?;
    let peak = random.between(85, 96);
    let answers = vec![
        right("Fewer bytes: smaller types, reuse, fewer passes over the data"),
        mistaken("More warps, to hide the latency", "brings more warps that queue for the same memory"),
        mistaken("A larger grid", "brings more work, not more bandwidth"),
        mistaken("A launch bound that gains a block", "brings more warps that queue for the same memory, and perhaps spills"),
    ];
    let prompt = format!(
        "A kernel on the {} has {} theoretical occupancy. The profiler shows {peak} % of the memory's peak throughput. What makes it faster?",
        case.name,
        percent(case.right.theoretical_percent())
    );
    let explanation = vec![format!("At {peak} % of the peak, waiting is not hidden badly: the memory is full.")];
    Some(case.asks_why(random, prompt, answers, explanation))
}

/// "100 % theoretical, 12 % achieved. Why?"
pub fn grid_too_small(random: &mut Random) -> Option<Question> {
    let plain = case(random).filter(|case| case.right.blocks_per_sm > 2)?;
    let grid = random.between(plain.num_sms / 4 + 1, plain.num_sms);
    let case = Case::new(plain.name, Launch { grid: Some(Dim3::linear(grid)), ..plain.launch })?;
    let waves = Waves::new(&case.right, case.num_sms, grid.into())?;
    let answers = vec![
        right("The grid is too small: no SM ever gets a second block"),
        mistaken("The registers hold it down", "takes a limit of theoretical occupancy for one of this grid"),
        mistaken("The tail: the last wave is partly empty", "takes an unfilled first wave for a tail; there is no full wave before it"),
        mistaken("Memory is slow, so warps are not active", "takes waiting for not being there; a waiting warp counts as active"),
    ];
    let prompt = format!(
        "A grid of {grid} blocks runs on the {} with {} SMs. Theoretical occupancy is {}, achieved is at most {}. What is the reason?",
        case.name,
        case.num_sms,
        percent(case.right.theoretical_percent()),
        percent(waves.grid_limited_percent())
    );
    let explanation = vec![format!(
        "{grid} blocks on {} SMs: one block on each at most, {} of {} warps",
        case.num_sms, case.right.warps_per_block, case.right.max_warps_per_sm
    )];
    Some(case.asks_why(random, prompt, answers, explanation))
}
