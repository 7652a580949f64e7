//! The heatmap: the answer for every pair of two inputs, the present launch and a report's kernels on it.
//!
//! Click or arrow keys go to a cell; hovering gives its whole answer. Start with [`heatmap_ui`].

pub(super) mod axis;
mod layout;
mod legend;
pub(super) mod marks;
mod model;
mod paint;
mod pattern;
mod points;
mod regions;
pub(super) mod scale;
pub(super) mod tip;

use egui::{EventFilter, Key, Modifiers, Popup, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo};

use crate::arch::Arch;
use crate::engine::{Launch, evaluate};
use layout::{Grid, Layout};
use marks::Marks;
use model::{Cached, Table};
use paint::Look;
use points::Spot;

/// What the heatmap is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct HeatmapInput<'a> {
    pub arch: &'a Arch,
    pub gpu_name: &'a str,
    pub launch: &'a Launch,
    /// Kernels of a report; empty in Explore.
    pub points: &'a [KernelPoint],
    /// Index in `points`.
    pub selected: Option<usize>,
    /// What differences are taken to.
    pub pinned: Option<&'a Launch>,
}

/// A kernel of a report, as a mark on the heatmap. One without registers or threads (0) is not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelPoint {
    pub name: String,
    pub registers: u32,
    pub threads: u32,
    pub theoretical_percent: Option<f64>,
    pub achieved_percent: Option<f64>,
    pub grid_limited_percent: Option<f64>,
    /// The part of the gap that a grid below one wave certainly costs, in points.
    pub unfilled_points: f64,
    /// The part of the gap that the last wave costs at most, in points.
    pub tail_points: f64,
    /// It uses as much shared memory as the slice that is drawn.
    pub same_smem: bool,
}

/// What the colors show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    #[default]
    Occupancy,
    Limiter,
    Warps,
    /// Points more or less than the pinned launch has.
    Difference,
}

impl Mode {
    pub const ALL: [Self; 4] = [Self::Occupancy, Self::Limiter, Self::Warps, Self::Difference];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Occupancy => "Occupancy",
            Self::Limiter => "Limiter",
            Self::Warps => "Warps",
            Self::Difference => "Difference",
        }
    }
}

/// The two inputs of the table, the one along x first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Axes {
    #[default]
    RegistersByThreads,
    DynamicSmemByThreads,
    RegistersByDynamicSmem,
}

impl Axes {
    pub const ALL: [Self; 3] = [Self::RegistersByThreads, Self::DynamicSmemByThreads, Self::RegistersByDynamicSmem];

    pub const fn name(self) -> &'static str {
        match self {
            Self::RegistersByThreads => "Registers × threads",
            Self::DynamicSmemByThreads => "Dynamic shared × threads",
            Self::RegistersByDynamicSmem => "Registers × dynamic shared",
        }
    }
}

/// View state: saved, not undone. The table is kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct HeatmapState {
    pub mode: Mode,
    pub axes: Axes,
    cache: Option<Cached>,
}

impl HeatmapState {
    /// The mode that can be drawn: without a pinned launch there is no difference.
    fn drawn_mode(&self, input: &HeatmapInput<'_>) -> Mode {
        if self.mode == Mode::Difference && input.pinned.is_none() { Mode::Occupancy } else { self.mode }
    }
}

/// What a person did.
#[derive(Clone, Debug, PartialEq)]
pub enum HeatmapEvent {
    /// Go to this launch.
    GoTo(Launch),
    /// Select the kernel with this index in [`HeatmapInput::points`].
    Select(usize),
}

/// The title over the view, and the note beside it: what is the same in all cells.
pub fn heading(state: &HeatmapState, input: &HeatmapInput<'_>) -> (&'static str, String) {
    let launch = input.launch;
    let (title, fixed) = match state.axes {
        Axes::RegistersByThreads => {
            ("Occupancy by registers and block size", format!("{} dynamic shared memory", crate::fmt::bytes(launch.dynamic_smem_bytes)))
        }
        Axes::DynamicSmemByThreads => {
            ("Occupancy by shared memory and block size", format!("{} registers per thread", launch.registers_per_thread))
        }
        Axes::RegistersByDynamicSmem => {
            ("Occupancy by registers and shared memory", format!("{} threads per block", launch.threads_per_block()))
        }
    };
    (title, format!("{fixed}, {}", input.gpu_name))
}

/// Draws the heatmap into what is left of `ui`: cells left, legend right.
pub fn heatmap_ui(ui: &mut Ui, state: &mut HeatmapState, input: &HeatmapInput<'_>) -> Option<HeatmapEvent> {
    let (rect, _) = ui.allocate_exact_size(ui.available_size_before_wrap(), Sense::hover());
    let mode = state.drawn_mode(input);
    let reference = input.pinned.map_or(0.0, |pinned| evaluate(input.arch, pinned).theoretical_percent());
    let table = Cached::refresh(&mut state.cache, input.arch, input.launch, state.axes);
    let layout = Layout::new(rect, table, ui.ctx().pixels_per_point());
    let look = Look::new(ui, table, layout.grid, mode, reference);
    let event = chart_ui(ui, &look, &layout, input, state.axes);
    let chosen = legend::legend_ui(ui, layout.legend, &look, input, mode, state.axes);
    let axes = axes_ui(ui, layout.axes_button, state.axes);
    state.mode = chosen.unwrap_or(state.mode);
    state.axes = axes;
    event
}

/// The cells with everything on them, and what the pointer and the keys do there.
fn chart_ui(ui: &Ui, look: &Look<'_>, layout: &Layout, input: &HeatmapInput<'_>, axes: Axes) -> Option<HeatmapEvent> {
    let (grid, table) = (layout.grid, look.table);
    let response = ui.interact(grid.rect, ui.scope_id().with("heatmap cells"), Sense::click());
    let spots = if axes == Axes::RegistersByThreads { points::spots(table, &grid, input.points) } else { Vec::new() };
    let hovered_spots = response.hover_pos().map(|at| points::spots_at(&spots, at)).unwrap_or_default();
    let hovered_cell = response.hover_pos().and_then(|at| grid.cell_at(at)).filter(|_| hovered_spots.is_empty());

    look.paint_cells(ui.painter());
    look.paint_axes(ui.painter(), layout);
    let pinned = input.pinned.and_then(|pinned| pinned_cell(table, input.launch, pinned, axes));
    look.paint_marks(ui.painter(), &Marks { pinned, hovered: hovered_cell, has_focus: response.has_focus() });
    points::paint_points(ui.painter(), look, input, &spots, &hovered_spots);
    if let Some(cell) = hovered_cell {
        tip::at_pointer(&response, |ui| cell_tip(ui, look, input, cell));
    } else if !hovered_spots.is_empty() {
        tip::at_pointer(&response, |ui| points::points_tip(ui, input, &hovered_spots));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, accessible_name(table, input)));
    clicked(&response, table, &grid, input, &spots).or_else(|| walked(ui, &response, table, input.launch))
}

/// The cell of the pinned launch, when it differs from the present one in the variables of the axes alone.
fn pinned_cell(table: &Table, launch: &Launch, pinned: &Launch, axes: Axes) -> Option<(usize, usize)> {
    let (x, y) = axes.variables();
    let moved = y.set(&x.set(launch, x.get(pinned)), y.get(pinned));
    (Launch { block: pinned.block, ..moved } == *pinned).then_some(())?;
    table.x.cell_of(x.get(pinned)).zip(table.y.cell_of(y.get(pinned)))
}

fn cell_tip(ui: &mut Ui, look: &Look<'_>, input: &HeatmapInput<'_>, cell: (usize, usize)) {
    let launch = look.table.launch_at(input.launch, cell);
    let points = input.pinned.map(|_| look.table.percent(look.table.cell(cell.0, cell.1)) - look.reference);
    let difference = points
        .filter(|_| look.mode == Mode::Difference)
        .map(|points| format!("{} points against the pinned {}", model::signed_points(points), crate::fmt::percent(look.reference)));
    tip::answer_tip(ui, input.arch, &launch, difference.as_deref());
}

/// What the chart is, and the answer of the present launch in words.
fn accessible_name(table: &Table, input: &HeatmapInput<'_>) -> String {
    let place = if table.present_cell().is_some() { "" } else { ", beyond the chart" };
    format!(
        "Occupancy by {} and {} on {}. {}{place}",
        table.x.caption(),
        table.y.caption(),
        input.gpu_name,
        tip::answer_in_words(input.arch, input.launch)
    )
}

fn clicked(response: &Response, table: &Table, grid: &Grid, input: &HeatmapInput<'_>, spots: &[Spot]) -> Option<HeatmapEvent> {
    if !response.clicked() {
        return None;
    }
    response.request_focus();
    let at: Pos2 = response.interact_pointer_pos()?;
    let under = points::spots_at(spots, at);
    if let Some(next) = points::next_of(&under, input.selected) {
        return Some(HeatmapEvent::Select(next));
    }
    let launch = table.launch_at(input.launch, grid.cell_at(at)?);
    (launch != *input.launch).then_some(HeatmapEvent::GoTo(launch))
}

/// Arrow keys walk one cell while the chart has the focus.
fn walked(ui: &Ui, response: &Response, table: &Table, launch: &Launch) -> Option<HeatmapEvent> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let steps =
        [(Key::ArrowLeft, &table.x, -1), (Key::ArrowRight, &table.x, 1), (Key::ArrowDown, &table.y, -1), (Key::ArrowUp, &table.y, 1)];
    let (scale, cells) = ui.input_mut(|input| {
        steps.into_iter().find_map(|(key, scale, cells)| input.consume_key(Modifiers::NONE, key).then_some((scale, cells)))
    })?;
    Some(HeatmapEvent::GoTo(scale.variable.set(launch, scale.walk(cells)?)))
}

/// The choice of axes, over the right end of the cells.
fn axes_ui(ui: &Ui, rect: Rect, axes: Axes) -> Axes {
    let response = ui.interact(rect, ui.scope_id().with("heatmap axes"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Axes, {}", axes.name())));
    marks::axes_button(ui, rect, axes, &response);
    let mut chosen = axes;
    Popup::menu(&response).show(|ui| {
        for axes in Axes::ALL {
            if ui.selectable_label(axes == chosen, axes.name()).clicked() {
                chosen = axes;
            }
        }
    });
    chosen
}
