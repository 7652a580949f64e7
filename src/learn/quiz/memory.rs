//! Questions about shared memory.

use super::Question;
use super::about::{Asked, Case, GPUS, case_with_smem, mistaken, right};
use super::random::Random;
use super::wrong::WrongRule;
use crate::engine::{Launch, advice};
use crate::fmt::bytes;
use crate::units::{Dim3, KIB};

const STEPS: [&str; 1] = ["hared"];

/// "How many bytes does a block take?"
pub fn allocated(random: &mut Random) -> Option<Question> {
    let case = case_with_smem(random)?;
    let asked = Asked::new("smem_allocated", small(case.right.smem.allocated_per_block), "bytes")
        .trap(small(case.launch.requested_smem_bytes()), "takes what was asked for what is given")
        .rules(&WrongRule::ALL, |rule| rule.smem_bytes(case.arch, &case.launch).map(small))
        .trap(small(case.launch.requested_smem_bytes().next_multiple_of(KIB) + KIB), "rounds up to whole KiB");
    let prompt = format!(
        "On the {}, a block asks for {} of dynamic shared memory, in units of {} bytes with {} bytes reserved. How many bytes does it take?",
        case.name,
        bytes(case.launch.dynamic_smem_bytes),
        case.arch.smem_allocation_unit_bytes,
        case.arch.reserved_smem_per_block_bytes
    );
    let explanation = case.steps(&["Shared memory per block"]);
    Some(case.asks(random, prompt, asked, explanation))
}

/// "How many blocks does the shared memory allow?"
pub fn limit(random: &mut Random) -> Option<Question> {
    let case = case_with_smem(random).filter(|case| case.right.can_launch())?;
    let blocks = case.right.limits.shared_memory.get()?;
    let pool = case.right.smem.pool_per_sm;
    let asked = Asked::new("limit_smem", blocks, "blocks")
        .rules(&WrongRule::ALL, |rule| rule.by_shared_memory(case.arch, &case.launch, &case.right)?.get().map(f64::from))
        .trap(small(pool / case.launch.requested_smem_bytes().max(1)), "divides by what was asked for")
        .trap(small(pool / case.right.smem.allocated_per_block) + 1.0, "rounds up; a part of a block is no block")
        .trap(small(48 * KIB / case.right.smem.allocated_per_block), "takes the 48 KiB of one block for the pool of the SM");
    let prompt = format!(
        "On the {}, a block asks for {} of shared memory. The pool is {}. How many blocks does the *shared memory* allow?",
        case.name,
        bytes(case.launch.dynamic_smem_bytes),
        bytes(pool)
    );
    let explanation = case.steps(&STEPS);
    Some(case.asks(random, prompt, asked, explanation))
}

/// "How much can a block have when four share the SM?"
pub fn largest_for_blocks(random: &mut Random) -> Option<Question> {
    let name = random.pick(&GPUS);
    let blocks = random.between(2, 8);
    let empty = Case::new(name, Launch { block: Dim3::linear(128), ..Launch::default() })?;
    let largest = advice::available_dynamic_smem_bytes(empty.arch, &empty.launch, blocks)?;
    let case = Case::new(name, Launch { dynamic_smem_bytes: largest, ..empty.launch })?;
    let share = u64::from(case.arch.smem_per_sm_bytes) / u64::from(blocks);
    let unit = u64::from(case.arch.smem_allocation_unit_bytes);
    let asked = Asked::new("dynamic_smem", small(largest), "bytes")
        .trap(small(share), "forgets reserve and rounding")
        .trap(small(share / unit * unit), "forgets the reserve in every block")
        .trap(small(share.saturating_sub(u64::from(case.arch.reserved_smem_per_block_bytes))), "forgets the rounding");
    let prompt = format!(
        "{blocks} blocks are to share an SM of the {} with {} of shared memory. How many bytes of dynamic shared memory can each have at most?",
        case.name,
        bytes(case.arch.smem_per_sm_bytes.into())
    );
    let mut explanation = vec![format!(
        "{} / {blocks}, rounded down to {unit}, without the reserve of {} = {largest} bytes",
        case.arch.smem_per_sm_bytes, case.arch.reserved_smem_per_block_bytes
    )];
    explanation.extend(case.steps(&STEPS));
    Some(case.asks(random, prompt, asked, explanation))
}

/// "The carve-out is 30 %. How large is the pool?"
pub fn pool(random: &mut Random) -> Option<Question> {
    let name = random.pick(&GPUS[..4]);
    let percent = random.between(5, 95);
    let dynamic = u64::from(random.between(1, 24)) * KIB;
    let launch = Launch { block: Dim3::linear(128), dynamic_smem_bytes: dynamic, carveout_percent: Some(percent), ..Launch::default() };
    let case = Case::new(name, launch)?;
    let wished = u64::from(case.arch.smem_per_sm_bytes) * u64::from(percent) / 100;
    let sizes: Vec<u64> = case.arch.smem_configurations_bytes.iter().map(|size| u64::from(*size)).collect();
    let below = sizes.iter().copied().filter(|size| *size <= wished).max().unwrap_or_default();
    let kib = |size: u64| small(size) / 1024.0;
    let asked = Asked::new("smem_pool / kib", kib(case.right.smem.pool_per_sm), "KiB")
        .trap(kib(below), "takes the size below; a wish is raised")
        .trap(kib(wished).round(), "takes any size for possible")
        .trap(kib(case.arch.smem_per_sm_bytes.into()), "ignores the carve-out");
    let all: Vec<String> = sizes.iter().map(|size| (size / KIB).to_string()).collect();
    let prompt = format!(
        "The {} can set its pool to {} KiB. A kernel with {} a block wishes for {percent} % of {}. How many KiB is the pool, after NVIDIA's own calculation?",
        case.name,
        all.join(", "),
        bytes(dynamic),
        bytes(case.arch.smem_per_sm_bytes.into())
    );
    let explanation = case.steps(&STEPS);
    Some(case.asks(random, prompt, asked, explanation))
}

/// "64 KiB and no opt-in: what happens?"
pub fn without_opt_in(random: &mut Random) -> Option<Question> {
    let name = random.pick(&GPUS);
    let asked = Case::new(name, Launch::default())?;
    let most = asked.arch.optin_smem_per_block_bytes / 1024;
    let kib = random.between(20, most);
    let launch = Launch { block: Dim3::linear(256), dynamic_smem_bytes: u64::from(kib) * KIB, opt_in: false, ..Launch::default() };
    let case = Case::new(name, launch)?;
    let fits = case.right.can_launch();
    let runs = format!("It launches: {} on an SM", crate::fmt::counted(case.right.blocks_per_sm.max(1).into(), "block"));
    let fails = "The launch fails: the kernel has not opted in".to_owned();
    let answers = vec![
        right(if fits { runs.clone() } else { fails.clone() }),
        mistaken(if fits { fails } else { runs }, "mistakes on which side of 48 KiB this is"),
        mistaken("The compiler refuses it", "takes dynamic shared memory for static; the compiler does not see it"),
        mistaken("It launches, and what is too much goes to local memory", "takes shared memory for registers; it does not spill"),
    ];
    let prompt = format!(
        "On the {}, a launch asks for {kib} KiB of dynamic shared memory a block. No attribute was set before. What happens?",
        case.name
    );
    let mut explanation = vec!["48 KiB are allowed without opting in with cudaFuncSetAttribute.".to_owned()];
    explanation.extend(case.steps(&STEPS));
    Some(case.asks_why(random, prompt, answers, explanation))
}

/// "A static array of 50,000 bytes: what happens?"
pub fn too_much_static(random: &mut Random) -> Option<Question> {
    let name = random.pick(&GPUS);
    let bytes_of = u64::from(random.between(12_289, 15_000)) * 4;
    let case = Case::new(name, Launch { dynamic_smem_bytes: bytes_of, ..Launch::default() })?;
    let answers = vec![
        right("ptxas refuses it: too much shared data. The way out is a dynamic array and the opt-in"),
        mistaken(
            "It runs after cudaFuncSetAttribute raises the maximum",
            "expects the opt-in to help static arrays; it is for dynamic ones",
        ),
        mistaken("It runs: the SM has more shared memory than that", "takes what the SM has for what a static array may have"),
        mistaken("It runs, and the array goes to local memory", "takes shared memory for registers; it does not spill"),
    ];
    let prompt = format!(
        "A kernel for the {} declares `__shared__ float table[{}]`, {} bytes. What happens?",
        case.name,
        bytes_of / 4,
        crate::fmt::grouped(bytes_of)
    );
    let explanation = vec![
        format!("{} bytes are more than the 49,152 that can be static.", crate::fmt::grouped(bytes_of)),
        format!("As dynamic shared memory with the opt-in, {} fit an SM.", crate::fmt::counted(case.right.blocks_per_sm.into(), "block")),
    ];
    Some(case.asks_why(random, prompt, answers, explanation))
}

/// Sizes of shared memory are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "sizes in an SM")]
fn small(value: u64) -> f64 {
    value as f64
}
