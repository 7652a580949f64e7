//! The session is kept by itself, some seconds after it changed, so that a crash or a kill loses nothing.

use std::time::{Duration, Instant};

use egui::Context;

use crate::session::snapshot::Snapshot;
use crate::session::{Session, View};
use crate::shell::{Job, Slot};

/// From a change to its writing. Changes within it are written together.
const DELAY: Duration = Duration::from_millis(1_500);

/// What was kept last, and since when there is something newer.
#[derive(Debug)]
pub struct Autosave {
    slot: Slot,
    kept: Option<Snapshot>,
    changed: Option<Instant>,
}

impl Autosave {
    pub fn new(slot: Slot) -> Self {
        Self { slot, kept: None, changed: None }
    }

    /// What is to be written now. Wakes the window when it will be time.
    pub fn due(&mut self, ctx: &Context, session: &Session) -> Option<Job> {
        if self.is_kept(session) {
            self.changed = None;
            return None;
        }
        let waited = self.changed.get_or_insert_with(Instant::now).elapsed();
        if waited < DELAY {
            ctx.request_repaint_after(DELAY.saturating_sub(waited));
            return None;
        }
        Some(self.now(session))
    }

    /// What is open, to be written without waiting.
    pub fn now(&mut self, session: &Session) -> Job {
        let snapshot = session.snapshot();
        self.kept = Some(snapshot.clone());
        self.changed = None;
        Job::Session { path: self.slot.path().to_owned(), snapshot: Box::new(snapshot) }
    }

    /// Whether nothing worth keeping has changed. How far a playing placement has come is not.
    fn is_kept(&self, session: &Session) -> bool {
        let settled = |view: &View| View { placed: None, resources_placed: 0, ..view.clone() };
        self.kept.as_ref().is_some_and(|kept| {
            kept.document == *session.document()
                && (kept.view == *session.view() || (session.view().playback.is_playing && settled(&kept.view) == settled(session.view())))
        })
    }

    /// The window closes: the session becomes the last one.
    pub fn close(self, session: &Session) -> Job {
        Job::Close { slot: self.slot, snapshot: Box::new(session.snapshot()) }
    }
}
