//! The outside world: dialogs and files, each on a thread of its own, so that the window never waits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::Context;

use crate::arch::Catalog;
use crate::import::account::account;
use crate::import::{SAMPLE_REPORT, read_report};
use crate::session::{Action, Effect, OpenReport, ReadReport};

/// The sample report that comes with the app, in the shape that the profiler writes.
pub const SAMPLE_NAME: &str = "sample: tail_effect_a100.csv";

/// Runs effects and collects their answers.
#[derive(Debug)]
pub struct Effects {
    answers: Receiver<Action>,
    answer: Sender<Action>,
}

impl Default for Effects {
    fn default() -> Self {
        let (answer, answers) = channel();
        Self { answers, answer }
    }
}

impl Effects {
    /// Answers that have come in.
    pub fn answers(&self) -> Vec<Action> {
        self.answers.try_iter().collect()
    }

    pub fn run(&self, ctx: &Context, catalog: &Arc<Catalog>, effect: Effect) {
        match effect {
            Effect::PickFiles => self.spawn(ctx, pick_files),
            Effect::ReadFiles(paths) => {
                for path in paths {
                    let catalog = Arc::clone(catalog);
                    self.spawn(ctx, move || Some(Action::AddReport(read_file(&catalog, path))));
                }
            }
            Effect::ReadSample => {
                let catalog = Arc::clone(catalog);
                self.spawn(ctx, move || Some(Action::AddReport(report(&catalog, SAMPLE_NAME.into(), SAMPLE_REPORT))));
            }
            Effect::CopyText(text) => ctx.copy_text(text),
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

fn pick_files() -> Option<Action> {
    let dialog = rfd::FileDialog::new()
        .set_title("Open profiler reports")
        .add_filter("Nsight Compute reports", &["ncu-rep", "csv", "txt", "log"])
        .add_filter("All files", &["*"]);
    dialog.pick_files().map(Action::OpenPaths)
}

fn read_file(catalog: &Catalog, path: PathBuf) -> OpenReport {
    match std::fs::read(&path) {
        Ok(bytes) => report(catalog, path, &bytes),
        Err(error) => OpenReport { content: Err(cannot_open(&error, &path)), path },
    }
}

fn cannot_open(error: &std::io::Error, path: &Path) -> String {
    format!("cannot be opened ({error}): {}", path.display())
}

/// Reads a report and works out what the engine says of each kernel.
pub fn report(catalog: &Catalog, path: PathBuf, bytes: &[u8]) -> OpenReport {
    let content = match read_report(bytes) {
        Ok(report) => {
            let accounts = report.kernels.iter().map(|kernel| account(kernel, catalog, None)).collect();
            Ok(ReadReport { report, accounts })
        }
        Err(error) => Err(error.to_string()),
    };
    OpenReport { path, content }
}
