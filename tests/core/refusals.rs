//! Why a launch cannot run, with the numbers that a person needs to make it run.

use occuscope::arch::{Arch, Catalog};
use occuscope::engine::refusal::largest_launchable_threads;
use occuscope::engine::{Launch, LaunchBounds, PartitionedCaching, evaluate};
use occuscope::units::Dim3;

fn arch(compute_capability: &str) -> &'static Arch {
    Catalog::builtin().find_arch(compute_capability).expect("a built-in architecture")
}

/// All refusals as one text; empty when the launch can run.
fn said_on(arch: &Arch, launch: &Launch) -> String {
    let refusals = evaluate(arch, launch).refusals;
    refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join(" / ")
}

fn said(compute_capability: &str, launch: &Launch) -> String {
    said_on(arch(compute_capability), launch)
}

fn shaped(x: u32, y: u32, z: u32) -> Launch {
    Launch { block: Dim3::new(x, y, z), ..Launch::default() }
}

#[test]
fn a_block_has_so_many_threads_in_so_many_directions() {
    assert_eq!(said("8.0", &Launch::new(1025, 32)), "a block of 1,025 threads, but at most 1,024 are allowed; use smaller blocks");
    assert_eq!(said("8.0", &shaped(1, 1, 64)), "");
    let folded = "but at most 64 are allowed; fold it into another dimension";
    assert_eq!(said("8.0", &shaped(1, 1, 65)), format!("a block is 65 threads long in z, {folded}"));
    // An invented GPU may have larger blocks, of the same shape.
    let large = Arch { max_threads_per_block: 2048, ..arch("8.0").clone() };
    assert_eq!((large.check().is_ok(), said_on(&large, &shaped(1, 1024, 2)).as_str()), (true, ""));
    let folded = "but at most 1,024 are allowed; fold it into another dimension";
    assert_eq!(said_on(&large, &shaped(1, 2048, 1)), format!("a block is 2,048 threads long in y, {folded}"));
}

#[test]
fn launch_bounds_are_a_promise() {
    let bounds = LaunchBounds { max_threads_per_block: 256, min_blocks_per_sm: None };
    let bound = |threads| Launch { launch_bounds: Some(bounds), ..Launch::new(threads, 32) };
    assert_eq!(said("8.0", &bound(256)), "");
    let way_out = "launch fewer or raise the bound and compile again";
    assert_eq!(said("8.0", &bound(257)), format!("a block of 257 threads, but __launch_bounds__ promised at most 256; {way_out}"));
}

#[test]
fn a_carveout_is_a_percentage_where_it_is_looked_at() {
    let launch = |percent, blocks| Launch { carveout_percent: Some(percent), grid: Some(Dim3::linear(blocks)), ..Launch::default() };
    assert_eq!(said("8.0", &launch(100, 1)), "");
    assert_eq!(said("8.0", &launch(101, 1)), "the carve-out is 101 percent; it goes from 0 to 100");
    assert_eq!(said("5.2", &launch(101, 1)), "");
    assert_eq!(said("8.0", &launch(100, 0)), "the grid has no blocks; give it at least 1");
}

#[test]
fn registers_are_charged_in_whole_rounds_of_sub_partitions() {
    let limit = "limit them with -maxrregcount or __launch_bounds__";
    assert_eq!(said("8.0", &Launch::new(256, 257)), format!("257 registers per thread, but at most 256 are allowed; {limit}"));
    // 32 warps of 72 × 32 = 2,304.
    let (charged, fewer) = ("registers, but may have", "use fewer registers or smaller blocks");
    assert_eq!(said("8.0", &Launch::new(1024, 72)), format!("a block is charged 73,728 {charged} 65,536; {fewer}"));
    // 18 warps of 104 × 32 = 3,328 would be 59,904.
    let rounded = "(18 warps count as 20, the same number in each of 4 sub-partitions";
    assert_eq!(said("8.0", &Launch::new(576, 104)), format!("a block is charged 66,560 {charged} 65,536 {rounded}); {fewer}"));
    let family = "as on every GPU of the family";
    assert_eq!(said("6.0", &Launch::new(576, 104)), format!("a block is charged 66,560 {charged} 65,536 {rounded}, {family}); {fewer}"));
    // 32 warps of 2,048 fill the SM; strict partitioned caching holds them to one half of it.
    let with = |partitioned_caching| Launch { partitioned_caching, ..Launch::new(1024, 64) };
    assert_eq!(said("5.2", &with(PartitionedCaching::On)), "");
    assert_eq!(said("5.2", &with(PartitionedCaching::Strict)), format!("a block is charged 65,536 {charged} 32,768; {fewer}"));
}

#[test]
fn shared_memory_names_the_limit_that_is_exceeded() {
    let launch = |opt_in, dynamic_smem_bytes| Launch { opt_in, dynamic_smem_bytes, static_smem_bytes: 1, ..Launch::default() };
    let per_block = |sizes, allowed| format!("shared memory per block is {sizes}, but compute capability 8.0 allows {allowed}");
    let one_over = per_block("166,913 bytes (166,912 dynamic + 1 static)", "166,912; free 1 byte");
    assert_eq!(said("8.0", &launch(true, 166_912)), one_over);
    let way_out = "49,152 without opting in; opt in with cudaFuncAttributeMaxDynamicSharedMemorySize, up to 166,912";
    assert_eq!(said("8.0", &launch(false, 50_000)), per_block("50,001 bytes (50,000 dynamic + 1 static)", way_out));
    assert_eq!(said("8.0", &launch(false, 199_999)), per_block("200,000 bytes (199,999 dynamic + 1 static)", "49,152; free 150,848 bytes"));
    let own = Launch { max_dynamic_smem_bytes: Some(20_000), ..launch(true, 30_000) };
    let way_out = "raise cudaFuncAttributeMaxDynamicSharedMemorySize";
    assert_eq!(said("8.0", &own), format!("30,000 B of dynamic shared memory, but the kernel's own maximum is 20,000 B; {way_out}"));
}

#[test]
fn a_part_of_an_allocation_unit_is_of_no_use() {
    // An invented GPU whose blocks may have 192 units and 48 bytes.
    let odd = Arch { default_smem_per_block_bytes: 49_200, optin_smem_per_block_bytes: 98_304, ..arch("5.2").clone() };
    let launch = Launch { dynamic_smem_bytes: 49_200, max_dynamic_smem_bytes: Some(49_200), ..Launch::default() };
    let refused =
        "shared memory per block is 49,200 bytes (49,200 dynamic + 0 static), but compute capability 5.2 allows 49,152; free 48 bytes";
    assert_eq!((odd.check().is_ok(), said_on(&odd, &launch).as_str()), (true, refused));
    assert_eq!(said_on(&odd, &Launch { dynamic_smem_bytes: 49_152, ..launch }), "");
}

#[test]
fn clusters_have_a_power_of_two_of_blocks() {
    let cluster = |cluster_size| Launch { cluster_size, ..Launch::default() };
    for possible in [1, 2, 8, 16] {
        assert_eq!(said("9.0", &cluster(possible)), "");
    }
    for size in [3, 32] {
        let sizes = "clusters have 1, 2, 4, 8 or, where the GPU allows it, 16";
        assert_eq!(said("9.0", &cluster(size)), format!("a cluster of {size} blocks, but {sizes}"));
    }
    assert_eq!(said("8.0", &cluster(1)), "");
    let none = "compute capability 8.0 has no clusters; they exist from 9.0 on";
    assert_eq!(said("8.0", &cluster(2)), format!("a cluster of 2 blocks, but {none}"));
}

#[test]
fn the_largest_block_that_could_launch_has_whole_warps() {
    // 16 warps of 3,328 registers; 17 to 20 count as 20, which are 66,560.
    assert_eq!(largest_launchable_threads(arch("8.0"), &Launch::new(1024, 104)), Some(512));
    assert_eq!(largest_launchable_threads(arch("8.0"), &Launch::new(2000, 32)), Some(1024));
    assert_eq!(largest_launchable_threads(arch("8.0"), &Launch::new(32, 257)), None);
}
