//! The three curves that profiler users know: occupancy over registers, block size and dynamic shared memory.
//!
//! Each is exact: one step per step of the hardware's allocation. A click or the arrow keys go there.

mod layout;
mod model;
mod paint;

use egui::{EventFilter, Key, Modifiers, Response, Role, Sense, Ui, WidgetInfo};

use super::heatmap::tip;
use crate::arch::Arch;
use crate::engine::Launch;
use crate::gui::theme::{self, Theme, size};
use layout::Layout;
use model::Curve;
use paint::Ticks;

/// What the curves are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct CurvesInput<'a> {
    pub arch: &'a Arch,
    pub launch: &'a Launch,
}

/// Draws the curves into what is left of `ui`, side by side. Returns the launch that a person went to.
pub fn curves_ui(ui: &mut Ui, input: &CurvesInput<'_>) -> Option<Launch> {
    let (rect, _) = ui.allocate_exact_size(ui.available_size_before_wrap(), Sense::hover());
    let layout = Layout::new(rect);
    let palette = Theme::of(ui).palette;
    let font = theme::words(size::NOTE);
    ui.painter().text(layout.caption, egui::Align2::LEFT_CENTER, "theoretical occupancy, %", font, palette.text2);
    let mut gone_to = None;
    for (variable, place) in model::VARIABLES.into_iter().zip(layout.plots) {
        let curve = Curve::new(input.arch, input.launch, variable);
        let shown = paint::plot(ui, place, &curve);
        paint::axes(ui.painter(), Theme::of(ui), place, &curve, &Ticks::new(place, &curve));
        let hovered = shown.response.hover_pos().map(|at| curve.value_near(shown.transform.value_from_position(at).x));
        paint::over(ui.painter(), Theme::of(ui), &curve, &shown, hovered);
        if let Some(value) = hovered {
            tip::at_pointer(&shown.response, |ui| tip::answer_tip(ui, input.arch, &variable.set(input.launch, value), None));
        }
        shown.response.widget_info(|| {
            let answer = tip::answer_in_words(input.arch, input.launch);
            WidgetInfo::labeled(Role::Canvas, true, format!("Occupancy by {}. {answer}", curve.scale.caption()))
        });
        let value = hovered.filter(|_| shown.response.clicked()).or_else(|| walked(ui, &shown.response, &curve));
        gone_to = value.map(|value| variable.set(input.launch, value)).filter(|launch| launch != input.launch).or(gone_to);
    }
    gone_to
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
            curve.coarse.walk(-1)
        } else if pressed(Key::ArrowRight) {
            curve.coarse.walk(1)
        } else {
            None
        }
    })
}
