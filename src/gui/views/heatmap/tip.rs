//! The whole answer for one launch, small: in a tooltip, and in words for screen readers.

use egui::{Align, Label, Layout, Response, RichText, Sense, Tooltip, Ui, vec2};

use super::scale::value_text;
use crate::arch::Arch;
use crate::engine::sweep::Variable;
use crate::engine::{Launch, Occupancy, Resource, evaluate};
use crate::fmt::counted;
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size};

const WIDTH: f32 = 264.0;

/// A tooltip that follows the pointer without a delay: a chart is read by moving over it.
pub fn at_pointer(response: &Response, content: impl FnOnce(&mut Ui)) {
    Tooltip::for_widget(response).at_pointer().gap(14.0).width(WIDTH).show(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
        ui.spacing_mut().interact_size.y = 16.0;
        content(ui);
    });
}

/// The configuration, its occupancy, and every limit with the binding ones marked; or why it cannot launch.
pub fn answer_tip(ui: &mut Ui, arch: &Arch, launch: &Launch, difference: Option<&str>) {
    let palette = Theme::of(ui).palette;
    let occupancy = evaluate(arch, launch);
    let value = |variable: Variable| value_text(variable, variable.get(launch));
    let shape = format!("{} × {}", value(Variable::RegistersPerThread), value(Variable::ThreadsPerBlock));
    ui.label(RichText::new(shape).font(theme::mono_bold(size::BODY)).color(palette.text));
    ui.label(note(ui, format!("{} dynamic shared memory", value(Variable::DynamicSmem))));
    ui.add_space(4.0);
    if occupancy.can_launch() {
        answer(ui, &occupancy);
        if let Some(difference) = difference {
            ui.label(note(ui, difference.to_owned()));
        }
        ui.add_space(4.0);
        limits(ui, &occupancy);
    } else {
        ui.label(RichText::new("Cannot launch").font(theme::strong(size::TITLE)).color(palette.text));
        for refusal in &occupancy.refusals {
            ui.add(Label::new(note(ui, sentence(&refusal.to_string()))).wrap());
        }
        if let Some(difference) = difference {
            ui.label(note(ui, difference.to_owned()));
        }
    }
}

/// With a capital at its start.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Words in the secondary color.
pub fn note(ui: &Ui, text: String) -> RichText {
    RichText::new(text).font(theme::words(size::NOTE)).color(Theme::of(ui).palette.text2)
}

fn answer(ui: &mut Ui, occupancy: &Occupancy) {
    let palette = Theme::of(ui).palette;
    ui.horizontal(|ui| {
        ui.label(RichText::new(figure(occupancy)).font(theme::mono_bold(size::FIGURE)).color(palette.text));
        ui.label(note(ui, "theoretical occupancy".to_owned()));
    });
    ui.label(RichText::new(blocks_and_more(occupancy)).font(theme::medium(size::NOTE)).color(palette.text));
}

/// The theoretical occupancy, in percent or warps.
fn figure(occupancy: &Occupancy) -> String {
    crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm)
}

/// The blocks, and the occupancy in the other unit.
fn blocks_and_more(occupancy: &Occupancy) -> String {
    let otherwise = crate::fmt::occupancy_otherwise(occupancy.theoretical_percent(), occupancy.max_warps_per_sm);
    format!("{} per SM, {otherwise}", counted(occupancy.blocks_per_sm.into(), "block"))
}

fn limits(ui: &mut Ui, occupancy: &Occupancy) {
    let theme = Theme::of(ui);
    let known = Resource::ALL.into_iter().filter_map(|resource| Some((resource, occupancy.limits.get(resource).get()?)));
    for (resource, limit) in known {
        let binding = occupancy.limiters.contains(resource);
        let color = if binding { theme.palette.text } else { theme.palette.text2 };
        ui.horizontal(|ui| {
            let (chip, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
            paint::chip(ui.painter(), theme, chip, resource, binding);
            let font = if binding { theme::medium(size::NOTE) } else { theme::words(size::NOTE) };
            ui.label(RichText::new(resource.name()).font(font).color(color));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let font = if binding { theme::mono_bold(size::BODY) } else { theme::mono(size::BODY) };
                ui.label(RichText::new(limit.to_string()).font(font).color(color));
            });
        });
    }
    if occupancy.limiters.len() > 1 {
        ui.label(note(ui, "A tie: freeing only one gains nothing".to_owned()));
    }
}

/// The answer as a screen reader says it.
pub fn answer_in_words(arch: &Arch, launch: &Launch) -> String {
    let occupancy = evaluate(arch, launch);
    let values = [Variable::RegistersPerThread, Variable::ThreadsPerBlock, Variable::DynamicSmem];
    let values = values.map(|variable| value_text(variable, variable.get(launch)));
    let asked = format!("{}, {}, {} dynamic shared memory", values[0], values[1], values[2]);
    if !occupancy.can_launch() {
        let reasons: Vec<String> = occupancy.refusals.iter().map(ToString::to_string).collect();
        return format!("{asked}: cannot launch, {}", reasons.join(", "));
    }
    let limiters: Vec<String> = occupancy.limiters.iter().map(|resource| resource.name().to_lowercase()).collect();
    let answer = format!("{} theoretical occupancy, {}", figure(&occupancy), blocks_and_more(&occupancy));
    format!("{asked}: {answer}, limited by {}", limiters.join(" and "))
}
