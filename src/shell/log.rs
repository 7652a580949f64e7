//! The log file: what happened and what went wrong, for a report about a mistake. It stays on this machine.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::state_dir;

/// A log that has grown larger starts anew; the one before is kept.
const MAX_BYTES: u64 = 1 << 20;
/// Lines of the log that a report about a mistake carries.
const LINES_IN_REPORT: usize = 60;

/// What stands in the log before what a window draws with.
pub const RENDERER: &str = "the window is drawn by ";

/// Where the log is; none when the system has no place for it.
pub fn log_path() -> Option<PathBuf> {
    state_dir().map(|state| state.join("occuscope.log"))
}

/// What was logged last, for a report even where no file can be written.
static LAST: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());
static IS_LOGGING: AtomicBool = AtomicBool::new(false);

/// Whether there is a log file. There is none where its folder is missing or may not be written to.
pub fn is_logging() -> bool {
    IS_LOGGING.load(Ordering::Relaxed)
}

/// Starts the log, and makes a panic leave its words and its place there. Without a place for it, the last lines are only remembered.
pub fn start_log() {
    let file = log_path().and_then(|path| open(&path).ok());
    IS_LOGGING.store(file.is_some(), Ordering::Relaxed);
    // A second log of one process is no log.
    let _ = tracing::subscriber::set_global_default(
        tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::INFO).with_writer(Mutex::new(Writer { file })).finish(),
    );
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("panic: {panic}\n{}", std::backtrace::Backtrace::force_capture());
        before(panic);
    }));
    tracing::info!("Occuscope {} starts", env!("CARGO_PKG_VERSION"));
}

fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|file| file.len() > MAX_BYTES) {
        let _ = fs::rename(path, path.with_extension("log.1"));
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    File::options().create(true).append(true).open(path)
}

/// Writes into the file, where there is one, and remembers the end. A full disk costs the file's lines and nothing else.
struct Writer {
    file: Option<File>,
}

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            let _ = io::Write::write_all(file, bytes);
        }
        if let Ok(mut last) = LAST.lock() {
            last.extend(String::from_utf8_lossy(bytes).lines().map(str::to_owned));
            let surplus = last.len().saturating_sub(LINES_IN_REPORT);
            last.drain(..surplus);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a report about a mistake should have: the version, the system, and the end of the log. Nothing of it is sent anywhere.
pub fn mistake_report() -> String {
    let mut report = format!(
        "Occuscope {} on {} {}{}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        if super::portable_home().is_some() { ", portable" } else { "" }
    );
    // The file also has what windows before this one left.
    let log = log_path().and_then(|path| fs::read_to_string(path).ok());
    let lines: Vec<String> = match log {
        Some(log) => log.lines().map(str::to_owned).collect(),
        None => LAST.lock().map(|last| last.iter().cloned().collect()).unwrap_or_default(),
    };
    for line in &lines[lines.len().saturating_sub(LINES_IN_REPORT)..] {
        // Writing to a string cannot fail.
        let _ = writeln!(report, "{line}");
    }
    report
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn without_a_file_the_last_lines_are_remembered() {
        let mut writer = Writer { file: None };
        for line in 0..100 {
            writer.write_all(format!("line {line}\n").as_bytes()).unwrap();
        }
        let last = LAST.lock().unwrap();
        assert_eq!((last.len(), last.back().map(String::as_str)), (LINES_IN_REPORT, Some("line 99")));
    }
}
