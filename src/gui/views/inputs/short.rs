//! Threads, registers and dynamic shared memory in one row, where there is no room for all inputs.

use egui::Ui;

use super::fields::{self, Kind, NumberInput};
use super::{count, push};
use crate::session::{Action, Session};
use crate::units::Dim3;

pub fn short_inputs_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let arch = session.arch();
    let launch = &session.document().configuration.launch;
    let input =
        |name, value: u64, kind, range, step, hint| NumberInput { name, value, kind, range, step, slider: true, note: String::new(), hint };
    let threads = input(
        "Threads",
        launch.threads_per_block().into(),
        Kind::Count,
        32..=u64::from(arch.max_threads_per_block),
        32,
        "Threads per block",
    );
    let registers = input("Registers", launch.registers_per_thread.into(), Kind::Count, 0..=255, 1, "Registers per thread");
    let end = fields::smem_slider_end(arch.optin_smem_per_block_bytes);
    let dynamic = input("Dynamic", launch.dynamic_smem_bytes, Kind::Size, 0..=end, 1024, "Dynamic shared memory per block");
    // Three names and fields need that much; else they stand below one another.
    let beside = if ui.available_width() >= 540.0 { 3 } else { 1 };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 24.0;
        ui.columns(beside, |columns| {
            for column in columns.iter_mut() {
                column.spacing_mut().item_spacing.x = 8.0;
            }
            push(actions, threads.ui(&mut columns[0]), |value| Action::SetBlock(Dim3::linear(count(value))));
            push(actions, registers.ui(&mut columns[1 % beside]), |value| Action::SetRegistersPerThread(count(value)));
            push(actions, dynamic.ui(&mut columns[2 % beside]), Action::SetDynamicSmemBytes);
        });
    });
}
