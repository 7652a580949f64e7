//! A report's kernels on the cells: a ring is theoretical, the dot below it achieved, the stem the gap.
#![allow(clippy::cast_possible_truncation, reason = "points of occupancy as points of the screen")]

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

use super::layout::Grid;
use super::model::Table;
use super::paint::Look;
use super::{HeatmapInput, KernelPoint};
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size};

/// Length of a stem for one point of occupancy.
const STEM: f32 = 0.5;
const REACH: f32 = 12.0;
const DOT: f32 = 3.5;
/// Kernels drawn in one cell.
const MAX_IN_CELL: usize = 8;

/// A kernel and where its ring is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// In [`HeatmapInput::points`].
    pub index: usize,
    /// Column and row; row 0 for a kernel without a block.
    pub cell: (usize, usize),
    pub at: Pos2,
}

/// The kernels that have a cell, each in its middle: those of one cell have the same registers and warps after rounding.
pub fn spots(table: &Table, grid: &Grid, points: &[KernelPoint]) -> Vec<Spot> {
    if points.is_empty() {
        return Vec::new();
    }
    // A report can have 100,000 kernels, but few values: the place of each value is looked up once.
    let columns = places(table.x.last, |registers| table.x.cell_of(registers).map(|column| (column, grid.center((column, 0)).x)));
    let rows = places(table.y.last, |threads| table.y.cell_of(threads).map(|row| (row, grid.center((0, row)).y)));
    let place = |places: &[Option<(usize, f32)>], value: u32| places.get(value as usize).copied().flatten();
    let known = points.iter().enumerate().filter(|(_, point)| point.registers > 0 && point.threads > 0);
    let spot = |(index, point): (usize, &KernelPoint)| {
        let ((column, x), (row, y)) = place(&columns, point.registers).zip(place(&rows, point.threads))?;
        Some(Spot { index, cell: (column, row), at: pos2(x, y) })
    };
    known.filter_map(spot).collect()
}

/// Where the column or row of each value up to the last lies.
fn places(last: u64, find: impl Fn(u64) -> Option<(usize, f32)>) -> Vec<Option<(usize, f32)>> {
    (0..=last).map(find).collect()
}

/// Kernels whose block is still open: registers are fixed, so each is a line over every block size.
pub fn lines(table: &Table, grid: &Grid, points: &[KernelPoint]) -> Vec<Spot> {
    let open = points.iter().enumerate().filter(|(_, point)| point.registers > 0 && point.threads == 0);
    let line = |(index, point): (usize, &KernelPoint)| {
        let cell = (table.x.cell_of(point.registers.into())?, 0);
        Some(Spot { index, cell, at: grid.center(cell) })
    };
    open.filter_map(line).collect()
}

/// Dashed lines for [`lines`]; the selected one in the accent color, with its name.
pub fn paint_lines(painter: &Painter, look: &Look<'_>, input: &HeatmapInput<'_>, lines: &[Spot]) {
    let (ink, halo) = look.inks();
    let bounds = look.grid.rect;
    for line in lines {
        let selected = Some(line.index) == input.selected;
        let ends = [pos2(line.at.x, bounds.top()), pos2(line.at.x, bounds.bottom())];
        painter.line_segment(ends, Stroke::new(if selected { 5.0 } else { 3.0 }, halo));
        let color = if selected { look.theme.palette.accent } else { ink };
        painter.extend(Shape::dashed_line(&ends, Stroke::new(if selected { 2.0 } else { 1.0 }, color), 6.0, 3.0));
        if selected {
            name_plate(painter, look, &input.points[line.index].name, pos2(line.at.x, bounds.top() + 16.0));
        }
    }
}

/// The kernels under the pointer: all that share the nearest ring.
pub fn spots_at(spots: &[Spot], at: Pos2) -> Vec<Spot> {
    let distance = |spot: &&Spot| spot.at.distance(at);
    let nearest = spots.iter().filter(|spot| distance(spot) <= REACH).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or_else(Vec::new, |nearest| spots.iter().filter(|spot| spot.at.distance(nearest.at) < 1.0).copied().collect())
}

/// What a click on these selects: the one after the selected, so that repeated clicks reach every kernel.
pub fn next_of(under: &[Spot], selected: Option<usize>) -> Option<usize> {
    let current = under.iter().position(|spot| Some(spot.index) == selected);
    let next = current.map_or(0, |position| (position + 1) % under.len());
    under.get(next).map(|spot| spot.index)
}

/// All kernels; the selected one last and larger, with its name.
pub fn paint_points(painter: &Painter, look: &Look<'_>, input: &HeatmapInput<'_>, spots: &[Spot], hovered: &[Spot]) {
    let selected = spots.iter().find(|spot| Some(spot.index) == input.selected);
    let mut in_cell = vec![0_usize; look.grid.columns * look.grid.rows];
    for spot in spots.iter().filter(|spot| Some(spot.index) != input.selected) {
        // Kernels of one cell lie on top of one another: beyond a few, more add nothing to see. All are there to hover and click.
        let (column, row) = spot.cell;
        let drawn = &mut in_cell[row * look.grid.columns + column];
        *drawn += 1;
        if *drawn > MAX_IN_CELL {
            continue;
        }
        let grown = hovered.contains(spot);
        glyph(painter, look, &input.points[spot.index], spot.at, if grown { 8.0 } else { 6.0 }, None);
    }
    if let Some(spot) = selected {
        let point = &input.points[spot.index];
        glyph(painter, look, point, spot.at, 9.0, Some(look.theme.palette.accent));
        name_plate(painter, look, &point.name, spot.at);
    }
}

/// One kernel. A thin, hollow ring is one whose shared memory is not that of the cells below it.
fn glyph(painter: &Painter, look: &Look<'_>, point: &KernelPoint, at: Pos2, radius: f32, accent: Option<Color32>) {
    let (ink, halo) = look.inks();
    let weight = if point.same_smem { 2.0 } else { 1.0 };
    let gap = point.theoretical_percent.zip(point.achieved_percent).map(|(theoretical, achieved)| (theoretical - achieved).max(0.0) as f32);
    let dot = gap.map(|gap| stem(painter, look, point, at, gap));
    if let Some(theoretical) = point.theoretical_percent.filter(|_| point.same_smem) {
        painter.circle_filled(at, radius, look.theme.ramp(theoretical / 100.0));
    }
    painter.circle_stroke(at, radius, Stroke::new(weight + 2.2, halo));
    let stroke = accent.map_or(Stroke::new(weight, ink), |accent| Stroke::new(weight + 1.0, accent));
    painter.circle_stroke(at, radius, stroke);
    match dot {
        Some(End::Dot(at)) if point.same_smem => {
            painter.circle(at, DOT, ink, Stroke::new(1.0, halo));
        }
        Some(End::Dot(at)) => {
            painter.circle_stroke(at, DOT - 0.5, Stroke::new(3.0, halo));
            painter.circle_stroke(at, DOT - 0.5, Stroke::new(1.0, ink));
        }
        Some(End::Beyond(at)) => {
            let corners = vec![at + vec2(-4.5, -5.0), at + vec2(4.5, -5.0), at + vec2(0.0, 2.0)];
            painter.add(Shape::convex_polygon(corners, ink, Stroke::new(1.0, halo)));
        }
        None => {}
    }
}

/// Where a stem ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Dot(Pos2),
    /// It would leave the chart: an arrowhead at its edge says that it goes on.
    Beyond(Pos2),
}

/// From the ring down to the dot: first what the grid costs, dashed, then the rest.
fn stem(painter: &Painter, look: &Look<'_>, point: &KernelPoint, at: Pos2, gap: f32) -> End {
    let (ink, halo) = look.inks();
    let floor = look.grid.rect.bottom();
    let end = pos2(at.x, (at.y + gap * STEM).min(floor));
    if gap > 1.0 {
        let of_grid = (point.tail_points + point.unfilled_points) as f32 * STEM;
        let bend = pos2(at.x, (at.y + of_grid).min(end.y));
        painter.line_segment([at, end], Stroke::new(5.0, halo));
        painter.line_segment([bend, end], Stroke::new(2.0, ink));
        painter.extend(Shape::dashed_line(&[at, bend], Stroke::new(2.0, ink), 2.0, 2.0));
    }
    if at.y + gap * STEM > floor { End::Beyond(end) } else { End::Dot(end) }
}

/// The selected kernel's name, right of its ring where there is room, else left.
fn name_plate(painter: &Painter, look: &Look<'_>, name: &str, at: Pos2) {
    let (font, palette, bounds) = (theme::medium(size::NOTE), look.theme.palette, look.grid.rect);
    let room = (bounds.right() - at.x).max(at.x - bounds.left()) - 34.0;
    let name = paint::elide_middle(painter, name, &font, room);
    let width = paint::text_width(painter, &name, font.clone()) + 14.0;
    let left = if at.x + 16.0 + width <= bounds.right() { at.x + 16.0 } else { at.x - 16.0 - width };
    let top = (at.y - 11.0).clamp(bounds.top() + 1.0, (bounds.bottom() - 23.0).max(bounds.top() + 1.0));
    let plate = paint::snap(painter, Rect::from_min_size(pos2(left, top), vec2(width, 22.0)));
    painter.rect(plate, 4.0, palette.panel, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    paint::text(painter, plate.center(), Align2::CENTER_CENTER, name, font, palette.text);
}

/// The marks of a kernel, for the legend; in the middle of a 16 × 16 box.
pub fn legend_glyph(painter: &Painter, theme: Theme, at: Pos2, which: Legend) {
    let ink = theme.palette.text;
    match which {
        Legend::Theoretical => {
            painter.circle_stroke(at, 6.0, Stroke::new(2.0, ink));
        }
        Legend::Gap => {
            painter.extend(Shape::dashed_line(&[at - vec2(0.0, 8.0), at], Stroke::new(2.0, ink), 2.0, 2.0));
            painter.line_segment([at, at + vec2(0.0, 8.0)], Stroke::new(2.0, ink));
        }
        Legend::Achieved => {
            painter.circle_filled(at, DOT, ink);
        }
        Legend::OtherSmem => {
            painter.circle_stroke(at, 6.0, Stroke::new(1.0, ink));
        }
    }
}

/// The rows of the kernels' legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    Theoretical,
    Gap,
    Achieved,
    OtherSmem,
}

impl Legend {
    pub const ALL: [Self; 4] = [Self::Theoretical, Self::Gap, Self::Achieved, Self::OtherSmem];

    pub const fn words(self) -> &'static str {
        match self {
            Self::Theoretical => "theoretical",
            Self::Gap => "gap, grid's part dashed",
            Self::Achieved => "achieved, lower",
            Self::OtherSmem => "other shared memory",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_go_through_the_kernels_of_one_ring() {
        let spot = |index, x| Spot { index, cell: (0, 0), at: pos2(x, 0.0) };
        let spots = [spot(3, 10.0), spot(5, 10.0), spot(8, 20.0)];
        let under = spots_at(&spots, pos2(12.0, 1.0));
        assert_eq!(under.iter().map(|spot| spot.index).collect::<Vec<_>>(), [3, 5]);
        assert_eq!([None, Some(3), Some(5), Some(8)].map(|selected| next_of(&under, selected)), [Some(3), Some(5), Some(3), Some(3)]);
        assert_eq!(next_of(&spots_at(&spots, pos2(50.0, 0.0)), None), None);
    }
}
