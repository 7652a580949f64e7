//! `occuscope quiz`: questions about a lesson, as a sheet to print.

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use super::output;
use crate::learn::quiz::questions;
use crate::learn::quiz::sheet::Sheet;
use crate::learn::{find, lessons};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope quiz
  occuscope quiz --lesson registers --seed 7 --count 12 > sheet.md
  occuscope quiz --lesson registers --seed 7 --count 12 --format html --answers > answers.html")]
pub struct QuizArgs {
    /// The lesson; without one, all are listed
    #[arg(long, value_name = "ID")]
    lesson: Option<String>,
    /// The same seed gives the same questions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many questions
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=200))]
    count: u16,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: SheetFormat,
    /// With answers and the way to them
    #[arg(long)]
    answers: bool,
}

/// The forms of a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SheetFormat {
    #[default]
    Markdown,
    Html,
}

pub(super) fn run(args: &QuizArgs) -> anyhow::Result<u8> {
    let Some(id) = &args.lesson else {
        let rows: Vec<String> = lessons().iter().map(|lesson| format!("{:24}{}", lesson.id, lesson.title)).collect();
        output::print_text(&format!("{}\n", rows.join("\n")))?;
        return Ok(0);
    };
    let lesson = find(id).ok_or_else(|| {
        let known: Vec<&str> = lessons().iter().map(|lesson| lesson.id.as_str()).collect();
        anyhow!("there is no lesson \"{id}\"; there are {}", known.join(", "))
    })?;
    let questions = questions(lesson, args.seed, args.count.into());
    let sheet = Sheet { lesson, seed: args.seed, questions: &questions, with_answers: args.answers };
    output::print_text(&match args.format {
        SheetFormat::Markdown => sheet.markdown(),
        SheetFormat::Html => sheet.html(),
    })?;
    Ok(0)
}
