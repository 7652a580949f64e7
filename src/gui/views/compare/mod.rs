//! The same launch on several GPUs, side by side, and where else it fits.
//!
//! The chosen GPU comes first; up to three more stand beside it. Below, one cell for each compute capability that is known.

pub mod model;
mod paint;

use egui::{RichText, ScrollArea, Ui, vec2};

use super::heatmap::tip;
use super::inputs::gpu_picker;
use crate::gui::paint::{Icon, icon_button};
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::{caption, heading, note, quiet, rule};
use crate::session::{Action, Document, Session};
use model::{Cached, Column, Comparison, Fit};

/// A column is at least so wide; more of them than fit scroll sideways.
const COLUMN: f32 = 148.0;
const WIDEST: f32 = 240.0;
const GAP: f32 = 8.0;

/// What only this view knows: the comparison, worked out once per change.
#[derive(Debug, Default)]
pub struct CompareState {
    cache: Option<Cached>,
}

/// Draws the columns and the strip, and collects what was chosen.
pub fn compare_ui(ui: &mut Ui, state: &mut CompareState, session: &Session, actions: &mut Vec<Action>) {
    let comparison = Cached::refresh(&mut state.cache, session);
    ScrollArea::vertical().id_salt("compare").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(GAP, 4.0);
        add_ui(ui, session, actions);
        ScrollArea::horizontal().id_salt("compared").auto_shrink([false, true]).show(ui, |ui| {
            columns_ui(ui, comparison, actions);
        });
        rule(ui, 0.0);
        fits_ui(ui, comparison, session, actions);
    });
}

/// The same without anything to choose, for pictures and slides: as many columns in a row as fit, and the strip below.
pub fn bare_compare_ui(ui: &mut Ui, comparison: &Comparison) {
    ui.spacing_mut().item_spacing = vec2(GAP, 6.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few columns")]
    let fitting = (((ui.available_width() + GAP) / (COLUMN + GAP)) as usize).max(1);
    for row in comparison.columns.chunks(fitting) {
        #[expect(clippy::cast_precision_loss, reason = "four at most")]
        let count = row.len() as f32;
        let width = ((ui.available_width() - GAP * (count - 1.0)) / count).clamp(COLUMN, WIDEST).floor();
        ui.horizontal_top(|ui| {
            for column in row {
                frame_ui(ui, column, width, |_| {});
            }
        });
    }
    ui.add_space(8.0);
    heading(ui, "Where does it fit?", "theoretical occupancy in %, and what limits it");
    strips_ui(ui, comparison, |ui, fit| {
        paint::fit_cell_ui(ui, fit);
    });
}

fn add_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let document = session.document();
    let is_full = document.compared.len() >= Document::MAX_COMPARED;
    ui.horizontal(|ui| {
        let button = ui.add_enabled(!is_full, egui::Button::new("Add GPU…"));
        let button = button.on_disabled_hover_text(format!("{} GPUs are shown, no more fit; remove one first", Document::MAX_COMPARED + 1));
        let added = gpu_picker::popup_ui(&button, 300.0, &session.catalog, &document.configuration.gpu);
        actions.extend(added.map(Action::CompareWith));
        let words = if document.compared.is_empty() { "the same launch on up to three more GPUs" } else { "" };
        ui.add(egui::Label::new(quiet(ui, words)).truncate());
    });
}

fn columns_ui(ui: &mut Ui, comparison: &Comparison, actions: &mut Vec<Action>) {
    #[expect(clippy::cast_precision_loss, reason = "four at most")]
    let count = comparison.columns.len() as f32;
    let width = ((ui.available_width() - GAP * (count - 1.0) - 2.0) / count).clamp(COLUMN, WIDEST).floor();
    ui.horizontal_top(|ui| {
        for column in &comparison.columns {
            ui.push_id(&column.name, |ui| column_ui(ui, column, width, actions));
        }
    });
}

fn column_ui(ui: &mut Ui, column: &Column, width: f32, actions: &mut Vec<Action>) {
    frame_ui(ui, column, width, |ui| {
        ui.add_space(4.0);
        buttons_ui(ui, column, actions);
    });
}

/// One GPU's answer, and below it what can be done with it.
fn frame_ui(ui: &mut Ui, column: &Column, width: f32, below: impl FnOnce(&mut Ui)) {
    let theme = Theme::of(ui);
    let frame = egui::Frame::new()
        .fill(theme.palette.panel)
        .stroke(egui::Stroke::new(1.0, if column.is_current { theme.palette.line_strong } else { theme.palette.line }))
        .corner_radius(theme::RADIUS_CONTROL)
        .inner_margin(egui::Margin::symmetric(10, 8));
    frame.show(ui, |ui| {
        ui.vertical(|ui| {
            ui.set_width(width - 22.0);
            ui.add(egui::Label::new(RichText::new(&column.name).font(theme::medium(size::BODY))).truncate()).on_hover_text(&column.name);
            ui.add(egui::Label::new(small(ui, &column.kind)).truncate()).on_hover_text(&column.kind);
            answer_ui(ui, column);
            paint::limits_ui(ui, &column.occupancy);
            for line in &column.whole_gpu {
                note(ui, line);
            }
            below(ui);
        });
    });
}

fn small(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).font(theme::words(size::NOTE)).color(Theme::of(ui).palette.text2)
}

fn answer_ui(ui: &mut Ui, column: &Column) {
    if !column.occupancy.can_launch() {
        ui.label(RichText::new("Cannot launch").font(theme::strong(size::FIGURE)));
        for refusal in &column.occupancy.refusals {
            note(ui, &crate::fmt::capitalized(&refusal.to_string()));
        }
        return;
    }
    let (percent, most) = (column.occupancy.theoretical_percent(), column.occupancy.max_warps_per_sm);
    let said = crate::fmt::occupancy(percent, most);
    let figure = ui
        .horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let number = RichText::new(crate::fmt::occupancy_number(percent, most)).font(theme::mono_bold(size::OCCUPANCY));
            let number = ui.label(number);
            let unit = crate::fmt::occupancy_unit(most);
            let font = if crate::fmt::in_warps() { theme::words(size::NOTE) } else { theme::mono_bold(size::OCCUPANCY) };
            ui.label(RichText::new(unit).font(font));
            number
        })
        .inner;
    figure.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{}: theoretical occupancy {said}", column.name)));
    ui.label(small(ui, "theoretical occupancy"));
    ui.label(RichText::new(column.blocks_in_words()).font(theme::medium(size::NOTE)));
    ui.label(small(ui, &column.otherwise()));
}

fn buttons_ui(ui: &mut Ui, column: &Column, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        if column.is_current {
            ui.add(egui::Label::new(quiet(ui, "the chosen GPU")).truncate());
            // As high as the buttons of the others.
            ui.allocate_exact_size(vec2(0.0, theme::CONTROL_HEIGHT), egui::Sense::hover());
            return;
        }
        let take = ui.button("Use it");
        take.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Use {}", column.name)));
        if take.on_hover_text("Makes it the chosen GPU").clicked() {
            actions.push(Action::SelectGpu(column.choice.clone()));
        }
        if icon_button(ui, Icon::Close, &format!("Remove {}", column.name), true).clicked() {
            actions.push(Action::StopComparing(column.choice.clone()));
        }
    });
}

fn fits_ui(ui: &mut Ui, comparison: &Comparison, session: &Session, actions: &mut Vec<Action>) {
    heading(ui, "Where does it fit?", "theoretical occupancy in %, and what limits it; a click compares");
    strips_ui(ui, comparison, |ui, fit| fit_ui(ui, fit, session, actions));
}

/// A cell for each compute capability, those of invented GPUs apart.
fn strips_ui(ui: &mut Ui, comparison: &Comparison, mut cell: impl FnMut(&mut Ui, &Fit)) {
    for (is_invented, title) in [(false, "By compute capability"), (true, "Invented, for exercises")] {
        let fits: Vec<&Fit> = comparison.fits.iter().filter(|fit| fit.is_invented == is_invented).collect();
        if fits.is_empty() {
            continue;
        }
        caption(ui, title);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            for fit in fits {
                cell(ui, fit);
            }
        });
    }
}

fn fit_ui(ui: &mut Ui, fit: &Fit, session: &Session, actions: &mut Vec<Action>) {
    let response = paint::fit_cell_ui(ui, fit);
    if response.clicked() {
        actions.push(Action::CompareWith(fit.choice.clone()));
    }
    if response.hovered() || response.has_focus() {
        let launch = &session.document().configuration.launch;
        let arch = session.arch_of(&fit.choice);
        egui::Tooltip::for_widget(&response).gap(6.0).width(264.0).show(|ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
            ui.spacing_mut().interact_size.y = 16.0;
            ui.add(egui::Label::new(RichText::new(&fit.title).font(theme::medium(size::BODY))).wrap());
            if !fit.products.is_empty() {
                note(ui, &fit.products);
            }
            tip::answer_tip(ui, arch, launch, None);
        });
    }
}
