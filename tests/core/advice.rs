//! What it would take, on launches small enough to work the answer out by hand.

use occuscope::arch::{Arch, Catalog};
use occuscope::engine::advice::{
    Input, available_dynamic_smem_bytes, gains, max_registers_for_blocks, next_limiters, pair_gain, same_occupancy,
};
use occuscope::engine::{Launch, evaluate};

fn arch(compute_capability: &str) -> &'static Arch {
    Catalog::builtin().find_arch(compute_capability).expect("a built-in architecture")
}

fn with_dynamic(threads: u32, registers: u32, dynamic_smem_bytes: u64) -> Launch {
    Launch { dynamic_smem_bytes, ..Launch::new(threads, registers) }
}

/// An input, what it is and what it becomes.
type Step = (Input, u64, u64);

fn single(arch: &Arch, launch: &Launch) -> Vec<Step> {
    gains(arch, launch).iter().map(|change| (change.input, change.from, change.to)).collect()
}

/// The two inputs that are changed together and the warps they lead to.
fn pair(arch: &Arch, launch: &Launch) -> Option<([Step; 2], u32)> {
    pair_gain(arch, launch, &gains(arch, launch)).map(|pair| (pair.changes, pair.occupancy.active_warps_per_sm()))
}

#[test]
fn each_input_has_its_name() {
    use Input::{Barriers, Carveout, DynamicSmem, RegistersPerThread, StaticSmem, ThreadsPerBlock};
    let names = [ThreadsPerBlock, RegistersPerThread, StaticSmem, DynamicSmem, Carveout, Barriers].map(Input::name);
    assert_eq!(names, ["Threads", "Registers", "Static shared", "Dynamic shared", "Carve-out", "Barriers"]);
}

#[test]
fn the_smallest_part_of_a_value_comes_first() {
    // 3 blocks for shared memory: 9 warps each are 27, and a fourth block needs 41,984 bytes with the driver's 1,024.
    let threads = (Input::ThreadsPerBlock, 256, 288);
    assert_eq!(single(arch("8.0"), &with_dynamic(256, 64, 49_152)), [threads, (Input::DynamicSmem, 49_152, 40_960)]);
    // 7 blocks: an eighth needs 20,992 bytes, 9 % less than now, and 32 of 256 threads are 12.5 %.
    assert_eq!(single(arch("8.0"), &with_dynamic(256, 32, 22_000)), [(Input::DynamicSmem, 22_000, 19_968), threads]);
}

#[test]
fn a_maximum_of_its_own_counts_only_for_a_kernel_that_opted_in() {
    let launch = |opt_in, maximum| Launch { opt_in, max_dynamic_smem_bytes: Some(maximum), ..with_dynamic(256, 64, 45_000) };
    // 3 blocks for shared memory; a fourth has 40,960 bytes.
    assert!(single(arch("8.0"), &launch(false, 30_000)).contains(&(Input::DynamicSmem, 45_000, 40_960)));
    // Cannot launch before it is as small as that.
    assert_eq!(single(arch("8.0"), &launch(true, 30_000)), [(Input::DynamicSmem, 45_000, 30_000)]);
}

#[test]
fn on_a_tie_the_cheapest_two_changes_are_found() {
    // Shared memory and 64 registers both stop at 4 blocks of 8 warps. 4 blocks of 9 warps need 9 warps in each register file.
    let threads = (Input::ThreadsPerBlock, 256, 288);
    assert_eq!(pair(arch("8.0"), &with_dynamic(256, 64, 40_960)), Some(([threads, (Input::RegistersPerThread, 64, 56)], 36)));
    // One block of 32 warps; two need half of the pool, less 1,024 bytes, and 16 warps in each register file.
    let smem = (Input::DynamicSmem, 100_000, 82_944);
    assert_eq!(pair(arch("8.0"), &with_dynamic(1024, 64, 100_000)), Some(([smem, (Input::RegistersPerThread, 64, 32)], 64)));
    // One block in 48 warp slots and 100 KiB: two have at most 24 warps and half of the pool.
    let (threads, smem) = ((Input::ThreadsPerBlock, 1024, 768), (Input::DynamicSmem, 60_000, 50_176));
    assert_eq!(pair(arch("8.6"), &with_dynamic(1024, 32, 60_000)), Some(([threads, smem], 48)));
}

#[test]
fn what_helps_alone_is_left_out_of_a_pair() {
    // 4 blocks of 7 warps; 8 warps would do alone. 5 blocks of 7 need 9 warps in each register file.
    let launch = with_dynamic(224, 64, 40_960);
    assert_eq!(single(arch("8.0"), &launch), [(Input::ThreadsPerBlock, 224, 256)]);
    let smem = (Input::DynamicSmem, 40_960, 32_512);
    assert_eq!(pair(arch("8.0"), &launch), Some(([smem, (Input::RegistersPerThread, 64, 56)], 35)));
}

#[test]
fn there_is_no_pair_without_a_tie() {
    assert_eq!(pair(arch("8.0"), &Launch::new(256, 32)), None, "all 64 warps");
    assert_eq!(pair(arch("8.0"), &with_dynamic(256, 257, 170_000)), None, "cannot launch");
    // A warp of this invented GPU is given a whole register file, however few registers it has.
    let coarse = Arch { register_allocation_unit: 16_384, ..arch("8.0").clone() };
    assert_eq!(coarse.check(), Ok(()));
    assert_eq!(pair(&coarse, &with_dynamic(128, 64, 100_000)), None);
}

#[test]
fn block_sizes_that_fill_an_a100_are_powers_of_two() {
    assert_eq!(same_occupancy(arch("8.0"), &Launch::new(256, 32)), [(64, 32), (128, 16), (512, 4), (1024, 2)]);
}

#[test]
fn registers_are_left_for_so_many_blocks() {
    let most = |threads, blocks| max_registers_for_blocks(arch("9.0"), &Launch::new(threads, 32), blocks);
    assert_eq!([most(256, 2), most(256, 8), most(1024, 2)], [Some(128), Some(32), Some(32)]);
    assert_eq!(most(1024, 100), None);
}

#[test]
fn shared_memory_is_left_for_so_many_blocks() {
    // Whatever the launch itself asks for: half of 167,936 without the driver's 1,024.
    assert_eq!(available_dynamic_smem_bytes(arch("8.0"), &with_dynamic(256, 32, 160_000), 2), Some(82_944));
    // Without a preference for shared memory the pool is empty until a block asks for some; 8,192 bytes are the smallest.
    let no_pool = Launch { carveout_percent: Some(0), ..Launch::new(256, 32) };
    assert_eq!(available_dynamic_smem_bytes(arch("7.0"), &no_pool, 2), Some(4_096));
}

#[test]
fn the_next_wall_is_the_smallest_limit_that_does_not_bind() {
    // Shared memory allows 3 blocks, registers 4, warp slots 8.
    let occupancy = evaluate(arch("8.0"), &with_dynamic(256, 64, 49_152));
    assert_eq!(next_limiters(&occupancy).joined_keys(), "registers");
}
