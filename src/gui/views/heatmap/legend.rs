//! The column beside the cells: what the colors and marks mean, and the choice of what the colors show.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rows and pixels")]

use egui::{
    Align2, Color32, CornerRadius, Mesh, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::paint::{Look, limiter_line};
use super::points::{self, Legend};
use super::{Axes, HeatmapInput, Mode};
use crate::engine::Resource;
use crate::fmt::percent;
use crate::gui::paint;
use crate::gui::theme::{self, Theme, color, size};

/// From here on the choices stand below one another; in less height in two columns.
const TALL: f32 = 300.0;
const ROW: f32 = 18.0;

/// Where the next part goes, and what is left.
struct Flow {
    at: Pos2,
    area: Rect,
}

impl Flow {
    /// The next row of this height, if it still fits.
    fn row(&mut self, height: f32) -> Option<Rect> {
        let rect = Rect::from_min_size(self.at, vec2(self.area.width(), height));
        (rect.bottom() <= self.area.bottom() + 0.5).then(|| {
            self.at.y += height;
            rect
        })
    }

    fn space(&mut self, height: f32) {
        self.at.y += height;
    }
}

/// Draws the legend; returns the mode that was chosen, if one was.
pub fn legend_ui(ui: &Ui, area: Rect, look: &Look<'_>, input: &HeatmapInput<'_>, mode: Mode, axes: Axes) -> Option<Mode> {
    let mut flow = Flow { at: area.min, area };
    let tall = area.height() >= TALL;
    match mode {
        Mode::Limiter => limiters(ui.painter(), &mut flow, look, input),
        _ => ramp(ui.painter(), &mut flow, look),
    }
    flow.space(if tall { 12.0 } else { 6.0 });
    let chosen = modes_ui(ui, &mut flow, mode, input.pinned.is_some(), tall);
    flow.space(if tall { 10.0 } else { 6.0 });
    swatches(ui.painter(), &mut flow, look);
    if axes == Axes::RegistersByThreads && !input.points.is_empty() {
        flow.space(if tall { 8.0 } else { 2.0 });
        let all_same = input.points.iter().all(|point| point.same_smem);
        for which in Legend::ALL.into_iter().filter(|which| !(all_same && *which == Legend::OtherSmem)) {
            let Some(row) = flow.row(ROW) else { break };
            points::legend_glyph(ui.painter(), look.theme, row.left_center() + vec2(8.0, 0.0), which);
            caption(ui.painter(), look.theme, row, which.words());
        }
    }
    chosen
}

fn caption(painter: &Painter, theme: Theme, row: Rect, words: &str) {
    let at = row.left_center() + vec2(24.0, 0.0);
    paint::text(painter, at, Align2::LEFT_CENTER, words, theme::words(size::NOTE), theme.palette.text2);
}

/// The ramp with its ends and its middle, and the word of the value.
fn ramp(painter: &Painter, flow: &mut Flow, look: &Look<'_>) {
    let (theme, palette) = (look.theme, look.theme.palette);
    let (words, ticks) = match look.mode {
        Mode::Warps => {
            let most = look.table.max_warps_per_sm;
            ("resident warps per SM".to_owned(), ["0".to_owned(), (most / 2).to_string(), format!("{most} warps")])
        }
        Mode::Difference => {
            let end = look.difference_end;
            (format!("points against pinned {}", percent(look.reference)), [format!("\u{2212}{end}"), "0".to_owned(), format!("+{end}")])
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
        if look.mode == Mode::Difference { theme.diverging(share * 2.0 - 1.0) } else { theme.ramp(share) }
    })));
    painter.rect_stroke(bar, 0.0, Stroke::new(1.0, palette.line_strong), StrokeKind::Outside);
    let Some(row) = flow.row(16.0) else { return };
    let places = [(row.left(), Align2::LEFT_CENTER), (row.center().x, Align2::CENTER_CENTER), (row.right(), Align2::RIGHT_CENTER)];
    for (tick, (x, anchor)) in ticks.iter().zip(places) {
        paint::text(painter, pos2(x, row.center().y + 1.0), anchor, tick, theme::mono(size::CAPTION), palette.text3);
    }
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
fn limiters(painter: &Painter, flow: &mut Flow, look: &Look<'_>, input: &HeatmapInput<'_>) {
    let theme = look.theme;
    if let Some(row) = flow.row(ROW) {
        paint::text(painter, row.left_center(), Align2::LEFT_CENTER, "limited by", theme::words(size::NOTE), theme.palette.text2);
    }
    let known = Resource::ALL.into_iter().filter(|resource| *resource != Resource::Barriers || input.arch.max_barriers_per_sm.is_some());
    for resource in known {
        let Some(row) = flow.row(ROW) else { return };
        let swatch = paint::snap(painter, Rect::from_center_size(row.left_center() + vec2(8.0, 0.0), vec2(16.0, 14.0)));
        painter.rect_filled(swatch, 0.0, theme.limiter(resource));
        let line = Stroke::new(1.0, limiter_line(theme, resource));
        paint::hatch(painter, swatch, theme.limiter_hatch(resource), line, 4.0);
        let letter = row.left_center() + vec2(24.0, 0.0);
        paint::text(painter, letter, Align2::LEFT_CENTER, resource.letter(), theme::mono_bold(size::NOTE), theme.palette.text);
        let name = letter + vec2(14.0, 0.0);
        paint::text(painter, name, Align2::LEFT_CENTER, resource.name(), theme::words(size::NOTE), theme.palette.text2);
    }
    let Some(row) = flow.row(ROW) else { return };
    let swatch = paint::snap(painter, Rect::from_center_size(row.left_center() + vec2(8.0, 0.0), vec2(16.0, 12.0)));
    for (stripe, resource) in [Resource::Warps, Resource::Registers, Resource::Warps, Resource::Registers].into_iter().enumerate() {
        let min = swatch.min + vec2(0.0, 3.0 * stripe as f32);
        painter.rect_filled(Rect::from_min_size(min, vec2(16.0, 3.0)), 0.0, theme.limiter(resource));
    }
    caption(painter, theme, row, "a tie: stripes of all");
}

/// The radio list of modes.
fn modes_ui(ui: &Ui, flow: &mut Flow, mode: Mode, has_pinned: bool, tall: bool) -> Option<Mode> {
    let theme = Theme::of(ui);
    if let Some(row) = flow.row(ROW) {
        let font = theme::medium(size::CAPTION);
        paint::text(ui.painter(), row.left_center(), Align2::LEFT_CENTER, "Color shows", font, theme.palette.text3);
    }
    let columns = if tall { 1 } else { 2 };
    let mut chosen = None;
    for modes in Mode::ALL.chunks(columns) {
        let Some(row) = flow.row(if tall { 25.0 } else { 24.0 }) else { break };
        let width = row.width() / columns as f32;
        for (column, choice) in modes.iter().enumerate() {
            let min = pos2(row.left() + width * column as f32, row.top());
            let rect = Rect::from_min_size(min, vec2(width, 24.0));
            let enabled = has_pinned || *choice != Mode::Difference;
            if radio_ui(ui, rect, *choice, mode == *choice, enabled) {
                chosen = Some(*choice);
            }
        }
    }
    chosen
}

fn radio_ui(ui: &Ui, rect: Rect, choice: Mode, selected: bool, enabled: bool) -> bool {
    let theme = Theme::of(ui);
    let palette = theme.palette;
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with(("heatmap mode", choice)), sense);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, selected, choice.name()));
    let painter = ui.painter();
    if selected {
        painter.rect_filled(rect, CornerRadius::same(4), palette.accent_soft);
    } else if enabled && response.hovered() {
        painter.rect_filled(rect, CornerRadius::same(4), palette.raised);
    }
    // Two columns leave just enough for "Occupancy".
    let (indent, gap) = if rect.width() > 120.0 { (12.0, 13.0) } else { (9.0, 9.0) };
    let dot = rect.left_center() + vec2(indent, 0.0);
    if selected {
        painter.circle_filled(dot, 5.0, palette.accent);
        painter.circle_filled(dot, 2.0, palette.on_accent);
    } else {
        painter.circle_stroke(dot, 4.5, Stroke::new(1.5, if enabled { palette.line_strong } else { palette.line }));
    }
    let ink = match (selected, enabled) {
        (true, _) => palette.text,
        (false, true) => palette.text2,
        (false, false) => palette.text3,
    };
    paint::text(painter, dot + vec2(gap, 0.0), Align2::LEFT_CENTER, choice.name(), theme::words(size::BODY), ink);
    if response.has_focus() {
        paint::icons::focus_ring(painter, theme, rect.shrink(3.0));
    }
    let response = if enabled { response } else { response.on_hover_text("Pin a configuration (P) to see the difference to it") };
    response.clicked()
}

/// The patterns and lines that every mode has.
fn swatches(painter: &Painter, flow: &mut Flow, look: &Look<'_>) {
    let theme = look.theme;
    let swatch = |row: Rect| paint::snap(painter, Rect::from_center_size(row.left_center() + vec2(8.0, 0.0), vec2(16.0, 12.0)));
    if let Some(row) = flow.row(ROW) {
        let rect = swatch(row);
        paint::impossible_cell(painter, theme, rect);
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme.palette.line_strong), StrokeKind::Inside);
        caption(painter, theme, row, "cannot launch");
    }
    if let Some(row) = flow.row(ROW) {
        let rect = swatch(row);
        let (left, right) = rect.split_left_right_at_fraction(0.5);
        painter.rect_filled(left, 0.0, theme.ramp(0.6));
        painter.rect_filled(right, 0.0, theme.ramp(0.4));
        painter.vline(rect.center().x, rect.y_range(), Stroke::new(1.5, color::ink(theme.ramp(0.5))));
        caption(painter, theme, row, "cliff: fewer blocks per SM");
    }
    if look.mode == Mode::Difference
        && let Some(row) = flow.row(ROW)
    {
        let rect = Rect::from_center_size(row.left_center() + vec2(8.0, 0.0), Vec2::splat(11.0));
        paint::dashed_rect(painter, rect, Stroke::new(2.0, theme.palette.text), 3.0, 3.0);
        caption(painter, theme, row, "the pinned configuration");
    }
}
