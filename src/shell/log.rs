//! The log file: what happened and what went wrong, for a report about a mistake. It stays on this machine.

use std::fmt::Write;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Mutex;

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

/// Starts the log, and makes a panic leave its words and its place there. Without a place for it, nothing is logged.
pub fn start_log() {
    let Some(path) = log_path() else { return };
    if fs::metadata(&path).is_ok_and(|file| file.len() > MAX_BYTES) {
        let _ = fs::rename(&path, path.with_extension("log.1"));
    }
    let opened = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| File::options().create(true).append(true).open(&path));
    if let Ok(file) = opened {
        // A second log of one process is no log.
        let _ = tracing::subscriber::set_global_default(
            tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::INFO).with_writer(Mutex::new(file)).finish(),
        );
    }
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("panic: {panic}\n{}", std::backtrace::Backtrace::force_capture());
        before(panic);
    }));
    tracing::info!("Occuscope {} starts", env!("CARGO_PKG_VERSION"));
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
    let log = log_path().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    for line in &lines[lines.len().saturating_sub(LINES_IN_REPORT)..] {
        // Writing to a string cannot fail.
        let _ = writeln!(report, "{line}");
    }
    report
}
