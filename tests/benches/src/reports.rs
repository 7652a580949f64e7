//! Reports of any size in the shapes that the profiler writes, with invented kernels; the same bytes for the same seed.
//!
//! Not meant to look like one GPU's truth, only to have the shape that decides how fast a file is read: the length of rows and
//! names, how many rows a launch has, how many of them are about metrics that nobody keeps.

use std::io::{self, Write};

use crate::binary;
use crate::random::Random;

/// Which page of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 20 columns, a row for every metric and every rule: about 90 a launch.
    Details,
    /// A row for every launch, [`RAW_COLUMNS`] wide, after a row of units.
    Raw,
    /// The profiler's own file: [`binary::NUM_METRICS`] values a launch and code in between.
    Binary,
}

/// As wide as `--set full` makes a raw page.
pub const RAW_COLUMNS: usize = 1_700;

/// Writes whole launches until at least `num_bytes` are written. Returns how many launches that were.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_report(shape: Shape, num_bytes: u64, seed: u64, out: impl Write) -> io::Result<u64> {
    let mut out = Counted { out, num_bytes: 0 };
    let mut random = Random::new(seed);
    let num_metrics = if shape == Shape::Binary { binary::NUM_METRICS } else { RAW_COLUMNS - 11 };
    let raw_metrics = raw_metrics(num_metrics, &mut random);
    match shape {
        Shape::Details => writeln!(out, "{DETAILS_HEADER}")?,
        Shape::Raw => raw_head(&raw_metrics, &mut out)?,
        Shape::Binary => binary::head(&mut out)?,
    }
    let mut id = 0;
    while out.num_bytes < num_bytes {
        id += match shape {
            Shape::Details => Launch::invent(id, &mut random).details(&mut random, &mut out).map(|()| 1),
            Shape::Raw => Launch::invent(id, &mut random).raw(&raw_metrics, &mut random, &mut out).map(|()| 1),
            Shape::Binary => binary::block(id, &raw_metrics, &mut random, &mut out),
        }?;
    }
    out.flush()?;
    Ok(id)
}

/// A writer that knows how much went through it.
struct Counted<W> {
    out: W,
    num_bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.num_bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

const DETAILS_HEADER: &str = concat!(
    r#""ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","#,
    r#""Section Name","Metric Name","Metric Unit","Metric Value","#,
    r#""Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup""#
);

const NAMES: &[&str] = &[
    "tide_step(float *, const float *, int)",
    "void drift<float, (int)4>(Grid<float>, const Current *, unsigned int)",
    "void reef::gemm_tile<128, 64, 32, reef::RowMajor>(reef::View<const float, 2>, reef::View<const float, 2>, reef::View<float, 2>)",
    "foam_histogram",
    "void swell_reduce<512, double>(double *, const double *, unsigned long)",
    "void pearl::attention<pearl::Half, 64, true, false>(pearl::Args<pearl::Half>, const int *, float)",
    "scatter_plankton(int *, int const *, int)",
    "void kelp::transpose<float, 32, 8>(float *, float const *, int, int)",
];

/// A section, its identifier in rules, and its metrics: name, unit and how the value looks.
type Section = (&'static str, &'static str, &'static [(&'static str, &'static str, Looks)]);

#[derive(Clone, Copy)]
pub(crate) enum Looks {
    Percent,
    /// Grouped by commas.
    Count,
    Real,
    Word,
    Registers,
    Threads,
    Blocks,
    Small,
}

use Looks::{Blocks, Count, Percent, Real, Registers, Small, Threads, Word};

const SECTIONS: &[Section] = &[
    (
        "GPU Speed Of Light Throughput",
        "SpeedOfLight",
        &[
            ("DRAM Frequency", "hz", Count),
            ("SM Frequency", "hz", Count),
            ("Elapsed Cycles", "cycle", Count),
            ("Memory Throughput", "%", Percent),
            ("DRAM Throughput", "%", Percent),
            ("Duration", "ns", Count),
            ("L1/TEX Cache Throughput", "%", Percent),
            ("L2 Cache Throughput", "%", Percent),
            ("SM Active Cycles", "cycle", Real),
            ("Compute (SM) Throughput", "%", Percent),
        ],
    ),
    (
        "Compute Workload Analysis",
        "ComputeWorkloadAnalysis",
        &[
            ("Executed Ipc Active", "inst/cycle", Real),
            ("Executed Ipc Elapsed", "inst/cycle", Real),
            ("Issue Slots Busy", "%", Percent),
            ("Issued Ipc Active", "inst/cycle", Real),
            ("SM Busy", "%", Percent),
        ],
    ),
    (
        "Memory Workload Analysis",
        "MemoryWorkloadAnalysis",
        &[
            ("Memory Throughput", "byte/s", Count),
            ("Mem Busy", "%", Percent),
            ("L1/TEX Hit Rate", "%", Percent),
            ("L2 Compression Success Rate", "%", Percent),
            ("L2 Compression Ratio", "", Real),
            ("L2 Hit Rate", "%", Percent),
            ("Mem Pipes Busy", "%", Percent),
            ("Max Bandwidth", "%", Percent),
        ],
    ),
    (
        "Scheduler Statistics",
        "SchedulerStats",
        &[
            ("One or More Eligible", "%", Percent),
            ("Issued Warp Per Scheduler", "", Real),
            ("No Eligible", "%", Percent),
            ("Active Warps Per Scheduler", "warp", Real),
            ("Eligible Warps Per Scheduler", "warp", Real),
        ],
    ),
    (
        "Warp State Statistics",
        "WarpStateStats",
        &[
            ("Warp Cycles Per Issued Instruction", "cycle", Real),
            ("Warp Cycles Per Executed Instruction", "cycle", Real),
            ("Avg. Active Threads Per Warp", "", Real),
            ("Avg. Not Predicated Off Threads Per Warp", "", Real),
        ],
    ),
    (
        "Instruction Statistics",
        "InstructionStats",
        &[
            ("Avg. Executed Instructions Per Scheduler", "inst", Real),
            ("Executed Instructions", "inst", Count),
            ("Avg. Issued Instructions Per Scheduler", "inst", Real),
            ("Issued Instructions", "inst", Count),
        ],
    ),
    (
        "Launch Statistics",
        "LaunchStats",
        &[
            ("Block Size", "", Threads),
            ("Function Cache Configuration", "", Word),
            ("Grid Size", "", Blocks),
            ("Registers Per Thread", "register/thread", Registers),
            ("Shared Memory Configuration Size", "byte", Small),
            ("Driver Shared Memory Per Block", "byte/block", Small),
            ("Dynamic Shared Memory Per Block", "byte/block", Small),
            ("Static Shared Memory Per Block", "byte/block", Small),
            ("# SMs", "SM", Small),
            ("Stack Size", "", Small),
            ("Threads", "thread", Count),
            ("# TPCs", "", Small),
            ("Enabled TPC IDs", "", Word),
            ("Uses Green Context", "", Small),
            ("Waves Per SM", "", Real),
        ],
    ),
    (
        "Occupancy",
        "Occupancy",
        &[
            ("Block Limit SM", "block", Small),
            ("Block Limit Registers", "block", Small),
            ("Block Limit Shared Mem", "block", Small),
            ("Block Limit Warps", "block", Small),
            ("Theoretical Active Warps per SM", "warp", Small),
            ("Theoretical Occupancy", "%", Percent),
            ("Achieved Occupancy", "%", Percent),
            ("Achieved Active Warps Per SM", "warp", Real),
        ],
    ),
    (
        "GPU and Memory Workload Distribution",
        "WorkloadDistribution",
        &[
            ("Average DRAM Active Cycles", "cycle", Real),
            ("Total DRAM Elapsed Cycles", "cycle", Count),
            ("Average L1 Active Cycles", "cycle", Real),
            ("Total L1 Elapsed Cycles", "cycle", Count),
            ("Average L2 Active Cycles", "cycle", Real),
            ("Total L2 Elapsed Cycles", "cycle", Count),
            ("Average SM Active Cycles", "cycle", Real),
            ("Total SM Elapsed Cycles", "cycle", Count),
            ("Average SMSP Active Cycles", "cycle", Real),
            ("Total SMSP Elapsed Cycles", "cycle", Count),
        ],
    ),
    (
        "Source Counters",
        "SourceCounters",
        &[
            ("Branch Instructions Ratio", "%", Percent),
            ("Branch Instructions", "inst", Count),
            ("Branch Efficiency", "%", Percent),
            ("Avg. Divergent Branches", "", Real),
        ],
    ),
    (
        "PM Sampling",
        "PmSampling",
        &[
            ("Maximum Sampling Interval", "cycle", Count),
            ("Maximum Buffer Size", "byte", Count),
            ("Dropped Samples", "sample", Small),
            ("# Pass Groups", "", Small),
        ],
    ),
];

const RULE_TEXTS: &[&str] = &[
    "Invented advice: the tail of this launch leaves most of the SMs without work for a while; a grid that fills whole waves would not.",
    "Invented advice: few warps of each scheduler can issue in an average cycle, because they wait for data that others have asked for.",
    "Invented advice: the registers of each thread keep the number of blocks on an SM below what its warp slots would hold.",
];

/// What the identification columns say.
pub(crate) struct Launch {
    pub name: &'static str,
    pub threads: u64,
    pub blocks: u64,
    registers: u64,
    head: String,
}

impl Launch {
    pub fn invent(id: u64, random: &mut Random) -> Self {
        let name = random.pick(NAMES);
        let threads = 32 * (1 + random.below(32));
        let blocks = 1 + random.below(100_000);
        let head = format!(r#""{id}","8123","ocean_step","127.0.0.1","{name}","1","7","({threads}, 1, 1)","({blocks}, 1, 1)","0","8.0","#);
        Self { name, threads, blocks, registers: 16 + random.below(240), head }
    }

    fn details(&self, random: &mut Random, out: &mut impl Write) -> io::Result<()> {
        for (at, (section, identifier, metrics)) in SECTIONS.iter().enumerate() {
            for (metric, unit, looks) in *metrics {
                let value = self.value(*looks, random);
                writeln!(out, r#"{}"{section}","{metric}","{unit}","{value}","#, self.head)?;
            }
            if at % 2 == 0 || random.chance(60) {
                let (text, percent) = (random.pick(RULE_TEXTS), random.below(100));
                let share = self.value(Percent, random);
                writeln!(
                    out,
                    r#"{}"{identifier}","","","","{identifier}Rule","OPT","{text} That is {share} % of its time.","global","{percent}.{}""#,
                    self.head,
                    1 + random.below(9)
                )?;
            }
        }
        Ok(())
    }

    fn raw(&self, metrics: &[RawMetric], random: &mut Random, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{}", self.head.trim_end_matches(','))?;
        for metric in metrics {
            write!(out, r#","{}""#, self.value(metric.looks, random))?;
        }
        writeln!(out)
    }

    pub fn value(&self, looks: Looks, random: &mut Random) -> String {
        match looks {
            Percent => format!("{}.{:02}", random.below(100), random.below(100)),
            Count => {
                let digits = 1 + random.below(9);
                occuscope::fmt::grouped(random.below(10u64.pow(u32::try_from(digits).unwrap_or(1))))
            }
            Real => format!("{}.{:02}", occuscope::fmt::grouped(random.below(100_000)), random.below(100)),
            Word => "CachePreferNone".to_owned(),
            Registers => self.registers.to_string(),
            Threads => self.threads.to_string(),
            Blocks => occuscope::fmt::grouped(self.blocks),
            Small => random.below(64).to_string(),
        }
    }
}

pub(crate) struct RawMetric {
    pub name: String,
    unit: &'static str,
    pub looks: Looks,
}

/// The metrics that are kept, spread among many that are not.
fn raw_metrics(num_metrics: usize, random: &mut Random) -> Vec<RawMetric> {
    const KEPT: &[(&str, &str, Looks)] = &[
        ("gpu__time_duration.sum", "ns", Count),
        ("launch__block_size", "", Threads),
        ("launch__grid_size", "", Blocks),
        ("launch__registers_per_thread", "register/thread", Registers),
        ("launch__shared_mem_per_block_static", "byte/block", Small),
        ("launch__shared_mem_per_block_dynamic", "byte/block", Small),
        ("launch__shared_mem_per_block_driver", "byte/block", Small),
        ("launch__shared_mem_config_size", "byte", Small),
        ("launch__sm_count", "SM", Small),
        ("launch__occupancy_limit_blocks", "block", Small),
        ("launch__occupancy_limit_registers", "block", Small),
        ("launch__occupancy_limit_shared_mem", "block", Small),
        ("launch__occupancy_limit_warps", "block", Small),
        ("launch__waves_per_multiprocessor", "", Real),
        ("sm__maximum_warps_per_active_cycle_pct", "%", Percent),
        ("sm__warps_active.avg.pct_of_peak_sustained_active", "%", Percent),
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", Percent),
    ];
    const UNITS: &[&str] = &["", "cycle", "byte", "inst", "%", "sector", "warp"];
    let step = num_metrics / KEPT.len();
    let mut kept = KEPT.iter();
    let metric = |index: usize| match index.is_multiple_of(step).then(|| kept.next()).flatten() {
        Some((name, unit, looks)) => RawMetric { name: (*name).to_owned(), unit, looks: *looks },
        None => RawMetric {
            name: format!("ocean__unit{}_counter_{index}.{}", index % 40, random.pick(&["sum", "avg", "max", "min.per_second"])),
            unit: random.pick(UNITS),
            looks: random.pick(&[Count, Real, Percent, Small]),
        },
    };
    (0..num_metrics).map(metric).collect()
}

fn raw_head(metrics: &[RawMetric], out: &mut impl Write) -> io::Result<()> {
    let identification = DETAILS_HEADER.split(r#","Section Name""#).next().unwrap_or_default();
    write!(out, "{identification}")?;
    for metric in metrics {
        write!(out, r#","{}""#, metric.name)?;
    }
    writeln!(out)?;
    write!(out, r#""","","","","","","","","","","""#)?;
    for metric in metrics {
        write!(out, r#","{}""#, metric.unit)?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(shape: Shape) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        let num_launches = write_report(shape, 300_000, 7, &mut bytes).unwrap();
        (bytes, num_launches)
    }

    #[test]
    fn the_same_seed_gives_the_same_report_and_all_its_launches_are_read() {
        use occuscope::import::Format;

        for (shape, format) in [(Shape::Details, Format::Details), (Shape::Raw, Format::Raw), (Shape::Binary, Format::NcuRep)] {
            let (bytes, num_launches) = written(shape);
            assert_eq!(bytes, written(shape).0);
            let report = occuscope::import::read_report(&bytes).unwrap();
            assert_eq!((report.format, report.kernels.len() as u64), (format, num_launches));
            assert!(report.kernels.iter().all(|kernel| kernel.registers_per_thread.is_some() && !kernel.name.is_empty()));
        }
    }
}
