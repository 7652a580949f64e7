//! `occuscope occupancy`: one launch, or a table of them.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::choose::Chosen;
use super::question::{Question, QuestionArgs};
use super::{batch, occupancy_text, output};
use crate::engine::{Refusal, evaluate};
use crate::export::{occupancy_json, occupancy_markdown};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope occupancy --gpu A100 --threads 256 --registers 64 --dynamic-smem 48K
  occuscope occupancy --cc 8.0 --block 16x16 --grid 64x64 --num-sms 108 --format json
  occuscope occupancy --preset \"Tiled matmul, 48 KiB\" --gpu \"H100 SXM\"
  occuscope occupancy --batch launches.csv > answers.csv

Exit codes: 0 answered, 2 wrong input or a wrong row in the batch.")]
pub struct OccupancyArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: OccupancyFormat,
    /// A CSV file with one launch a row, or - for the standard input; it is printed with the answers added
    #[arg(long, value_name = "FILE", conflicts_with_all = ["GpuArgs", "num_sms", "preset", "format", "LaunchArgs"], long_help = batch::HELP)]
    batch: Option<PathBuf>,
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
    let catalog = args.question.catalog()?;
    if let Some(file) = &args.batch {
        return batch::run(&catalog, file);
    }
    answer(&args.question.question(&catalog)?, args.format)?;
    Ok(0)
}

fn answer(question: &Question<'_>, format: OccupancyFormat) -> anyhow::Result<()> {
    let Question { chosen: Chosen { arch, gpu }, launch, num_sms } = question;
    let occupancy = evaluate(arch, launch);
    if let Some(invalid) = occupancy.refusals.iter().find(|refusal| Refusal::is_invalid_input(refusal)) {
        bail!("{invalid}");
    }
    let name = gpu.map(|gpu| gpu.name.as_str());
    output::print_text(&match format {
        OccupancyFormat::Json => occupancy_json(arch, name, launch, *num_sms)?,
        OccupancyFormat::Markdown => occupancy_markdown(arch, name, launch, *num_sms),
        OccupancyFormat::Text => occupancy_text::text(arch, *gpu, launch, &occupancy, *num_sms, question.waves().as_ref()),
    })
}
