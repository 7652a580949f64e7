//! Files of sessions, and the session that is kept by itself so that a crash or a kill loses nothing.
//!
//! Every window has a slot: `session-N.occuscope` in the state directory, with a lock beside it that the system lets go when the window
//! ends, however it ends. A file in a slot that nobody holds is what such a window left.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};

use super::{Contents, atomic};
use crate::arch::Catalog;
use crate::import::ReadOptions;
use crate::import::account::account;
use crate::session::saved;
use crate::session::snapshot::{Fingerprint, Restored, RestoredReport, Snapshot};
use crate::session::{OpenReport, ReadReport};

/// Kernels of one report that a saved session keeps.
const MAX_KERNELS: usize = 20_000;
/// As many are written every few seconds.
const MAX_KERNELS_BY_ITSELF: usize = 2_000;
/// More windows at once keep nothing by themselves.
const MAX_SLOTS: usize = 64;

/// Writes a session.
///
/// # Errors
/// When it cannot be written. The file is as before then.
pub fn write_session(path: &Path, snapshot: &Snapshot) -> anyhow::Result<()> {
    let text = saved::session::write(snapshot, MAX_KERNELS);
    atomic::write(path, text.as_bytes()).with_context(|| format!("the session cannot be written, {}", path.display()))
}

/// Reads a session, and the reports that are not in it from their files. The second is what has to be said about it.
///
/// # Errors
/// When it cannot be opened, or with line and column when it cannot be read.
pub fn read_session(path: &Path, catalog: &Catalog) -> anyhow::Result<(Restored, String)> {
    let bytes = fs::read(path).with_context(|| format!("the session cannot be opened, {}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("the session is no text, {}", path.display()))?;
    let restored =
        saved::session::read(&text, catalog).map_err(|error| anyhow!("the session cannot be read: {error}, {}", path.display()))?;
    let mut notes = Vec::new();
    let reports = restored.reports.into_iter().map(|report| fetched(report, catalog, &mut notes)).collect();
    Ok((Restored { reports, ..restored }, notes.join("; ")))
}

/// A report as the session kept it; one that it did not keep is read from its file.
fn fetched(report: RestoredReport, catalog: &Catalog, notes: &mut Vec<String>) -> RestoredReport {
    let contents = Contents::open(&report.path);
    let is_same = contents.as_ref().is_ok_and(|contents| Some(Fingerprint::of(contents.as_bytes())) == report.fingerprint);
    let name = report.path.file_name().unwrap_or(report.path.as_os_str()).to_string_lossy().into_owned();
    if report.kept.is_some() {
        if contents.is_ok() && report.fingerprint.is_some() && !is_same {
            notes.push(format!("{name} has changed since and is shown as it was"));
        }
        return report;
    }
    let content = match contents {
        Ok(contents) => {
            if !is_same {
                notes.push(format!("{name} has changed since and is shown as it is now"));
            }
            let options = ReadOptions { decimal_mark: report.told_mark };
            let read = contents.report_with(options, |_| std::ops::ControlFlow::Continue(()));
            read.map_err(|error| error.to_string()).map(|report| {
                let accounts = report.kernels.iter().map(|kernel| account(kernel, catalog, None)).collect();
                ReadReport { report, accounts }
            })
        }
        Err(error) => {
            notes.push(format!("{name} is gone, and it was too large to be kept"));
            Err(format!("cannot be opened ({error}), and the session does not keep it: {}", report.path.display()))
        }
    };
    RestoredReport { kept: Some(Arc::new(OpenReport { path: report.path.clone(), content })), ..report }
}

/// The place where one window keeps its session by itself.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    /// Held until the window ends.
    _lock: File,
}

impl Slot {
    /// The first slot that nobody holds. None where nothing can be kept.
    pub fn take(state: &Path) -> Option<Self> {
        fs::create_dir_all(state).ok()?;
        (1..=MAX_SLOTS).find_map(|number| {
            let path = state.join(format!("session-{number}.{}", saved::session::EXTENSION));
            let lock = File::options().create(true).append(true).open(path.with_extension("lock")).ok()?;
            lock.try_lock().ok()?;
            Some(Self { path, _lock: lock })
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a window that ended without closing left here. It is moved to a name of its own first, so that a session which
    /// cannot be shown does not come back at every start.
    pub fn left_behind(&self) -> Option<PathBuf> {
        let restored = self.path.with_file_name(format!("restored.{}", saved::session::EXTENSION));
        fs::rename(&self.path, &restored).ok()?;
        Some(restored)
    }

    /// The window closes: what was open is remembered as the last session.
    pub fn close(&self, snapshot: &Snapshot) -> anyhow::Result<PathBuf> {
        let last = last_session(self.path.parent().unwrap_or(Path::new(".")));
        keep_by_itself(&last, snapshot)?;
        let _ = fs::remove_file(&self.path);
        Ok(last)
    }
}

/// The session of the window that was closed last.
pub fn last_session(state: &Path) -> PathBuf {
    state.join(format!("last.{}", saved::session::EXTENSION))
}

/// Writes the session of a running window.
///
/// # Errors
/// When it cannot be written.
pub fn keep_by_itself(path: &Path, snapshot: &Snapshot) -> anyhow::Result<()> {
    let text = saved::session::write(snapshot, MAX_KERNELS_BY_ITSELF);
    atomic::write(path, text.as_bytes()).with_context(|| format!("the session cannot be kept, {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_windows_have_two_slots_and_a_left_one_is_found() {
        let state = tempfile::tempdir().unwrap();
        let first = Slot::take(state.path()).unwrap();
        let second = Slot::take(state.path()).unwrap();
        assert_ne!(first.path(), second.path());
        assert_eq!(first.left_behind(), None);
        fs::write(first.path(), "a session").unwrap();
        let path = first.path().to_owned();
        drop(first);
        let third = Slot::take(state.path()).unwrap();
        assert_eq!(third.path(), path);
        let left = third.left_behind().unwrap();
        assert_eq!(fs::read_to_string(left).unwrap(), "a session");
        assert_eq!(third.left_behind(), None, "once");
    }
}
