//! How the SM map looks: headers, states of cells, legend, reasons, outlines. [`grid`] and [`bar`] have the two kinds of rows.

mod bar;
mod grid;

use std::borrow::Cow;
use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{Align2, Color32, FontId, Galley, Painter, Rect, Stroke, StrokeKind, TextFormat, Ui, pos2, vec2};

use super::layout::{EDGE_OVERHANG, Grid, MARKER, Measured, RowLayout, SWATCH, Scale, SmMapLayout, joined};
use super::model::{Cell, CellState, Lane, Reason, Row, SmMapModel};
use crate::engine::Resource;
use crate::gui::paint::{self, BlockLabel, hatch};
use crate::gui::theme::{self, Hatch, RADIUS_CELL, Theme, color, size};

const CHIP: f32 = 16.0;
/// Where the words of a header and a reason begin, right of their chip.
const INDENT: f32 = 24.0;
/// Cells narrower than this have no number.
const MIN_LABELLED: f32 = 14.0;

/// Everything that is drawn with.
pub(super) struct Scene<'a> {
    pub painter: &'a Painter,
    pub theme: Theme,
    pub model: &'a SmMapModel,
    pub layout: &'a SmMapLayout,
    pub hovered: Option<usize>,
    pub selected: Option<usize>,
    pub focused: Option<usize>,
}

/// The entries of the legend, in order.
fn legend_entries(model: &SmMapModel) -> Vec<(CellState, Cow<'static, str>)> {
    let reserve = model.occupancy.smem.reserved_per_block;
    let mut entries: Vec<(CellState, Cow<'static, str>)> = vec![(CellState::Used, "used".into()), (CellState::Rounding, "rounding".into())];
    entries.extend((reserve > 0).then(|| (CellState::Reserve, format!("{} reserve", crate::fmt::bytes(reserve)).into())));
    entries.extend([
        (CellState::Free, "free".into()),
        (CellState::Blocked, "free but blocked".into()),
        (CellState::Refused, "refused block".into()),
    ]);
    entries
}

/// What the layout has to know about words.
pub(super) fn measure(ui: &Ui, model: &SmMapModel, width: f32) -> Measured {
    let legend = legend_entries(model).into_iter().map(|(_, words)| paint::text_width(ui.painter(), &words, theme::words(size::NOTE)));
    let theme = Theme::of(ui);
    Measured {
        legend: legend.collect(),
        reasons: model.reasons.iter().map(|reason| reason_galley(ui.painter(), theme, reason, width).size().y.max(CHIP)).collect(),
    }
}

fn reason_galley(painter: &Painter, theme: Theme, reason: &Reason, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.append("Cannot launch  ", 0.0, TextFormat::simple(theme::strong(size::BODY), theme.palette.text));
    job.append(&reason.text, 0.0, TextFormat::simple(theme::words(size::BODY), theme.palette.text2));
    job.wrap.max_width = width - INDENT;
    painter.layout_job(job)
}

impl Scene<'_> {
    pub fn paint(&self) {
        for (index, caption) in self.layout.captions.iter().enumerate() {
            let font = theme::medium(size::CAPTION);
            self.text(pos2(caption.left(), caption.top() + 5.0), Align2::LEFT_CENTER, format!("Sub-partition {index}"), font, self.text3());
        }
        for (row, laid) in self.model.rows.iter().zip(&self.layout.rows) {
            self.paint_row(row, laid);
        }
        self.paint_legend();
        self.paint_reasons();
        let palette = self.theme.palette;
        for (block, width, ink) in
            [(self.hovered, 1.0, palette.text), (self.selected, 2.0, palette.accent), (self.focused, 2.0, palette.focus)]
        {
            if let Some(block) = block {
                // The ring of the keyboard stands around the outline of a selected block.
                let distance =
                    if self.focused == Some(block) && ink == palette.focus && self.selected == Some(block) { 3.0 } else { width };
                self.outline(block, Stroke::new(width, ink), distance);
            }
        }
    }

    /// Only the cells of blocks, without anything around them.
    pub fn paint_blocks(&self) {
        for (row, laid) in self.model.rows.iter().zip(&self.layout.rows) {
            for (lane, scale) in row.lanes.iter().zip(&laid.lanes) {
                match scale {
                    Scale::Grid(grid) => self.paint_grid(row, lane, scale, grid),
                    Scale::Bar(bar) => self.paint_bar_blocks(row, lane, scale, bar),
                }
            }
        }
    }

    fn text(&self, at: egui::Pos2, anchor: Align2, text: impl ToString, font: FontId, ink: Color32) -> Rect {
        paint::text(self.painter, at, anchor, text, font, ink)
    }

    fn text3(&self) -> Color32 {
        self.theme.palette.text3
    }

    fn width(&self, text: &str, font: FontId) -> f32 {
        paint::text_width(self.painter, text, font)
    }

    fn paint_row(&self, row: &Row, laid: &RowLayout) {
        self.paint_header(row, laid);
        for (lane, scale) in row.lanes.iter().zip(&laid.lanes) {
            match scale {
                Scale::Grid(grid) => self.paint_grid(row, lane, scale, grid),
                Scale::Bar(bar) => self.paint_bar(row, lane, scale, bar, laid),
            }
            if let Some(x) = scale.edge(row.capacity) {
                self.paint_edge(x, scale.rect());
            }
            if row.is_cut && row.refuses {
                self.paint_cut(scale.rect());
            }
        }
        if row.resource == Resource::Registers {
            self.paint_register_captions(row, laid);
        }
        if row.refuses {
            let bounds = laid.bounds();
            let left = bounds.left() - MARKER.0;
            let marker = Rect::from_min_max(pos2(left, bounds.top()), pos2(left + MARKER.1, bounds.bottom()));
            self.painter.rect_filled(paint::snap(self.painter, marker), 0.0, self.theme.limiter(row.resource));
        }
    }

    /// Chip, name, how much is used, and on the right what there is to say about the rest.
    fn paint_header(&self, row: &Row, laid: &RowLayout) {
        let header = laid.header;
        let middle = header.top() + CHIP / 2.0;
        let chip = Rect::from_min_size(header.min, vec2(CHIP, CHIP));
        paint::chip(self.painter, self.theme, paint::snap(self.painter, chip), row.resource, row.refuses);
        let palette = self.theme.palette;
        let left = pos2(header.left() + INDENT, middle);
        let name = self.text(left, Align2::LEFT_CENTER, row.resource.name(), theme::strong(size::BODY), palette.text);
        let value = self.text(pos2(name.right() + 12.0, middle), Align2::LEFT_CENTER, &row.value, theme::mono(size::NOTE), palette.text2);
        let room = header.right() - value.right() - 16.0;
        let font = theme::words(size::NOTE);
        if let Some(note) = row.notes.iter().find(|note| self.width(note, font.clone()) <= room) {
            let ink = if row.refuses { palette.text2 } else { palette.text3 };
            self.text(pos2(header.right(), middle), Align2::RIGHT_CENTER, note, font, ink);
        }
    }

    /// The capacity edge.
    fn paint_edge(&self, x: f32, cells: Rect) {
        let edge = Rect::from_x_y_ranges(x - 1.0..=x + 1.0, cells.y_range()).expand2(vec2(0.0, EDGE_OVERHANG));
        self.painter.rect_filled(paint::snap(self.painter, edge), 0.0, self.theme.palette.text);
    }

    /// Two strokes across the end of what is longer than the picture.
    fn paint_cut(&self, rect: Rect) {
        let palette = self.theme.palette;
        for (x, ink, width) in [(14.0, palette.bg, 5.0), (17.0, palette.text, 1.5), (11.0, palette.text, 1.5)] {
            let (bottom, top) = (pos2(rect.right() - x - 3.0, rect.bottom() + 3.0), pos2(rect.right() - x + 3.0, rect.top() - 3.0));
            self.painter.line_segment([bottom, top], Stroke::new(width, ink));
        }
    }

    fn paint_cell(&self, rect: Rect, cell: Cell, is_labelled: bool) {
        let (painter, theme, rect) = (self.painter, self.theme, paint::snap(self.painter, rect));
        let label = cell.block.filter(|_| is_labelled).map(|block| number(block, rect));
        match (cell.state, cell.block) {
            (CellState::Used, Some(block)) => paint::block_cell(painter, theme, rect, block, label.as_ref()),
            (CellState::Rounding, Some(block)) => paint::rounding_cell(painter, theme, rect, block),
            (CellState::Reserve, Some(block)) => paint::reserve_cell(painter, theme, rect, block),
            (CellState::Refused | CellState::Short, Some(_)) => self.paint_ghost(rect, cell, label.as_ref()),
            (CellState::Free, _) => paint::free_cell(painter, theme, rect),
            _ => paint::blocked_cell(painter, theme, rect),
        }
    }

    /// A part of the refused block: what it would get with one stroke, what it lacks with two.
    fn paint_ghost(&self, rect: Rect, cell: Cell, label: Option<&BlockLabel>) {
        let Some(block) = cell.block else { return };
        let (painter, theme, rect) = (self.painter, self.theme, paint::snap(self.painter, rect));
        painter.rect_filled(rect, RADIUS_CELL, theme.palette.well);
        self.ghost_hatch(rect.shrink(1.0), cell.state, block, if rect.width() < 30.0 { 5.0 } else { 7.0 });
        paint::dashed_rect(painter, rect.shrink(0.5), Stroke::new(1.0, theme.ghost(block)), 3.0, 2.0);
        let Some(label) = label else { return };
        let galley = painter.layout_no_wrap(label.text.clone(), theme::mono_bold(label.size), theme.palette.text);
        if galley.size().x + 2.0 <= rect.width() {
            let plate = Rect::from_center_size(rect.center(), vec2(galley.size().x + 3.0, label.size + 2.0));
            painter.rect_filled(plate.intersect(rect.shrink(1.0)), RADIUS_CELL, theme.palette.well);
            painter.galley(Rect::from_center_size(rect.center(), galley.size()).min, galley, theme.palette.text);
        }
    }

    fn ghost_hatch(&self, rect: Rect, state: CellState, block: usize, step: f32) {
        let (pattern, share) = if state == CellState::Short { (Hatch::Lattice, 0.6) } else { (Hatch::Slash, 0.35) };
        let line = color::mix(self.theme.palette.panel, self.theme.ghost(block), share);
        hatch(self.painter, rect, pattern, hatch::thin(self.painter, line), step);
    }

    /// A number on a clear plate.
    fn paint_plate(&self, rect: Rect, block: usize, ghost: bool, text: &str) {
        let palette = self.theme.palette;
        let (fill, ink) = if ghost { (palette.well, palette.text) } else { (self.theme.block(block), color::ink(self.theme.block(block))) };
        let galley = self.painter.layout_no_wrap(text.to_owned(), theme::mono_bold(size::CAPTION), ink);
        let plate =
            paint::snap(self.painter, Rect::from_min_max(pos2(rect.center().x - galley.size().x / 2.0 - 1.0, rect.top()), rect.max));
        self.painter.rect_filled(plate.shrink(1.0), 0.0, fill);
        // Half a pixel up, because digits have nothing below their line.
        let middle = rect.center() - vec2(0.0, 0.5);
        self.painter.galley(Rect::from_center_size(middle, galley.size()).min, galley, ink);
    }
}

/// The legend, the reasons, and what is pointed at.
impl Scene<'_> {
    fn paint_legend(&self) {
        let refused = self.model.occupancy.blocks_per_sm as usize;
        for ((state, words), rect) in legend_entries(self.model).into_iter().zip(&self.layout.legend) {
            let swatch = Rect::from_min_size(pos2(rect.left(), rect.center().y - SWATCH.y / 2.0), SWATCH);
            let block = if state == CellState::Refused { refused } else { 0 };
            let owner = (!matches!(state, CellState::Free | CellState::Blocked)).then_some(block);
            let cell = Cell { state, block: owner, start: 0, amount: 1 };
            self.paint_cell(swatch, cell, false);
            let at = pos2(swatch.right() + 8.0, rect.center().y);
            self.text(at, Align2::LEFT_CENTER, words, theme::words(size::NOTE), self.theme.palette.text2);
        }
    }

    fn paint_reasons(&self) {
        for (reason, rect) in self.model.reasons.iter().zip(&self.layout.reasons) {
            let mark = paint::snap(self.painter, Rect::from_min_size(rect.min, vec2(CHIP, CHIP)));
            match reason.resource {
                Some(resource) => paint::chip(self.painter, self.theme, mark, resource, true),
                None => paint::icon(self.painter, mark, paint::Icon::Info, self.theme.palette.text2),
            }
            let galley = reason_galley(self.painter, self.theme, reason, rect.width());
            self.painter.galley(pos2(rect.left() + INDENT, rect.top()), galley, self.theme.palette.text2);
        }
    }

    /// All cells of a block, in every resource.
    fn outline(&self, block: usize, stroke: Stroke, distance: f32) {
        for (row, laid) in self.model.rows.iter().zip(&self.layout.rows) {
            for (lane, scale) in row.lanes.iter().zip(&laid.lanes) {
                for rect in outlined(row, lane, scale, block) {
                    let rect = paint::snap(self.painter, rect).expand(distance);
                    self.painter.rect_stroke(rect, RADIUS_CELL, stroke, StrokeKind::Inside);
                }
            }
        }
    }
}

/// The rectangles around a block's cells: one a cell where those are single slots, one a block on a bar.
fn outlined(row: &Row, lane: &Lane, scale: &Scale, block: usize) -> Vec<Rect> {
    let cells = lane.cells.iter().filter(|cell| cell.block == Some(block));
    if matches!(row.resource, Resource::Warps | Resource::Blocks) {
        return cells.flat_map(|cell| scale.stretches(*cell)).collect();
    }
    joined(scale, cells, Grid::WIDEST_GAP + 2.0)
}

fn number_text(block: usize) -> String {
    (block + 1).to_string()
}

fn number(block: usize, rect: Rect) -> BlockLabel {
    BlockLabel::number(block, if rect.width() >= 18.0 && rect.height() >= 20.0 { size::NOTE } else { size::CAPTION })
}
