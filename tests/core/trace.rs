//! The steps of a calculation: each rule with the numbers of the launch in it, worked out by hand.

use occuscope::arch::{Arch, Catalog};
use occuscope::engine::trace::{Step, trace};
use occuscope::engine::{Launch, PartitionedCaching};
use occuscope::units::Dim3;

fn arch(compute_capability: &str) -> &'static Arch {
    Catalog::builtin().find_arch(compute_capability).expect("a built-in architecture")
}

fn line(step: &Step) -> String {
    format!("{}: {} = {} {}", step.rule, step.numbers, step.result, step.unit)
}

/// The numbers and the result of one step; none where there is no such step.
fn numbers(compute_capability: &str, launch: &Launch, rule: &str) -> Option<String> {
    let steps = trace(arch(compute_capability), launch, None);
    steps.iter().find(|step| step.rule == rule).map(|step| format!("{} = {}", step.numbers, step.result))
}

#[test]
fn an_a100_is_worked_out_step_by_step() {
    let launch = Launch { dynamic_smem_bytes: 48 << 10, grid: Some(Dim3::linear(400)), ..Launch::new(256, 64) };
    let steps: Vec<String> = trace(arch("8.0"), &launch, Some(108)).iter().map(line).collect();
    let expected = [
        "Warps per block: ⌈256 / 32⌉ = 8 warps",
        "Limit by warp slots: ⌊64 / 8⌋ = 8 blocks",
        "Limit by block slots: 32 = 32 blocks",
        "Registers per warp: 64 × 32 = 2,048 → multiple of 256 = 2,048 registers",
        "Warps per register file: ⌊16,384 / 2,048⌋ = 8 warps",
        "Limit by registers: ⌊8 × 4 / 8⌋ = 4 blocks",
        "Shared memory per block: 0 + 49,152 + 1,024 → multiple of 128 = 50,176 bytes",
        "Shared-memory pool: 100 % of 167,936 → 167,936 = 167,936 bytes",
        "Limit by shared memory: ⌊167,936 / 50,176⌋ = 3 blocks",
        "Blocks per SM: min(8, 32, 4, 3) = 3 blocks",
        "Active warps per SM: 3 × 8 = 24 warps",
        "Theoretical occupancy: 24 / 64 = 37.5 %",
        "Blocks per wave: 108 × 3 = 324 blocks",
        "Waves: 400 / 324 = 1.23 waves",
        "Slot efficiency: 400 / (2 × 324) = 61.7 %",
        "Grid-limited occupancy: (8 / 64) × 400 / (108 × 1 + min(76, 108)) = 27.2 %",
        "Share of time in the tail: 1 / (1 + 1) = 50 %",
    ];
    assert_eq!(steps, expected);
}

#[test]
fn without_a_grid_or_a_number_of_sms_there_are_no_waves() {
    let last = |launch: &Launch, num_sms| trace(arch("8.0"), launch, num_sms).last().map(|step| step.rule);
    assert_eq!(last(&Launch::default(), Some(108)), Some("Theoretical occupancy"));
    let full = Launch { grid: Some(Dim3::linear(8 * 108)), ..Launch::default() };
    assert_eq!(last(&full, None), Some("Theoretical occupancy"));
    assert_eq!(last(&full, Some(108)), Some("Grid-limited occupancy"), "a full wave has no tail");
}

#[test]
fn a_limit_that_allows_no_block_says_what_is_too_much() {
    let said = |launch: &Launch, rule: &str| numbers("8.0", launch, rule).unwrap();
    let rule = "Limit by warp slots";
    assert_eq!(said(&Launch::new(1024, 32), rule), "⌊64 / 32⌋ = 2");
    assert_eq!(said(&Launch::new(1025, 32), rule), "1,025 threads > 1,024: no block = 0");
    let rule = "Limit by registers";
    assert_eq!(said(&Launch::new(256, 257), rule), "257 per thread > 256: no block = 0");
    assert_eq!(said(&Launch::new(576, 104), rule), "a block is charged 66,560 > 65,536: no block = 0");
    let rule = "Limit by shared memory";
    let dynamic = |dynamic_smem_bytes| Launch { dynamic_smem_bytes, ..Launch::default() };
    assert_eq!(said(&dynamic(166_912), rule), "⌊167,936 / 167,936⌋ = 1");
    assert_eq!(said(&dynamic(166_913), rule), "168,064 > 167,936 that a block may have: no block = 0");
    let own = Launch { max_dynamic_smem_bytes: Some(166_000), ..dynamic(166_912) };
    assert_eq!(said(&own, rule), "166,912 > the kernel's own maximum of 166,000: no block = 0");
    assert_eq!(said(&own, "Blocks per SM"), "cannot launch = 0");
}

#[test]
fn what_is_not_used_does_not_limit() {
    let launch = Launch::new(256, 0);
    assert_eq!(numbers("5.2", &launch, "Warps per register file"), None);
    assert_eq!(numbers("5.2", &launch, "Limit by registers").unwrap(), "no registers, no limit = unlimited");
    assert_eq!(numbers("5.2", &launch, "Shared-memory pool").unwrap(), "fixed: 98,304 = 98,304");
    assert_eq!(numbers("5.2", &launch, "Limit by shared memory").unwrap(), "none used, no limit = unlimited");
    let barriers = |barriers_per_block| Launch { barriers_per_block, ..Launch::default() };
    assert_eq!(numbers("9.0", &barriers(16), "Limit by barriers").unwrap(), "⌊64 / 16⌋ = 4");
    assert_eq!(numbers("9.0", &barriers(0), "Limit by barriers"), None);
    assert_eq!(numbers("8.0", &barriers(16), "Limit by barriers"), None);
}

#[test]
fn options_show_in_the_numbers() {
    let halves = Launch { partitioned_caching: PartitionedCaching::On, ..Launch::new(256, 32) };
    assert_eq!(numbers("5.2", &halves, "Limit by warp slots").unwrap(), "2 × ⌊32 / 8⌋ = 8");
    assert_eq!(numbers("5.2", &halves, "Limit by registers").unwrap(), "2 × ⌊16 × 2 / 8⌋ = 8");
    let carveout = Launch { carveout_percent: Some(50), ..Launch::default() };
    assert_eq!(numbers("8.0", &carveout, "Shared-memory pool").unwrap(), "50 % of 167,936 → 102,400 = 102,400");
}
