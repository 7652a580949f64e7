//! How fast the engine answers, beside NVIDIA's header compiled with `-O2` and called in the same process.
//!
//! First two comparisons, each with the median of many short turns taken one after the other, so that what else the
//! machine does hits both alike. Then the same work under divan. Without the header only our own side is measured.

use std::hint::black_box;
use std::time::Instant;

use divan::Bencher;
use divan::counter::ItemsCount;
use occuscope::arch::{Arch, Catalog, ComputeCapability};
use occuscope::engine::limits::limits;
use occuscope::engine::sweep::{Axis, Heatmap, Variable, heatmap};
use occuscope::engine::{Launch, evaluate};
use occuscope_proofs::header::{Answer, Call, Header};
use occuscope_proofs::random::Random;

fn main() {
    match Header::load() {
        Ok(header) => {
            compare_calls(&header);
            compare_tables(&header);
        }
        Err(why) => println!("comparison with the header skipped: {why}"),
    }
    divan::main();
}

const TURNS: usize = 401;
const NUM_CALLS: usize = 4096;

fn a100() -> &'static Arch {
    Catalog::builtin().arch(ComputeCapability::new(8, 0)).expect("a built-in architecture")
}

/// Launches as programs make them: whole warps, up to 128 registers, sometimes shared memory.
fn calls() -> Vec<Call> {
    let mut random = Random::new(1);
    let below = |random: &mut Random, end: u64| i32::try_from(random.below(end)).expect("small");
    (0..NUM_CALLS)
        .map(|_| {
            let threads = 32 * (1 + below(&mut random, 32));
            let registers = 16 + below(&mut random, 113);
            let dynamic_smem = if random.chance(50) { random.below(64 * 1024) } else { 0 };
            Call { dynamic_smem, ..Call::new(a100().compute_capability, threads, registers) }
        })
        .collect()
}

fn launches() -> Vec<Launch> {
    calls().iter().map(|call| call.launch().expect("a launch")).collect()
}

/// The median of what each of several kinds of work takes, in nanoseconds; they take turns.
fn medians<const N: usize>(mut work: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut taken: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(TURNS));
    for _ in 0..TURNS {
        for (work, taken) in work.iter_mut().zip(&mut taken) {
            let start = Instant::now();
            work();
            taken.push(start.elapsed().as_secs_f64() * 1e9);
        }
    }
    taken.map(|mut taken| {
        taken.sort_by(f64::total_cmp);
        taken[taken.len() / 2]
    })
}

fn compare_calls(header: &Header) {
    let (can_run, refused): (Vec<Call>, Vec<Call>) = calls().iter().partition(|call| header.eval(call).blocks > 0);
    for (what, calls) in [("can run", can_run), ("cannot run, each with its reasons", refused)] {
        compare_some_calls(header, what, &calls);
    }
}

fn compare_some_calls(header: &Header, what: &str, calls: &[Call]) {
    let arch = a100();
    let launches: Vec<Launch> = calls.iter().filter_map(Call::launch).collect();
    let mut answers = vec![Answer::default(); calls.len()];
    let totals = medians([
        &mut || launches.iter().for_each(|launch| _ = black_box(&evaluate(arch, black_box(launch)))),
        &mut || launches.iter().for_each(|launch| _ = black_box(&limits(arch, black_box(launch)))),
        &mut || calls.iter().for_each(|call| _ = black_box(&header.eval(black_box(call)))),
        &mut || header.batch(black_box(calls), black_box(&mut answers)),
    ]);
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let per_call = totals.map(|total| total / calls.len() as f64);
    println!("one launch, median of {TURNS} turns of {} launches that {what}:", calls.len());
    for (name, ns) in ["evaluate", "limits", "the header, one call", "the header, in a batch"].into_iter().zip(per_call) {
        println!("  {name:<24} {ns:6.1} ns, {:6.1} million a second", 1e3 / ns);
    }
    let [evaluate_ns, limits_ns, eval_ns, batch_ns] = per_call;
    println!("  evaluate against one call of the header: {:.2} times as fast", eval_ns / evaluate_ns);
    println!("  limits against one call of the header: {:.2} times as fast", eval_ns / limits_ns);
    println!("  limits against the header in a batch: {:.2} times as fast", batch_ns / limits_ns);
}

fn registers_axis() -> Axis {
    Axis::new(Variable::RegistersPerThread, 1, 255, 1)
}

fn threads_axis() -> Axis {
    Axis::new(Variable::ThreadsPerBlock, 32, 1024, 32)
}

fn table() -> Heatmap {
    heatmap(a100(), black_box(&Launch::default()), black_box(registers_axis()), black_box(threads_axis()))
}

fn table_of_header(header: &Header) -> Vec<i32> {
    let mut blocks = Vec::with_capacity(registers_axis().len() * threads_axis().len());
    for threads in (32..=1024).step_by(32) {
        for registers in 1..=255 {
            blocks.push(header.eval(&Call::new(black_box(a100()).compute_capability, threads, registers)).blocks);
        }
    }
    blocks
}

fn compare_tables(header: &Header) {
    let ours: Vec<i32> = table().cells.iter().map(|cell| i32::try_from(cell.blocks_per_sm).expect("small")).collect();
    assert_eq!(ours, table_of_header(header), "the two tables are one");
    let [ours_ns, header_ns] = medians([&mut || drop(black_box(table())), &mut || drop(black_box(table_of_header(header)))]);
    println!("a table of {} × {} cells, median of {TURNS} turns:", registers_axis().len(), threads_axis().len());
    println!("  heatmap                  {:6.1} µs", ours_ns / 1e3);
    println!("  the header, cell by cell {:6.1} µs", header_ns / 1e3);
    println!("  heatmap against the header: {:.2} times as fast", header_ns / ours_ns);
}

#[divan::bench]
fn evaluate_4096_launches(bencher: Bencher<'_, '_>) {
    let launches = launches();
    bencher
        .counter(ItemsCount::new(NUM_CALLS))
        .bench_local(|| launches.iter().for_each(|launch| _ = black_box(&evaluate(a100(), black_box(launch)))));
}

#[divan::bench]
fn limits_of_4096_launches(bencher: Bencher<'_, '_>) {
    let launches = launches();
    bencher
        .counter(ItemsCount::new(NUM_CALLS))
        .bench_local(|| launches.iter().for_each(|launch| _ = black_box(&limits(a100(), black_box(launch)))));
}

#[divan::bench]
fn header_on_4096_calls(bencher: Bencher<'_, '_>) {
    let calls = calls();
    match Header::load() {
        Ok(header) => bencher
            .counter(ItemsCount::new(NUM_CALLS))
            .bench_local(|| calls.iter().for_each(|call| _ = black_box(&header.eval(black_box(call))))),
        Err(_) => bencher.bench_local(|| ()),
    }
}

#[divan::bench]
fn heatmap_255_by_32(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(255 * 32usize)).bench_local(table);
}

#[divan::bench]
fn header_255_by_32(bencher: Bencher<'_, '_>) {
    match Header::load() {
        Ok(header) => bencher.counter(ItemsCount::new(255 * 32usize)).bench_local(|| table_of_header(&header)),
        Err(_) => bencher.bench_local(|| ()),
    }
}
