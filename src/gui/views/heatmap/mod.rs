//! The heatmap: the answer for every pair of two inputs, the present launch and a report's kernels on it.
//!
//! Click or arrow keys go to a cell; hovering gives its whole answer. Start with [`heatmap_ui`].

pub(super) mod axis;
mod cache;
mod chart;
mod cliff_labels;
mod clusters;
mod flow;
mod held;
mod kernel_points;
mod layout;
mod legend;
mod legend_rows;
pub(super) mod marks;
mod model;
mod modes;
mod paint;
mod pattern;
mod points;
mod points_tip;
mod regions;
pub(super) mod scale;
pub(super) mod tip;
mod zoom;
mod zooming;

use egui::{Popup, Rect, Role, Sense, Ui, WidgetInfo};

use crate::arch::Arch;
use crate::engine::{Launch, evaluate};
use crate::gui::widgets::is_bare;
use cache::Cached;
pub use kernel_points::{KernelPoint, KernelPoints};
use layout::Layout;
use paint::Look;
use zoom::Zoom;
use zooming::Reach;

/// What the heatmap is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct HeatmapInput<'a> {
    pub arch: &'a Arch,
    pub gpu_name: &'a str,
    pub launch: &'a Launch,
    /// Kernels of the open reports.
    pub points: &'a KernelPoints,
    /// Index of a kernel in `points`.
    pub selected: Option<usize>,
    /// What differences are taken to.
    pub pinned: Option<&'a Launch>,
    /// Another GPU that the same launches are compared on.
    pub other: Option<OtherGpu<'a>>,
    /// The view lies in something that scrolls: there the wheel zooms only with Ctrl.
    pub scrolls: bool,
}

/// A GPU beside the chosen one.
#[derive(Clone, Copy, Debug)]
pub struct OtherGpu<'a> {
    pub arch: &'a Arch,
    pub name: &'a str,
}

/// What the colors show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    #[default]
    Occupancy,
    Limiter,
    Warps,
    Blocks,
    /// Points more or less than the pinned launch has.
    Difference,
    /// Points more or less than the same launch has on another GPU.
    OtherGpu,
    /// What is as good as the present launch or better, and whether it takes more of something.
    Better,
}

impl Mode {
    pub const ALL: [Self; 7] = [Self::Occupancy, Self::Limiter, Self::Warps, Self::Blocks, Self::Difference, Self::OtherGpu, Self::Better];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Occupancy => "Occupancy",
            Self::Limiter => "Limiter",
            Self::Warps => "Warps",
            Self::Blocks => "Blocks",
            Self::Difference => "Difference",
            Self::OtherGpu => "Other GPU",
            Self::Better => "As good",
        }
    }
}

impl Mode {
    /// What it compares with is there.
    const fn is_possible(self, input: &HeatmapInput<'_>) -> bool {
        match self {
            Self::Difference => input.pinned.is_some(),
            Self::OtherGpu => input.other.is_some(),
            _ => true,
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

/// View state: saved, not undone. The tables are kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct HeatmapState {
    pub mode: Mode,
    pub axes: Axes,
    zoom: Zoom,
    /// What the present launch had along the axes when it was last drawn: when that changes, it is brought into view.
    drawn: Option<[u64; 2]>,
    held: held::Held,
    cache: Cached,
}

impl HeatmapState {
    /// Colors by resident warps, or by percent; what shows something else stays.
    pub fn show_warps(&mut self, in_warps: bool) {
        self.mode = match self.mode {
            Mode::Occupancy if in_warps => Mode::Warps,
            Mode::Warps if !in_warps => Mode::Occupancy,
            mode => mode,
        };
    }

    /// The mode that can be drawn: without something to compare with there is no difference.
    fn drawn_mode(&self, input: &HeatmapInput<'_>) -> Mode {
        if self.mode.is_possible(input) { self.mode } else { Mode::Occupancy }
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
    let compared_with = if mode == Mode::Better { Some(input.launch) } else { input.pinned };
    let reference = compared_with.map_or(0.0, |launch| evaluate(input.arch, launch).theoretical_percent());
    let other = input.other.map(|other| other.arch);
    let extents = state.axes.extents(input.arch, input.launch);
    let values = state.axes.values(input.launch);
    if state.drawn.replace(values).is_some_and(|drawn| drawn != values) {
        state.zoom = state.zoom.revealed(&extents, values);
    }
    let windows = state.zoom.windows(&extents);
    let whole = extents.map(|extent| extent.whole);
    let (whole, table) = state.cache.refresh(input.arch, other, input.launch, whole, &windows);
    let layout = Layout::new(rect, &windows, ui.ctx().pixels_per_point());
    let look = Look::new(ui, table, layout.grid, mode, reference, whole.ends(mode, reference));
    let present = table.present_cell().map(|cell| layout.grid.center(cell));
    let mut reach =
        Reach { zoom: state.zoom, extents: &extents, grid: &layout.grid, present, scrolls: input.scrolls, held: &mut state.held };
    let event = chart::chart_ui(ui, &look, &layout, input, state.axes, &mut reach);
    if !is_bare(ui) {
        reach.zoom = reach.of_buttons(ui, layout.zoom_buttons);
    }
    let chosen = legend::legend_ui(ui, layout.legend, &look, input, mode, state.axes);
    let axes = if is_bare(ui) { state.axes } else { axes_ui(ui, layout.axes_button, state.axes) };
    if reach.zoom != state.zoom {
        ui.ctx().request_repaint();
    }
    state.zoom = if axes == state.axes { reach.zoom } else { Zoom::default() };
    state.mode = chosen.unwrap_or(state.mode);
    state.axes = axes;
    event
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
