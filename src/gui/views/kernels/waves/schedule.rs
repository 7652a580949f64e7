//! Where the blocks of a schedule are drawn: SMs as groups of rows, one a block slot; time to the right.

use egui::{Rect, pos2};

use crate::engine::simulate::{BLOCK_TICKS, Schedule};

/// Room for "SM 108" left of the rows.
pub const GUTTER: f32 = 52.0;
/// Between two SMs.
const SM_GAP: f32 = 4.0;
const MIN_SLOT: f32 = 5.0;
const MAX_SLOT: f32 = 16.0;
/// Mean block times that are shown at most; of a longer run these are the last.
const MAX_BLOCK_TIMES: u64 = 8;

/// Which part of a schedule is shown, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The SMs that have rows, evenly picked.
    pub sms: Vec<u32>,
    /// The time at the left and the right edge, in ticks.
    pub from: u64,
    pub to: u64,
    /// All rows, without the gutter.
    pub rows: Rect,
    slots: u32,
    slot_height: f32,
}

/// A block as a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    pub rect: Rect,
    /// Its end is shown, not only where the picture ends.
    pub ends: bool,
}

impl Layout {
    /// As many SMs as have room for all their slots, at least one; the end of the schedule, and the end that equal times would have.
    pub fn new(schedule: &Schedule, equal_end: u64, rect: Rect) -> Self {
        let slots = schedule.blocks_per_sm().max(1);
        let num_sms = schedule.num_sms();
        let height_of_sm = as_f32(slots) * MIN_SLOT + SM_GAP;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows on a screen")]
        let count = (((rect.height() + SM_GAP) / height_of_sm) as u32).clamp(1, num_sms.max(1));
        let slot_height = (((rect.height() + SM_GAP) / as_f32(count) - SM_GAP) / as_f32(slots)).clamp(1.0, MAX_SLOT);
        let sms = (0..u64::from(count)).map(|row| row * u64::from(num_sms) / u64::from(count));
        let to = schedule.makespan.max(equal_end);
        let height = as_f32(count) * (as_f32(slots) * slot_height + SM_GAP) - SM_GAP;
        Self {
            sms: sms.filter_map(|sm| u32::try_from(sm).ok()).collect(),
            from: to.saturating_sub(MAX_BLOCK_TIMES * BLOCK_TICKS),
            to,
            rows: Rect::from_min_max(pos2(rect.left() + GUTTER, rect.top()), pos2(rect.right(), rect.top() + height)),
            slots,
            slot_height,
        }
    }

    /// The row of a slot of the `index`th shown SM, over the whole width.
    pub fn row(&self, index: usize, slot: u32) -> Rect {
        #[expect(clippy::cast_precision_loss, reason = "rows on a screen")]
        let top = self.rows.top() + index as f32 * (as_f32(self.slots) * self.slot_height + SM_GAP) + as_f32(slot) * self.slot_height;
        Rect::from_min_max(pos2(self.rows.left(), top), pos2(self.rows.right(), top + self.slot_height - 1.0))
    }

    /// All rows of the `index`th shown SM.
    pub fn sm(&self, index: usize) -> Rect {
        self.row(index, 0).union(self.row(index, self.slots - 1))
    }

    pub fn x_of(&self, time: u64) -> f32 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "ticks to points")]
        let share = (time.clamp(self.from, self.to) - self.from) as f64 as f32 / (self.to - self.from).max(1) as f64 as f32;
        self.rows.left() + self.rows.width() * share
    }

    /// The time after `share` (0 to 1) of what is shown.
    pub fn time_after(&self, share: f32) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "points to ticks")]
        let passed = ((self.to - self.from) as f64 * f64::from(share.clamp(0.0, 1.0))) as u64;
        self.from + passed
    }

    /// The bars of the shown SMs that have begun before `now`.
    pub fn bars(&self, schedule: &Schedule, now: u64) -> Vec<Bar> {
        let shown = schedule.runs.iter().filter(|run| run.end > self.from && run.start < now);
        let bars = shown.filter_map(|run| {
            let row = self.row(self.sms.binary_search(&run.sm).ok()?, run.slot);
            let (left, right) = (self.x_of(run.start), self.x_of(run.end.min(now)));
            Some(Bar { rect: Rect::from_x_y_ranges(left..=right, row.y_range()), ends: run.end <= now })
        });
        bars.collect()
    }

    /// Where slots of the shown SMs stay empty until `now` because no block is left.
    pub fn idle(&self, schedule: &Schedule, now: u64) -> Vec<Rect> {
        let mut ends = vec![0; self.sms.len() * self.slots as usize];
        for run in &schedule.runs {
            if let Ok(index) = self.sms.binary_search(&run.sm) {
                ends[index * self.slots as usize + run.slot as usize] = run.end;
            }
        }
        let rows = (0..self.sms.len()).flat_map(|index| (0..self.slots).map(move |slot| (index, slot)));
        let idle = rows
            .zip(ends)
            .filter(|(_, end)| *end < now)
            .map(|((index, slot), end)| Rect::from_x_y_ranges(self.x_of(end)..=self.x_of(now), self.row(index, slot).y_range()));
        idle.filter(|rect| rect.width() >= 1.0).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
const fn as_f32(count: u32) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Waves;
    use crate::engine::simulate::Simulation;

    fn layout(blocks: u32, sms: u32, grid: u64, spread: u8) -> (Schedule, Layout) {
        let waves = Waves::from_counts(blocks, 8, 64, sms, grid).unwrap();
        let schedule = Simulation::new(waves, spread).unwrap().run(0);
        let rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(410.0, 170.0));
        let layout = Layout::new(&schedule, waves.total_waves() * BLOCK_TICKS, rect);
        (schedule, layout)
    }

    #[test]
    fn every_block_of_a_small_grid_has_a_bar_inside_the_rows() {
        let (schedule, layout) = layout(2, 4, 20, 50);
        let bars = layout.bars(&schedule, schedule.makespan);
        assert_eq!((layout.sms.as_slice(), bars.len()), (&[0, 1, 2, 3][..], 20));
        assert!(bars.iter().all(|bar| layout.rows.expand(0.01).contains_rect(bar.rect) && bar.ends));
        for (index, bar) in bars.iter().enumerate() {
            assert!(bars[..index].iter().all(|other| !other.rect.shrink(0.01).intersects(bar.rect.shrink(0.01))));
        }
    }

    #[test]
    fn many_sms_are_picked_evenly_and_a_long_run_shows_its_end() {
        let (schedule, layout) = layout(2, 108, 108 * 2 * 20 + 5, 0);
        assert_eq!((layout.sms.len(), layout.sms[0], layout.sms[1]), (11, 0, 9));
        assert_eq!(layout.to - layout.from, MAX_BLOCK_TIMES * BLOCK_TICKS);
        assert_eq!(layout.to, schedule.makespan);
    }

    #[test]
    fn nothing_is_drawn_of_the_future() {
        let (schedule, layout) = layout(2, 4, 20, 50);
        let now = BLOCK_TICKS;
        assert!(layout.bars(&schedule, now).iter().all(|bar| bar.rect.right() <= layout.x_of(now) + 0.01));
        assert_eq!(layout.bars(&schedule, 0), []);
        assert_eq!(layout.idle(&schedule, now), [], "blocks are waiting, so no slot is idle");
        assert!(!layout.idle(&schedule, layout.to).is_empty());
    }

    #[test]
    fn slots_that_never_hold_a_block_are_idle_from_the_beginning() {
        let (schedule, layout) = layout(4, 2, 3, 0);
        assert_eq!(layout.idle(&schedule, BLOCK_TICKS).len(), 5);
    }

    #[test]
    fn a_slot_is_never_thinner_than_can_be_seen() {
        let (_, layout) = layout(32, 148, 5000, 0);
        assert_eq!(layout.sms.len(), 1);
        assert!(layout.row(0, 0).height() >= 3.0 && layout.rows.bottom() <= 170.01 + 32.0);
    }
}
