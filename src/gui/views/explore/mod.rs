//! The middle of Explore: the SM map above, a chart below; on narrow windows the answer between them.

use egui::{Frame, Margin, Panel, RichText, ScrollArea, Ui};

use super::answer;
use super::compare::{CompareState, compare_ui};
use super::curves::{CurvesInput, CurvesState, curves_ui};
use super::heatmap::{HeatmapEvent, HeatmapInput, HeatmapState, OtherGpu, heading, heatmap_ui};
use super::kernels::model::Points;
use super::sm_map::{SmMap, SmMapState, desired_height, sm_map_ui};
use crate::explain::headline;
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::quiet;
use crate::session::{Action, Chart, KernelRef, Session};

/// What only this view knows.
#[derive(Debug, Default)]
pub struct ExploreState {
    sm_map: SmMapState,
    heatmap: HeatmapState,
    curves: CurvesState,
    points: Points,
    compare: CompareState,
    /// What the settings said last about percent or warps; from then on it is each chart's own.
    in_warps: Option<bool>,
}

impl ExploreState {
    /// Both charts as they are shown, to be drawn elsewhere.
    pub fn charts(&self) -> (HeatmapState, CurvesState) {
        (self.heatmap.clone(), self.curves.alike())
    }
}

/// Draws map and chart, and the answer too where it has no panel of its own.
pub fn explore_ui(ui: &mut Ui, state: &mut ExploreState, session: &Session, with_answer: bool, actions: &mut Vec<Action>) {
    let height = ui.available_height();
    // Below this there is no room for both: everything scrolls together.
    let split = height >= 560.0 && !with_answer;
    if split {
        let line = Theme::of(ui).palette.line;
        let frame = Frame::new().inner_margin(Margin { left: 16, right: 16, top: 10, bottom: 8 }).stroke(egui::Stroke::new(0.0, line));
        // At first, and in a window of another height, the map gets what it needs and the chart the rest; then the line between them
        // is the user's.
        let needed = desired_height(ui, ui.available_width() - 32.0, &map_input(session, &session.gpu_name())) + 24.0;
        Panel::bottom(("chart", height.to_bits()))
            .resizable(true)
            .default_size((height - needed).max(260.0))
            .min_size(220.0)
            .max_size(height - 160.0)
            .frame(frame)
            .show(ui, |ui| {
                chart_ui(ui, state, session, false, actions);
            });
    }
    ScrollArea::vertical().id_salt("map").auto_shrink([false, false]).show(ui, |ui| {
        padded(ui, |ui| map_ui(ui, state, session, actions));
        if with_answer {
            Frame::new()
                .fill(Theme::of(ui).palette.panel)
                .inner_margin(Margin::symmetric(20, 14))
                .show(ui, |ui| answer::answer_ui(ui, session, actions));
        }
        if !split {
            padded(ui, |ui| {
                ui.allocate_ui(egui::vec2(ui.available_width(), 360.0), |ui| chart_ui(ui, state, session, true, actions));
            });
        }
    });
}

fn padded(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    Frame::new().inner_margin(Margin { left: 16, right: 16, top: 10, bottom: 10 }).show(ui, content);
}

/// The SM map, in the current session.
pub fn map_ui(ui: &mut Ui, state: &mut ExploreState, session: &Session, actions: &mut Vec<Action>) {
    state.sm_map.show(session.view());
    let name = session.gpu_name();
    sm_map_ui(ui, &mut state.sm_map, &map_input(session, &name));
    actions.extend(state.sm_map.changes(session.view()));
}

fn map_input<'a>(session: &'a Session, name: &'a str) -> SmMap<'a> {
    SmMap { arch: session.arch(), gpu_name: name, launch: &session.document().configuration.launch }
}

/// The chart that is chosen, over what is left of the height; `scrolls` when it lies in something that does.
pub fn chart_ui(ui: &mut Ui, state: &mut ExploreState, session: &Session, scrolls: bool, actions: &mut Vec<Action>) {
    let launch = &session.document().configuration.launch;
    let in_warps = crate::fmt::in_warps();
    if state.in_warps != Some(in_warps) {
        // As they come, charts show percent.
        if in_warps || state.in_warps.is_some() {
            state.curves.show_warps(in_warps);
            state.heatmap.show_warps(in_warps);
        }
        state.in_warps = Some(in_warps);
    }
    state.points.update(session, session.arch());
    let Points { refs, points, .. } = &state.points;
    let name = session.gpu_name();
    let other = session.document().compared.first();
    let other_name = other.map(ToString::to_string);
    let input = HeatmapInput {
        arch: session.arch(),
        gpu_name: &name,
        launch,
        points,
        selected: state.points.selected(session),
        pinned: session.document().pinned.as_ref().map(|pinned| &pinned.launch),
        other: other.zip(other_name.as_deref()).map(|(choice, name)| OtherGpu { arch: session.arch_of(choice), name }),
        scrolls,
    };
    let chart = session.view().chart;
    let (title, slice) = match chart {
        Chart::Heatmap => heading(&state.heatmap, &input),
        Chart::Curves => ("Occupancy along one input", format!("all others as they are, {name}")),
        Chart::Compare => ("On several GPUs", super::inputs::launch_in_words(launch)),
    };
    actions.extend(chart_header_ui(ui, chart, title, &slice).map(Action::ShowChart));
    match chart {
        Chart::Heatmap => actions.extend(heatmap_ui(ui, &mut state.heatmap, &input).and_then(|event| action_of(event, refs))),
        Chart::Curves => {
            let names: Vec<String> = session.document().compared.iter().map(ToString::to_string).collect();
            let others = session.document().compared.iter().zip(&names);
            let others: Vec<_> = others.map(|(choice, name)| OtherGpu { arch: session.arch_of(choice), name }).collect();
            let input = CurvesInput { arch: input.arch, gpu_name: &name, others: &others, launch };
            actions.extend(curves_ui(ui, &mut state.curves, &input).map(Action::SetLaunch));
        }
        Chart::Compare => compare_ui(ui, &mut state.compare, session, actions),
    }
}

fn chart_header_ui(ui: &mut Ui, chart: Chart, title: &str, slice: &str) -> Option<Chart> {
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).font(theme::strong(size::TITLE)));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (which, name) in [(Chart::Compare, "Compare"), (Chart::Curves, "Curves"), (Chart::Heatmap, "Heatmap")] {
                if ui.add(egui::Button::new(name).selected(chart == which)).clicked() {
                    chosen = Some(which);
                }
            }
            ui.add_space(12.0);
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(egui::Label::new(quiet(ui, slice)).truncate()));
        });
    });
    chosen
}

/// What a heatmap's event means for the session; `refs` are the kernels behind its points.
pub fn action_of(event: HeatmapEvent, refs: &[KernelRef]) -> Option<Action> {
    match event {
        HeatmapEvent::GoTo(launch) => Some(Action::SetLaunch(launch)),
        HeatmapEvent::Select(index) => refs.get(index).map(|at| Action::SelectKernel(Some(*at))),
    }
}

/// The answer as lines of text, to paste into a message.
pub fn answer_as_text(session: &Session) -> String {
    let (arch, launch) = (session.arch(), &session.document().configuration.launch);
    let occupancy = session.occupancy();
    let sentence = headline(arch, launch, &occupancy);
    let limits =
        crate::engine::Resource::ALL.map(|resource| format!("{} {}", resource.name().to_lowercase(), occupancy.limits.get(resource)));
    format!(
        "{} on {} ({})\nTheoretical occupancy {}: {} per SM, {} of {} warps\n{} {}\nLimits: {}\n",
        super::inputs::launch_in_words(launch),
        session.gpu_name(),
        if arch.invented { "invented".to_owned() } else { format!("compute capability {}", arch.compute_capability) },
        crate::fmt::percent(occupancy.theoretical_percent()),
        crate::fmt::counted(occupancy.blocks_per_sm.into(), "block"),
        occupancy.active_warps_per_sm(),
        occupancy.max_warps_per_sm,
        sentence.strong,
        sentence.rest,
        limits.join(", "),
    )
}
