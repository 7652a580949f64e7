//! `occuscope completions`: what a shell needs to complete commands and options.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::{Cli, output};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope completions bash > ~/.local/share/bash-completion/completions/occuscope
  occuscope completions zsh > ~/.zfunc/_occuscope
  occuscope completions fish > ~/.config/fish/completions/occuscope.fish
  occuscope completions powershell >> $PROFILE

Packages bring these files along.")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "occuscope", &mut script);
    output::print_text(&String::from_utf8(script)?)?;
    Ok(0)
}
