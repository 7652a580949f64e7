//! The column beside the cells: what the colors and marks mean, and the choice of what the colors show.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rows and pixels")]

use egui::{Align2, Color32, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::flow::{Flow, ROW};
use super::legend_rows::{Row, rows_ui};
use super::model::Face;
use super::paint::{Look, hatch_of, limiter_line};
use super::points::{self, Legend};
use super::{Axes, HeatmapInput, Mode, modes};
use crate::engine::Resource;
use crate::gui::paint;
use crate::gui::theme::{self, color, size};
use crate::gui::widgets::is_bare;

/// From here on the choices stand below one another; in less height in two columns.
const TALL: f32 = 300.0;

/// Draws the legend; returns the mode that was chosen, if one was.
pub fn legend_ui(ui: &Ui, area: Rect, look: &Look<'_>, input: &HeatmapInput<'_>, mode: Mode, axes: Axes) -> Option<Mode> {
    let mut flow = Flow { at: area.min, area };
    let tall = area.height() >= TALL;
    let choices = |flow: &mut Flow| if is_bare(ui) { None } else { modes::modes_ui(ui, flow, mode, input, area.height()) };
    // In little height the choices come first: they must not be what has no room.
    let first = if tall { None } else { choices(&mut flow) };
    let mut rows = match mode {
        Mode::Limiter => limiters(ui.painter(), &mut flow, look, input),
        Mode::Better => better(ui.painter(), &mut flow, look),
        _ => {
            ramp(ui.painter(), &mut flow, look, input);
            Vec::new()
        }
    };
    if tall {
        rows_ui(ui, &mut flow, &rows);
        rows.clear();
    }
    flow.space(if tall { 12.0 } else { 0.0 });
    let chosen = if tall { choices(&mut flow) } else { first };
    flow.space(if tall { 10.0 } else { 6.0 });
    rows.extend(swatches(look));
    if axes == Axes::RegistersByThreads && !input.points.is_empty() {
        let slice = input.launch.requested_smem_bytes();
        let marks = Legend::ALL.into_iter().filter(|which| which.applies(input.points, slice)).enumerate();
        rows.extend(marks.map(|(index, which)| {
            let gap = if index > 0 {
                0.0
            } else if tall {
                8.0
            } else {
                2.0
            };
            let glyph = move |painter: &Painter, row: Rect| {
                points::legend_glyph(painter, look.theme, row.left_center() + vec2(8.0, 0.0), which);
            };
            Row::new(which.words(), glyph).with_gap(gap)
        }));
    }
    rows_ui(ui, &mut flow, &rows);
    chosen
}

/// The ramp with its ends and its middle, and the word of the value.
fn ramp(painter: &Painter, flow: &mut Flow, look: &Look<'_>, input: &HeatmapInput<'_>) {
    let (theme, palette) = (look.theme, look.theme.palette);
    let (words, ticks) = match look.mode {
        Mode::Warps => {
            let most = look.table.max_warps_per_sm;
            ("resident warps per SM".to_owned(), ["0".to_owned(), (most / 2).to_string(), format!("{most} warps")])
        }
        Mode::Blocks => {
            let most = look.ends.most_blocks;
            ("resident blocks per SM".to_owned(), ["0".to_owned(), String::new(), crate::fmt::counted(most.into(), "block")])
        }
        Mode::OtherGpu => {
            let (end, name) = (look.ends.difference, input.other.map_or("", |other| other.name));
            let words = paint::elide_end(painter, &format!("points against {name}"), &theme::words(size::NOTE), flow.area.width());
            (words, [format!("\u{2212}{end}"), "0".to_owned(), format!("+{end}")])
        }
        Mode::Difference => {
            let end = look.ends.difference;
            (format!("points against pinned {}", reference(look)), [format!("\u{2212}{end}"), "0".to_owned(), format!("+{end}")])
        }
        _ => ("theoretical occupancy".to_owned(), ["0".to_owned(), "50".to_owned(), "100 %".to_owned()]),
    };
    if let Some(row) = flow.row(ROW) {
        paint::text(painter, row.left_center(), Align2::LEFT_CENTER, words, theme::words(size::NOTE), palette.text2);
    }
    flow.space(2.0);
    let Some(row) = flow.row(12.0) else { return };
    let bar = paint::snap(painter, row);
    painter.add(Shape::mesh(ramp_mesh(bar, |share| {
        if matches!(look.mode, Mode::Difference | Mode::OtherGpu) { theme.diverging(share * 2.0 - 1.0) } else { theme.ramp(share) }
    })));
    painter.rect_stroke(bar, 0.0, Stroke::new(1.0, palette.line_strong), StrokeKind::Outside);
    let Some(row) = flow.row(16.0) else { return };
    let places = [(row.left(), Align2::LEFT_CENTER), (row.center().x, Align2::CENTER_CENTER), (row.right(), Align2::RIGHT_CENTER)];
    for (tick, (x, anchor)) in ticks.iter().zip(places) {
        paint::text(painter, pos2(x, row.center().y + 1.0), anchor, tick, theme::mono(size::CAPTION), palette.text3);
    }
}

/// The occupancy that cells are compared with.
fn reference(look: &Look<'_>) -> String {
    crate::fmt::occupancy(look.reference, look.table.max_warps_per_sm)
}

/// What is as good as the present launch, and at what price.
fn better<'a>(painter: &Painter, flow: &mut Flow, look: &'a Look<'_>) -> Vec<Row<'a>> {
    if let Some(row) = flow.row(ROW) {
        let words = format!("{} or better", reference(look));
        paint::text(painter, row.left_center(), Align2::LEFT_CENTER, words, theme::words(size::NOTE), look.theme.palette.text2);
    }
    vec![
        face_row(look, Face::AsGoodWithFewer, "with no more resources"),
        face_row(look, Face::AsGoodWithMore, "with more of something"),
        face_row(look, Face::Worse, "less occupancy"),
    ]
}

/// A row of the legend for cells with a pattern of their own.
fn face_row<'a>(look: &'a Look<'_>, face: Face, words: &'a str) -> Row<'a> {
    Row::new(words, move |painter, row| {
        let swatch = swatch_in(painter, row);
        let (ground, line) = look.swatch_colors(face);
        painter.rect_filled(swatch, 0.0, ground);
        if let Some(hatch) = hatch_of(face) {
            paint::hatch(painter, swatch, hatch, Stroke::new(1.0, line), 4.0);
        }
        painter.rect_stroke(swatch, 0.0, Stroke::new(1.0, look.theme.palette.line_strong), StrokeKind::Inside);
    })
}

fn swatch_in(painter: &Painter, row: Rect) -> Rect {
    paint::snap(painter, Rect::from_center_size(row.left_center() + vec2(8.0, 0.0), vec2(16.0, 12.0)))
}

/// Vertices at the stops and between them: a gradient without steps.
fn ramp_mesh(rect: Rect, color: impl Fn(f64) -> Color32) -> Mesh {
    const PARTS: u32 = 32;
    let mut mesh = Mesh::default();
    for part in 0..=PARTS {
        let share = f64::from(part) / f64::from(PARTS);
        let x = rect.left() + rect.width() * share as f32;
        mesh.colored_vertex(pos2(x, rect.top()), color(share));
        mesh.colored_vertex(pos2(x, rect.bottom()), color(share));
        if part > 0 {
            let last = part * 2;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    mesh
}

/// Color, hatch, letter and name of every limiter that this GPU has.
fn limiters<'a>(painter: &Painter, flow: &mut Flow, look: &'a Look<'_>, input: &HeatmapInput<'_>) -> Vec<Row<'a>> {
    let theme = look.theme;
    if let Some(row) = flow.row(ROW) {
        paint::text(painter, row.left_center(), Align2::LEFT_CENTER, "limited by", theme::words(size::NOTE), theme.palette.text2);
    }
    let known = Resource::ALL.into_iter().filter(|resource| *resource != Resource::Barriers || input.arch.max_barriers_per_sm.is_some());
    let limiters = known.map(|resource| {
        Row::new(resource.name(), move |painter, row| {
            let swatch = paint::snap(painter, Rect::from_center_size(row.left_center() + vec2(8.0, 0.0), vec2(16.0, 14.0)));
            painter.rect_filled(swatch, 0.0, theme.limiter(resource));
            let line = Stroke::new(1.0, limiter_line(theme, resource));
            paint::hatch(painter, swatch, theme.limiter_hatch(resource), line, 4.0);
            let letter = row.left_center() + vec2(24.0, 0.0);
            paint::text(painter, letter, Align2::LEFT_CENTER, resource.letter(), theme::mono_bold(size::NOTE), theme.palette.text);
        })
        .indented(14.0)
    });
    let tie = Row::new("a tie: stripes of all", move |painter: &Painter, row| {
        let swatch = swatch_in(painter, row);
        for (stripe, resource) in [Resource::Warps, Resource::Registers, Resource::Warps, Resource::Registers].into_iter().enumerate() {
            let min = swatch.min + vec2(0.0, 3.0 * stripe as f32);
            painter.rect_filled(Rect::from_min_size(min, vec2(16.0, 3.0)), 0.0, theme.limiter(resource));
        }
    });
    limiters.chain([tie]).collect()
}

/// The patterns and lines that every mode has.
fn swatches<'a>(look: &'a Look<'_>) -> Vec<Row<'a>> {
    let theme = look.theme;
    let mut rows = Vec::new();
    if look.mode == Mode::OtherGpu {
        rows.push(face_row(look, Face::OnlyHere, "only this GPU launches it"));
        rows.push(face_row(look, Face::OnlyThere, "only the other launches it"));
    }
    rows.push(Row::new("cannot launch", move |painter, row| {
        let rect = swatch_in(painter, row);
        paint::impossible_cell(painter, theme, rect);
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme.palette.line_strong), StrokeKind::Inside);
    }));
    rows.push(Row::new("cliff: fewer blocks per SM", move |painter, row| {
        let rect = swatch_in(painter, row);
        let (left, right) = rect.split_left_right_at_fraction(0.5);
        painter.rect_filled(left, 0.0, theme.ramp(0.6));
        painter.rect_filled(right, 0.0, theme.ramp(0.4));
        painter.vline(rect.center().x, rect.y_range(), Stroke::new(1.5, color::ink(theme.ramp(0.5))));
    }));
    if look.mode == Mode::Difference {
        rows.push(Row::new("the pinned configuration", move |painter, row| {
            let rect = Rect::from_center_size(row.left_center() + vec2(8.0, 0.0), Vec2::splat(11.0));
            paint::dashed_rect(painter, rect, Stroke::new(2.0, theme.palette.text), 3.0, 3.0);
        }));
    }
    rows
}
