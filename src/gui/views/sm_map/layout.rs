//! Where everything of the SM map goes, in points. No fonts, no colors: what has to be measured is measured before.

use std::ops::Range;

use egui::{Pos2, Rect, pos2, vec2};

use super::model::{Cell, CellState, Row, SmMapModel};
use crate::engine::Resource;

/// Height of the title and its player.
pub const TITLE_HEIGHT: f32 = 28.0;
pub const CAPTION_HEIGHT: f32 = 20.0;
pub const HEADER_HEIGHT: f32 = 24.0;
pub const BAR_HEIGHT: f32 = 44.0;
/// How far the capacity edge reaches over its row on both sides.
pub const EDGE_OVERHANG: f32 = 5.0;
/// The marker beside a resource that refuses: its distance from the row, and its width.
pub const MARKER: (f32, f32) = (9.0, 3.0);
pub const SWATCH: egui::Vec2 = vec2(16.0, 12.0);

const BELOW_TITLE: f32 = 10.0;
const BETWEEN_ROWS: f32 = 12.0;
/// Ticks under the shared memory, captions under the register files.
const FOOT_HEIGHT: f32 = 18.0;
const LEGEND_LINE: f32 = 22.0;
const LEGEND_GAP: f32 = 18.0;
const SWATCH_GAP: f32 = 8.0;
/// Room for the capacity edge between the cells and what lies past it.
const EDGE_GAP: f32 = 4.0;

/// What was measured in the fonts of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Widths of the words of the legend.
    pub legend: Vec<f32>,
    /// Heights of the reasons why a launch cannot run, folded to the width of the map.
    pub reasons: Vec<f32>,
}

/// The whole map, from its top left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct SmMapLayout {
    pub title: Rect,
    /// One for each sub-partition.
    pub captions: Vec<Rect>,
    pub rows: Vec<RowLayout>,
    /// Swatch and words of each entry.
    pub legend: Vec<Rect>,
    pub reasons: Vec<Rect>,
    pub height: f32,
}

/// One resource.
#[derive(Clone, Debug, PartialEq)]
pub struct RowLayout {
    pub header: Rect,
    pub lanes: Vec<Scale>,
    /// The line under the cells, where the row has one.
    pub foot: Option<Rect>,
}

impl RowLayout {
    /// From the header to the end of the row.
    pub fn bounds(&self) -> Rect {
        let cells = self.lanes.iter().fold(self.header, |all, lane| all.union(lane.rect()));
        self.foot.map_or(cells, |foot| cells.union(foot))
    }
}

/// How amounts of a lane become places.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    Grid(Grid),
    Bar(Bar),
}

/// Cells in rows, each one unit; what lies past the edge is a grid of its own to the right, in the same rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub rect: Rect,
    pub rows: u64,
    pub columns: u64,
    pub columns_past: u64,
    /// From one cell to the next.
    pub pitch: egui::Vec2,
    pub gap: f32,
    unit: u64,
    units: u64,
}

/// One length for the whole resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub rect: Rect,
    pub extent: u64,
}

/// A piece of a cell: one unit of a grid, or all of it on a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    pub rect: Rect,
    pub cell: Cell,
    /// The cell ends with it.
    pub is_last: bool,
}

impl SmMapLayout {
    pub fn new(model: &SmMapModel, origin: Pos2, width: f32, measured: &Measured) -> Self {
        let strip = |top: f32, height: f32| Rect::from_min_size(pos2(origin.x, top), vec2(width, height));
        let title = strip(origin.y, TITLE_HEIGHT);
        let mut top = title.bottom() + BELOW_TITLE;
        let captions = lanes(strip(top, CAPTION_HEIGHT), model.sub_partitions);
        top += CAPTION_HEIGHT;
        let mut rows = Vec::with_capacity(model.rows.len());
        for row in &model.rows {
            let laid = layout_row(row, strip(top, HEADER_HEIGHT));
            top = laid.bounds().bottom() + BETWEEN_ROWS;
            rows.push(laid);
        }
        let legend = layout_legend(strip(top, LEGEND_LINE), &measured.legend);
        top = legend.last().map_or(top, Rect::bottom);
        let mut reasons = Vec::with_capacity(measured.reasons.len());
        for height in &measured.reasons {
            reasons.push(strip(top + 8.0, *height));
            top += 8.0 + height;
        }
        Self { title, captions, rows, legend, reasons, height: top - origin.y }
    }
}

/// What is where.
impl SmMapLayout {
    /// The block with a cell at `at`; the gaps between its cells count.
    pub fn block_at(&self, model: &SmMapModel, at: Pos2) -> Option<usize> {
        let lanes = self.rows.iter().zip(&model.rows).flat_map(|(laid, row)| laid.lanes.iter().zip(&row.lanes));
        let (scale, lane) = lanes.into_iter().find(|(scale, _)| scale.rect().expand(1.0).contains(at))?;
        lane.cells.iter().filter(|cell| cell.block.is_some()).find(|cell| scale.covers(**cell, at))?.block
    }
}

/// The columns of the sub-partitions.
fn lanes(strip: Rect, count: usize) -> Vec<Rect> {
    let gap = if strip.width() < 640.0 { 8.0 } else { 12.0 };
    let count = as_f32(count.max(1) as u64);
    let pitch = (strip.width() + gap) / count;
    let lane = |index: f32| Rect::from_min_size(strip.min + vec2(pitch * index, 0.0), vec2(pitch - gap, strip.height()));
    std::iter::successors(Some(0.0), |index| Some(index + 1.0)).take_while(|index| *index < count).map(lane).collect()
}

fn layout_row(row: &Row, header: Rect) -> RowLayout {
    let body = |height: f32| Rect::from_min_size(header.left_bottom(), vec2(header.width(), height));
    let shape = Shape::of(row);
    let height = shape.height();
    let rects = lanes(body(height), row.lanes.len());
    let scales = rects.into_iter().map(|rect| shape.scale(row, rect)).collect();
    let has_foot = matches!(row.resource, Resource::Registers | Resource::SharedMemory);
    let foot = has_foot.then(|| Rect::from_min_size(body(height).left_bottom(), vec2(header.width(), FOOT_HEIGHT)));
    RowLayout { header, lanes: scales, foot }
}

/// How the cells of a resource are arranged.
struct Shape {
    rows: u64,
    cell_height: f32,
    gap: f32,
}

impl Shape {
    fn of(row: &Row) -> Self {
        match row.resource {
            Resource::Warps => {
                // 32 across the SM, so that a slot is about as wide for every number of sub-partitions.
                let across = (32 / row.lanes.len() as u64).max(1);
                Self { rows: row.capacity.div_ceil(across).max(2), cell_height: 24.0, gap: 2.0 }
            }
            Resource::Registers => Self { rows: 4, cell_height: 14.0, gap: 1.0 },
            Resource::SharedMemory => Self { rows: 1, cell_height: BAR_HEIGHT, gap: 0.0 },
            Resource::Blocks | Resource::Barriers => Self { rows: 1, cell_height: 18.0, gap: 2.0 },
        }
    }

    fn height(&self) -> f32 {
        as_f32(self.rows) * (self.cell_height + 2.0) - 2.0
    }

    fn scale(&self, row: &Row, rect: Rect) -> Scale {
        if row.resource == Resource::SharedMemory {
            return Scale::Bar(Bar { rect, extent: row.extent.max(1) });
        }
        let units = row.capacity.div_ceil(row.unit);
        let past = row.extent.div_ceil(row.unit).saturating_sub(units);
        let (columns, columns_past) = (units.div_ceil(self.rows).max(1), past.div_ceil(self.rows));
        let edge = if columns_past > 0 { EDGE_GAP } else { 0.0 };
        let pitch = |gap: f32| (rect.width() - edge + gap) / as_f32(columns + columns_past);
        let gap = match pitch(self.gap) {
            narrow if narrow < 4.0 => 0.0,
            narrow if narrow < 17.0 => self.gap.min(1.0),
            _ => self.gap,
        };
        let pitch = vec2(pitch(gap), self.cell_height + 2.0);
        Scale::Grid(Grid { rect, rows: self.rows, columns, columns_past, pitch, gap, unit: row.unit, units })
    }
}

impl Scale {
    pub fn rect(&self) -> Rect {
        match self {
            Self::Grid(grid) => grid.rect,
            Self::Bar(bar) => bar.rect,
        }
    }

    /// The x of the end of the resource, where something can lie past it.
    pub fn edge(&self, capacity: u64) -> Option<f32> {
        match self {
            Self::Grid(grid) => {
                (grid.columns_past > 0).then(|| grid.rect.left() + grid.pitch.x * as_f32(grid.columns) - grid.gap + EDGE_GAP / 2.0)
            }
            Self::Bar(bar) => (capacity < bar.extent).then(|| bar.x(capacity)),
        }
    }

    /// The cells of a lane, cut where their unit ends.
    pub fn pieces<'c>(&'c self, cells: &'c [Cell]) -> impl Iterator<Item = Piece> + 'c {
        cells.iter().flat_map(move |cell| {
            self.cuts(*cell).map(move |range| Piece { rect: self.place(&range), cell: *cell, is_last: range.end == cell.end() })
        })
    }

    /// The stretches of a cell, one for each unit of a grid that it touches.
    fn cuts(&self, cell: Cell) -> impl Iterator<Item = Range<u64>> + use<> {
        let unit = match self {
            Self::Grid(grid) => grid.unit,
            Self::Bar(_) => cell.amount.max(1),
        };
        let offset = if matches!(self, Self::Grid(_)) { 0 } else { cell.start };
        let units = (cell.start - offset) / unit..(cell.end() - offset).div_ceil(unit);
        units.map(move |index| {
            let (from, to) = (offset + index * unit, offset + (index + 1) * unit);
            from.max(cell.start)..to.min(cell.end())
        })
    }

    fn place(&self, range: &Range<u64>) -> Rect {
        match self {
            Self::Grid(grid) => grid.place(range),
            Self::Bar(bar) => Rect::from_x_y_ranges(bar.x(range.start)..=bar.x(range.end), bar.rect.y_range()),
        }
    }

    fn covers(&self, cell: Cell, at: Pos2) -> bool {
        self.cuts(cell).any(|range| self.place(&range).expand(1.0).contains(at))
    }

    /// The stretches that a cell takes, one for each row of a grid: what is outlined as a whole.
    pub fn stretches(&self, cell: Cell) -> Vec<Rect> {
        let mut joined: Vec<Rect> = Vec::new();
        for piece in self.cuts(cell).map(|range| self.place(&range)) {
            match joined.last_mut() {
                Some(last) if last.y_range() == piece.y_range() && piece.left() - last.right() < EDGE_GAP - 0.5 => {
                    *last = last.union(piece);
                }
                _ => joined.push(piece),
            }
        }
        joined
    }
}

/// The stretches of several cells that follow one another, joined where they touch.
pub fn joined<'c>(scale: &Scale, cells: impl Iterator<Item = &'c Cell>, gap: f32) -> Vec<Rect> {
    let mut joined: Vec<Rect> = Vec::new();
    for rect in cells.flat_map(|cell| scale.stretches(*cell)) {
        match joined.last_mut() {
            Some(last) if last.y_range() == rect.y_range() && rect.left() - last.right() < gap => *last = last.union(rect),
            _ => joined.push(rect),
        }
    }
    joined
}

impl Grid {
    /// The place of one unit; those past the edge continue in their own grid.
    fn unit_rect(&self, index: u64) -> Rect {
        let (index, columns, left) = if index < self.units || self.columns_past == 0 {
            (index, self.columns, self.rect.left())
        } else {
            (index - self.units, self.columns_past, self.rect.left() + self.pitch.x * as_f32(self.columns) - self.gap + EDGE_GAP)
        };
        let at = vec2(as_f32(index % columns) * self.pitch.x, as_f32(index / columns) * self.pitch.y);
        Rect::from_min_size(pos2(left, self.rect.top()) + at, vec2(self.pitch.x - self.gap, self.pitch.y - 2.0))
    }

    /// The place of a part of one unit.
    fn place(&self, range: &Range<u64>) -> Rect {
        let index = range.start / self.unit;
        let whole = self.unit_rect(index);
        let x = |at: u64| whole.left() + whole.width() * ratio(at - index * self.unit, self.unit);
        Rect::from_x_y_ranges(x(range.start)..=x(range.end), whole.y_range())
    }

    /// How wide one cell is.
    pub fn cell_width(&self) -> f32 {
        self.pitch.x - self.gap
    }

    /// From one cell to the next, across the capacity edge too.
    pub const WIDEST_GAP: f32 = EDGE_GAP;
}

impl Bar {
    pub fn x(&self, amount: u64) -> f32 {
        self.rect.left() + self.rect.width() * ratio(amount, self.extent)
    }
}

/// Entries one after another; where one line is too short, in columns.
fn layout_legend(line: Rect, widths: &[f32]) -> Vec<Rect> {
    let entries: Vec<f32> = widths.iter().map(|width| SWATCH.x + SWATCH_GAP + width).collect();
    let gaps = as_f32(widths.len().saturating_sub(1) as u64);
    let needed = entries.iter().sum::<f32>();
    let gap = ((line.width() - needed) / gaps.max(1.0)).min(LEGEND_GAP);
    if gap >= LEGEND_GAP / 2.0 {
        let starts = entries.iter().scan(line.left(), |left, width| Some(std::mem::replace(left, *left + width + gap)));
        return starts.zip(&entries).map(|(left, width)| Rect::from_min_size(pos2(left, line.top()), vec2(*width, LEGEND_LINE))).collect();
    }
    let widest = entries.iter().copied().fold(1.0, f32::max) + LEGEND_GAP / 2.0;
    let columns = (1..=entries.len() as u64).rev().find(|count| as_f32(*count) * widest <= line.width()).unwrap_or(1);
    let lines = (entries.len() as u64).div_ceil(columns);
    let columns = (entries.len() as u64).div_ceil(lines.max(1)).max(1);
    let place = |index: u64| vec2(line.width() / as_f32(columns) * as_f32(index % columns), as_f32(index / columns) * LEGEND_LINE);
    (0..).zip(&entries).map(|(index, width)| Rect::from_min_size(line.min + place(index), vec2(*width, LEGEND_LINE))).collect()
}

/// The places on a line that do not collide, the most important first: pairs of center and width in, kept indices out.
pub fn without_collisions(wanted: &[(f32, f32)], gap: f32) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for (index, (center, width)) in wanted.iter().enumerate() {
        let clear = |other: &usize| (wanted[*other].0 - center).abs() >= (wanted[*other].1 + width) / 2.0 + gap;
        if kept.iter().all(clear) {
            kept.push(index);
        }
    }
    kept
}

/// Whether a refused block's part lies past what it may have.
pub fn is_ghost(state: CellState) -> bool {
    matches!(state, CellState::Refused | CellState::Short)
}

#[expect(clippy::cast_precision_loss, reason = "counts of cells")]
pub(super) fn as_f32(count: u64) -> f32 {
    count as f32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a share between 0 and 1")]
fn ratio(part: u64, whole: u64) -> f32 {
    (part as f64 / whole.max(1) as f64) as f32
}
