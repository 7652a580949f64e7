//! Launches of public Nsight Compute reports: what the profiler said beside what the engine computes.

use super::*;
use crate::import::model::Device;
use crate::import::position::Position;
use crate::units::Dim3;

#[expect(clippy::unnecessary_wraps, reason = "reads like the fields of a kernel")]
fn read<T>(value: T) -> Option<Read<T>> {
    Some(Read::exact(value, Position::default()))
}

/// Limits in the order of the profiler: block slots, registers, shared memory, warps.
struct Row {
    cc: &'static str,
    block: u32,
    registers: u32,
    static_smem: u64,
    dynamic_smem: u64,
    configured: u64,
    limits: [u32; 4],
    barriers: Option<u32>,
    theoretical: f64,
}

const fn row(
    cc: &'static str,
    block: u32,
    registers: u32,
    smem: [u64; 3],
    limits: [u32; 4],
    barriers: Option<u32>,
    theoretical: f64,
) -> Row {
    Row { cc, block, registers, static_smem: smem[0], dynamic_smem: smem[1], configured: smem[2], limits, barriers, theoretical }
}

/// The distinct configurations that public reports state in full.
const ROWS: [Row; 26] = [
    row("6.1", 1024, 8, [0, 0, 0], [32, 8, 32, 2], None, 100.0),
    row("7.0", 512, 21, [0, 0, 0], [32, 5, 32, 4], None, 100.0),
    row("7.0", 512, 16, [0, 0, 0], [32, 8, 32, 4], None, 100.0),
    row("7.0", 256, 40, [3072, 0, 32_768], [32, 6, 32, 8], None, 75.0),
    row("7.0", 192, 58, [0, 0, 0], [32, 5, 32, 10], None, 46.88),
    row("7.0", 192, 60, [0, 0, 0], [32, 5, 32, 10], None, 46.88),
    row("7.0", 192, 20, [0, 0, 0], [32, 14, 32, 10], None, 93.75),
    row("7.0", 192, 22, [0, 0, 0], [32, 14, 32, 10], None, 93.75),
    row("7.5", 256, 32, [0, 0, 32_768], [16, 8, 16, 4], None, 100.0),
    row("8.0", 256, 255, [0, 0, 8192], [32, 1, 8, 8], None, 12.5),
    row("8.0", 640, 48, [0, 0, 16_384], [32, 2, 16, 3], None, 62.5),
    row("8.0", 1024, 59, [0, 0, 8192], [32, 1, 8, 2], None, 50.0),
    row("8.0", 1024, 60, [0, 0, 8192], [32, 1, 8, 2], None, 50.0),
    row("8.6", 1, 16, [0, 0, 16_384], [16, 128, 16, 48], None, 33.3333),
    row("8.6", 256, 16, [0, 0, 8192], [16, 16, 8, 6], None, 100.0),
    row("10.0", 384, 168, [0, 205_696, 233_472], [32, 1, 1, 5], Some(9), 18.75),
    row("10.0", 128, 56, [0, 9216, 135_168], [32, 9, 13, 16], Some(32), 56.25),
    row("10.0", 128, 64, [0, 9216, 135_168], [32, 8, 13, 16], Some(32), 50.0),
    row("10.0", 128, 72, [0, 9216, 135_168], [32, 7, 13, 16], Some(32), 43.75),
    row("10.0", 128, 64, [0, 36_864, 233_472], [32, 8, 6, 16], Some(32), 37.5),
    row("10.0", 128, 148, [0, 73_728, 233_472], [32, 3, 3, 16], Some(32), 18.75),
    row("10.0", 128, 40, [0, 8704, 135_168], [32, 12, 13, 16], Some(32), 75.0),
    row("10.0", 128, 255, [0, 65_536, 135_168], [32, 2, 2, 16], Some(32), 12.5),
    row("10.0", 128, 36, [80, 0, 32_768], [32, 12, 28, 16], Some(32), 75.0),
    row("10.0", 128, 38, [48, 0, 32_768], [32, 12, 28, 16], Some(32), 75.0),
    row("10.0", 128, 222, [0, 81_920, 167_936], [32, 2, 2, 16], Some(32), 12.5),
];

fn kernel(row: &Row) -> Kernel {
    let mut kernel = Kernel {
        name: "kernel".to_owned(),
        compute_capability: read(row.cc.parse().unwrap()),
        block: read(Dim3::linear(row.block)),
        registers_per_thread: read(row.registers),
        static_smem_bytes: read(row.static_smem),
        dynamic_smem_bytes: read(row.dynamic_smem),
        smem_config_bytes: read(row.configured),
        ..Kernel::default()
    };
    let [blocks, registers, smem, warps] = row.limits;
    kernel.reported.limit_blocks = read(blocks);
    kernel.reported.limit_registers = read(registers);
    kernel.reported.limit_shared_memory = read(smem);
    kernel.reported.limit_warps = read(warps);
    kernel.reported.limit_barriers = row.barriers.and_then(read);
    kernel.reported.theoretical_occupancy_percent = read(row.theoretical);
    kernel
}

fn join(kernel: &Kernel) -> Account {
    account(kernel, Catalog::builtin(), None)
}

fn gpu(name: &str, cc: &str, num_sms: u32) -> Gpu {
    Gpu {
        name: name.to_owned(),
        driver_names: vec![format!("NVIDIA {name}")],
        aliases: Vec::new(),
        compute_capability: cc.parse().unwrap(),
        num_sms: Some(num_sms),
        memory_bytes_per_second: None,
        typical: false,
        uncertain: None,
        sources: std::collections::BTreeMap::new(),
    }
}

/// The built-in facts with products of our own, so that the tests do not depend on which ones come with the program.
fn catalog_of_products(products: &[(&str, &str, u32)]) -> Catalog {
    let files: Vec<(String, String)> = products
        .iter()
        .map(|(name, cc, sms)| {
            let text =
                format!("compute_capability = \"{cc}\"\n[[gpu]]\nname = \"{name}\"\ndriver_names = [\"NVIDIA Test\"]\nnum_sms = {sms}\n");
            (format!("{name}.toml"), text)
        })
        .collect();
    Catalog::builtin().with_files(&files).unwrap()
}

#[test]
fn theoretical_occupancy_agrees_with_every_public_row() {
    for row in &ROWS {
        let account = join(&kernel(row));
        let computed = account.occupancy.unwrap().theoretical_percent();
        assert!((computed - row.theoretical).abs() < 0.01, "{} {} threads: {computed}", row.cc, row.block);
    }
}

#[test]
fn every_difference_of_the_public_rows_is_explained() {
    for row in &ROWS {
        for difference in join(&kernel(row)).differences {
            assert!(difference.is_explained(), "{} {} threads: {}", row.cc, row.block, difference.sentence());
        }
    }
}

#[test]
fn a_configured_size_below_the_largest_is_the_reason() {
    let row = &ROWS[14];
    let account = join(&kernel(row));
    let [difference] = account.differences.as_slice() else { panic!("{:?}", account.differences) };
    assert_eq!(difference.cause, Cause::ConfiguredSmem { configured_bytes: 8192, largest_bytes: 102_400 });
    assert_eq!(
        difference.sentence(),
        "The report's limit by shared memory is 8 blocks, the computed one 100: the profiler divides the 8 KiB that shared memory was configured to, the calculation the 100 KiB that it can have."
    );
}

#[test]
fn the_profiler_of_2020_divided_the_largest_size() {
    // 32 KiB configured, and yet the limit is 98,304 / 3,072 = 32.
    assert_eq!(join(&kernel(&ROWS[3])).differences, []);
}

#[test]
fn unknown_barriers_are_found_by_trying() {
    let account = join(&kernel(&ROWS[15]));
    let [difference] = account.differences.as_slice() else { panic!("{:?}", account.differences) };
    assert_eq!((difference.subject, difference.reported), (Subject::Limit(Resource::Barriers), 9.0));
    assert_eq!(difference.cause, Cause::BarriersUnknown { barriers: 7 });
}

#[test]
fn a_limit_that_nothing_gives_is_flagged_and_so_is_what_follows() {
    let mut odd = kernel(&ROWS[3]);
    odd.reported.limit_registers = read(5);
    odd.reported.theoretical_occupancy_percent = read(62.5);
    let account = join(&odd);
    assert_eq!(account.differences.len(), 2);
    assert!(account.differences.iter().all(|difference| !difference.is_explained()));
    assert_eq!(account.differences[1].cause, Cause::FollowsFrom { resource: Resource::Registers, is_explained: false });
    assert_eq!((account.blocks_per_sm, account.theoretical_percent), (Some(5), Some(62.5)));
}

#[test]
fn a_rounded_size_can_give_two_limits() {
    let mut rounded = kernel(&ROWS[9]);
    rounded.smem_config_bytes = Some(Read { value: 8190, at: Position::default(), rounded: true });
    let [difference] = join(&rounded).differences.try_into().unwrap_or_else(|all| panic!("{all:?}"));
    assert_eq!(difference.cause, Cause::RoundedCell);
}

#[test]
fn one_full_wave_and_136_blocks() {
    let mut gemm = kernel(&ROWS[15]);
    gemm.grid = read(Dim3::linear(288));
    gemm.num_sms = read(152);
    gemm.reported.achieved_occupancy_percent = read(17.5);
    let account = join(&gemm);
    let waves = account.waves.unwrap();
    assert_eq!((waves.full_waves, waves.partial_wave_blocks), (1, 136));
    let gap = account.gap.unwrap();
    assert!((gap.theoretical - 18.75).abs() < 1e-9 && (gap.other - 1.25).abs() < 1e-9);
}

#[test]
fn what_the_report_lacks_is_listed() {
    let account = join(&Kernel { grid: read(Dim3::linear(8)), ..Kernel::default() });
    let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
    assert_eq!(
        missing,
        ["compute capability", "block size", "registers per thread", "static shared memory per block", "dynamic shared memory per block"]
    );
    assert!(account.occupancy.is_none() && account.waves.is_none() && account.gap.is_none());
}

#[test]
fn reported_limits_give_waves_without_registers() {
    let mut bare = kernel(&ROWS[3]);
    bare.registers_per_thread = None;
    bare.grid = read(Dim3::linear(1849));
    bare.num_sms = read(80);
    let account = join(&bare);
    assert_eq!(account.missing, [Missing::RegistersPerThread]);
    assert_eq!(account.waves.map(|waves| (waves.blocks_per_wave, waves.full_waves)), Some((480, 3)));
}

#[test]
fn theoretical_occupancy_gives_blocks_where_limits_lack() {
    let mut bare = kernel(&ROWS[16]);
    bare.reported = crate::import::Reported { theoretical_occupancy_percent: read(56.25), ..crate::import::Reported::default() };
    bare.registers_per_thread = None;
    assert_eq!(join(&bare).blocks_per_sm, Some(9));
}

#[test]
fn the_number_of_sms_is_never_guessed_from_the_compute_capability() {
    let mut launch = kernel(&ROWS[9]);
    launch.grid = read(Dim3::linear(1000));
    let account = join(&launch);
    assert_eq!((account.num_sms, account.waves), (None, None));
}

#[test]
fn the_chosen_gpu_adds_its_sms_where_it_fits() {
    let launch = kernel(&ROWS[9]);
    let a100 = gpu("Test A", "8.0", 108);
    assert_eq!(account(&launch, Catalog::builtin(), Some(&a100)).num_sms, Some(108));
    let other = account(&launch, Catalog::builtin(), Some(&gpu("Test H", "9.0", 132)));
    assert_eq!(other.num_sms, None);
    assert_eq!(other.notes, ["the chosen GPU, Test H, has compute capability 9.0, but the report is from 8.0; it is not used here"]);
}

#[test]
fn the_chosen_gpu_stands_in_where_the_report_has_no_compute_capability() {
    let mut old = kernel(&ROWS[3]);
    old.compute_capability = None;
    let account = account(&old, Catalog::builtin(), Some(&gpu("Test V", "7.0", 80)));
    assert_eq!(account.occupancy.unwrap().blocks_per_sm, 6);
    assert_eq!(account.num_sms, Some(80));
}

#[test]
fn a_name_that_several_products_have_counts_sms_only_when_they_agree() {
    let mut named = kernel(&ROWS[9]);
    named.device_name = Some(Read::exact("NVIDIA Test".to_owned(), Position::default()));
    let differing = catalog_of_products(&[("Test 1", "8.0", 98), ("Test 2", "8.0", 108)]);
    assert_eq!(account(&named, &differing, None).num_sms, None);
    let agreeing = catalog_of_products(&[("Test 1", "8.0", 108), ("Test 2", "8.0", 108)]);
    let both = account(&named, &agreeing, None);
    assert_eq!((both.num_sms, both.gpu), (Some(108), None));
    named.num_sms = read(98);
    assert_eq!(account(&named, &differing, None).gpu.unwrap().name, "Test 1");
}

/// The attributes that a raw page of a GPU with 48 warps and 24 blocks states.
fn device() -> Device {
    Device {
        num_sms: read(170),
        max_warps_per_sm: read(48),
        max_threads_per_sm: None,
        max_blocks_per_sm: read(24),
        registers_per_sm: read(65_536),
        smem_per_sm_bytes: read(102_400),
        optin_smem_per_block_bytes: read(101_376),
        reserved_smem_per_block_bytes: read(1024),
    }
}

#[test]
fn attributes_in_the_report_need_no_table() {
    let mut unknown = kernel(&row("99.0", 32, 16, [0, 0, 102_400], [24, 128, 100, 48], None, 50.0));
    assert_eq!(join(&unknown).missing, [Missing::Facts(ComputeCapability::new(99, 0))]);
    unknown.device = device();
    let account = join(&unknown);
    assert_eq!(account.occupancy.unwrap().blocks_per_sm, 24);
    assert_eq!((account.num_sms, account.notes.len()), (Some(170), 1));
    assert_eq!(account.differences, []);
}

#[test]
fn attributes_in_the_report_go_over_the_table() {
    let mut known = kernel(&row("8.6", 32, 16, [0, 0, 102_400], [24, 128, 100, 48], None, 50.0));
    known.device = device();
    let account = join(&known);
    assert_eq!((account.arch.unwrap().max_blocks_per_sm, account.occupancy.unwrap().blocks_per_sm), (24, 24));
}

#[test]
fn attributes_that_contradict_themselves_are_not_used() {
    let mut broken = kernel(&ROWS[9]);
    broken.device.max_blocks_per_sm = read(0);
    let account = join(&broken);
    assert_eq!(account.arch.unwrap().max_blocks_per_sm, 32);
    assert_eq!(account.notes, ["what the report states about its GPU contradicts itself; the built-in facts are used"]);
}

#[test]
fn more_than_48_kib_was_opted_in_to() {
    assert!(join(&kernel(&ROWS[15])).occupancy.unwrap().can_launch());
}
