//! Imported reports as text for people: one table per file, then what is worth saying about it.

use std::fmt::Write;
use std::mem::{Discriminant, discriminant};

use super::{ImportedFile, account_text, compiled_text};
use crate::cli::output::{QUIET, STRONG};
use crate::cli::table::{Align, lines};
use crate::engine::ResourceSet;
use crate::fmt::{bytes, capitalized, grouped, harmless, percent};
use crate::import::account::{Account, Cause, Difference, Subject};
use crate::import::{Kernel, Note, Read, Severity};
use crate::units::Dim3;

/// Letters of a kernel's name that are shown; JSON has them all.
const NAME_LETTERS: usize = 40;
/// What stands where a report has no value.
pub(in crate::cli) const NOTHING: &str = "–";

const COLUMNS: [(&str, Align); 11] = [
    ("ID", Align::Right),
    ("Kernel", Align::Left),
    ("Block", Align::Right),
    ("Grid", Align::Right),
    ("Registers", Align::Right),
    ("Shared", Align::Right),
    ("Blocks/SM", Align::Right),
    ("Theoretical", Align::Right),
    ("Achieved", Align::Right),
    ("Waves", Align::Right),
    ("Stopped by", Align::Left),
];

pub(super) fn files(files: &[ImportedFile]) -> String {
    files.iter().map(file).collect::<Vec<_>>().join("\n")
}

fn file(file: &ImportedFile) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{STRONG}{}{STRONG:#}{QUIET}{}{QUIET:#}", file.path, summary(file));
    if !file.kernels.is_empty() {
        let _ = writeln!(out);
        for (index, line) in table(file).iter().enumerate() {
            let style = if index == 0 { QUIET } else { anstyle::Style::new() };
            let _ = writeln!(out, "{style}{line}{style:#}");
        }
    }
    out += &account_text::kernels(file);
    let remarks = remarks(file);
    if !remarks.is_empty() {
        let _ = writeln!(out, "\n{}", remarks.join("\n"));
    }
    out
}

/// " · details · 12 launches".
fn summary(file: &ImportedFile) -> String {
    let mut out = String::new();
    let version = file.tool_version.as_ref().map(|version| format!("version {version}"));
    let kernels = file.is_readable.then(|| counted(file, file.kernels.len()));
    for part in [file.format.clone(), version, kernels].into_iter().flatten() {
        let _ = write!(out, " · {part}");
    }
    out
}

/// "12 launches" of a profiler's file, "12 kernels" of a compiler's.
fn counted(file: &ImportedFile, count: usize) -> String {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    if file.is_compiled() {
        return crate::fmt::counted(count, "kernel");
    }
    format!("{} {}", grouped(count), if count == 1 { "launch" } else { "launches" })
}

fn table(file: &ImportedFile) -> Vec<String> {
    if file.is_compiled() {
        return compiled_text::table(file.kernels.iter().map(|(kernel, _)| kernel));
    }
    let aligns = COLUMNS.map(|(_, align)| align);
    let header = COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(file.kernels.iter().map(|(kernel, account)| row(kernel, account))).collect();
    lines(&aligns, &rows)
}

fn row(kernel: &Kernel, account: &Account) -> Vec<String> {
    let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
    vec![
        or_nothing(kernel.id.map(|id| id.to_string())),
        shortened(&kernel.name),
        or_nothing(shape(kernel.block).or_else(|| Some(grouped(kernel.threads_per_block()?.value)))),
        or_nothing(shape(kernel.grid).or_else(|| Some(grouped(kernel.num_blocks()?.value)))),
        or_nothing(kernel.registers_per_thread.map(|registers| registers.value.to_string())),
        or_nothing(requested_smem(kernel)),
        or_nothing(account.blocks_per_sm.map(|blocks| grouped(blocks.into()))),
        or_nothing(account.theoretical_percent.map(percent)),
        or_nothing(account.achieved_percent.map(percent)),
        or_nothing(account.waves.map(|waves| format!("{:.2}", waves.waves()))),
        or_nothing(Some(account.limiters(kernel)).filter(|limiters| !limiters.is_empty()).map(limiters)),
    ]
}

fn shape(shape: Option<Read<Dim3>>) -> Option<String> {
    let Dim3 { x, y, z } = shape?.value;
    Some(shape_text([x, y, z]))
}

/// "256", "16×16", "8×8×4".
pub(in crate::cli) fn shape_text(shape: [u32; 3]) -> String {
    match shape {
        [x, 1, 1] => grouped(x.into()),
        [x, y, 1] => format!("{x}×{y}"),
        [x, y, z] => format!("{x}×{y}×{z}"),
    }
}

fn requested_smem(kernel: &Kernel) -> Option<String> {
    let total = kernel.static_smem_bytes?.value.checked_add(kernel.dynamic_smem_bytes?.value)?;
    Some(if total == 0 { "0".to_owned() } else { bytes(total) })
}

fn limiters(limiters: ResourceSet) -> String {
    limiters.iter().map(|resource| resource.name().to_lowercase()).collect::<Vec<_>>().join(" + ")
}

/// The beginning of a name, cut where it is too long for a table.
pub(in crate::cli) fn shortened(name: &str) -> String {
    let name = harmless(name);
    if name.chars().count() <= NAME_LETTERS {
        return name;
    }
    let beginning: String = name.chars().take(NAME_LETTERS - 1).collect();
    format!("{}…", beginning.trim_end())
}

/// Notes of the reading, then what is missing, other remarks and differences; those that are alike once, with their number.
fn remarks(file: &ImportedFile) -> Vec<String> {
    let mut said: Vec<(Alike, String, usize)> = Vec::new();
    for (alike, sentence) in file.kernels.iter().flat_map(|(_, account)| about(account)) {
        match said.iter_mut().find(|(known, ..)| *known == alike) {
            Some((_, _, count)) => *count += 1,
            None => said.push((alike, sentence, 1)),
        }
    }
    let about_kernels = said.into_iter().map(|(alike, sentence, count)| match (alike, count) {
        (_, 1) => sentence,
        (Alike::Text(_), count) => format!("{sentence} ({})", counted(file, count)),
        (Alike::Cause(..), count) => format!("{sentence} ({} alike)", counted(file, count)),
    });
    file.notes.iter().map(note).chain(about_kernels).collect()
}

/// What makes two remarks say the same, so that one of them is enough.
#[derive(Debug, PartialEq)]
enum Alike {
    Text(String),
    /// A difference in the same number for the same reason, whatever the values.
    Cause(Subject, Discriminant<Cause>),
}

fn about(account: &Account) -> impl Iterator<Item = (Alike, String)> {
    let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
    let lacking = (!missing.is_empty()).then(|| format!("Not computed, because the report does not state: {}.", missing.join(", ")));
    let notes = account.notes.iter().map(|note| format!("{}.", capitalized(note)));
    let texts = lacking.into_iter().chain(notes).map(|text| (Alike::Text(text.clone()), text));
    texts.chain(account.differences.iter().map(about_difference))
}

fn about_difference(difference: &Difference) -> (Alike, String) {
    let sentence = difference.sentence();
    if difference.is_explained() {
        (Alike::Cause(difference.subject, discriminant(&difference.cause)), sentence)
    } else {
        (Alike::Text(sentence.clone()), format!("Unexplained: {sentence}"))
    }
}

fn note(note: &Note) -> String {
    let severity = match note.severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let place = match (note.line, note.column) {
        (Some(line), Some(column)) => format!(", line {line}, column {column}"),
        (Some(line), None) => format!(", line {line}"),
        _ => String::new(),
    };
    format!("{severity}: {}{place}", note.message)
}
