//! `occuscope licenses`: the license of Occuscope, and those of what is compiled into it.

use clap::Args;

use super::output;

/// The texts, as packages carry them too.
const OWN: &str = include_str!("../../LICENSE");
const FONTS: &str = include_str!("../../assets/fonts/OFL.txt");
const LIBRARIES: &str = include_str!("../../assets/THIRD_PARTY.md");

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  occuscope licenses | less")]
pub struct LicensesArgs {}

pub(super) fn run(_args: &LicensesArgs) -> anyhow::Result<u8> {
    output::print_text(&format!("{OWN}\n# Fonts\n\n{FONTS}\n{LIBRARIES}"))?;
    Ok(0)
}
