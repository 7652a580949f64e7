//! How the cells look: colors, patterns, cliffs, figures. What is drawn around and on them is in `marks`, `points` and `legend`.
#![allow(clippy::cast_precision_loss, reason = "counts of cells")]

use egui::{Align2, Color32, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::layout::Grid;
use super::model::{Ends, Face, Table};
use super::pattern::Area;
use super::regions::LetterSpot;
use super::{Mode, axis};
use crate::engine::{Resource, ResourceSet};
use crate::gui::paint::{self, hatch::thin};
use crate::gui::theme::{self, Hatch, RADIUS_CHIP, Theme, color, size, tokens};

const CHIP: f32 = 16.0;
/// Distance of the lines of hatches over the cells.
const LATTICE_STEP: f32 = 6.0;
const LIMITER_STEP: f32 = 8.0;

/// Everything that decides how the chart looks.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    pub theme: Theme,
    pub table: &'a Table,
    pub grid: Grid,
    pub mode: Mode,
    /// Theoretical occupancy of the pinned launch, 0 to 100.
    pub reference: f64,
    pub ends: Ends,
}

impl<'a> Look<'a> {
    /// `ends` are those of the whole table, of which `table` may be a part.
    pub fn new(ui: &Ui, table: &'a Table, grid: Grid, mode: Mode, reference: f64, ends: Ends) -> Self {
        Self { theme: Theme::of(ui), table, grid, mode, reference, ends }
    }

    /// The ink of marks on the cells, and the opposite one around it: together they show on every color.
    pub fn inks(&self) -> (Color32, Color32) {
        if self.theme.dark { (tokens::INK_LIGHT, tokens::INK_DARK) } else { (tokens::INK_DARK, tokens::INK_LIGHT) }
    }

    fn face(&self, column: usize, row: usize) -> Face {
        self.table.face((column, row), self.mode, self.reference, self.ends)
    }

    /// The color of a cell; of several limiters, their mean.
    fn face_color(&self, face: Face) -> Color32 {
        match face {
            Face::CannotLaunch => self.theme.palette.well,
            Face::Ramp(share) => self.theme.ramp(share),
            Face::Diverging(share) => self.theme.diverging(share),
            Face::OnlyHere => self.theme.diverging(1.0),
            Face::OnlyThere => self.theme.diverging(-1.0),
            Face::AsGoodWithFewer => self.theme.ramp(0.75),
            Face::AsGoodWithMore => self.theme.ramp(0.45),
            Face::Worse => self.theme.ramp(0.05),
            Face::Limiters(set) => {
                let mut colors = set.iter().map(|resource| self.theme.limiter(resource));
                let first = colors.next().unwrap_or(self.theme.palette.well);
                colors.fold(first, |mean, color| color::mix(mean, color, 0.5))
            }
        }
    }

    /// A cell's ground and the lines of its hatch, for the legend.
    pub fn swatch_colors(&self, face: Face) -> (Color32, Color32) {
        (self.face_color(face), self.hatch_line(face))
    }

    fn hatch_line(&self, face: Face) -> Color32 {
        let ground = self.face_color(face);
        color::mix(ground, color::ink(ground), 0.4)
    }

    /// The cells, their patterns, cliffs and figures, and the frame around them; what may not stand over it is `clipped`.
    pub fn paint_cells(&self, painter: &Painter, clipped: &Painter) {
        painter.add(Shape::mesh(self.cells_mesh()));
        let impossible = Area::new(&self.grid, |column, row| self.face(column, row) == Face::CannotLaunch);
        impossible.hatch(painter, Hatch::Lattice, thin(painter, lattice_color(self.theme)), LATTICE_STEP);
        if self.mode == Mode::Limiter {
            self.limiter_hatches(painter);
        }
        let patterned: &[Face] = match self.mode {
            Mode::OtherGpu => &[Face::OnlyHere, Face::OnlyThere],
            Mode::Better => &[Face::AsGoodWithFewer, Face::AsGoodWithMore],
            _ => &[],
        };
        for face in patterned.iter().copied() {
            let Some(hatch) = hatch_of(face) else { continue };
            let stroke = thin(painter, self.hatch_line(face));
            Area::new(&self.grid, |column, row| self.face(column, row) == face).hatch(painter, hatch, stroke, LIMITER_STEP);
        }
        painter.add(Shape::mesh(self.cliffs_mesh()));
        let frame = Stroke::new(1.0, self.theme.palette.line_strong);
        painter.rect_stroke(self.grid.rect, 0.0, frame, StrokeKind::Outside);
        self.paint_crosshair(clipped);
        if self.mode == Mode::Limiter {
            for spot in self.table.letters() {
                self.letters(painter, spot);
            }
        } else if self.has_figures() {
            self.figures(clipped);
        }
    }

    /// One mesh of plain rectangles: equal neighbours in a row are one.
    fn cells_mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        for row in 0..self.grid.rows {
            let mut start = 0;
            for column in 1..=self.grid.columns {
                let face = self.face(start, row);
                if column == self.grid.columns || self.face(column, row) != face {
                    let first = self.grid.cell_rect((start, row));
                    self.run(&mut mesh, first.union(self.grid.cell_rect((column - 1, row))), face);
                    start = column;
                }
            }
        }
        mesh
    }

    /// Cells of one row with one face. A tie is stripes of each color, the same in every cell.
    fn run(&self, mesh: &mut Mesh, rect: Rect, face: Face) {
        let Face::Limiters(set) = face else {
            mesh.add_colored_rect(rect, self.face_color(face));
            return;
        };
        let count = set.len().max(1) as f32;
        for (index, resource) in set.iter().enumerate() {
            let edge = |index: f32| (rect.top() + rect.height() * index / count).min(rect.bottom());
            let snap = |y: f32| (y * self.grid.pixels_per_point).round() / self.grid.pixels_per_point;
            let stripe = rect.top().max(snap(edge(index as f32)))..=snap(edge(index as f32 + 1.0));
            mesh.add_colored_rect(Rect::from_x_y_ranges(rect.x_range(), stripe), self.theme.limiter(resource));
        }
    }

    /// The hatch of each limiter where it is the only one.
    fn limiter_hatches(&self, painter: &Painter) {
        for resource in Resource::ALL {
            let only = Face::Limiters(ResourceSet::from_iter([resource]));
            let area = Area::new(&self.grid, |column, row| self.face(column, row) == only);
            let stroke = Stroke::new(1.0, limiter_line(self.theme, resource));
            area.hatch(painter, self.theme.limiter_hatch(resource), stroke, LIMITER_STEP);
        }
    }

    /// A line on every border where the blocks per SM change, in the ink that shows best on both sides.
    fn cliffs_mesh(&self) -> Mesh {
        let scale = self.grid.pixels_per_point;
        let width = scale.round().max(1.0) / scale;
        let mut mesh = Mesh::default();
        for cliff in &self.table.cliffs {
            let cell = self.grid.cell_rect(cliff.cell);
            let line = if cliff.other.1 == cliff.cell.1 {
                Rect::from_min_max(pos2(cell.right() - width, cell.top()), cell.right_bottom())
            } else {
                Rect::from_min_size(cell.left_top(), vec2(cell.width(), width))
            };
            let colors = [cliff.cell, cliff.other].map(|(column, row)| self.face_color(self.face(column, row)));
            mesh.add_colored_rect(line, color::ink(color::mix(colors[0], colors[1], 0.5)));
        }
        mesh
    }

    /// Cells say their value in figures; limiters have letters for a whole patch instead.
    pub fn has_figures(&self) -> bool {
        self.mode != Mode::Limiter && self.grid.has_room_for_figures(self.are_signed())
    }

    fn are_signed(&self) -> bool {
        matches!(self.mode, Mode::Difference | Mode::OtherGpu)
    }

    /// What is written into a cell, and where; none where nothing is, or has room.
    fn figure(&self, at: (usize, usize)) -> Option<(String, Rect)> {
        let has_value = !matches!(self.face(at.0, at.1), Face::CannotLaunch | Face::OnlyHere | Face::OnlyThere);
        (has_value && self.grid.holds_figure(at, self.are_signed())).then(|| {
            let figure = self.table.figure(at, self.mode, self.reference);
            let rect = Rect::from_center_size(self.grid.center(at), vec2(axis::text_width(&figure) + 4.0, 12.0));
            (figure, rect)
        })
    }

    pub fn figure_rect(&self, at: (usize, usize)) -> Option<Rect> {
        self.figure(at).map(|(_, rect)| rect)
    }

    /// The figure of every cell that can launch; on a plate where the crosshair would cross it.
    fn figures(&self, painter: &Painter) {
        let present = (self.table.x.present_cell(), self.table.y.present_cell());
        for row in 0..self.grid.rows {
            for column in 0..self.grid.columns {
                let face = self.face(column, row);
                let Some((figure, _)) = self.figure((column, row)) else { continue };
                let (ground, at) = (self.face_color(face), self.grid.center((column, row)));
                let crossed = present.0 == Some(column) || present.1 == Some(row);
                if crossed || hatch_of(face).is_some() {
                    let plate = Rect::from_center_size(at, vec2(axis::text_width(&figure) + 4.0, 12.0));
                    painter.rect_filled(paint::snap(painter, plate), 0.0, ground);
                }
                paint::text(painter, at, Align2::CENTER_CENTER, figure, theme::mono(size::CAPTION), color::ink(ground));
            }
        }
    }

    /// Where the letters of a patch's limiters stand: in its middle; none where they have no room.
    pub fn letters_rect(&self, spot: &LetterSpot) -> Option<Rect> {
        let room = self.grid.cell_rect(spot.first).union(self.grid.cell_rect(spot.last));
        let count = spot.limiters.len() as f32;
        let size = vec2(count * CHIP + (count - 1.0) * 2.0, CHIP);
        let plate = Rect::from_center_size(room.center(), size + Vec2::splat(4.0));
        (plate.width() + 4.0 <= room.width() && plate.height() <= room.height()).then_some(plate)
    }

    /// The letters of a patch's limiters on a plate.
    fn letters(&self, painter: &Painter, spot: &LetterSpot) {
        let Some(plate) = self.letters_rect(spot) else { return };
        let plate = paint::snap(painter, plate);
        painter.rect_filled(plate, RADIUS_CHIP + 2.0, self.theme.palette.panel);
        for (index, resource) in spot.limiters.iter().enumerate() {
            let min = plate.min + vec2(2.0 + index as f32 * (CHIP + 2.0), 2.0);
            paint::chip(painter, self.theme, Rect::from_min_size(min, Vec2::splat(CHIP)), resource, true);
        }
    }
}

/// The pattern that tells a face apart without its color.
pub const fn hatch_of(face: Face) -> Option<Hatch> {
    match face {
        Face::OnlyHere | Face::AsGoodWithFewer => Some(Hatch::Slash),
        Face::OnlyThere => Some(Hatch::Backslash),
        Face::AsGoodWithMore => Some(Hatch::Dots),
        _ => None,
    }
}

/// The lines over cells that cannot launch.
pub fn lattice_color(theme: Theme) -> Color32 {
    color::mix(theme.palette.panel, theme.palette.line_strong, if theme.dark { 0.5 } else { 0.45 })
}

/// The lines of a limiter's hatch on its own color.
pub fn limiter_line(theme: Theme, resource: Resource) -> Color32 {
    let fill = theme.limiter(resource);
    color::mix(fill, color::ink(fill), 0.4)
}
