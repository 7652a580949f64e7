//! The document that people work on, and the one way to change it.
//!
//! A [`Session`] holds the [`Document`] (undone, saved), the [`View`] (saved, not undone) and what is going on right now.
//! [`Session::apply`] takes every [`Action`], leaves a valid document and returns [`Effect`]s for the outside world: a dialog
//! to open, files to read. Their answers come back as actions, so that menus, drag and drop, the command line and tests all
//! take the same path.
//!
//! Not in here: windows, dialogs, the disk.

mod action;
mod apply;
mod apply_kept;
mod apply_presets;
mod asking;
mod comparing;
mod document;
pub mod groups;
mod history;
mod lazy_text;
mod playback;
pub mod presets;
mod reading;
pub mod saved;
pub mod settings;
pub mod snapshot;
mod step_names;
mod table;
mod to_save;
mod watching;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::arch::{Arch, Catalog, Gpu};
use crate::engine::{Occupancy, Waves, evaluate};
use crate::import::Kernel;
use crate::import::account::Account;

pub use action::{Action, Effect};
pub use apply_kept::MAX_RECENT;
pub use asking::PathQuestion;
pub use comparing::{Beside, Compared, Groups};
pub use document::{
    BlockTimes, Chart, Configuration, Document, GpuChoice, KernelRef, LessonPlace, OpenReport, ReadReport, Screen, ThemeChoice, View,
};
use history::History;
pub use lazy_text::LazyText;
pub use playback::{Course, Placed, Playback, Speed};
pub use reading::Reading;
use settings::Settings;
use snapshot::{Fingerprint, Snapshot};
pub use table::{Baseline, TableColumn, TableView};
pub use to_save::{Pixels, ToSave};
pub use watching::{Readings, Replacement};

/// Everything the app knows.
#[derive(Clone, Debug)]
pub struct Session {
    pub catalog: Arc<Catalog>,
    document: Document,
    view: View,
    history: History,
    reading: Vec<Reading>,
    watching: watching::Watching,
    /// What became of the kernels since the baseline.
    beside: Beside,
    message: Option<String>,
    /// What the action that is being applied is called in the undo menu.
    step_name: String,
    settings: Settings,
    /// Files that were opened, the newest first.
    recent: Vec<PathBuf>,
    /// The `.occuscope` file that all of this was opened from or saved to.
    file: Option<PathBuf>,
    fingerprints: Arc<BTreeMap<PathBuf, Fingerprint>>,
    path_question: Option<(PathQuestion, PathBuf)>,
}

impl Session {
    /// A session with the first built-in preset.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        let document = Document::new(presets::builtin()[0].configuration.clone());
        Self {
            catalog,
            document,
            view: View::default(),
            history: History::default(),
            reading: Vec::new(),
            watching: watching::Watching::default(),
            beside: Beside::default(),
            message: None,
            step_name: String::new(),
            settings: Settings::default(),
            recent: Vec::new(),
            file: None,
            fingerprints: Arc::default(),
            path_question: None,
        }
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn view(&self) -> &View {
        &self.view
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Files that were opened, the newest first.
    pub fn recent(&self) -> &[PathBuf] {
        &self.recent
    }

    /// The folder of the file that was opened last.
    pub fn last_folder(&self) -> Option<PathBuf> {
        self.recent.first().and_then(|path| path.parent()).map(Path::to_owned)
    }

    /// The `.occuscope` file that all of this was opened from or saved to.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Everything that such a file holds, as it is now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { document: self.document.clone(), view: self.view.clone(), fingerprints: Arc::clone(&self.fingerprints) }
    }

    /// Files that are being read right now.
    pub fn reading(&self) -> &[Reading] {
        &self.reading
    }

    /// What the last action wants said in the status line.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    pub fn can_undo(&self) -> bool {
        self.history.undo_name().is_some()
    }

    /// What undo would take back, in the imperative: "Set registers to 72".
    pub fn undo_name(&self) -> Option<&str> {
        self.history.undo_name()
    }

    /// What redo would do again.
    pub fn redo_name(&self) -> Option<&str> {
        self.history.redo_name()
    }

    pub fn can_redo(&self) -> bool {
        self.history.redo_name().is_some()
    }

    /// The facts of the chosen GPU.
    pub fn arch(&self) -> &Arch {
        self.arch_of(&self.document.configuration.gpu)
    }

    /// The chosen product; none when only a compute capability is chosen.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.gpu_of(&self.document.configuration.gpu)
    }

    /// The facts behind a choice. Every choice in a document is known: [`Session::apply`] refuses others.
    ///
    /// # Panics
    /// When the catalog is empty; the built-in one is not.
    pub fn arch_of(&self, choice: &GpuChoice) -> &Arch {
        choice.arch(&self.catalog).or_else(|| self.catalog.archs().next()).expect("the built-in table is not empty")
    }

    pub fn gpu_of(&self, choice: &GpuChoice) -> Option<&Gpu> {
        choice.gpu(&self.catalog)
    }

    /// What the chosen GPU is called where there is little room: "A100 SXM 40 GB", "compute capability 8.0".
    pub fn gpu_name(&self) -> String {
        self.document.configuration.gpu.to_string()
    }

    /// The answer for the current configuration.
    pub fn occupancy(&self) -> Occupancy {
        evaluate(self.arch(), &self.document.configuration.launch)
    }

    /// The waves of the current configuration; none without a grid or when only a compute capability is chosen.
    pub fn waves(&self) -> Option<Waves> {
        let grid = self.document.configuration.launch.grid_blocks()?;
        Waves::new(&self.occupancy(), self.gpu()?.num_sms?, grid)
    }

    /// The selected kernel with its account.
    pub fn selected(&self) -> Option<(&Kernel, &Account)> {
        self.document.selected.and_then(|at| self.document.kernel(at))
    }
}
