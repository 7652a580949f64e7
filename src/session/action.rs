//! What can happen to a session, and what it asks of the outside world.

use std::path::PathBuf;
use std::sync::Arc;

use super::asking::PathQuestion;
use super::comparing::{Compared, Groups};
use super::document::{BlockTimes, Chart, Configuration, GpuChoice, KernelRef, LessonPlace, OpenReport, Screen, ThemeChoice};
use super::lazy_text::LazyText;
use super::playback::{Placed, Speed};
use super::presets::{Library, Preset};
use super::settings::Settings;
use super::snapshot::{Fingerprint, Restored, Snapshot};
use super::table::TableView;
use super::to_save::{Pixels, ToSave};
use super::watching::{Readings, Replacement};
use crate::arch::{Arch, Catalog, ComputeCapability, Gpu};
use crate::engine::{CachePreference, Launch, LaunchBounds, PartitionedCaching};
use crate::import::{DecimalMark, Progress};
use crate::units::Dim3;

/// A verb and a noun with the whole new value.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    SelectGpu(GpuChoice),
    SetBlock(Dim3),
    SetRegistersPerThread(u32),
    SetStaticSmemBytes(u64),
    SetDynamicSmemBytes(u64),
    SetOptIn(bool),
    SetMaxDynamicSmemBytes(Option<u64>),
    SetCarveoutPercent(Option<u32>),
    SetCachePreference(CachePreference),
    SetPartitionedCaching(PartitionedCaching),
    SetBarriersPerBlock(u32),
    SetClusterSize(u32),
    SetLaunchBounds(Option<LaunchBounds>),
    SetGrid(Option<Dim3>),
    /// A whole launch at once: a click on the heatmap, a next step.
    SetLaunch(Launch),
    /// A preset, or a pinned configuration taken back.
    SetConfiguration(Configuration),
    PinConfiguration,
    Unpin,
    /// Takes a preset's configuration and looks at it the way it says.
    UsePreset(Box<Preset>),
    /// Adds presets to the user's own; a name that is taken is numbered.
    AddPresets(Vec<Preset>),
    /// Puts another preset in the place of one of the user's own: a new name, note, launch.
    ReplacePreset {
        name: String,
        preset: Box<Preset>,
    },
    DuplicatePreset(String),
    /// Moves one of the user's own to a position among them, counted from 0.
    MovePreset {
        name: String,
        to: usize,
    },
    DeletePreset(String),
    /// Asks for files of presets to add.
    ImportPresets,
    /// Asks for a file to write presets into.
    ExportPresets(Vec<Preset>),
    /// A text was pasted. A preset's code is taken, anything else is not for the session.
    PasteText(String),
    /// The file of presets says something else than was written to it last: another window or an editor changed it.
    MergeLibrary {
        base: Arc<Library>,
        theirs: Arc<Library>,
    },
    /// What a person set, whole.
    SetSettings(Box<Settings>),
    /// What the disk had at the start: settings and recent files. Nothing of it is written back.
    TakeKept {
        settings: Box<Settings>,
        recent: Vec<PathBuf>,
    },
    /// Writes the session into its file, or asks for one.
    SaveSession,
    SaveSessionAs,
    /// The session was written.
    SessionSaved(PathBuf),
    /// A session was read. `file` is where from; none for one that the program kept by itself.
    TakeSession {
        restored: Box<Restored>,
        file: Option<PathBuf>,
        message: String,
    },
    /// What a file was when it was read.
    NoteFingerprint {
        path: PathBuf,
        fingerprint: Fingerprint,
    },
    ForgetRecent,
    /// The system has no dialog for files: the window asks for a path. `name` is what the file could be called.
    AskPath {
        question: PathQuestion,
        name: String,
    },
    /// The path, or none after all.
    AnswerPath(Option<PathBuf>),
    /// Something worth saying happened outside.
    Say(String),
    /// Shows the same launch on one more GPU.
    CompareWith(GpuChoice),
    StopComparing(GpuChoice),
    /// Keeps an invented GPU in a file of the user's own, and chooses it.
    SaveGpu {
        arch: Box<Arch>,
        gpu: Box<Gpu>,
    },
    /// Deletes the file of one of the user's own GPUs.
    DeleteGpu(ComputeCapability),
    /// The GPU files were read again, or could not be; `choose` is one of them to go to.
    SetCatalog {
        catalog: Result<Arc<Catalog>, String>,
        choose: Option<GpuChoice>,
    },
    /// The pointer was released, a field was left: the next change is a new undo step.
    EndGesture,

    OpenFile,
    OpenPaths(Vec<PathBuf>),
    OpenSample,
    /// News of a file that is being read.
    ReadProgress {
        path: PathBuf,
        progress: Progress,
    },
    /// Stop reading a file. What was read of it is opened all the same.
    CancelReading(PathBuf),
    /// A file was read, or could not be.
    AddReport(OpenReport),
    /// A file that is open already was read again, and compared with the reading before.
    ReplaceReport(Box<Replacement>),
    /// News of readings that are being compared.
    CompareProgress {
        readings: Readings,
        percent: u8,
    },
    /// Two files were compared; without groups that came to nothing.
    TakeComparison {
        compared: Compared,
        groups: Option<Groups>,
    },
    /// An open file was written again.
    FileChanged(PathBuf),
    /// An open file is no longer where it was.
    FileVanished(PathBuf),
    CloseReport(usize),
    /// The user says what the numbers of an open text have before their decimals: it is read again.
    ReadWithMark {
        report: usize,
        mark: DecimalMark,
    },
    /// The user says which GPU a report without a compute capability is from.
    SetReportGpu {
        report: usize,
        gpu: String,
    },
    SelectKernel(Option<KernelRef>),
    /// Takes a kernel's launch and GPU into Explore.
    ExploreKernel(KernelRef),

    ShowScreen(Screen),
    ShowChart(Chart),
    SetTheme(ThemeChoice),
    ShowMore(bool),
    /// The columns of the table of kernels, its groups, and what it is compared with.
    SetTable(TableView),
    /// How much the block times of the simulated grid differ, and which run is shown.
    SetBlockTimes(BlockTimes),
    /// This many blocks on the SM map; none is all that fit and the refused one.
    PlaceBlocks(Option<usize>),
    /// Blocks, and resources of the next one.
    Place(Placed),
    /// Places blocks by themselves, from the empty SM when all are placed.
    Play(bool),
    SetSpeed(Speed),
    SetFineSteps(bool),
    /// Covers every answer, or shows it.
    HideAnswers(bool),
    /// Goes to the lessons: to a step whose setup was applied before, or to the list of them.
    ShowLesson(Option<LessonPlace>),
    CopyText(String),
    /// Copies a text that takes a while to make.
    CopyLazyText(LazyText),
    /// Into a file that the user chooses.
    SaveText {
        file_name: String,
        text: LazyText,
    },
    /// Into a file that the user chooses, of the kind that its name says.
    SaveFile(ToSave),
    CopyPicture(Pixels),
    /// A text or another file was saved, or could not be.
    TextSaved(Result<PathBuf, String>),
    Undo,
    Redo,
}

/// Something for the outside world to do. The answer comes back as an [`Action`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask for files, first in this folder; answered by [`Action::OpenPaths`].
    PickFiles(Option<PathBuf>),
    /// Read them; answered by [`Action::ReadProgress`] now and then, and at the end by one [`Action::AddReport`] for each.
    ReadFiles(Vec<PathBuf>),
    /// Read one, as [`Self::ReadFiles`], whose decimal mark was told.
    ReadFileAs {
        path: PathBuf,
        mark: DecimalMark,
    },
    /// Compare two readings of a file; answered by [`Action::CompareProgress`] now and then, and by [`Action::ReplaceReport`].
    CompareReadings(Readings),
    /// Compare two files; answered by [`Action::CompareProgress`] now and then, and by [`Action::TakeComparison`].
    CompareFiles(Compared),
    /// Nobody wants to know any more what became of these.
    StopComparing(Readings),
    /// Let go of these on a thread, as soon as the table has.
    DiscardGroups(Groups),
    /// Let go of readings that nobody shows any more: of 100,000 kernels that takes a while.
    Discard(Readings),
    /// Look now and then whether these, and no others, are written again or vanish; answered by [`Action::FileChanged`] and
    /// [`Action::FileVanished`].
    WatchFiles(Vec<PathBuf>),
    /// Stop reading this one; its [`Action::AddReport`] comes soon.
    CancelReading(PathBuf),
    /// Write a GPU file into the user's own folder; answered by [`Action::SetCatalog`].
    WriteGpu {
        file_name: String,
        text: String,
        choose: GpuChoice,
    },
    /// Delete a GPU file; answered by [`Action::SetCatalog`].
    DeleteGpu(PathBuf),
    /// Read the built-in sample; answered by [`Action::AddReport`].
    ReadSample,
    /// Ask for files of presets; answered by [`Action::AddPresets`].
    PickPresets,
    /// Read files of presets; answered by [`Action::AddPresets`].
    ReadPresets(Vec<PathBuf>),
    /// Ask for a file and write this into it; answered by [`Action::Say`].
    ExportPresets {
        file_name: String,
        text: String,
    },
    /// Write a file of presets; answered by [`Action::Say`].
    WritePresets {
        path: PathBuf,
        text: String,
    },
    WriteSettings(Box<Settings>),
    WriteRecent(Vec<PathBuf>),
    /// Write the session, into a file that is asked for where there is none; answered by [`Action::SessionSaved`] or [`Action::Say`].
    SaveSession {
        snapshot: Box<Snapshot>,
        file: Option<PathBuf>,
    },
    /// Read a session; answered by [`Action::TakeSession`] or [`Action::Say`].
    ReadSession(PathBuf),
    /// Keep the user's own presets; answered by [`Action::MergeLibrary`] where the file had changed meanwhile.
    WriteLibrary(Arc<Library>),
    CopyText(String),
    /// Make a text; answered by [`Action::CopyText`].
    MakeText(LazyText),
    /// Ask where to, and write it; answered by [`Action::TextSaved`] unless the user thinks better of it.
    SaveText {
        file_name: String,
        text: LazyText,
    },
    /// Ask where to, and write it; answered by [`Action::TextSaved`] unless the user thinks better of it.
    SaveFile(ToSave),
    /// Write it; answered by [`Action::TextSaved`].
    WriteFile {
        path: PathBuf,
        file: ToSave,
    },
    /// Put a picture on the clipboard.
    CopyPicture(Pixels),
    /// Write a text; answered by [`Action::TextSaved`].
    WriteText {
        path: PathBuf,
        text: String,
    },
}
