//! The three curves that profiler users know: occupancy over registers, block size and dynamic shared memory.
//!
//! Each is exact: one step per step of the hardware's allocation. A click or the arrow keys go there.
//! Beside the line of the chosen GPU stand those of the GPUs under Compare.

mod cache;
mod layout;
mod legend;
mod model;
mod paint;

use egui::{EventFilter, Key, Modifiers, Response, Role, Sense, Ui, WidgetInfo};

use super::heatmap::scale::value_text;
use super::heatmap::{OtherGpu, tip};
use crate::arch::Arch;
use crate::engine::Launch;
use crate::gui::theme::Theme;
use cache::Cached;
use layout::Layout;
use model::{Curve, Unit};
use paint::Ticks;

/// What the curves are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct CurvesInput<'a> {
    pub arch: &'a Arch,
    pub gpu_name: &'a str,
    /// Each has a line of its own.
    pub others: &'a [OtherGpu<'a>],
    pub launch: &'a Launch,
}

impl<'a> CurvesInput<'a> {
    /// The GPUs in the order of their lines.
    fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        std::iter::once(self.gpu_name).chain(self.others.iter().map(|other| other.name))
    }
}

/// What only this view knows.
#[derive(Debug, Default)]
pub struct CurvesState {
    unit: Unit,
    cache: Option<Cached>,
}

impl CurvesState {
    /// The same view, drawn elsewhere.
    pub const fn alike(&self) -> Self {
        Self { unit: self.unit, cache: None }
    }

    /// Shows resident warps, or percent.
    pub fn show_warps(&mut self, in_warps: bool) {
        self.unit = if in_warps { Unit::Warps } else { Unit::Percent };
    }
}

/// Draws the curves into what is left of `ui`, side by side. Returns the launch that a person went to.
pub fn curves_ui(ui: &mut Ui, state: &mut CurvesState, input: &CurvesInput<'_>) -> Option<Launch> {
    let (rect, _) = ui.allocate_exact_size(ui.available_size_before_wrap(), Sense::hover());
    let layout = Layout::new(rect, !input.others.is_empty());
    legend::unit_ui(ui, &layout, &mut state.unit);
    let unit = state.unit;
    let curves = Cached::refresh(&mut state.cache, input);
    if let Some(row) = layout.legend {
        legend::legend_ui(ui, row, input, curves, unit);
    }
    let mut gone_to = None;
    for (curve, place) in curves.iter().zip(layout.plots) {
        let variable = curve.coarse.variable;
        let shown = paint::plot(ui, place, curve, unit);
        paint::axes(ui.painter(), Theme::of(ui), place, curve, &Ticks::new(place, curve, unit));
        let hovered = shown.response.hover_pos().map(|at| curve.value_near(shown.transform.value_from_position(at).x));
        paint::over(ui.painter(), Theme::of(ui), curve, unit, &shown, hovered);
        if let Some(value) = hovered {
            tip::at_pointer(&shown.response, |ui| {
                tip::answer_tip(ui, input.arch, &variable.set(input.launch, value), None);
                if !input.others.is_empty() {
                    legend::values_ui(ui, input, curve, unit, value);
                }
            });
        }
        shown.response.widget_info(|| WidgetInfo {
            current_text_value: Some(value_in_words(curve, unit)),
            ..WidgetInfo::labeled(Role::Canvas, true, in_words(input, curve, unit))
        });
        let value = hovered.filter(|_| shown.response.clicked()).or_else(|| walked(ui, &shown.response, curve));
        gone_to = value.map(|value| variable.set(input.launch, value)).filter(|launch| launch != input.launch).or(gone_to);
    }
    gone_to
}

/// A plot as a screen reader says it.
fn in_words(input: &CurvesInput<'_>, curve: &Curve, unit: Unit) -> String {
    let gpus = crate::fmt::counted(curve.lines.len() as u64, "GPU");
    let answer = tip::answer_in_words(input.arch, input.launch);
    let others = input.others.iter().zip(&curve.lines[1..]).enumerate().map(|(index, (other, line))| {
        let covered = model::same_as(std::slice::from_ref(curve), index + 1, unit).and_then(|of| input.names().nth(of));
        let covered = covered.map(|of| format!(", same as {of}")).unwrap_or_default();
        format!("; {}: {}{covered}", other.name, line.in_words(line.present, Unit::Percent))
    });
    format!("Occupancy by {}, {gpus}. {}: {answer}{}", curve.coarse.caption(), input.gpu_name, others.collect::<String>())
}

/// Where the present launch is on the axis and what it has: what changes while the keys walk.
fn value_in_words(curve: &Curve, unit: Unit) -> String {
    let at = value_text(curve.coarse.variable, curve.present());
    let answer = curve.lines.first().map(|line| line.in_words(line.present, unit));
    format!("{at}: {}", answer.unwrap_or_default())
}

/// The value that the left and right keys go to while the curve has the focus.
fn walked(ui: &Ui, response: &Response, curve: &Curve) -> Option<u64> {
    if response.clicked() {
        response.request_focus();
    }
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        if pressed(Key::ArrowLeft) {
            curve.coarse.walk(-1, curve.coarse.last)
        } else if pressed(Key::ArrowRight) {
            curve.coarse.walk(1, curve.coarse.last)
        } else {
            None
        }
    })
}
