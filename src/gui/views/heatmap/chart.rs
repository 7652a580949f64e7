//! The cells with everything on them, and what the pointer and the keys do there.

use egui::{EventFilter, Key, Modifiers, Pos2, Response, Role, Sense, Ui, WidgetInfo};

use super::layout::{Grid, Layout};
use super::marks::Marks;
use super::model::{Face, Table};
use super::paint::Look;
use super::points::{self, Spot};
use super::{Axes, HeatmapEvent, HeatmapInput, Mode, points_tip, tip};
use crate::engine::Launch;

/// The cells with everything on them, and what the pointer and the keys do there.
pub fn chart_ui(ui: &Ui, look: &Look<'_>, layout: &Layout, input: &HeatmapInput<'_>, axes: Axes) -> Option<HeatmapEvent> {
    let (grid, table) = (layout.grid, look.table);
    let response = ui.interact(grid.rect, ui.scope_id().with("heatmap cells"), Sense::click());
    let spots = if axes == Axes::RegistersByThreads { points::spots(table, &grid, input.points) } else { Vec::new() };
    let hovered_spots = response.hover_pos().map(|at| points::spots_at(&spots, at)).unwrap_or_default();
    let hovered_cell = response.hover_pos().and_then(|at| grid.cell_at(at)).filter(|_| hovered_spots.is_empty());

    look.paint_cells(ui.painter());
    look.paint_axes(ui.painter(), layout);
    let pinned = input.pinned.and_then(|pinned| pinned_cell(table, input.launch, pinned, axes));
    look.paint_marks(ui.painter(), &Marks { pinned, hovered: hovered_cell, has_focus: response.has_focus() });
    if axes == Axes::RegistersByThreads {
        points::paint_lines(ui.painter(), look, input, &points::lines(table, &grid, input.points));
    }
    points::paint_points(ui.painter(), look, input, &spots, &hovered_spots);
    if let Some(cell) = hovered_cell {
        tip::at_pointer(&response, |ui| cell_tip(ui, look, input, cell));
    } else if !hovered_spots.is_empty() {
        tip::at_pointer(&response, |ui| points_tip::points_tip(ui, input, &hovered_spots));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, accessible_name(look, input)));
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
        .filter(|_| look.mode == Mode::Difference && look.table.cell(cell.0, cell.1).blocks_per_sm > 0)
        .map(|points| format!("{} points against the pinned {}", crate::fmt::signed_points(points), crate::fmt::percent(look.reference)))
        .or_else(|| mode_in_words(look, input, cell));
    tip::answer_tip(ui, input.arch, &launch, difference.as_deref());
}

/// What the color of a cell says, in the modes that compare.
fn mode_in_words(look: &Look<'_>, input: &HeatmapInput<'_>, cell: (usize, usize)) -> Option<String> {
    let table = look.table;
    match look.mode {
        Mode::OtherGpu => {
            let other = input.other?;
            let against = |percent| format!("{} has {}", other.name, crate::fmt::percent(percent));
            let there = table.other_percent(cell).map_or_else(|| format!("{} cannot launch it", other.name), against);
            let points = table.other_points(cell).map(|points| format!("{} points: ", crate::fmt::signed_points(points)));
            Some(points.unwrap_or_default() + &there)
        }
        Mode::Better => match table.face(cell, look.mode, look.reference, look.difference_end) {
            Face::AsGoodWithFewer => Some("As good as now or better, with no more resources".to_owned()),
            Face::AsGoodWithMore => Some("As good as now or better, with more of something".to_owned()),
            Face::Worse => Some("Less occupancy than now".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// What the chart is, and the answer of the present launch in words.
fn accessible_name(look: &Look<'_>, input: &HeatmapInput<'_>) -> String {
    let table = look.table;
    let compared = table.present_cell().and_then(|cell| mode_in_words(look, input, cell));
    let compared = compared.filter(|_| look.mode == Mode::OtherGpu).map(|words| format!(". {words}")).unwrap_or_default();
    let place = if table.present_cell().is_some() { "" } else { ", beyond the chart" };
    format!(
        "Occupancy by {} and {} on {}. {}{place}{compared}",
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
