//! Reading what profilers and compilers write into one model of a kernel.
//!
//! In: the text that Nsight Compute prints with `--csv` (details page, raw page, `--metrics`, summaries, of all versions since
//! 2019) and what its window exports, with the program output around it; its binary reports; what `ptxas -v` and `cuobjdump`
//! print, and compiled code; the [`Report`] that comes out, with a note for everything that was skipped, decided or missing; and
//! a name for each thing that people open by mistake.
//! Not in: opening files, and what the numbers mean for occupancy. Bytes come in, plain data goes out.
//!
//! Start with [`read_report`]. Inside, a binary report goes through `ncu_rep`, compiled code and compiler output through
//! `compiled`, and a table through these modules: `text` (encoding), `detect` (what it is), `lines` (rows and what stands between
//! them), `rows` (a row cut into cells), `layout` (a row as in the launch before), `table` (one pass), `parallel` (at several places
//! at once), one of `details`, `raw`, `summary` and `gui_export` (which cell is what), `metrics` (the names), `numbers`, `measures`
//! and `evidence` (what a cell says), `launches` (numbers to kernels), `closing` (notes about the whole file).

pub mod account;
mod closing;
mod columns;
pub mod compare;
mod compiled;
mod details;
mod detect;
mod error;
mod evidence;
mod gui_export;
mod launches;
mod layout;
mod lines;
mod measures;
mod metrics;
mod model;
mod ncu_rep;
mod notes;
mod numbers;
mod parallel;
mod position;
mod raw;
mod reading;
mod rows;
pub mod stalls;
mod summary;
mod table;
mod text;
mod wide;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use error::ImportError;
pub use model::{Compiled, Decimal, Device, EstimatedSpeedup, Format, Kernel, Measured, Note, Read, Report, Reported, Rule, Severity};
pub use position::Position;

pub use numbers::DecimalMark;

use parallel::Division;
use reading::Reading;
use table::Pass;

/// A report to open when there is none of one's own: a dozen invented kernels on an A100, some with a tail.
pub const SAMPLE_REPORT: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/tail_effect_a100.csv"));

/// How often [`read_report_with`] tells its progress, in bytes.
const PROGRESS_BYTES: usize = 1 << 20;

/// What is known about a file that it may not say itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// What its numbers have between the whole and the fraction. None: as more of its numbers say.
    pub decimal_mark: Option<DecimalMark>,
}

/// How far reading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub bytes_read: usize,
    /// Of a text as UTF-8; a UTF-16 file is about twice as large.
    pub bytes_total: usize,
    /// Launches or compiled kernels seen so far.
    pub num_kernels: usize,
}

/// Reads a profiler report, compiler output or compiled code.
///
/// Anything smaller than "this is no report" is a note in the [`Report`], with its line and column or its byte: rows that were skipped,
/// cells that are no numbers, values that contradict each other.
///
/// # Errors
/// When the bytes are not a report that can be read. The error says what they are instead and which command makes a
/// readable one.
pub fn read_report(bytes: &[u8]) -> Result<Report, ImportError> {
    read_report_with(bytes, |_| ControlFlow::Continue(()))
}

/// As [`read_report`], telling how far it is after every MiB or so.
///
/// `progress` stops the reading with [`ControlFlow::Break`]; the report then has what was read until there, and a note that
/// says so. When a file turns out to have decimal commas only at its end, it is read a second time, and `bytes_read` starts again.
///
/// # Errors
/// As [`read_report`].
pub fn read_report_with(bytes: &[u8], progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<Report, ImportError> {
    read_report_as(bytes, ReadOptions::default(), progress)
}

/// As [`read_report_with`], told what the file may not say itself.
///
/// # Errors
/// As [`read_report`].
pub fn read_report_as(
    bytes: &[u8],
    options: ReadOptions,
    mut progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Report, ImportError> {
    read_divided(bytes, options, Division::of_this_machine(), &mut progress)
}

fn read_divided(
    bytes: &[u8],
    options: ReadOptions,
    division: Division,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Report, ImportError> {
    if bytes.starts_with(ncu_rep::MAGIC) {
        return ncu_rep::read(bytes, progress);
    }
    if compiled::is_code(bytes) {
        return compiled::read_code(bytes, progress);
    }
    if let Some(kind) = detect::recognize_binary(bytes) {
        return Err(kind);
    }
    let text = text::decode(bytes);
    let Some(row_start) = detect::find_report(&text) else {
        let compiled = compiled::find(&text).map(|format| compiled::read_text(format, &text, progress));
        return compiled.ok_or_else(|| detect::recognize_text(&text));
    };
    let mark = options.decimal_mark.unwrap_or(DecimalMark::Dot);
    let mut pass = table::read(&text, row_start, Reading::new(mark), division, progress);
    let mark = options.decimal_mark.unwrap_or(pass.reading.evidence.mark());
    if mark != pass.reading.mark {
        // Stopped or not, only what was read is read again: a caller who said stop is not asked a second time.
        let is_stopped = pass.end < text.len();
        let mut again = |at| if is_stopped { ControlFlow::Continue(()) } else { progress(at) };
        pass = table::read(&text[..pass.end], row_start, Reading::new(mark), division, &mut again);
    }
    Ok(close(pass, options, division, text.len()))
}

/// The report that a pass has read, with the notes about all of it.
fn close(pass: Pass, options: ReadOptions, division: Division, num_bytes: usize) -> Report {
    // Without a header there is a report all the same: the pass was stopped before it came to it.
    let format = pass.format.unwrap_or(Format::Details);
    let Reading { mark, launches, mut notes, evidence, tally, words: _ } = pass.reading;
    let kernels = launches.finish(division.num_threads, &mut notes);
    closing::note_skipped(&tally, &mut notes);
    let decimal = closing::note_decimal_mark(&evidence, mark, options.decimal_mark.is_some(), &mut notes);
    closing::note_missing(&kernels, &mut notes);
    closing::note_stopped(pass.end, num_bytes, &mut notes);
    Report { format, tool_version: None, notes: notes.finish(), decimal, kernels }
}
