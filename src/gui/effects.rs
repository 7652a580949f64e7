//! The outside world: dialogs and files, each on a thread of its own, so that the window never waits.

use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use egui::Context;

use super::watcher::Watcher;
use crate::arch::Catalog;
use crate::import::account::account;
use crate::import::{ImportError, Progress, Report, SAMPLE_REPORT, read_report};
use crate::session::{Action, Effect, GpuChoice, OpenReport, ReadReport};
use crate::shell::{self, Contents};

/// The sample report that comes with the app, in the shape that the profiler writes.
pub const SAMPLE_NAME: &str = "sample: tail_effect_a100.csv";

/// Said instead of a panic.
const READER_FAILED: &str =
    "reading it failed because of a mistake in Occuscope; export it anew with ncu --csv --page raw, or tell us about the file";

/// How often a file that is being read tells how far it is, at most: each time, the window is drawn.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// Runs effects and collects their answers.
#[derive(Debug)]
pub struct Effects {
    answers: Receiver<Action>,
    answer: Sender<Action>,
    /// Set to stop reading a file; gone when it was read.
    stops: Vec<(PathBuf, Weak<AtomicBool>)>,
    watcher: Watcher,
}

impl Default for Effects {
    fn default() -> Self {
        let (answer, answers) = channel();
        Self { answers, answer, stops: Vec::new(), watcher: Watcher::default() }
    }
}

impl Effects {
    /// Answers that have come in.
    pub fn answers(&self) -> Vec<Action> {
        self.answers.try_iter().collect()
    }

    pub fn run(&mut self, ctx: &Context, catalog: &Arc<Catalog>, effect: Effect) {
        match effect {
            Effect::PickFiles => self.spawn(ctx, pick_files),
            Effect::ReadFiles(paths) => {
                for path in paths {
                    self.read_file(ctx, catalog, path);
                }
            }
            Effect::CancelReading(path) => self.cancel_reading(&path),
            Effect::WatchFiles(paths) => self.watcher.set(ctx, &self.answer, paths),
            Effect::ReadSample => {
                let catalog = Arc::clone(catalog);
                self.spawn(ctx, move || Some(Action::AddReport(report(&catalog, SAMPLE_NAME.into(), SAMPLE_REPORT))));
            }
            Effect::WriteGpu { file_name, text, choose } => {
                self.spawn(ctx, move || Some(read_gpus_after(shell::write_gpu(&file_name, &text), Some(choose))));
            }
            Effect::DeleteGpu(path) => self.spawn(ctx, move || Some(read_gpus_after(shell::delete_gpu(&path), None))),
            Effect::CopyText(text) => ctx.copy_text(text),
            Effect::SaveText { file_name, text } => self.spawn(ctx, move || save_text(&file_name, &text)),
        }
    }

    fn read_file(&mut self, ctx: &Context, catalog: &Arc<Catalog>, path: PathBuf) {
        let stop = Arc::new(AtomicBool::new(false));
        self.stops.retain(|(_, stop)| stop.strong_count() > 0);
        self.stops.push((path.clone(), Arc::downgrade(&stop)));
        let (catalog, answer, wake, watcher) = (Arc::clone(catalog), self.answer.clone(), ctx.clone(), self.watcher.clone());
        self.spawn(ctx, move || {
            watcher.is_read(&path);
            let of = path.clone();
            let tell = |progress| {
                // Nobody listens any more when the window has closed.
                let _ = answer.send(Action::ReadProgress { path: of.clone(), progress });
                wake.request_repaint();
            };
            // A mistake in a reader must not leave the file "being read" for ever.
            let read = std::panic::catch_unwind(AssertUnwindSafe(|| read_file(&catalog, &path, &stop, tell)));
            Some(Action::AddReport(read.unwrap_or_else(|_| OpenReport { content: Err(READER_FAILED.to_owned()), path })))
        });
    }

    fn cancel_reading(&self, path: &Path) {
        for stop in self.stops.iter().filter(|(of, _)| of == path).filter_map(|(_, stop)| stop.upgrade()) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Work that may take long; its answer wakes the window.
    fn spawn(&self, ctx: &Context, work: impl FnOnce() -> Option<Action> + Send + 'static) {
        let (answer, ctx) = (self.answer.clone(), ctx.clone());
        std::thread::spawn(move || {
            if let Some(action) = work() {
                // Nobody listens any more when the window has closed.
                let _ = answer.send(action);
                ctx.request_repaint();
            }
        });
    }
}

/// Reads the GPU files again once one of them has changed.
fn read_gpus_after(changed: anyhow::Result<()>, choose: Option<GpuChoice>) -> Action {
    let catalog = changed.and_then(|()| shell::catalog(&[])).map(Arc::new).map_err(|error| format!("{error:#}"));
    Action::SetCatalog { catalog, choose }
}

fn pick_files() -> Option<Action> {
    let dialog = rfd::FileDialog::new()
        .set_title("Open reports or compiled kernels")
        .add_filter("Nsight Compute reports", &["ncu-rep", "csv", "txt", "log"])
        .add_filter("Compiler output and compiled code", &["txt", "log", "cubin", "fatbin", "o", "so"])
        .add_filter("All files", &["*"]);
    dialog.pick_files().map(Action::OpenPaths)
}

fn save_text(file_name: &str, text: &str) -> Option<Action> {
    let extension = file_name.rsplit('.').next().unwrap_or("txt");
    let dialog = rfd::FileDialog::new().set_title("Save").set_file_name(file_name).add_filter(extension, &[extension]);
    let path = dialog.save_file()?;
    let saved = shell::write_whole(&path, text.as_bytes()).map_err(|error| format!("{error:#}"));
    Some(Action::TextSaved(saved.map(|()| path)))
}

/// Reads a file until its end or until `stop`, and tells now and then how far it is.
fn read_file(catalog: &Catalog, path: &Path, stop: &AtomicBool, tell: impl Fn(Progress)) -> OpenReport {
    let contents = match Contents::open(path) {
        Ok(contents) => contents,
        Err(error) => return OpenReport { content: Err(cannot_open(&error, path)), path: path.to_owned() },
    };
    let mut told = Instant::now();
    let read = contents.report(|progress| {
        let is_stopped = stop.load(Ordering::Relaxed);
        if is_stopped || told.elapsed() >= PROGRESS_INTERVAL {
            told = Instant::now();
            tell(progress);
        }
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    open_report(catalog, path.to_owned(), read)
}

fn cannot_open(error: &std::io::Error, path: &Path) -> String {
    format!("cannot be opened ({error}): {}", path.display())
}

/// Reads a report and works out what the engine says of each kernel.
pub fn report(catalog: &Catalog, path: PathBuf, bytes: &[u8]) -> OpenReport {
    open_report(catalog, path, read_report(bytes))
}

fn open_report(catalog: &Catalog, path: PathBuf, read: Result<Report, ImportError>) -> OpenReport {
    let content = match read {
        Ok(report) => {
            let accounts = report.kernels.iter().map(|kernel| account(kernel, catalog, None)).collect();
            Ok(ReadReport { report, accounts })
        }
        Err(error) => Err(error.to_string()),
    };
    OpenReport { path, content }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// A file of several MB, read with `stop` set or not; the report and what was told on the way.
    fn read(name: &str, is_stopped: bool) -> (OpenReport, Vec<Progress>) {
        let path = std::env::temp_dir().join(format!("occuscope-{name}-{}.csv", std::process::id()));
        std::fs::write(&path, SAMPLE_REPORT.repeat(3_000_000 / SAMPLE_REPORT.len())).unwrap();
        let told = RefCell::new(Vec::new());
        let stop = AtomicBool::new(is_stopped);
        let report = read_file(Catalog::builtin(), &path, &stop, |progress| told.borrow_mut().push(progress));
        std::fs::remove_file(&path).unwrap();
        (report, told.into_inner())
    }

    #[test]
    fn a_stopped_file_keeps_what_was_read_and_says_so() {
        let (whole, _) = read("whole", false);
        let (part, told) = read("part", true);
        assert!(part.kernels().len() > 0 && part.kernels().len() < whole.kernels().len());
        assert!(told[0].bytes_read < told[0].bytes_total);
        let has_note = |report: &OpenReport| {
            report.content.as_ref().unwrap().report.notes.iter().any(|note| note.message.starts_with("reading was stopped"))
        };
        assert!(has_note(&part) && !has_note(&whole));
    }
}
