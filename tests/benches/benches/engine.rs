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
use occuscope::engine::{Launch, Limits, Prepared, ResourceSet, evaluate};
use occuscope_proofs::archs;
use occuscope_proofs::header::{Answer, Call, Header};
use occuscope_proofs::random::Random;

fn main() {
    match Header::load() {
        Ok(header) => {
            compare_calls(&header);
            compare_tables(&header);
            compare_sweeps(&header);
        }
        Err(why) => println!("comparison with the header skipped: {why}"),
    }
    whole_gpu();
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
fn medians<const N: usize>(turns: usize, mut work: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut taken: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(turns));
    for _ in 0..turns {
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
    let options = options_of_all_kinds();
    for (what, calls) in [("can run", can_run), ("cannot run", refused), ("have every kind of option", options)] {
        compare_some_calls(header, what, &calls);
    }
}

/// As above, each with a carve-out, a maximum of its own or barriers as well.
fn options_of_all_kinds() -> Vec<Call> {
    let mut random = Random::new(2);
    let option = |(index, call): (usize, Call)| match index % 4 {
        0 => Call { carveout: i32::try_from(random.below(101)).expect("small"), ..call },
        1 => Call { max_dynamic: random.below(100 << 10), ..call },
        2 => Call { static_smem: random.below(8 << 10), opt_in: 0, ..call },
        _ => Call { barriers: i32::try_from(random.below(16)).expect("small"), ..call },
    };
    calls().into_iter().enumerate().map(option).collect()
}

/// What the header's call tells, out of all that the engine knows: every limit, their minimum, and which of them bind.
fn told(limits: &Limits) -> (Limits, u32, ResourceSet) {
    (*limits, limits.min_blocks(), limits.binding())
}

fn compare_some_calls(header: &Header, what: &str, calls: &[Call]) {
    let arch = a100();
    let launches: Vec<Launch> = calls.iter().filter_map(Call::launch).collect();
    let prepared = Prepared::new(arch);
    for (call, launch) in calls.iter().zip(&launches) {
        assert_eq!(prepared.limits(launch), limits(arch, launch));
        assert_eq!(i32::try_from(limits(arch, launch).min_blocks()), Ok(header.eval(call).blocks), "{call:?}");
    }
    let mut answers = vec![Answer::default(); calls.len()];
    let totals = medians(
        TURNS,
        [
            &mut || launches.iter().for_each(|launch| _ = black_box(&told(&prepared.limits(black_box(launch))))),
            &mut || launches.iter().for_each(|launch| _ = black_box(&told(&limits(arch, black_box(launch))))),
            &mut || launches.iter().for_each(|launch| _ = black_box(&evaluate(arch, black_box(launch)))),
            &mut || calls.iter().for_each(|call| _ = black_box(&header.eval(black_box(call)))),
            &mut || header.batch(black_box(calls), black_box(&mut answers)),
        ],
    );
    let per_call = totals.map(|total| total / count(calls.len()));
    println!("one launch, median of {TURNS} turns of {} launches that {what}:", calls.len());
    for (name, ns) in ["prepared", "limits", "evaluate", "the header, one call", "the header, in a batch"].into_iter().zip(per_call) {
        println!("  {name:<24} {ns:6.1} ns, {:6.1} million a second", 1e3 / ns);
    }
    let [prepared_ns, limits_ns, evaluate_ns, eval_ns, batch_ns] = per_call;
    println!("  prepared against one call of the header: {:.2} times as fast", eval_ns / prepared_ns);
    println!("  prepared against the header in a batch: {:.2} times as fast", batch_ns / prepared_ns);
    println!("  limits against one call of the header: {:.2} times as fast", eval_ns / limits_ns);
    println!("  evaluate against one call of the header: {:.2} times as fast", eval_ns / evaluate_ns);
}

#[expect(clippy::cast_precision_loss, reason = "a count that is printed as a rate")]
fn count(number: usize) -> f64 {
    number as f64
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

fn table_of_header(header: &Header) -> Vec<u16> {
    let mut blocks = Vec::with_capacity(registers_axis().len() * threads_axis().len());
    for threads in (32..=1024).step_by(32) {
        for registers in 1..=255 {
            blocks.push(blocks_of(&header.eval(&Call::new(black_box(a100()).compute_capability, threads, registers))));
        }
    }
    blocks
}

fn blocks_of(answer: &Answer) -> u16 {
    u16::try_from(answer.blocks).expect("few blocks")
}

fn compare_tables(header: &Header) {
    let mut blocks = Vec::new();
    table().blocks_into(&mut blocks);
    assert_eq!(blocks, table_of_header(header), "the two tables are one");
    let mut ours = || {
        black_box(table()).blocks_into(&mut blocks);
        black_box(&blocks);
    };
    let [ours_ns, header_ns] = medians(TURNS, [&mut ours, &mut || drop(black_box(table_of_header(header)))]);
    println!("a table of {} × {} cells, median of {TURNS} turns:", registers_axis().len(), threads_axis().len());
    println!("  heatmap                  {:6.1} µs", ours_ns / 1e3);
    println!("  the header, cell by cell {:6.1} µs", header_ns / 1e3);
    println!("  heatmap against the header: {:.2} times as fast", header_ns / ours_ns);
}

/// 1,024 block sizes × 256 register counts on every architecture, blocks per SM of each cell in memory.
const SWEPT_TURNS: usize = 21;

fn compare_sweeps(header: &Header) {
    let archs = archs();
    let axes = [Axis::new(Variable::RegistersPerThread, 0, 255, 1), Axis::new(Variable::ThreadsPerBlock, 1, 1024, 1)];
    let cells = axes[0].len() * axes[1].len() * archs.len();
    let ours = |blocks: &mut Vec<u16>, check: &mut dyn FnMut(&Arch, &[u16])| {
        for arch in &archs {
            heatmap(arch, black_box(&Launch::default()), axes[0], axes[1]).blocks_into(blocks);
            check(arch, black_box(blocks));
        }
    };
    let calls_of = |arch: &Arch| -> Vec<Call> {
        let cc = arch.compute_capability;
        (1..=1024).flat_map(|threads| (0..=255).map(move |registers| Call::new(cc, threads, registers))).collect()
    };
    let mut blocks = Vec::new();
    ours(&mut blocks, &mut |arch, blocks| {
        let theirs: Vec<u16> = calls_of(arch).iter().map(|call| blocks_of(&header.eval(call))).collect();
        assert_eq!(blocks, theirs, "compute capability {}", arch.compute_capability);
    });
    let mut their_blocks = Vec::new();
    let mut header_cell_by_cell = || {
        for arch in &archs {
            their_blocks.clear();
            for threads in 1..=1024 {
                for registers in 0..=255 {
                    their_blocks.push(blocks_of(&header.eval(&Call::new(arch.compute_capability, threads, registers))));
                }
            }
            black_box(&their_blocks);
        }
    };
    let all_calls: Vec<Vec<Call>> = archs.iter().map(|arch| calls_of(arch)).collect();
    let mut answers = vec![Answer::default(); all_calls[0].len()];
    let totals = medians(
        SWEPT_TURNS,
        [&mut || ours(&mut blocks, &mut |_, _| ()), &mut header_cell_by_cell, &mut || {
            for calls in &all_calls {
                header.batch(black_box(calls), black_box(&mut answers));
            }
        }],
    );
    let [ours_ns, eval_ns, batch_ns] = totals.map(|total| total / count(cells));
    println!("1,024 × 256 × {} architectures, {cells} cells, median of {SWEPT_TURNS} turns:", archs.len());
    println!("  heatmap                  {ours_ns:7.3} ns a cell, {:.1} µs an architecture", ours_ns * count(cells / archs.len()) / 1e3);
    println!("  the header, cell by cell {eval_ns:7.3} ns a cell");
    println!("  the header, in a batch   {batch_ns:7.3} ns a cell");
    println!("  swept against the header: {:.2} times as fast", eval_ns / ours_ns);
    println!("  swept against the header in a batch: {:.2} times as fast", batch_ns / ours_ns);
}

/// 255 register counts × 1,024 block sizes × every size of dynamic shared memory that the hardware tells apart, on one GPU.
fn whole_gpu() {
    let arch = Catalog::builtin().arch(ComputeCapability::new(9, 0)).expect("a built-in architecture");
    let unit = u64::from(arch.smem_allocation_unit_bytes);
    let steps = 1 + u64::from(arch.optin_smem_per_block_bytes) / unit;
    let (registers, threads) = (registers_axis(), Axis::new(Variable::ThreadsPerBlock, 1, 1024, 1));
    let mut blocks = Vec::new();
    let (mut cells, mut resident) = (0usize, 0u64);
    let start = Instant::now();
    for step in 0..steps {
        let launch = Launch { dynamic_smem_bytes: step * unit, ..Launch::default() };
        heatmap(arch, black_box(&launch), registers, threads).blocks_into(&mut blocks);
        cells += black_box(&blocks).len();
        resident += u64::from(blocks[blocks.len() / 2]);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("255 × 1,024 × {steps} sizes of shared memory, {cells} cells of one GPU: {seconds:.3} s");
    println!(
        "  {:.3} ns a cell, {:.1} µs a plane ({resident} blocks in the middles)",
        seconds * 1e9 / count(cells),
        seconds * 1e6 / count(usize::try_from(steps).unwrap_or(1))
    );
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
fn prepared_on_4096_launches(bencher: Bencher<'_, '_>) {
    let (launches, prepared) = (launches(), Prepared::new(a100()));
    bencher
        .counter(ItemsCount::new(NUM_CALLS))
        .bench_local(|| launches.iter().for_each(|launch| _ = black_box(&prepared.limits(black_box(launch)))));
}

#[divan::bench]
fn preparing() -> Prepared<'static> {
    Prepared::new(black_box(a100()))
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
