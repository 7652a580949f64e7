//! A lesson file: a header between `+++` lines, then steps, each under a `##` heading.
//!
//! A step is Markdown with numbers in braces (see [`super::template`]) and three kinds of fenced blocks that are ours:
//! `do` sets something up (see [`Setup`]), `trace` puts the engine's own calculation in, `engine` its own source. A heading
//! begins with the step's part: `## Maths: Rounding`.

use serde::Deserialize;

use super::code;
use super::facts::Facts;
use super::setup::Setup;
use super::template::{self, Piece};
use crate::engine::trace::trace;
use crate::session::{Action, LessonPlace, Session};

/// One lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    pub id: String,
    pub title: String,
    /// What a reader can do afterwards, in one sentence.
    pub summary: String,
    pub minutes: u32,
    /// Documents and versions that the lesson was checked against.
    pub checked_against: Vec<String>,
    pub steps: Vec<Step>,
}

/// What a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Concept,
    Predict,
    Maths,
    Code,
    /// What is a model and not the hardware.
    Model,
}

impl Part {
    pub const ALL: [Self; 5] = [Self::Concept, Self::Predict, Self::Maths, Self::Code, Self::Model];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Concept => "Concept",
            Self::Predict => "Predict",
            Self::Maths => "Maths",
            Self::Code => "Code",
            Self::Model => "Model",
        }
    }
}

/// One step: what to read, and what stands beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub part: Part,
    pub title: String,
    pub setup: Setup,
    pub body: Vec<Content>,
}

/// A stretch of a step's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Text(Vec<Piece>),
    /// A code block as it is written, fences included.
    Verbatim(String),
    /// Rules of [`crate::engine::trace`] whose names contain one of these; all when there is none.
    Trace(Vec<String>),
    /// A function of the engine.
    Engine(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    id: String,
    title: String,
    summary: String,
    minutes: u32,
    checked_against: Vec<String>,
}

impl Lesson {
    /// Reads a lesson file.
    ///
    /// # Errors
    /// What is wrong, with the step it is in.
    pub fn parse(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("+++\n").ok_or("a lesson begins with +++")?;
        let (header, body) = rest.split_once("\n+++\n").ok_or("the header does not end")?;
        let header: Header = toml::from_str(header).map_err(|error| error.to_string())?;
        let mut steps: Vec<Step> = Vec::new();
        for section in format!("\n{body}").split("\n## ").skip(1) {
            let before = steps.last().map_or_else(Setup::default, |step| step.setup.continued());
            let heading = section.lines().next().unwrap_or_default();
            steps.push(Step::parse(section, before).map_err(|error| format!("{heading}: {error}"))?);
        }
        if steps.is_empty() {
            return Err("there are no steps".to_owned());
        }
        let Header { id, title, summary, minutes, checked_against } = header;
        Ok(Self { id, title, summary, minutes, checked_against, steps })
    }

    /// The place of a step; steps end with the quiz, which has none of its own setup.
    pub fn place(&self, step: usize) -> LessonPlace {
        LessonPlace { lesson: self.id.clone(), step: step.min(self.steps.len()) }
    }

    /// What the session has to do to be at a step. The quiz, after the last step, changes nothing.
    pub fn go_to(&self, step: usize, session: &Session) -> Vec<Action> {
        let place = self.place(step);
        match self.steps.get(step) {
            Some(step) => step.setup.actions(session, &place),
            None => vec![Action::HideAnswers(false), Action::ShowLesson(Some(place))],
        }
    }
}

impl Step {
    fn parse(section: &str, mut setup: Setup) -> Result<Self, String> {
        let (heading, text) = section.split_once('\n').ok_or("a step has a text")?;
        let (part, title) = heading.split_once(": ").ok_or("a heading is PART: TITLE")?;
        let part = Part::ALL.into_iter().find(|known| known.name() == part).ok_or_else(|| format!("\"{part}\" is no part"))?;
        let mut body = Vec::new();
        let mut words = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(kind) = line.strip_prefix("```") else {
                words.push_str(line);
                words.push('\n');
                continue;
            };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if kind == "do" {
                for line in block {
                    let (key, value) = line.split_once('=').ok_or_else(|| format!("\"{line}\" is no key = value"))?;
                    setup.set(key.trim(), value.trim())?;
                }
                continue;
            }
            push_text(&mut body, &mut words)?;
            match kind {
                "trace" => body.push(Content::Trace(block.iter().map(|line| (*line).to_owned()).collect())),
                "engine" => {
                    for path in block {
                        code::function(path).ok_or_else(|| format!("the engine has no {path}"))?;
                        body.push(Content::Engine(path.to_owned()));
                    }
                }
                _ => body.push(Content::Verbatim(format!("{line}\n{}\n```\n", block.join("\n")))),
            }
        }
        push_text(&mut body, &mut words)?;
        Ok(Self { part, title: title.to_owned(), setup, body })
    }

    /// The step's Markdown, its numbers those of what is shown right now.
    pub fn markdown(&self, facts: &Facts<'_>) -> String {
        let text = |content: &Content| match content {
            Content::Text(pieces) => template::filled(pieces, facts),
            Content::Verbatim(block) => block.clone(),
            Content::Trace(rules) => calculation(rules, facts),
            Content::Engine(path) => {
                format!("The engine's own rule, `{}`:\n\n```rust\n{}\n```\n", code::place(path), code::function(path).unwrap_or_default())
            }
        };
        self.body.iter().map(text).collect::<Vec<_>>().join("\n")
    }
}

fn push_text(body: &mut Vec<Content>, words: &mut String) -> Result<(), String> {
    let text = std::mem::take(words);
    let text = text.trim();
    if !text.is_empty() {
        body.push(Content::Text(template::pieces(&format!("{text}\n"))?));
    }
    Ok(())
}

/// Steps of the engine's calculation for what is shown, as a code block: the rule, then its numbers.
fn calculation(rules: &[String], facts: &Facts<'_>) -> String {
    let session = facts.session();
    let num_sms = session.gpu().and_then(|gpu| gpu.num_sms);
    let steps = trace(session.arch(), &session.document().configuration.launch, num_sms);
    let chosen = steps.iter().filter(|step| rules.is_empty() || rules.iter().any(|rule| step.rule.contains(rule.as_str())));
    let lines = chosen.map(|step| format!("{}\n  {}\n  {} = {} {}", step.rule, step.formula, step.numbers, step.result, step.unit));
    let lines: Vec<String> = lines.collect();
    let lines = if lines.is_empty() { "nothing to work out for this launch".to_owned() } else { lines.join("\n") };
    format!("With the numbers of what is shown now:\n\n```text\n{lines}\n```\n")
}
