//! The motion of blocks that are placed or taken back: a short way from the right, or back to it.
//!
//! Only a step of the placement moves; another launch is shown at once. Nothing moves where the style has no animations.

use std::time::Duration;

use egui::Ui;

use super::SmMap;
use super::model::{Cell, CellState, Lane, Row, SmMapModel};
use crate::arch::ComputeCapability;
use crate::engine::Launch;
use crate::session::Placed;

/// How long a block is on its way.
const SECONDS: f64 = 0.12;
/// From how far it comes.
pub(super) const DISTANCE: f32 = 28.0;

/// What was shown last, and the step that is on its way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slide {
    shown: Option<(ComputeCapability, Launch, Placed)>,
    motion: Option<Motion>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Motion {
    from: Placed,
    since: f64,
}

/// Cells on their way, to be drawn over the others.
#[derive(Debug)]
pub(super) struct Moving {
    /// The cells of the moving blocks alone.
    pub model: SmMapModel,
    /// How far they are from their place, from 0 to 1.
    pub away: f32,
}

impl Slide {
    /// Takes note of what is shown now. While blocks are on their way, takes them out of `model` and returns them.
    pub(super) fn moving(&mut self, ui: &Ui, input: &SmMap<'_>, placed: Placed, model: &mut SmMapModel) -> Option<Moving> {
        let now = ui.input(|input| input.time);
        let is_still = ui.style().animation_time <= 0.0;
        let progress = self.progress(now, (input.arch.compute_capability, input.launch, placed)).filter(|_| !is_still)?;
        let before = SmMapModel::at(input.arch, input.launch, self.motion?.from);
        ui.ctx().request_repaint_after(Duration::from_millis(8));
        Some(moving(&before, model, ease_out(progress)))
    }

    /// How far the step on its way has come, from 0 to below 1; none when nothing moves.
    fn progress(&mut self, now: f64, (capability, launch, placed): (ComputeCapability, &Launch, Placed)) -> Option<f32> {
        let is_same = |shown: &&(ComputeCapability, Launch, Placed)| shown.0 == capability && shown.1 == *launch;
        match self.shown.as_ref().filter(is_same) {
            Some((.., before)) if *before == placed => {}
            Some((.., before)) => self.motion = Some(Motion { from: *before, since: now }),
            None => self.motion = None,
        }
        if self.shown.as_ref().is_none_or(|shown| shown.2 != placed || !is_same(&shown)) {
            self.shown = Some((capability, launch.clone(), placed));
        }
        let share = (now - self.motion?.since) / SECONDS;
        if !(0.0..1.0).contains(&share) {
            self.motion = None;
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a share between 0 and 1")]
        Some(share as f32)
    }
}

fn ease_out(share: f32) -> f32 {
    1.0 - (1.0 - share).powi(3)
}

/// Blocks that `now` has and `before` has not come in, and leave their places free until then; the others go out.
fn moving(before: &SmMapModel, now: &mut SmMapModel, progress: f32) -> Moving {
    let comes_in = now.placed > before.placed || (now.placed == before.placed && now.partial.len() > before.partial.len());
    let (larger, smaller) = if comes_in { (&*now, before) } else { (before, &*now) };
    let mut model = larger.clone();
    let kept: Vec<usize> = smaller.rows.iter().map(|row| row.blocks).collect();
    for (row, kept) in model.rows.iter_mut().zip(&kept) {
        for lane in &mut row.lanes {
            lane.cells.retain(|cell| !stays(*kept, cell.state, cell.block));
        }
    }
    if comes_in {
        now.rows.iter_mut().zip(kept).for_each(|(row, kept)| set_free(row, kept));
    }
    Moving { model, away: if comes_in { 1.0 - progress } else { progress } }
}

/// Whether a cell stays where it is: anything but the cells of resident blocks beyond the first `kept`.
fn stays(kept: usize, state: CellState, block: Option<usize>) -> bool {
    !matches!(state, CellState::Used | CellState::Rounding | CellState::Reserve) || block.is_none_or(|block| block < kept)
}

fn set_free(row: &mut Row, kept: usize) {
    for Lane { cells, .. } in &mut row.lanes {
        for cell in cells.iter_mut().filter(|cell| !stays(kept, cell.state, cell.block)) {
            *cell = Cell { state: CellState::Free, block: None, ..*cell };
        }
        // One free stretch, as after the step.
        cells.dedup_by(|next, cell| {
            let is_one = cell.state == CellState::Free && next.state == CellState::Free;
            cell.amount += if is_one { next.amount } else { 0 };
            is_one
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::{Arch, Catalog};

    fn a100() -> &'static Arch {
        Catalog::builtin().arch(ComputeCapability::new(8, 0)).expect("a known architecture")
    }

    fn shown(launch: &Launch, blocks: usize) -> (ComputeCapability, &Launch, Placed) {
        (ComputeCapability::new(8, 0), launch, Placed::blocks(blocks))
    }

    #[test]
    fn a_step_takes_its_time_and_ends() {
        let launch = Launch::new(256, 64);
        let mut slide = Slide::default();
        assert_eq!(slide.progress(1.0, shown(&launch, 0)), None, "what is shown first does not move");
        assert_eq!(slide.progress(2.0, shown(&launch, 1)), Some(0.0));
        assert!(slide.progress(2.06, shown(&launch, 1)).is_some_and(|share| (share - 0.5).abs() < 1e-5));
        assert_eq!(slide.progress(2.12, shown(&launch, 1)), None);
        assert_eq!(slide.progress(2.13, shown(&launch, 1)), None, "and nothing has to be drawn again");
    }

    #[test]
    fn another_launch_is_there_at_once() {
        let (launch, other) = (Launch::new(256, 64), Launch::new(256, 65));
        let mut slide = Slide::default();
        slide.progress(1.0, shown(&launch, 2));
        assert_eq!(slide.progress(1.01, shown(&other, 1)), None);
        assert_eq!(slide.progress(1.02, shown(&other, 2)), Some(0.0));
    }

    #[test]
    fn what_moves_and_what_stays_is_everything_together() {
        let launch = Launch { dynamic_smem_bytes: 20_000, ..Launch::new(256, 41) };
        let at = |placed| SmMapModel::at(a100(), &launch, Placed::blocks(placed));
        let used = |model: &SmMapModel| -> u64 {
            let cells = model.rows.iter().flat_map(|row| &row.lanes).flat_map(|lane| &lane.cells);
            cells.filter(|cell| cell.block.is_some()).map(|cell| cell.amount).sum()
        };
        let mut now = at(3);
        let coming = moving(&at(1), &mut now, 0.25);
        assert!((coming.away - 0.75).abs() < f32::EPSILON);
        assert_eq!((used(&now), used(&now) + used(&coming.model)), (used(&at(1)), used(&at(3))));
        let mut now = at(1);
        let going = moving(&at(3), &mut now, 0.25);
        assert!((going.away - 0.25).abs() < f32::EPSILON);
        assert_eq!((used(&now), used(&now) + used(&going.model)), (used(&at(1)), used(&at(3))));
    }
}
