//! What the report measured besides occupancy, in one line, and whether more warps are likely to help.

use egui::{Label, RichText, Ui};

use crate::explain::matters;
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::note;
use crate::import::Kernel;

pub fn matters_ui(ui: &mut Ui, kernel: &Kernel) {
    let palette = Theme::of(ui).palette;
    ui.label(RichText::new("What matters").font(theme::strong(size::BODY)));
    let figures = matters::figures(kernel);
    let Some(verdict) = matters::verdict(kernel) else {
        if !figures.is_empty() {
            ui.label(RichText::new(figures).font(theme::mono(size::NOTE)).color(palette.text2));
        }
        note(ui, "The report has no throughput and no stalls. Profile with --section SpeedOfLight --section WarpStateStats.");
        return;
    };
    if !verdict.strong.is_empty() {
        ui.add(Label::new(RichText::new(&verdict.strong).font(theme::medium(size::BODY)).color(palette.text)).wrap());
    }
    ui.add(Label::new(RichText::new(figures).font(theme::mono(size::NOTE)).color(palette.text2)).wrap());
    if !verdict.rest.is_empty() {
        note(ui, &verdict.rest);
    }
}
