//! `occuscope preset`: the presets that come with the program and the user's own.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::table::{Align, lines};
use super::{Format, output};
use crate::engine::{Launch, evaluate};
use crate::fmt::{counted, percent};
use crate::session::presets::{self, Library, Preset};
use crate::session::{GpuChoice, saved};
use crate::shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope preset list matmul
  occuscope preset show \"Tiled matmul, 48 KiB\"
  occuscope preset export --output mine.toml
  occuscope preset import \"occuscope:1; gpu=T4; block=256; registers=64\"")]
pub struct PresetArgs {
    #[command(subcommand)]
    command: PresetCommand,
}

#[derive(Debug, Subcommand)]
enum PresetCommand {
    /// Your own presets and the built-in ones, with their answers
    List {
        /// Only those with these words in name, note, tags or GPU
        words: Vec<String>,
        /// Only your own
        #[arg(long)]
        own: bool,
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// One preset as a file would have it, with its code
    Show { name: String },
    /// Write presets as one file: those named, or all of your own
    Export {
        names: Vec<String>,
        /// Where to [default: the standard output]; a file that exists is not touched
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace the file if it exists
        #[arg(long, requires = "output")]
        force: bool,
    },
    /// Add presets to your own, from files or codes (occuscope:1; …); - is the standard input
    Import {
        #[arg(required = true, value_name = "FILE|CODE")]
        sources: Vec<String>,
    },
}

pub(super) fn run(args: &PresetArgs) -> anyhow::Result<u8> {
    match &args.command {
        PresetCommand::List { words, own, format } => list(&words.join(" "), *own, *format),
        PresetCommand::Show { name } => show(name),
        PresetCommand::Export { names, output, force } => export(names, output.as_deref(), *force),
        PresetCommand::Import { sources } => import(sources),
    }?;
    Ok(0)
}

/// The preset of a name.
///
/// # Errors
/// When there is none, with the names that are near.
pub(super) fn named(name: &str) -> anyhow::Result<Preset> {
    find(&shell::library()?, name)
}

fn find(library: &Library, name: &str) -> anyhow::Result<Preset> {
    if let Some(preset) = presets::find(library, name) {
        return Ok(preset.clone());
    }
    let near: Vec<String> = presets::all(library).filter(|preset| preset.fits(name)).map(|preset| format!("\"{}\"", preset.name)).collect();
    match near.as_slice() {
        [] => bail!("there is no preset \"{name}\"; occuscope preset list names them all"),
        near => bail!("there is no preset \"{name}\"; near it: {}", near.join(", ")),
    }
}

#[derive(Debug, Serialize)]
struct PresetJson<'p> {
    name: &'p str,
    note: &'p str,
    tags: &'p [String],
    source: Option<&'p str>,
    is_own: bool,
    gpu: String,
    launch: &'p Launch,
    code: String,
    /// None where the GPU is not known here.
    theoretical_occupancy_percent: Option<f64>,
}

fn list(words: &str, own: bool, format: Format) -> anyhow::Result<()> {
    let library = shell::library()?;
    let catalog = shell::catalog(&[])?;
    let is_own = |preset: &Preset| library.get(&preset.name).is_some();
    let chosen: Vec<&Preset> = presets::all(&library).filter(|preset| preset.fits(words) && (is_own(preset) || !own)).collect();
    let answer = |preset: &Preset| {
        let arch = match &preset.configuration.gpu {
            GpuChoice::Product(name) => catalog.arch(catalog.gpus().iter().find(|gpu| gpu.name == *name)?.compute_capability),
            GpuChoice::Capability(capability) => catalog.arch(*capability),
        };
        Some(evaluate(arch?, &preset.configuration.launch).theoretical_percent())
    };
    if format == Format::Json {
        let all: Vec<PresetJson<'_>> = chosen
            .iter()
            .map(|preset| PresetJson {
                name: &preset.name,
                note: &preset.note,
                tags: &preset.tags,
                source: preset.source.as_deref(),
                is_own: is_own(preset),
                gpu: preset.configuration.gpu.to_string(),
                launch: &preset.configuration.launch,
                code: saved::code::write(preset),
                theoretical_occupancy_percent: answer(preset),
            })
            .collect();
        return output::print_json(&all);
    }
    let row = |preset: &&Preset| {
        vec![
            preset.folder().unwrap_or(if is_own(preset) { "your own" } else { "" }).to_owned(),
            preset.name.clone(),
            answer(preset).map_or_else(|| "unknown GPU".to_owned(), percent),
            preset.configuration.gpu.to_string(),
            if is_own(preset) { "your own".to_owned() } else { String::new() },
        ]
    };
    let rows: Vec<Vec<String>> = chosen.iter().map(row).collect();
    let text = lines(&[Align::Left, Align::Left, Align::Right, Align::Left, Align::Left], &rows);
    output::print_text(&text.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>())
}

fn show(name: &str) -> anyhow::Result<()> {
    let preset = named(name)?;
    output::print_text(&format!("{}\n# As a code, to paste: {}\n", saved::presets::write([&preset]), saved::code::write(&preset)))
}

fn export(names: &[String], path: Option<&Path>, force: bool) -> anyhow::Result<()> {
    let library = shell::library()?;
    let chosen: Vec<Preset> = if names.is_empty() {
        library.presets().to_vec()
    } else {
        names.iter().map(|name| find(&library, name)).collect::<anyhow::Result<_>>()?
    };
    let text = saved::presets::write(&chosen);
    let Some(path) = path else { return output::print_text(&text) };
    if path.exists() && !force {
        bail!("the file exists; add --force to replace it, {}", path.display());
    }
    shell::atomic::write(path, text.as_bytes()).with_context(|| format!("the presets cannot be written, {}", path.display()))?;
    output::print_text(&format!("{} written to {}\n", counted(chosen.len() as u64, "preset"), path.display()))
}

fn import(sources: &[String]) -> anyhow::Result<()> {
    let path = shell::presets_path().ok_or_else(|| anyhow!("this system has no place for presets; name one with OCCUSCOPE_HOME"))?;
    let mut found = Vec::new();
    for source in sources {
        found.extend(presets_of(source)?);
    }
    let before = shell::library()?;
    let mut library = before.clone();
    let names: Vec<String> = found.into_iter().map(|preset| library.add(preset)).collect();
    shell::keep_presets(&path, &before, &library)?;
    output::print_text(&names.iter().flat_map(|name| ["added \"", name.as_str(), "\"\n"]).collect::<String>())
}

/// The presets of a file, of the standard input, or of a code.
fn presets_of(source: &str) -> anyhow::Result<Vec<Preset>> {
    if saved::code::is_code(source) {
        return code(source);
    }
    if source != "-" {
        return shell::read_presets(Path::new(source));
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).context("the standard input cannot be read")?;
    if saved::code::is_code(&text) { code(&text) } else { saved::presets::read(&text).context("the standard input has no presets") }
}

fn code(text: &str) -> anyhow::Result<Vec<Preset>> {
    let mut preset = saved::code::read(text).context("the code cannot be read")?;
    if preset.name.trim().is_empty() {
        preset.name = presets::name_of(&preset.configuration);
    }
    Ok(vec![preset])
}
