//! The kernels of the open reports: one table, the same kernels on a heatmap, and an honest account of the selected one.

pub mod changes;
mod columns;
mod compiled;
pub mod detail;
pub mod facts;
mod files;
pub mod filter;
mod keys;
mod layout;
pub mod model;
mod one_sm;
mod output;
mod paint;
pub mod rows;
mod table;
#[cfg(test)]
mod tests;
mod toolbar;
pub mod waves;

use egui::{CentralPanel, Frame, Margin, Panel, RichText, ScrollArea, Ui};

use super::explore::action_of;
use super::heatmap::{HeatmapInput, HeatmapState, heatmap_ui};
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::rule;
use crate::import::account::launch_with_block;
use crate::import::compare::Pair;
use crate::session::{Action, KernelRef, Session};
use crate::units::Dim3;
pub use detail::DetailState;
use model::Points;

/// What only this view knows.
#[derive(Debug, Default)]
pub struct KernelsState {
    sort: rows::Sort,
    filter: filter::Filter,
    table: rows::Table,
    places: layout::Places,
    heatmap: HeatmapState,
    points: Points,
    /// Which reports do not say what GPU they are from, and the readings that this was asked of.
    without_gpu: Vec<bool>,
    without_gpu_of: Vec<usize>,
    /// How far the rows are scrolled.
    offset: egui::Vec2,
    /// How many rows the table last showed, and which.
    num_rows: usize,
    generation: u64,
    /// The group that keys went to; a launch needs no remembering, it is selected.
    cursor: Option<rows::Row>,
    /// The keyboard came to the rows by the pointer.
    is_pointed: bool,
    /// The selection that the table last showed.
    shown_selection: Option<KernelRef>,
    block: BlockDraft,
    waves: waves::Simulator,
    detail: DetailState,
    one_sm: one_sm::OneSm,
}

/// Threads of a block with which compiled kernels are looked at; they have none of their own.
#[derive(Clone, Copy, Debug)]
struct BlockDraft(u32);

impl Default for BlockDraft {
    fn default() -> Self {
        Self(256)
    }
}

impl KernelsState {
    /// What became of the selected kernel since the baseline; none where nothing is compared, or it is new.
    fn pair(&self, session: &Session) -> Option<Pair> {
        self.table.compared?;
        let row = self.table.rows[self.table.position(session.document().selected?)?];
        self.table.facts(session, row)?.change()?.pair().cloned()
    }

    /// The launches behind the rows of the table, in its order; all of them when the table was not shown yet.
    pub fn shown(&self, session: &Session) -> Vec<KernelRef> {
        let mut shown: Vec<KernelRef> = self.table.rows.iter().filter_map(|row| self.table.launch_of(*row)).collect();
        shown.dedup();
        if shown.is_empty() { session.document().kernels().map(|(at, ..)| at).collect() } else { shown }
    }
}

const DETAIL_WIDTH: f32 = 384.0;

pub fn kernels_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    if session.document().reports.is_empty() {
        CentralPanel::no_frame().show(ui, |ui| empty_ui(ui, session, actions));
        return;
    }
    state.table.update(session, state.sort, &state.filter);
    let panel = Theme::of(ui).palette.panel;
    let places = Places::new(ui.available_size());
    if places.detail_beside {
        Panel::right("kernel").exact_size(DETAIL_WIDTH).resizable(false).frame(Frame::new().fill(panel)).show(ui, |ui| {
            detail_panel_ui(ui, state, session, &places, 20, actions);
        });
    }
    Panel::top("files").frame(Frame::new().fill(panel).inner_margin(Margin::symmetric(16, 8))).show(ui, |ui| {
        files::files_ui(ui, state, session, actions);
        toolbar::toolbar_ui(ui, state, session, actions);
    });
    let height = ui.available_height();
    if places.pictures_below {
        let frame = Frame::new().inner_margin(Margin { left: 16, right: 16, top: 10, bottom: 8 });
        let pictures = Panel::bottom("pictures").resizable(true).default_size(height * 0.5).min_size(200.0).max_size(height - 120.0);
        pictures.frame(frame).show(ui, |ui| pictures_ui(ui, state, session, actions));
    }
    CentralPanel::default().frame(Frame::new().fill(panel)).show(ui, |ui| {
        if !places.detail_beside && session.selected().is_some() {
            let below = Panel::bottom("kernel-below").resizable(true).default_size(180.0).max_size((height - 150.0).max(80.0));
            below.frame(Frame::new().fill(panel)).show(ui, |ui| detail_panel_ui(ui, state, session, &places, 16, actions));
        }
        if ui.available_height() >= 260.0 {
            Panel::bottom("gap-legend")
                .exact_size(28.0)
                .frame(Frame::new().inner_margin(Margin::symmetric(16, 0)))
                .show(ui, paint::legend_ui);
        }
        table::table_ui(ui, state, session, actions);
    });
}

/// The account of the selected kernel alone; `block` is the block size that compiled kernels are looked at with.
pub fn account_ui(ui: &mut Ui, state: &mut DetailState, session: &Session, block: &mut u32, actions: &mut Vec<Action>) {
    detail::detail_ui(ui, state, session, block, actions);
}

/// What has a place of its own at this size; the rest scrolls with the account of the selected kernel.
struct Places {
    detail_beside: bool,
    pictures_below: bool,
}

impl Places {
    fn new(size: egui::Vec2) -> Self {
        let detail_beside = size.x >= 900.0;
        // The table needs its rows first.
        Self { detail_beside, pictures_below: size.y >= if detail_beside { 480.0 } else { 700.0 } }
    }
}

fn detail_panel_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, places: &Places, padding: i8, actions: &mut Vec<Action>) {
    ScrollArea::vertical().id_salt("detail").auto_shrink([false, false]).show(ui, |ui| {
        Frame::new().inner_margin(Margin::symmetric(padding, 14)).show(ui, |ui| {
            if let Some(pair) = state.pair(session) {
                changes::selected_ui(ui, session, &pair, state.block.0);
                rule(ui, 20.0);
            }
            detail::detail_ui(ui, &mut state.detail, session, &mut state.block.0, actions);
            if !places.pictures_below {
                ui.add_space(16.0);
                let size = egui::vec2(ui.available_width(), 320.0);
                ui.allocate_ui(size, |ui| overlay_ui(ui, state, session, true, actions));
                ui.add_space(16.0);
                waves::waves_ui(ui, &mut state.waves, session, actions);
            }
        });
    });
}

/// Nothing is open yet: one sentence, and the two ways on.
fn empty_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.36).max(24.0));
        if !session.reading().is_empty() {
            ui.label(RichText::new("Reading …").font(theme::words(size::TITLE)).color(theme.palette.text2));
            return;
        }
        ui.label(RichText::new("Drop an Nsight Compute report here to see its kernels").font(theme::strong(size::TITLE)));
        ui.label(RichText::new("ncu -o report ./my_program").font(theme::mono(size::BODY)).color(theme.palette.text2));
        ui.add_space(8.0);
        let open = egui::Button::new(RichText::new("Open report…").color(theme.palette.on_accent)).fill(theme.palette.accent);
        if ui.add(open).clicked() {
            actions.push(Action::OpenFile);
        }
        if ui.button("Open the sample report").clicked() {
            actions.push(Action::OpenSample);
        }
    });
}

fn pictures_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    let side_by_side = ui.available_width() >= 760.0 && session.selected().is_some_and(|(_, account)| account.waves.is_some());
    if !side_by_side {
        overlay_ui(ui, state, session, false, actions);
        return;
    }
    let left = ui.available_width() * 0.56;
    Panel::left("overlay")
        .exact_size(left)
        .resizable(false)
        .show_separator_line(false)
        .frame(Frame::new().inner_margin(Margin { right: 16, ..Margin::ZERO }))
        .show(ui, |ui| {
            overlay_ui(ui, state, session, false, actions);
        });
    CentralPanel::no_frame().show(ui, |ui| {
        ScrollArea::vertical().id_salt("waves").show(ui, |ui| waves::waves_ui(ui, &mut state.waves, session, actions));
    });
}

/// Every kernel of the selected one's GPU, on the heatmap of the selected one's shared memory; `scrolls` when it lies in
/// something that does.
fn overlay_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, scrolls: bool, actions: &mut Vec<Action>) {
    if state.one_sm.ui(ui, session) {
        return;
    }
    let theme = Theme::of(ui);
    let selected = session.selected().and_then(|(kernel, account)| {
        let launch = account.launch.clone().or_else(|| launch_with_block(kernel, Dim3::linear(state.block.0)))?;
        Some((account.arch.as_ref()?, launch, account))
    });
    let Some((arch, launch, account)) = selected else {
        ui.label(RichText::new("All kernels on one picture").font(theme::strong(size::TITLE)));
        ui.label(RichText::new(why_no_picture(session)).font(theme::words(size::BODY)).color(theme.palette.text2));
        return;
    };
    let name = account.gpu.as_ref().map_or_else(|| format!("compute capability {}", arch.compute_capability), |gpu| gpu.name.clone());
    ui.horizontal(|ui| {
        ui.label(RichText::new("All kernels on one picture").font(theme::strong(size::TITLE)));
        let slice = format!("{} shared, as the selected kernel; {name}", crate::fmt::bytes(launch.requested_smem_bytes()));
        state.one_sm.toggle_ui(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(slice).font(theme::words(size::NOTE)).color(theme.palette.text3)).truncate());
        });
    });
    state.points.update(session, arch);
    let Points { refs, points, .. } = &state.points;
    let at = state.points.selected(session);
    let input = HeatmapInput { arch, gpu_name: &name, launch: &launch, points, selected: at, pinned: None, other: None, scrolls };
    let event = heatmap_ui(ui, &mut state.heatmap, &input);
    // Going to a cell belongs to Explore; here only kernels are chosen.
    actions.extend(event.and_then(|event| action_of(event, refs)).filter(|action| matches!(action, Action::SelectKernel(_))));
}

fn why_no_picture(session: &Session) -> String {
    match session.selected() {
        None => "Select a kernel to see it among the others.".to_owned(),
        Some((_, account)) => {
            let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
            format!("The report lacks what a picture needs: {}.", missing.join(", "))
        }
    }
}
