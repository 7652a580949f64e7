//! A kernel that a compiler described: what it takes, and the block size that only a launch can decide.

use egui::{RichText, Ui};

use super::detail;
use crate::engine::evaluate;
use crate::fmt::{bytes, counted};
use crate::gui::theme::{self, Theme, size};
use crate::gui::views::inputs::fields::{Edit, Kind, NumberInput};
use crate::gui::widgets::{heading, note, pair, remark, rule};
use crate::import::account::{Account, launch_with_block};
use crate::import::{Compiled, Kernel};
use crate::session::{Action, Configuration, GpuChoice, Screen};
use crate::units::Dim3;

/// Asks for the block, says what it leads to, and takes it to Explore. `threads` is the block that is looked at.
pub fn compiled_ui(ui: &mut Ui, kernel: &Kernel, account: &Account, compiled: &Compiled, threads: &mut u32, actions: &mut Vec<Action>) {
    facts_ui(ui, kernel, compiled);
    rule(ui, 20.0);
    heading(ui, "Choose a block", "a compiler does not know it");
    block_ui(ui, compiled, threads);
    let Some((arch, launch)) = account.arch.as_ref().zip(launch_with_block(kernel, Dim3::linear(*threads))) else {
        let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
        remark(ui, &format!("The engine has no answer yet, because this lacks: {}.", missing.join(", ")));
        return;
    };
    let occupancy = evaluate(arch, &launch);
    pair(ui, "Theoretical occupancy", &crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm));
    pair(ui, "Blocks per SM", &occupancy.blocks_per_sm.to_string());
    let sentence = crate::explain::headline(arch, &launch, &occupancy);
    note(ui, &sentence.to_string());
    note(ui, "Dynamic shared memory is taken as 0; a launch decides it too.");
    ui.add_space(8.0);
    if detail::explore_button(ui, true) {
        let gpu = account.gpu.as_ref().map_or(GpuChoice::Capability(arch.compute_capability), GpuChoice::product);
        actions.push(Action::SetConfiguration(Configuration { gpu, launch }));
        actions.push(Action::ShowScreen(Screen::Explore));
    }
}

fn facts_ui(ui: &mut Ui, kernel: &Kernel, compiled: &Compiled) {
    let theme = Theme::of(ui);
    if compiled.mangled_name != kernel.name {
        let mangled = RichText::new(&compiled.mangled_name).font(theme::mono(size::CAPTION)).color(theme.palette.text3);
        ui.add(egui::Label::new(mangled).wrap());
    }
    let facts = [
        ("Registers", kernel.registers_per_thread.map(|read| read.value.to_string())),
        ("Static shared memory", kernel.static_smem_bytes.map(|read| bytes(read.value))),
        ("Barriers", kernel.barriers.map(|read| read.value.to_string())),
        ("Stack", compiled.stack_bytes.map(|read| bytes(read.value))),
        ("Spill stores", compiled.spill_store_bytes.map(|read| bytes(read.value))),
        ("Spill loads", compiled.spill_load_bytes.map(|read| bytes(read.value))),
        ("Launch bounds", compiled.max_threads_per_block.map(|read| counted(read.value, "thread"))),
    ];
    for (name, value) in facts {
        pair(ui, name, value.as_deref().unwrap_or("not said"));
    }
}

fn block_ui(ui: &mut Ui, compiled: &Compiled, threads: &mut u32) {
    ui.spacing_mut().interact_size.y = theme::CONTROL_HEIGHT;
    let bound = compiled.max_threads_per_block.map_or(1024, |read| read.value);
    let input = NumberInput {
        name: "Threads of a block",
        value: (*threads).into(),
        kind: Kind::Count,
        range: 32..=bound.clamp(32, 1024),
        step: 32,
        slider: true,
        note: String::new(),
        hint: "As the program launches it",
    };
    if let Edit::Changed(value) = input.ui(ui) {
        *threads = u32::try_from(value).unwrap_or(u32::MAX).max(1);
    }
    if u64::from(*threads) > bound {
        note(ui, &format!("Its launch bounds promise at most {}.", counted(bound, "thread")));
    }
}
