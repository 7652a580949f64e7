//! The selected kernel as a slide: three occupancies, where the gap goes, its waves, and what matters besides.

use egui::{RichText, ScrollArea, Ui, vec2};

use crate::fmt::{bytes, counted};
use crate::gui::theme::{self, Theme, size};
use crate::gui::views::kernels::detail::{self, gap, matters};
use crate::gui::views::kernels::waves::model_of_grid_ui;
use crate::import::account::Account;
use crate::import::{Compiled, Kernel};
use crate::session::Session;

/// Between the two columns.
const GAP: f32 = 40.0;
/// What stands around the strip of waves in its column.
const AROUND_STRIP: f32 = 250.0;

/// Draws the slide of the selected kernel, if there is one.
pub fn kernel_ui(ui: &mut Ui, session: &Session) {
    let Some((kernel, account)) = session.selected() else { return };
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.spacing_mut().interact_size.y = 18.0;
    ui.add_space(4.0);
    match kernel.compiled.as_ref().filter(|_| account.launch.is_none()) {
        Some(compiled) => compiled_ui(ui, kernel, compiled),
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

fn compiled_ui(ui: &mut Ui, kernel: &Kernel, compiled: &Compiled) {
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
    for (name, value) in facts {
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).font(theme::words(size::TITLE)).color(palette.text2));
            ui.label(RichText::new(value.as_deref().unwrap_or("not said")).font(theme::mono_bold(size::TITLE)));
        });
    }
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

/// Two columns; one over the whole width where the slide is narrow.
fn columns_ui(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui)) {
    let size = ui.available_size();
    let width = (size.x - GAP) / 2.0;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for (index, column) in [Box::new(left) as Box<dyn FnOnce(&mut Ui)>, Box::new(right)].into_iter().enumerate() {
            ui.allocate_ui(vec2(width, size.y), |ui| {
                ui.set_width(width);
                ScrollArea::vertical().id_salt(index).auto_shrink([false, false]).show(ui, |ui| {
                    ui.spacing_mut().item_spacing.x = 8.0;
                    column(ui);
                });
            });
        }
    });
}
