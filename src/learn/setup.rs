//! What a step of a lesson sets up: a configuration, a view, blocks placed, a question before the answer. Written as lines
//! `key = value` in a fenced block `do`; a step takes over what the one before has set and changes it.

use std::path::PathBuf;

use super::facts::{FIRST_LATENCY, Latency};
use crate::arch::Catalog;
use crate::engine::{Launch, LaunchBounds};
use crate::import::account::account;
use crate::import::{SAMPLE_REPORT, read_report};
use crate::session::{
    Action, Baseline, Chart, Configuration, GpuChoice, KernelRef, LessonPlace, OpenReport, ReadReport, Session, TableView,
};
use crate::units::{Dim3, parse_size_bytes};

/// What stands beside the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shown {
    /// The SM map, with the answer.
    #[default]
    Map,
    Heatmap,
    Curves,
    Compare,
    /// The whole answer panel.
    Answer,
    /// Warps that take turns.
    Latency,
    /// The account of the selected kernel.
    Kernel,
    /// The two files side by side, the first one before.
    Changes,
}

/// A question that is asked before the answer is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Whose value is asked for, see [`super::Facts`].
    pub formula: String,
    pub prompt: String,
}

/// Where a step takes the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub configuration: Configuration,
    pub shown: Shown,
    pub compared: Vec<GpuChoice>,
    /// Blocks placed on the SM map; none is all that fit and the refused one.
    pub placed: Option<usize>,
    pub ask: Option<Ask>,
    /// Files that are opened with it, by name.
    pub files: Vec<&'static str>,
    /// The selected kernel by name, in the last of those files.
    pub kernel: Option<String>,
    pub latency: Latency,
}

/// Files that lessons speak of, by the name under which they are opened.
const MATERIAL: [(&str, &[u8]); 3] = [
    ("sample: tail_effect_a100.csv", SAMPLE_REPORT),
    ("ptxas 11.8.89.txt", include_bytes!("../../assets/lessons/logs/ptxas_11.8.89.txt")),
    ("ptxas 13.5.37.txt", include_bytes!("../../assets/lessons/logs/ptxas_13.5.37.txt")),
];

impl Default for Setup {
    fn default() -> Self {
        Self {
            configuration: Configuration { gpu: GpuChoice::Product("A100 SXM 40 GB".to_owned()), launch: Launch::default() },
            shown: Shown::default(),
            compared: Vec::new(),
            placed: None,
            ask: None,
            files: Vec::new(),
            kernel: None,
            latency: FIRST_LATENCY,
        }
    }
}

impl Setup {
    /// Where the next step starts from: the same, without what belongs to one step alone.
    pub fn continued(&self) -> Self {
        Self { placed: None, ask: None, ..self.clone() }
    }

    /// Sets one thing. A `gpu` starts a fresh launch.
    ///
    /// # Errors
    /// When the key is not known or the value is not one for it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || value.replace(',', "").parse::<u32>().map_err(|_| format!("{key} is \"{value}\", expected a number"));
        let size = || parse_size_bytes(value).map_err(|error| error.to_string());
        let shape = || value.parse::<Dim3>().map_err(|error| error.to_string());
        let launch = &mut self.configuration.launch;
        match key {
            "gpu" => self.configuration = Configuration { gpu: GpuChoice::Product(value.to_owned()), launch: Launch::default() },
            "on" => self.configuration.gpu = GpuChoice::Product(value.to_owned()),
            "block" | "threads" => launch.block = shape()?,
            "registers" => launch.registers_per_thread = number()?,
            "static" => launch.static_smem_bytes = size()?,
            "dynamic" => launch.dynamic_smem_bytes = size()?,
            "grid" => launch.grid = Some(shape()?),
            "opt_in" => launch.opt_in = yes(value)?,
            "carveout" => launch.carveout_percent = Some(number()?),
            "barriers" => launch.barriers_per_block = number()?,
            "bounds" => launch.launch_bounds = Some(bounds(value)?),
            "show" => self.shown = shown(value)?,
            "compare" => self.compared = list(value).map(|name| GpuChoice::Product(name.to_owned())).collect(),
            "placed" => self.placed = if value == "all" { None } else { Some(number()? as usize) },
            "ask" => {
                let (formula, prompt) = value.split_once(':').ok_or("a question is written FORMULA: TEXT")?;
                self.ask = Some(Ask { formula: formula.trim().to_owned(), prompt: prompt.trim().to_owned() });
            }
            "files" => self.files = list(value).map(material).collect::<Result<_, _>>()?,
            "kernel" => self.kernel = Some(value.to_owned()),
            "warps" => self.latency.num_warps = number()?,
            "compute" => self.latency.compute_cycles = number()?,
            "wait" => self.latency.wait_cycles = number()?,
            _ => return Err(format!("\"{key}\" is nothing that a step sets")),
        }
        Ok(())
    }

    /// What the session has to do to get here.
    pub fn actions(&self, session: &Session, place: &LessonPlace) -> Vec<Action> {
        let mut actions: Vec<Action> = session.document().compared.iter().cloned().map(Action::StopComparing).collect();
        let mut paths: Vec<PathBuf> = session.document().reports.iter().map(|report| report.path.clone()).collect();
        let mut selected = None;
        for name in &self.files {
            let report = open(&session.catalog, name);
            let index = paths.iter().position(|path| *path == report.path).unwrap_or(paths.len());
            selected = self.kernel.as_ref().and_then(|kernel| {
                let kernel = report.kernels().position(|(read, _)| read.name == *kernel)?;
                Some(KernelRef { report: index, kernel })
            });
            if index == paths.len() {
                paths.push(report.path.clone());
                actions.push(Action::AddReport(report));
            }
        }
        actions.push(Action::SetConfiguration(self.configuration.clone()));
        actions.extend(self.compared.iter().cloned().map(Action::CompareWith));
        actions.extend(selected.map(|at| Action::SelectKernel(Some(at))));
        actions.extend(self.shown.chart().map(Action::ShowChart));
        actions.extend(
            self.compared_files().map(|baseline| Action::SetTable(TableView { baseline: Some(baseline), ..session.view().table.clone() })),
        );
        actions.push(Action::PlaceBlocks(self.placed));
        actions.push(Action::HideAnswers(self.ask.is_some()));
        actions.push(Action::ShowLesson(Some(place.clone())));
        actions
    }
}

impl Setup {
    fn compared_files(&self) -> Option<Baseline> {
        let [old, new] = self.files[..] else { return None };
        (self.shown == Shown::Changes).then(|| Baseline { old: old.into(), new: new.into() })
    }
}

impl Shown {
    /// The chart that Explore shows for it.
    pub const fn chart(self) -> Option<Chart> {
        match self {
            Self::Heatmap => Some(Chart::Heatmap),
            Self::Curves => Some(Chart::Curves),
            Self::Compare => Some(Chart::Compare),
            _ => None,
        }
    }
}

/// One of the files that lessons speak of, read.
fn open(catalog: &Catalog, name: &str) -> OpenReport {
    let bytes = MATERIAL.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, bytes)| bytes);
    let content = read_report(bytes).map_err(|error| error.to_string()).map(|report| {
        let accounts = report.kernels.iter().map(|kernel| account(kernel, catalog, None)).collect();
        ReadReport { report, accounts }
    });
    OpenReport { path: PathBuf::from(name), content }
}

fn material(name: &str) -> Result<&'static str, String> {
    let known = MATERIAL.iter().map(|(known, _)| *known).find(|known| *known == name);
    known.ok_or_else(|| format!("\"{name}\" is no file that lessons have"))
}

fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split(';').map(str::trim).filter(|part| !part.is_empty())
}

fn yes(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("\"{value}\" is neither yes nor no")),
    }
}

fn bounds(value: &str) -> Result<LaunchBounds, String> {
    let number = |text: &str| text.trim().parse().map_err(|_| format!("\"{value}\" are no launch bounds"));
    let (threads, blocks) = value.split_once(',').map_or((value, None), |(threads, blocks)| (threads, Some(blocks)));
    Ok(LaunchBounds { max_threads_per_block: number(threads)?, min_blocks_per_sm: blocks.map(number).transpose()? })
}

fn shown(value: &str) -> Result<Shown, String> {
    Ok(match value {
        "map" => Shown::Map,
        "heatmap" => Shown::Heatmap,
        "curves" => Shown::Curves,
        "compare" => Shown::Compare,
        "answer" => Shown::Answer,
        "latency" => Shown::Latency,
        "kernel" => Shown::Kernel,
        "changes" => Shown::Changes,
        _ => return Err(format!("\"{value}\" is no view")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_set_what_they_name() {
        let mut setup = Setup::default();
        for (key, value) in [("threads", "16x16"), ("registers", "41"), ("dynamic", "48K"), ("show", "curves"), ("bounds", "256,2")] {
            setup.set(key, value).expect(key);
        }
        let launch = &setup.configuration.launch;
        assert_eq!((launch.threads_per_block(), launch.registers_per_thread, launch.dynamic_smem_bytes), (256, 41, 49_152));
        assert_eq!(launch.launch_bounds.map(|bounds| bounds.min_blocks_per_sm), Some(Some(2)));
        assert_eq!(setup.shown.chart(), Some(Chart::Curves));
        setup.set("gpu", "H100 SXM").expect("a GPU");
        assert_eq!(setup.configuration.launch, Launch::default(), "a GPU starts afresh");
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for (key, value) in [("registers", "many"), ("colour", "red"), ("show", "film"), ("opt_in", "perhaps"), ("ask", "blocks")] {
            assert!(Setup::default().set(key, value).is_err(), "{key}");
        }
    }
}
