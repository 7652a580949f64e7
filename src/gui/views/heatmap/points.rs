//! A report's kernels on the cells: a ring is theoretical, the dot below it achieved, the stem the gap.
#![allow(clippy::cast_possible_truncation, reason = "points of occupancy as points of the screen")]

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

use super::clusters::{Cluster, Clusters};
use super::kernel_points::{KernelPoint, KernelPoints};
use super::layout::Grid;
use super::model::Table;
use super::paint::Look;
use super::{HeatmapInput, axis};
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size};

/// Length of a stem for one point of occupancy.
const STEM: f32 = 0.5;
const DOT: f32 = 3.5;
const COUNT_HEIGHT: f32 = 14.0;

/// Kernels whose block is still open, by their registers: each is a line over every block size. Where it is, and which it
/// stands for: the selected one if that is among them.
pub fn lines(table: &Table, grid: &Grid, points: &KernelPoints, selected: Option<usize>) -> Vec<(f32, usize)> {
    let open = points.groups().iter().filter(|group| group.threads == 0);
    let line = |group: &super::kernel_points::Group| {
        let x = grid.middle_x(table.x.cell_of(group.registers.into())?);
        let selected = selected.filter(|selected| group.members.contains(selected));
        Some((x, selected.unwrap_or(group.members[0]))).filter(|(x, _)| grid.rect.x_range().contains(*x))
    };
    open.filter_map(line).collect()
}

/// Dashed lines for [`lines`]; the selected one last, in the accent color and with its name, so that no other line crosses that.
pub fn paint_lines(painter: &Painter, look: &Look<'_>, input: &HeatmapInput<'_>, lines: &[(f32, usize)]) {
    let (ink, halo) = look.inks();
    let bounds = look.grid.rect;
    let is_selected = |line: &&(f32, usize)| Some(line.1) == input.selected;
    for (x, index) in lines.iter().filter(|line| !is_selected(line)).chain(lines.iter().filter(is_selected)) {
        let selected = Some(*index) == input.selected;
        let ends = [pos2(*x, bounds.top()), pos2(*x, bounds.bottom())];
        painter.line_segment(ends, Stroke::new(if selected { 5.0 } else { 3.0 }, halo));
        let color = if selected { look.theme.palette.accent } else { ink };
        painter.extend(Shape::dashed_line(&ends, Stroke::new(if selected { 2.0 } else { 1.0 }, color), 6.0, 3.0));
        if selected {
            name_plate(painter, look, &input.points.point(*index).name, "", pos2(*x, bounds.top() + 16.0));
        }
    }
}

/// All kernels; the selected one last and larger, with its name.
pub fn paint_points(painter: &Painter, look: &Look<'_>, input: &HeatmapInput<'_>, all: &Clusters, hovered: Option<&Cluster>) {
    let drawn = || all.clusters.iter().filter(|cluster| cluster.count > 0);
    for cluster in drawn() {
        let is_hovered = Some(cluster) == hovered;
        if is_hovered {
            spread(painter, look, cluster);
        }
        let radius = cluster.radius + if is_hovered { 2.0 } else { 0.0 };
        let mark = Mark { radius, is_same: cluster.has_same, accent: None };
        glyph(painter, look, input.points.point(cluster.lead), cluster.at, mark);
        if cluster.has_same && cluster.has_other {
            let (ink, halo) = look.inks();
            painter.circle_stroke(cluster.at, radius + 3.5, Stroke::new(3.0, halo));
            painter.circle_stroke(cluster.at, radius + 3.5, Stroke::new(1.0, ink));
        }
    }
    for plate in plates(&look.grid, all) {
        plate.paint(painter, look.theme);
    }
    if let Some((index, at, radius)) = all.selected {
        let point = input.points.point(index);
        let is_same = point.smem_bytes == input.launch.requested_smem_bytes();
        glyph(painter, look, point, at, Mark { radius, is_same, accent: Some(look.theme.palette.accent) });
        let others = all.clusters.iter().find(|cluster| cluster.count > 0 && cluster.at.distance(at) < 1.0);
        let others = others.map(|cluster| format!("  and {} more", crate::fmt::grouped(cluster.count as u64))).unwrap_or_default();
        name_plate(painter, look, &point.name, &others, at);
    }
}

/// What stands beside a mark: the letters of its files, where there are several, and how many kernels it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Plate {
    pub text: String,
    pub rect: Rect,
    /// The one file that all of its kernels are from.
    file: Option<usize>,
}

/// The marks with the most time have plates; in a crowd of thousands more would be neither legible nor quickly placed.
const MOST_PLATES: usize = 150;

/// The plates of marks that stand for several kernels or say their file, each beside its mark where no other is.
pub fn plates(grid: &Grid, all: &Clusters) -> Vec<Plate> {
    let marks: Vec<Rect> = all.clusters.iter().map(|cluster| square(cluster.at, cluster.radius)).collect();
    let mut plates: Vec<Plate> = Vec::new();
    let is_under_selected = |cluster: &Cluster| all.selected.is_some_and(|(_, at, _)| at.distance(cluster.at) < 1.0);
    for cluster in all.clusters.iter().filter(|cluster| cluster.count > 0 && !is_under_selected(cluster)).take(MOST_PLATES) {
        let text = plate_text(cluster);
        if text.is_empty() {
            continue;
        }
        let size = vec2(axis::text_width(&text) + 6.0, COUNT_HEIGHT);
        let aside = vec2(cluster.radius * 0.7 + size.x / 2.0 + 1.0, cluster.radius * 0.7 + size.y / 2.0 - 2.0);
        let beside = vec2(cluster.radius + size.x / 2.0 + 2.0, 0.0);
        let ways = [vec2(1.0, -1.0), vec2(-1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0)].map(|way| aside * way);
        let places = ways.into_iter().chain([beside, -beside]).map(|way| Rect::from_center_size(cluster.at + way, size));
        let is_free = |rect: &Rect| {
            grid.rect.contains_rect(*rect)
                && marks.iter().all(|mark| *mark == square(cluster.at, cluster.radius) || !mark.intersects(*rect))
                && plates.iter().all(|other| !other.rect.intersects(*rect))
        };
        let place = places.into_iter().find(is_free);
        let file = cluster.files.first().copied().filter(|_| cluster.files.len() == 1);
        plates.extend(place.map(|rect| Plate { text, rect, file }));
    }
    plates
}

/// "7", or where several files are open "A", "A 7", "AB 7".
fn plate_text(cluster: &Cluster) -> String {
    const SHOWN: usize = 3;
    let mut letters: String = cluster.files.iter().take(SHOWN).map(|file| paint::file_letter(*file)).collect();
    if cluster.files.len() > SHOWN {
        letters.push('…');
    }
    let count = if cluster.count > 1 { count_text(cluster.count) } else { String::new() };
    [letters, count].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// "12", "1.2k", "100k".
fn count_text(count: usize) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..10_000 => format!("{}.{}k", count / 1_000, count % 1_000 / 100),
        _ => format!("{}k", count / 1_000),
    }
}

/// The square around a mark.
pub fn square(at: Pos2, radius: f32) -> Rect {
    Rect::from_center_size(at, vec2(radius, radius) * 2.0)
}

impl Plate {
    /// In the color of its file, as that is marked elsewhere.
    fn paint(&self, painter: &Painter, theme: Theme) {
        let palette = theme.palette;
        let (fill, ink) = match self.file {
            Some(file) => (theme.block(file), theme::color::ink(theme.block(file))),
            None => (palette.panel, palette.text),
        };
        let rect = paint::snap(painter, self.rect);
        painter.rect(rect, 3.0, fill, Stroke::new(1.0, palette.line_strong), StrokeKind::Inside);
        paint::text(painter, rect.center(), Align2::CENTER_CENTER, &self.text, theme::mono(size::CAPTION), ink);
    }
}

/// Where the kernels of a mark are: a dot on the cell of each, and a line to it.
fn spread(painter: &Painter, look: &Look<'_>, cluster: &Cluster) {
    let (ink, halo) = look.inks();
    for place in cluster.places.iter().filter(|place| place.distance(cluster.at) > 1.0) {
        painter.line_segment([cluster.at, *place], Stroke::new(3.0, halo));
        painter.line_segment([cluster.at, *place], Stroke::new(1.0, ink));
        painter.circle(*place, 3.0, ink, Stroke::new(1.0, halo));
    }
}

/// How a kernel's mark is drawn.
#[derive(Clone, Copy, Debug)]
struct Mark {
    radius: f32,
    /// A thin, hollow ring is a kernel whose shared memory is not that of the cells below it.
    is_same: bool,
    accent: Option<Color32>,
}

/// One kernel.
fn glyph(painter: &Painter, look: &Look<'_>, point: &KernelPoint, at: Pos2, mark: Mark) {
    let (ink, halo) = look.inks();
    let weight = if mark.is_same { 2.0 } else { 1.0 };
    let gap = point.theoretical_percent.zip(point.achieved_percent).map(|(theoretical, achieved)| (theoretical - achieved).max(0.0) as f32);
    let dot = gap.map(|gap| stem(painter, look, point, at, gap));
    if let Some(theoretical) = point.theoretical_percent.filter(|_| mark.is_same) {
        painter.circle_filled(at, mark.radius, look.theme.ramp(theoretical / 100.0));
    }
    painter.circle_stroke(at, mark.radius, Stroke::new(weight + 2.2, halo));
    let stroke = mark.accent.map_or(Stroke::new(weight, ink), |accent| Stroke::new(weight + 1.0, accent));
    painter.circle_stroke(at, mark.radius, stroke);
    match dot {
        Some(End::Dot(at)) if mark.is_same => {
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

/// The selected kernel's name, right of its ring where there is room, else left; `more` follows it whole.
fn name_plate(painter: &Painter, look: &Look<'_>, name: &str, more: &str, at: Pos2) {
    let (font, palette, bounds) = (theme::medium(size::NOTE), look.theme.palette, look.grid.rect);
    let room = (bounds.right() - at.x).max(at.x - bounds.left()) - 38.0 - paint::text_width(painter, more, font.clone());
    let name = paint::elide_middle(painter, name, &font, room) + more;
    let width = paint::text_width(painter, &name, font.clone()) + 14.0;
    let left = if at.x + 20.0 + width <= bounds.right() { at.x + 20.0 } else { at.x - 20.0 - width };
    let top = (at.y - 11.0).clamp(bounds.top() + 1.0, (bounds.bottom() - 23.0).max(bounds.top() + 1.0));
    let plate = paint::snap(painter, Rect::from_min_size(pos2(left, top), vec2(width, 22.0)));
    painter.rect(plate, 4.0, palette.panel, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    paint::text(painter, plate.center(), Align2::CENTER_CENTER, name, font, palette.text);
}

/// The marks of a kernel, for the legend; in the middle of a 16 × 16 box.
pub fn legend_glyph(painter: &Painter, theme: Theme, at: Pos2, which: Legend) {
    let ink = theme.palette.text;
    let plate = |text: &str, file| Plate { text: text.to_owned(), rect: Rect::from_center_size(at, vec2(18.0, COUNT_HEIGHT)), file };
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
        Legend::Size => {
            painter.circle_stroke(at - vec2(5.0, -3.0), 3.0, Stroke::new(1.5, ink));
            painter.circle_stroke(at + vec2(3.0, 0.0), 6.0, Stroke::new(1.5, ink));
        }
        Legend::Count => plate("7", None).paint(painter, theme),
        Legend::File => plate("A", Some(0)).paint(painter, theme),
    }
}

/// The rows of the kernels' legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    Theoretical,
    Gap,
    Achieved,
    OtherSmem,
    Size,
    Count,
    File,
}

impl Legend {
    pub const ALL: [Self; 7] = [Self::Theoretical, Self::Gap, Self::Achieved, Self::OtherSmem, Self::Size, Self::Count, Self::File];

    pub const fn words(self) -> &'static str {
        match self {
            Self::Theoretical => "theoretical",
            Self::Gap => "gap, grid's part dashed",
            Self::Achieved => "achieved, lower",
            Self::OtherSmem => "other shared memory",
            Self::Size => "area: share of the time",
            Self::Count => "so many kernels",
            Self::File => "letter: its file, as above",
        }
    }

    /// It tells something about these kernels.
    pub fn applies(self, points: &KernelPoints, smem_bytes: u64) -> bool {
        match self {
            Self::OtherSmem => points.groups().iter().any(|group| group.smem_bytes != smem_bytes),
            Self::Size => points.share_of_time(0.0).is_some(),
            Self::Count => points.groups().iter().map(|group| group.members.len()).sum::<usize>() > 1,
            Self::File => points.has_files(),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plates_say_files_and_counts() {
        let of = |files: &[usize], count| {
            plate_text(&Cluster {
                at: Pos2::ZERO,
                radius: 6.0,
                groups: Vec::new(),
                places: Vec::new(),
                count,
                lead: 0,
                has_same: true,
                has_other: false,
                files: files.to_vec(),
            })
        };
        assert_eq!((of(&[], 1), of(&[], 7)), (String::new(), "7".to_owned()));
        assert_eq!([of(&[1], 1), of(&[0, 2], 1_234), of(&[0, 1, 2, 3], 9)], ["B", "AC 1.2k", "ABC… 9"]);
    }

    #[test]
    fn counts_are_short() {
        assert_eq!([7, 112, 1_008, 11_112, 100_008].map(count_text), ["7", "112", "1.0k", "11k", "100k"]);
    }
}
