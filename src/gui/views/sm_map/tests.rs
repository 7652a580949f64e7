//! Laws of the map, over every architecture and many launches.

use egui::{Pos2, Rect};

use super::layout::{Measured, Scale, SmMapLayout, is_ghost, without_collisions};
use super::model::{CellState, Row, SmMapModel};
use super::{PlayerStep, SmMapState};
use crate::arch::{Arch, Catalog, ComputeCapability};
use crate::engine::{Launch, PartitionedCaching, Resource, evaluate};
use crate::session::{Course, Placed};
use crate::units::{Dim3, KIB};

fn arch(major: u8, minor: u8) -> &'static Arch {
    Catalog::builtin().arch(ComputeCapability::new(major, minor)).expect("a known architecture")
}

fn launch(threads: u32, registers: u32, smem_bytes: u64) -> Launch {
    Launch { dynamic_smem_bytes: smem_bytes, ..Launch::new(threads, registers) }
}

fn launches() -> Vec<Launch> {
    let mut launches = Vec::new();
    for threads in [0, 1, 32, 96, 256, 384, 576, 1024, 2048] {
        for registers in [0, 1, 32, 41, 104, 128, 255, 300] {
            for smem in [0, 1, 3_000, 40 * KIB, 60 * KIB, 10_000 * KIB] {
                launches.push(launch(threads, registers, smem));
            }
        }
    }
    let base = launch(256, 41, 5 * KIB);
    launches.push(Launch { barriers_per_block: 13, cluster_size: 4, ..base.clone() });
    launches.push(Launch { barriers_per_block: 200, ..base.clone() });
    launches.push(Launch { opt_in: false, dynamic_smem_bytes: 60 * KIB, ..base.clone() });
    launches.push(Launch { carveout_percent: Some(0), dynamic_smem_bytes: 0, ..base.clone() });
    launches.push(Launch { partitioned_caching: PartitionedCaching::Strict, ..base.clone() });
    launches.push(Launch { partitioned_caching: PartitionedCaching::On, ..launch(96, 41, 0) });
    launches.push(Launch { block: Dim3::new(u32::MAX, u32::MAX, 1), dynamic_smem_bytes: u64::MAX, ..base.clone() });
    launches.push(Launch { registers_per_thread: u32::MAX, ..base });
    launches
}

/// Every architecture with every launch, at all steps that differ in kind.
fn for_every_model(mut check: impl FnMut(&Arch, &Launch, &SmMapModel)) {
    for arch in Catalog::builtin().archs() {
        for launch in &launches() {
            for placed in [None, Some(0), Some(1), Some(usize::MAX)] {
                check(arch, launch, &SmMapModel::new(arch, launch, placed));
            }
        }
    }
}

#[test]
fn cells_cover_every_resource_exactly() {
    for_every_model(|arch, launch, model| {
        for row in &model.rows {
            for lane in &row.lanes {
                let mut at = 0;
                for cell in &lane.cells {
                    assert!(cell.start == at && cell.amount > 0, "{} {launch:?} {row:?}", arch.compute_capability);
                    at = cell.end();
                }
                assert!(at >= row.capacity && at <= row.extent, "{} {launch:?} {row:?}", arch.compute_capability);
                assert_eq!(lane.used + lane.left, row.capacity);
            }
        }
    });
}

fn amount(row: &Row, wanted: impl Fn(CellState) -> bool) -> u64 {
    row.lanes.iter().flat_map(|lane| &lane.cells).filter(|cell| wanted(cell.state)).map(|cell| cell.amount).sum()
}

#[test]
fn cells_add_up_to_what_the_engine_allocates() {
    for_every_model(|_, launch, model| {
        let (occupancy, placed) = (&model.occupancy, model.placed as u64);
        for row in &model.rows {
            let per_block = match row.resource {
                Resource::Warps => occupancy.warps_per_block.into(),
                Resource::Blocks => 1,
                Resource::Registers => occupancy.registers.allocated_per_block,
                Resource::SharedMemory => occupancy.smem.allocated_per_block,
                Resource::Barriers => launch.barriers_per_block.into(),
            };
            let taken = amount(row, |state| matches!(state, CellState::Used | CellState::Rounding | CellState::Reserve));
            assert_eq!(taken, if placed == 0 { 0 } else { per_block * placed }, "{launch:?} {row:?}");
            assert_eq!(taken, row.used());
        }
    });
}

#[test]
fn ghosts_stand_at_every_resource_that_refuses_and_nowhere_else() {
    for_every_model(|arch, launch, model| {
        let is_last = model.refused.is_some();
        for row in &model.rows {
            let refuses = is_last && evaluate(arch, launch).limiters.contains(row.resource);
            assert_eq!(row.refuses, refuses);
            assert_eq!(amount(row, is_ghost) > 0, refuses, "{} {launch:?} {row:?}", arch.compute_capability);
        }
    });
}

#[test]
fn a_launch_that_can_run_is_refused_for_want_of_room() {
    for_every_model(|arch, launch, model| {
        // With partitioned caching a block may find no half with room and still as much as it needs.
        if model.occupancy.can_launch() && !model.occupancy.partitioned_caching {
            for row in model.rows.iter().filter(|row| row.refuses) {
                let short = amount(row, |state| state == CellState::Short);
                assert!(short > 0, "{} {launch:?} {row:?}", arch.compute_capability);
            }
        }
    });
}

#[test]
fn free_cells_are_blocked_once_a_block_is_refused() {
    for_every_model(|_, _, model| {
        let wrong = if model.refused.is_some() { CellState::Free } else { CellState::Blocked };
        assert!(model.rows.iter().all(|row| amount(row, |state| state == wrong) == 0));
    });
}

#[test]
fn every_note_says_something() {
    for_every_model(|_, launch, model| {
        for row in &model.rows {
            assert!(!row.notes.is_empty() && row.notes.iter().all(|note| !note.is_empty()), "{launch:?} {row:?}");
        }
    });
}

#[test]
fn rounding_is_the_end_of_every_warp() {
    let model = SmMapModel::new(arch(8, 0), &launch(256, 41, 0), None);
    let row = model.row(Resource::Registers).expect("registers");
    let amounts: Vec<_> = row.lanes[0].cells.iter().take(4).map(|cell| (cell.state, cell.amount)).collect();
    let (used, rounding) = ((CellState::Used, 1_312), (CellState::Rounding, 224));
    assert_eq!(amounts, [used, rounding, used, rounding]);
    assert_eq!(row.lanes[0].left, 1_024);
}

#[test]
fn notes_tell_why_with_the_numbers() {
    let note = |launch: &Launch, resource| {
        let model = SmMapModel::new(arch(8, 0), launch, None);
        model.row(resource).expect("a row").notes[0].clone()
    };
    let design = launch(256, 64, 48 * KIB);
    assert_eq!(note(&design, Resource::Warps), "10 free in each sub-partition, blocked by S");
    assert_eq!(note(&design, Resource::Registers), "4,096 free in each file, blocked by S");
    assert_eq!(note(&design, Resource::SharedMemory), "block 4 needs 49 KiB, 17 are left: 32 short");
    assert_eq!(note(&design, Resource::Blocks), "29 free, blocked by S");
    assert_eq!(note(&launch(384, 32, 0), Resource::Warps), "block 6 needs 12 slots, 4 are left: 8 short");
    assert_eq!(note(&launch(256, 41, 0), Resource::Registers), "block 6 needs 8 warps of 1,536 registers, none fits");
    assert_eq!(note(&launch(32, 16, 0), Resource::Blocks), "block 33 finds all 32 slots taken");
    assert_eq!(note(&launch(576, 104, 0), Resource::Registers), "block 1 is charged 66,560 registers, 65,536 allowed");
}

#[test]
fn the_sentence_says_it_all() {
    let model = SmMapModel::new(arch(8, 0), &launch(256, 64, 48 * KIB), None);
    assert_eq!(
        model.sentence,
        "3 blocks resident, 24 of 64 warps, 37.5 % theoretical occupancy. \
         Block 4 is refused by shared memory (block 4 needs 49 KiB, 17 are left: 32 short). \
         Warp slots: 24 of 64 used. Registers: 49,152 of 65,536 used. Shared memory: 147 of 164 KiB used. Block slots: 3 of 32 used."
    );
}

#[test]
fn nothing_moves_between_the_steps_of_a_launch() {
    for arch in Catalog::builtin().archs() {
        for launch in &launches() {
            let scales = [None, Some(0), Some(1)].map(|placed| {
                let model = SmMapModel::new(arch, launch, placed);
                let layout = SmMapLayout::new(&model, Pos2::ZERO, 784.0, &Measured::default());
                layout.rows.into_iter().map(|row| row.lanes).collect::<Vec<_>>()
            });
            assert!(scales[0] == scales[1] && scales[1] == scales[2], "{} {launch:?}", arch.compute_capability);
        }
    }
}

#[test]
fn pieces_stay_inside_their_lane_and_apart() {
    for width in [512.0, 1368.0] {
        for_every_model(|arch, launch, model| {
            let layout = SmMapLayout::new(model, Pos2::ZERO, width, &Measured::default());
            for (row, laid) in model.rows.iter().zip(&layout.rows) {
                for (lane, scale) in row.lanes.iter().zip(&laid.lanes) {
                    let pieces: Vec<Rect> = scale.pieces(&lane.cells).map(|piece| piece.rect).collect();
                    let room = scale.rect().expand(0.01);
                    assert!(pieces.iter().all(|piece| room.contains_rect(*piece)), "{} {launch:?} {row:?}", arch.compute_capability);
                    let apart = |pair: &[Rect]| pair[0].right() <= pair[1].left() + 0.01 || pair[0].bottom() <= pair[1].top() + 0.01;
                    assert!(pieces.windows(2).all(apart), "{} {launch:?} {row:?}", arch.compute_capability);
                }
            }
        });
    }
}

#[test]
fn a_pool_without_size_still_has_a_place() {
    let launch = Launch { carveout_percent: Some(0), ..launch(256, 32, 0) };
    let model = SmMapModel::new(arch(7, 0), &launch, None);
    let row = model.row(Resource::SharedMemory).expect("a row");
    assert_eq!(row.capacity, 0);
    let layout = SmMapLayout::new(&model, Pos2::ZERO, 784.0, &Measured::default());
    assert!(matches!(&layout.rows[2].lanes[0], Scale::Bar(bar) if bar.x(0).is_finite()));
}

#[test]
fn what_is_pointed_at_is_the_block_that_is_drawn_there() {
    let model = SmMapModel::new(arch(8, 0), &launch(256, 64, 48 * KIB), None);
    let layout = SmMapLayout::new(&model, Pos2::ZERO, 784.0, &Measured::default());
    for (row, laid) in model.rows.iter().zip(&layout.rows) {
        for (lane, scale) in row.lanes.iter().zip(&laid.lanes) {
            for piece in scale.pieces(&lane.cells) {
                assert_eq!(layout.block_at(&model, piece.rect.center()), piece.cell.block);
            }
        }
    }
}

#[test]
fn a_narrow_legend_stands_in_columns() {
    let model = SmMapModel::new(arch(8, 0), &Launch::default(), None);
    let measured = Measured { legend: vec![30.0, 55.0, 80.0, 25.0, 95.0, 80.0], reasons: Vec::new() };
    let legend = |width: f32| SmMapLayout::new(&model, Pos2::ZERO, width, &measured).legend;
    let lines = |legend: &[Rect]| legend.iter().filter(|entry| entry.left() <= legend[0].left()).count();
    assert_eq!(lines(&legend(784.0)), 1);
    assert_eq!(lines(&legend(480.0)), 2);
    assert!(legend(480.0).iter().all(|entry| entry.right() <= 480.0));
}

#[test]
fn the_more_important_tick_stays() {
    assert_eq!(without_collisions(&[(100.0, 40.0), (130.0, 40.0), (10.0, 8.0)], 8.0), [0, 2]);
}

#[test]
fn the_player_steps_from_empty_to_refused() {
    let course = Course { resident: 2, resources: 3 };
    let mut state = SmMapState::at(Some(0));
    let mut seen = vec![state.position(2)];
    for _ in 0..4 {
        state.step(PlayerStep::Next, course);
        seen.push(state.position(2));
    }
    assert_eq!(seen, [0, 1, 2, 3, 3]);
    assert_eq!(state.placed, None);
    state.step(PlayerStep::Previous, course);
    assert_eq!(state.placed, Some(2));
    state.step(PlayerStep::First, course);
    assert_eq!(state.placed, Some(0));
    state.step(PlayerStep::Last, course);
    assert_eq!(state.placed, None);
}

#[test]
fn playing_starts_at_the_empty_sm_and_stops_at_the_refused_block() {
    let course = Course { resident: 1, resources: 3 };
    let mut state = SmMapState::at(None);
    state.play(true);
    assert_eq!((state.placement(), state.playback.is_playing), (Placed::blocks(0), true));
    state.step(PlayerStep::Next, course);
    assert!(state.playback.is_playing);
    state.step(PlayerStep::Next, course);
    assert_eq!((state.placement(), state.playback.is_playing), (Placed::ALL, false));
}

/// All fine steps of a launch, with the model of each.
fn fine_steps(arch: &Arch, launch: &Launch) -> Vec<(Placed, SmMapModel)> {
    let course = Course::new(arch, launch);
    let mut at = Placed::blocks(0);
    let mut steps = Vec::new();
    loop {
        steps.push((at, SmMapModel::at(arch, launch, at)));
        if at.blocks.is_none() || steps.len() > 12 {
            return steps;
        }
        at = course.next(at, true);
    }
}

#[test]
fn fine_steps_add_one_share_of_one_resource() {
    for arch in Catalog::builtin().archs() {
        for launch in &launches() {
            for pair in fine_steps(arch, launch).windows(2).filter(|pair| pair[1].1.refused.is_none() && pair[1].0.blocks.is_some()) {
                let [(_, before), (at, after)] = pair else { continue };
                let grown = before.rows.iter().zip(&after.rows).filter(|(before, after)| after.used() != before.used());
                let grown: Vec<Resource> = grown.map(|(_, row)| row.resource).filter(|resource| *resource != Resource::Blocks).collect();
                assert_eq!(grown.len(), 1, "{} {launch:?} {at:?}", arch.compute_capability);
                for row in &after.rows {
                    for lane in &row.lanes {
                        let mut end = 0;
                        for cell in &lane.cells {
                            assert_eq!(cell.start, end);
                            assert!(cell.block.is_none_or(|block| block < row.blocks));
                            end = cell.end();
                        }
                        assert!(end == row.capacity && lane.used + lane.left == row.capacity);
                    }
                }
            }
        }
    }
}

#[test]
fn after_its_last_resource_a_block_is_whole() {
    for arch in Catalog::builtin().archs() {
        for launch in &launches() {
            let resources = Course::new(arch, launch).resources;
            for blocks in [0, 1] {
                let last = SmMapModel::at(arch, launch, Placed { blocks: Some(blocks), resources });
                assert_eq!(last, SmMapModel::new(arch, launch, Some(blocks + 1)));
            }
        }
    }
}

#[test]
fn a_block_being_placed_is_said_to_be_so() {
    let model = SmMapModel::at(arch(8, 0), &launch(256, 64, 48 * KIB), Placed { blocks: Some(1), resources: 2 });
    assert!(model.sentence.starts_with(
        "1 block resident, 8 of 64 warps, 12.5 % theoretical occupancy. \
         Block 2 of 3 is being placed: warp slots and registers taken, shared memory not yet."
    ));
}

#[test]
fn a_step_beyond_a_smaller_launch_is_its_last_block() {
    assert_eq!(SmMapState::at(Some(7)).position(3), 3);
    assert_eq!(SmMapModel::new(arch(8, 0), &launch(256, 64, 48 * KIB), Some(7)).placed, 3);
}
