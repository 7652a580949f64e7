//! Open files that are written again: another reading takes the place of the one before, and everything people see stays where it is.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Session;
use super::action::Effect;
use super::document::{Document, KernelRef, OpenReport, Screen};
use crate::arch::{Catalog, Gpu};
use crate::fmt::{counted, grouped};
use crate::import::Kernel;
use crate::import::account::{Missing, account};
use crate::import::compare::compare_while;
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

    /// The reading before is still shown while another is compared with it.
    pub(super) fn compare_readings(&mut self, readings: Readings) -> Vec<Effect> {
        self.rewritten_progress(&readings, 0);
        vec![Effect::CompareReadings(readings)]
    }

    /// News of a comparison with the reading before.
    pub(super) fn rewritten_progress(&mut self, readings: &Readings, percent: u8) {
        if let Some(reading) = self.reading_of(&readings.new.path) {
            reading.is_compared(percent);
        }
    }

    /// Another reading of an open file takes the place of the one before. What was selected stays selected.
    pub(super) fn replace_report(&mut self, replacement: Replacement) -> Vec<Effect> {
        let path = &replacement.readings.new.path;
        let Some(index) = self.place_of_open(path) else {
            // It was closed meanwhile.
            self.end_reading(path);
            take(&mut self.watching.rewritten, path);
            take(&mut self.watching.again, path);
            return vec![Effect::Discard(replacement.readings)];
        };
        if !Arc::ptr_eq(&self.document.reports[index], &replacement.readings.old) {
            // Undone, or of another GPU by now.
            let old = Arc::clone(&self.document.reports[index]);
            return self.compare_readings(Readings { old, ..replacement.readings });
        }
        let stopped = self.end_reading(path);
        let again = take(&mut self.watching.again, path);
        take(&mut self.watching.vanished, path);
        let path = path.clone();
        let mut effects = vec![Effect::Discard(replacement.readings.clone())];
        self.take_reading(replacement, stopped);
        if again {
            effects.extend(self.file_changed(path));
        }
        effects
    }

    fn take_reading(&mut self, replacement: Replacement, stopped: &str) {
        let Replacement { readings: Readings { old, new }, places, what_changed } = replacement;
        let is_rewritten = take(&mut self.watching.rewritten, &new.path);
        let verb = if is_rewritten { "was written again" } else { "was read again" };
        if let (Err(reason), Ok(_)) = (&new.content, &old.content) {
            self.message = Some(format!("{} {verb}, but {reason}; its kernels from before are kept", old.name()));
            return;
        }
        let had_selection = self.document.selected.is_some();
        let take_over = |document: &mut Document| take_over(document, &old, &new, &places);
        if is_rewritten {
            // Nobody did this, so nobody undoes it: earlier documents get the new reading as well.
            self.history.for_each(take_over);
            take_over(&mut self.document);
        } else {
            self.change(None, take_over);
            self.view.screen = Screen::Kernels;
        }
        let lost = if had_selection && self.document.selected.is_none() { "; the selected kernel is gone" } else { "" };
        self.message = Some(format!("{} {verb}: {what_changed}{lost}{stopped}", new.name()));
    }
}

/// Two readings of one file, the open one and the one that takes its place.
#[derive(Clone, Debug)]
pub struct Readings {
    pub old: Arc<OpenReport>,
    pub new: Arc<OpenReport>,
}

impl PartialEq for Readings {
    /// The same readings, not equal ones: a report of 100,000 kernels is not compared value by value.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.old, &other.old) && Arc::ptr_eq(&self.new, &other.new)
    }
}

impl Eq for Readings {}

/// [`Readings`] that were compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    readings: Readings,
    /// For each kernel of the old reading its place in the new one; none for one that is gone.
    places: Vec<Option<usize>>,
    what_changed: String,
}

impl Readings {
    pub fn compare(self, catalog: &Catalog) -> Replacement {
        self.compare_while(catalog, &mut |_| ControlFlow::Continue(()))
    }

    /// Takes long for 100,000 kernels: not for the window's thread. `tell` hears what part is done, 0 to 1; when it says to break off,
    /// the new reading is taken all the same, and what changed is not known.
    pub fn compare_while(self, catalog: &Catalog, tell: &mut dyn FnMut(f32) -> ControlFlow<()>) -> Replacement {
        let new = Arc::new(with_gpu_of(&self.old, Arc::unwrap_or_clone(self.new), catalog));
        let what_changed = what_changed(&self.old, &new, tell).unwrap_or_else(|| "what changed was not looked for to the end".to_owned());
        Replacement { places: places(&self.old, &new), readings: Self { old: self.old, new }, what_changed }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn take_over(document: &mut Document, old: &Arc<OpenReport>, new: &Arc<OpenReport>, places: &[Option<usize>]) {
    let Some(index) = document.reports.iter().position(|open| Arc::ptr_eq(open, old)) else { return };
    if let Some(at) = document.selected.filter(|at| at.report == index) {
        let place = places.get(at.kernel).copied().flatten();
        document.selected = place.map(|kernel| KernelRef { report: index, kernel });
    }
    document.reports[index] = Arc::clone(new);
}

/// Where each launch is in another reading: the one with the same name and shape at the same place among those, else the same name alone.
/// Where there are fewer of them now, the last.
fn places(old: &OpenReport, new: &OpenReport) -> Vec<Option<usize>> {
    /// Launches of the new reading that are alike, and how many such the old one had so far.
    #[derive(Default)]
    struct Alike {
        places: Vec<usize>,
        before: usize,
    }
    let mut all: HashMap<(&str, Option<Shape>), Alike> = HashMap::new();
    for (place, (kernel, _)) in new.kernels().enumerate() {
        for key in keys(kernel) {
            all.entry(key).or_default().places.push(place);
        }
    }
    let mut place = |key| {
        let alike = all.get_mut(&key)?;
        let before = alike.before;
        alike.before += 1;
        alike.places.get(before).or(alike.places.last()).copied()
    };
    let both = old.kernels().map(|(kernel, _)| keys(kernel).map(&mut place));
    both.map(|[by_shape, by_name]| by_shape.or(by_name)).collect()
}

type Shape = (Option<Dim3>, Option<Dim3>);

fn keys(kernel: &Kernel) -> [(&str, Option<Shape>); 2] {
    [(&kernel.name, Some(shape(kernel))), (&kernel.name, None)]
}

fn shape(kernel: &Kernel) -> Shape {
    (kernel.block.map(|read| read.value), kernel.grid.map(|read| read.value))
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
fn what_changed(old: &OpenReport, new: &OpenReport, tell: &mut dyn FnMut(f32) -> ControlFlow<()>) -> Option<String> {
    let comparison = compare_while(old.kernels(), new.kernels(), tell)?;
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
    Some(if parts.is_empty() { "no kernel changed".to_owned() } else { parts.join(", ") })
}
