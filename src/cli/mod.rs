//! The command line: occupancy, imports and GPU facts as text for people and as JSON for scripts.
//!
//! In: one file per command; what they print is a contract that scripts depend on. Not in: rules about occupancy, and the
//! window, which `main` opens when no command is given.
//!
//! Start with [`Cli`] and [`run`]. Exit codes: 0 for an answer ("cannot launch" is one), 1 when nothing could be done, 2 for
//! wrong input or when only a part could be read, 3 when occupancy fell by more than `compare` was told to allow.

mod arch;
mod batch;
mod choose;
mod compare;
mod import;
mod launch_args;
mod occupancy;
mod occupancy_text;
mod output;
mod preset;
mod quiz;
#[cfg(feature = "gui")]
mod render;
mod table;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

pub use output::print_error;
pub use window::why_no_window;

/// Exact CUDA occupancy, drawn: without a command, the window opens.
#[derive(Debug, Parser)]
#[command(name = "occuscope", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Profiler reports to open in the window.
    pub files: Vec<PathBuf>,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// How many blocks of a launch share one SM, and what stops the next one
    Occupancy(Box<occupancy::OccupancyArgs>),
    /// Read profiler reports: what they say beside what is computed
    Import(import::ImportArgs),
    /// Which kernels changed between two reports of one program
    Compare(compare::CompareArgs),
    /// The GPUs that are known, and the facts about them
    Arch(arch::ArchArgs),
    /// Draw a view into an SVG or PNG file
    #[cfg(feature = "gui")]
    Render(Box<render::RenderArgs>),
    /// Launches with a name: list, show, export and import them
    Preset(preset::PresetArgs),
    /// Questions about a lesson, as a sheet to print
    Quiz(quiz::QuizArgs),
}

/// For people or for scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
}

/// Exit code for wrong input, or when only a part could be read.
const WRONG_INPUT: u8 = 2;

/// Runs a command. What goes wrong is printed once, to the error output.
pub fn run(command: &Command) -> ExitCode {
    let result = match command {
        Command::Occupancy(args) => occupancy::run(args),
        Command::Import(args) => import::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Arch(args) => arch::run(args),
        #[cfg(feature = "gui")]
        Command::Render(args) => render::run(args),
        Command::Preset(args) => preset::run(args),
        Command::Quiz(args) => quiz::run(args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        // Whoever reads the output has seen enough.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("{error:#}"));
            ExitCode::from(WRONG_INPUT)
        }
    }
}
