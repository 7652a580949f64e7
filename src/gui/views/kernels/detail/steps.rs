//! Next steps: the nearest changes that gain a block, and the nearest grid that fills its waves.

use egui::Ui;

use crate::engine::advice::gains;
use crate::engine::{Launch, Waves};
use crate::fmt::{counted, grouped, percent};
use crate::gui::views::answer::model::{NextStep, next_step};
use crate::gui::views::answer::next_step_ui;
use crate::gui::widgets::{heading, remark, rule};
use crate::import::account::Account;
use crate::session::{Action, Configuration, GpuChoice, Screen};
use crate::units::Dim3;

/// A click takes the changed launch to Explore.
pub(super) fn steps_ui(ui: &mut Ui, account: &Account, actions: &mut Vec<Action>) {
    let Some((arch, launch, occupancy)) = account.computed() else { return };
    rule(ui, 20.0);
    heading(ui, "Next steps", "opens in Explore");
    let mut steps: Vec<NextStep> = gains(arch, launch).iter().map(next_step).take(3).collect();
    steps.extend(account.waves.as_ref().and_then(|waves| grid_step(launch, waves)));
    for step in &steps {
        if next_step_ui(ui, step).clicked() {
            let gpu = account.gpu.as_ref().map_or(GpuChoice::Capability(arch.compute_capability), GpuChoice::product);
            actions.push(Action::SetConfiguration(Configuration { gpu, launch: step.launch.clone() }));
            actions.push(Action::ShowScreen(Screen::Explore));
        }
    }
    if steps.is_empty() {
        let full = occupancy.active_warps_per_sm() >= occupancy.max_warps_per_sm;
        remark(ui, if full { "Every warp slot is used, and the waves are full." } else { "No single change gains a warp." });
    }
}

/// A grid with as many waves and no idle slot; none when this one has none.
fn grid_step(launch: &Launch, waves: &Waves) -> Option<NextStep> {
    if waves.partial_wave_blocks == 0 {
        return None;
    }
    let (_, above) = waves.full_wave_grids();
    let more = above - waves.grid_blocks;
    let gains = waves.theoretical_percent() - waves.grid_limited_percent() > 1e-9;
    // With one block an SM a tail costs time, but an SM without a block does not count in the occupancy.
    let (result, result_note) =
        if gains { (percent(waves.theoretical_percent()), "grid-limited") } else { ("no tail".to_owned(), "same occupancy") };
    Some(NextStep {
        title: format!("Grid {} → {}", grouped(waves.grid_blocks), grouped(above)),
        note: format!("{} more, still {}", counted(more, "block"), counted(waves.total_waves(), "wave")),
        result,
        result_note: result_note.to_owned(),
        launch: Launch { grid: Some(Dim3::linear(u32::try_from(above).ok()?)), ..launch.clone() },
    })
}
