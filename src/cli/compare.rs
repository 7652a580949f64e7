//! `occuscope compare`: which kernels changed between two reports of one program.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value;

use super::import::{ImportedFile, NOTHING, NOTHING_READABLE, import, shape_text, shortened};
use super::output::{self, QUIET, STRONG};
use super::table::{Align, lines};
use crate::export::{Cells, Heading, Value as Cell, csv_table, markdown_text};
use crate::fmt::{bytes, counted, grouped, percent, signed_points};
use crate::import::compare::{Aspect, Comparison, Group, Pair, compare};
use crate::shell;

/// Exit code when occupancy fell by more than was allowed.
const FELL: u8 = 3;

#[derive(Debug, Args)]
#[command(after_help = "Kernels are matched by name, shape and dynamic shared memory, then by name and shape, then by name alone. \
Achieved occupancy that moves by less than 1 point, and time that changes by less than 5 %, count as noise.\n\n\
Exit codes: 0 compared, 1 a file cannot be read, 2 wrong input, 3 occupancy fell by more than --fail-if-lower allows.\n\n\
Examples:
  occuscope compare before.ncu-rep after.ncu-rep
  occuscope compare before.csv after.csv --fail-if-lower 2")]
pub struct CompareArgs {
    /// The report of before, or - for the standard input
    old: PathBuf,
    /// The report of after
    new: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: CompareFormat,
    /// Exit with 3 when a kernel's theoretical or achieved occupancy is lower by more than so many points
    #[arg(long, value_name = "POINTS", value_parser = points)]
    fail_if_lower: Option<f64>,
    /// The GPU, where a report does not say it
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// A GPU file of your own; may be given several times
    #[arg(long, value_name = "FILE")]
    arch: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    #[default]
    Text,
    Json,
    /// One row for each change
    Csv,
    /// A table for a document
    Markdown,
}

fn points(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|points| (0.0..=100.0).contains(points));
    number.ok_or_else(|| "points of occupancy are a number from 0 to 100".to_owned())
}

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<u8> {
    let catalog = shell::catalog(&args.arch)?;
    let gpu = args.gpu.as_deref().map(|name| catalog.find_gpu(name)).transpose()?;
    let [old, new] = [&args.old, &args.new].map(|path| import(path, &catalog, gpu));
    let unreadable: Vec<&ImportedFile> = [&old, &new].into_iter().filter(|file| !file.is_readable).collect();
    if !unreadable.is_empty() {
        for file in unreadable {
            file.print_problems();
        }
        return Ok(NOTHING_READABLE);
    }
    let comparison = compare(old.kernels(), new.kernels());
    match args.format {
        CompareFormat::Text => output::print_text(&text(&comparison))?,
        CompareFormat::Json => output::print_json(&json(&comparison))?,
        CompareFormat::Csv => output::print_text(&csv(&comparison)?)?,
        CompareFormat::Markdown => output::print_text(&markdown(&comparison))?,
    }
    let allowed = args.fail_if_lower.unwrap_or(f64::INFINITY);
    let fallen = comparison.pairs.iter().filter(|pair| pair.lost_points() > allowed).count();
    if fallen == 0 {
        return Ok(0);
    }
    output::print_error(&format!("occupancy fell by more than {allowed} points: {}", counted(fallen as u64, "kernel")));
    Ok(FELL)
}

impl Aspect {
    const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Grid => "grid",
            Self::Launches => "launches",
            Self::RegistersPerThread => "registers/thread",
            Self::StaticSmem => "static shared",
            Self::DynamicSmem => "dynamic shared",
            Self::SpillStores => "spill stores",
            Self::SpillLoads => "spill loads",
            Self::LaunchBounds => "launch bounds",
            Self::BlocksPerSm => "blocks/SM",
            Self::Limiters => "stopped by",
            Self::Theoretical => "theoretical",
            Self::Achieved => "achieved",
            Self::Duration => "time",
        }
    }

    /// For people; none where the report does not say it.
    fn text(self, group: &Group) -> Option<String> {
        match self {
            Self::Block => group.block.map(shape_text),
            Self::Grid => group.grid.map(shape_text),
            Self::Launches => Some(grouped(group.launches as u64)),
            Self::RegistersPerThread => group.registers_per_thread.map(|registers| registers.to_string()),
            Self::StaticSmem => group.static_smem_bytes.map(bytes),
            Self::DynamicSmem => group.dynamic_smem_bytes.map(bytes),
            Self::SpillStores => group.spill_store_bytes.map(bytes),
            Self::SpillLoads => group.spill_load_bytes.map(bytes),
            Self::LaunchBounds => group.max_threads_per_block.map(grouped),
            Self::BlocksPerSm => group.blocks_per_sm.map(|blocks| blocks.to_string()),
            Self::Limiters => (!group.limiters.is_empty()).then(|| group.limiters.joined_keys().replace('+', " + ")),
            Self::Theoretical => group.theoretical_percent.map(percent),
            Self::Achieved => group.achieved_percent.map(percent),
            Self::Duration => group.duration_ns.map(|ns| format!("{:.1} µs", ns / 1000.0)),
        }
    }

    /// For programs, in base units.
    fn value(self, group: &Group) -> Value {
        match self {
            Self::Block => group.block.into(),
            Self::Grid => group.grid.into(),
            Self::Launches => group.launches.into(),
            Self::RegistersPerThread => group.registers_per_thread.into(),
            Self::StaticSmem => group.static_smem_bytes.into(),
            Self::DynamicSmem => group.dynamic_smem_bytes.into(),
            Self::SpillStores => group.spill_store_bytes.into(),
            Self::SpillLoads => group.spill_load_bytes.into(),
            Self::LaunchBounds => group.max_threads_per_block.into(),
            Self::BlocksPerSm => group.blocks_per_sm.into(),
            Self::Limiters => group.limiters.joined_keys().into(),
            Self::Theoretical => group.theoretical_percent.into(),
            Self::Achieved => group.achieved_percent.into(),
            Self::Duration => group.duration_ns.into(),
        }
    }

    /// How far it moved, where that is worth saying.
    fn moved(self, pair: &Pair) -> Option<String> {
        let (old, new) = (&pair.old, &pair.new);
        let points = |old: Option<f64>, new: Option<f64>| Some(format!("{} points", signed_points(new? - old?)));
        match self {
            Self::Theoretical => points(old.theoretical_percent, new.theoretical_percent),
            Self::Achieved => points(old.achieved_percent, new.achieved_percent),
            Self::Duration => {
                let (old, new) = (old.duration_ns.filter(|ns| *ns > 0.0)?, new.duration_ns?);
                Some(format!("{} %", signed_points((new - old) * 100.0 / old)))
            }
            _ => None,
        }
    }
}

fn summary(comparison: &Comparison) -> String {
    let total = comparison.pairs.len();
    let changed = comparison.changed().len();
    let mut out = format!("{} of {} changed", grouped(changed as u64), counted(total as u64, "kernel"));
    for (groups, place) in [(&comparison.only_old, "old"), (&comparison.only_new, "new")] {
        if !groups.is_empty() {
            let _ = write!(out, ", {} only in the {place} file", grouped(groups.len() as u64));
        }
    }
    out
}

fn text(comparison: &Comparison) -> String {
    let mut out = format!("{STRONG}{}{STRONG:#}\n", summary(comparison));
    for pair in comparison.changed() {
        let _ = writeln!(out, "\n{STRONG}{}{STRONG:#}{QUIET}{}{QUIET:#}", shortened(&pair.old.name), of_shape(&pair.old));
        for line in lines(&[Align::Left, Align::Right, Align::Left, Align::Left, Align::Left], &rows(pair)) {
            let _ = writeln!(out, "  {line}");
        }
    }
    for (groups, title) in [(&comparison.only_old, "Only in the old file"), (&comparison.only_new, "Only in the new file")] {
        if !groups.is_empty() {
            let _ = writeln!(out, "\n{STRONG}{title}{STRONG:#}");
        }
        for group in groups {
            let _ = writeln!(out, "  {}{QUIET}{}{QUIET:#}", shortened(&group.name), of_shape(group));
        }
    }
    out
}

/// " · block 256 · grid 1,024".
fn of_shape(group: &Group) -> String {
    let part = |name: &str, value: Option<[u32; 3]>| value.map(|value| format!(" · {name} {}", shape_text(value))).unwrap_or_default();
    format!("{}{}", part("block", group.block), part("grid", group.grid))
}

fn rows(pair: &Pair) -> Vec<Vec<String>> {
    let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
    let row = |aspect: Aspect| {
        let [old, new] = [&pair.old, &pair.new].map(|group| or_nothing(aspect.text(group)));
        vec![aspect.name().to_owned(), old, "→".to_owned(), new, aspect.moved(pair).unwrap_or_default()]
    };
    pair.changes().into_iter().map(row).collect()
}

fn markdown(comparison: &Comparison) -> String {
    let mut out = format!("{}\n", summary(comparison));
    if !comparison.changed().is_empty() {
        out += "\n| Kernel | What | Old | New | Moved |\n| :--- | :--- | ---: | ---: | ---: |\n";
    }
    for pair in comparison.changed() {
        for row in rows(pair) {
            let [what, old, _, new, moved] = &row[..] else { continue };
            let _ = writeln!(out, "| {} | {what} | {old} | {new} | {moved} |", markdown_text(&pair.old.name));
        }
    }
    for (groups, title) in [(&comparison.only_old, "Only in the old file"), (&comparison.only_new, "Only in the new file")] {
        if !groups.is_empty() {
            let _ = writeln!(out, "\n{title}:\n");
        }
        for group in groups {
            let _ = writeln!(out, "- {}{}", markdown_text(&group.name), of_shape(group));
        }
    }
    out
}

fn csv(comparison: &Comparison) -> anyhow::Result<String> {
    const HEADINGS: [Heading; 4] = [
        Heading { key: "name", title: "Kernel", is_text: true },
        Heading { key: "what", title: "What", is_text: true },
        Heading { key: "old", title: "Old", is_text: false },
        Heading { key: "new", title: "New", is_text: false },
    ];
    let text = |text: &str| Some(Cell::Text(text.to_owned()));
    let plain = |value: Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Array(parts) => Some(parts.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")),
        other => Some(other.to_string()),
    };
    let mut rows: Vec<Cells> = Vec::new();
    for pair in comparison.changed() {
        for aspect in pair.changes() {
            let [old, new] = [&pair.old, &pair.new].map(|group| plain(aspect.value(group)).map(Cell::Text));
            rows.push(vec![text(&pair.old.name), text(&aspect_key(aspect)), old, new]);
        }
    }
    for (groups, what) in [(&comparison.only_old, "only_old"), (&comparison.only_new, "only_new")] {
        rows.extend(groups.iter().map(|group| vec![text(&group.name), text(what), None, None]));
    }
    Ok(String::from_utf8(csv_table(&HEADINGS, rows)?)?)
}

/// The same word as in JSON.
fn aspect_key(aspect: Aspect) -> String {
    serde_json::to_value(aspect).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[derive(Debug, Serialize)]
struct ComparisonJson<'c> {
    matched: usize,
    changed: Vec<PairJson<'c>>,
    only_old: Vec<GroupJson<'c>>,
    only_new: Vec<GroupJson<'c>>,
}

#[derive(Debug, Serialize)]
struct PairJson<'c> {
    name: &'c str,
    lost_points: f64,
    changes: Vec<ChangeJson>,
}

#[derive(Debug, Serialize)]
struct ChangeJson {
    what: Aspect,
    old: Value,
    new: Value,
}

#[derive(Debug, Serialize)]
struct GroupJson<'c> {
    name: &'c str,
    block: Option<[u32; 3]>,
    grid: Option<[u32; 3]>,
    launches: usize,
}

fn json<'c>(comparison: &'c Comparison) -> ComparisonJson<'c> {
    let change = |pair: &Pair, what: Aspect| ChangeJson { what, old: what.value(&pair.old), new: what.value(&pair.new) };
    let groups = |groups: &'c [Group]| {
        let json = |group: &'c Group| GroupJson { name: &group.name, block: group.block, grid: group.grid, launches: group.launches };
        groups.iter().map(json).collect()
    };
    ComparisonJson {
        matched: comparison.pairs.len(),
        changed: comparison
            .changed()
            .into_iter()
            .map(|pair| PairJson {
                name: &pair.old.name,
                lost_points: pair.lost_points(),
                changes: pair.changes().into_iter().map(|what| change(pair, what)).collect(),
            })
            .collect(),
        only_old: groups(&comparison.only_old),
        only_new: groups(&comparison.only_new),
    }
}
