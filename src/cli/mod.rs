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
mod completions;
pub mod doctor;
mod import;
mod launch_args;
mod licenses;
mod manual;
mod occupancy;
mod occupancy_text;
mod output;
mod preset;
mod question;
mod quiz;
#[cfg(feature = "gui")]
mod render;
mod table;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::session::Action;
pub use output::print_error;
pub use window::why_no_window;

/// What `--help` teaches.
const HELP: &str = "\
Examples:
  occuscope                             # open the window
  occuscope report.ncu-rep              # open it with a report
  occuscope --gpu \"RTX 4090\"           # open it on a GPU, or with --preset
  occuscope import report.ncu-rep       # what the profiler saw beside what is possible
  occuscope compare old.csv new.csv     # which kernels changed
  occuscope arch show \"RTX 4090\"        # what is known about a GPU
  occuscope doctor                      # what to say in a report about a mistake
  occuscope occupancy --gpu A100 --threads 256 --registers 64

Each command has examples of its own: occuscope occupancy --help

Exit codes:
  0  answered; that a launch is not possible is an answer
  1  nothing could be done: no window, or no file could be read
  2  a question or a file was wrong, or only a part could be read
  3  compare: occupancy fell by more than was allowed

Environment:
  OCCUSCOPE_HOME  one folder for settings, presets and the log (portable)
  NO_COLOR        set to anything, output has no colors; it has none in files and pipes either way";

/// Exact CUDA occupancy, drawn: without a command, the window opens.
#[derive(Debug, Parser)]
#[command(name = "occuscope", version, args_conflicts_with_subcommands = true, after_help = HELP)]
pub struct Cli {
    /// Profiler reports to open in the window.
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    gpu: question::GpuArgs,
    /// A preset to begin with; with --gpu or --cc, its launch on another GPU
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// What the window does first: the preset and the GPU that were named.
    ///
    /// # Errors
    /// When one of them is not known.
    pub fn first_actions(&self) -> anyhow::Result<Vec<Action>> {
        self.gpu.first_actions(self.preset.as_deref())
    }
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
    /// What this machine has for the window, for a report about a mistake
    Doctor(doctor::DoctorArgs),
    /// What a shell needs to complete commands and options
    Completions(completions::CompletionsArgs),
    /// The manual pages
    Manual(manual::ManualArgs),
    /// The licenses of Occuscope and of what is compiled into it
    #[command(alias = "licences")]
    Licenses(licenses::LicensesArgs),
}

/// For people or for scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
}

/// Exit code for wrong input, or when only a part could be read.
pub const WRONG_INPUT: u8 = 2;

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
        Command::Doctor(args) => doctor::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Manual(args) => manual::run(args),
        Command::Licenses(args) => licenses::run(args),
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
