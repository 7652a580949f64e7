//! Hatches over any set of cells: lines run through the whole set and are cut only at its outline.

use egui::{Mesh, Painter, Rangef, Rect, Shape, Stroke, pos2, vec2};

use super::layout::Grid;
use crate::gui::theme::Hatch;

/// A set of cells as runs along x in bands along y, from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Area {
    bands: Vec<(Rangef, Vec<Rangef>)>,
}

impl Area {
    pub fn new(grid: &Grid, inside: impl Fn(usize, usize) -> bool) -> Self {
        let bands = (0..grid.rows).rev().map(|row| {
            let mut runs: Vec<Rangef> = Vec::new();
            for column in (0..grid.columns).filter(|column| inside(*column, row)) {
                let (left, right) = (grid.edge_x(column), grid.edge_x(column + 1));
                match runs.last_mut() {
                    Some(run) if (run.max - left).abs() < 1e-3 => run.max = right,
                    _ => runs.push(Rangef::new(left, right)),
                }
            }
            (Rangef::new(grid.edge_y(row + 1), grid.edge_y(row)), runs)
        });
        Self { bands: bands.collect() }
    }

    fn bounds(&self) -> Option<Rect> {
        let rects = self.bands.iter().flat_map(|(y, runs)| runs.iter().map(|x| Rect::from_x_y_ranges(*x, *y)));
        rects.reduce(Rect::union)
    }

    /// As [`crate::gui::paint::hatch()`], over the whole set.
    pub fn hatch(&self, painter: &Painter, pattern: Hatch, stroke: Stroke, step: f32) {
        let Some(bounds) = self.bounds() else { return };
        match pattern {
            Hatch::Slash => self.diagonals(painter, bounds, stroke, step, false),
            Hatch::Backslash => self.diagonals(painter, bounds, stroke, step, true),
            Hatch::Lattice => {
                self.diagonals(painter, bounds, stroke, step, false);
                self.diagonals(painter, bounds, stroke, step, true);
            }
            Hatch::Vertical => self.verticals(painter, bounds, stroke, step),
            Hatch::Horizontal => self.horizontals(painter, bounds, stroke, step),
            Hatch::Cross => {
                self.verticals(painter, bounds, stroke, step);
                self.horizontals(painter, bounds, stroke, step);
            }
            Hatch::Dots => self.dots(painter, bounds, stroke, step),
        }
    }

    /// Lines x + y = k, or x − y = k when falling.
    fn diagonals(&self, painter: &Painter, bounds: Rect, stroke: Stroke, step: f32, falling: bool) {
        let (low, high) = if falling {
            (bounds.left() - bounds.bottom(), bounds.right() - bounds.top())
        } else {
            (bounds.left() + bounds.top(), bounds.right() + bounds.bottom())
        };
        for k in multiples(low, high, step) {
            let x_from_y = |y: f32| if falling { k + y } else { k - y };
            for y in self.cuts(
                |y| Rangef::new(x_from_y(y.min).min(x_from_y(y.max)), x_from_y(y.min).max(x_from_y(y.max))),
                |x| {
                    if falling { Rangef::new(x.min - k, x.max - k) } else { Rangef::new(k - x.max, k - x.min) }
                },
            ) {
                painter.add(Shape::line_segment([pos2(x_from_y(y.min), y.min), pos2(x_from_y(y.max), y.max)], stroke));
            }
        }
    }

    /// The parts of a slanting line inside the set, as ranges of y: `across` is its x in a band, `down` its y over a range of x.
    fn cuts(&self, across: impl Fn(Rangef) -> Rangef, down: impl Fn(Rangef) -> Rangef) -> Vec<Rangef> {
        let mut cuts = Vec::new();
        for (band, runs) in &self.bands {
            let line = across(*band);
            cuts.extend(runs.iter().map(|run| run.intersection(line)).filter(|x| x.max - x.min > 1e-3).map(&down));
        }
        joined(cuts)
    }

    fn verticals(&self, painter: &Painter, bounds: Rect, stroke: Stroke, step: f32) {
        for x in multiples(bounds.left(), bounds.right(), step) {
            let cuts = self.bands.iter().filter(|(_, runs)| runs.iter().any(|run| run.contains(x))).map(|(y, _)| *y).collect();
            for y in joined(cuts) {
                painter.vline(painter.round_to_pixel_center(x), y, stroke);
            }
        }
    }

    fn horizontals(&self, painter: &Painter, bounds: Rect, stroke: Stroke, step: f32) {
        for y in multiples(bounds.top(), bounds.bottom(), step) {
            for (_, runs) in self.bands.iter().filter(|(band, _)| band.min <= y && y < band.max) {
                for run in runs {
                    painter.hline(*run, painter.round_to_pixel_center(y), stroke);
                }
            }
        }
    }

    fn dots(&self, painter: &Painter, bounds: Rect, stroke: Stroke, step: f32) {
        let size = vec2(stroke.width * 1.5, stroke.width * 1.5);
        let mut mesh = Mesh::default();
        for y in multiples(bounds.top(), bounds.bottom(), step) {
            for (_, runs) in self.bands.iter().filter(|(band, _)| band.min <= y && y < band.max) {
                for x in runs.iter().flat_map(|run| multiples(run.min, run.max, step)) {
                    mesh.add_colored_rect(Rect::from_center_size(pos2(x, y), size), stroke.color);
                }
            }
        }
        painter.add(Shape::mesh(mesh));
    }
}

/// The multiples of `step` from `low` to `high`: anchored to the screen, so that neighbouring sets join into one pattern.
fn multiples(low: f32, high: f32, step: f32) -> impl Iterator<Item = f32> {
    let mut next = (low / step).ceil() * step;
    std::iter::from_fn(move || {
        let value = next;
        next += step;
        (value < high).then_some(value)
    })
}

/// The same ranges, those that touch made one.
fn joined(mut ranges: Vec<Rangef>) -> Vec<Rangef> {
    ranges.sort_by(|a, b| a.min.total_cmp(&b.min));
    let mut joined: Vec<Rangef> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.min - last.max < 1e-2 => last.max = last.max.max(range.max),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_only_at_the_outline() {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(40.0, 40.0));
        let grid = Grid::whole(rect, 4, 4, 1.0);
        let all = Area::new(&grid, |_, _| true);
        let line = |y: Rangef| Rangef::new(45.0 - y.max, 45.0 - y.min);
        let back = |x: Rangef| Rangef::new(45.0 - x.max, 45.0 - x.min);
        assert_eq!(all.cuts(line, back), [Rangef::new(5.0, 40.0)]);
        let without_a_cell = Area::new(&grid, |column, row| (column, row) != (2, 2));
        assert_eq!(without_a_cell.cuts(line, back), [Rangef::new(5.0, 15.0), Rangef::new(20.0, 40.0)]);
    }
}
