//! The program: a command runs in the terminal, anything else opens the window.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use occuscope::cli::{self, Cli};
use occuscope::session::Action;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Some(command) => cli::run(command),
        None => open_window_or_say_why_not(cli),
    }
}

fn open_window_or_say_why_not(cli: Cli) -> ExitCode {
    let actions = match cli.first_actions() {
        Ok(actions) => actions,
        Err(error) => {
            cli::print_error(&format!("{error:#}"));
            return ExitCode::from(cli::WRONG_INPUT);
        }
    };
    let problem = cli::why_no_window(&cli.files).or_else(|| open_window(cli.files, actions).err().map(|error| format!("{error:#}")));
    match problem {
        None => ExitCode::SUCCESS,
        Some(problem) => {
            cli::print_error(&problem);
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "gui")]
fn open_window(files: Vec<PathBuf>, actions: Vec<Action>) -> anyhow::Result<()> {
    occuscope::gui::run(files, actions)
}

/// Never called: without the window, the reason for that was said already.
#[cfg(not(feature = "gui"))]
#[expect(clippy::unnecessary_wraps, reason = "the same form as with the window")]
fn open_window(_files: Vec<PathBuf>, _actions: Vec<Action>) -> anyhow::Result<()> {
    Ok(())
}
