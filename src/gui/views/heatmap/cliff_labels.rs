//! What a cliff's line divides, written on it: "75 → 50 %". Few: those next to the present launch, and long ones with room.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cells and pixels")]

use egui::{Align2, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2};

use super::model::Cliff;
use super::paint::Look;
use super::{Mode, axis};
use crate::gui::paint;
use crate::gui::theme::{self, RADIUS_CHIP, size};

type At = (usize, usize);

const HEIGHT: f32 = 16.0;
/// Between a label and the lines through the present launch.
const GAP: f32 = 4.0;
/// Labels that are not next to the present launch are at least so far from each other, and one stands on so many points of area.
const APART: f32 = 64.0;
const AREA: f32 = 50_000.0;
const MOST: usize = 8;

/// A label on a cliff.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub rect: Rect,
    pub text: String,
}

/// The labels of all cliffs that have one; none touches another, a figure in a cell, or a rectangle of `taken`.
pub fn labels(look: &Look<'_>, taken: &[Rect]) -> Vec<Label> {
    let mut placed = Placed { look, taken, labels: Vec::new() };
    for label in beside_present(look) {
        if let Some(label) = label.into_iter().find(|label| placed.is_free(label, 2.0)) {
            placed.labels.push(label);
        }
    }
    let room = look.grid.rect.width() * look.grid.rect.height();
    let most = placed.labels.len() + ((room / AREA) as usize).min(MOST);
    for (cliff, place) in runs(look) {
        if placed.labels.len() >= most {
            break;
        }
        if let Some(label) = label(look, &cliff, place)
            && placed.is_free(&label, APART)
            && is_alone(look, &cliff, label.rect)
        {
            placed.labels.push(label);
        }
    }
    placed.labels
}

pub fn paint_labels(painter: &Painter, look: &Look<'_>, labels: &[Label]) {
    let palette = look.theme.palette;
    for label in labels {
        let plate = paint::snap(painter, label.rect);
        painter.rect(plate, RADIUS_CHIP, palette.panel, Stroke::new(1.0, palette.line_strong), StrokeKind::Inside);
        paint::text(painter, plate.center(), Align2::CENTER_CENTER, &label.text, theme::mono(size::CAPTION), palette.text);
    }
}

struct Placed<'a> {
    look: &'a Look<'a>,
    taken: &'a [Rect],
    labels: Vec<Label>,
}

impl Placed<'_> {
    fn is_free(&self, label: &Label, apart: f32) -> bool {
        let inside = self.look.grid.rect.shrink(2.0).contains_rect(label.rect);
        let alone = self.labels.iter().all(|other| !other.rect.expand(apart).intersects(label.rect));
        inside && alone && !self.taken.iter().any(|taken| taken.intersects(label.rect)) && !self.covers_a_figure(label.rect)
    }

    fn covers_a_figure(&self, rect: Rect) -> bool {
        let look = self.look;
        look.has_figures() && cells_under(look, rect).any(|at| look.figure_rect(at).is_some_and(|figure| figure.intersects(rect)))
    }
}

/// Cells that a rectangle touches.
fn cells_under(look: &Look<'_>, rect: Rect) -> impl Iterator<Item = At> {
    let inner = rect.intersect(look.grid.rect.shrink(0.5));
    let ends = look.grid.cell_at(inner.left_bottom()).zip(look.grid.cell_at(inner.right_top()));
    ends.into_iter().flat_map(|(low, high)| (low.1..=high.1).flat_map(move |row| (low.0..=high.0).map(move |column| (column, row))))
}

/// The text of a label at a place on its line; none where both sides say the same or one cannot launch.
fn label(look: &Look<'_>, cliff: &Cliff, at: Pos2) -> Option<Label> {
    let text = text(look, cliff)?;
    let rect = Rect::from_center_size(at, size_of(&text));
    Some(Label { rect, text })
}

fn size_of(text: &str) -> Vec2 {
    vec2(axis::text_width(text) + 10.0, HEIGHT)
}

fn text(look: &Look<'_>, cliff: &Cliff) -> Option<String> {
    let launches = |at: At| look.table.cell(at.0, at.1).blocks_per_sm > 0;
    let (mode, unit) = match look.mode {
        Mode::Occupancy | Mode::OtherGpu | Mode::Better => (Mode::Occupancy, "%"),
        Mode::Limiter | Mode::Blocks => (Mode::Blocks, "blocks"),
        Mode::Warps => (Mode::Warps, "warps"),
        Mode::Difference => (Mode::Difference, "points"),
    };
    let [from, to] = [cliff.cell, cliff.other].map(|at| look.table.figure(at, mode, look.reference));
    let arrow = if is_upright(cliff) { "→" } else { "↑" };
    (launches(cliff.cell) && launches(cliff.other) && from != to).then(|| format!("{from} {arrow} {to} {unit}"))
}

/// The line runs from top to bottom: its cells are beside one another.
fn is_upright(cliff: &Cliff) -> bool {
    cliff.cell.1 == cliff.other.1
}

/// Where a cliff's line is, in its middle.
fn middle(look: &Look<'_>, cliff: &Cliff) -> Pos2 {
    let cell = look.grid.cell_rect(cliff.cell);
    if is_upright(cliff) { pos2(cell.right(), cell.center().y) } else { pos2(cell.center().x, cell.top()) }
}

/// The nearest cliff right, left, above and below the present launch, each with the places that its label may have: beside
/// the line through the launch, on either side of it.
fn beside_present(look: &Look<'_>) -> Vec<Vec<Label>> {
    let Some((column, row)) = look.table.present_cell() else { return Vec::new() };
    let blocks = |at: At| look.table.cell(at.0, at.1).blocks_per_sm;
    let along_x = |from: usize| Cliff { cell: (from, row), other: (from + 1, row) };
    let along_y = |from: usize| Cliff { cell: (column, from), other: (column, from + 1) };
    let is_cliff = |cliff: &Cliff| blocks(cliff.cell) != blocks(cliff.other);
    let (columns, rows) = (look.grid.columns, look.grid.rows);
    let nearest = [
        (column..columns - 1).map(along_x).find(is_cliff),
        (0..column).rev().map(along_x).find(is_cliff),
        (row..rows - 1).map(along_y).find(is_cliff),
        (0..row).rev().map(along_y).find(is_cliff),
    ];
    nearest.into_iter().flatten().map(|cliff| places_beside(look, &cliff)).collect()
}

fn places_beside(look: &Look<'_>, cliff: &Cliff) -> Vec<Label> {
    let Some(text) = text(look, cliff) else { return Vec::new() };
    let (at, size) = (middle(look, cliff), size_of(&text));
    let place = |aside: Vec2| Label { rect: Rect::from_center_size(at + aside, size), text: text.clone() };
    if !is_upright(cliff) {
        let aside = size.x / 2.0 + GAP;
        return vec![place(vec2(aside, 0.0)), place(vec2(-aside, 0.0))];
    }
    // Where the launch is too near for a label in the middle of the line, it begins just before the line.
    let is_right = look.table.x.present_cell().is_some_and(|column| column <= cliff.cell.0);
    let away = (size.x / 2.0 - 10.0) * if is_right { 1.0 } else { -1.0 };
    let aside = size.y / 2.0 + GAP;
    vec![place(vec2(0.0, -aside)), place(vec2(0.0, aside)), place(vec2(away, -aside)), place(vec2(away, aside))]
}

/// Parts of lines along which neither side's value changes and which are long enough for a label: the longest first.
fn runs(look: &Look<'_>) -> Vec<(Cliff, Pos2)> {
    let mut found: Vec<(f32, Cliff, Pos2)> = Vec::new();
    for upright in [true, false] {
        let along = |cliff: &Cliff| if upright { (cliff.cell.0, cliff.cell.1) } else { (cliff.cell.1, cliff.cell.0) };
        let mut cliffs: Vec<Cliff> = look.table.cliffs.iter().copied().filter(|cliff| is_upright(cliff) == upright).collect();
        cliffs.sort_unstable_by_key(along);
        let joined = |a: &Cliff, b: &Cliff| along(a).0 == along(b).0 && along(a).1 + 1 == along(b).1 && values(look, a) == values(look, b);
        for run in cliffs.chunk_by(joined) {
            let (first, last) = (middle(look, &run[0]), middle(look, &run[run.len() - 1]));
            let cell = if upright { look.grid.cell_size().y } else { look.grid.cell_size().x };
            let length = (last - first).length() + cell;
            let needed = if upright { HEIGHT + 8.0 } else { 64.0 };
            if length >= needed {
                found.push((length / needed, run[0], first.lerp(last, 0.5)));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, cliff, place)| (cliff, place)).collect()
}

/// Blocks and warps on both sides of a line.
fn values(look: &Look<'_>, cliff: &Cliff) -> [(u32, u32); 2] {
    [cliff.cell, cliff.other].map(|at| {
        let cell = look.table.cell(at.0, at.1);
        (cell.blocks_per_sm, cell.active_warps_per_sm())
    })
}

/// Under the label there are only cells with the values that it names.
fn is_alone(look: &Look<'_>, cliff: &Cliff, rect: Rect) -> bool {
    let [low, high] = values(look, cliff);
    let value = |at: At| {
        let cell = look.table.cell(at.0, at.1);
        (cell.blocks_per_sm, cell.active_warps_per_sm())
    };
    let is_low = |at: At| if is_upright(cliff) { at.0 <= cliff.cell.0 } else { at.1 <= cliff.cell.1 };
    cells_under(look, rect).all(|at| value(at) == if is_low(at) { low } else { high })
}

#[cfg(test)]
mod tests {
    use super::super::layout::Layout;
    use super::super::model::Table;
    use super::super::zoom::Zoom;
    use super::super::{Axes, Mode};
    use super::*;
    use crate::arch::Catalog;
    use crate::engine::{Launch, evaluate};
    use crate::gui::theme::Theme;

    /// The labels of many heatmaps, with what they were made from.
    fn each(mut look_at: impl FnMut(&Look<'_>, &[Label], Rect)) {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        for launch in [Launch { dynamic_smem_bytes: 49_152, ..Launch::new(256, 64) }, Launch::new(100, 41), Launch::new(512, 128)] {
            let reference = evaluate(arch, &launch).theoretical_percent();
            for (axes, factor) in Axes::ALL.into_iter().flat_map(|axes| [1.0, 4.0, 30.0].map(|factor| (axes, factor))) {
                let extents = axes.extents(arch, &launch);
                let zoom = Zoom::default().zoomed(&extents, factor, [0.2, 0.2]).revealed(&extents, axes.values(&launch));
                let windows = zoom.windows(&extents);
                let table = Table::new(arch, &launch, windows[0].scale, windows[1].scale);
                for size in [vec2(560.0, 240.0), vec2(832.0, 356.0), vec2(1300.0, 660.0)] {
                    let grid = Layout::new(Rect::from_min_size(pos2(16.3, 40.7), size), &windows, 1.0).grid;
                    for mode in Mode::ALL {
                        let ends = table.ends(mode, reference);
                        let look = Look { theme: Theme::DARK, table: &table, grid, mode, reference, ends };
                        let present =
                            table.present_cell().map_or(Rect::NOTHING, |at| Rect::from_center_size(grid.center(at), Vec2::splat(20.0)));
                        look_at(&look, &labels(&look, &[present]), present);
                    }
                }
            }
        }
    }

    #[test]
    fn no_label_touches_another_a_figure_or_the_present_launch() {
        let mut count = 0;
        each(|look, labels, present| {
            count += labels.len();
            for (index, label) in labels.iter().enumerate() {
                assert!(look.grid.rect.contains_rect(label.rect) && !label.rect.intersects(present), "{label:?}");
                assert!(labels[..index].iter().all(|other| !other.rect.intersects(label.rect)), "{labels:?}");
                if look.has_figures() {
                    let cells = (0..look.grid.rows).flat_map(|row| (0..look.grid.columns).map(move |column| (column, row)));
                    for figure in cells.filter_map(|at| look.figure_rect(at)) {
                        assert!(!figure.intersects(label.rect), "{label:?} {figure:?}");
                    }
                }
            }
        });
        assert!(count > 100, "{count}");
    }

    #[test]
    fn a_label_names_what_is_on_both_sides_of_its_line() {
        each(|look, labels, _| {
            if look.mode != Mode::Warps {
                return;
            }
            for label in labels {
                let is_a_cliff = |cliff: &&Cliff| {
                    text(look, cliff).as_deref() == Some(&label.text) && {
                        let (line, rect) = (middle(look, cliff), label.rect.expand(GAP + HEIGHT));
                        rect.contains(line) || rect.x_range().contains(line.x) || rect.y_range().contains(line.y)
                    }
                };
                assert!(look.table.cliffs.iter().any(|cliff| is_a_cliff(&cliff)), "{label:?}");
            }
        });
    }

    #[test]
    fn the_cliffs_beside_the_present_launch_are_named() {
        let mut texts = Vec::new();
        each(|look, labels, _| {
            let whole = look.table.x.len() == 32 && look.table.y.len() == 32;
            if look.mode == Mode::Blocks && look.table.x.present == 64 && whole && look.grid.rect.height() < 400.0 {
                texts.extend(labels.iter().take(2).map(|label| label.text.clone()));
            }
        });
        // 48 KiB leave 3 blocks; from 88 registers on, the register file holds 2 blocks of 256 threads.
        assert!(texts.iter().any(|text| text == "3 → 2 blocks"), "{texts:?}");
    }
}
