//! Every dense sweep of `tests/golden/sweep_hashes.csv`: 490,632,064 launches, each answered by the engine, in 254 hashes.
//!
//! Once every word that is hashed is made of what `limits` says about that very launch, and nothing is shared between the cells of a
//! sweep; once `Prepared` says it, and once whole tables do.

use std::error::Error;
use std::time::Instant;

use occuscope::arch::{Arch, Catalog};
use occuscope::engine::limits::limits;
use occuscope::engine::sweep::{Axis, Variable, heatmap};
use occuscope::engine::{Launch, Limits, Prepared};
use occuscope_proofs::in_parallel;
use occuscope_proofs::word::{Hash, pack};

/// `first:last:step`, both ends included.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u32,
    last: u32,
    step: usize,
}

impl Range {
    fn parse(text: &str) -> Result<Self, Box<dyn Error>> {
        let [first, last, step] = text.split(':').collect::<Vec<_>>()[..] else { return Err(format!("range {text}").into()) };
        Ok(Self { first: first.parse()?, last: last.parse()?, step: step.parse()? })
    }

    fn axis(self, variable: Variable) -> Axis {
        Axis::new(variable, self.first.into(), self.last.into(), self.step as u64)
    }

    fn values(self) -> impl Iterator<Item = u32> {
        (self.first..=self.last).step_by(self.step)
    }
}

#[derive(Debug)]
struct Sweep {
    arch: &'static Arch,
    threads: Range,
    registers: Range,
    smem: Range,
    launch: Launch,
    count: u64,
    hash: Hash,
    name: String,
}

fn read(row: &csv::StringRecord) -> Result<Sweep, Box<dyn Error>> {
    let [cc, threads, registers, smem, options, count, hash] = row.iter().collect::<Vec<_>>()[..] else {
        return Err("a row has seven columns".into());
    };
    Ok(Sweep {
        arch: Catalog::builtin().arch(cc.parse()?).ok_or("unknown compute capability")?,
        threads: Range::parse(threads)?,
        registers: Range::parse(registers)?,
        smem: Range::parse(smem)?,
        launch: launch_with(options)?,
        count: count.parse()?,
        hash: Hash(u64::from_str_radix(hash, 16)?),
        name: format!("{cc} {options}"),
    })
}

fn launch_with(options: &str) -> Result<Launch, Box<dyn Error>> {
    use occuscope::engine::PartitionedCaching::{On, Strict};
    let mut launch = Launch::default();
    for option in options.split_whitespace() {
        match option.split_once('=').ok_or("an option has a value")? {
            ("limit", "default") => launch.opt_in = false,
            ("carveout", percent) => launch.carveout_percent = Some(percent.parse()?),
            ("bars", count) => launch.barriers_per_block = count.parse()?,
            ("vres", count) => launch.virtual_resources_per_block = count.parse()?,
            ("gc", "on") => launch.partitioned_caching = On,
            ("gc", "strict") => launch.partitioned_caching = Strict,
            _ => return Err(format!("option {option}").into()),
        }
    }
    Ok(launch)
}

/// Replays a sweep, each launch on its own: how many launches, and their hash.
fn replay(sweep: &Sweep, answer: impl Fn(&Launch) -> Limits) -> (u64, Hash) {
    let mut launch = sweep.launch.clone();
    let mut hash = Hash::default();
    let mut count = 0;
    for threads in sweep.threads.values() {
        launch.block.x = threads;
        for registers in sweep.registers.values() {
            launch.registers_per_thread = registers;
            for bytes in sweep.smem.values() {
                launch.dynamic_smem_bytes = bytes.into();
                hash.add(pack(&answer(&launch)));
                count += 1;
            }
        }
    }
    (count, hash)
}

/// The same as tables, one for each block size.
fn replay_tables(sweep: &Sweep) -> (u64, Hash) {
    let mut launch = sweep.launch.clone();
    let mut hash = Hash::default();
    let mut count = 0;
    for threads in sweep.threads.values() {
        launch.block.x = threads;
        let (x, y) = (sweep.smem.axis(Variable::DynamicSmem), sweep.registers.axis(Variable::RegistersPerThread));
        for cell in heatmap(sweep.arch, &launch, x, y).cells() {
            hash.add(pack(&cell.limits));
            count += 1;
        }
    }
    (count, hash)
}

fn sweeps() -> Vec<Sweep> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../golden/sweep_hashes.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut sweeps: Vec<Sweep> = reader.records().map(|row| read(&row.unwrap()).unwrap()).collect();
    assert_eq!(sweeps.len(), 254);
    // The long ones first, so that no core waits for the last one.
    sweeps.sort_by_key(|sweep| std::cmp::Reverse(sweep.count));
    sweeps
}

fn assert_hashes(how: &str, replay: impl Fn(&Sweep) -> (u64, Hash) + Sync) {
    let sweeps = sweeps();
    let start = Instant::now();
    let answers = in_parallel(&sweeps, replay);
    let seconds = start.elapsed().as_secs_f64();

    let mut total = 0;
    for (sweep, (count, hash)) in sweeps.iter().zip(&answers) {
        assert_eq!((*count, *hash), (sweep.count, sweep.hash), "{}", sweep.name);
        total += count;
    }
    assert_eq!(total, 490_632_064);
    #[expect(clippy::cast_precision_loss, reason = "a rate, printed with one digit")]
    let rate = total as f64 / seconds / 1e6;
    println!("{} sweeps {how}, {total} evaluations in {seconds:.1} s: {rate:.1} million a second", sweeps.len());
}

#[test]
fn every_sweep_has_the_headers_hash() {
    assert_hashes("launch by launch", |sweep| replay(sweep, |launch| limits(sweep.arch, launch)));
}

#[test]
fn every_sweep_has_the_headers_hash_out_of_prepared_tables() {
    assert_hashes("prepared", |sweep| {
        let prepared = Prepared::new(sweep.arch);
        replay(sweep, |launch| prepared.limits(launch))
    });
}

#[test]
fn every_sweep_has_the_headers_hash_as_tables() {
    assert_hashes("as tables", replay_tables);
}
