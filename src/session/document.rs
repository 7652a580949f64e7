//! What is saved and undone, and what is only saved.

use std::path::PathBuf;
use std::sync::Arc;

use super::playback::{Placed, Playback};
use super::presets::Library;
use super::table::TableView;
use crate::arch::{Arch, Catalog, ComputeCapability, Gpu};
use crate::engine::Launch;
use crate::import::account::Account;
use crate::import::{Decimal, DecimalMark, Kernel, Report};

/// What people work on. Undo brings back an earlier one.
#[derive(Clone, Debug)]
pub struct Document {
    pub configuration: Configuration,
    /// Set aside to compare with.
    pub pinned: Option<Configuration>,
    /// GPUs that the same launch is also shown on, at most [`Document::MAX_COMPARED`].
    pub compared: Vec<GpuChoice>,
    /// Opened files in the order of opening. Shared, so that undo costs nothing.
    pub reports: Vec<Arc<OpenReport>>,
    pub selected: Option<KernelRef>,
    /// The user's own presets. Shared, so that undo costs nothing.
    pub library: Arc<Library>,
}

/// A launch on a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    pub gpu: GpuChoice,
    pub launch: Launch,
}

/// A GPU by product, or by compute capability alone (then nothing is known of its SM count).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuChoice {
    /// [`Gpu::name`].
    Product(String),
    Capability(ComputeCapability),
}

impl GpuChoice {
    pub fn product(gpu: &Gpu) -> Self {
        Self::Product(gpu.name.clone())
    }

    /// The facts behind it; none when the catalog does not know it.
    pub fn arch<'c>(&self, catalog: &'c Catalog) -> Option<&'c Arch> {
        let capability = match self {
            Self::Product(_) => self.gpu(catalog)?.compute_capability,
            Self::Capability(capability) => *capability,
        };
        catalog.arch(capability)
    }

    /// The product; none for a compute capability alone.
    pub fn gpu<'c>(&self, catalog: &'c Catalog) -> Option<&'c Gpu> {
        match self {
            Self::Product(name) => catalog.gpus().iter().find(|gpu| gpu.name == *name),
            Self::Capability(_) => None,
        }
    }
}

impl std::fmt::Display for GpuChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Product(name) => f.write_str(name),
            Self::Capability(capability) => write!(f, "compute capability {capability}"),
        }
    }
}

/// A file that was opened: its kernels, or why there are none.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenReport {
    pub path: PathBuf,
    pub content: Result<ReadReport, String>,
}

/// A report and what the engine says about each of its kernels, in the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadReport {
    pub report: Report,
    pub accounts: Vec<Account>,
}

impl OpenReport {
    /// The file's name without its folder.
    pub fn name(&self) -> String {
        self.path.file_name().map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// How its numbers were read, where that could be otherwise.
    pub fn decimal(&self) -> Option<&Decimal> {
        self.content.as_ref().ok()?.report.decimal.as_ref()
    }

    /// The decimal mark that it was read with because somebody said so.
    pub fn told_mark(&self) -> Option<DecimalMark> {
        self.decimal().filter(|decimal| decimal.is_told).map(|decimal| decimal.mark)
    }

    pub fn kernels(&self) -> impl ExactSizeIterator<Item = (&Kernel, &Account)> {
        let (kernels, accounts) = self.content.as_ref().map_or((&[][..], &[][..]), |read| (&read.report.kernels[..], &read.accounts[..]));
        kernels.iter().zip(accounts)
    }
}

/// A kernel of an open report, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelRef {
    pub report: usize,
    pub kernel: usize,
}

impl PartialEq for Document {
    /// Reports are the same when they are the same reading: a report of 100,000 kernels is not compared value by value.
    fn eq(&self, other: &Self) -> bool {
        let same_reports = self.reports.len() == other.reports.len()
            && self.reports.iter().zip(&other.reports).all(|(one, other)| Arc::ptr_eq(one, other));
        same_reports
            && self.configuration == other.configuration
            && self.pinned == other.pinned
            && self.compared == other.compared
            && self.selected == other.selected
            && (Arc::ptr_eq(&self.library, &other.library) || self.library == other.library)
    }
}

impl Document {
    /// With the chosen GPU, four stand side by side.
    pub const MAX_COMPARED: usize = 3;

    pub fn new(configuration: Configuration) -> Self {
        Self { configuration, pinned: None, compared: Vec::new(), reports: Vec::new(), selected: None, library: Arc::default() }
    }

    /// Takes a configuration. When its GPU was compared with, the one before takes that place.
    pub fn choose(&mut self, configuration: Configuration) {
        let before = std::mem::replace(&mut self.configuration, configuration).gpu;
        if let Some(place) = self.compared.iter_mut().find(|gpu| **gpu == self.configuration.gpu) {
            *place = before;
        }
    }

    pub fn kernel(&self, at: KernelRef) -> Option<(&Kernel, &Account)> {
        let read = self.reports.get(at.report)?.content.as_ref().ok()?;
        Some((read.report.kernels.get(at.kernel)?, read.accounts.get(at.kernel)?))
    }

    /// Every kernel of every open report, in order.
    pub fn kernels(&self) -> impl Iterator<Item = (KernelRef, &Kernel, &Account)> {
        self.reports.iter().enumerate().flat_map(|(report, open)| {
            open.kernels().enumerate().map(move |(kernel, (read, account))| (KernelRef { report, kernel }, read, account))
        })
    }
}

/// What is saved but not undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub screen: Screen,
    /// What Explore shows below the SM map.
    pub chart: Chart,
    pub theme: ThemeChoice,
    /// The inputs that most launches do not need.
    pub show_more: bool,
    /// Blocks placed on the SM map; none shows all of them and the refused one.
    pub placed: Option<usize>,
    /// Resources that the block after those has taken already.
    pub resources_placed: usize,
    pub playback: Playback,
    /// Where the reader is in the lessons; none is the list of them.
    pub lesson: Option<LessonPlace>,
    /// Answers are covered, to be predicted first.
    pub hides_answers: bool,
    pub table: TableView,
    pub block_times: BlockTimes,
}

/// How much the block times of a simulated grid differ, and which of its runs is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockTimes {
    /// 0 to 100.
    pub spread_percent: u8,
    pub seed: u64,
}

/// A step of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LessonPlace {
    /// The lesson's id.
    pub lesson: String,
    /// Counted from 0; one more than there are is the quiz.
    pub step: usize,
}

impl View {
    /// How far the placement on the SM map is.
    pub const fn placement(&self) -> Placed {
        Placed { blocks: self.placed, resources: self.resources_placed }
    }

    /// Moves the placement. At the refused block it stops playing.
    pub fn place(&mut self, placed: Placed) {
        self.placed = placed.blocks;
        self.resources_placed = placed.resources;
        self.playback.is_playing &= placed.blocks.is_some();
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Screen {
    #[default]
    Explore,
    Kernels,
    Learn,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Chart {
    #[default]
    Heatmap,
    Curves,
    Compare,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}
