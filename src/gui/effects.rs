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
use crate::import::{ImportError, Progress, ReadOptions, Report, SAMPLE_REPORT, read_report};
use crate::session::snapshot::{Fingerprint, Snapshot};
use crate::session::{Action, Compared, Effect, GpuChoice, Groups, OpenReport, PathQuestion, Pixels, ReadReport, Readings, ToSave};
use crate::shell::{self, Base, Contents, Job, Keeper};

/// The sample report that comes with the app, in the shape that the profiler writes.
pub const SAMPLE_NAME: &str = "sample: tail_effect_a100.csv";

/// A dialog that is gone before this was never there: the system has none, and nobody cancels one as quickly.
const QUICKEST_CANCEL: Duration = Duration::from_millis(500);

/// Said instead of a panic.
const READER_FAILED: &str =
    "reading it failed because of a mistake in Occuscope; export it anew with ncu --csv --page raw, or tell us about the file";

/// How often a file that is being read tells how far it is, at most: each time, the window is drawn.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// What can be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Work {
    /// Reading a file, and comparing it with the reading before.
    Read(PathBuf),
    Compare(Readings),
}

/// Runs effects and collects their answers.
#[derive(Debug)]
pub struct Effects {
    answers: Receiver<Action>,
    answer: Sender<Action>,
    /// Set to stop a work; gone when it is done.
    stops: Vec<(Work, Weak<AtomicBool>)>,
    /// Writes what is to be kept; none in a window that keeps nothing, as in tests.
    keeper: Option<Keeper>,
    watcher: Watcher,
}

impl Default for Effects {
    fn default() -> Self {
        let (answer, answers) = channel();
        Self { answers, answer, stops: Vec::new(), keeper: None, watcher: Watcher::default() }
    }
}

impl Effects {
    /// Answers that have come in.
    pub fn answers(&self) -> Vec<Action> {
        self.answers.try_iter().collect()
    }

    /// From now on, changes are kept on the disk. `base` is what the files have now.
    pub fn start_keeping(&mut self, ctx: &Context, base: Base) {
        let (answer, ctx) = (self.answer.clone(), ctx.clone());
        self.keeper = Some(Keeper::start(shell::presets_path(), base, move |action| {
            // Nobody listens any more when the window has closed.
            let _ = answer.send(action);
            ctx.request_repaint();
        }));
    }

    /// Ends when everything is written.
    pub fn finish_keeping(&mut self) {
        self.keeper = None;
    }

    pub fn is_keeping(&self) -> bool {
        self.keeper.is_some()
    }

    pub fn keep(&self, job: Job) {
        if let Some(keeper) = &self.keeper {
            keeper.keep(job);
        }
    }

    pub fn run(&mut self, ctx: &Context, catalog: &Arc<Catalog>, effect: Effect) {
        match effect {
            Effect::PickFiles(folder) => self.spawn(ctx, move || pick_files(folder.as_deref())),
            Effect::ReadFiles(paths) => {
                for path in paths {
                    self.read_file(ctx, catalog, path, ReadOptions::default());
                }
            }
            Effect::ReadFileAs { path, mark } => self.read_file(ctx, catalog, path, ReadOptions { decimal_mark: Some(mark) }),
            Effect::CancelReading(path) => self.stop(&Work::Read(path)),
            Effect::CompareReadings(readings) => self.compare_readings(ctx, catalog, readings),
            Effect::CompareFiles(compared) => self.compare_files(ctx, compared),
            Effect::StopComparing(readings) => self.stop(&Work::Compare(readings)),
            Effect::DiscardGroups(groups) => self.spawn(ctx, move || {
                discard(groups);
                None
            }),
            Effect::WatchFiles(paths) => self.watcher.set(ctx, &self.answer, paths),
            Effect::ReadSample => {
                let catalog = Arc::clone(catalog);
                self.spawn(ctx, move || Some(Action::AddReport(report(&catalog, SAMPLE_NAME.into(), SAMPLE_REPORT))));
            }
            Effect::Discard(readings) => self.spawn(ctx, move || {
                drop(readings);
                None
            }),
            Effect::WriteGpu { file_name, text, choose } => {
                self.spawn(ctx, move || Some(read_gpus_after(shell::write_gpu(&file_name, &text), Some(choose))));
            }
            Effect::DeleteGpu(path) => self.spawn(ctx, move || Some(read_gpus_after(shell::delete_gpu(&path), None))),
            Effect::PickPresets => self.spawn(ctx, pick_presets),
            Effect::ReadPresets(paths) => self.spawn(ctx, move || read_presets(&paths)),
            Effect::ExportPresets { file_name, text } => self.spawn(ctx, move || export_presets(&file_name, &text)),
            Effect::WritePresets { path, text } => self.spawn(ctx, move || Some(write_presets(&path, &text))),
            Effect::WriteSettings(settings) => self.keep(Job::Settings(settings)),
            Effect::WriteRecent(files) => self.keep(Job::Recent(files)),
            Effect::SaveSession { snapshot, file } => self.spawn(ctx, move || save_session(&snapshot, file)),
            Effect::ReadSession(path) => {
                let catalog = Arc::clone(catalog);
                self.spawn(ctx, move || Some(read_session(path, &catalog)));
            }
            Effect::WriteLibrary(library) => self.keep(Job::Library(library)),
            Effect::CopyText(text) => ctx.copy_text(text),
            Effect::MakeText(text) => self.spawn(ctx, move || Some(Action::CopyText(text.make()))),
            Effect::SaveText { file_name, text } => self.spawn(ctx, move || save_text(&file_name, &text.make())),
            Effect::SaveFile(file) => self.spawn(ctx, move || save_file(&file)),
            Effect::WriteFile { path, file } => self.spawn(ctx, move || Some(write_file(&path, &file))),
            Effect::CopyPicture(Pixels { size, rgba }) => ctx.copy_image(egui::ColorImage::from_rgba_unmultiplied(size, &rgba)),
            Effect::WriteText { path, text } => self.spawn(ctx, move || Some(write_text(path, &text))),
        }
    }

    fn read_file(&mut self, ctx: &Context, catalog: &Arc<Catalog>, path: PathBuf, options: ReadOptions) {
        let stop = self.stop_of(Work::Read(path.clone()));
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
            let note = |fingerprint| drop(answer.send(Action::NoteFingerprint { path: path.clone(), fingerprint }));
            let read = std::panic::catch_unwind(AssertUnwindSafe(|| read_file(&catalog, (&path, options), &stop, tell, note)));
            Some(Action::AddReport(read.unwrap_or_else(|_| OpenReport { content: Err(READER_FAILED.to_owned()), path })))
        });
    }

    fn compare_readings(&mut self, ctx: &Context, catalog: &Arc<Catalog>, readings: Readings) {
        let stop = self.stop_of(Work::Read(readings.new.path.clone()));
        let mut tell = self.tell_compared(ctx, stop, readings.clone());
        let catalog = Arc::clone(catalog);
        self.spawn(ctx, move || Some(Action::ReplaceReport(Box::new(readings.compare_while(&catalog, &mut tell)))));
    }

    fn compare_files(&mut self, ctx: &Context, compared: Compared) {
        let stop = self.stop_of(Work::Compare(compared.readings.clone()));
        let mut tell = self.tell_compared(ctx, stop, compared.readings.clone());
        self.spawn(ctx, move || {
            // A mistake must not leave the table "comparing" for ever.
            let groups = std::panic::catch_unwind(AssertUnwindSafe(|| compared.groups(&mut tell))).unwrap_or_default();
            Some(Action::TakeComparison { compared, groups })
        });
    }

    /// Tells the session how far a comparison is, and the comparison whether to go on.
    fn tell_compared(&self, ctx: &Context, stop: Arc<AtomicBool>, readings: Readings) -> impl FnMut(f32) -> ControlFlow<()> + Send + use<> {
        let (answer, wake) = (self.answer.clone(), ctx.clone());
        let mut told = Instant::now();
        move |share| {
            if told.elapsed() >= PROGRESS_INTERVAL {
                told = Instant::now();
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
                let percent = (share.clamp(0.0, 1.0) * 100.0) as u8;
                // Nobody listens any more when the window has closed.
                let _ = answer.send(Action::CompareProgress { readings: readings.clone(), percent });
                wake.request_repaint();
            }
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    /// What stops a work that begins now.
    fn stop_of(&mut self, work: Work) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        self.stops.retain(|(_, stop)| stop.strong_count() > 0);
        self.stops.push((work, Arc::downgrade(&stop)));
        stop
    }

    fn stop(&self, work: &Work) {
        for stop in self.stops.iter().filter(|(of, _)| of == work).filter_map(|(_, stop)| stop.upgrade()) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Work that may take long; its answer wakes the window.
    pub fn spawn<Answers: IntoIterator<Item = Action>>(&self, ctx: &Context, work: impl FnOnce() -> Answers + Send + 'static) {
        let (answer, ctx) = (self.answer.clone(), ctx.clone());
        std::thread::spawn(move || {
            for action in work() {
                // Nobody listens any more when the window has closed.
                let _ = answer.send(action);
                ctx.request_repaint();
            }
        });
    }
}

/// The last one to hold them lets go of them, and that takes a while: so this waits for the table, which does in its next frame.
fn discard(groups: Groups) {
    for _ in 0..50 {
        if Arc::strong_count(&groups.0) == 1 {
            break;
        }
        std::thread::sleep(PROGRESS_INTERVAL);
    }
    drop(groups);
}

/// Reads the GPU files again once one of them has changed.
fn read_gpus_after(changed: anyhow::Result<()>, choose: Option<GpuChoice>) -> Action {
    let catalog = changed.and_then(|()| shell::catalog(&[])).map(Arc::new).map_err(|error| format!("{error:#}"));
    Action::SetCatalog { catalog, choose }
}

/// What a dialog answers; where the system has none, the question goes to the window.
fn ask<Answer>(dialog: impl FnOnce() -> Option<Answer>, question: PathQuestion, name: &str) -> Result<Answer, Option<Box<Action>>> {
    let begun = Instant::now();
    let may_open = shell::Dialogs::find().may_open();
    let answer = if may_open { dialog() } else { None };
    let was_there = may_open && begun.elapsed() >= QUICKEST_CANCEL;
    answer.ok_or_else(|| (!was_there).then(|| Box::new(Action::AskPath { question, name: name.to_owned() })))
}

/// Writes a session, into a file that is asked for where there is none.
fn save_session(snapshot: &Snapshot, file: Option<PathBuf>) -> Option<Action> {
    const NAME: &str = "session.occuscope";
    let dialog = || rfd::FileDialog::new().set_title("Save session").set_file_name(NAME).add_filter("Sessions", &["occuscope"]).save_file();
    let path = match file {
        Some(file) => file,
        None => match ask(dialog, PathQuestion::SaveSession(Box::new(snapshot.clone())), NAME) {
            Ok(path) => path,
            Err(question) => return question.map(|question| *question),
        },
    };
    let path = if path.extension().is_some() { path } else { path.with_extension("occuscope") };
    Some(match shell::write_session(&path, snapshot) {
        Ok(()) => Action::SessionSaved(path),
        Err(error) => Action::Say(format!("{error:#}")),
    })
}

fn read_session(path: PathBuf, catalog: &Catalog) -> Action {
    match shell::read_session(&path, catalog) {
        Ok((restored, notes)) => {
            let message = if notes.is_empty() { "session opened".to_owned() } else { format!("session opened; {notes}") };
            Action::TakeSession { restored: Box::new(restored), file: Some(path), message }
        }
        Err(error) => Action::Say(format!("{error:#}")),
    }
}

fn pick_presets() -> Vec<Action> {
    let dialog = || rfd::FileDialog::new().set_title("Import presets").add_filter("Presets", &["toml"]).pick_files();
    match ask(dialog, PathQuestion::ImportPresets, "") {
        Ok(paths) => read_presets(&paths),
        Err(question) => question.into_iter().map(|question| *question).collect(),
    }
}

/// The presets of all files; a file that has none is said, and the others are taken.
fn read_presets(paths: &[PathBuf]) -> Vec<Action> {
    let mut presets = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        match shell::read_presets(path) {
            Ok(read) => presets.extend(read),
            Err(error) => problems.push(format!("{error:#}")),
        }
    }
    let read = (!presets.is_empty() || problems.is_empty()).then_some(Action::AddPresets(presets));
    let unread = (!problems.is_empty()).then(|| Action::Say(problems.join("; ")));
    read.into_iter().chain(unread).collect()
}

fn export_presets(file_name: &str, text: &str) -> Option<Action> {
    let dialog =
        || rfd::FileDialog::new().set_title("Export presets").set_file_name(file_name).add_filter("Presets", &["toml"]).save_file();
    match ask(dialog, PathQuestion::ExportPresets(text.to_owned()), file_name) {
        Ok(path) => Some(write_presets(&path, text)),
        Err(question) => question.map(|question| *question),
    }
}

fn write_presets(path: &Path, text: &str) -> Action {
    Action::Say(match shell::atomic::write(path, text.as_bytes()) {
        Ok(()) => format!("presets written to {}", path.display()),
        Err(error) => format!("the presets cannot be written: {error}, {}", path.display()),
    })
}

fn pick_files(folder: Option<&Path>) -> Option<Action> {
    let dialog = folder.map_or_else(rfd::FileDialog::new, |folder| rfd::FileDialog::new().set_directory(folder));
    let dialog = dialog
        .set_title("Open reports, compiled kernels or sessions")
        .add_filter("Nsight Compute reports", &["ncu-rep", "csv", "txt", "log"])
        .add_filter("Compiler output and compiled code", &["txt", "log", "cubin", "fatbin", "o", "so"])
        .add_filter("Sessions and presets", &["occuscope", "toml"])
        .add_filter("All files", &["*"]);
    match ask(|| dialog.pick_files(), PathQuestion::Open, "") {
        Ok(paths) => Some(Action::OpenPaths(paths)),
        Err(question) => question.map(|question| *question),
    }
}

fn save_text(file_name: &str, text: &str) -> Option<Action> {
    let extension = file_name.rsplit('.').next().unwrap_or("txt");
    let dialog = || rfd::FileDialog::new().set_title("Save").set_file_name(file_name).add_filter(extension, &[extension]).save_file();
    match ask(dialog, PathQuestion::SaveText(text.to_owned()), file_name) {
        Ok(path) => Some(write_text(path, text)),
        Err(question) => question.map(|action| *action),
    }
}

fn save_file(file: &ToSave) -> Option<Action> {
    let dialog = || {
        let named = rfd::FileDialog::new().set_title("Save").set_file_name(&file.name);
        file.kinds.iter().fold(named, |dialog, (kind, _)| dialog.add_filter(kind.to_uppercase(), &[kind])).save_file()
    };
    match ask(dialog, PathQuestion::SaveFile(file.clone()), &file.name) {
        Ok(path) => Some(write_file(&path, file)),
        Err(question) => question.map(|action| *action),
    }
}

fn write_file(path: &Path, file: &ToSave) -> Action {
    Action::TextSaved(file.at(path).and_then(|(path, bytes)| match shell::atomic::write(&path, bytes) {
        Ok(()) => Ok(path),
        Err(error) => Err(format!("the file cannot be written: {error}, {}", path.display())),
    }))
}

fn write_text(path: PathBuf, text: &str) -> Action {
    Action::TextSaved(match shell::atomic::write(&path, text.as_bytes()) {
        Ok(()) => Ok(path),
        Err(error) => Err(format!("the file cannot be written: {error}, {}", path.display())),
    })
}

/// Reads a file until its end or until `stop`, and tells now and then how far it is.
fn read_file(
    catalog: &Catalog,
    (path, options): (&Path, ReadOptions),
    stop: &AtomicBool,
    tell: impl Fn(Progress),
    note: impl FnOnce(Fingerprint),
) -> OpenReport {
    let contents = match Contents::open(path) {
        Ok(contents) => contents,
        Err(error) => return OpenReport { content: Err(cannot_open(&error, path)), path: path.to_owned() },
    };
    note(Fingerprint::of(contents.as_bytes()));
    let mut told = Instant::now();
    let read = contents.report_with(options, |progress| {
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
        let report =
            read_file(Catalog::builtin(), (&path, ReadOptions::default()), &stop, |progress| told.borrow_mut().push(progress), |_| {});
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
