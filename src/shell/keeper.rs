//! The thread that writes what is to be kept: one after another, in the order in which it changed, and never while the window waits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::{Slot, WindowShape, keep_presets};
use crate::session::Action;
use crate::session::presets::Library;
use crate::session::settings::Settings;
use crate::session::snapshot::Snapshot;

/// Something to keep.
#[derive(Debug)]
pub enum Job {
    /// The user's own presets.
    Library(Arc<Library>),
    Settings(Box<Settings>),
    /// Files that were opened, the newest first.
    Recent(Vec<PathBuf>),
    /// How large the window was.
    Window(WindowShape),
    /// The session of this window, by itself.
    Session {
        path: PathBuf,
        snapshot: Box<Snapshot>,
    },
    /// The window closes: its session is the last one from now on.
    Close {
        slot: Slot,
        snapshot: Box<Snapshot>,
    },
}

/// What the files had when this window read or wrote them last: what differs now was changed by another window.
#[derive(Clone, Debug, Default)]
pub struct Base {
    pub library: Arc<Library>,
    pub settings: Settings,
    pub recent: Vec<PathBuf>,
}

/// Writes until it is dropped, and then what is still waiting.
#[derive(Debug)]
pub struct Keeper {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread. `base` is what the files had when they were read; `tell` takes what the session should know.
    pub fn start(presets: Option<PathBuf>, base: Base, tell: impl Fn(Action) + Send + 'static) -> Self {
        let (jobs, waiting) = channel();
        let work = Worker { presets, base, tell, has_told: false };
        let thread = std::thread::spawn(move || work.run(&waiting));
        Self { jobs: Some(jobs), thread: Some(thread) }
    }

    pub fn keep(&self, job: Job) {
        // The thread ends only when this is dropped.
        let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.jobs = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

struct Worker<T> {
    presets: Option<PathBuf>,
    base: Base,
    tell: T,
    /// That the session cannot be kept was said already.
    has_told: bool,
}

impl<T: Fn(Action)> Worker<T> {
    fn run(mut self, waiting: &Receiver<Job>) {
        while let Ok(first) = waiting.recv() {
            let mut jobs: Vec<Job> = std::iter::once(first).chain(waiting.try_iter()).collect();
            while !jobs.is_empty() {
                let job = jobs.remove(0);
                // Only the newest of several is worth writing.
                if !jobs.iter().any(|later| replaces(later, &job)) {
                    self.work(job);
                }
            }
        }
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Library(library) => self.keep_library(&library),
            Job::Settings(settings) => self.keep_settings(&settings),
            Job::Session { path, snapshot } => self.keep_session(&path, &snapshot),
            Job::Close { slot, snapshot } => {
                if let Err(error) = slot.close(&snapshot) {
                    tracing::warn!("{error:#}");
                }
            }
            Job::Recent(files) => self.keep_recent(files),
            Job::Window(shape) => keep_window(shape),
        }
    }

    fn keep_library(&mut self, ours: &Arc<Library>) {
        let Some(path) = &self.presets else {
            return self.say("presets are not kept: this system has no place for them; name one with OCCUSCOPE_HOME".to_owned());
        };
        match keep_presets(path, &self.base.library, ours) {
            Ok(kept) => {
                self.base.library = Arc::new(kept.library);
                if self.base.library != *ours {
                    (self.tell)(Action::MergeLibrary { base: Arc::clone(ours), theirs: Arc::clone(&self.base.library) });
                }
                if let Some(aside) = kept.set_aside {
                    self.say(format!("the presets that could not be read are kept as {}", aside.display()));
                }
            }
            Err(error) => self.say(format!("not kept, still here until the window closes: {error:#}")),
        }
    }

    fn keep_settings(&mut self, settings: &Settings) {
        let Some(path) = super::settings_path() else {
            return self.say("settings are not kept: this system has no place for them; name one with OCCUSCOPE_HOME".to_owned());
        };
        match super::keep_settings(&path, &self.base.settings, settings) {
            Ok(aside) => {
                self.base.settings = settings.clone();
                if let Some(aside) = aside {
                    self.say(format!("the settings that could not be read are kept as {}", aside.display()));
                }
            }
            Err(error) => self.say(format!("{error:#}")),
        }
    }

    fn keep_recent(&mut self, files: Vec<PathBuf>) {
        let Some(path) = super::recent_path() else { return };
        match super::keep_recent(&path, &self.base.recent, &files) {
            Ok(()) => self.base.recent = files,
            Err(error) => self.say(format!("the list of recent files cannot be written: {error}, {}", path.display())),
        }
    }

    /// Said once: it is tried again with every change.
    fn keep_session(&mut self, path: &Path, snapshot: &Snapshot) {
        let failed = super::keep_by_itself(path, snapshot).err();
        if let Some(error) = failed.as_ref().filter(|_| !self.has_told) {
            self.say(format!("a crash would lose what is open: {error:#}"));
        }
        self.has_told = failed.is_some();
    }

    fn say(&self, message: String) {
        tracing::warn!("{message}");
        (self.tell)(Action::Say(message));
    }
}

/// The window is closing, and its next one has the usual size where this fails: nobody needs to be told.
fn keep_window(shape: WindowShape) {
    let failed = super::window_path().and_then(|path| super::keep_window_shape(&path, shape).err());
    if let Some(error) = failed {
        tracing::warn!("the size of the window is not kept: {error}");
    }
}

/// Whether a later job makes an earlier one needless.
fn replaces(later: &Job, earlier: &Job) -> bool {
    matches!(
        (later, earlier),
        (Job::Library(_), Job::Library(_))
            | (Job::Settings(_), Job::Settings(_))
            | (Job::Recent(_), Job::Recent(_))
            | (Job::Session { .. }, Job::Session { .. })
    )
}
