//! Open files that are written again: another reading takes the place of the one before, and everything people see stays where it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Session;
use super::action::Effect;
use super::document::{Document, KernelRef, OpenReport, Screen};
use crate::arch::{Catalog, Gpu};
use crate::fmt::{counted, grouped};
use crate::import::Kernel;
use crate::import::account::{Missing, account};
use crate::import::compare::compare;
use crate::units::Dim3;

/// What is going on with files that are watched.
#[derive(Clone, Debug, Default)]
pub(super) struct Watching {
    /// What the outside world was last told to watch.
    told: Vec<PathBuf>,
    /// Being read because they were written again.
    rewritten: Vec<PathBuf>,
    /// Written again while they were being read.
    again: Vec<PathBuf>,
    vanished: Vec<PathBuf>,
}

/// Takes a path out; whether it was there.
fn take(paths: &mut Vec<PathBuf>, path: &Path) -> bool {
    let before = paths.len();
    paths.retain(|other| other != path);
    paths.len() < before
}

impl Session {
    /// Which files to watch, when that has changed.
    pub(super) fn watch_files(&mut self) -> Option<Effect> {
        let is_watching = self.view.table.is_watching;
        let wanted = self.document.reports.iter().filter(|_| is_watching).map(|report| &report.path);
        if wanted.clone().eq(&self.watching.told) {
            return None;
        }
        self.watching.told = wanted.cloned().collect();
        Some(Effect::WatchFiles(self.watching.told.clone()))
    }

    /// Whether the file of an open report is no longer where it was.
    pub fn has_vanished(&self, path: &Path) -> bool {
        self.watching.vanished.iter().any(|other| other == path)
    }

    pub(super) fn file_changed(&mut self, path: PathBuf) -> Vec<Effect> {
        take(&mut self.watching.vanished, &path);
        if self.reading().iter().any(|reading| reading.path == path) {
            self.watching.again.push(path);
            return Vec::new();
        }
        if !self.watching.told.contains(&path) {
            return Vec::new();
        }
        self.watching.rewritten.push(path.clone());
        self.open_paths(vec![path])
    }

    pub(super) fn file_vanished(&mut self, path: PathBuf) -> Vec<Effect> {
        if self.watching.told.contains(&path) && !self.has_vanished(&path) {
            self.message = Some(format!("{} is no longer there; its kernels are kept: {}", file_name(&path), path.display()));
            self.watching.vanished.push(path);
        }
        Vec::new()
    }

    /// A file that is open already was read: its place in the list if so.
    pub(super) fn place_of_open(&self, path: &Path) -> Option<usize> {
        self.document.reports.iter().position(|open| open.path == path)
    }

    /// Another reading of an open file. What was selected stays selected, by name, shape and place among its like.
    pub(super) fn replace_report(&mut self, index: usize, new: OpenReport, stopped: &str) -> Vec<Effect> {
        let is_rewritten = take(&mut self.watching.rewritten, &new.path);
        let again = take(&mut self.watching.again, &new.path);
        take(&mut self.watching.vanished, &new.path);
        let old = Arc::clone(&self.document.reports[index]);
        let verb = if is_rewritten { "was written again" } else { "was read again" };
        let path = new.path.clone();
        if let (Err(reason), Ok(_)) = (&new.content, &old.content) {
            self.message = Some(format!("{} {verb}, but {reason}; its kernels from before are kept", old.name()));
        } else {
            let new = Arc::new(with_gpu_of(&old, new, &self.catalog));
            let had_selection = self.document.selected.is_some();
            let take_over = |document: &mut Document| take_over(document, &old, &new);
            if is_rewritten {
                // Nobody did this, so nobody undoes it: earlier documents get the new reading as well.
                self.history.for_each(take_over);
                take_over(&mut self.document);
            } else {
                self.change(None, take_over);
                self.view.screen = Screen::Kernels;
            }
            let lost = if had_selection && self.document.selected.is_none() { "; the selected kernel is gone" } else { "" };
            self.message = Some(format!("{} {verb}: {}{lost}{stopped}", new.name(), what_changed(&old, &new)));
        }
        if again { self.file_changed(path) } else { Vec::new() }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn take_over(document: &mut Document, old: &Arc<OpenReport>, new: &Arc<OpenReport>) {
    let Some(index) = document.reports.iter().position(|open| Arc::ptr_eq(open, old)) else { return };
    if let Some(at) = document.selected.filter(|at| at.report == index) {
        document.selected = same_kernel(old, new, at.kernel).map(|kernel| KernelRef { report: index, kernel });
    }
    document.reports[index] = Arc::clone(new);
}

/// Where the launch is in another reading: the one with the same name and shape at the same place among those, else the same name alone.
fn same_kernel(old: &OpenReport, new: &OpenReport, index: usize) -> Option<usize> {
    let shape =
        |kernel: &Kernel| -> (Option<Dim3>, Option<Dim3>) { (kernel.block.map(|read| read.value), kernel.grid.map(|read| read.value)) };
    let (kernel, _) = old.kernels().nth(index)?;
    let find = |is_like: &dyn Fn(&Kernel) -> bool| {
        let before = old.kernels().take(index).filter(|(other, _)| is_like(other)).count();
        let like = new.kernels().enumerate().filter(|(_, (other, _))| is_like(other)).map(|(place, _)| place);
        // Where there are fewer of them now, the last.
        like.take(before + 1).last()
    };
    find(&|other| other.name == kernel.name && shape(other) == shape(kernel)).or_else(|| find(&|other| other.name == kernel.name))
}

/// A GPU that the user chose, because the file does not say it, is kept.
fn with_gpu_of(old: &OpenReport, mut new: OpenReport, catalog: &Catalog) -> OpenReport {
    let chosen: Option<Gpu> = old
        .kernels()
        .find(|(kernel, account)| kernel.compute_capability.is_none() && account.gpu.is_some())
        .and_then(|(_, account)| account.gpu.clone());
    let lacks_gpu = new.kernels().any(|(_, account)| account.missing.contains(&Missing::ComputeCapability));
    if let (Some(gpu), true, Ok(read)) = (chosen, lacks_gpu, &mut new.content) {
        read.accounts = read.report.kernels.iter().map(|kernel| account(kernel, catalog, Some(&gpu))).collect();
    }
    new
}

/// "3 kernels changed, 1 new, 2 gone".
fn what_changed(old: &OpenReport, new: &OpenReport) -> String {
    let comparison = compare(old.kernels(), new.kernels());
    let changed = comparison.changed().len();
    let mut parts = Vec::new();
    if changed > 0 {
        parts.push(format!("{} changed", counted(changed as u64, "kernel")));
    }
    for (groups, word) in [(&comparison.only_new, "new"), (&comparison.only_old, "gone")] {
        if !groups.is_empty() {
            parts.push(format!("{} {word}", grouped(groups.len() as u64)));
        }
    }
    if parts.is_empty() { "no kernel changed".to_owned() } else { parts.join(", ") }
}
