//! A session as a file: what is worked on, how it is looked at, and the opened reports with their kernels, so that they can be shown
//! when the files are gone. Presets and settings are not in it.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SavedError;
use super::launch::SavedLaunch;
use super::values::As;
use crate::arch::Catalog;
use crate::import::account::account;
use crate::import::{DecimalMark, Report};
use crate::session::document::{
    BlockTimes, Chart, Configuration, Document, GpuChoice, KernelRef, LessonPlace, OpenReport, ReadReport, Screen, View,
};
use crate::session::playback::Speed;
use crate::session::snapshot::{Fingerprint, Restored, RestoredReport, Snapshot};
use crate::session::table::{Baseline, TableColumn, TableView};

/// The newest version of the format.
pub const VERSION: u64 = 1;
/// What files are called: `NAME.occuscope`.
pub const EXTENSION: &str = "occuscope";

#[derive(Debug, Serialize, Deserialize)]
struct File {
    occuscope_session: u64,
    configuration: SavedConfiguration,
    pinned: Option<SavedConfiguration>,
    #[serde(default)]
    compared: Vec<As<GpuChoice>>,
    #[serde(default)]
    view: SavedView,
    #[serde(default)]
    reports: Vec<SavedReport>,
    selected: Option<(usize, usize)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedConfiguration {
    gpu: As<GpuChoice>,
    launch: SavedLaunch,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SavedView {
    screen: String,
    chart: Option<As<Chart>>,
    show_more: bool,
    placed: Option<usize>,
    resources_placed: usize,
    speed: String,
    is_fine: bool,
    table: SavedTable,
    lesson: Option<SavedLesson>,
    hides_answers: bool,
    block_times: SavedBlockTimes,
}

/// A session from before it was saved has equal times.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SavedBlockTimes {
    spread_percent: u8,
    seed: u64,
}

/// How the table of kernels is set up; a session from before it was saved has what a new one has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(default)]
struct SavedTable {
    columns: Option<Vec<As<TableColumn>>>,
    is_grouped: bool,
    is_watching: bool,
    baseline: Option<SavedBaseline>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedBaseline {
    #[serde(serialize_with = "as_text")]
    old: PathBuf,
    #[serde(serialize_with = "as_text")]
    new: PathBuf,
}

/// A path that is no text is written as near to it as can be: its file is not found again, but everything else is.
fn as_text<S: serde::Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedLesson {
    id: String,
    step: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedReport {
    #[serde(serialize_with = "as_text")]
    path: PathBuf,
    fingerprint: Option<Fingerprint>,
    /// The GPU that the user said it is from.
    gpu: Option<String>,
    /// Why the file could not be read.
    problem: Option<String>,
    /// The decimal mark that the user said it has.
    #[serde(default)]
    decimal_mark: Option<DecimalMark>,
    /// The reading; none when it was too large to be kept.
    report: Option<Value>,
}

impl From<&Configuration> for SavedConfiguration {
    fn from(configuration: &Configuration) -> Self {
        Self { gpu: As(configuration.gpu.clone()), launch: (&configuration.launch).into() }
    }
}

impl From<SavedConfiguration> for Configuration {
    fn from(saved: SavedConfiguration) -> Self {
        Self { gpu: saved.gpu.0, launch: saved.launch.into() }
    }
}

impl Default for SavedTable {
    fn default() -> Self {
        TableView::default().into()
    }
}

impl From<TableView> for SavedTable {
    fn from(table: TableView) -> Self {
        Self {
            columns: table.columns.map(|columns| columns.into_iter().map(As).collect()),
            is_grouped: table.is_grouped,
            is_watching: table.is_watching,
            baseline: table.baseline.map(|Baseline { old, new }| SavedBaseline { old, new }),
        }
    }
}

impl From<SavedTable> for TableView {
    fn from(saved: SavedTable) -> Self {
        Self {
            columns: saved.columns.map(|columns| columns.into_iter().map(|column| column.0).collect()),
            is_grouped: saved.is_grouped,
            is_watching: saved.is_watching,
            baseline: saved.baseline.map(|SavedBaseline { old, new }| Baseline { old, new }),
        }
    }
}

impl From<&View> for SavedView {
    fn from(view: &View) -> Self {
        Self {
            screen: match view.screen {
                Screen::Explore => "explore",
                Screen::Kernels => "kernels",
                Screen::Learn => "learn",
            }
            .to_owned(),
            chart: Some(As(view.chart)),
            show_more: view.show_more,
            placed: view.placed,
            resources_placed: view.resources_placed,
            speed: match view.playback.speed {
                Speed::Slow => "slow",
                Speed::Normal => "normal",
                Speed::Fast => "fast",
            }
            .to_owned(),
            is_fine: view.playback.is_fine,
            table: view.table.clone().into(),
            lesson: view.lesson.clone().map(|LessonPlace { lesson, step }| SavedLesson { id: lesson, step }),
            hides_answers: view.hides_answers,
            block_times: SavedBlockTimes { spread_percent: view.block_times.spread_percent, seed: view.block_times.seed },
        }
    }
}

impl From<SavedView> for View {
    fn from(saved: SavedView) -> Self {
        let mut view = Self {
            screen: match saved.screen.as_str() {
                "kernels" => Screen::Kernels,
                "learn" => Screen::Learn,
                _ => Screen::Explore,
            },
            chart: saved.chart.map_or_else(Chart::default, |chart| chart.0),
            show_more: saved.show_more,
            placed: saved.placed,
            resources_placed: saved.resources_placed,
            lesson: saved.lesson.map(|SavedLesson { id, step }| LessonPlace { lesson: id, step }),
            hides_answers: saved.hides_answers,
            table: saved.table.into(),
            block_times: BlockTimes { spread_percent: saved.block_times.spread_percent.min(100), seed: saved.block_times.seed },
            ..Self::default()
        };
        view.playback.is_fine = saved.is_fine;
        view.playback.speed = match saved.speed.as_str() {
            "slow" => Speed::Slow,
            "fast" => Speed::Fast,
            _ => Speed::Normal,
        };
        view
    }
}

/// A session as a file. Reports with more than `max_kernels` kernels are kept by their path alone.
pub fn write(snapshot: &Snapshot, max_kernels: usize) -> String {
    let Snapshot { document, view, fingerprints } = snapshot;
    let reports = document.reports.iter().map(|open| saved_report(open, fingerprints.get(&open.path), max_kernels)).collect();
    let file = File {
        occuscope_session: VERSION,
        configuration: (&document.configuration).into(),
        pinned: document.pinned.as_ref().map(Into::into),
        compared: document.compared.iter().cloned().map(As).collect(),
        view: view.into(),
        reports,
        selected: document.selected.map(|at| (at.report, at.kernel)),
    };
    serde_json::to_string(&file).unwrap_or_default()
}

fn saved_report(open: &OpenReport, fingerprint: Option<&Fingerprint>, max_kernels: usize) -> SavedReport {
    let (report, problem) = match &open.content {
        Ok(read) if read.report.kernels.len() <= max_kernels => (serde_json::to_value(&read.report).ok(), None),
        Ok(_) => (None, None),
        Err(problem) => (None, Some(problem.clone())),
    };
    // Where the report itself names no GPU and the account has one, the user said so, or there is only one that it can be.
    let said = |read: &ReadReport| {
        let kernels = read.report.kernels.iter().zip(&read.accounts);
        let of_user = kernels.filter(|(kernel, _)| kernel.device_name.is_none());
        of_user.filter_map(|(_, account)| account.gpu.as_ref()).map(|gpu| gpu.name.clone()).next()
    };
    let gpu = open.content.as_ref().ok().and_then(said);
    SavedReport { path: open.path.clone(), fingerprint: fingerprint.copied(), gpu, problem, decimal_mark: open.told_mark(), report }
}

/// Reads a session.
///
/// # Errors
/// With line and column, when it is not one, or is a newer Occuscope's.
pub fn read(text: &str, catalog: &Catalog) -> Result<Restored, SavedError> {
    let value: Value = serde_json::from_str(text).map_err(|error| of_json(&error))?;
    match value.get("occuscope_session").map(Value::as_u64) {
        Some(Some(version)) if version > VERSION => return Err(SavedError::newer("sessions", version, VERSION)),
        Some(Some(version)) if version > 0 => {}
        _ => return Err(SavedError::new("this is not a session of Occuscope")),
    }
    let file: File = serde_json::from_str(text).map_err(|error| of_json(&error))?;
    let mut document = Document::new(file.configuration.into());
    document.pinned = file.pinned.map(Into::into);
    document.compared = file.compared.into_iter().map(|gpu| gpu.0).take(Document::MAX_COMPARED).collect();
    document.selected = file.selected.map(|(report, kernel)| KernelRef { report, kernel });
    let reports = file.reports.into_iter().map(|saved| restored_report(saved, catalog)).collect();
    Ok(Restored { document, view: file.view.into(), reports })
}

fn restored_report(saved: SavedReport, catalog: &Catalog) -> RestoredReport {
    let of_user = saved.gpu.and_then(|name| catalog.gpus().iter().find(|gpu| gpu.name == name).cloned());
    let kept = saved.report.and_then(|report| serde_json::from_value::<Report>(report).ok()).map(|report| {
        let accounts = report.kernels.iter().map(|kernel| account(kernel, catalog, of_user.as_ref())).collect();
        Ok(ReadReport { report, accounts })
    });
    let content = kept.or(saved.problem.map(Err));
    let kept = content.map(|content| Arc::new(OpenReport { path: saved.path.clone(), content }));
    RestoredReport { path: saved.path, fingerprint: saved.fingerprint, told_mark: saved.decimal_mark, kept }
}

fn of_json(error: &serde_json::Error) -> SavedError {
    let whole = error.to_string();
    // Its own words end with the place, which is told in ours.
    let what = whole.split(" at line ").next().unwrap_or(&whole).to_owned();
    SavedError { at: (error.line() > 0).then(|| (error.line(), error.column())), what }
}
