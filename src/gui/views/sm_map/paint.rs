//! How the SM map looks.

use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{Align2, Color32, FontId, Galley, Painter, Rect, Stroke, StrokeKind, TextFormat, Ui, pos2, vec2};

use super::layout::{
    BAR_HEIGHT, Bar, EDGE_OVERHANG, Grid, MARKER, Measured, RowLayout, SWATCH, Scale, SmMapLayout, as_f32, is_ghost, joined,
    without_collisions,
};
use super::model::{Cell, CellState, Lane, Reason, Row, SmMapModel};
use super::words::sizes;
use crate::engine::Resource;
use crate::fmt::{grouped, kib_number};
use crate::gui::paint::{self, BlockLabel, hatch};
use crate::gui::theme::{self, Hatch, RADIUS_CELL, Theme, color, size};

const CHIP: f32 = 16.0;
/// Where the words of a header and a reason begin, right of their chip.
const INDENT: f32 = 24.0;
/// Cells narrower than this have no number.
const MIN_LABELLED: f32 = 14.0;
/// The closest that ticks under the shared memory stand.
const MIN_TICKS: f32 = 30.0;

/// Everything that is drawn with.
pub(super) struct Scene<'a> {
    pub painter: &'a Painter,
    pub theme: Theme,
    pub model: &'a SmMapModel,
    pub layout: &'a SmMapLayout,
    pub hovered: Option<usize>,
}

/// The entries of the legend, in order.
fn legend_entries(model: &SmMapModel) -> Vec<(CellState, &'static str)> {
    let has_reserve = model.occupancy.smem.reserved_per_block > 0;
    let mut entries = vec![(CellState::Used, "used"), (CellState::Rounding, "rounding")];
    entries.extend(has_reserve.then_some((CellState::Reserve, "1 KiB reserve")));
    entries.extend([(CellState::Free, "free"), (CellState::Blocked, "free but blocked"), (CellState::Refused, "refused block")]);
    entries
}

/// What the layout has to know about words.
pub(super) fn measure(ui: &Ui, model: &SmMapModel, width: f32) -> Measured {
    let legend = legend_entries(model).into_iter().map(|(_, words)| paint::text_width(ui.painter(), words, theme::words(size::NOTE)));
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
        if let Some(block) = self.hovered {
            self.outline(block);
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

    fn paint_grid(&self, row: &Row, lane: &Lane, scale: &Scale, grid: &Grid) {
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
            self.paint_numbers(lane, scale);
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
        self.ghost_hatch(rect.shrink(1.0), cell.state, block, 5.0);
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

    /// Each block's number at its start, once a lane, where its cells are too small to have it each.
    fn paint_numbers(&self, lane: &Lane, scale: &Scale) {
        for ghost in [false, true] {
            let is_wanted = |cell: &&Cell| if ghost { is_ghost(cell.state) } else { cell.state == CellState::Used };
            let mut blocks: Vec<usize> = lane.cells.iter().filter(is_wanted).filter_map(|cell| cell.block).collect();
            blocks.dedup();
            for block in blocks {
                let cells = lane.cells.iter().filter(is_wanted).filter(|cell| cell.block == Some(block));
                self.paint_number(&joined(scale, cells, Grid::WIDEST_GAP - 0.5), block, ghost);
            }
        }
    }

    /// A block's number at the left of the first of its stretches that is wide enough.
    fn paint_number(&self, stretches: &[Rect], block: usize, ghost: bool) {
        let text = number_text(block);
        let needed = self.width(&text, theme::mono_bold(size::CAPTION)) + 4.0;
        if let Some(rect) = stretches.iter().find(|rect| rect.width() >= needed.max(MIN_LABELLED)) {
            self.paint_plate(Rect::from_min_size(rect.min, vec2(needed, rect.height())), block, ghost, &text);
        }
    }

    /// A number on a clear plate.
    fn paint_plate(&self, rect: Rect, block: usize, ghost: bool, text: &str) {
        let palette = self.theme.palette;
        let (fill, ink) = if ghost { (palette.well, palette.text) } else { (self.theme.block(block), color::ink(self.theme.block(block))) };
        let galley = self.painter.layout_no_wrap(text.to_owned(), theme::mono_bold(size::CAPTION), ink);
        let plate = Rect::from_center_size(rect.center(), vec2(galley.size().x + 2.0, rect.height() - 2.0));
        self.painter.rect_filled(paint::snap(self.painter, plate), 0.0, fill);
        self.painter.galley(Rect::from_center_size(rect.center(), galley.size()).min, galley, ink);
    }

    /// "12,288 used" and "4,096 left" under each register file, or less where there is no room for both.
    fn paint_register_captions(&self, row: &Row, laid: &RowLayout) {
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

/// The shared-memory bar.
impl Scene<'_> {
    fn paint_bar(&self, row: &Row, lane: &Lane, scale: &Scale, bar: &Bar, laid: &RowLayout) {
        let ghosts = lane.cells.iter().filter(|cell| is_ghost(cell.state));
        for piece in scale.pieces(&lane.cells).filter(|piece| !is_ghost(piece.cell.state)) {
            // A gap of one pixel where a block ends.
            let is_end = piece.cell.block.is_some()
                && !lane.cells.iter().any(|next| next.start == piece.cell.end() && next.block == piece.cell.block);
            let right = piece.rect.right() - if is_end { 1.0 } else { 0.0 };
            self.paint_cell(
                Rect::from_min_max(piece.rect.min, pos2(right.max(piece.rect.left() + 1.0), piece.rect.bottom())),
                piece.cell,
                false,
            );
        }
        (0..self.model.placed).for_each(|block| self.paint_bar_label(lane, bar, block));
        self.paint_bar_ghost(row, bar, &ghosts.copied().collect::<Vec<_>>());
        if row.capacity >= bar.extent {
            self.paint_edge(bar.rect.right() - 1.0, bar.rect);
        }
        if let Some(foot) = laid.foot {
            self.paint_ticks(row, lane, bar, foot);
        }
    }

    /// "Block 1" over "49 KiB", or its number, or nothing.
    fn paint_bar_label(&self, lane: &Lane, bar: &Bar, block: usize) {
        let Some(rect) = block_stretch(lane, bar, block, CellState::Used) else { return };
        let size_text = size_text(self.model.occupancy.smem.allocated_per_block);
        let (name, fill) = (format!("Block {}", block + 1), self.theme.block(block));
        let (name_font, size_font) = (theme::strong(size::BODY), theme::mono(size::NOTE));
        let wide = self.width(&name, name_font.clone()).max(self.width(&size_text, size_font.clone()));
        let ink = color::ink(fill);
        if wide + 16.0 > rect.width() {
            return self.paint_bar_number(rect, block);
        }
        if self.theme.block_hatch(block).is_some() {
            let plate = Rect::from_min_size(rect.min + vec2(4.0, 4.0), vec2(wide + 8.0, BAR_HEIGHT - 8.0));
            self.painter.rect_filled(plate, RADIUS_CELL, fill);
        }
        self.text(pos2(rect.left() + 8.0, rect.top() + 14.0), Align2::LEFT_CENTER, name, name_font, ink);
        self.text(pos2(rect.left() + 8.0, rect.top() + 30.0), Align2::LEFT_CENTER, size_text, size_font, ink);
    }

    fn paint_bar_number(&self, rect: Rect, block: usize) {
        let text = number_text(block);
        let width = self.width(&text, theme::mono_bold(size::CAPTION)) + 2.0;
        if rect.width() >= width.max(MIN_LABELLED) {
            let line = Rect::from_center_size(rect.center(), vec2(rect.width(), 16.0));
            self.paint_plate(line, block, false, &text);
        }
    }

    /// The refused block across the edge.
    fn paint_bar_ghost(&self, row: &Row, bar: &Bar, parts: &[Cell]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let Some(block) = first.block else { return };
        let stretch = |from: u64, to: u64| paint::snap(self.painter, Rect::from_x_y_ranges(bar.x(from)..=bar.x(to), bar.rect.y_range()));
        let whole = stretch(first.start, last.end());
        self.painter.rect_filled(whole, RADIUS_CELL, self.theme.palette.well);
        for part in parts {
            self.ghost_hatch(stretch(part.start, part.end()).shrink2(vec2(0.0, 1.0)), part.state, block, 7.0);
        }
        paint::dashed_rect(self.painter, whole.shrink(1.0), Stroke::new(2.0, self.theme.ghost(block)), 6.0, 4.0);
        for part in parts {
            let room = stretch(part.start, part.end()).shrink2(vec2(8.0, 5.0));
            let is_past = part.start >= row.capacity;
            if part.end() == row.capacity && parts.len() > 1 {
                self.paint_tag(room, &[(size_text(row.left()), "left".to_owned())]);
            } else if is_past || part.state == CellState::Refused {
                self.paint_tag(room, &self.ghost_tags(block));
            }
        }
        if last.state == CellState::Short && last.start < row.capacity {
            self.paint_edge(bar.x(last.start), bar.rect);
        }
    }

    /// What the refused block is called, the most detailed first.
    fn ghost_tags(&self, block: usize) -> [(String, String); 2] {
        let needed = size_text(self.model.occupancy.smem.allocated_per_block);
        let name = format!("Block {}", block + 1);
        [(name.clone(), format!("needs {needed}")), (name, needed)]
    }

    /// Two strokes across the end of what is longer than the picture.
    fn paint_cut(&self, rect: Rect) {
        let palette = self.theme.palette;
        for (x, ink, width) in [(14.0, palette.bg, 5.0), (17.0, palette.text, 1.5), (11.0, palette.text, 1.5)] {
            let (bottom, top) = (pos2(rect.right() - x - 3.0, rect.bottom() + 3.0), pos2(rect.right() - x + 3.0, rect.top() - 3.0));
            self.painter.line_segment([bottom, top], Stroke::new(width, ink));
        }
    }

    /// The first pair of lines that fits, on a clear plate.
    fn paint_tag(&self, room: Rect, tags: &[(String, String)]) {
        let (name_font, amount_font) = (theme::strong(size::BODY), theme::mono(size::NOTE));
        let width = |name: &str, amount: &str| self.width(name, name_font.clone()).max(self.width(amount, amount_font.clone()));
        let widths = tags.iter().map(|(name, amount)| (name, amount, width(name, amount)));
        let Some((name, amount, wide)) = widths.into_iter().find(|(_, _, wide)| wide + 2.0 <= room.width()) else { return };
        let palette = self.theme.palette;
        let plate = Rect::from_center_size(room.center(), vec2(wide + 16.0, room.height())).intersect(room);
        self.painter.rect_filled(plate, RADIUS_CELL, palette.panel);
        let at = |y: f32| pos2(room.center().x, room.top() - 5.0 + y);
        self.text(at(14.0), Align2::CENTER_CENTER, name, name_font, palette.text);
        self.text(at(30.0), Align2::CENTER_CENTER, amount, amount_font, palette.text2);
    }

    /// Where blocks begin and end, the capacity, and by how much the refused block is too long.
    fn paint_ticks(&self, row: &Row, lane: &Lane, bar: &Bar, foot: Rect) {
        let palette = self.theme.palette;
        let mut ticks = self.ticks(row, lane, bar);
        for tick in &mut ticks {
            let half = self.width(&tick.text, tick.font.clone()) / 2.0;
            tick.half = half;
            tick.center = tick.center.clamp(bar.rect.left() + half, (bar.rect.right() - half).max(bar.rect.left() + half));
        }
        let places: Vec<(f32, f32)> = ticks.iter().map(|tick| (tick.center, tick.half * 2.0)).collect();
        for index in without_collisions(&places, 8.0) {
            let tick = &ticks[index];
            self.text(pos2(tick.center, foot.top() + 12.0), Align2::CENTER_CENTER, &tick.text, tick.font.clone(), tick.ink);
            if let Some(x) = tick.mark {
                let x = x.min(bar.rect.right() - 1.0);
                paint::hairline(self.painter, pos2(x, foot.top() + 1.0), pos2(x, foot.top() + 5.0), palette.line_strong);
            }
        }
    }

    /// The most important first.
    fn ticks(&self, row: &Row, lane: &Lane, bar: &Bar) -> Vec<Tick> {
        let palette = self.theme.palette;
        let plain = |amount: u64, text: String| Tick::new(bar.x(amount), text, theme::mono(size::CAPTION), palette.text3, true);
        let mut ticks = vec![Tick::new(bar.x(row.capacity), size_text(row.capacity), theme::mono_bold(size::CAPTION), palette.text, false)];
        let needed = self.model.occupancy.smem.allocated_per_block;
        let short = lane.used.saturating_add(needed).saturating_sub(row.capacity);
        let cap = lane.cells.iter().find(|cell| cell.state == CellState::Short).map(|cell| cell.start).filter(|cap| *cap < row.capacity);
        if let Some(cap) = cap {
            let text = format!("{} allowed", size_text(cap));
            ticks.push(Tick::new(bar.x(cap), text, theme::mono_bold(size::CAPTION), palette.text, false));
        } else if row.refuses && short > 0 {
            let text = format!("{} short", size_text(short));
            ticks.push(Tick::new(bar.rect.right(), text, theme::mono(size::CAPTION), palette.text2, false));
        }
        ticks.push(plain(0, "0".to_owned()));
        let placed = self.model.placed as u64;
        // Every block, or every second, fourth …, so that the ticks stand evenly.
        let pitch = (bar.x(needed) - bar.x(0)).max(0.1);
        let each = (0..8).map(|power| 1 << power).find(|each| as_f32(*each) * pitch >= MIN_TICKS).unwrap_or(1);
        let ends = std::iter::once(placed).chain((1..placed).filter(|block| block % each == 0)).map(|block| block * needed);
        ticks.extend(ends.filter(|end| *end > 0 && *end < row.capacity).map(|end| plain(end, kib_number(end))));
        ticks
    }
}

struct Tick {
    center: f32,
    half: f32,
    text: String,
    font: FontId,
    ink: Color32,
    mark: Option<f32>,
}

impl Tick {
    fn new(x: f32, text: String, font: FontId, ink: Color32, marked: bool) -> Self {
        Self { center: x, half: 0.0, text, font, ink, mark: marked.then_some(x) }
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
    fn outline(&self, block: usize) {
        let stroke = Stroke::new(1.0, self.theme.palette.text);
        for (row, laid) in self.model.rows.iter().zip(&self.layout.rows) {
            for (lane, scale) in row.lanes.iter().zip(&laid.lanes) {
                for rect in outlined(row, lane, scale, block) {
                    let rect = paint::snap(self.painter, rect).expand(1.0);
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

/// Where a block's cells of one state lie on the bar.
fn block_stretch(lane: &Lane, bar: &Bar, block: usize, state: CellState) -> Option<Rect> {
    let cell = lane.cells.iter().find(|cell| cell.block == Some(block) && cell.state == state)?;
    Some(Rect::from_x_y_ranges(bar.x(cell.start)..=bar.x(cell.end()), bar.rect.y_range()))
}

fn size_text(amount: u64) -> String {
    let ([text], unit) = sizes([amount]);
    format!("{text} {unit}")
}

fn number_text(block: usize) -> String {
    (block + 1).to_string()
}

fn number(block: usize, rect: Rect) -> BlockLabel {
    BlockLabel::number(block, if rect.width() >= 18.0 && rect.height() >= 20.0 { size::NOTE } else { size::CAPTION })
}
