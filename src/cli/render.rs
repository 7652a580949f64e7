//! `occuscope render`: a view as a picture, with no display and no GPU.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::choose::{Chosen, choose};
use super::launch_args::LaunchArgs;
use crate::engine::{Launch, Refusal, evaluate};
use crate::export::heatmap_csv;
use crate::gui::render::{Contrast, Handout, Look, Subject};
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
    #[arg(long, value_name = "CC", required_unless_present = "gpu")]
    cc: Option<String>,
    /// Product, such as "RTX 4090"
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    #[command(flatten)]
    launch: LaunchArgs,
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
    let Chosen { arch, gpu } = choose(&catalog, args.cc.as_deref(), args.gpu.as_deref())?;
    let launch = args.launch.launch()?;
    refuse_invalid(arch, &launch)?;
    let name = gpu.map_or_else(|| format!("compute capability {}", arch.compute_capability), |gpu| gpu.name.clone());
    let subject = Subject { arch, gpu_name: &name, launch: &launch };
    let view = match args.view {
        ViewArg::SmMap => Handout::SmMap,
        ViewArg::Heatmap => Handout::Heatmap,
        ViewArg::Curves => Handout::Curves,
    };
    let (dark, contrast) = match args.theme {
        ThemeArg::Light => (false, Contrast::Screen),
        ThemeArg::Dark => (true, Contrast::Screen),
        ThemeArg::Print => (false, Contrast::Projector),
        ThemeArg::Projector => (true, Contrast::Projector),
    };
    let draw = || view.draw(&subject, Look { dark, contrast, width: args.width.into(), scale: args.scale.into() });
    let bytes = match kind {
        Kind::Svg => draw().svg(&subject.title(), &subject.description()).into_bytes(),
        Kind::Png => draw().png()?,
        Kind::Csv if view == Handout::Heatmap => heatmap_csv(arch, &launch)?,
        Kind::Csv => bail!("only the heatmap is a table too; add --view heatmap, or write a .svg or .png"),
    };
    std::fs::write(&args.output, bytes).with_context(|| format!("{} cannot be written", args.output.display()))?;
    Ok(0)
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
