//! How a curve looks: egui_plot for grid and the chosen GPU's line, the ticks and marks of the heatmap around and over it.
#![allow(clippy::cast_precision_loss, reason = "values of an axis as places on it")]

use egui::{Align2, Color32, Painter, Pos2, Rangef, Rect, Sense, Shape, Stroke, Ui, UiBuilder, pos2};
use egui_plot::{GridMark, Line, Plot, PlotPoint, PlotPoints, PlotResponse};

use super::super::heatmap::axis::{self, Tick};
use super::super::heatmap::marks::present_ring;
use super::model::{Curve, Line as GpuLine, Unit};
use crate::engine::sweep::Variable;
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size, tokens};

/// Room over the highest value, as a share of it.
const HEADROOM: f64 = 0.05;
/// The strongest line is that of the chosen GPU.
const CHOSEN: f32 = 3.0;

/// How the line of one GPU is told apart: by pattern first, by tone too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    stroke: Stroke,
    /// Lengths of dashes and of the gaps after them; solid without any.
    dashes: &'static [f32],
    gaps: &'static [f32],
}

impl Look {
    /// The look of the line at `index`, 0 being the chosen GPU.
    pub fn of(theme: Theme, index: usize) -> Self {
        let palette = theme.palette;
        let (width, color, dashes, gaps): (_, _, &[f32], &[f32]) = match index {
            0 => (CHOSEN, theme.ramp(0.6), &[], &[]),
            1 => (1.5, palette.text, &[8.0], &[4.0]),
            2 => (1.75, palette.text2, &[2.0], &[3.0]),
            _ => (1.5, palette.text3, &[9.0, 2.0], &[3.0, 3.0]),
        };
        Self { stroke: Stroke::new(width, color), dashes, gaps }
    }

    pub fn paint(self, painter: &Painter, path: &[Pos2]) {
        if self.dashes.is_empty() {
            painter.line(path.to_vec(), self.stroke);
        } else {
            painter.extend(Shape::dashed_line_with_offset(path, self.stroke, self.dashes, self.gaps, 0.0));
        }
    }
}

/// Grid and the stepped line of the chosen GPU. Nothing of it pans or zooms; ticks and captions are drawn by [`axes`].
pub fn plot(ui: &mut Ui, place: Rect, curve: &Curve, unit: Unit) -> PlotResponse<()> {
    let theme = Theme::of(ui);
    let (last, top) = (curve.last(), curve.top(unit));
    let x_step = axis::x_step(&curve.coarse, place.width()).unwrap_or(last);
    let y_step = y_step(top, place.height());
    let look = Look::of(theme, 0);
    let mut child = ui.new_child(UiBuilder::new().id_salt(curve.coarse.caption()).max_rect(place));
    Plot::new(curve.coarse.caption())
        .width(place.width())
        .height(place.height())
        .min_size(egui::vec2(1.0, 1.0))
        .sense(Sense::click())
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        .show_axes(false)
        .grid_color(theme.palette.line)
        .grid_fade(0.0)
        .grid_spacing(Rangef::new(1.0, 2.0))
        .x_grid_spacer(move |_| marks(x_step, last))
        .y_grid_spacer(move |_| marks(y_step.into(), top.into()))
        .show(&mut child, |plot| {
            plot.set_plot_bounds_x(0.0..=last as f64);
            plot.set_plot_bounds_y(0.0..=height(top));
            for line in curve.lines.first().into_iter().flat_map(|line| runs(line, unit)) {
                let line = Line::new("", PlotPoints::from(line)).color(look.stroke.color).width(look.stroke.width);
                let line = line.fill(0.0).fill_alpha(0.14);
                plot.line(line.allow_band(false).allow_hover(false));
            }
        })
}

/// What the y axis spans when `top` is its highest value.
fn height(top: u32) -> f64 {
    f64::from(top) * (1.0 + HEADROOM)
}

/// The distance of round values along y: a quarter, a half or all of `top`.
fn y_step(top: u32, length: f32) -> u32 {
    (top * axis::percent_step(length) / 100).max(1)
}

/// A grid line at each multiple of `step`.
fn marks(step: u64, last: u64) -> Vec<GridMark> {
    let step = step.max(1);
    (0..=last / step).map(|index| GridMark { value: (index * step) as f64, step_size: step as f64 }).collect()
}

/// Ticks and what the x axis counts.
pub fn axes(painter: &Painter, theme: Theme, frame: Rect, curve: &Curve, ticks: &Ticks) {
    axis::paint_ticks(painter, theme, frame, &ticks.x, &ticks.y);
    let narrow = frame.width() < 160.0 && curve.coarse.variable == Variable::DynamicSmem;
    let short = format!("dynamic shared, {}", crate::fmt::size_unit());
    let words = if narrow { short.as_str() } else { curve.coarse.caption() };
    let at = pos2(frame.center().x, frame.bottom() + 28.0);
    paint::text(painter, at, Align2::CENTER_CENTER, words, theme::words(size::NOTE), theme.palette.text2);
}

/// The ticks of one plot.
#[derive(Clone, Debug)]
pub struct Ticks {
    x: Vec<Tick>,
    y: Vec<Tick>,
}

impl Ticks {
    pub fn new(place: Rect, curve: &Curve, unit: Unit) -> Self {
        let x = |value: u64| place.left() + place.width() * value as f32 / curve.last().max(1) as f32;
        #[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
        let y = |value: f64| place.bottom() - place.height() * (value / height(curve.top(unit))) as f32;
        let present = curve.lines.first().and_then(|line| Some(line.height(line.present?, unit)));
        Self {
            x: axis::x_ticks(&curve.coarse, [0, curve.last()], place.x_range(), x),
            y: match unit {
                Unit::Percent => axis::percent_ticks(present, place.height(), y),
                Unit::Warps => warps_ticks(present, curve.top(unit), place.height(), y),
            },
        }
    }
}

/// Ticks along a y axis of 0 to `top` warps: the present value, and the round ones that it leaves room for.
fn warps_ticks(present: Option<f64>, top: u32, length: f32, at: impl Fn(f64) -> f32) -> Vec<Tick> {
    let step = y_step(top, length);
    let tick = |value: f64, is_present| Tick { at: at(value), text: crate::fmt::percent_number(value), is_present };
    let present = present.map(|value| tick(value, true));
    let free = |tick: &Tick| present.as_ref().is_none_or(|present| (present.at - tick.at).abs() >= 16.0);
    let round = (0..=top / step).map(|index| tick(f64::from(index * step), false)).filter(free);
    round.chain(present.clone()).collect()
}

/// One path for each run of values that can launch: level over a step, upright between two.
fn runs(line: &GpuLine, unit: Unit) -> impl Iterator<Item = Vec<[f64; 2]>> {
    let runs = line.steps.split(|step| step.warps.is_none()).filter(|run| !run.is_empty());
    let height = move |warps: Option<u32>| line.height(warps.unwrap_or(0), unit);
    runs.map(move |run| run.iter().flat_map(|step| [step.from, step.to].map(|value| [value as f64, height(step.warps)])).collect())
}

/// The lattice where the chosen GPU launches nothing, the lines of the others, the present point with its crosshair, and
/// what the pointer is on.
pub fn over(painter: &Painter, theme: Theme, curve: &Curve, unit: Unit, shown: &PlotResponse<()>, hovered: Option<u64>) {
    let frame = *shown.transform.frame();
    let Some((chosen, others)) = curve.lines.split_first() else { return };
    let (ink, halo) = if theme.dark { (tokens::INK_LIGHT, tokens::INK_DARK) } else { (tokens::INK_DARK, tokens::INK_LIGHT) };
    let place = |[x, y]: [f64; 2]| shown.transform.position_from_point(&PlotPoint::new(x, y));
    let at = |line: &GpuLine, value: u64, warps: Option<u32>| place([value as f64, line.height(warps.unwrap_or(0), unit)]);
    for step in chosen.steps.iter().filter(|step| step.warps.is_none()) {
        let x = at(chosen, step.from, None).x + 1.0..=at(chosen, step.to, None).x - 1.0;
        paint::impossible_cell(painter, theme, paint::snap(painter, Rect::from_x_y_ranges(x, frame.top() + 1.0..=frame.bottom() - 1.0)));
    }
    for (index, line) in others.iter().enumerate() {
        for run in runs(line, unit) {
            let path: Vec<Pos2> = run.into_iter().map(place).collect();
            Look::of(theme, index + 1).paint(painter, &path);
        }
    }
    if let Some(value) = hovered {
        let point = at(chosen, value, chosen.warps_at(value));
        paint::hairline(painter, pos2(point.x, frame.top()), pos2(point.x, frame.bottom()), theme.palette.line_strong);
        for line in others {
            if let Some(warps) = line.warps_at(value) {
                painter.circle(at(line, value, Some(warps)), 3.0, halo, Stroke::new(1.5, ink));
            }
        }
        painter.circle(point, 4.0, ink, Stroke::new(1.5, halo));
    }
    if curve.present() <= curve.last() {
        let point = at(chosen, curve.present(), chosen.present);
        dotted(painter, [pos2(point.x, point.y + 9.0), pos2(point.x, frame.bottom())], ink);
        dotted(painter, [pos2(frame.left(), point.y), pos2(point.x - 9.0, point.y)], ink);
        present_ring(painter, point, ink, halo);
    }
    if shown.response.has_focus() {
        paint::icons::focus_ring(painter, theme, frame);
    }
}

fn dotted(painter: &Painter, line: [Pos2; 2], ink: Color32) {
    if line[0].x <= line[1].x && line[0].y <= line[1].y {
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, ink), 2.0, 3.0));
    }
}
