//! What is in a file, as bytes: large files are mapped into memory, small ones and streams are read.
//!
//! A mapped file is not copied, and what has been read of it can be given back to the system while the rest is being read. So a
//! report of 1 GB needs the memory of its kernels, not its own size.
#![expect(unsafe_code, reason = "mapping a file is unsafe in Rust, because others can change the file; said at each place")]

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use memmap2::Mmap;

use crate::import::{ImportError, Progress, ReadOptions, Report, read_report_as};

/// Smaller files are read: that costs little, and nothing that happens to the file afterwards matters.
const MIN_MAPPED_BYTES: u64 = 16 << 20;

/// Bytes around a touched one that come along with it, on common systems.
const FETCHED_AROUND: usize = 64 << 10;

/// Bytes that are given back to the system together.
const FORGOTTEN_AT_ONCE: usize = 8 << 20;

/// The bytes of a file or a stream.
#[derive(Debug)]
pub enum Contents {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Contents {
    /// Opens a file. One that cannot be mapped, such as a pipe, is read.
    ///
    /// # Errors
    /// When the file cannot be opened or read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let is_large = file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() >= MIN_MAPPED_BYTES);
        let mapped = is_large.then(|| map(&file)).and_then(Result::ok);
        match mapped {
            Some(mapped) => Ok(Self::Mapped(mapped)),
            None => fs::read(path).map(Self::Read),
        }
    }

    /// Reads the standard input to its end.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of_stdin() -> io::Result<Self> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(Self::Read(bytes))
    }

    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(mapped) => mapped,
            Self::Read(bytes) => bytes,
        }
    }

    /// Reads a report with nothing known about it, as [`Contents::report_with`].
    ///
    /// # Errors
    /// When the bytes are no report.
    pub fn report(&self, progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<Report, ImportError> {
        self.report_with(ReadOptions::default(), progress)
    }

    /// Reads a report, as [`read_report_as`], and gives memory back on the way.
    ///
    /// # Errors
    /// When the bytes are no report.
    pub fn report_with(&self, options: ReadOptions, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<Report, ImportError> {
        let mut forgotten = 0;
        read_report_as(self.as_bytes(), options, |at| {
            // A second pass begins at the front again.
            forgotten = forgotten.min(at.bytes_read);
            // Each time stops all threads for a moment.
            if at.bytes_read - forgotten >= FORGOTTEN_AT_ONCE || at.bytes_read == at.bytes_total {
                self.forget(forgotten, at.bytes_read);
                // The system fetches pages around the one that is touched, also before it.
                forgotten = at.bytes_read.saturating_sub(FETCHED_AROUND);
            }
            progress(at)
        })
    }

    /// Tells the system that these bytes are not needed for now. They are still there: touched again, they are fetched again.
    fn forget(&self, start: usize, end: usize) {
        #[cfg(unix)]
        if let Self::Mapped(mapped) = self {
            let end = end.min(mapped.len());
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: the mapping is shared with the file and never written to, so there is nothing to lose: a page that is touched
            // again comes from the file again, with the same bytes.
            let told = unsafe { mapped.unchecked_advise_range(advice, start, end.saturating_sub(start)) };
            // Without it, reading takes more memory and goes on.
            drop(told);
        }
        #[cfg(not(unix))]
        let _ = (start, end);
    }
}

fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: Rust wants bytes behind a reference not to change, and a file can be written to by others. Every reader here looks at
    // a byte as at any other byte: whatever it is, reading it ends in a report, a note or an error, so changed bytes make a wrong
    // report and nothing worse. A file that is cut short while it is read stops the program on Unix; the profiler only ever appends
    // to a report or replaces it, and a replaced file keeps its mapped bytes.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::import::{SAMPLE_REPORT, read_report};

    #[test]
    fn a_large_file_is_mapped_and_reads_as_its_bytes() {
        let path = std::env::temp_dir().join(format!("occuscope-contents-{}.csv", std::process::id()));
        let times = usize::try_from(MIN_MAPPED_BYTES).unwrap() / SAMPLE_REPORT.len() + 1;
        let mut file = File::create(&path).unwrap();
        (0..times).for_each(|_| file.write_all(SAMPLE_REPORT).unwrap());
        drop(file);
        let contents = Contents::open(&path).unwrap();
        let is_mapped = matches!(contents, Contents::Mapped(_));
        let report = contents.report(|_| ControlFlow::Continue(())).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(is_mapped);
        assert_eq!(report, read_report(&SAMPLE_REPORT.repeat(times)).unwrap());
    }

    #[test]
    fn a_small_file_is_read_and_a_missing_one_is_an_error() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/tail_effect_a100.csv");
        assert_eq!(Contents::open(&sample).unwrap().as_bytes(), SAMPLE_REPORT);
        assert!(Contents::open(Path::new("/nowhere/report.csv")).is_err());
    }
}
