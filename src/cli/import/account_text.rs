//! What each kernel's numbers mean, in sentences that fit a terminal: why achieved lies below theoretical, and what matters besides.

use std::fmt::Write;

use super::ImportedFile;
use super::text::shortened;
use crate::cli::output::{QUIET, STRONG};
use crate::explain::matters::{figures, verdict};
use crate::explain::waves::why_below;
use crate::import::Kernel;
use crate::import::account::Account;

/// The letters of a line.
const WIDTH: usize = 100;
const INDENT: &str = "    ";

/// A paragraph for each kernel whose report has something to explain; empty when none has.
pub(super) fn kernels(file: &ImportedFile) -> String {
    let mut out = String::new();
    for (kernel, account) in &file.kernels {
        let sentences = sentences(kernel, account);
        if sentences.is_empty() {
            continue;
        }
        let id = kernel.id.map(|id| format!("{id}  ")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\n{QUIET}{id}{QUIET:#}{STRONG}{}{STRONG:#}", shortened(&kernel.name));
        for line in sentences.iter().flat_map(|sentence| wrapped(sentence, WIDTH - INDENT.len())) {
            let _ = writeln!(out, "{INDENT}{line}");
        }
    }
    out
}

fn sentences(kernel: &Kernel, account: &Account) -> Vec<String> {
    let why = account.gap.as_ref().map(|gap| why_below(gap, account.waves.as_ref()).to_string());
    let verdict = verdict(kernel).map(|verdict| verdict.to_string());
    let matters = verdict.map(|verdict| format!("{}. {}", figures(kernel), verdict.trim()));
    why.into_iter().chain(matters).collect()
}

/// Lines of at most so many letters, broken between words; a longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut letters = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if letters + 1 + length <= width => {
                line.push(' ');
                line.push_str(word);
                letters += 1 + length;
            }
            _ => {
                lines.push(word.to_owned());
                letters = length;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a 61.4\u{a0}% extraordinarily b", 8), ["a 61.4\u{a0}%", "extraordinarily", "b"]);
    }
}
