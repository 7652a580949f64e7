//! The saved formats: presets, settings, sessions. Text in and out; the disk is `shell`'s.
//!
//! Each format has a version. An older one stays readable, a newer one is refused with a sentence, and whatever cannot be read is told
//! with its line and column. Sizes are written as people write them, "48 KiB".

pub mod code;
mod launch;
pub mod presets;
pub mod session;
pub mod settings;
mod values;

use std::fmt;
use std::ops::Range;

use serde::de::DeserializeOwned;

/// Why a saved text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedError {
    /// Line and column, counted from 1.
    pub at: Option<(usize, usize)>,
    pub what: String,
}

impl SavedError {
    fn new(what: impl Into<String>) -> Self {
        Self { at: None, what: what.into() }
    }

    fn at(text: &str, span: Option<Range<usize>>, what: impl Into<String>) -> Self {
        Self { at: span.map(|span| place(text, span.start)), what: what.into() }
    }

    /// A newer Occuscope wrote this.
    fn newer(kind: &str, version: u64, known: u64) -> Self {
        Self::new(format!(
            "these {kind} are of version {version}, and this Occuscope knows versions up to {known}; a newer Occuscope can read them"
        ))
    }
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for SavedError {}

/// Line and column of a byte, counted from 1; a column is a character.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before: Vec<u8> = text.bytes().take(byte).collect();
    let before = String::from_utf8_lossy(&before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// Reads a TOML text of a kind whose newest version is `known`.
fn from_toml<T: DeserializeOwned>(text: &str, kind: &str, known: u64) -> Result<T, SavedError> {
    // A text that Windows' editor wrote begins with a mark that TOML does not know.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table: toml::Table = toml::from_str(text).map_err(|error| of_toml(text, &error))?;
    match table.get("version").map(|version| version.as_integer().and_then(|version| u64::try_from(version).ok())) {
        Some(Some(version)) if version > known => return Err(SavedError::newer(kind, version, known)),
        Some(Some(version)) if version > 0 => {}
        Some(_) => return Err(SavedError::new(format!("the version must be a number from 1 to {known}"))),
        None => return Err(SavedError::new("there is no version; write version = 1 into the first line")),
    }
    toml::from_str(text).map_err(|error| of_toml(text, &error))
}

fn of_toml(text: &str, error: &toml::de::Error) -> SavedError {
    SavedError::at(text, error.span(), error.message().trim().replace('\n', ", "))
}

#[cfg(test)]
mod tests;
