//! Warp slots, registers, block slots and barriers: cells that can be counted.

use egui::{Align2, Rect, Stroke, StrokeKind, pos2, vec2};

use super::super::layout::{Grid, RowLayout, Scale, is_ghost, joined};
use super::super::model::{Cell, CellState, Lane, Row};
use super::{MIN_LABELLED, Scene, number_text};
use crate::engine::Resource;
use crate::fmt::grouped;
use crate::gui::paint;
use crate::gui::theme::{self, RADIUS_CELL, size};

impl Scene<'_> {
    pub(super) fn paint_grid(&self, row: &Row, lane: &Lane, scale: &Scale, grid: &Grid) {
        // Slots are cells of their own, with a number each where there is room for it.
        let each = matches!(row.resource, Resource::Warps | Resource::Blocks);
        let is_labelled = each && grid.cell_width() >= MIN_LABELLED;
        for (index, cell) in lane.cells.iter().enumerate() {
            if is_ghost(cell.state) && !each {
                scale.stretches(*cell).into_iter().for_each(|rect| self.paint_ghost(rect, *cell, None));
                continue;
            }
            let goes_on = lane.cells.get(index + 1).is_some_and(|next| next.state == CellState::Rounding);
            for piece in scale.pieces(std::slice::from_ref(cell)) {
                // A wider gap where a warp ends.
                let ends = row.resource == Resource::Registers && cell.block.is_some() && piece.is_last && !goes_on;
                let rect = Rect::from_min_max(piece.rect.min, pos2(piece.rect.right() - if ends { 1.0 } else { 0.0 }, piece.rect.bottom()));
                self.paint_cell(rect, *cell, is_labelled);
            }
        }
        if !is_labelled {
            self.paint_numbers(lane, scale, grid);
        }
    }

    /// Each block's number at its start, once a lane, where its cells are too small to have it each.
    fn paint_numbers(&self, lane: &Lane, scale: &Scale, grid: &Grid) {
        for ghost in [false, true] {
            let is_wanted = |cell: &&Cell| if ghost { is_ghost(cell.state) } else { cell.state == CellState::Used };
            let mut blocks: Vec<usize> = lane.cells.iter().filter(is_wanted).filter_map(|cell| cell.block).collect();
            blocks.dedup();
            for block in blocks {
                let cells = lane.cells.iter().filter(is_wanted).filter(|cell| cell.block == Some(block));
                self.paint_number(&joined(scale, cells, Grid::WIDEST_GAP - 0.5), block, ghost, grid);
            }
        }
    }

    /// A block's number at the left of the first of its stretches that is wide enough, in as many cells as it takes.
    fn paint_number(&self, stretches: &[Rect], block: usize, ghost: bool, grid: &Grid) {
        let text = number_text(block);
        let needed = self.width(&text, theme::mono_bold(size::CAPTION)) + 2.0;
        let width = ((needed + grid.gap) / grid.pitch.x).ceil() * grid.pitch.x - grid.gap;
        let Some(stretch) = stretches.iter().find(|rect| rect.width() >= needed.max(MIN_LABELLED)) else { return };
        let rect = Rect::from_min_size(stretch.min, vec2(if ghost { needed + 2.0 } else { width }, stretch.height())).intersect(*stretch);
        if !ghost {
            let cell = paint::snap(self.painter, rect);
            let outline = Stroke::new(1.0, self.theme.block_outline(block).unwrap_or(self.theme.block(block)));
            self.painter.rect(cell, RADIUS_CELL / 2.0, self.theme.block(block), outline, StrokeKind::Inside);
        }
        self.paint_plate(rect, block, ghost, &text);
    }

    /// "12,288 used" and "4,096 left" under each register file, or less where there is no room for both.
    pub(super) fn paint_register_captions(&self, row: &Row, laid: &RowLayout) {
        let Some(foot) = laid.foot else { return };
        let font = theme::mono(size::CAPTION);
        for (lane, scale) in row.lanes.iter().zip(&laid.lanes) {
            let (used, left) = (format!("{} used", grouped(lane.used)), format!("{} left", grouped(lane.left)));
            let rect = scale.rect();
            let middle = foot.top() + 11.0;
            let left_width = self.width(&left, font.clone());
            let needed = self.width(&used, font.clone()) + 12.0 + left_width;
            let ends = [scale.edge(row.capacity).map_or(rect.right(), |edge| edge - 2.0), rect.right()];
            let both = ends.into_iter().find(|end| needed <= end - rect.left());
            if both.is_some() {
                self.text(pos2(rect.left(), middle), Align2::LEFT_CENTER, used, font.clone(), self.text3());
            }
            let end = both.unwrap_or(rect.left() + left_width);
            self.text(pos2(end, middle), Align2::RIGHT_CENTER, left, font.clone(), self.text3());
        }
    }
}
