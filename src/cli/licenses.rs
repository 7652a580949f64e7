//! `occuscope licenses`: the license of Occuscope, and those of what is compiled into it.

use clap::Args;

use super::output;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  occuscope licenses | less")]
pub struct LicensesArgs {}

pub(super) fn run(_args: &LicensesArgs) -> anyhow::Result<u8> {
    output::print_text(crate::LICENSES)?;
    Ok(0)
}
