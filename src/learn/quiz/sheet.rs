//! Questions on paper: Markdown and HTML, with and without answers.

use std::fmt::Write as _;

use super::{Kind, Question};
use crate::learn::Lesson;

/// A set of questions to hand out.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    pub lesson: &'a Lesson,
    pub seed: u64,
    pub questions: &'a [Question],
    pub with_answers: bool,
}

/// "a", "b", … for the choices of a question.
pub fn letter(index: usize) -> char {
    char::from(b'a' + u8::try_from(index % 26).unwrap_or_default())
}

impl Sheet<'_> {
    fn title(&self) -> String {
        format!("{}{}", self.lesson.title, if self.with_answers { ", with answers" } else { "" })
    }

    /// How the same sheet is made again.
    fn origin(&self) -> String {
        format!("Made by Occuscope with seed {}; every answer is the engine's.", self.seed)
    }

    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n\nName: ______________________\n", self.title());
        for (index, question) in self.questions.iter().enumerate() {
            let _ = write!(out, "\n## {}\n\n{}\n\n", index + 1, question.prompt);
            match &question.kind {
                Kind::Choice { choices, .. } => {
                    for (index, choice) in choices.iter().enumerate() {
                        let _ = writeln!(out, "- {}) {}", letter(index), choice.text);
                    }
                }
                Kind::Number { unit, .. } => {
                    let _ = writeln!(out, "Answer: ____________ {unit}");
                }
            }
            if self.with_answers {
                let _ = write!(out, "\n**{}**\n\n", answer(question));
                for line in &question.explanation {
                    let _ = writeln!(out, "- {line}");
                }
            }
        }
        let _ = write!(out, "\n---\n\n{}\n", self.origin());
        out
    }

    /// A page that prints well and needs nothing else.
    pub fn html(&self) -> String {
        let mut body = format!("<h1>{}</h1>\n<p>Name: ______________________</p>\n<ol>\n", escaped(&self.title()));
        for question in self.questions {
            let _ = write!(body, "<li>\n<p>{}</p>\n", inline(&question.prompt));
            match &question.kind {
                Kind::Choice { choices, .. } => {
                    body.push_str("<ol type=\"a\">\n");
                    for choice in choices {
                        let _ = writeln!(body, "<li>{}</li>", inline(&choice.text));
                    }
                    body.push_str("</ol>\n");
                }
                Kind::Number { unit, .. } => {
                    let _ = writeln!(body, "<p>Answer: ____________ {}</p>", escaped(unit));
                }
            }
            if self.with_answers {
                let _ = write!(body, "<p><strong>{}</strong></p>\n<ul>\n", inline(&answer(question)));
                for line in &question.explanation {
                    let _ = writeln!(body, "<li>{}</li>", inline(line));
                }
                body.push_str("</ul>\n");
            }
            body.push_str("</li>\n");
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</ol>\n<p class=\"origin\">{}</p>\n</body>\n</html>\n",
            escaped(&self.title()),
            escaped(&self.origin())
        )
    }
}

const STYLE: &str = "body{font:16px/1.45 sans-serif;max-width:44em;margin:2em auto;padding:0 1em}li{margin:.5em 0}body>ol>li{break-inside:avoid}code{font-family:monospace}.origin{font-size:12px}";

fn answer(question: &Question) -> String {
    match &question.kind {
        Kind::Choice { right, .. } => format!("{}) {}", letter(*right), question.answer()),
        Kind::Number { .. } => question.answer(),
    }
}

/// Fit to stand in HTML, in a text and between quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Escaped, with `code` and *stress* of the questions' Markdown.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part = escaped(part);
        if index % 2 == 1 {
            let _ = write!(out, "<code>{part}</code>");
            continue;
        }
        for (index, words) in part.split('*').enumerate() {
            let _ = if index % 2 == 1 { write!(out, "<em>{words}</em>") } else { write!(out, "{words}") };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_escaped() {
        assert_eq!(inline("`kernel<<<1, 2>>>` & *more*"), "<code>kernel&lt;&lt;&lt;1, 2&gt;&gt;&gt;</code> &amp; <em>more</em>");
        assert_eq!(escaped("\"'"), "&quot;&#39;");
    }

    #[test]
    fn choices_have_letters() {
        assert_eq!([letter(0), letter(3)], ['a', 'd']);
    }
}
