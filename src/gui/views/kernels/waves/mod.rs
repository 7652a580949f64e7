//! The waves of the selected kernel: what was measured, the model as a strip, the same grid with blocks of unequal length,
//! both figures of the tail by name, and what the profiler says of it.
//!
//! `simulator` has the controls and what they lead to, `schedule` says where the blocks are drawn, `paint` how.

mod paint;
mod schedule;
mod simulator;

use egui::{Align, Layout, RichText, Sense, Ui, vec2};

use super::paint as strips;
use crate::engine::Waves;
use crate::explain::waves as words;
use crate::fmt::grouped;
use crate::gui::paint::text_width;
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::{note, remark};
use crate::import::Kernel;
use crate::import::account::Account;
use crate::import::account::said::{Said, said};
use crate::session::{Action, Session};

pub use simulator::Simulator;

/// Waves of the selected kernel; nothing where the report does not give them.
pub fn waves_ui(ui: &mut Ui, simulator: &mut Simulator, session: &Session, actions: &mut Vec<Action>) {
    let Some((kernel, account)) = session.selected() else { return };
    let Some(waves) = &account.waves else { return };
    ui.spacing_mut().item_spacing.y = 4.0;
    // As high as the heading of the picture beside it.
    ui.horizontal(|ui| ui.label(RichText::new("Waves").font(theme::strong(size::TITLE))).on_hover_text(&kernel.name));
    if let Some(activity) = &account.activity {
        note(ui, &unbroken(&words::measured(activity)));
    }
    model_ui(ui, waves);
    let height = (ui.available_height() - 240.0).clamp(72.0, 170.0);
    simulator.follow(session.view().block_times);
    simulator.update(waves);
    // One child whatever is in it, so that the controls below keep their identity and the keyboard.
    ui.vertical(|ui| {
        if simulator.shows_schedule() {
            simulator::schedule_ui(ui, simulator, height);
        } else {
            strip_ui(ui, waves, height);
        }
    });
    simulator::controls_ui(ui, simulator, waves);
    actions.extend(simulator.news());
    ui.add_space(4.0);
    figures_ui(ui, waves);
    grids_ui(ui, waves);
    profiler_ui(ui, kernel, account);
}

/// The model alone, of a grid that no report needs to know: the sentence, the strip as high as `height`, and the figures.
pub fn model_of_grid_ui(ui: &mut Ui, waves: &Waves, height: f32) {
    ui.spacing_mut().item_spacing.y = 6.0;
    model_ui(ui, waves);
    strip_ui(ui, waves, height);
    ui.add_space(6.0);
    figures_ui(ui, waves);
    grids_ui(ui, waves);
}

fn model_ui(ui: &mut Ui, waves: &Waves) {
    let palette = Theme::of(ui).palette;
    let said = words::waves(waves);
    let mut job = egui::text::LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    for (text, font, ink) in
        [(said.strong, theme::medium(size::BODY), palette.text), (unbroken(&said.rest), theme::words(size::BODY), palette.text2)]
    {
        let gap = if job.text.is_empty() { 0.0 } else { 4.0 };
        job.append(&text, gap, egui::TextFormat { font_id: font, color: ink, ..Default::default() });
    }
    ui.label(job);
}

/// Text in which a number and its percent sign stay in one line.
pub(super) fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// Full waves as columns of equal time, idle slots of the last one hatched.
fn strip_ui(ui: &mut Ui, waves: &Waves, height: f32) {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, words::waves(waves).strong));
    strips::wave_strip(ui.painter(), theme, rect, waves);
    ui.label(RichText::new("time, when all blocks take equally long →").font(theme::words(size::CAPTION)).color(theme.palette.text3));
}

fn figures_ui(ui: &mut Ui, waves: &Waves) {
    const GAP: f32 = 24.0;
    let figures = figures(waves);
    let widths: Vec<f32> = figures.iter().map(|figure| figure.width(ui)).collect();
    let mut start = 0;
    // Those that do not fit beside each other go below.
    while start < figures.len() {
        let mut left = ui.available_width() - widths[start];
        let more = widths[start + 1..].iter().take_while(|width| {
            left -= GAP + **width;
            left >= 0.0
        });
        let end = start + 1 + more.count();
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            for (figure, width) in figures[start..end].iter().zip(&widths[start..end]) {
                figure.ui(ui, *width);
            }
        });
        start = end;
    }
}

fn figures(waves: &Waves) -> Vec<Figure> {
    let formula = format!("{} / ({} × {})", grouped(waves.grid_blocks), waves.num_sms, waves.blocks_per_sm());
    let mut figures = vec![Figure { name: "Waves", value: format!("{:.2}", waves.waves()), formula }];
    if waves.has_tail() {
        let value = format!("≤ {}", crate::fmt::percent(waves.partial_wave_max_time_percent()));
        figures.push(Figure { name: "Share of time in the tail", value, formula: format!("1 / ({} + 1)", waves.full_waves) });
    }
    let formula = format!("{} / ({} × {})", grouped(waves.grid_blocks), waves.total_waves(), grouped(waves.blocks_per_wave));
    figures.push(Figure { name: "Slot efficiency", value: crate::fmt::percent(waves.slot_efficiency_percent()), formula });
    figures
}

fn grids_ui(ui: &mut Ui, waves: &Waves) {
    let (below, above) = waves.full_wave_grids();
    let grids: Vec<String> = below.filter(|below| *below != above).into_iter().chain(Some(above)).map(grouped).collect();
    let whole_time = crate::fmt::percent(waves.grid_limited_per_elapsed_percent());
    note(ui, &format!("Grid-limited over the whole time, idle SMs counted: {whole_time}"));
    note(ui, &format!("Grids nearby that fill their waves: {} blocks", grids.join(" or ")));
}

/// What the profiler's own rules say of the grid, in its words.
fn profiler_ui(ui: &mut Ui, kernel: &Kernel, account: &Account) {
    for Said { sentence, agrees, .. } in said(kernel, account).into_iter().filter(|said| said.statement.is_about_waves()) {
        let verdict = match agrees {
            Some(true) => " Occuscope has the same numbers.",
            Some(false) => " Occuscope has other numbers.",
            None => "",
        };
        remark(ui, &format!("The profiler says: “{sentence}”{verdict}"));
    }
}

/// A number with its name above and how it comes about below.
struct Figure {
    name: &'static str,
    value: String,
    formula: String,
}

impl Figure {
    /// That of its widest line.
    fn width(&self, ui: &Ui) -> f32 {
        let lines = [
            (self.name, theme::words(size::NOTE)),
            (&self.value, theme::mono_bold(size::FIGURE)),
            (&self.formula, theme::mono(size::CAPTION)),
        ];
        lines.map(|(text, font)| text_width(ui.painter(), text, font)).into_iter().fold(0.0, f32::max).ceil()
    }

    fn ui(&self, ui: &mut Ui, width: f32) {
        let theme = Theme::of(ui);
        ui.allocate_ui_with_layout(vec2(width, 52.0), Layout::top_down(Align::Min), |ui| {
            ui.set_min_width(width);
            ui.spacing_mut().item_spacing.y = 1.0;
            let line = |text: RichText| egui::Label::new(text).extend();
            ui.add(line(RichText::new(self.name).font(theme::words(size::NOTE)).color(theme.palette.text2)));
            ui.add(line(RichText::new(&self.value).font(theme::mono_bold(size::FIGURE))));
            ui.add(line(RichText::new(&self.formula).font(theme::mono(size::CAPTION)).color(theme.palette.text3)));
        });
    }
}
