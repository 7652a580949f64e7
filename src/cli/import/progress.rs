//! How far reading a large file has come: one line on the error output, rewritten in place and gone at the end.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::fmt::{counted, grouped, harmless};
use crate::import::Progress;

/// Smaller files are read before anyone wonders.
const MIN_BYTES: usize = 32 << 20;

const INTERVAL: Duration = Duration::from_millis(100);

/// Letters of the file's name, so that the line fits a narrow terminal.
const NAME_LETTERS: usize = 24;

/// The line about one file; nothing where the error output is no terminal.
pub(super) struct ProgressLine<W: Write> {
    out: Option<W>,
    name: String,
    told: Instant,
    /// Letters that are on the screen.
    width: usize,
}

impl ProgressLine<io::Stderr> {
    pub(super) fn new(path: &Path) -> Self {
        Self::on(io::stderr().is_terminal().then(io::stderr), path)
    }
}

impl<W: Write> ProgressLine<W> {
    fn on(out: Option<W>, path: &Path) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        Self { out, name: harmless(&name).chars().take(NAME_LETTERS).collect(), told: Instant::now(), width: 0 }
    }

    /// Shows how far reading is, unless it was shown just now.
    pub(super) fn tell(&mut self, at: Progress) {
        if at.bytes_total >= MIN_BYTES && self.told.elapsed() >= INTERVAL {
            self.told = Instant::now();
            self.show(&text(&self.name, at));
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if self.width > 0 {
            self.show("");
            self.show("");
        }
    }

    /// Writes over what was shown before.
    fn show(&mut self, text: &str) {
        let Some(out) = &mut self.out else { return };
        // Reading goes on without it.
        let _ = write!(out, "\r{text:width$}", width = self.width).and_then(|()| out.flush());
        self.width = text.chars().count();
    }
}

/// "Reading report.csv: 523 of 1,000 MB, 24,310 kernels".
fn text(name: &str, at: Progress) -> String {
    let megabytes = |bytes: usize| grouped(u64::try_from(bytes / 1_000_000).unwrap_or(u64::MAX));
    let kernels = counted(u64::try_from(at.num_kernels).unwrap_or(u64::MAX), "kernel");
    format!("Reading {name}: {} of {} MB, {kernels}", megabytes(at.bytes_read), megabytes(at.bytes_total))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Progress = Progress { bytes_read: 523_400_000, bytes_total: 1_000_000_000, num_kernels: 24_310 };

    #[test]
    fn the_line_says_bytes_and_kernels() {
        assert_eq!(text("report.csv", AT), "Reading report.csv: 523 of 1,000 MB, 24,310 kernels");
        assert_eq!(text("a", Progress { num_kernels: 1, ..AT }), "Reading a: 523 of 1,000 MB, 1 kernel");
    }

    #[test]
    fn a_shorter_line_covers_the_one_before_and_clearing_leaves_nothing() {
        let mut line = ProgressLine::on(Some(Vec::new()), Path::new("/tmp/report.csv"));
        line.show("12345");
        line.show("123");
        line.clear();
        assert_eq!(line.out.unwrap(), b"\r12345\r123  \r   \r");
    }

    #[test]
    fn names_are_short_and_harmless() {
        let line = ProgressLine::<Vec<u8>>::on(None, Path::new("/tmp/a\u{1b}[2J_name_that_goes_on_and_on_and_on.csv"));
        assert_eq!(line.name, "a\u{fffd}[2J_name_that_goes_on_");
    }
}
