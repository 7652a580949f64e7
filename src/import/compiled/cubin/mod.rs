//! Compiled code: a cubin, a fat binary, or a Linux program, library or object file with fat binaries inside.
//!
//! In: `image` (one cubin), `attributes` (its `.nv.info` sections), `fatbin` (containers of several, some compressed), `host`
//! (where a program keeps them). Not in: spill counts, blocks per SM of `__launch_bounds__` and dynamic shared memory, which
//! are not stored; and PTX, which is compiled when the program runs.
//!
//! Source: cubins, fat binaries and programs made with ptxas, fatbinary and nvcc 11.8 to 13.5 from our own kernels, beside what
//! `ptxas -v` and `readelf` print of them.

mod attributes;
mod fatbin;
mod host;
mod image;

use std::ops::ControlFlow;

use super::super::Progress;
use super::super::error::ImportError;
use super::super::model::{Format, Kernel, Report, Severity};
use super::super::notes::{Notes, Topic};
use super::super::position::Position;
use super::close;
use crate::fmt::counted;

const ELF_MAGIC: &[u8] = b"\x7FELF";

/// Whether this is compiled code, from its first bytes.
pub(in super::super) fn is_code(bytes: &[u8]) -> bool {
    bytes.starts_with(ELF_MAGIC) || bytes.starts_with(&fatbin::MAGIC)
}

/// Reads what [`is_code`] recognized. Between two pieces of code `progress` is told and can stop the reading.
///
/// # Errors
/// When there is no CUDA code in it, or what there is is damaged from its beginning on.
pub(in super::super) fn read_code(bytes: &[u8], progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Report, ImportError> {
    let mut reading = Reading { file_bytes: bytes.len(), ..Reading::default() };
    if bytes.starts_with(&fatbin::MAGIC) {
        // Stopped or not, what was read is the report.
        let _ = fatbin::read(bytes, 0, &mut reading, progress);
        if reading.num_containers == 0 {
            return Err(ImportError::DamagedCode { what: "it begins as a fat binary, but does not go on as one".to_owned() });
        }
    } else if image::is_image(bytes) {
        image::read(bytes, Base::Plain(0), &mut reading).map_err(|what| ImportError::DamagedCode { what })?;
    } else {
        host::read(bytes, &mut reading, progress)?;
    }
    reading.note_totals();
    Ok(close(Format::Cubin, reading.kernels, reading.notes))
}

/// Where a piece of code is in the file.
#[derive(Clone, Copy, Debug)]
enum Base {
    /// It begins at this byte.
    Plain(usize),
    /// It is compressed, and begins at this byte. What is in it has no places of its own in the file.
    Compressed(usize),
}

impl Base {
    /// The place of what is this many bytes into the piece.
    fn place(self, offset: usize) -> Position {
        match self {
            Self::Plain(base) => Position::of_byte(base.saturating_add(offset)),
            Self::Compressed(base) => Position::of_byte(base),
        }
    }
}

/// What was read so far.
#[derive(Debug, Default)]
struct Reading {
    file_bytes: usize,
    kernels: Vec<Kernel>,
    notes: Notes,
    num_containers: u64,
    num_compressed: u64,
    num_ptx: u64,
    num_without_kernels: u64,
    num_device_functions: u64,
    num_reserved: u64,
}

impl Reading {
    /// Notes something that was left out.
    fn skip(&mut self, at: Position, message: impl FnOnce() -> String) {
        self.notes.at(Topic::Function, Severity::Warning, at, message);
    }

    fn progress(&self, bytes_read: usize) -> Progress {
        Progress { bytes_read, bytes_total: self.file_bytes, num_kernels: self.kernels.len() }
    }

    fn note_stopped(&mut self, offset: usize) {
        super::report_closing::note_stopped(offset, self.file_bytes, &mut self.notes);
    }

    fn note_totals(&mut self) {
        let notes = [
            (
                self.num_reserved,
                "kernel",
                "had 1,024 bytes of the driver counted into shared memory, as from compute capability 9.0 on; they are taken off",
            ),
            (self.num_compressed, "piece", "of code compressed: values from there have the place where it begins"),
            (self.num_without_kernels, "piece", "of code without kernels skipped"),
            (self.num_device_functions, "function", "that kernels call skipped"),
            (self.num_ptx, "piece", "of PTX skipped: it is compiled when the program runs"),
        ];
        for (count, what, message) in notes {
            if count > 0 {
                self.notes.about_file(Severity::Info, format!("{} {message}", counted(count, what)));
            }
        }
    }
}
