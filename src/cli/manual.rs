//! `occuscope manual`: the manual pages, made from the same words as `--help`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::{Cli, output};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope manual | man -l -
  occuscope manual --output ~/.local/share/man/man1")]
pub struct ManualArgs {
    /// The folder to write a page for each command into [default: the main page, on the standard output]
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &ManualArgs) -> anyhow::Result<u8> {
    if let Some(folder) = &args.output {
        write_pages(folder)?;
    } else {
        let mut page = Vec::new();
        Man::new(Cli::command()).render(&mut page)?;
        output::print_text(&String::from_utf8(page)?)?;
    }
    Ok(0)
}

/// One page for each command, as `occuscope-arch-show.1`.
fn write_pages(folder: &Path) -> anyhow::Result<()> {
    let problem = || format!("the manual pages cannot be written, {}", folder.display());
    fs::create_dir_all(folder).with_context(problem)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(problem)
}
