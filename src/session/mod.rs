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
mod document;
mod history;
mod playback;
pub mod presets;
mod reading;
mod table;
mod watching;

use std::sync::Arc;

use crate::arch::{Arch, Catalog, Gpu};
use crate::engine::{Occupancy, Waves, evaluate};
use crate::import::Kernel;
use crate::import::account::Account;

pub use action::{Action, Effect};
pub use document::{Chart, Configuration, Document, GpuChoice, KernelRef, OpenReport, ReadReport, Screen, ThemeChoice, View};
use history::History;
pub use playback::{Course, Placed, Playback, Speed};
pub use reading::Reading;
pub use table::{Baseline, TableColumn, TableView};

/// Everything the app knows.
#[derive(Clone, Debug)]
pub struct Session {
    pub catalog: Arc<Catalog>,
    document: Document,
    view: View,
    history: History,
    reading: Vec<Reading>,
    watching: watching::Watching,
    message: Option<String>,
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
            message: None,
        }
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn view(&self) -> &View {
        &self.view
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
        self.history.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
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
        let capability = match choice {
            GpuChoice::Product(_) => self.gpu_of(choice).map(|gpu| gpu.compute_capability),
            GpuChoice::Capability(capability) => Some(*capability),
        };
        let known = capability.and_then(|capability| self.catalog.arch(capability));
        known.or_else(|| self.catalog.archs().next()).expect("the built-in table is not empty")
    }

    pub fn gpu_of(&self, choice: &GpuChoice) -> Option<&Gpu> {
        match choice {
            GpuChoice::Product(name) => self.catalog.gpus().iter().find(|gpu| gpu.name == *name),
            GpuChoice::Capability(_) => None,
        }
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
