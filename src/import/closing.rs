//! The notes about a whole file, said once after it was read: what was skipped, what was decided, what is missing.

use super::evidence::{Evidence, Sighting};
use super::model::{Decimal, Kernel, Severity};
use super::notes::{Notes, Topic};
use super::numbers::DecimalMark;
use super::reading::Tally;
use crate::fmt::{counted, grouped};

pub(super) fn note_skipped(tally: &Tally, notes: &mut Notes) {
    let outside = tally.outside_before + tally.outside_after;
    if let Some(first) = tally.first_outside {
        let (before, after) = (grouped(tally.outside_before), grouped(tally.outside_after));
        let message = || format!("{} outside the table skipped: {before} before its header, {after} after it", counted(outside, "line"));
        notes.on_line(Topic::File, Severity::Info, first, message);
    }
    for message in &tally.messages {
        let times = if message.count == 1 { String::new() } else { format!(" ({} times)", grouped(message.count)) };
        notes.on_line(Topic::Profiler, message.severity, message.line, || format!("the profiler says{times}: {}", message.text));
    }
    if tally.blank > 0 {
        notes.about_file(Severity::Info, format!("{} skipped", counted(tally.blank, "blank line")));
    }
    if tally.other_metrics > 0 {
        notes.about_file(Severity::Info, format!("{} with metrics that are not used here", counted(tally.other_metrics, "row")));
    }
    if tally.other_columns > 0 {
        let columns = u64::try_from(tally.other_columns).unwrap_or(u64::MAX);
        notes.about_file(Severity::Info, format!("{} with metrics that are not used here", counted(columns, "column")));
    }
}

/// Says which decimal mark was taken whenever that was not plain; the same for who may choose, where it could be the other.
/// `is_told`: by whoever opened the file.
pub(super) fn note_decimal_mark(evidence: &Evidence, mark: DecimalMark, is_told: bool, notes: &mut Notes) -> Option<Decimal> {
    let said = |sighting: &Sighting| format!("\"{}\" in {}", sighting.text, sighting.at);
    let (taken, other) = (mark.name(), mark.other().name());
    let way_out = format!("occuscope import --decimal {other} reads the file the other way");
    let against = if mark == DecimalMark::Dot { &evidence.comma } else { &evidence.dot };
    let found = match (&evidence.dot, &evidence.comma, &evidence.unclear) {
        _ if is_told => {
            let message = format!("numbers are read with a decimal {taken}, as told");
            let evidence = against.as_ref().map(|against| format!("{message}, but {} has a decimal {other}", said(against)));
            if let Some(evidence) = &evidence {
                notes.about_file(Severity::Warning, evidence.clone());
            }
            Some(evidence.unwrap_or(message))
        }
        (Some(dot), Some(comma), _) => {
            let sightings = format!("{} against {}", said(dot), said(comma));
            let message = format!("the decimal mark is contradictory: {sightings}; took the {taken}, which more cells speak for");
            notes.about_file(Severity::Warning, format!("{message}; {way_out}"));
            Some(message)
        }
        (None, Some(comma), _) => {
            notes.about_file(Severity::Info, format!("numbers have a decimal comma: {}", said(comma)));
            None
        }
        (None, None, Some(unclear)) => {
            let sighting = format!("{} could have a decimal {other} or none", said(unclear));
            let message = format!("nothing in the file settles its decimal mark; took the {taken}, but {sighting}");
            notes.about_file(Severity::Warning, format!("{message}; {way_out}"));
            Some(message)
        }
        _ => None,
    };
    found.map(|evidence| Decimal { mark, is_told, evidence })
}

/// Says what the kernels lack to be placed on a GPU, and how to get it.
pub(super) fn note_missing(kernels: &[Kernel], notes: &mut Notes) {
    if kernels.is_empty() {
        notes.about_file(Severity::Warning, "the report has a header but no kernels".to_owned());
        return;
    }
    let mut missing = |what: &str, way_out: &str, is_missing: &dyn Fn(&Kernel) -> bool| {
        let count = kernels.iter().filter(|kernel| is_missing(kernel)).fold(0, |count, _| count + 1);
        if count > 0 {
            let verb = if count == 1 { "has" } else { "have" };
            notes.about_file(Severity::Info, format!("{} {verb} no {what} here; {way_out}", counted(count, "kernel")));
        }
    };
    missing("name", "the report gives none", &|kernel| kernel.name.is_empty());
    missing("compute capability", "choose the GPU to compare with", &|kernel| kernel.compute_capability.is_none());
    missing("block size", "profile with --section LaunchStats", &|kernel| kernel.threads_per_block().is_none());
    missing("registers per thread or shared memory", "profile with --section LaunchStats --section Occupancy", &|kernel| {
        kernel.registers_per_thread.is_none() || kernel.static_smem_bytes.is_none() || kernel.dynamic_smem_bytes.is_none()
    });
}

pub(super) fn note_stopped(end: usize, total: usize, notes: &mut Notes) {
    if end < total {
        let read = |bytes: usize| grouped(u64::try_from(bytes).unwrap_or(u64::MAX));
        let message = format!("reading was stopped after {} of {} bytes; the last kernel may be incomplete", read(end), read(total));
        notes.about_file(Severity::Warning, message);
    }
}
