//! A file while it is being read.

use std::path::PathBuf;

use crate::import::Progress;

/// A file that is being read right now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub path: PathBuf,
    /// None until the first news.
    pub progress: Option<Progress>,
    /// It was asked to stop, and has not answered yet.
    pub is_cancelled: bool,
    /// It was read, and is being compared with the reading before: how much of that is done.
    pub compared_percent: Option<u8>,
}

impl Reading {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self { path, progress: None, is_cancelled: false, compared_percent: None }
    }

    /// Whether it was stopped before its end; not when it came to its end first.
    pub(super) fn is_cut_short(&self) -> bool {
        self.is_cancelled && self.progress.is_some_and(|progress| progress.bytes_read < progress.bytes_total)
    }

    /// It was read, and is being compared. Stopping that cuts nothing short.
    pub(super) fn is_compared(&mut self, percent: u8) {
        if !self.is_cancelled
            && let Some(progress) = &mut self.progress
        {
            progress.bytes_read = progress.bytes_total;
        }
        self.compared_percent = Some(percent);
    }
}
