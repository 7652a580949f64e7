//! Laws that the engine obeys for every launch on every architecture, with launches made up at random.

use occuscope::arch::{Arch, Catalog};
use occuscope::engine::advice::{
    Change, Input, available_dynamic_smem_bytes, gains, headroom, max_registers_for_blocks, next_limiters, pair_gain, same_occupancy,
    suggested_block_size,
};
use occuscope::engine::refusal::largest_launchable_threads;
use occuscope::engine::sweep::{Axis, Cell, Variable, curve, heatmap};
use occuscope::engine::trace::trace;
use occuscope::engine::waves::{Gap, Waves};
use occuscope::engine::{CachePreference, Launch, LaunchBounds, Limit, PartitionedCaching, Placement, Resource, evaluate};
use occuscope::units::Dim3;
use proptest::prelude::*;
use proptest::sample::select;

fn any_arch() -> impl Strategy<Value = &'static Arch> {
    select(Catalog::builtin().archs().collect::<Vec<_>>())
}

/// Those that have partitioned caching.
fn caching_arch() -> impl Strategy<Value = &'static Arch> {
    select(Catalog::builtin().archs().filter(|arch| arch.partitioned_caching).collect::<Vec<_>>())
}

fn any_caching() -> impl Strategy<Value = PartitionedCaching> {
    select(vec![PartitionedCaching::Off, PartitionedCaching::On, PartitionedCaching::Strict])
}

fn any_preference() -> impl Strategy<Value = CachePreference> {
    select(vec![CachePreference::None, CachePreference::SharedMemory, CachePreference::L1, CachePreference::Equal])
}

/// Block shapes of up to a little over 1,024 threads, some of them too deep.
fn any_block() -> impl Strategy<Value = Dim3> {
    prop_oneof![
        4 => (0u32..=1100).prop_map(Dim3::linear),
        2 => (1u32..=32).prop_map(|warps| Dim3::linear(warps * 32)),
        1 => (1u32..=40, 1u32..=40, 1u32..=2).prop_map(|(x, y, z)| Dim3::new(x, y, z)),
        1 => (1u32..=4, 1u32..=4, 1u32..=80).prop_map(|(x, y, z)| Dim3::new(x, y, z)),
    ]
}

/// Launches as people write them and a little beyond: most can run, some cannot.
fn any_launch() -> impl Strategy<Value = Launch> {
    let sizes = (
        any_block(),
        0u32..=260,
        prop_oneof![2 => Just(0), 1 => 0u64..=50_000],
        prop_oneof![1 => Just(0), 2 => 0u64..=20_000, 2 => 0u64..=240_000],
    );
    let options = (
        prop::bool::weighted(0.8),
        prop::option::weighted(0.2, 0u64..=240_000),
        prop::option::weighted(0.3, 0u32..=102),
        any_preference(),
        any_caching(),
        prop_oneof![4 => Just(1), 1 => 0u32..=20],
        prop_oneof![9 => Just(0), 1 => 0u32..=130],
    );
    let rest = (
        prop_oneof![9 => Just(1), 1 => 0u32..=20],
        prop::option::weighted(0.2, (1u32..=1100, prop::option::of(0u32..=40))),
        prop::option::weighted(0.3, 0u32..=2000),
    );
    (sizes, options, rest).prop_map(|(sizes, options, rest)| Launch {
        block: sizes.0,
        registers_per_thread: sizes.1,
        static_smem_bytes: sizes.2,
        dynamic_smem_bytes: sizes.3,
        opt_in: options.0,
        max_dynamic_smem_bytes: options.1,
        carveout_percent: options.2,
        cache_preference: options.3,
        partitioned_caching: options.4,
        barriers_per_block: options.5,
        virtual_resources_per_block: options.6,
        cluster_size: rest.0,
        launch_bounds: rest.1.map(|(max_threads_per_block, min_blocks_per_sm)| LaunchBounds { max_threads_per_block, min_blocks_per_sm }),
        grid: rest.2.map(Dim3::linear),
    })
}

fn extreme_u32() -> impl Strategy<Value = u32> {
    prop_oneof![select(vec![0, 1, 2, 31, 32, 1024, 65_536, i32::MAX as u32, u32::MAX - 1, u32::MAX]), any::<u32>()]
}

fn extreme_u64() -> impl Strategy<Value = u64> {
    prop_oneof![select(vec![0, 1, 1024, 49_152, u64::from(u32::MAX), i64::MAX as u64, u64::MAX - 1024, u64::MAX]), any::<u64>()]
}

fn extreme_dim() -> impl Strategy<Value = Dim3> {
    (extreme_u32(), extreme_u32(), extreme_u32()).prop_map(|(x, y, z)| Dim3::new(x, y, z))
}

/// Launches with any number at all, up to the largest there is.
fn extreme_launch() -> impl Strategy<Value = Launch> {
    let replaced = (
        prop::option::of(extreme_dim()),
        prop::option::of(extreme_u32()),
        prop::option::of(extreme_u64()),
        prop::option::of(extreme_u64()),
        prop::option::of(extreme_u64()),
        prop::option::of(extreme_u32()),
        prop::option::of(extreme_u32()),
        prop::option::of(extreme_u32()),
        prop::option::of(extreme_u32()),
        prop::option::of(extreme_dim()),
    );
    (any_launch(), replaced).prop_map(|(launch, new)| Launch {
        block: new.0.unwrap_or(launch.block),
        registers_per_thread: new.1.unwrap_or(launch.registers_per_thread),
        static_smem_bytes: new.2.unwrap_or(launch.static_smem_bytes),
        dynamic_smem_bytes: new.3.unwrap_or(launch.dynamic_smem_bytes),
        max_dynamic_smem_bytes: new.4.or(launch.max_dynamic_smem_bytes),
        carveout_percent: new.5.or(launch.carveout_percent),
        barriers_per_block: new.6.unwrap_or(launch.barriers_per_block),
        virtual_resources_per_block: new.7.unwrap_or(launch.virtual_resources_per_block),
        cluster_size: new.8.unwrap_or(launch.cluster_size),
        grid: new.9.or(launch.grid),
        ..launch
    })
}

fn blocks(arch: &Arch, launch: &Launch) -> u32 {
    evaluate(arch, launch).blocks_per_sm
}

proptest! {
    #[test]
    fn more_registers_never_help(arch in any_arch(), launch in any_launch(), more in 1u32..=64) {
        let more = Launch { registers_per_thread: launch.registers_per_thread + more, ..launch.clone() };
        prop_assert!(blocks(arch, &more) <= blocks(arch, &launch));
    }

    #[test]
    fn more_dynamic_shared_memory_never_helps(arch in any_arch(), launch in any_launch(), more in 1u64..=100_000) {
        // With a smaller pool the hardware may be configured to a larger one for a larger block.
        let launch = Launch { carveout_percent: None, cache_preference: CachePreference::None, ..launch };
        let more = Launch { dynamic_smem_bytes: launch.dynamic_smem_bytes + more, ..launch.clone() };
        prop_assert!(blocks(arch, &more) <= blocks(arch, &launch));
    }

    #[test]
    fn limiters_are_exactly_the_limits_equal_to_the_minimum(arch in any_arch(), launch in any_launch()) {
        let occupancy = evaluate(arch, &launch);
        prop_assume!(occupancy.can_launch());
        let smallest = Resource::ALL.into_iter().map(|resource| occupancy.limits.get(resource)).min().unwrap();
        prop_assert_eq!(Limit::blocks(occupancy.blocks_per_sm), smallest.min(occupancy.limits.virtual_resources));
        for resource in Resource::ALL {
            let binds = occupancy.limits.get(resource).get() == Some(occupancy.blocks_per_sm);
            prop_assert_eq!(occupancy.limiters.contains(resource), binds, "{:?}", resource);
        }
    }

    #[test]
    fn the_limiters_of_a_refused_launch_are_those_that_allow_no_block(arch in any_arch(), launch in any_launch()) {
        let occupancy = evaluate(arch, &launch);
        prop_assume!(!occupancy.can_launch() && !occupancy.refusals.iter().any(occuscope::engine::Refusal::is_invalid_input));
        for resource in Resource::ALL {
            prop_assert_eq!(occupancy.limiters.contains(resource), occupancy.limits.get(resource) == Limit::ZERO, "{:?}", resource);
        }
    }

    #[test]
    fn no_block_fits_exactly_when_there_is_a_reason(arch in any_arch(), launch in any_launch()) {
        let occupancy = evaluate(arch, &launch);
        prop_assert_eq!(occupancy.blocks_per_sm == 0, !occupancy.refusals.is_empty());
        prop_assert!(occupancy.active_warps_per_sm() <= occupancy.max_warps_per_sm);
        if occupancy.refusals.is_empty() {
            prop_assert!(occupancy.limits.min_blocks() > 0);
        }
    }

    #[test]
    fn what_blocks_take_and_leave_is_all_there_is(arch in any_arch(), launch in any_launch()) {
        let occupancy = evaluate(arch, &launch);
        prop_assume!(occupancy.can_launch());
        let resident = u64::from(occupancy.blocks_per_sm);
        let (registers, smem) = (&occupancy.registers, &occupancy.smem);
        prop_assert_eq!(registers.free_per_sm + resident * registers.allocated_per_block, u64::from(arch.registers_per_sm));
        prop_assert_eq!(smem.free_per_sm + resident * smem.allocated_per_block, smem.pool_per_sm);
        prop_assert_eq!(smem.requested_per_block + smem.reserved_per_block + smem.rounding_per_block(), smem.allocated_per_block);
    }

    #[test]
    fn placed_blocks_never_overlap(arch in any_arch(), launch in any_launch()) {
        let placement = Placement::new(arch, &launch);
        let occupancy = &placement.occupancy;
        prop_assert_eq!(placement.blocks.len(), occupancy.blocks_per_sm as usize);
        let mut taken = vec![vec![false; placement.warp_slots_per_sub_partition as usize]; placement.sub_partitions as usize];
        let per_warp = occupancy.registers.allocated_per_warp;
        let mut placed_registers = 0;
        let mut smem_end = 0;
        for block in &placement.blocks {
            prop_assert_eq!(block.warps.len(), occupancy.warps_per_block as usize);
            prop_assert!(block.smem_offset_bytes >= smem_end);
            smem_end = block.smem_offset_bytes + occupancy.smem.allocated_per_block;
            for warp in &block.warps {
                // In range, and nobody's yet. Registers of different slots are then different registers.
                let slot = &mut taken[warp.sub_partition as usize][warp.slot as usize];
                prop_assert!(!*slot);
                *slot = true;
                prop_assert_eq!(warp.register_offset, u64::from(warp.slot) * per_warp);
                prop_assert!(warp.register_offset + per_warp <= u64::from(placement.registers_per_sub_partition));
                placed_registers += per_warp;
            }
        }
        if occupancy.can_launch() {
            prop_assert!(smem_end <= occupancy.smem.pool_per_sm);
            prop_assert_eq!(smem_end + occupancy.smem.free_per_sm, occupancy.smem.pool_per_sm);
            prop_assert_eq!(placed_registers + occupancy.registers.free_per_sm, u64::from(arch.registers_per_sm));
        }
        let warps: u32 = (0..placement.sub_partitions).map(|index| placement.warps_in(index, placement.blocks.len())).sum();
        prop_assert_eq!(warps, occupancy.active_warps_per_sm());
    }

    #[test]
    fn with_partitioned_caching_a_block_lives_in_one_half(arch in caching_arch(), launch in any_launch()) {
        let placement = Placement::new(arch, &Launch { partitioned_caching: PartitionedCaching::On, ..launch });
        for block in &placement.blocks {
            let half = |index: usize| block.warps[index].sub_partition * 2 / placement.sub_partitions;
            let together = (1..block.warps.len()).all(|index| half(index) == half(0));
            prop_assert!(together || !placement.occupancy.partitioned_caching);
        }
    }

    #[test]
    fn a_grid_never_beats_the_theoretical_occupancy(
        arch in any_arch(), launch in any_launch(), num_sms in 1u32..=200, grid in 1u64..=100_000
    ) {
        let occupancy = evaluate(arch, &launch);
        let waves = Waves::new(&occupancy, num_sms, grid);
        prop_assert_eq!(waves.is_some(), occupancy.can_launch());
        if let Some(waves) = waves {
            let theoretical = occupancy.theoretical_percent();
            prop_assert!((waves.theoretical_percent() - theoretical).abs() < 1e-9);
            prop_assert!(waves.grid_limited_percent() <= theoretical + 1e-9);
            prop_assert!(waves.grid_limited_per_elapsed_percent() <= waves.grid_limited_percent() + 1e-9);
            prop_assert_eq!(waves.full_waves * waves.blocks_per_wave + waves.partial_wave_blocks, grid);
            prop_assert!((0.0..=100.0 + 1e-9).contains(&waves.slot_efficiency_percent()));
        }
    }

    #[test]
    fn the_parts_of_the_gap_sum_to_the_gap(
        arch in any_arch(), launch in any_launch(), num_sms in 1u32..=200, grid in 1u64..=5_000, achieved in 0.0..=100.0, known: bool
    ) {
        let occupancy = evaluate(arch, &launch);
        let waves = Waves::new(&occupancy, num_sms, grid).filter(|_| known);
        let gap = Gap::new(occupancy.theoretical_percent(), achieved, waves.as_ref());
        prop_assert!([gap.unfilled, gap.tail_up_to, gap.other].iter().all(|part| *part >= 0.0), "{:?}", gap);
        prop_assert!(gap.unfilled == 0.0 || gap.tail_up_to == 0.0);
        let whole = (occupancy.theoretical_percent() - achieved).max(0.0);
        prop_assert!((gap.unfilled + gap.tail_up_to + gap.other - whole).abs() < 1e-9, "{:?}", gap);
    }

    #[test]
    fn headroom_ends_where_a_block_is_lost(arch in any_arch(), launch in any_launch()) {
        let now = blocks(arch, &launch);
        let answers = headroom(arch, &launch);
        prop_assert_eq!(answers.len(), if now == 0 { 0 } else { 3 });
        for answer in answers {
            let blocks_with = |value: u64| blocks(arch, &answer.input.set(&launch, value));
            prop_assert_eq!(answer.now, answer.input.get(&launch));
            prop_assert!(answer.up_to >= answer.now);
            prop_assert_eq!(blocks_with(answer.up_to), now, "{:?}", answer);
            let end: u32 = match answer.input {
                Input::RegistersPerThread => arch.max_registers_per_thread.min(255),
                Input::DynamicSmem => arch.optin_smem_per_block_bytes,
                _ => arch.max_threads_per_block,
            };
            prop_assert!(answer.up_to >= u64::from(end) || blocks_with(answer.up_to + 1) < now, "{:?}", answer);
            prop_assert_eq!(answer.loss.is_none(), answer.up_to >= u64::from(end), "{:?}", answer);
            if let Some(loss) = &answer.loss {
                prop_assert_eq!((loss.to, loss.occupancy.blocks_per_sm), (answer.up_to + 1, blocks_with(answer.up_to + 1)));
            }
        }
    }

    #[test]
    fn a_gain_is_a_gain_and_the_nearest_one(arch in any_arch(), launch in any_launch(), part in 0.0..1.0) {
        let changes = gains(arch, &launch);
        let warps = evaluate(arch, &launch).active_warps_per_sm();
        let warps_with = |input: Input, value: u64| evaluate(arch, &input.set(&launch, value)).active_warps_per_sm();
        for change in &changes {
            prop_assert_eq!(change.from, change.input.get(&launch));
            prop_assert_eq!(change.to, change.input.get(&change.launch));
            prop_assert_eq!(&change.occupancy, &evaluate(arch, &change.launch));
            prop_assert!(change.occupancy.active_warps_per_sm() > warps, "{:?}", change);
            prop_assert_eq!(warps_with(change.input, change.to), change.occupancy.active_warps_per_sm());
        }
        for (input, lowest) in EASED_DOWNWARD {
            let from = input.get(&launch);
            let to = changes.iter().find(|change| change.input == input).map(|change| change.to);
            prop_assert!(to.is_none_or(|to| lowest <= to && to < from));
            // Nothing nearer gains: not the next value, nor the values around those that hardware sizes suggest, nor any other.
            let first = to.map_or(lowest, |to| to + 1);
            let suspects = [first, first + 1, from.saturating_sub(1)].into_iter().chain(SUSPECTS).chain(between(first, from, part));
            for value in suspects.filter(|value| (first..from).contains(value)) {
                prop_assert!(warps_with(input, value) <= warps, "{:?} {} gains, but {:?} was named", input, value, to);
            }
        }
        let to = |input: Input| changes.iter().find(|change: &&Change| change.input == input).map(|change| change.to);
        let carveout = Input::Carveout.get(&launch);
        for percent in carveout.saturating_add(1)..to(Input::Carveout).unwrap_or(101) {
            prop_assert!(warps_with(Input::Carveout, percent) <= warps, "{} % gains", percent);
        }
        let threads = u64::from(launch.threads_per_block());
        let distance = to(Input::ThreadsPerBlock).map_or(u64::MAX, |size| size.abs_diff(threads));
        for size in (1..=32).map(|warps| warps * 32).filter(|size: &u64| size.abs_diff(threads) < distance) {
            prop_assert!(warps_with(Input::ThreadsPerBlock, size) <= warps, "{} threads gain", size);
        }
    }

    #[test]
    fn a_pair_gains_where_neither_alone_does(arch in any_arch(), launch in any_launch()) {
        let warps = evaluate(arch, &launch).active_warps_per_sm();
        let single = gains(arch, &launch);
        if let Some(pair) = pair_gain(arch, &launch, &single) {
            let [(one, one_from, one_to), (other, other_from, other_to)] = pair.changes;
            prop_assert_eq!((one_from, other_from), (one.get(&launch), other.get(&launch)));
            prop_assert_eq!(&other.set(&one.set(&launch, one_to), other_to), &pair.launch);
            prop_assert!(evaluate(arch, &pair.launch).active_warps_per_sm() > warps);
            for (input, to) in [(one, one_to), (other, other_to)] {
                prop_assert!(evaluate(arch, &input.set(&launch, to)).active_warps_per_sm() <= warps, "{:?} {} is enough", input, to);
            }
        }
    }

    #[test]
    fn available_dynamic_shared_memory_keeps_the_blocks(arch in any_arch(), launch in any_launch(), wanted in 1u32..=32) {
        // A smaller pool than the default one may be raised for a larger block; the header's answer does not look at that.
        let launch = Launch { carveout_percent: None, cache_preference: CachePreference::None, opt_in: true, ..launch };
        prop_assume!(evaluate(arch, &Launch { dynamic_smem_bytes: 0, ..launch.clone() }).can_launch());
        if let Some(bytes) = available_dynamic_smem_bytes(arch, &launch, wanted) {
            let filled = Launch { dynamic_smem_bytes: bytes, ..launch };
            prop_assert!(blocks(arch, &filled) >= wanted);
        }
    }

    #[test]
    fn tables_equal_single_answers(
        arch in any_arch(), launch in any_launch(), which in 0usize..6, threads in 0u64..=1100, registers in 0u64..=260, smem in 0u64..=240_000,
    ) {
        let axes = [
            Axis::new(Variable::ThreadsPerBlock, threads, threads + 64, 9),
            Axis::new(Variable::RegistersPerThread, registers, registers + 20, 3),
            Axis::new(Variable::DynamicSmem, smem, smem + 4096, 511),
        ];
        let (x_axis, y_axis) = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)].map(|(x, y): (usize, usize)| (axes[x], axes[y]))[which];
        assert_table_equals_evaluate(arch, &launch, x_axis, y_axis)?;
        assert_curve_equals_evaluate(arch, &launch, x_axis)?;
        // And through the launch itself, whose block keeps its shape.
        let own = |variable: Variable| Axis::new(variable, variable.get(&launch), variable.get(&launch) + 2, 1);
        assert_table_equals_evaluate(arch, &launch, own(x_axis.variable), own(y_axis.variable))?;
        assert_curve_equals_evaluate(arch, &launch, own(x_axis.variable))?;
    }

    #[test]
    fn nothing_panics_however_extreme(arch in any_arch(), launch in extreme_launch(), number in extreme_u32(), size in extreme_u64()) {
        let occupancy = evaluate(arch, &launch);
        prop_assert_eq!(occupancy.blocks_per_sm == 0, !occupancy.refusals.is_empty());
        for refusal in &occupancy.refusals {
            prop_assert!(!refusal.to_string().is_empty());
        }
        for resource in Resource::ALL {
            let _ = occupancy.next_block(resource, arch, &launch).map(|demand| demand.short());
        }
        prop_assert!(!trace(arch, &launch, Some(number)).is_empty());
        prop_assert_eq!(Placement::new(arch, &launch).blocks.len(), occupancy.blocks_per_sm as usize);
        let _ = pair_gain(arch, &launch, &gains(arch, &launch));
        let _ = (gains(arch, &launch), headroom(arch, &launch), same_occupancy(arch, &launch), next_limiters(&occupancy));
        let _ = (available_dynamic_smem_bytes(arch, &launch, number), max_registers_for_blocks(arch, &launch, number));
        let _ = (suggested_block_size(arch, &launch, number), largest_launchable_threads(arch, &launch));
        let _ = Waves::new(&occupancy, number, size).map(|waves| (waves.full_wave_grids(), waves.slot_efficiency_percent(), waves.waves()));
        let x_axis = Axis::new(Variable::RegistersPerThread, number.into(), u64::from(number) + 2, 1);
        let y_axis = Axis::new(Variable::DynamicSmem, size, size.saturating_add(2), 1);
        assert_table_equals_evaluate(arch, &launch, x_axis, y_axis)?;
        let threads = Axis::new(Variable::ThreadsPerBlock, size, size.saturating_add(2), 1);
        assert_curve_equals_evaluate(arch, &launch, threads)?;
        let _ = threads.nearest_index(u64::from(number));
    }
}

/// Inputs that gain only by getting smaller, and the smallest value that is looked at.
const EASED_DOWNWARD: [(Input, u64); 4] =
    [(Input::RegistersPerThread, 1), (Input::DynamicSmem, 0), (Input::StaticSmem, 0), (Input::Barriers, 1)];

/// Sizes at which the shared-memory pool or a share of it changes.
const SUSPECTS: [u64; 12] = [0, 1, 1024, 3072, 4096, 7168, 8192, 15_360, 16_384, 31_744, 32_768, 49_152];

/// Eight values of `first..end`.
fn between(first: u64, end: u64, part: f64) -> impl Iterator<Item = u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "any value in between will do"
    )]
    let offset = move |step: u32| (end.saturating_sub(first) as f64 * (part + f64::from(step)) / 8.0) as u64;
    (0..8).map(move |step| first + offset(step))
}

fn answer(arch: &Arch, launch: &Launch) -> Cell {
    let occupancy = evaluate(arch, launch);
    Cell { blocks_per_sm: occupancy.blocks_per_sm, warps_per_block: occupancy.warps_per_block, limits: occupancy.limits }
}

fn assert_table_equals_evaluate(arch: &Arch, launch: &Launch, x_axis: Axis, y_axis: Axis) -> Result<(), TestCaseError> {
    let table = heatmap(arch, launch, x_axis, y_axis);
    for (y, y_value) in y_axis.values().enumerate() {
        for (x, x_value) in x_axis.values().enumerate() {
            let launch = y_axis.variable.set(&x_axis.variable.set(launch, x_value), y_value);
            prop_assert_eq!(table.cell(x, y), Some(&answer(arch, &launch)), "{:?} on {}", launch, arch.compute_capability);
        }
    }
    let mut blocks = vec![7];
    table.blocks_into(&mut blocks);
    let of_cells: Vec<u16> = table.cells().map(|cell| u16::try_from(cell.blocks_per_sm).expect("few blocks")).collect();
    prop_assert_eq!(&blocks, &of_cells);
    prop_assert_eq!((table.width(), table.height(), blocks.len()), (x_axis.len(), y_axis.len(), x_axis.len() * y_axis.len()));
    Ok(())
}

fn assert_curve_equals_evaluate(arch: &Arch, launch: &Launch, axis: Axis) -> Result<(), TestCaseError> {
    let cells = curve(arch, launch, axis);
    let answers: Vec<Cell> = axis.values().map(|value| answer(arch, &axis.variable.set(launch, value))).collect();
    prop_assert_eq!(cells, answers, "{:?} on {}", launch, arch.compute_capability);
    Ok(())
}
