//! How the table of kernels is set up: its columns, whether launches are grouped, what is compared with what.

use std::path::PathBuf;

/// What is saved of the table, and not undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableView {
    /// The chosen columns, in any order; none is as many as fit the width.
    pub columns: Option<Vec<TableColumn>>,
    /// Launches of one kernel with one shape are one row.
    pub is_grouped: bool,
    /// Open files are read again when they are written again.
    pub is_watching: bool,
    pub baseline: Option<Baseline>,
}

impl Default for TableView {
    fn default() -> Self {
        Self { columns: None, is_grouped: false, is_watching: true, baseline: None }
    }
}

/// Two open files that are compared. By path, so that it outlasts another reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    pub old: PathBuf,
    pub new: PathBuf,
}

/// A column of the table, in the order in which they stand. The name of the kernel is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableColumn {
    Name,
    /// What became of the kernel since the baseline, in a word.
    Change,
    Launches,
    Duration,
    DurationChange,
    TimeShare,
    Gpu,
    Block,
    Grid,
    Registers,
    RegistersChange,
    SharedMemory,
    Blocks,
    Limiters,
    /// Achieved, the parts of the gap, and theoretical as one bar.
    Bar,
    Theoretical,
    TheoreticalChange,
    GridLimited,
    Achieved,
    AchievedChange,
    Gap,
    Tail,
    Waves,
}

impl TableColumn {
    pub const ALL: [Self; 23] = [
        Self::Name,
        Self::Change,
        Self::Launches,
        Self::Duration,
        Self::DurationChange,
        Self::TimeShare,
        Self::Gpu,
        Self::Block,
        Self::Grid,
        Self::Registers,
        Self::RegistersChange,
        Self::SharedMemory,
        Self::Blocks,
        Self::Limiters,
        Self::Bar,
        Self::Theoretical,
        Self::TheoreticalChange,
        Self::GridLimited,
        Self::Achieved,
        Self::AchievedChange,
        Self::Gap,
        Self::Tail,
        Self::Waves,
    ];

    /// It has something to say only beside a baseline.
    pub const fn needs_baseline(self) -> bool {
        matches!(self, Self::Change | Self::DurationChange | Self::RegistersChange | Self::TheoreticalChange | Self::AchievedChange)
    }
}
