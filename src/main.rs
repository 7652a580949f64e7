//! The program: a command runs in the terminal, anything else opens the window.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use occuscope::cli::{self, Cli};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Some(command) => cli::run(command),
        None => open_window_or_say_why_not(cli.files),
    }
}

fn open_window_or_say_why_not(files: Vec<PathBuf>) -> ExitCode {
    let problem = cli::why_no_window(&files).or_else(|| open_window(files).err().map(|error| format!("{error:#}")));
    match problem {
        None => ExitCode::SUCCESS,
        Some(problem) => {
            cli::print_error(&problem);
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "gui")]
fn open_window(files: Vec<PathBuf>) -> anyhow::Result<()> {
    occuscope::gui::run(files)
}

/// Never called: without the window, the reason for that was said already.
#[cfg(not(feature = "gui"))]
#[expect(clippy::unnecessary_wraps, reason = "the same form as with the window")]
fn open_window(_files: Vec<PathBuf>) -> anyhow::Result<()> {
    Ok(())
}
