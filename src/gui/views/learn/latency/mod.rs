//! Warps that take turns: each computes, then waits; below them the scheduler with its lost cycles, and how busy it is against
//! the number of warps.

mod model;
mod paint;

use egui::{Grid, Rect, RichText, Role, Sense, Slider, Ui, WidgetInfo, pos2, vec2};

use crate::fmt::percent;
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::{is_bare, quiet};
use crate::learn::Latency;
use model::Picture;

/// Sliders, picture and curve; changes `latency`.
pub fn latency_ui(ui: &mut Ui, latency: &mut Latency) {
    if !is_bare(ui) {
        sliders_ui(ui, latency);
        ui.add_space(8.0);
    }
    figures_ui(ui, *latency);
    ui.add_space(4.0);
    let picture = Picture::new(*latency);
    let height = (ui.available_height() - 190.0).clamp(140.0, 26.0 * picture.rows() + 40.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, model::in_words(*latency)));
    paint::turns(ui.painter(), Theme::of(ui), rect, &picture);
    legend_ui(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 120.0), Sense::hover());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Image, true, format!("Busy against warps; all the time from {} warps on", latency.needed_warps()))
    });
    paint::curve(
        ui.painter(),
        Theme::of(ui),
        Rect::from_min_max(rect.min + vec2(40.0, 8.0), pos2(rect.right() - 12.0, rect.bottom() - 30.0)),
        *latency,
    );
}

fn sliders_ui(ui: &mut Ui, latency: &mut Latency) {
    let width = (ui.available_width() - 260.0).clamp(120.0, 420.0);
    Grid::new("latency-sliders").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
        let mut row = |name: &str, value: &mut u32, range: std::ops::RangeInclusive<u32>, unit: &str| {
            let label = ui.label(name);
            ui.scope(|ui| {
                let palette = Theme::of(ui).palette;
                ui.visuals_mut().selection.bg_fill = palette.accent;
                ui.spacing_mut().slider_width = width;
                ui.add(Slider::new(value, range).suffix(unit).handle_shape(egui::style::HandleShape::Circle)).labelled_by(label.id);
            });
            ui.end_row();
        };
        row("Warps", &mut latency.num_warps, 1..=32, "");
        row("Each computes", &mut latency.compute_cycles, 1..=100, " cycles");
        row("Then waits", &mut latency.wait_cycles, 0..=800, " cycles");
    });
}

fn figures_ui(ui: &mut Ui, latency: Latency) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(percent(latency.utilization_percent())).font(theme::mono_bold(size::OCCUPANCY)));
        ui.label(RichText::new("of the time the scheduler issues").font(theme::words(size::BODY)).color(theme.palette.text2));
        ui.add_space(12.0);
        ui.label(RichText::new(crate::fmt::grouped(latency.needed_warps().into())).font(theme::mono_bold(size::OCCUPANCY)));
        ui.label(RichText::new("warps keep it always busy").font(theme::words(size::BODY)).color(theme.palette.text2));
    });
}

fn legend_ui(ui: &mut Ui) {
    ui.label(quiet(ui, "Solid: a warp issues. Line: it waits. Hatched: a cycle in which no warp is ready. A model, see the last step."));
}
