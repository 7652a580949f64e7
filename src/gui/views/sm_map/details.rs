//! What pointing at the map tells: a block's numbers, or a resource's rules with the numbers put in.

use egui::{Grid, Pos2, Response, RichText, Role, Sense, Ui, WidgetInfo};

use super::SmMap;
use super::layout::SmMapLayout;
use super::model::{Row, SmMapModel};
use super::words::smem_share;
use crate::engine::Resource;
use crate::engine::trace::{Step, trace};
use crate::fmt::{counted, grouped};
use crate::gui::theme::{self, Theme, size};

const MODEL_NOTE: &str = "Amounts are exact. Which warp goes to which sub-partition is a model: the hardware's own choice is not public.";

/// Names every row for screen readers and explains what is under the pointer.
pub(super) fn rows_ui(ui: &Ui, map: &Response, input: &SmMap<'_>, model: &SmMapModel, layout: &SmMapLayout) {
    for (row, laid) in model.rows.iter().zip(&layout.rows) {
        let response = ui.interact(laid.bounds(), map.id.with(row.resource), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name(row)));
        let block = response.hover_pos().and_then(|at: Pos2| layout.block_at(model, at));
        response.on_hover_ui_at_pointer(|ui| match block {
            Some(block) => block_ui(ui, input, model, block),
            None => row_ui(ui, input, row),
        });
    }
}

fn name(row: &Row) -> String {
    let note = row.notes.first().map_or_else(String::new, |note| format!(", {note}"));
    format!("{}: {}{note}", row.resource.name(), row.value)
}

/// What a block takes of everything.
fn block_ui(ui: &mut Ui, input: &SmMap<'_>, model: &SmMapModel, block: usize) {
    let theme = Theme::of(ui);
    let refused = model.refused == Some(block);
    let title = match (refused, model.partial_block() == Some(block)) {
        (true, _) => format!("Block {}, refused", block + 1),
        (_, true) => format!("Block {}, being placed", block + 1),
        _ => format!("Block {}", block + 1),
    };
    ui.label(RichText::new(title).font(theme::strong(size::BODY)));
    ui.spacing_mut().interact_size.y = 0.0;
    Grid::new("block").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
        for row in &model.rows {
            let verdict = match () {
                () if refused && row.refuses => ", refused",
                () if !refused && row.blocks <= block => ", not yet",
                () => "",
            };
            ui.label(RichText::new(row.resource.name()).color(theme.palette.text2));
            ui.label(RichText::new(share(row.resource, input, model, block) + verdict).font(theme::mono(size::NOTE)));
            ui.end_row();
        }
    });
    if let Some(rounding) = rounding(model) {
        ui.label(RichText::new(rounding).font(theme::words(size::NOTE)).color(theme.palette.text2));
    }
    ui.label(RichText::new(MODEL_NOTE).font(theme::words(size::NOTE)).color(theme.palette.text2));
}

/// "41 registers a thread asked, 48 allocated".
fn rounding(model: &SmMapModel) -> Option<String> {
    let registers = &model.occupancy.registers;
    let (asked, allocated) = (registers.requested_per_thread, registers.allocated_per_thread);
    (asked != allocated).then(|| format!("{asked} registers a thread asked, {allocated} allocated."))
}

fn share(resource: Resource, input: &SmMap<'_>, model: &SmMapModel, block: usize) -> String {
    let occupancy = &model.occupancy;
    let registers = &occupancy.registers;
    match resource {
        Resource::Warps => counted(occupancy.warps_per_block.into(), "warp"),
        Resource::Registers => format!(
            "{} = {} × {}",
            grouped(registers.allocated_per_block),
            grouped(occupancy.warps_per_block.into()),
            grouped(registers.allocated_per_warp)
        ),
        Resource::SharedMemory if occupancy.smem.allocated_per_block == 0 => "none".to_owned(),
        Resource::SharedMemory => smem_share(occupancy).replace(" a block", ""),
        Resource::Blocks => format!("slot {}", block + 1),
        Resource::Barriers => counted(input.launch.barriers_per_block.into(), "barrier"),
    }
}

/// The rules of a resource, with the numbers of this launch.
fn row_ui(ui: &mut Ui, input: &SmMap<'_>, row: &Row) {
    let theme = Theme::of(ui);
    ui.label(RichText::new(row.resource.name()).font(theme::strong(size::BODY)));
    for step in trace(input.arch, input.launch, None).iter().filter(|step| rules(row.resource).contains(&step.rule)) {
        ui.label(RichText::new(step.rule).font(theme::words(size::NOTE)).color(theme.palette.text2));
        ui.label(RichText::new(calculation(step)).font(theme::mono(size::NOTE)));
    }
}

fn calculation(step: &Step) -> String {
    if step.numbers == step.result {
        return format!("{} {}", step.result, step.unit);
    }
    format!("{} = {} {}", step.numbers, step.result, step.unit)
}

/// The steps of the calculation that are about a resource.
const fn rules(resource: Resource) -> &'static [&'static str] {
    match resource {
        Resource::Warps => &["Warps per block", "Limit by warp slots"],
        Resource::Registers => &["Registers per warp", "Warps per register file", "Limit by registers"],
        Resource::SharedMemory => &["Shared memory per block", "Shared-memory pool", "Limit by shared memory"],
        Resource::Blocks => &["Limit by block slots"],
        Resource::Barriers => &["Limit by barriers"],
    }
}
