//! Above the plots: what their y axes count, the choice of it, and which line is whose.
#![allow(clippy::cast_precision_loss, reason = "columns")]

use egui::{Align2, Button, Label, Rect, RichText, Sense, Ui, pos2, vec2};

use super::layout::Layout;
use super::model::{Curve, Unit, same_as};
use super::paint::Look;
use super::{CurvesInput, tip};
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::is_bare;

/// The length of a line beside its name.
const SAMPLE: f32 = 26.0;
/// The widest column of the legend.
const COLUMN: f32 = 200.0;

/// The caption, and the choice of the unit at the right.
pub fn unit_ui(ui: &mut Ui, layout: &Layout, unit: &mut Unit) {
    let words = match unit {
        Unit::Percent => "theoretical occupancy, %",
        Unit::Warps => "resident warps per SM",
    };
    let (font, ink) = (theme::words(size::NOTE), Theme::of(ui).palette.text2);
    paint::text(ui.painter(), layout.caption.left_center(), Align2::LEFT_CENTER, words, font, ink);
    if is_bare(ui) {
        return;
    }
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(layout.caption));
    child.spacing_mut().button_padding = vec2(4.0, 1.0);
    child.spacing_mut().interact_size.y = layout.caption.height();
    for (rect, choice, name) in [(layout.units[0], Unit::Percent, "Percent"), (layout.units[1], Unit::Warps, "Warps")] {
        let text = RichText::new(name).font(theme::words(size::NOTE));
        if child.put(rect, Button::new(text).selected(*unit == choice)).clicked() {
            *unit = choice;
        }
    }
}

/// The name of every GPU beside a piece of its line, and whose line hides it.
pub fn legend_ui(ui: &mut Ui, row: Rect, input: &CurvesInput<'_>, curves: &[Curve], unit: Unit) {
    let theme = Theme::of(ui);
    let width = (row.width() / (1 + input.others.len()) as f32).min(COLUMN);
    for (index, name) in input.names().enumerate() {
        let covered = same_as(curves, index, unit).and_then(|other| input.names().nth(other));
        let name = covered.map_or_else(|| name.to_owned(), |other| format!("{name}, same as {other}"));
        let rect = Rect::from_min_size(row.min + vec2(width * index as f32, 0.0), vec2(width, row.height()));
        let start = rect.left_center();
        Look::of(theme, index).paint(ui.painter(), &[start, start + vec2(SAMPLE, 0.0)]);
        let words = Rect::from_min_max(pos2(rect.left() + SAMPLE + 8.0, rect.top()), pos2(rect.right() - 12.0, rect.bottom()));
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(words).layout(egui::Layout::left_to_right(egui::Align::Center)));
        let ink = if index == 0 { theme.palette.text } else { theme.palette.text2 };
        child.add(Label::new(RichText::new(&name).font(theme::words(size::NOTE)).color(ink)).truncate()).on_hover_text(&name);
    }
}

/// In the tooltip: every GPU's answer at `value`.
pub fn values_ui(ui: &mut Ui, input: &CurvesInput<'_>, curve: &Curve, unit: Unit, value: u64) {
    let theme = Theme::of(ui);
    ui.add_space(6.0);
    for (index, (name, line)) in input.names().zip(&curve.lines).enumerate() {
        ui.horizontal(|ui| {
            let (sample, _) = ui.allocate_exact_size(vec2(SAMPLE, 16.0), Sense::hover());
            Look::of(theme, index).paint(ui.painter(), &[sample.left_center(), sample.right_center()]);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let answer = line.in_words(line.warps_at(value), unit);
                ui.label(RichText::new(answer).font(theme::medium(size::NOTE)).color(theme.palette.text));
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.add(Label::new(tip::note(ui, name.to_owned())).truncate());
                });
            });
        });
    }
}
