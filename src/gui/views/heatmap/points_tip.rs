//! What the kernels under the pointer are.

use egui::{Align, Layout, RichText, Ui};

use super::{HeatmapInput, KernelPoint, tip};
use crate::fmt::percent;
use crate::gui::theme::{self, Theme, size};

/// So many kernels are listed; more are counted.
const SHOWN: usize = 8;

/// The kernels under the pointer: one with its occupancies, several as a list.
pub fn points_tip(ui: &mut Ui, input: &HeatmapInput<'_>, under: &[usize]) {
    let points = || under.iter().map(|index| input.points.point(*index));
    let slice = input.launch.requested_smem_bytes();
    let palette = Theme::of(ui).palette;
    if under.len() > 1 {
        ui.label(
            RichText::new(format!("{} kernels here", crate::fmt::grouped(under.len() as u64)))
                .font(theme::strong(size::BODY))
                .color(palette.text),
        );
        ui.add_space(2.0);
        for point in points().take(SHOWN) {
            let achieved = point.achieved_percent.map(|value| format!(", {} achieved", figure(input, value))).unwrap_or_default();
            let other = if point.smem_bytes == slice { "" } else { ", other shared memory" };
            ui.label(RichText::new(&point.name).font(theme::medium(size::NOTE)).color(palette.text));
            ui.label(tip::note(ui, format!("{}{achieved}{other}{}", shape(point), time(input, point))));
        }
        if under.len() > SHOWN {
            ui.label(tip::note(ui, format!("and {} more", crate::fmt::grouped((under.len() - SHOWN) as u64))));
        }
        ui.label(tip::note(ui, "A click selects the first, the next click the next".to_owned()));
        return;
    }
    for point in points() {
        ui.label(RichText::new(&point.name).font(theme::strong(size::BODY)).color(palette.text));
        ui.label(tip::note(ui, format!("{}{}", shape(point), time(input, point))));
        ui.add_space(4.0);
        occupancies(ui, input, point);
        if point.smem_bytes != slice {
            ui.label(tip::note(ui, "Uses other shared memory than these cells, so their colors are not its own".to_owned()));
        }
    }
}

fn shape(point: &KernelPoint) -> String {
    format!("{} registers × {} threads", point.registers, point.threads)
}

/// ", 12.5 % of the time"; nothing where the report tells no times.
fn time(input: &HeatmapInput<'_>, point: &KernelPoint) -> String {
    let share = point.duration_ns.and_then(|ns| input.points.share_of_time(ns));
    share.map(|share| format!(", {} of the time", percent(share * 100.0))).unwrap_or_default()
}

/// An occupancy of a kernel: all that are drawn ran on this GPU's compute capability.
fn figure(input: &HeatmapInput<'_>, percent: f64) -> String {
    crate::fmt::occupancy(percent, input.arch.max_warps_per_sm())
}

fn occupancies(ui: &mut Ui, input: &HeatmapInput<'_>, point: &KernelPoint) {
    let palette = Theme::of(ui).palette;
    let rows =
        [("Theoretical", point.theoretical_percent), ("Grid-limited", point.grid_limited_percent), ("Achieved", point.achieved_percent)];
    for (name, value) in rows {
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).font(theme::words(size::NOTE)).color(palette.text2));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let text = value.map_or_else(|| "not known".to_owned(), |value| figure(input, value));
                ui.label(RichText::new(text).font(theme::mono(size::BODY)).color(palette.text));
            });
        });
    }
    if point.unfilled_points > 0.05 {
        ui.label(tip::note(
            ui,
            format!("{} points unfilled, for certain: the grid is below one wave", crate::fmt::one_decimal(point.unfilled_points)),
        ));
    }
    if point.tail_points > 0.05 {
        ui.label(tip::note(ui, format!("up to {} points in the tail", crate::fmt::one_decimal(point.tail_points))));
    }
}
