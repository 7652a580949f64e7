//! The binary report of Nsight Compute, `.ncu-rep`, read without the profiler.
//!
//! In: kernel results with the numbers, the rules and the names that the model has, equal to the profiler's own CSV of the same
//! report, and each number with the byte at which it was read. Not in: sources, single instances, results of ranges and
//! graphs, and everything about the machine and its user.
//!
//! Start with [`read`]. `wire` goes through messages, `container` and `reader` through blocks; `names` and `values` are
//! metrics, `result` is a launch, `rules` the advice. Nothing is copied on the way and every length is held against what is
//! left, so reading costs what is kept. A damaged piece is left out and noted; the rest is read.
//!
//! Source: the layout in "Report File Format" of the Nsight Compute Customization Guide, and reports by 2020.3 to 2025.4.

mod container;
mod names;
mod reader;
mod result;
mod rules;
#[cfg(test)]
mod tests;
mod values;
mod wire;
#[cfg(test)]
mod writer;

use std::ops::ControlFlow;

pub(super) use container::MAGIC;

use super::model::Report;
use super::{ImportError, Progress};
use reader::Reader;

/// Told how far reading has come; says whether to go on.
type Watch<'w> = &'w mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Reads a report that begins with [`MAGIC`].
///
/// # Errors
/// When its version is unknown, or when it is damaged and no kernel can be read.
pub(super) fn read(file: &[u8], watch: Watch<'_>) -> Result<Report, ImportError> {
    let blocks = container::blocks(file)?;
    let mut reader = Reader::new(blocks, file.len());
    let end = reader.blocks(watch);
    reader.close(end)
}
