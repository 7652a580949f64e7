//! `occuscope occupancy`: one launch, or a table of them.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::choose::{Chosen, choose};
use super::json::OccupancyJson;
use super::launch_args::LaunchArgs;
use super::{Format, batch, occupancy_text, output, preset};
use crate::engine::{Launch, Refusal, Waves, evaluate};
use crate::session::{Configuration, GpuChoice};
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
    format: Format,
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

/// "Cannot launch" is an answer; numbers that make no launch at all are wrong input.
pub(super) fn run(args: &OccupancyArgs) -> anyhow::Result<u8> {
    let catalog = shell::catalog(&args.arch)?;
    if let Some(file) = &args.batch {
        return batch::run(&catalog, file);
    }
    let (cc, gpu) = (args.cc.as_deref(), args.gpu.as_deref());
    let Some(name) = &args.preset else {
        answer(choose(&catalog, cc, gpu)?, &args.launch.launch()?, args.num_sms, args.format)?;
        return Ok(0);
    };
    let Configuration { gpu: of_preset, launch } = preset::named(name)?.configuration;
    let chosen = match of_preset {
        _ if cc.is_some() || gpu.is_some() => choose(&catalog, cc, gpu)?,
        GpuChoice::Product(name) => choose(&catalog, None, Some(&name))?,
        GpuChoice::Capability(capability) => choose(&catalog, Some(&capability.to_string()), None)?,
    };
    answer(chosen, &launch, args.num_sms, args.format)?;
    Ok(0)
}

fn answer(Chosen { arch, gpu }: Chosen<'_>, launch: &Launch, num_sms: Option<u32>, format: Format) -> anyhow::Result<()> {
    let occupancy = evaluate(arch, launch);
    if let Some(invalid) = occupancy.refusals.iter().find(|refusal| Refusal::is_invalid_input(refusal)) {
        bail!("{invalid}");
    }
    let num_sms = num_sms.or(gpu.and_then(|gpu| gpu.num_sms));
    let waves = launch.grid_blocks().zip(num_sms).and_then(|(grid, num_sms)| Waves::new(&occupancy, num_sms, grid));
    match format {
        Format::Json => {
            output::print_json(&OccupancyJson::new(arch, gpu.map(|gpu| gpu.name.as_str()), launch, &occupancy, num_sms, waves.as_ref()))
        }
        Format::Text => output::print_text(&occupancy_text::text(arch, gpu, launch, &occupancy, num_sms, waves.as_ref())),
    }
}
