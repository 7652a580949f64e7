//! The selected kernel as a slide: three occupancies, where the gap goes, its waves, and what matters besides.

use egui::{Align, Grid, Layout, Rect, RichText, Ui, UiBuilder, vec2};

use crate::arch::Arch;
use crate::engine::evaluate;
use crate::fmt::{bytes, counted, percent};
use crate::gui::theme::{self, Theme, size};
use crate::gui::views::kernels::detail::{self, gap, matters};
use crate::gui::views::kernels::waves::model_of_grid_ui;
use crate::import::account::{Account, launch_with_block};
use crate::import::{Compiled, Kernel};
use crate::session::Session;
use crate::units::Dim3;

/// Between the two columns.
const GAP: f32 = 40.0;
/// Threads of the blocks with which a compiled kernel is looked at.
const BLOCKS: [u32; 5] = [64, 128, 256, 512, 1024];
/// What stands around the strip of waves in its column.
const AROUND_STRIP: f32 = 250.0;

/// Draws the slide of the selected kernel, if there is one.
pub fn kernel_ui(ui: &mut Ui, session: &Session) {
    let Some((kernel, account)) = session.selected() else { return };
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.spacing_mut().interact_size.y = 18.0;
    ui.add_space(4.0);
    match kernel.compiled.as_ref().filter(|_| account.launch.is_none()) {
        Some(compiled) => compiled_ui(ui, kernel, account, compiled),
        None => profiled_ui(ui, kernel, account),
    }
}

fn profiled_ui(ui: &mut Ui, kernel: &Kernel, account: &Account) {
    let occupancies = detail::occupancies(account);
    let figures = occupancies.map(|(name, value, note)| (name, value.map(crate::fmt::one_decimal), "%", note));
    figures_ui(ui, &figures);
    ui.add_space(8.0);
    columns_ui(
        ui,
        |ui| {
            gap::gap_ui(ui, account);
            if account.waves.is_some() && account.gap.is_some() {
                return;
            }
            ui.add_space(8.0);
            matters::matters_ui(ui, kernel);
        },
        |ui| {
            if let Some(waves) = &account.waves {
                let height = (ui.available_height() - AROUND_STRIP).clamp(72.0, 150.0);
                model_of_grid_ui(ui, waves, height);
                ui.add_space(8.0);
                matters::matters_ui(ui, kernel);
            }
        },
    );
}

fn compiled_ui(ui: &mut Ui, kernel: &Kernel, account: &Account, compiled: &Compiled) {
    let spills = compiled.spill_store_bytes.map(|read| read.value);
    let registers = kernel.registers_per_thread.map(|read| read.value.to_string());
    let smem = kernel.static_smem_bytes.map(|read| bytes(read.value));
    let figures = [
        ("Registers", registers, "", "per thread".to_owned()),
        ("Static shared memory", smem, "", "per block".to_owned()),
        ("Spill stores", spills.map(bytes), "", "per thread".to_owned()),
    ];
    figures_ui(ui, &figures);
    ui.add_space(16.0);
    let facts = [
        ("Spill loads", compiled.spill_load_bytes.map(|read| bytes(read.value))),
        ("Stack", compiled.stack_bytes.map(|read| bytes(read.value))),
        ("Barriers", kernel.barriers.map(|read| read.value.to_string())),
        ("Launch bounds", compiled.max_threads_per_block.map(|read| counted(read.value, "thread"))),
    ];
    let palette = Theme::of(ui).palette;
    columns_ui(
        ui,
        |ui| {
            Grid::new("compiled").num_columns(2).spacing([32.0, 8.0]).show(ui, |ui| {
                for (name, value) in facts {
                    ui.label(RichText::new(name).font(theme::words(size::TITLE)).color(palette.text2));
                    ui.label(RichText::new(value.as_deref().unwrap_or("not said")).font(theme::mono_bold(size::TITLE)));
                    ui.end_row();
                }
            });
        },
        |ui| {
            if let Some(arch) = &account.arch {
                blocks_ui(ui, kernel, arch);
            }
        },
    );
}

/// A name, a value as large as the answer, its unit, and a note under it.
type Figure = (&'static str, Option<String>, &'static str, String);

fn figures_ui(ui: &mut Ui, figures: &[Figure; 3]) {
    let palette = Theme::of(ui).palette;
    ui.columns(3, |columns| {
        for (ui, (name, value, unit, note)) in columns.iter_mut().zip(figures) {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.label(RichText::new(*name).font(theme::medium(size::TITLE)).color(palette.text2));
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(RichText::new(value.as_deref().unwrap_or("–")).font(theme::mono_bold(size::ANSWER)));
                if value.is_some() {
                    ui.label(RichText::new(*unit).font(theme::mono(size::FIGURE)).color(palette.text2));
                }
            });
            ui.label(RichText::new(note).font(theme::words(size::TITLE)).color(palette.text2));
        }
    });
}

/// Two columns, each as high as the slide.
fn columns_ui(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui)) {
    let size = vec2((ui.available_width() - GAP) / 2.0, ui.available_height());
    let column = |ui: &mut Ui, place: egui::Pos2, content: &mut dyn FnMut(&mut Ui)| {
        let builder = UiBuilder::new().max_rect(Rect::from_min_size(place, size)).layout(Layout::top_down(Align::Min));
        ui.scope_builder(builder, content);
    };
    let (top, mut left, mut right) = (ui.cursor().min, Some(left), Some(right));
    column(ui, top, &mut |ui| left.take().into_iter().for_each(|left| left(ui)));
    column(ui, top + vec2(size.x + GAP, 0.0), &mut |ui| right.take().into_iter().for_each(|right| right(ui)));
}

/// What blocks of several sizes make of a compiled kernel, whose block a launch has yet to choose.
fn blocks_ui(ui: &mut Ui, kernel: &Kernel, arch: &Arch) {
    let palette = Theme::of(ui).palette;
    let small = |text: &str| RichText::new(text).font(theme::words(size::TITLE)).color(palette.text2);
    ui.label(small("With a block of"));
    ui.add_space(4.0);
    Grid::new("blocks").num_columns(3).spacing([32.0, 8.0]).show(ui, |ui| {
        for threads in BLOCKS {
            let Some(launch) = launch_with_block(kernel, Dim3::linear(threads)) else { continue };
            let occupancy = evaluate(arch, &launch);
            ui.label(small(&counted(threads.into(), "thread")));
            ui.label(RichText::new(percent(occupancy.theoretical_percent())).font(theme::mono_bold(size::FIGURE)));
            ui.label(small(&format!("{} per SM", counted(occupancy.blocks_per_sm.into(), "block"))));
            ui.end_row();
        }
    });
}
