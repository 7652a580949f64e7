//! What is wrong with a GPU file, said so that its author can mend all of it at once.

use std::fmt;

/// One thing wrong with a GPU file, or with an [`Arch`](super::Arch) that somebody is editing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands, or none when the facts do not come from a file.
    pub place: Option<Place>,
    /// The key it is about: `max_threads_per_sm`, or `gpu[2].num_sms` for the second product of the file.
    pub key: String,
    /// What stands there, as text: "1,000", "nothing".
    pub found: String,
    /// What may stand there instead: "a multiple of 32".
    pub expected: String,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    /// Counted from 1; none when the problem is that something is missing.
    pub line: Option<usize>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: found {}, expected {}", self.key, self.found, self.expected)?;
        match &self.place {
            Some(Place { file, line: Some(line) }) => write!(f, ", {file}:{line}"),
            Some(Place { file, line: None }) => write!(f, ", {file}"),
            None => Ok(()),
        }
    }
}

/// Every problem of the files that were given, in the order of the files and of the lines in them. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchProblems {
    problems: Vec<Problem>,
}

impl ArchProblems {
    /// Wraps the problems, or says that there are none.
    pub(super) fn none_or(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }

    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for ArchProblems {
    /// One problem is one line; several are a count and one indented line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = self.problems.as_slice() {
            return only.fmt(f);
        }
        write!(f, "{} problems with GPU facts", self.problems.len())?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl std::error::Error for ArchProblems {}
