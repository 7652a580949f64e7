//! The columns of the table: their headings, what they mean, and how much room they need.

use crate::session::TableColumn;

use TableColumn as C;

/// The heading, with its unit.
pub const fn heading(column: C) -> &'static str {
    match column {
        C::Name => "Kernel",
        C::Change => "Change",
        C::Launches => "Launches",
        C::Duration => "Time, µs",
        C::DurationChange => "± time, %",
        C::TimeShare => "Time, %",
        C::Gpu => "GPU",
        C::Block => "Block",
        C::Grid => "Grid",
        C::Registers => "Regs",
        C::RegistersChange => "± regs",
        C::SharedMemory => "Shared, KiB",
        C::Blocks => "B/SM",
        C::Limiters => "Limit",
        C::Bar => "Occupancy, 0–100 %",
        C::Theoretical => "Theor., %",
        C::TheoreticalChange => "± theor.",
        C::GridLimited => "Grid-lim., %",
        C::Achieved => "Achieved, %",
        C::AchievedChange => "± achieved",
        C::Gap => "Gap, pts",
        C::Tail => "Tail ≤, pts",
        C::Waves => "Waves",
    }
}

/// The heading on screen, with the unit that a person prefers.
pub fn shown_heading(column: C) -> String {
    let unit = |percent: &str| percent.replace('%', "warps");
    match column {
        C::Theoretical | C::GridLimited | C::Achieved if crate::fmt::in_warps() => unit(heading(column)),
        C::SharedMemory => format!("Shared, {}", crate::fmt::size_unit()),
        _ => heading(column).to_owned(),
    }
}

/// [`explained`], with the unit that a person prefers.
pub fn shown_explanation(column: C) -> String {
    match column {
        C::Theoretical | C::GridLimited | C::Achieved if crate::fmt::in_warps() => explained(column).replace("percent", "warps per SM"),
        C::SharedMemory => explained(column).replace("KiB", crate::fmt::size_unit()),
        _ => explained(column).to_owned(),
    }
}

/// The heading in full, for tooltips, menus and screen readers.
pub const fn explained(column: C) -> &'static str {
    match column {
        C::Name => "Kernel name",
        C::Change => "What became of the kernel since the baseline",
        C::Launches => "Launches of this kernel with this shape",
        C::Duration => "Duration in microseconds, of all launches of a group together",
        C::DurationChange => "Change of the duration since the baseline, percent",
        C::TimeShare => "Share of all durations in its file, percent",
        C::Gpu => "GPU that it ran on",
        C::Block => "Threads per block",
        C::Grid => "Blocks in the grid",
        C::Registers => "Registers per thread",
        C::RegistersChange => "Change of the registers per thread since the baseline",
        C::SharedMemory => "Shared memory per block in KiB, static and dynamic, without the driver's reserve",
        C::Blocks => "Blocks per SM",
        C::Limiters => "What stops the next block",
        C::Bar => "Achieved, where the gap goes, and theoretical occupancy, from 0 to 100 percent",
        C::Theoretical => "Theoretical occupancy, percent",
        C::TheoreticalChange => "Change of the theoretical occupancy since the baseline, points",
        C::GridLimited => "Grid-limited occupancy, percent",
        C::Achieved => "Achieved occupancy, percent; of a group the median of its launches",
        C::AchievedChange => "Change of the mean achieved occupancy since the baseline, points",
        C::Gap => "Theoretical minus achieved occupancy, points",
        C::Tail => "Points of the gap that the tail can explain at most",
        C::Waves => "Waves of the grid",
    }
}

/// A short name for the menu of columns.
pub const fn short(column: C) -> &'static str {
    match column {
        C::Name => "Kernel name",
        C::Change => "Change since the baseline",
        C::Launches => "Number of launches",
        C::Duration => "Duration",
        C::DurationChange => "Change of the duration",
        C::TimeShare => "Share of the time",
        C::Gpu => "GPU",
        C::Block => "Threads per block",
        C::Grid => "Blocks in the grid",
        C::Registers => "Registers per thread",
        C::RegistersChange => "Change of the registers",
        C::SharedMemory => "Shared memory per block",
        C::Blocks => "Blocks per SM",
        C::Limiters => "Limiter",
        C::Bar => "Bar of the gap",
        C::Theoretical => "Theoretical occupancy",
        C::TheoreticalChange => "Change of the theoretical occupancy",
        C::GridLimited => "Grid-limited occupancy",
        C::Achieved => "Achieved occupancy",
        C::AchievedChange => "Change of the achieved occupancy",
        C::Gap => "Gap",
        C::Tail => "Tail, at most",
        C::Waves => "Waves",
    }
}

/// What the column is called in a CSV file.
pub const fn key(column: C) -> &'static str {
    match column {
        C::Name => "name",
        C::Change => "change",
        C::Launches => "launches",
        C::Duration => "duration_us",
        C::DurationChange => "duration_change_percent",
        C::TimeShare => "time_share_percent",
        C::Gpu => "gpu",
        C::Block => "block_threads",
        C::Grid => "grid_blocks",
        C::Registers => "registers_per_thread",
        C::RegistersChange => "registers_change",
        C::SharedMemory => "smem_bytes",
        C::Blocks => "blocks_per_sm",
        C::Limiters => "limiters",
        C::Bar => "bar",
        C::Theoretical => "theoretical_occupancy_percent",
        C::TheoreticalChange => "theoretical_change_points",
        C::GridLimited => "grid_limited_occupancy_percent",
        C::Achieved => "achieved_occupancy_percent",
        C::AchievedChange => "achieved_change_points",
        C::Gap => "gap_points",
        C::Tail => "tail_up_to_points",
        C::Waves => "waves",
    }
}

pub const fn is_left_aligned(column: C) -> bool {
    matches!(column, C::Name | C::Limiters | C::Bar | C::Gpu | C::Change)
}

/// The width, in points. Name and bar take what is left.
pub const fn width(column: C) -> f32 {
    match column {
        C::Name => 190.0,
        C::Bar => 120.0,
        C::Gpu => 150.0,
        C::Duration => 92.0,
        C::Grid => 84.0,
        C::GridLimited | C::Achieved | C::SharedMemory | C::AchievedChange => 86.0,
        C::DurationChange => 78.0,
        C::Change | C::Theoretical | C::TheoreticalChange => 72.0,
        C::Tail => 80.0,
        C::Launches => 76.0,
        C::Limiters | C::TimeShare | C::Gap => 66.0,
        C::Waves => 64.0,
        C::Block | C::RegistersChange => 54.0,
        C::Registers => 48.0,
        C::Blocks => 46.0,
    }
}

/// The columns that are shown where nobody has chosen, the most needed first. The rest waits in the menu.
pub fn defaults(is_grouped: bool, is_compared: bool) -> Vec<C> {
    let mut columns = vec![C::Name, C::Theoretical, C::Achieved];
    if is_compared {
        columns.extend([C::Change, C::AchievedChange, C::TheoreticalChange, C::RegistersChange, C::Registers, C::DurationChange]);
    }
    columns.extend([C::Limiters, C::Duration, C::Bar]);
    if is_grouped {
        columns.push(C::Launches);
    }
    columns.extend([C::Block, C::Registers, C::Waves, C::TimeShare, C::Tail, C::SharedMemory, C::Blocks, C::Grid, C::GridLimited, C::Gap]);
    let mut seen = Vec::new();
    columns.retain(|column| {
        !seen.contains(column) && {
            seen.push(*column);
            true
        }
    });
    columns
}
