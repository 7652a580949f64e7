//! One pass over the blocks of a report: what it has come to, and what was wrong on the way.

use std::ops::ControlFlow;

use super::Watch;
use super::container::{Block, Session, damage_error};
use super::result::KernelResult;
use super::wire::{Damage, Part};
use crate::fmt::{counted, grouped};
use crate::import::model::{Format, Report, Severity};
use crate::import::notes::Topic;
use crate::import::numbers::DecimalMark;
use crate::import::reading::Reading;
use crate::import::{ImportError, PROGRESS_BYTES, Progress, closing};

/// Launches of one report that are read; a damaged file can claim a launch every few bytes.
const MAX_KERNELS: usize = 100_000;

/// Why reading ended before the end of the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// The caller said so.
    Stopped { bytes_read: usize },
    /// After this nothing can be found any more.
    Damaged(Damage),
}

/// What has been read of a file.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    rest: Part<'a>,
    session: Session<'a>,
    reading: Reading,
    bytes_total: usize,
    /// The byte from which on progress is told again.
    next_progress: usize,
    /// Kernel results so far, those that are left out among them: a launch has the number of its result.
    num_results: u64,
    num_kernels: usize,
    /// Kernel results after the last that may be read.
    num_beyond: u64,
    num_other_results: u64,
    num_other_metrics: u64,
    /// The first place that could not be read, and what was there.
    first_damage: Option<(Damage, &'static str)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(rest: Part<'a>, bytes_total: usize) -> Self {
        Self {
            rest,
            session: Session::default(),
            reading: Reading::new(DecimalMark::Dot),
            bytes_total,
            next_progress: PROGRESS_BYTES,
            num_results: 0,
            num_kernels: 0,
            num_beyond: 0,
            num_other_results: 0,
            num_other_metrics: 0,
            first_damage: None,
        }
    }

    /// Goes through all blocks.
    pub(super) fn blocks(&mut self, watch: Watch<'_>) -> Result<(), End> {
        while !self.rest.is_empty() {
            let mut rest = self.rest;
            let block = rest.take_framed().and_then(|header| self.session.block(header)).map_err(End::Damaged)?;
            let payload = self.take_payload(rest, block);
            self.payload(payload, block, watch)?;
        }
        self.tell(self.bytes_total, watch)
    }

    /// Cuts off the entries of a block. A file that ends in them has what is there.
    fn take_payload(&mut self, mut rest: Part<'a>, block: Block) -> Part<'a> {
        let wanted = usize::try_from(block.payload_bytes).unwrap_or(usize::MAX);
        let payload = rest.take(wanted).unwrap_or_else(|| {
            let missing = counted(block.payload_bytes - u64::try_from(rest.bytes.len()).unwrap_or(0), "byte");
            let message = || format!("the file ends {missing} before the end of the entries that begin here");
            self.reading.notes.at(Topic::Damage, Severity::Warning, rest.at(), message);
            std::mem::replace(&mut rest, Part::of_file(&[]))
        });
        self.rest = rest;
        payload
    }

    fn payload(&mut self, mut payload: Part<'a>, block: Block, watch: Watch<'_>) -> Result<(), End> {
        let first_result = self.num_results;
        self.num_other_results = self.num_other_results.saturating_add(block.num_other_results);
        if let Err(damage) = self.entries(&mut payload, block, watch)? {
            let left = block.num_results - (self.num_results - first_result);
            let consequence = if left == 0 { String::new() } else { format!("; {} cannot be read", counted(left, "kernel result")) };
            self.damaged(damage, "a block", &format!("this block is damaged{consequence}"));
            self.num_results = first_result.saturating_add(block.num_results);
        }
        Ok(())
    }

    /// Reads the entries of a block. The inner result is their damage, after which the next block can be read.
    fn entries(&mut self, payload: &mut Part<'a>, block: Block, watch: Watch<'_>) -> Result<Result<(), Damage>, End> {
        for _ in 0..block.num_sources {
            if let Err(damage) = payload.take_framed() {
                return Ok(Err(damage));
            }
        }
        for _ in 0..block.num_results {
            match payload.take_framed() {
                Ok(result) => self.result(result, block.process_id),
                Err(damage) => return Ok(Err(damage)),
            }
            if payload.offset() >= self.next_progress {
                self.tell(payload.offset(), watch)?;
            }
        }
        Ok(Ok(()))
    }

    fn result(&mut self, part: Part<'a>, process_id: Option<u64>) {
        let id = self.num_results;
        self.num_results += 1;
        if self.num_kernels == MAX_KERNELS {
            self.num_beyond += 1;
            return;
        }
        match KernelResult::new(part) {
            Ok(result) if result.is_empty() => {
                let message = || "this kernel result has neither a name nor metrics; left out".to_owned();
                self.reading.notes.at(Topic::Damage, Severity::Warning, part.at(), message);
            }
            Ok(result) => {
                self.num_kernels += 1;
                self.num_other_metrics += result.read(id, process_id, &self.session.names, &mut self.reading);
            }
            Err(damage) => self.damaged(damage, "a kernel result", &format!("kernel result {id} is damaged and left out")),
        }
    }

    /// Notes a damage.
    fn damaged(&mut self, damage: Damage, what: &'static str, consequence: &str) {
        self.first_damage.get_or_insert((damage, what));
        let message = || format!("{consequence} ({damage})");
        self.reading.notes.at(Topic::Damage, Severity::Warning, damage.at, message);
    }

    fn tell(&mut self, bytes_read: usize, watch: Watch<'_>) -> Result<(), End> {
        self.next_progress = bytes_read.saturating_add(PROGRESS_BYTES);
        let progress = Progress { bytes_read, bytes_total: self.bytes_total, num_kernels: self.num_kernels };
        match watch(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) if bytes_read == self.bytes_total => Ok(()),
            ControlFlow::Break(()) => Err(End::Stopped { bytes_read }),
        }
    }

    /// The report, with the notes about all of it.
    pub(super) fn close(mut self, end: Result<(), End>) -> Result<Report, ImportError> {
        let mut end_byte = self.bytes_total;
        match end {
            Ok(()) => {}
            Err(End::Stopped { bytes_read }) => end_byte = bytes_read,
            Err(End::Damaged(damage)) => self.damaged(damage, "a block", "the report cannot be read from here on"),
        }
        if let (0, Some((damage, what))) = (self.num_kernels, self.first_damage) {
            return Err(damage_error(damage, what));
        }
        self.note_left_out();
        let Reading { launches, mut notes, .. } = self.reading;
        let kernels = launches.finish(1, &mut notes);
        closing::note_missing(&kernels, &mut notes);
        closing::note_stopped(end_byte, self.bytes_total, &mut notes);
        Ok(Report { format: Format::NcuRep, tool_version: self.session.tool_version, notes: notes.finish(), decimal: None, kernels })
    }

    fn note_left_out(&mut self) {
        let notes = &mut self.reading.notes;
        if self.first_damage.is_some() {
            let message = "parts of this report are damaged and left out; if ncu opens it, ncu --import FILE --csv --page raw > report.csv exports the rest";
            notes.about_file(Severity::Warning, message.to_owned());
        }
        if self.num_beyond > 0 {
            let first = grouped(u64::try_from(MAX_KERNELS).unwrap_or(u64::MAX));
            let message = format!("{} after the first {first} left out", counted(self.num_beyond, "kernel result"));
            notes.about_file(Severity::Warning, message);
        }
        if self.num_other_results > 0 {
            let results = counted(self.num_other_results, "result");
            notes.about_file(Severity::Info, format!("{results} of ranges, command lists or graphs left out: they have no launch shape"));
        }
        if self.num_other_metrics > 0 {
            notes.about_file(Severity::Info, format!("{} of metrics that are not used here", counted(self.num_other_metrics, "value")));
        }
    }
}
