//! `occuscope render`: a view as a picture, with no display and no GPU.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::choose::{Chosen, choose_either};
use super::import::import;
use super::question::QuestionArgs;
use crate::arch::{Arch, Catalog};
use crate::engine::{Launch, Refusal, evaluate};
use crate::explain::headline;
use crate::export::heatmap_csv;
use crate::gui::render::{Contrast, Handout, Look, Subject};
use crate::gui::views::compare::model::Comparison;
use crate::gui::views::heatmap::{KernelPoints, Mode, OtherGpu};
use crate::gui::views::kernels::model::{point, ran_on};
use crate::session::{Configuration, Document, GpuChoice, Placed};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope render --gpu A100 --threads 256 --registers 64 --output map.svg
  occuscope render --view heatmap --cc 8.6 --threads 128 --theme dark --output heatmap.png
  occuscope render --view heatmap --cc 8.6 --threads 128 --output heatmap.csv
  occuscope render --view heatmap --gpu A100 --threads 256 --report report.csv -o kernels.png
  occuscope render --view compare --gpu A100 --threads 256 --compare 9.0 -o gpus.svg")]
pub struct RenderArgs {
    /// What to draw
    #[arg(long, value_enum, default_value_t)]
    view: ViewArg,
    #[command(flatten)]
    question: QuestionArgs,
    /// What the heatmap's colors show [default: occupancy]
    #[arg(long, value_enum)]
    mode: Option<ModeArg>,
    /// Blocks on the SM map [default: all that fit, and the one that does not]
    #[arg(long, value_name = "N")]
    placed: Option<usize>,
    /// Colors
    #[arg(long, value_enum, default_value_t)]
    theme: ThemeArg,
    /// Width in points
    #[arg(long, value_name = "POINTS", default_value_t = 960, value_parser = clap::value_parser!(u16).range(480..=4000))]
    width: u16,
    /// Pixels for a point in a PNG, 1 to 4
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    scale: u8,
    /// The file to write; its name ends with .svg or .png, or with .csv for the heatmap as a table
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Another GPU for the same launch, up to 3: a column of the comparison, a line in the curves, what --mode other-gpu is to
    #[arg(long, value_name = "NAME")]
    compare: Vec<String>,
    /// A profiler report whose kernels are marked on the heatmap, as far as they ran on such a GPU; may be given several times
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ViewArg {
    /// One SM with its resident blocks and the one that does not fit
    #[default]
    SmMap,
    /// Occupancy over registers and block size
    Heatmap,
    /// Occupancy along registers, block size and shared memory
    Curves,
    /// A grid on all SMs: full waves and the tail
    Waves,
    /// The launch on several GPUs, and where else it fits
    Compare,
}

/// [`Mode`], as far as it compares with no pinned launch.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeArg {
    Occupancy,
    /// What stops the next block
    Limiter,
    Warps,
    Blocks,
    /// Points more or less than on the GPU of --compare
    OtherGpu,
    /// What is as good as the launch or better
    Better,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ThemeArg {
    #[default]
    Light,
    Dark,
    /// Black on white
    Print,
    /// White on black
    Projector,
}

pub(super) fn run(args: &RenderArgs) -> anyhow::Result<u8> {
    let kind = Kind::of(&args.output)?;
    let catalog = args.question.catalog()?;
    let question = args.question.question(&catalog)?;
    let (arch, launch) = (question.chosen.arch, &question.launch);
    refuse_invalid(arch, launch)?;
    let name = question.chosen.choice().to_string();
    let compared = args.compared(&catalog)?;
    let names: Vec<String> = compared.iter().map(|chosen| chosen.choice().to_string()).collect();
    let others: Vec<OtherGpu<'_>> = compared.iter().zip(&names).map(|(chosen, name)| OtherGpu { arch: chosen.arch, name }).collect();
    let points = args.points(&catalog, arch)?;
    let subject = Subject { waves: question.waves(), others: &others, points: Some(&points), ..Subject::new(arch, &name, launch) };
    let comparison = || {
        let choices: Vec<GpuChoice> = compared.iter().map(Chosen::choice).collect();
        Comparison::of(&catalog, &Configuration { gpu: question.chosen.choice(), launch: launch.clone() }, &choices)
    };
    let mut view = args.handout(&subject, question.num_sms, comparison)?;
    let mut draw = || view.draw(&subject, args.look());
    let bytes = match kind {
        Kind::Png => draw().png()?,
        Kind::Svg => {
            let picture = draw();
            picture.svg(&subject.title(), &view.description(&subject)).into_bytes()
        }
        Kind::Csv if matches!(args.view, ViewArg::Heatmap) => heatmap_csv(arch, launch)?,
        Kind::Csv => bail!("only the heatmap is a table too; add --view heatmap, or write a .svg or .png"),
    };
    std::fs::write(&args.output, bytes).with_context(|| format!("{} cannot be written", args.output.display()))?;
    Ok(0)
}

impl RenderArgs {
    fn look(&self) -> Look {
        let (dark, contrast) = match self.theme {
            ThemeArg::Light => (false, Contrast::Screen),
            ThemeArg::Dark => (true, Contrast::Screen),
            ThemeArg::Print => (false, Contrast::Projector),
            ThemeArg::Projector => (true, Contrast::Projector),
        };
        Look { dark, contrast, width: self.width.into(), scale: self.scale.into() }
    }

    /// The view, with what belongs to it alone.
    ///
    /// # Errors
    /// When something is given that the view does not have, or something is missing that it needs.
    fn handout(&self, subject: &Subject<'_>, num_sms: Option<u32>, comparison: impl FnOnce() -> Comparison) -> anyhow::Result<Handout> {
        if self.mode.is_some() && !matches!(self.view, ViewArg::Heatmap) {
            bail!("only the heatmap has a mode; add --view heatmap, or leave out --mode");
        }
        if self.placed.is_some() && !matches!(self.view, ViewArg::SmMap) {
            bail!("only the SM map has blocks to place; add --view sm-map, or leave out --placed");
        }
        if !self.report.is_empty() && !matches!(self.view, ViewArg::Heatmap) {
            bail!("only the heatmap has kernels marked on it; add --view heatmap, or leave out --report");
        }
        if !self.compare.is_empty() && matches!(self.view, ViewArg::SmMap | ViewArg::Waves) {
            bail!("this view is of one GPU; add --view compare, or leave out --compare");
        }
        if matches!(self.mode, Some(ModeArg::OtherGpu)) && self.compare.is_empty() {
            bail!("--mode other-gpu needs another GPU; name it with --compare");
        }
        Ok(match self.view {
            ViewArg::SmMap => Handout::SmMap(placed(self.placed, subject)?),
            ViewArg::Heatmap => Handout::heatmap(self.mode.map_or(Mode::Occupancy, Mode::from)),
            ViewArg::Curves => Handout::Curves(Box::default()),
            ViewArg::Waves => {
                require_waves(subject, num_sms)?;
                Handout::Waves
            }
            ViewArg::Compare => Handout::Compare(Box::new(comparison())),
        })
    }

    /// The GPUs of `--compare`.
    fn compared<'c>(&self, catalog: &'c Catalog) -> anyhow::Result<Vec<Chosen<'c>>> {
        if self.compare.len() > Document::MAX_COMPARED {
            bail!("--compare names {} GPUs, but {} fit beside the chosen one", self.compare.len(), Document::MAX_COMPARED);
        }
        self.compare.iter().map(|name| choose_either(catalog, name)).collect()
    }

    /// The kernels of the reports that ran on a GPU of this kind.
    fn points(&self, catalog: &Catalog, arch: &Arch) -> anyhow::Result<KernelPoints> {
        let mut points = Vec::new();
        // What is wrong with other views is said by [`Self::handout`].
        let reports = if matches!(self.view, ViewArg::Heatmap) { &self.report[..] } else { &[] };
        for path in reports {
            let file = import(path, catalog, None);
            if !file.is_readable {
                file.print_problems();
                bail!("the report cannot be read, {}", path.display());
            }
            points
                .extend(file.kernels().filter(|(_, account)| ran_on(account, arch)).filter_map(|(kernel, account)| point(kernel, account)));
        }
        if !reports.is_empty() && points.is_empty() {
            bail!("none of the kernels ran on compute capability {}", arch.compute_capability);
        }
        Ok(KernelPoints::new(points))
    }
}

fn placed(placed: Option<usize>, subject: &Subject<'_>) -> anyhow::Result<Placed> {
    let fit = evaluate(subject.arch, subject.launch).blocks_per_sm;
    match placed {
        None => Ok(Placed::ALL),
        Some(placed) if placed <= fit as usize => Ok(Placed::blocks(placed)),
        Some(placed) => {
            bail!("--placed is {placed}, but {} on one SM", if fit == 1 { "1 block fits".to_owned() } else { format!("{fit} blocks fit") })
        }
    }
}

fn require_waves(subject: &Subject<'_>, num_sms: Option<u32>) -> anyhow::Result<()> {
    if subject.waves.is_some() {
        return Ok(());
    }
    match (subject.launch.grid_blocks(), num_sms) {
        (None, _) => bail!("the waves need a grid; give its blocks with --grid 1000, or take a preset that has one"),
        (_, None) => bail!("the waves need the number of SMs; add --gpu or --num-sms"),
        _ => bail!("there are no waves: {}", headline(subject.arch, subject.launch, &evaluate(subject.arch, subject.launch))),
    }
}

impl From<ModeArg> for Mode {
    fn from(arg: ModeArg) -> Self {
        match arg {
            ModeArg::Occupancy => Self::Occupancy,
            ModeArg::Limiter => Self::Limiter,
            ModeArg::Warps => Self::Warps,
            ModeArg::Blocks => Self::Blocks,
            ModeArg::OtherGpu => Self::OtherGpu,
            ModeArg::Better => Self::Better,
        }
    }
}

fn refuse_invalid(arch: &Arch, launch: &Launch) -> anyhow::Result<()> {
    match evaluate(arch, launch).refusals.iter().find(|refusal| Refusal::is_invalid_input(refusal)) {
        Some(invalid) => bail!("{invalid}"),
        None => Ok(()),
    }
}

/// The kind of a file, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
    Csv,
}

impl Kind {
    fn of(path: &std::path::Path) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("csv") => Ok(Self::Csv),
            _ => bail!("{}: the name of a picture ends with .svg or .png", path.display()),
        }
    }
}
