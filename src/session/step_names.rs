//! What each change is called in the undo menu.

use super::action::Action;
use crate::fmt::bytes;

/// The step in the imperative: "Set registers to 72". What changes no document has no name.
pub(super) fn step_name(action: &Action) -> String {
    match action {
        Action::SelectGpu(gpu) => format!("Choose {gpu}"),
        Action::SetBlock(block) if block.is_linear() => format!("Set threads to {}", block.x),
        Action::SetBlock(block) => format!("Set the block to {block}"),
        Action::SetRegistersPerThread(registers) => format!("Set registers to {registers}"),
        Action::SetStaticSmemBytes(size) => format!("Set static shared memory to {}", bytes(*size)),
        Action::SetDynamicSmemBytes(size) => format!("Set dynamic shared memory to {}", bytes(*size)),
        Action::SetOptIn(true) => format!("Opt in above {}", bytes(48 * 1024)),
        Action::SetOptIn(false) => format!("Do not opt in above {}", bytes(48 * 1024)),
        Action::SetMaxDynamicSmemBytes(_) => "Set the maximum of dynamic shared memory".to_owned(),
        Action::SetCarveoutPercent(Some(percent)) => format!("Set the carve-out to {percent} %"),
        Action::SetCarveoutPercent(None) => "Leave the carve-out to the driver".to_owned(),
        Action::SetCachePreference(_) => "Set the cache preference".to_owned(),
        Action::SetPartitionedCaching(_) => "Set partitioned caching".to_owned(),
        Action::SetBarriersPerBlock(barriers) => format!("Set barriers to {barriers}"),
        Action::SetClusterSize(size) => format!("Set the cluster size to {size}"),
        Action::SetLaunchBounds(_) => "Set the launch bounds".to_owned(),
        Action::SetGrid(Some(grid)) => format!("Set the grid to {grid}"),
        Action::SetGrid(None) => "Leave the grid open".to_owned(),
        Action::SetLaunch(launch) => {
            format!("Go to {} threads, {} registers", launch.threads_per_block(), launch.registers_per_thread)
        }
        Action::SetConfiguration(_) => "Take a configuration".to_owned(),
        Action::PinConfiguration => "Pin".to_owned(),
        Action::Unpin => "Unpin".to_owned(),
        Action::UsePreset(preset) => format!("Use \"{}\"", preset.name),
        Action::AddPresets(presets) if presets.len() == 1 => format!("Add preset \"{}\"", presets[0].name),
        Action::AddPresets(_) => "Add presets".to_owned(),
        Action::ReplacePreset { name, preset } if *name == preset.name => format!("Change preset \"{name}\""),
        Action::ReplacePreset { name, .. } => format!("Rename preset \"{name}\""),
        Action::DuplicatePreset(name) => format!("Duplicate preset \"{name}\""),
        Action::MovePreset { name, .. } => format!("Move preset \"{name}\""),
        Action::DeletePreset(name) => format!("Delete preset \"{name}\""),
        Action::PasteText(_) => "Paste a preset".to_owned(),
        Action::TakeSession { .. } => "Open a session".to_owned(),
        Action::CompareWith(gpu) => format!("Compare with {gpu}"),
        Action::StopComparing(gpu) => format!("Stop comparing with {gpu}"),
        Action::SetCatalog { .. } => "Choose a GPU of your own".to_owned(),
        Action::AddReport(report) => format!("Open {}", report.name()),
        Action::ReplaceReport(_) => "Read a file again".to_owned(),
        Action::CloseReport(_) => "Close a report".to_owned(),
        Action::SetReportGpu { gpu, .. } => format!("Say that a report is from {gpu}"),
        Action::SelectKernel(_) => "Select a kernel".to_owned(),
        Action::ExploreKernel(_) => "Take a kernel to Explore".to_owned(),
        _ => String::new(),
    }
}
