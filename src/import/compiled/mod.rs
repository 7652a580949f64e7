//! What compilers and their tools say about kernels: the printed lines of `ptxas -v` and `cuobjdump`, and compiled code itself.
//!
//! In: registers, static shared memory, barriers, spills, stack and launch bounds of every kernel, each with its place.
//! Not in: a launch. A compiler knows no grid and no dynamic shared memory, so those stay none and are never made up.
//!
//! Start with [`find`], which tells what a text is, and [`read_text`]; compiled code goes through [`cubin`].

mod closing;
mod cubin;
mod names;
mod ptxas;
mod reserve;
mod resource_usage;
mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::lines::line_at;
use super::model::{Compiled, Format, Kernel, Read, Report};
use super::notes::Notes;
use super::position::Position;
use super::{PROGRESS_BYTES, Progress, closing as report_closing};
use crate::arch::ComputeCapability;

pub(super) use cubin::{is_code, read_code};

/// Kernels of a file, in its order, and what was noted.
#[derive(Debug, Default)]
struct Found {
    kernels: Vec<Kernel>,
    notes: Notes,
}

/// What reads a text line by line.
trait LineReader {
    fn line(&mut self, line: &Line<'_>);
    fn num_kernels(&self) -> usize;
    fn finish(self) -> Found;
}

/// A line of a text: its number from 1, and its letters without the line end.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    number: u64,
    text: &'a str,
}

impl Line<'_> {
    /// The place of the letter that begins at this byte.
    fn place(&self, index: usize) -> Position {
        let before = self.text.get(..index).unwrap_or(self.text);
        Position::of_cell(self.number, before.chars().count())
    }
}

/// What a text is, when a compiler or `cuobjdump` wrote some of its lines.
pub(super) fn find(text: &[u8]) -> Option<Format> {
    let mut offset = 0;
    while offset < text.len() {
        let line = line_at(text, offset);
        offset += line.len();
        let line = String::from_utf8_lossy(line);
        if ptxas::is_mark(&line) {
            return Some(Format::Ptxas);
        }
        if resource_usage::is_mark(&line) {
            return Some(Format::ResourceUsage);
        }
    }
    None
}

/// Reads the text that [`find`] recognized. After each MiB `progress` is told and can stop the reading; what was read stays.
pub(super) fn read_text(format: Format, text: &[u8], progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Report {
    let (found, end) = if format == Format::ResourceUsage {
        read_lines(text, resource_usage::Dump::default(), progress)
    } else {
        read_lines(text, ptxas::Log::default(), progress)
    };
    let Found { kernels, mut notes } = found;
    report_closing::note_stopped(end, text.len(), &mut notes);
    close(format, kernels, notes)
}

/// The report, with the notes about all of it.
fn close(format: Format, kernels: Vec<Kernel>, mut notes: Notes) -> Report {
    closing::note_kernels(format, &kernels, &mut notes);
    Report { format, tool_version: None, notes: notes.finish(), decimal: None, kernels }
}

fn read_lines<R: LineReader>(text: &[u8], mut reader: R, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> (Found, usize) {
    let (mut offset, mut told, mut number) = (0, 0, 0);
    while offset < text.len() {
        let bytes = line_at(text, offset);
        offset += bytes.len();
        number += 1;
        let line: Cow<'_, str> = String::from_utf8_lossy(bytes);
        reader.line(&Line { number, text: line.trim_end() });
        if offset - told >= PROGRESS_BYTES || offset == text.len() {
            told = offset;
            if progress(Progress { bytes_read: told, bytes_total: text.len(), num_kernels: reader.num_kernels() }).is_break() {
                break;
            }
        }
    }
    (reader.finish(), offset)
}

/// A kernel of which only the name is known so far, demangled where it was mangled.
fn new_kernel(mangled: &str, at: Position, compute_capability: Option<Read<ComputeCapability>>) -> Kernel {
    Kernel {
        name: names::demangled(mangled),
        at,
        compute_capability,
        compiled: Some(Compiled { mangled_name: mangled.to_owned(), ..Compiled::default() }),
        ..Kernel::default()
    }
}
