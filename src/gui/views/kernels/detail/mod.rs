//! The selected kernel: the three occupancies, where the gap goes, what matters besides, every number of the report beside the
//! computed one, next steps, and clusters.

mod clusters;
mod compared;
pub mod gap;
pub mod matters;
mod steps;

use egui::{RichText, Ui};

use super::compiled::compiled_ui;
use super::model;
use crate::arch::Arch;
use crate::engine::Waves;
use crate::fmt::{bytes, counted, grouped, one_decimal};
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::rule;
use crate::import::Kernel;
use crate::import::account::Account;
use crate::session::{Action, KernelRef, Session};

/// What only this view knows.
#[derive(Debug, Default)]
pub struct DetailState {
    /// The kernel that the rest is about.
    shown: Option<KernelRef>,
    /// GPCs of the GPU as typed; none is the public default where there is one.
    gpcs: Option<u32>,
}

/// `block` is the block size that compiled kernels are looked at with.
pub fn detail_ui(ui: &mut Ui, state: &mut DetailState, session: &Session, block: &mut u32, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let (Some(at), Some((kernel, account))) = (session.document().selected, session.selected()) else {
        ui.label(RichText::new("Select a kernel to see its account.").color(theme.palette.text2));
        return;
    };
    if state.shown != Some(at) {
        *state = DetailState { shown: Some(at), ..DetailState::default() };
    }
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.spacing_mut().interact_size.y = 18.0;
    let title = egui::Label::new(RichText::new(title(&kernel.name)).font(theme::mono_bold(size::BODY))).wrap();
    ui.add(title).on_hover_text(&kernel.name);
    ui.label(RichText::new(launch_line(kernel)).font(theme::words(size::NOTE)).color(theme.palette.text2));
    ui.add_space(8.0);
    if let Some(compiled) = kernel.compiled.as_ref().filter(|_| account.launch.is_none()) {
        compiled_ui(ui, kernel, account, compiled, block, actions);
        return;
    }
    occupancies_ui(ui, account);
    gap::gap_ui(ui, account);
    rule(ui, 20.0);
    matters::matters_ui(ui, kernel);
    ui.add_space(8.0);
    if explore_button(ui, account.launch.is_some() && account.arch.is_some()) {
        actions.push(Action::ExploreKernel(at));
    }
    rule(ui, 20.0);
    compared::compared_ui(ui, kernel, account);
    steps::steps_ui(ui, account, actions);
    clusters::clusters_ui(ui, &mut state.gpcs, kernel, account);
}

/// The way to Explore; true when it was taken.
pub fn explore_button(ui: &mut Ui, enabled: bool) -> bool {
    let palette = Theme::of(ui).palette;
    let explore = egui::Button::new(RichText::new("Open in Explore").color(palette.on_accent)).fill(palette.accent);
    ui.add_enabled(enabled, explore).clicked()
}

/// The name, its middle left out where it would fill the panel; whole in the tooltip.
fn title(name: &str) -> String {
    const BEGINNING: usize = 70;
    const END: usize = 40;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= BEGINNING + END {
        return name.to_owned();
    }
    letters[..BEGINNING].iter().chain(&[' ', '…', ' ']).chain(&letters[letters.len() - END..]).collect()
}

/// "256 threads · 122 registers · 34 KiB · grid 352".
pub fn launch_line(kernel: &Kernel) -> String {
    let mut parts = Vec::new();
    parts.extend(kernel.threads_per_block().map(|read| counted(read.value, "thread")));
    parts.extend(kernel.registers_per_thread.map(|read| counted(read.value.into(), "register")));
    parts.extend(model::smem(kernel).map(bytes));
    parts.extend(kernel.num_blocks().map(|read| format!("grid {}", grouped(read.value))));
    parts.join(" · ")
}

/// Name, percent and a note of each of the three occupancies.
pub fn occupancies(account: &Account) -> [(&'static str, Option<f64>, String); 3] {
    let grid_limited = account.waves.as_ref().map(Waves::grid_limited_percent);
    let grid_kind = match &account.waves {
        None => "not known",
        Some(waves) if waves.is_unfilled() => "a bound",
        Some(waves) if waves.has_tail() => "an estimate",
        Some(_) => "full waves",
    };
    let blocks =
        account.blocks_per_sm.map_or_else(|| "not known".to_owned(), |blocks| format!("{} per SM", counted(blocks.into(), "block")));
    let achieved_kind = if account.achieved_percent.is_some() { "measured" } else { "not in this report" };
    [
        ("Theoretical", account.theoretical_percent, blocks),
        ("Grid-limited", grid_limited, grid_kind.to_owned()),
        ("Achieved", account.achieved_percent, achieved_kind.to_owned()),
    ]
}

fn occupancies_ui(ui: &mut Ui, account: &Account) {
    let theme = Theme::of(ui);
    ui.columns(3, |columns| {
        for (ui, (name, value, note)) in columns.iter_mut().zip(occupancies(account)) {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.label(RichText::new(name).font(theme::words(size::NOTE)).color(theme.palette.text2));
            let most = account.arch.as_ref().map(Arch::max_warps_per_sm).filter(|_| crate::fmt::in_warps());
            let text = value.map_or_else(
                || "–".to_owned(),
                |value| most.map_or_else(|| one_decimal(value), |most| crate::fmt::occupancy_number(value, most)),
            );
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.label(RichText::new(text).font(theme::mono_bold(size::OCCUPANCY)));
                if value.is_some() {
                    let unit = most.map_or_else(|| "%".to_owned(), |most| format!("of {most}"));
                    ui.label(RichText::new(unit).font(theme::mono(size::BODY)).color(theme.palette.text2));
                }
            });
            ui.label(RichText::new(note).font(theme::words(size::NOTE)).color(theme.palette.text3));
        }
    });
}
