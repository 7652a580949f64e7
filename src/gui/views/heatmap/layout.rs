//! Where the parts of the heatmap lie, in points. No drawing.
#![allow(clippy::cast_precision_loss, reason = "counts of cells")]

use egui::{Pos2, Rect, pos2, vec2};

use super::axis::{self, Tick};
use super::zoom::Window;

/// Above the cells: what the y axis counts, and the choice of axes.
const TOP: f32 = 24.0;
/// Below them: ticks and what the x axis counts.
const BOTTOM: f32 = 36.0;
/// Left of them: ticks.
const LEFT: f32 = 44.0;
/// The buttons right of the caption below the cells.
const ZOOM_BUTTONS: f32 = 84.0;
/// How far a letter of a caption reaches at most, on average.
const CAPTION_ADVANCE: f32 = 6.6;
pub const LEGEND_WIDTH: f32 = 184.0;
const LEGEND_GAP: f32 = 24.0;
/// Figures are written into cells of at least this size.
const FIGURE_CELL: egui::Vec2 = vec2(30.0, 14.0);
/// "−48.4" with air on both sides.
const SIGNED_FIGURE_WIDTH: f32 = 40.0;

/// The rectangles of the view.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub grid: Grid,
    pub y_caption: Pos2,
    pub x_caption: Pos2,
    pub axes_button: Rect,
    /// Right of the caption below the cells.
    pub zoom_buttons: Rect,
    pub legend: Rect,
    pub x_ticks: Vec<Tick>,
    pub y_ticks: Vec<Tick>,
}

/// Cells in a rectangle; their edges lie on device pixels. Row 0 is the lowest.
///
/// Zoomed in, the outermost cells may be cut by the edges of the rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    pub rect: Rect,
    pub columns: usize,
    pub rows: usize,
    pub pixels_per_point: f32,
    /// Along x and y: how much of the first cell is cut off, and how many cells there is room for.
    skipped: [f32; 2],
    shown: [f32; 2],
}

impl Layout {
    pub fn new(rect: Rect, [x, y]: &[Window; 2], pixels_per_point: f32) -> Self {
        let snap = |value: f32| (value * pixels_per_point).round() / pixels_per_point;
        let right = (rect.right() - LEGEND_WIDTH - LEGEND_GAP).max(rect.left() + LEFT + 32.0);
        let bottom = (rect.bottom() - BOTTOM).max(rect.top() + TOP + 32.0);
        let min = pos2(snap(rect.left() + LEFT), snap(rect.top() + TOP));
        let grid = Grid {
            skipped: [x.skipped, y.skipped],
            shown: [x.shown, y.shown],
            ..Grid::whole(Rect::from_min_max(min, pos2(snap(right), snap(bottom))), x.scale.len(), y.scale.len(), pixels_per_point)
        };
        let top = grid.rect.top();
        let legend_left = grid.rect.right() + LEGEND_GAP;
        let y_caption_end = rect.left() + y.scale.caption().len() as f32 * CAPTION_ADVANCE + 8.0;
        let axes_left = (grid.rect.right() - 184.0).max(y_caption_end).min(grid.rect.right() - 24.0);
        // In the middle, or as far left of it as the buttons need.
        let half_caption = x.scale.caption().len() as f32 * CAPTION_ADVANCE / 2.0;
        let x_caption = grid.rect.center().x.min(grid.rect.right() - ZOOM_BUTTONS - half_caption).max(rect.left());
        Self {
            grid,
            // High enough for marks that stand over the upper edge.
            y_caption: pos2(rect.left(), top - TOP / 2.0 - 3.0),
            x_caption: pos2(x_caption, grid.rect.bottom() + 27.0),
            axes_button: Rect::from_min_max(pos2(axes_left, top - TOP - 3.0), pos2(grid.rect.right(), top - 3.0)),
            legend: Rect::from_min_max(pos2(legend_left, rect.top() + 4.0), pos2(legend_left + LEGEND_WIDTH, rect.bottom())),
            zoom_buttons: Rect::from_min_max(
                pos2(grid.rect.right() - ZOOM_BUTTONS, grid.rect.bottom() + 14.0),
                pos2(grid.rect.right(), rect.bottom() + 2.0),
            ),
            x_ticks: axis::x_ticks(&x.scale, [x.scale.first, x.scale.last], grid.rect.x_range(), |value| {
                grid.middle_x(x.scale.cell_of(value).unwrap_or(0))
            }),
            y_ticks: axis::y_ticks(&y.scale, [y.scale.first, y.scale.last], grid.rect.y_range(), |value| {
                grid.middle_y(y.scale.cell_of(value).unwrap_or(0))
            }),
        }
    }
}

impl Grid {
    /// All cells, none cut.
    pub fn whole(rect: Rect, columns: usize, rows: usize, pixels_per_point: f32) -> Self {
        Self { rect, columns, rows, pixels_per_point, skipped: [0.0, 0.0], shown: [columns as f32, rows as f32] }
    }

    /// The left edge of a column, or the right edge of the last one.
    pub fn edge_x(&self, column: usize) -> f32 {
        self.snap(self.x_from_columns(column as f32)).clamp(self.rect.left(), self.rect.right())
    }

    /// The lower edge of a row, or the upper edge of the last one.
    pub fn edge_y(&self, row: usize) -> f32 {
        self.snap(self.y_from_rows(row as f32)).clamp(self.rect.top(), self.rect.bottom())
    }

    fn x_from_columns(&self, columns: f32) -> f32 {
        self.rect.left() + self.rect.width() * (columns - self.skipped[0]) / self.shown[0]
    }

    fn y_from_rows(&self, rows: f32) -> f32 {
        self.rect.bottom() - self.rect.height() * (rows - self.skipped[1]) / self.shown[1]
    }

    /// The middle of a whole column, which may be cut.
    pub fn middle_x(&self, column: usize) -> f32 {
        f32::midpoint(self.snap(self.x_from_columns(column as f32)), self.snap(self.x_from_columns(column as f32 + 1.0)))
    }

    /// As [`Self::middle_x`], of a row.
    pub fn middle_y(&self, row: usize) -> f32 {
        f32::midpoint(self.snap(self.y_from_rows(row as f32)), self.snap(self.y_from_rows(row as f32 + 1.0)))
    }

    /// Points for one whole cell.
    pub fn cell_size(&self) -> egui::Vec2 {
        vec2(self.rect.width() / self.shown[0], self.rect.height() / self.shown[1])
    }

    /// A place as shares of the rectangle from its lower left corner.
    pub fn shares_at(&self, at: Pos2) -> [f64; 2] {
        [(at.x - self.rect.left()) / self.rect.width(), (self.rect.bottom() - at.y) / self.rect.height()].map(f64::from)
    }

    fn snap(&self, value: f32) -> f32 {
        (value * self.pixels_per_point).round() / self.pixels_per_point
    }

    pub fn cell_rect(&self, (column, row): (usize, usize)) -> Rect {
        let min = pos2(self.edge_x(column), self.edge_y(row + 1));
        Rect::from_min_max(min, pos2(self.edge_x(column + 1), self.edge_y(row)))
    }

    /// The middle of the whole cell; outside of the rectangle when it is mostly cut.
    pub fn center(&self, cell: (usize, usize)) -> Pos2 {
        pos2(self.middle_x(cell.0), self.middle_y(cell.1))
    }

    pub fn cell_at(&self, at: Pos2) -> Option<(usize, usize)> {
        let column = (0..self.columns).find(|column| at.x < self.edge_x(column + 1))?;
        let row = (0..self.rows).find(|row| at.y >= self.edge_y(row + 1))?;
        self.rect.contains(at).then_some((column, row))
    }

    /// Cells are large enough to hold a figure, one with a sign where there are signs.
    pub fn has_room_for_figures(&self, are_signed: bool) -> bool {
        let (cell, figure) = (self.cell_size(), figure_size(are_signed));
        cell.x >= figure.x && cell.y >= figure.y
    }

    /// What the edges leave of this cell holds a figure.
    pub fn holds_figure(&self, cell: (usize, usize), are_signed: bool) -> bool {
        let figure = Rect::from_center_size(self.center(cell), figure_size(are_signed));
        self.rect.expand(2.0).contains_rect(figure)
    }
}

const fn figure_size(is_signed: bool) -> egui::Vec2 {
    if is_signed { vec2(SIGNED_FIGURE_WIDTH, FIGURE_CELL.y) } else { FIGURE_CELL }
}

#[cfg(test)]
mod tests {
    use super::super::Axes;
    use super::super::axis::text_width;
    use super::super::zoom::Zoom;
    use super::*;
    use crate::arch::Catalog;
    use crate::engine::Launch;

    fn layouts() -> impl Iterator<Item = (Rect, Layout)> {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        let sizes = [(560.0, 240.0), (800.0, 340.0), (1100.0, 600.0), (733.3, 251.7)];
        let axes = [Axes::RegistersByThreads, Axes::DynamicSmemByThreads, Axes::RegistersByDynamicSmem];
        let cases = sizes.into_iter().flat_map(move |size| axes.map(|axes| (size, axes)));
        cases.flat_map(move |((width, height), axes)| {
            let launch = Launch { dynamic_smem_bytes: 49_152, ..Launch::new(200, 41) };
            let extents = axes.extents(arch, &launch);
            let rect = Rect::from_min_size(pos2(16.3, 40.7), vec2(width, height));
            [1.0, 3.7, 30.0].into_iter().flat_map(move |factor| {
                let zoom = Zoom::default().zoomed(&extents, factor, [0.17, 0.2]).revealed(&extents, axes.values(&launch));
                [1.0, 1.5, 2.0].map(|scale| (rect, Layout::new(rect, &zoom.windows(&extents), scale)))
            })
        })
    }

    #[test]
    fn every_part_is_inside() {
        for (rect, layout) in layouts() {
            let grown = rect.expand(1.0);
            assert!(grown.contains_rect(layout.grid.rect) && grown.contains_rect(layout.legend), "{layout:?}");
            assert!(layout.grid.rect.right() < layout.legend.left() && grown.contains(layout.x_caption));
        }
    }

    #[test]
    fn every_tick_is_inside_and_none_touches_another() {
        for (rect, layout) in layouts() {
            for tick in &layout.x_ticks {
                let half = text_width(&tick.text) / 2.0;
                assert!(tick.at - half >= rect.left() && tick.at + half < layout.legend.left(), "{tick:?}");
            }
            for (index, tick) in layout.x_ticks.iter().enumerate() {
                for other in &layout.x_ticks[..index] {
                    let needed = f32::midpoint(text_width(&tick.text), text_width(&other.text));
                    assert!((tick.at - other.at).abs() > needed, "{tick:?} {other:?}");
                }
            }
            for tick in &layout.y_ticks {
                assert!(layout.grid.rect.y_range().contains(tick.at) && text_width(&tick.text) + 8.0 <= LEFT, "{tick:?}");
            }
            assert!(layout.x_ticks.iter().chain(&layout.y_ticks).filter(|tick| tick.is_present).count() == 2);
        }
    }

    #[test]
    fn a_cells_center_leads_back_to_it() {
        for (_, layout) in layouts() {
            let grid = layout.grid;
            for row in 0..grid.rows {
                for column in 0..grid.columns {
                    let visible = grid.cell_rect((column, row)).center();
                    assert_eq!(grid.cell_at(visible), Some((column, row)), "{grid:?}");
                }
            }
            assert_eq!(grid.cell_at(grid.rect.left_top() - vec2(1.0, 0.0)), None);
        }
    }
}
