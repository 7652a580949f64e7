//! The cells with everything on them, and what the pointer and the keys do there.

use egui::{EventFilter, Key, Modifiers, Pos2, Rangef, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::clusters::Clusters;
use super::layout::{Grid, Layout};
use super::marks::Marks;
use super::model::{Face, Table};
use super::paint::Look;
use super::points;
use super::scale::value_text;
use super::zooming::Reach;
use super::{Axes, HeatmapEvent, HeatmapInput, Mode, cliff_labels, points_tip, tip};
use crate::engine::{Launch, evaluate};
use crate::gui::paint;

/// The cells with everything on them, and what the pointer and the keys do there.
pub fn chart_ui(
    ui: &Ui,
    look: &Look<'_>,
    layout: &Layout,
    input: &HeatmapInput<'_>,
    axes: Axes,
    reach: &mut Reach<'_>,
) -> Option<HeatmapEvent> {
    let (grid, table, is_whole) = (layout.grid, look.table, reach.zoom.is_whole());
    // Only what is larger than its frame can be dragged: else a finger scrolls what is around it.
    let sense = if is_whole { Sense::click() } else { Sense::click_and_drag() };
    let response = ui.interact(grid.rect, ui.scope_id().with("heatmap cells"), sense);
    // Rings at the edge of the whole may stand over it; what is beyond a part must not.
    let clipped = ui.painter().with_clip_rect(if is_whole { ui.clip_rect() } else { grid.rect.expand(1.0) });
    let slice = input.launch.requested_smem_bytes();
    let has_kernels = axes == Axes::RegistersByThreads && !input.points.is_empty();
    let kernels = if has_kernels { Clusters::new(table, &grid, input.points, slice, input.selected) } else { Clusters::default() };
    let pointer = response.hover_pos().filter(|_| !response.dragged());
    let hovered = pointer.and_then(|at| kernels.under(at));
    let hovered_cell = pointer.and_then(|at| grid.cell_at(at)).filter(|_| hovered.is_none());

    look.paint_cells(ui.painter(), &clipped);
    look.paint_axes(ui.painter(), layout);
    let pinned = input.pinned.and_then(|pinned| pinned_cell(table, input.launch, pinned, axes));
    let taken = taken(look, pinned, &kernels);
    cliff_labels::paint_labels(ui.painter(), look, &cliff_labels::labels(look, &taken));
    look.paint_marks(&clipped, &Marks { pinned, hovered: hovered_cell });
    if response.has_focus() {
        paint::icons::focus_ring(ui.painter(), look.theme, grid.rect);
    }
    if axes == Axes::RegistersByThreads {
        points::paint_lines(&clipped, look, input, &points::lines(table, &grid, input.points, input.selected));
    }
    points::paint_points(&clipped, look, input, &kernels, hovered);
    if let Some(cell) = hovered_cell {
        tip::at_pointer(&response, |ui| cell_tip(ui, look, input, cell));
    } else if let Some(cluster) = hovered {
        tip::at_pointer(&response, |ui| points_tip::points_tip(ui, input, &cluster.members(input.points)));
    }
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(value_in_words(input, axes)),
        ..WidgetInfo::labeled(Role::Canvas, true, accessible_name(look, input, reach))
    });
    reach.zoom = reach.of_pointer(ui, &response);
    if response.has_focus() {
        keep_arrow_keys(ui, &response);
        reach.zoom = reach.of_keys(ui);
    }
    let ends = [reach.extents[0].whole.last, reach.extents[1].whole.last];
    let clicked = clicked(&response, table, &grid, input, &kernels);
    reach.held.settle(ui, &response, clicked, is_whole).or_else(|| walked(ui, &response, table, input.launch, ends))
}

/// Where labels must not stand: on the present and the pinned launch, the lines through the present one, letters and kernels.
fn taken(look: &Look<'_>, pinned: Option<(usize, usize)>, kernels: &Clusters) -> Vec<Rect> {
    let (grid, table) = (&look.grid, look.table);
    let marks = kernels.clusters.iter().map(|cluster| points::square(cluster.at, cluster.radius + 4.0));
    let mut taken: Vec<Rect> = marks.chain(points::plates(grid, kernels).into_iter().map(|plate| plate.rect)).collect();
    taken.extend(kernels.selected.map(|(_, at, radius)| points::square(at, radius + 4.0)));
    if let Some(cell) = table.present_cell() {
        let ring = Rect::from_center_size(grid.center(cell), Vec2::splat(20.0));
        taken.push(if look.has_figures() { grid.cell_rect(cell).expand(4.0) } else { ring });
    }
    taken.extend(pinned.map(|cell| Rect::from_center_size(grid.center(cell), Vec2::splat(18.0))));
    let (x, y) = (grid.rect.x_range(), grid.rect.y_range());
    let line = |middle: f32| Rangef::new(middle - 1.0, middle + 1.0);
    taken.extend(table.x.present_cell().map(|column| Rect::from_x_y_ranges(line(grid.middle_x(column)), y)));
    taken.extend(table.y.present_cell().map(|row| Rect::from_x_y_ranges(x, line(grid.middle_y(row)))));
    if look.mode == Mode::Limiter {
        taken.extend(table.letters().iter().filter_map(|spot| look.letters_rect(spot)));
    }
    taken
}

fn keep_arrow_keys(ui: &Ui, response: &Response) {
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
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
        .map(|points| format!("{} points against the pinned {}", crate::fmt::signed_points(points), reference_in_words(look)))
        .or_else(|| mode_in_words(look, input, cell));
    tip::answer_tip(ui, input.arch, &launch, difference.as_deref());
}

/// What the color of a cell says, in the modes that compare.
fn mode_in_words(look: &Look<'_>, input: &HeatmapInput<'_>, cell: (usize, usize)) -> Option<String> {
    let table = look.table;
    match look.mode {
        Mode::OtherGpu => {
            let other = input.other?;
            let most = other.arch.max_warps_per_sm();
            let against = |percent| format!("{} has {}", other.name, crate::fmt::occupancy(percent, most));
            let there = table.other_percent(cell).map_or_else(|| format!("{} cannot launch it", other.name), against);
            let points = table.other_points(cell).map(|points| format!("{} points: ", crate::fmt::signed_points(points)));
            Some(points.unwrap_or_default() + &there)
        }
        Mode::Better => match table.face(cell, look.mode, look.reference, look.ends) {
            Face::AsGoodWithFewer => Some("As good as now or better, with no more resources".to_owned()),
            Face::AsGoodWithMore => Some("As good as now or better, with more of something".to_owned()),
            Face::Worse => Some("Less occupancy than now".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// What the chart is, the answer of the present launch in words, what the mode compares, and what is shown.
fn accessible_name(look: &Look<'_>, input: &HeatmapInput<'_>, reach: &Reach<'_>) -> String {
    let table = look.table;
    let compared = match look.mode {
        Mode::OtherGpu => table.present_cell().and_then(|cell| mode_in_words(look, input, cell)),
        Mode::Better => Some(as_good_in_words(look)),
        _ => None,
    };
    let compared = compared.map(|words| format!(". {words}")).unwrap_or_default();
    let on_chart = reach.extents.iter().all(|extent| extent.whole.present_cell().is_some());
    let place = match (on_chart, table.present_cell()) {
        (false, _) => ", beyond the chart",
        (true, None) => ", beyond what is shown",
        (true, Some(_)) => "",
    };
    let shown = if reach.zoom.is_whole() {
        String::new()
    } else {
        format!(". Zoomed in, showing {}, {}", table.y.range_text(), table.x.range_text())
    };
    format!(
        "Occupancy by {} and {} on {}. {}{place}{compared}{shown}",
        table.x.caption(),
        table.y.caption(),
        input.gpu_name,
        tip::answer_in_words(input.arch, input.launch)
    )
}

/// Where the present launch is and what it has: what changes while the keys walk.
fn value_in_words(input: &HeatmapInput<'_>, axes: Axes) -> String {
    let (x, y) = axes.variables();
    let at = [x, y].map(|variable| value_text(variable, variable.get(input.launch)));
    let occupancy = evaluate(input.arch, input.launch);
    let answer = if occupancy.can_launch() {
        crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm)
    } else {
        "cannot launch".to_owned()
    };
    format!("{}, {}: {answer}", at[0], at[1])
}

/// The occupancy that cells are compared with.
fn reference_in_words(look: &Look<'_>) -> String {
    crate::fmt::occupancy(look.reference, look.table.max_warps_per_sm)
}

/// How many of the cells shown are as good as the present launch.
fn as_good_in_words(look: &Look<'_>) -> String {
    let cells = (0..look.grid.rows).flat_map(|row| (0..look.grid.columns).map(move |column| (column, row)));
    let faces: Vec<Face> = cells.map(|at| look.table.face(at, look.mode, look.reference, look.ends)).collect();
    let count = |face| crate::fmt::grouped(faces.iter().filter(|other| **other == face).count() as u64);
    format!(
        "As good as {} or better: {} of {} cells with no more resources, {} with more of something",
        reference_in_words(look),
        count(Face::AsGoodWithFewer),
        crate::fmt::grouped(faces.len() as u64),
        count(Face::AsGoodWithMore),
    )
}

fn clicked(response: &Response, table: &Table, grid: &Grid, input: &HeatmapInput<'_>, kernels: &Clusters) -> Option<HeatmapEvent> {
    if !response.clicked() {
        return None;
    }
    response.request_focus();
    let at: Pos2 = response.interact_pointer_pos()?;
    if let Some(next) = kernels.under(at).and_then(|cluster| cluster.next(input.points, input.selected)) {
        return Some(HeatmapEvent::Select(next));
    }
    let launch = table.launch_at(input.launch, grid.cell_at(at)?);
    (launch != *input.launch).then_some(HeatmapEvent::GoTo(launch))
}

/// Arrow keys walk one cell of the size that is shown, while the chart has the focus; `ends` are the largest values.
fn walked(ui: &Ui, response: &Response, table: &Table, launch: &Launch, ends: [u64; 2]) -> Option<HeatmapEvent> {
    if !response.has_focus() {
        return None;
    }
    let [x, y] = [(&table.x, ends[0]), (&table.y, ends[1])];
    let steps = [(Key::ArrowLeft, x, -1), (Key::ArrowRight, x, 1), (Key::ArrowDown, y, -1), (Key::ArrowUp, y, 1)];
    let ((scale, end), cells) = ui.input_mut(|input| {
        steps.into_iter().find_map(|(key, scale, cells)| input.consume_key(Modifiers::NONE, key).then_some((scale, cells)))
    })?;
    Some(HeatmapEvent::GoTo(scale.variable.set(launch, scale.walk(cells, end)?)))
}
