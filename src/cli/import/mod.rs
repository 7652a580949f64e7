//! `occuscope import`: profiler reports, what they say beside what is computed; and what a compiler says about kernels.

mod account_text;
mod compiled_text;
mod json;
mod progress;
mod text;

pub(super) use text::{NOTHING, shape_text, shortened};

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use progress::ProgressLine;

use super::{WRONG_INPUT, output};
use crate::arch::{Catalog, Gpu};
use crate::export::{KernelRow, kernels_csv, kernels_markdown};
use crate::import::account::{Account, account};
use crate::import::{DecimalMark, Kernel, Note, ReadOptions, Severity};
use crate::shell::{self, Contents};

/// Exit code when no file could be read.
pub(super) const NOTHING_READABLE: u8 = 1;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope import report.ncu-rep
  occuscope import reports/ --format markdown
  occuscope import report.csv --format json > report.json
  occuscope import build.log my_program
  ncu --csv --page raw ./my_program | occuscope import -

Exit codes: 0 all read, 1 nothing could be read, 2 only a part could.")]
pub struct ImportArgs {
    /// Reports, compiler output or compiled code, folders of them, or - for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: ImportFormat,
    /// The GPU, where a report does not say it
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// A GPU file of your own; may be given several times
    #[arg(long, value_name = "FILE")]
    arch: Vec<PathBuf>,
    /// What the numbers of the reports have before their decimals; found out from all of them unless said
    #[arg(long, value_enum, value_name = "MARK")]
    decimal: Option<Decimal>,
}

/// The two marks of a [`DecimalMark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Decimal {
    Dot,
    Comma,
}

impl From<Decimal> for DecimalMark {
    fn from(decimal: Decimal) -> Self {
        match decimal {
            Decimal::Dot => Self::Dot,
            Decimal::Comma => Self::Comma,
        }
    }
}

/// For people, for scripts, for spreadsheets, for documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    #[default]
    Text,
    Json,
    /// One row for each kernel, plain numbers in base units
    Csv,
    /// A table for a document
    Markdown,
}

/// One file of the command line and what became of it.
#[derive(Debug)]
pub(super) struct ImportedFile {
    path: String,
    /// What the file was read as, or recognized as when it cannot be read; none when it could not even be opened.
    format: Option<String>,
    tool_version: Option<String>,
    notes: Vec<Note>,
    kernels: Vec<(Kernel, Account)>,
    pub(super) is_readable: bool,
}

impl ImportedFile {
    /// Whether a compiler wrote it, and not a profiler.
    fn is_compiled(&self) -> bool {
        self.kernels.first().is_some_and(|(kernel, _)| kernel.compiled.is_some())
    }

    pub(super) fn kernels(&self) -> impl Iterator<Item = (&Kernel, &Account)> {
        self.kernels.iter().map(|(kernel, account)| (kernel, account))
    }

    /// Says on the error output what is worth saying about a file whose kernels cannot be shown.
    pub(super) fn print_problems(&self) {
        for note in &self.notes {
            output::print_error(&format!("{}, {}", note.message, self.path));
        }
    }
}

/// Reads every file; those that cannot be read are reported beside the others.
pub(super) fn run(args: &ImportArgs) -> anyhow::Result<u8> {
    let catalog = shell::catalog(&args.arch)?;
    let gpu = args.gpu.as_deref().map(|name| catalog.find_gpu(name)).transpose()?;
    let options = ReadOptions { decimal_mark: args.decimal.map(DecimalMark::from) };
    let paths = args.files.iter().flat_map(|path| in_folder(path));
    let files: Vec<ImportedFile> = paths.map(|path| import_as(&path, options, &catalog, gpu)).collect();
    if files.is_empty() {
        output::print_error("there is nothing to read: the folder has no files");
        return Ok(NOTHING_READABLE);
    }
    match args.format {
        ImportFormat::Json => output::print_json(&json::files(&files))?,
        ImportFormat::Text => output::print_text(&text::files(&files))?,
        ImportFormat::Csv => {
            print_problems(&files);
            output::print_text(&String::from_utf8(kernels_csv(rows(&files))?)?)?;
        }
        ImportFormat::Markdown => {
            print_problems(&files);
            output::print_text(&kernels_markdown(rows(&files)))?;
        }
    }
    Ok(exit_code(&files))
}

/// The files of a folder by name, without those of folders inside it; anything else is a file itself.
fn in_folder(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Files without kernels have no row in a table: what is wrong with them goes to the error output.
fn print_problems(files: &[ImportedFile]) {
    for file in files.iter().filter(|file| !file.is_readable) {
        file.print_problems();
    }
}

fn rows(files: &[ImportedFile]) -> impl Iterator<Item = KernelRow<'_>> {
    files.iter().flat_map(|file| file.kernels.iter().map(|(kernel, account)| KernelRow { file: &file.path, kernel, account }))
}

fn exit_code(files: &[ImportedFile]) -> u8 {
    let num_readable = files.iter().filter(|file| file.is_readable).count();
    match num_readable {
        0 => NOTHING_READABLE,
        all if all == files.len() => 0,
        _ => WRONG_INPUT,
    }
}

/// Reads a file about which nothing is known.
pub(super) fn import(path: &Path, catalog: &Catalog, gpu: Option<&Gpu>) -> ImportedFile {
    import_as(path, ReadOptions::default(), catalog, gpu)
}

fn import_as(path: &Path, options: ReadOptions, catalog: &Catalog, gpu: Option<&Gpu>) -> ImportedFile {
    let name = path.display().to_string();
    let contents = match open(path) {
        Ok(contents) => contents,
        Err(error) => {
            return unreadable(name, None, format!("the file cannot be read: {error}; check the path and its permissions"));
        }
    };
    let mut line = ProgressLine::new(path);
    let read = contents.report_with(options, |at| {
        line.tell(at);
        ControlFlow::Continue(())
    });
    line.clear();
    match read {
        Ok(report) => {
            let join = |kernel: Kernel| {
                let account = account(&kernel, catalog, gpu);
                (kernel, account)
            };
            ImportedFile {
                path: name,
                format: Some(report.format.name().to_owned()),
                tool_version: report.tool_version,
                notes: report.notes,
                kernels: report.kernels.into_iter().map(join).collect(),
                is_readable: true,
            }
        }
        Err(error) => unreadable(name, Some(error.format().to_owned()), error.to_string()),
    }
}

fn unreadable(path: String, format: Option<String>, message: String) -> ImportedFile {
    let note = Note { line: None, column: None, severity: Severity::Error, message };
    ImportedFile { path, format, tool_version: None, notes: vec![note], kernels: Vec::new(), is_readable: false }
}

fn open(path: &Path) -> io::Result<Contents> {
    if path.as_os_str() == "-" { Contents::of_stdin() } else { Contents::open(path) }
}
