//! Questions about registers and launch bounds.

use super::Question;
use super::about::{Asked, Case, GPUS, case, mistaken, right};
use super::random::Random;
use super::wrong::WrongRule;
use crate::engine::{Launch, LaunchBounds, Limit, advice};
use crate::units::Dim3;

const STEPS: [&str; 3] = ["Registers per warp", "Warps per register file", "Limit by registers"];

/// "41 asked. How many are allocated?"
pub fn allocated(random: &mut Random) -> Option<Question> {
    let case = case(random)?;
    let registers = case.launch.registers_per_thread;
    let asked = Asked::new("allocated_registers", case.right.registers.allocated_per_thread, "registers")
        .trap(registers, "does not round up for each warp")
        .trap(registers / 8 * 8, "rounds down")
        .trap(registers.next_multiple_of(32), "rounds to a multiple of 32")
        .trap(registers.next_multiple_of(4), "rounds to a multiple of 4");
    let prompt =
        format!("The compiler reports {registers} registers a thread. For how many a thread is a warp of the {} charged?", case.name);
    let mut explanation = case.steps(&["Registers per warp"]);
    explanation.push(format!("divided by 32 threads: {}", case.right.registers.allocated_per_thread));
    Some(case.asks(random, prompt, asked, explanation))
}

/// "How many blocks do the registers allow?"
pub fn limit(random: &mut Random) -> Option<Question> {
    let case = case(random).filter(|case| case.right.can_launch())?;
    let blocks = case.right.limits.registers.get()?;
    let asked = Asked::new("limit_registers", blocks, "blocks")
        .rules(&WrongRule::ALL, |rule| rule.by_registers(case.arch, &case.launch, &case.right).and_then(Limit::get).map(f64::from));
    if asked.traps.is_empty() {
        return None;
    }
    let prompt = format!("A kernel has {}. {} How many blocks do the *registers* allow?", case.in_words(), case.gpu_in_words());
    let explanation = case.steps(&STEPS);
    Some(case.asks(random, prompt, asked, explanation))
}

/// A block size and a number of blocks that a launch bound can ask for.
fn bounded(random: &mut Random) -> Option<(Case, u32, u32)> {
    let threads = *random.pick(&[64, 128, 192, 256, 384, 512]);
    let name = random.pick(&GPUS);
    let sample = Case::new(name, Launch::new(threads, 32))?;
    let most = (sample.arch.max_warps_per_sm() / sample.right.warps_per_block).min(sample.arch.max_blocks_per_sm);
    let blocks = random.between(2.min(most), most);
    let registers = advice::max_registers_for_blocks(sample.arch, &sample.launch, blocks)?;
    let launch_bounds = Some(LaunchBounds { max_threads_per_block: threads, min_blocks_per_sm: Some(blocks) });
    let launch = Launch { block: Dim3::linear(threads), registers_per_thread: registers, launch_bounds, ..Launch::default() };
    Some((Case::new(name, launch)?, blocks, registers))
}

/// "What does `__launch_bounds__(256, 2)` ask for?"
pub fn launch_bounds_meaning(random: &mut Random) -> Option<Question> {
    let (case, blocks, registers) = bounded(random)?;
    let threads = case.launch.threads_per_block();
    let answers = vec![
        right(format!("Blocks of at most {threads} threads, and so few registers that at least {blocks} of them fit on an SM")),
        mistaken(
            format!("Blocks of exactly {threads} threads, and a grid of {blocks} blocks"),
            "takes it for a launch; it is a promise to the compiler",
        ),
        mistaken(
            format!("Blocks of at most {threads} threads, and at most {blocks} of them on an SM"),
            "takes the least for the most: more blocks are welcome",
        ),
        mistaken(format!("At most {threads} registers for each of {blocks} blocks"), "takes threads for registers"),
    ];
    let prompt = format!("What does `__launch_bounds__({threads}, {blocks})` ask for?");
    let mut explanation =
        vec![format!("With {blocks} blocks of {threads} threads on an SM of the {}, a thread can have {registers} registers.", case.name)];
    explanation.extend(case.steps(&STEPS));
    Some(case.asks_why(random, prompt, answers, explanation))
}

/// "How many registers does it leave a thread?"
pub fn launch_bounds_registers(random: &mut Random) -> Option<Question> {
    let (case, blocks, registers) = bounded(random)?;
    let threads = case.launch.threads_per_block();
    let asked = Asked::new("registers", registers, "registers")
        .trap(case.arch.registers_per_sm / (threads * blocks), "does not round down to what a warp is given")
        .trap(case.arch.registers_per_sm / blocks / 32, "divides by the warp, not by the threads of a block")
        .trap(case.arch.registers_per_sm / threads, "forgets the number of blocks");
    let prompt = format!(
        "A kernel for the {} has `__launch_bounds__({threads}, {blocks})`. How many registers may the compiler use for a thread at most?",
        case.name
    );
    let mut explanation = case.steps(&STEPS);
    explanation.push(format!("With {registers} registers {blocks} blocks fit by registers; one more register would not do."));
    Some(case.asks(random, prompt, asked, explanation))
}

/// "How many registers allow one block more?"
pub fn for_one_more_block(random: &mut Random) -> Option<Question> {
    let now = case(random).filter(|case| case.right.can_launch())?;
    let blocks = now.right.blocks_per_sm;
    if now.right.limits.registers.get()? != blocks || now.right.limiters.len() != 1 {
        return None;
    }
    let registers = advice::max_registers_for_blocks(now.arch, &now.launch, blocks + 1)?;
    let case = Case::new(now.name, Launch { registers_per_thread: registers, ..now.launch.clone() })?;
    let used = now.launch.registers_per_thread;
    let threads = now.launch.threads_per_block();
    let asked = Asked::new("registers", registers, "registers")
        .trap(now.arch.registers_per_sm / (threads * (blocks + 1)), "does not round down to what a warp is given")
        .trap(used.saturating_sub(1), "takes off one register; a stair is wider than that")
        .trap(used.saturating_sub(8), "goes one unit down and does not count the blocks");
    let prompt = format!(
        "On the {}, {} are limited by registers: {blocks} blocks. With how many registers a thread, at most, do the registers allow {} blocks?",
        now.name,
        now.in_words(),
        blocks + 1
    );
    let mut explanation = vec![format!("Tried with {registers} registers:")];
    explanation.extend(case.steps(&STEPS));
    Some(case.asks(random, prompt, asked, explanation))
}

/// "A new compiler takes two registers more. How many blocks?"
pub fn some_more(random: &mut Random) -> Option<Question> {
    let before = case(random).filter(|case| case.right.can_launch())?;
    let more = random.between(1, 3);
    let registers = before.launch.registers_per_thread + more;
    let case = Case::new(before.name, Launch { registers_per_thread: registers, ..before.launch.clone() })?;
    let was = before.right.blocks_per_sm;
    let asked = Asked::new("blocks", case.right.blocks_per_sm, "blocks")
        .trap(was, "takes a few registers for free; the next unit begins in between")
        .trap(was.saturating_sub(1), "expects a block to be lost; there was room in the unit")
        .rules(&WrongRule::ALL, |rule| rule.blocks(case.arch, &case.launch, &case.right).map(f64::from));
    let prompt = format!(
        "A kernel on the {} has {}: {was} blocks an SM. The next compiler takes {registers} registers instead. How many blocks now?",
        case.name,
        before.in_words()
    );
    let explanation = case.steps(&["Registers per warp", "Warps per", "Limit"]);
    Some(case.asks(random, prompt, asked, explanation))
}
