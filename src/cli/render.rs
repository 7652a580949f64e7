//! `occuscope render`: a view as a picture, with no display and no GPU.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::choose::{Chosen, choose_with_launch};
use super::launch_args::LaunchArgs;
use crate::engine::{Launch, Refusal, Waves, evaluate};
use crate::explain::headline;
use crate::export::heatmap_csv;
use crate::gui::render::{Contrast, Handout, Look, Subject};
use crate::gui::views::heatmap::Mode;
use crate::session::{GpuChoice, Placed};
use crate::shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope render --gpu A100 --threads 256 --registers 64 --output map.svg
  occuscope render --view heatmap --cc 8.6 --threads 128 --theme dark --output heatmap.png
  occuscope render --view heatmap --cc 8.6 --threads 128 --output heatmap.csv")]
pub struct RenderArgs {
    /// What to draw
    #[arg(long, value_enum, default_value_t)]
    view: ViewArg,
    /// Compute capability, such as 8.0 or sm_80
    #[arg(long, value_name = "CC", required_unless_present_any = ["gpu", "preset"])]
    cc: Option<String>,
    /// Product, such as "RTX 4090"
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// Number of SMs, for the waves of a grid [default: those of --gpu]
    #[arg(long, value_name = "N")]
    num_sms: Option<u32>,
    #[command(flatten)]
    launch: LaunchArgs,
    /// A preset's launch and GPU; with --gpu or --cc, its launch on another one
    #[arg(long, value_name = "NAME", conflicts_with = "LaunchArgs")]
    preset: Option<String>,
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
    /// A GPU file of your own; may be given several times
    #[arg(long, value_name = "FILE")]
    arch: Vec<PathBuf>,
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
}

/// [`Mode`], as far as it compares with nothing else.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeArg {
    Occupancy,
    /// What stops the next block
    Limiter,
    Warps,
    Blocks,
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
    let catalog = shell::catalog(&args.arch)?;
    let (Chosen { arch, gpu }, launch) =
        choose_with_launch(&catalog, args.cc.as_deref(), args.gpu.as_deref(), args.preset.as_deref(), &args.launch)?;
    refuse_invalid(arch, &launch)?;
    let name = gpu.map_or_else(|| GpuChoice::Capability(arch.compute_capability).to_string(), |gpu| gpu.name.clone());
    let num_sms = args.num_sms.or(gpu.and_then(|gpu| gpu.num_sms));
    let waves = launch.grid_blocks().zip(num_sms).and_then(|(grid, num_sms)| Waves::new(&evaluate(arch, &launch), num_sms, grid));
    let subject = Subject { waves, ..Subject::new(arch, &name, &launch) };
    let mut view = args.handout(&subject, num_sms)?;
    let mut draw = || view.draw(&subject, args.look());
    let bytes = match kind {
        Kind::Png => draw().png()?,
        Kind::Svg => {
            let picture = draw();
            picture.svg(&subject.title(), &view.description(&subject)).into_bytes()
        }
        Kind::Csv if matches!(args.view, ViewArg::Heatmap) => heatmap_csv(arch, &launch)?,
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
    fn handout(&self, subject: &Subject<'_>, num_sms: Option<u32>) -> anyhow::Result<Handout> {
        if self.mode.is_some() && !matches!(self.view, ViewArg::Heatmap) {
            bail!("only the heatmap has a mode; add --view heatmap, or leave out --mode");
        }
        if self.placed.is_some() && !matches!(self.view, ViewArg::SmMap) {
            bail!("only the SM map has blocks to place; add --view sm-map, or leave out --placed");
        }
        Ok(match self.view {
            ViewArg::SmMap => Handout::SmMap(placed(self.placed, subject)?),
            ViewArg::Heatmap => Handout::heatmap(self.mode.map_or(Mode::Occupancy, Mode::from)),
            ViewArg::Curves => Handout::Curves(Box::default()),
            ViewArg::Waves => {
                require_waves(subject, num_sms)?;
                Handout::Waves
            }
        })
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
            ModeArg::Better => Self::Better,
        }
    }
}

fn refuse_invalid(arch: &crate::arch::Arch, launch: &Launch) -> anyhow::Result<()> {
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
