//! Questions about what happens over time: waiting, waves and tails.

use super::Question;
use super::about::{Asked, Case, case};
use super::random::Random;
use crate::engine::latency::in_flight;
use crate::engine::{Launch, Waves};
use crate::learn::Latency;
use crate::units::Dim3;

fn latency(random: &mut Random) -> Latency {
    let compute_cycles = *random.pick(&[4, 5, 8, 10, 16, 20, 25, 30, 32, 40]);
    Latency { num_warps: random.between(2, 16), compute_cycles, wait_cycles: random.between(10, 80) * 10 }
}

fn about_latency(random: &mut Random, prompt: String, latency: Latency, asked: Asked, explanation: Vec<String>) -> Option<Question> {
    let case = Case::new("A100 SXM 40 GB", Launch::default())?;
    Some(Question { latency, ..case.asks(random, prompt, asked, explanation) })
}

/// "With how many warps is the scheduler always busy?"
pub fn needed_warps(random: &mut Random) -> Option<Question> {
    let latency = latency(random);
    let Latency { compute_cycles: compute, wait_cycles: wait, .. } = latency;
    let asked = Asked::new("latency_needed", latency.needed_warps(), "warps")
        .trap(wait.div_ceil(compute), "forgets the warp that waits itself")
        .trap(wait / compute, "rounds down and forgets the warp that waits itself")
        .trap((wait + compute) / compute, "rounds down; then a gap is left");
    let prompt = format!(
        "Each warp computes for {compute} cycles, then waits for {wait}. One warp issues at a time. With how many warps is the scheduler always busy?"
    );
    let explanation = vec![format!("⌈({compute} + {wait}) / {compute}⌉ = {}", latency.needed_warps())];
    about_latency(random, prompt, latency, asked, explanation)
}

/// "How busy is the scheduler?"
pub fn busy(random: &mut Random) -> Option<Question> {
    let latency = latency(random);
    let Latency { num_warps, compute_cycles: compute, wait_cycles: wait } = latency;
    let one = |value: f64| (value * 10.0).round() / 10.0;
    let share = |part: u32, whole: u32| one((f64::from(part) * 100.0 / f64::from(whole)).min(100.0));
    let busy = one(latency.utilization_percent());
    let asked = Asked::new("latency_busy", busy, "%")
        .trap(share(num_warps * compute, wait), "divides by the wait alone; a round is work and wait")
        .trap(share(compute, compute + wait), "counts one warp")
        .trap(share(num_warps, 64), "takes occupancy for utilization");
    let prompt = format!(
        "{num_warps} warps share a scheduler. Each computes for {compute} cycles, then waits for {wait}. In how many percent of the cycles does the scheduler issue, to one decimal?"
    );
    let explanation = vec![format!("{num_warps} × {compute} / ({compute} + {wait}), at most 100 %: {busy} %")];
    about_latency(random, prompt, latency, asked, explanation)
}

/// "How many bytes have to be under way?"
pub fn bytes_in_flight(random: &mut Random) -> Option<Question> {
    let name = random.pick(&super::about::GPUS);
    let case = Case::new(name, Launch::default())?;
    let gpu = crate::arch::Catalog::builtin().gpus().iter().find(|gpu| gpu.name == *name)?;
    #[expect(clippy::cast_precision_loss, reason = "a rate far below 2^53")]
    let rate = gpu.memory_bytes_per_second? as f64;
    let bytes = in_flight(rate, 500e-9);
    let asked = Asked::new("bytes_in_flight", bytes, "bytes")
        .trap(rate / 500e-9 / 1e12, "divides where Little's law multiplies")
        .trap(bytes / f64::from(case.num_sms), "takes one SM for the GPU")
        .trap(bytes / 32.0, "divides by a warp");
    let prompt = format!(
        "The memory of the {name} delivers {} GB a second. Assume 500 ns for each load. How many bytes have to be under way in the whole GPU to keep it busy?",
        crate::fmt::percent_number(rate / 1e9)
    );
    let explanation = vec![format!("Little's law: rate × time = {} bytes/ns × 500 ns", crate::fmt::percent_number(rate / 1e9))];
    Some(case.asks(random, prompt, asked, explanation))
}

/// A launch with a grid, laid over its GPU.
fn with_grid(random: &mut Random, most_waves: u32) -> Option<(Case, Waves)> {
    let plain = case(random).filter(|case| case.right.can_launch())?;
    let slots = plain.right.blocks_per_sm * plain.num_sms;
    let grid = random.between(slots / 4 + 1, slots * most_waves);
    let case = Case::new(plain.name, Launch { grid: Some(Dim3::linear(grid)), ..plain.launch })?;
    let waves = Waves::new(&case.right, case.num_sms, grid.into())?;
    Some((case, waves))
}

fn intro(case: &Case, waves: &Waves) -> String {
    format!(
        "A grid of {} blocks runs on the {} with {} SMs, {} blocks on each.",
        crate::fmt::grouped(waves.grid_blocks),
        case.name,
        case.num_sms,
        case.right.blocks_per_sm
    )
}

fn counted(value: u64) -> f64 {
    u32::try_from(value).map_or(f64::INFINITY, f64::from)
}

/// "How many full waves?"
pub fn full_waves(random: &mut Random) -> Option<Question> {
    let (case, waves) = with_grid(random, 6)?;
    let asked = Asked::new("full_waves", counted(waves.full_waves), "full waves")
        .trap(counted(waves.total_waves()), "counts the partial wave as a full one")
        .trap(counted(waves.grid_blocks / u64::from(case.num_sms)), "forgets that an SM holds several blocks")
        .trap(counted(waves.grid_blocks / u64::from(case.right.blocks_per_sm)), "forgets the number of SMs");
    let prompt = format!("{} How many *full* waves is that?", intro(&case, &waves));
    let explanation = wave_steps(&case, &waves);
    Some(case.asks(random, prompt, asked, explanation))
}

/// "How many blocks are in the partial wave?"
pub fn partial_wave(random: &mut Random) -> Option<Question> {
    let (case, waves) = with_grid(random, 6)?;
    let asked = Asked::new("rest", counted(waves.partial_wave_blocks), "blocks")
        .trap(counted(waves.blocks_per_wave - waves.partial_wave_blocks), "counts the empty places")
        .trap(counted(waves.grid_blocks % u64::from(case.num_sms)), "forgets that an SM holds several blocks")
        .trap(counted(waves.blocks_per_wave), "takes the last wave for a full one");
    let prompt = format!("{} How many blocks are in the last, partial wave?", intro(&case, &waves));
    let explanation = wave_steps(&case, &waves);
    Some(case.asks(random, prompt, asked, explanation))
}

/// "Up to how much of the time may the partial wave take?"
pub fn tail_time(random: &mut Random) -> Option<Question> {
    let (case, waves) = with_grid(random, 9)?;
    if !waves.has_tail() {
        return None;
    }
    let one = |value: f64| (value * 10.0).round() / 10.0;
    let right = one(waves.partial_wave_max_time_percent());
    let full = counted(waves.full_waves);
    let asked = Asked::new("tail_time", right, "%")
        .trap(one(100.0 / full), "forgets the partial wave's own time")
        .trap(one(waves.waves().fract() * 100.0), "takes the share of places for a share of time")
        .trap(one(100.0 - waves.slot_efficiency_percent()), "takes the empty places for time");
    let prompt = format!(
        "{} All blocks take equally long. How many percent of the time may the partial wave take, to one decimal?",
        intro(&case, &waves)
    );
    let mut explanation = wave_steps(&case, &waves);
    explanation.push(format!("A partial wave takes as long as a full one: 100 / ({full} + 1) = {right} %"));
    Some(case.asks(random, prompt, asked, explanation))
}

/// "What can this grid reach?"
pub fn grid_limited(random: &mut Random) -> Option<Question> {
    let (case, waves) = with_grid(random, 1).filter(|(_, waves)| waves.is_unfilled())?;
    if waves.grid_blocks > u64::from(case.num_sms) {
        return None;
    }
    let one = |value: f64| (value * 10.0).round() / 10.0;
    let asked = Asked::new("grid_limited", one(waves.grid_limited_percent()), "%")
        .trap(one(case.right.theoretical_percent()), "takes theoretical occupancy; this grid has no second block for an SM")
        .trap(one(waves.waves() * case.right.theoretical_percent()), "counts idle SMs, which the profiler's achieved occupancy does not");
    let prompt = format!(
        "{} Blocks have {} warps, an SM {} slots. What is the highest *achieved* occupancy this grid can reach, in percent to one decimal?",
        intro(&case, &waves),
        case.right.warps_per_block,
        case.right.max_warps_per_sm
    );
    let explanation = vec![format!(
        "No more blocks than SMs: one block an SM, {} of {} slots on every active one",
        case.right.warps_per_block, case.right.max_warps_per_sm
    )];
    Some(case.asks(random, prompt, asked, explanation))
}

/// "How large is one full wave?"
pub fn one_wave(random: &mut Random) -> Option<Question> {
    let (case, waves) = with_grid(random, 4)?;
    let threads = case.launch.threads_per_block();
    let asked = Asked::new("slots", counted(waves.blocks_per_wave), "blocks")
        .trap(case.num_sms, "puts one block on an SM")
        .trap(case.right.active_warps_per_sm() * case.num_sms, "counts warps")
        .trap(counted(waves.blocks_per_wave) * f64::from(threads), "counts threads");
    let prompt = format!(
        "The runtime answers {} for `cudaOccupancyMaxActiveBlocksPerMultiprocessor` on the {} with {} SMs. How many blocks fill the GPU exactly once?",
        case.right.blocks_per_sm, case.name, case.num_sms
    );
    let explanation = vec![format!("{} × {} = {} blocks", case.right.blocks_per_sm, case.num_sms, waves.blocks_per_wave)];
    Some(case.asks(random, prompt, asked, explanation))
}

fn wave_steps(case: &Case, waves: &Waves) -> Vec<String> {
    let mut steps = vec![format!("Places: {} × {} = {}", case.num_sms, case.right.blocks_per_sm, waves.blocks_per_wave)];
    steps.push(format!("{} = {} × {} + {}", waves.grid_blocks, waves.full_waves, waves.blocks_per_wave, waves.partial_wave_blocks));
    steps
}
