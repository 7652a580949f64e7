//! `occuscope occupancy`: one launch, or a table of them.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::choose::{Chosen, choose_with_launch};
use super::launch_args::LaunchArgs;
use super::{batch, occupancy_text, output};
use crate::engine::{Launch, Refusal, Waves, evaluate};
use crate::export::{occupancy_json, occupancy_markdown};
use crate::shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope occupancy --gpu A100 --threads 256 --registers 64 --dynamic-smem 48K
  occuscope occupancy --cc 8.0 --block 16x16 --grid 64x64 --num-sms 108 --format json
  occuscope occupancy --preset \"Tiled matmul, 48 KiB\" --gpu \"H100 SXM\"
  occuscope occupancy --batch launches.csv > answers.csv

Exit codes: 0 answered, 2 wrong input or a wrong row in the batch.")]
pub struct OccupancyArgs {
    /// Compute capability, such as 8.0 or sm_80
    #[arg(long, value_name = "CC", required_unless_present_any = ["gpu", "batch", "preset"])]
    cc: Option<String>,
    /// Product, such as "RTX 4090"; it implies the compute capability and the number of SMs
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// Number of SMs, for the waves of a grid [default: those of --gpu]
    #[arg(long, value_name = "N")]
    num_sms: Option<u32>,
    #[command(flatten)]
    launch: LaunchArgs,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: OccupancyFormat,
    /// A CSV file with one launch a row, or - for the standard input; it is printed with the answers added
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cc", "gpu", "num_sms", "format", "LaunchArgs"], long_help = batch::HELP)]
    batch: Option<PathBuf>,
    /// A preset's launch and GPU; with --gpu or --cc, its launch on another one
    #[arg(long, value_name = "NAME", conflicts_with_all = ["batch", "LaunchArgs"])]
    preset: Option<String>,
    /// A GPU file of your own; may be given several times
    #[arg(long, value_name = "FILE")]
    arch: Vec<PathBuf>,
}

/// For people, for scripts, or for a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OccupancyFormat {
    #[default]
    Text,
    Json,
    Markdown,
}

/// "Cannot launch" is an answer; numbers that make no launch at all are wrong input.
pub(super) fn run(args: &OccupancyArgs) -> anyhow::Result<u8> {
    let catalog = shell::catalog(&args.arch)?;
    if let Some(file) = &args.batch {
        return batch::run(&catalog, file);
    }
    let (chosen, launch) = choose_with_launch(&catalog, args.cc.as_deref(), args.gpu.as_deref(), args.preset.as_deref(), &args.launch)?;
    answer(chosen, &launch, args.num_sms, args.format)?;
    Ok(0)
}

fn answer(Chosen { arch, gpu }: Chosen<'_>, launch: &Launch, num_sms: Option<u32>, format: OccupancyFormat) -> anyhow::Result<()> {
    let occupancy = evaluate(arch, launch);
    if let Some(invalid) = occupancy.refusals.iter().find(|refusal| Refusal::is_invalid_input(refusal)) {
        bail!("{invalid}");
    }
    let num_sms = num_sms.or(gpu.and_then(|gpu| gpu.num_sms));
    let name = gpu.map(|gpu| gpu.name.as_str());
    output::print_text(&match format {
        OccupancyFormat::Json => occupancy_json(arch, name, launch, num_sms)?,
        OccupancyFormat::Markdown => occupancy_markdown(arch, name, launch, num_sms),
        OccupancyFormat::Text => {
            let waves = launch.grid_blocks().zip(num_sms).and_then(|(grid, num_sms)| Waves::new(&occupancy, num_sms, grid));
            occupancy_text::text(arch, gpu, launch, &occupancy, num_sms, waves.as_ref())
        }
    })
}
