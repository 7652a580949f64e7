//! How a curve looks: egui_plot for grid and line, the ticks and marks of the heatmap around and over it.
#![allow(clippy::cast_precision_loss, reason = "values of an axis as places on it")]

use egui::{Align2, Color32, Painter, Rangef, Rect, Sense, Shape, Stroke, Ui, UiBuilder, pos2};
use egui_plot::{GridMark, Line, Plot, PlotPoint, PlotPoints, PlotResponse};

use super::super::heatmap::axis::{self, Tick};
use super::super::heatmap::marks::present_ring;
use super::model::Curve;
use crate::engine::sweep::Variable;
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size, tokens};

/// Room over the 100 % line, in points of occupancy.
const HEADROOM: f64 = 5.0;

/// Grid and the stepped line. Nothing of it pans or zooms; ticks and captions are drawn by [`axes`].
pub fn plot(ui: &mut Ui, place: Rect, curve: &Curve) -> PlotResponse<()> {
    let theme = Theme::of(ui);
    let last = curve.scale.last;
    let x_step = axis::x_step(&curve.scale, place.width()).unwrap_or(last);
    let y_step = axis::percent_step(place.height());
    let mut child = ui.new_child(UiBuilder::new().id_salt(curve.scale.caption()).max_rect(place));
    Plot::new(curve.scale.caption())
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
        .y_grid_spacer(move |_| marks(y_step.into(), 100))
        .show(&mut child, |plot| {
            plot.set_plot_bounds_x(0.0..=last as f64);
            plot.set_plot_bounds_y(0.0..=100.0 + HEADROOM);
            for line in lines(curve) {
                let line = Line::new("", PlotPoints::from(line)).color(theme.ramp(0.6)).width(2.0).fill(0.0).fill_alpha(0.14);
                plot.line(line.allow_band(false).allow_hover(false));
            }
        })
}

/// A grid line at each multiple of `step`.
fn marks(step: u64, last: u64) -> Vec<GridMark> {
    let step = step.max(1);
    (0..=last / step).map(|index| GridMark { value: (index * step) as f64, step_size: step as f64 }).collect()
}

/// Ticks and what the x axis counts.
pub fn axes(painter: &Painter, theme: Theme, frame: Rect, curve: &Curve, ticks: &Ticks) {
    axis::paint_ticks(painter, theme, frame, &ticks.x, &ticks.y);
    let narrow = frame.width() < 160.0 && curve.scale.variable == Variable::DynamicSmem;
    let words = if narrow { "dynamic shared, KiB" } else { curve.scale.caption() };
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
    pub fn new(place: Rect, curve: &Curve) -> Self {
        let x = |value: u64| place.left() + place.width() * value as f32 / curve.scale.last.max(1) as f32;
        #[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
        let y = |percent: f64| place.bottom() - place.height() * (percent / (100.0 + HEADROOM)) as f32;
        Self {
            x: axis::x_ticks(&curve.coarse, [0, curve.scale.last], place.width(), x),
            y: axis::percent_ticks(curve.present_percent, place.height(), y),
        }
    }
}

/// One line for each run of values that can launch: level over a step, upright between two.
fn lines(curve: &Curve) -> Vec<Vec<[f64; 2]>> {
    let runs = curve.steps.split(|step| step.percent.is_none()).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().flat_map(|step| [step.from, step.to].map(|value| [value as f64, step.percent.unwrap_or(0.0)])).collect())
        .collect()
}

/// The lattice where nothing launches, the present point with its crosshair, and what the pointer is on.
pub fn over(painter: &Painter, theme: Theme, curve: &Curve, shown: &PlotResponse<()>, hovered: Option<u64>) {
    let frame = *shown.transform.frame();
    let (ink, halo) = if theme.dark { (tokens::INK_LIGHT, tokens::INK_DARK) } else { (tokens::INK_DARK, tokens::INK_LIGHT) };
    let at = |value: u64, percent: Option<f64>| shown.transform.position_from_point(&PlotPoint::new(value as f64, percent.unwrap_or(0.0)));
    for step in curve.steps.iter().filter(|step| step.percent.is_none()) {
        let x = at(step.from, None).x + 1.0..=at(step.to, None).x - 1.0;
        paint::impossible_cell(painter, theme, paint::snap(painter, Rect::from_x_y_ranges(x, frame.top() + 1.0..=frame.bottom() - 1.0)));
    }
    if let Some(value) = hovered {
        let point = at(value, curve.percent_at(value));
        paint::hairline(painter, pos2(point.x, frame.top()), pos2(point.x, frame.bottom()), theme.palette.line_strong);
        painter.circle(point, 4.0, ink, Stroke::new(1.5, halo));
    }
    if curve.present() <= curve.scale.last {
        let point = at(curve.present(), curve.present_percent);
        dotted(painter, [pos2(point.x, point.y + 9.0), pos2(point.x, frame.bottom())], ink);
        dotted(painter, [pos2(frame.left(), point.y), pos2(point.x - 9.0, point.y)], ink);
        present_ring(painter, point, ink, halo);
    }
    if shown.response.has_focus() {
        paint::icons::focus_ring(painter, theme, frame);
    }
}

fn dotted(painter: &Painter, line: [egui::Pos2; 2], ink: Color32) {
    if line[0].x <= line[1].x && line[0].y <= line[1].y {
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, ink), 2.0, 3.0));
    }
}
