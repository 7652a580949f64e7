//! Laws of simulated schedules, of what idle SMs cost, and of clusters, with grids and cycles made up at random.

use occuscope::engine::activity::SmActivity;
use occuscope::engine::clusters::Gpcs;
use occuscope::engine::simulate::{BLOCK_TICKS, Run, Schedule, Simulation, Spread};
use occuscope::engine::waves::{Gap, Waves};
use proptest::prelude::*;

/// Grids of all kinds: below one wave, exactly full, with a tail.
fn any_waves() -> impl Strategy<Value = Waves> {
    let grid = |(blocks, sms): (u32, u32)| {
        let slots = u64::from(blocks * sms);
        let grids = prop_oneof![1..=slots, (1u64..6).prop_map(move |waves| waves * slots), 1..=slots * 5];
        (Just(blocks), Just(sms), 1u32..=8, grids)
    };
    let made = |(blocks, sms, warps, grid)| Waves::from_counts(blocks, warps, 64, sms, grid).expect("all counts are positive");
    (1u32..=8, 1u32..=24).prop_flat_map(grid).prop_map(made)
}

fn run(waves: Waves, spread: u8, seed: u64) -> Schedule {
    Simulation::new(waves, spread).expect("a small grid").run(seed)
}

/// The runs of each slot, in time.
fn by_slot(schedule: &Schedule) -> std::collections::BTreeMap<(u32, u32), Vec<Run>> {
    let mut slots = std::collections::BTreeMap::<_, Vec<Run>>::new();
    for run in &schedule.runs {
        slots.entry((run.sm, run.slot)).or_default().push(*run);
    }
    slots
}

proptest! {
    #[test]
    fn equal_times_give_the_closed_form(waves in any_waves(), seed: u64) {
        let schedule = run(waves, 0, seed);
        prop_assert_eq!(schedule.makespan, waves.total_waves() * BLOCK_TICKS);
        prop_assert!((schedule.occupancy_percent() - waves.grid_limited_percent()).abs() < 1e-9);
        prop_assert!((schedule.occupancy_per_elapsed_percent() - waves.grid_limited_per_elapsed_percent()).abs() < 1e-9);
    }

    #[test]
    fn every_block_runs_once_and_slots_hold_one_at_a_time(waves in any_waves(), spread in 0u8..=100, seed: u64) {
        let schedule = run(waves, spread, seed);
        prop_assert_eq!(schedule.runs.len() as u64, waves.grid_blocks);
        for ((sm, slot), runs) in by_slot(&schedule) {
            prop_assert!(sm < waves.num_sms && slot < waves.blocks_per_sm());
            prop_assert!(runs.iter().all(|run| run.start < run.end));
            prop_assert_eq!(runs[0].start, 0);
            // No break: the next block starts in the tick in which the one before ends.
            prop_assert!(runs.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn no_slot_is_free_while_a_block_waits(waves in any_waves(), spread in 0u8..=100, seed: u64) {
        let schedule = run(waves, spread, seed);
        let last_start = schedule.runs.iter().map(|run| run.start).max().unwrap_or(0);
        let slots = by_slot(&schedule);
        let free_early = slots.values().filter(|runs| runs.last().is_some_and(|run| run.end < last_start)).count();
        prop_assert_eq!(free_early, 0);
        prop_assert!(last_start == 0 || slots.len() as u64 == waves.blocks_per_wave);
        prop_assert!(schedule.runs.windows(2).all(|pair| pair[0].start <= pair[1].start), "blocks start in order");
    }

    #[test]
    fn work_is_conserved(waves in any_waves(), spread in 0u8..=100, seed: u64) {
        let schedule = run(waves, spread, seed);
        let work: u64 = schedule.runs.iter().map(|run| run.end - run.start).sum();
        let active: u64 = schedule.sm_ends.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "small grids")]
        let expected = waves.warp_share_percent() * work as f64 / active as f64;
        prop_assert!((schedule.occupancy_percent() - expected).abs() < 1e-9);
        prop_assert!(schedule.occupancy_percent() <= waves.theoretical_percent() + 1e-9);
        prop_assert!(schedule.occupancy_per_elapsed_percent() <= schedule.occupancy_percent() + 1e-9);
        prop_assert_eq!(schedule.sm_ends.iter().max(), Some(&schedule.makespan));
    }

    #[test]
    fn the_seed_alone_decides(waves in any_waves(), spread in 1u8..=100, seed: u64) {
        prop_assert_eq!(run(waves, spread, seed), run(waves, spread, seed));
        let mut all_at_once = Spread::new(Simulation::new(waves, spread).expect("a small grid"));
        let mut in_pieces = all_at_once.clone();
        all_at_once.advance(u64::MAX);
        while !in_pieces.is_complete() {
            in_pieces.advance(1);
        }
        prop_assert_eq!(&all_at_once, &in_pieces);
        let (low, high) = all_at_once.range().expect("runs");
        let median = all_at_once.median().expect("runs");
        prop_assert!(low <= median && median <= high);
    }

    #[test]
    fn a_grid_of_one_block_an_sm_holds_one_whatever_its_times(sms in 1u32..40, share in 0.0f64..1.0, spread in 0u8..=100, seed: u64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of SMs")]
        let grid = (f64::from(sms) * share) as u64 + 1;
        let waves = Waves::from_counts(8, 4, 64, sms, grid).expect("all counts are positive");
        prop_assert!((run(waves, spread, seed).occupancy_percent() - waves.grid_limited_percent()).abs() < 1e-9);
    }

    #[test]
    fn the_whole_gap_is_the_sum_of_its_parts(
        waves in prop::option::of(any_waves()),
        theoretical in 0.0f64..=100.0,
        achieved in 0.0f64..=101.0,
        cycles in (0.0f64..1e9, 0.0f64..1e9, 0.0f64..1e9, 0.0f64..1e9),
        has_range: bool,
    ) {
        let (elapsed, mut three) = (cycles.0, [cycles.1, cycles.2, cycles.3]);
        three.sort_by(f64::total_cmp);
        let [low, average, high] = three;
        prop_assume!(high > 0.0 && (has_range || average + elapsed > 0.0));
        let activity = SmActivity::new(elapsed, average, has_range.then_some((low, high))).expect("cycles");
        let loss = activity.loss(achieved);
        let gap = Gap::new(theoretical, achieved, waves.as_ref());
        let parts = [gap.unfilled, gap.tail_up_to, gap.other, loss.imbalance.unwrap_or(0.0), loss.launch_and_drain];
        prop_assert!(parts.iter().all(|part| *part >= 0.0), "{parts:?}");
        let whole = theoretical.max(achieved) - loss.over_elapsed;
        prop_assert!((parts.iter().sum::<f64>() - whole).abs() < 1e-6, "{parts:?} against {whole}");
        prop_assert!(loss.over_elapsed >= 0.0 && loss.over_elapsed <= achieved + 1e-9);
        prop_assert_eq!(loss.imbalance.is_some(), has_range);
    }

    #[test]
    fn equal_sms_lose_nothing_to_imbalance(achieved in 0.0f64..=100.0, cycles in 1.0f64..1e9, idle in 0.0f64..1e9) {
        let loss = SmActivity::new(cycles + idle, cycles, Some((cycles, cycles))).expect("cycles").loss(achieved);
        prop_assert_eq!(loss.imbalance, Some(0.0));
    }

    #[test]
    fn clusters_never_take_more_than_all_slots(gpcs in 1u32..=12, sms in 1u32..=200, blocks in 0u32..=32, cluster in 1u32..=16) {
        let Some(packed) = Gpcs::even(gpcs, sms) else { return Ok(()) };
        prop_assert_eq!(packed.sms().iter().sum::<u32>(), sms);
        let (unused, slots) = packed.unused_slots(blocks, cluster);
        prop_assert_eq!(packed.max_active_clusters(blocks, cluster) * u64::from(cluster) + unused, slots);
        prop_assert!(unused < u64::from(gpcs * cluster));
        prop_assert_eq!(packed.max_active_clusters(blocks, 1), slots, "without clusters every slot is used");
    }
}
