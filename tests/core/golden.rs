//! The engine equals NVIDIA's `cuda_occupancy.h`: every row of `tests/golden` in every column.
//!
//! A bug becomes a row there. A row that disagrees means that the engine is wrong.

use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;

use occuscope::arch::{Arch, Catalog, ComputeCapability};
use occuscope::engine::advice::{available_dynamic_smem_bytes, suggested_block_size};
use occuscope::engine::{CachePreference, Launch, Limit, Limits, Occupancy, PartitionedCaching, Resource, ResourceSet, evaluate};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

/// SMs of the product that stood for each compute capability when the block sizes were recorded. They only scale grids.
const NUM_SMS: [(&str, u32); 22] = [
    ("5.0", 5),
    ("5.2", 16),
    ("5.3", 1),
    ("6.0", 56),
    ("6.1", 20),
    ("6.2", 2),
    ("7.0", 80),
    ("7.2", 8),
    ("7.5", 40),
    ("8.0", 108),
    ("8.6", 84),
    ("8.7", 16),
    ("8.8", 8),
    ("8.9", 128),
    ("9.0", 132),
    ("10.0", 148),
    ("10.1", 20),
    ("10.3", 148),
    ("10.7", 148),
    ("11.0", 20),
    ("12.0", 170),
    ("12.1", 48),
];

fn path_of(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect()
}

/// The rows of a table as `R`, which may look at some of its columns only.
fn rows_of<R: DeserializeOwned>(name: &str) -> Vec<R> {
    let path = path_of(name);
    let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|error| panic!("{error}: {}", path.display()));
    reader.deserialize().enumerate().map(|(index, row)| row.unwrap_or_else(|error| panic!("{name}, row {}: {error}", index + 1))).collect()
}

fn arch(cc: &str) -> &'static Arch {
    let cc: ComputeCapability = cc.parse().unwrap();
    Catalog::builtin().arch(cc).unwrap_or_else(|| panic!("{cc} is not known"))
}

/// One row of `golden_<cc>.csv`: a call of the header, and whether it refused the input.
#[derive(Debug, Deserialize)]
struct Row {
    threads: i64,
    regs: i64,
    static_smem: u64,
    dyn_smem: u64,
    max_dyn: String,
    optin: u8,
    carveout: i64,
    cache: u8,
    gc: u8,
    bars: u32,
    vres: u32,
    err: u8,
}

/// The rest of the row, what the header said; all empty when it refused the input.
#[derive(Debug, PartialEq, Eq, Default, Deserialize)]
struct Said {
    active: Option<u32>,
    factors: Option<u32>,
    #[serde(deserialize_with = "limit")]
    lim_warps: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_blocks: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_regs: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_smem: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_bars: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_virt: Option<Limit>,
    alloc_regs: Option<u64>,
    alloc_smem: Option<u64>,
    gc_out: Option<u8>,
}

/// A number, `inf`, or nothing.
fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Limit>, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.as_str() {
        "" => Ok(None),
        "inf" => Ok(Some(Limit::UNLIMITED)),
        number => number.parse().map(|blocks| Some(Limit::blocks(blocks))).map_err(serde::de::Error::custom),
    }
}

impl Row {
    /// The launch a caller would make of the row; none where a register count below zero stops it at its own reading.
    ///
    /// The header takes signed numbers and `Launch` does not. A caller who meets one below zero has no threads (for
    /// threads), and something that is not a percentage (for a carve-out other than −1, which says "default").
    fn launch(&self) -> Option<Launch> {
        Some(Launch {
            static_smem_bytes: self.static_smem,
            dynamic_smem_bytes: self.dyn_smem,
            opt_in: self.optin == 1,
            max_dynamic_smem_bytes: (self.max_dyn != "max").then(|| self.max_dyn.parse().unwrap()),
            carveout_percent: (self.carveout != -1).then(|| u32::try_from(self.carveout).unwrap_or(u32::MAX)),
            cache_preference: cache_preference(self.cache),
            partitioned_caching: partitioned_caching(self.gc),
            barriers_per_block: self.bars,
            virtual_resources_per_block: self.vres,
            ..Launch::new(u32::try_from(self.threads).unwrap_or(0), u32::try_from(self.regs).ok()?)
        })
    }
}

fn cache_preference(code: u8) -> CachePreference {
    match code {
        0 => CachePreference::None,
        1 => CachePreference::SharedMemory,
        2 => CachePreference::L1,
        3 => CachePreference::Equal,
        _ => panic!("cache preference {code}"),
    }
}

fn partitioned_caching(code: u8) -> PartitionedCaching {
    match code {
        0 => PartitionedCaching::Off,
        1 => PartitionedCaching::On,
        2 => PartitionedCaching::Strict,
        _ => panic!("partitioned caching {code}"),
    }
}

/// The header's bit mask of limiting factors, worked out again from our limits.
///
/// First every limit but the barriers is compared with the smallest of them. Then, where the barriers allow no more than
/// that, their bit is added, and the bits of limits that no longer bind are left standing.
fn mask_with_stale_bits(limits: &Limits) -> u32 {
    let compared =
        [(1, limits.warps), (2, limits.registers), (4, limits.shared_memory), (8, limits.blocks), (32, limits.virtual_resources)];
    let smallest = compared.iter().map(|(_, limit)| *limit).min().unwrap();
    let mask: u32 = compared.iter().filter(|(_, limit)| *limit == smallest).map(|(bit, _)| bit).sum();
    mask + if limits.barriers <= smallest && limits.barriers != Limit::UNLIMITED { 16 } else { 0 }
}

/// What the engine says, in the header's columns.
fn said(row: &Row, occupancy: &Occupancy) -> Said {
    let limits = &occupancy.limits;
    Said {
        active: Some(occupancy.blocks_per_sm),
        factors: Some(mask_with_stale_bits(limits)),
        lim_warps: Some(limits.warps),
        lim_blocks: Some(limits.blocks),
        lim_regs: Some(limits.registers),
        lim_smem: Some(limits.shared_memory),
        lim_bars: Some(limits.barriers),
        lim_virt: Some(limits.virtual_resources),
        alloc_regs: Some(occupancy.registers.allocated_per_block),
        alloc_smem: Some(occupancy.smem.allocated_per_block),
        gc_out: Some(if occupancy.partitioned_caching { row.gc } else { 0 }),
    }
}

/// Asserts that nothing went wrong, and shows the first few things that did.
fn check<E: Debug>(what: &str, wrong: &[E]) {
    let examples: Vec<String> = wrong.iter().take(5).map(|row| format!("{row:?}")).collect();
    assert!(wrong.is_empty(), "{what}: {} rows disagree, for example\n{}", wrong.len(), examples.join("\n"));
}

#[test]
fn every_golden_row_in_every_column() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut refused_at_reading = 0;
    for arch in Catalog::builtin().archs() {
        let cc = arch.compute_capability;
        let table = format!("golden_{}{}.csv", cc.major, cc.minor);
        for (row, header) in rows_of::<Row>(&table).into_iter().zip(rows_of::<Said>(&table)) {
            count += 1;
            let answer = row.launch().map(|launch| evaluate(arch, &launch));
            refused_at_reading += u32::from(answer.is_none());
            let valid = answer.as_ref().filter(|occupancy| !occupancy.refusals.iter().any(occuscope::engine::Refusal::is_invalid_input));
            let ours = valid.map_or_else(Said::default, |occupancy| said(&row, occupancy));
            let same_limiters = valid.is_none_or(limiters_are_honest);
            if row.err != u8::from(valid.is_none()) || header != ours || !same_limiters {
                wrong.push((cc.to_string(), row, header, ours));
            }
        }
    }
    check("golden rows", &wrong);
    assert_eq!(count, 73_014);
    assert_eq!(refused_at_reading, 22, "one row of each compute capability has −1 registers");
}

/// The limiters are exactly the limits equal to the answer, whatever bits the header leaves standing.
fn limiters_are_honest(occupancy: &Occupancy) -> bool {
    let answer = Limit::blocks(occupancy.blocks_per_sm);
    Resource::ALL.into_iter().all(|resource| occupancy.limiters.contains(resource) == (occupancy.limits.get(resource) == answer))
}

#[test]
fn the_golden_files_are_those_of_the_manifest() {
    let manifest = fs::read_to_string(path_of("MANIFEST.txt")).unwrap();
    let listed: Vec<(&str, usize)> = manifest
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let file = words.next().filter(|word| word.to_ascii_lowercase().ends_with(".csv"))?;
            Some((file, words.next()?.parse().ok()?))
        })
        .collect();
    for (file, rows) in &listed {
        assert_eq!(fs::read_to_string(path_of(file)).unwrap().lines().count(), rows + 1, "{file}");
    }
    assert_eq!(listed.len(), 25);
}

/// `cudaOccupancyAvailableDynamicSMemPerBlock`, as the header answers it.
#[derive(Debug, Deserialize)]
struct AvailableRow {
    cc: String,
    threads: u32,
    regs: u32,
    static_smem: u64,
    blocks: u32,
    err: u8,
    dyn_available: u64,
}

#[test]
fn available_dynamic_shared_memory_is_what_the_header_says() {
    let rows = rows_of::<AvailableRow>("api_avail.csv");
    assert_eq!(rows.len(), 3_696);
    let disagrees = |row: &AvailableRow| {
        let launch = Launch { static_smem_bytes: row.static_smem, ..Launch::new(row.threads, row.regs) };
        let available = available_dynamic_smem_bytes(arch(&row.cc), &launch, row.blocks);
        (u8::from(available.is_none()), available.unwrap_or(0)) != (row.err, row.dyn_available)
    };
    check("available dynamic shared memory", &rows.into_iter().filter(disagrees).collect::<Vec<_>>());
}

/// `cudaOccupancyMaxPotentialBlockSize`, as the header answers it; block 0 where no size can run.
#[derive(Debug, Deserialize)]
struct BlockSizeRow {
    cc: String,
    max_threads: u32,
    regs: u32,
    static_smem: u64,
    dyn_smem: u64,
    err: u8,
    block: u32,
    min_grid: u32,
}

#[test]
fn the_suggested_block_size_is_what_the_header_says() {
    let rows = rows_of::<BlockSizeRow>("api_blocksize.csv");
    assert_eq!(rows.len(), 4_224);
    let disagrees = |row: &BlockSizeRow| {
        let launch =
            Launch { static_smem_bytes: row.static_smem, dynamic_smem_bytes: row.dyn_smem, ..Launch::new(row.max_threads, row.regs) };
        let (_, num_sms) = NUM_SMS.into_iter().find(|(cc, _)| *cc == row.cc).unwrap();
        let (block, blocks_per_sm) = suggested_block_size(arch(&row.cc), &launch, row.max_threads).unwrap_or((0, 0));
        (0, block, blocks_per_sm * num_sms) != (row.err, row.block, row.min_grid)
    };
    check("suggested block size", &rows.into_iter().filter(disagrees).collect::<Vec<_>>());
}

/// A launch that another calculator, library or lesson got wrong, or whose answer a profiler printed.
#[derive(Debug, Deserialize)]
struct PeersRow {
    id: String,
    cc: String,
    threads: u32,
    regs: u32,
    smem_static: u64,
    smem_dynamic: u64,
    carveout_pct: i64,
    barriers: u32,
    partitioned_gc: u8,
    optin: u8,
    occupancy_pct: f64,
    limiters: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct PeersCounts {
    blocks_per_sm: u32,
    active_warps: u32,
    max_warps: u32,
    #[serde(deserialize_with = "limit")]
    lim_regs: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_smem: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_warps: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_blocks: Option<Limit>,
    #[serde(deserialize_with = "limit")]
    lim_barriers: Option<Limit>,
    alloc_regs_per_block: u64,
    alloc_smem_per_block: u64,
}

impl PeersRow {
    fn evaluate(&self) -> Occupancy {
        let launch = Launch {
            static_smem_bytes: self.smem_static,
            dynamic_smem_bytes: self.smem_dynamic,
            carveout_percent: u32::try_from(self.carveout_pct).ok(),
            barriers_per_block: self.barriers,
            partitioned_caching: partitioned_caching(self.partitioned_gc),
            opt_in: self.optin == 1,
            ..Launch::new(self.threads, self.regs)
        };
        evaluate(arch(&self.cc), &launch)
    }

    fn limiters(&self) -> ResourceSet {
        let resource = |key: &str| Resource::ALL.into_iter().find(|resource| resource.key() == key).unwrap();
        self.limiters.split('+').map(resource).collect()
    }
}

#[test]
fn cases_that_others_got_wrong_are_right_here() {
    let rows = rows_of::<PeersRow>("peers_cases.csv");
    assert_eq!(rows.len(), 53);
    for (row, expected) in rows.into_iter().zip(rows_of::<PeersCounts>("peers_cases.csv")) {
        let occupancy = row.evaluate();
        let limits = &occupancy.limits;
        let counts = PeersCounts {
            blocks_per_sm: occupancy.blocks_per_sm,
            active_warps: occupancy.active_warps_per_sm(),
            max_warps: occupancy.max_warps_per_sm,
            lim_regs: Some(limits.registers),
            lim_smem: Some(limits.shared_memory),
            lim_warps: Some(limits.warps),
            lim_blocks: Some(limits.blocks),
            lim_barriers: Some(limits.barriers),
            alloc_regs_per_block: occupancy.registers.allocated_per_block,
            alloc_smem_per_block: occupancy.smem.allocated_per_block,
        };
        assert_eq!(counts, expected, "{}", row.id);
        assert_eq!(occupancy.limiters, row.limiters(), "{}", row.id);
        // Written with four significant digits.
        let distance = (occupancy.theoretical_percent() - row.occupancy_pct).abs();
        assert!(distance <= 0.005 + 1e-9, "{}: {} %, not {} %", row.id, occupancy.theoretical_percent(), row.occupancy_pct);
    }
}

/// Blocks per SM, the percentage and the limiters' keys.
fn worked(cc: &str, launch: &Launch) -> (u32, String, String) {
    let occupancy = evaluate(arch(cc), launch);
    (occupancy.blocks_per_sm, occupancy.theoretical_percent().to_string(), occupancy.limiters.joined_keys())
}

#[test]
fn the_worked_numbers() {
    let with_48_kib = Launch { dynamic_smem_bytes: 48 * 1024, ..Launch::new(256, 64) };
    let answer = |blocks: u32, percent: &str, limiters: &str| (blocks, percent.to_owned(), limiters.to_owned());
    assert_eq!(worked("8.0", &Launch::new(768, 32)), answer(2, "75", "warps+registers"));
    assert_eq!(worked("8.0", &Launch::new(32, 32)), answer(32, "50", "blocks"));
    assert_eq!(worked("8.0", &Launch::new(256, 64)), answer(4, "50", "registers"));
    assert_eq!(worked("8.0", &with_48_kib), answer(3, "37.5", "shared_memory"));
    assert_eq!(worked("9.0", &with_48_kib), answer(4, "50", "registers+shared_memory"));
}
