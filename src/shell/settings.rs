//! The file of settings, and the list of recent files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};

use super::atomic::{self, lock};
use super::{config_dir, state_dir};
use crate::session::settings::Settings;
use crate::session::{MAX_RECENT, saved};

/// Where the settings are; none when the system has no place for them.
pub fn settings_path() -> Option<PathBuf> {
    config_dir().map(|config| config.join("settings.toml"))
}

/// Where the list of recent files is.
pub fn recent_path() -> Option<PathBuf> {
    state_dir().map(|state| state.join("recent.toml"))
}

/// The settings of a file; without one, those that the program comes with.
///
/// # Errors
/// With line and column, when they cannot be read. The file stays as it is.
pub fn settings(path: &Path) -> anyhow::Result<Settings> {
    if !path.exists() {
        return Ok(Settings::default());
    }
    saved::settings::read(&text(path)?).map_err(|error| anyhow!("the settings cannot be read: {error}, {}", path.display()))
}

/// Writes settings, with what the file has beside them. `base` is what this window read or wrote last: what another window changed
/// since then stays changed. A file that cannot be read is moved aside, and its new name is returned.
///
/// # Errors
/// When it cannot be written. The file is as before then.
pub fn keep_settings(path: &Path, base: &Settings, ours: &Settings) -> anyhow::Result<Option<PathBuf>> {
    let whole = || format!("the settings cannot be written, {}", path.display());
    let _turn = lock(path);
    let before = if path.exists() { text(path) } else { Ok(String::new()) };
    let written = before.and_then(|before| {
        let theirs = if path.exists() { saved::settings::read(&before)? } else { base.clone() };
        Ok(saved::settings::write(&ours.merged(base, &theirs), &before)?)
    });
    let (written, aside) = match written {
        Ok(written) => (written, None),
        Err(_) => (saved::settings::write(ours, "")?, Some(atomic::set_aside(path).with_context(whole)?)),
    };
    atomic::write(path, written.as_bytes()).with_context(whole)?;
    Ok(aside)
}

fn text(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("the settings cannot be read, {}", path.display()))
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Recent {
    version: u64,
    #[serde(default)]
    files: Vec<PathBuf>,
}

/// Recent files, the newest first. A list that is missing or damaged is empty: nothing is lost with it.
pub fn recent(path: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(path).unwrap_or_default();
    toml::from_str::<Recent>(&text).unwrap_or_default().files
}

/// Writes the list. `base` is what this window read or wrote last: what another window opened since then comes behind.
///
/// # Errors
/// When it cannot be written.
pub fn keep_recent(path: &Path, base: &[PathBuf], ours: &[PathBuf]) -> std::io::Result<()> {
    let _turn = lock(path);
    let theirs = recent(path).into_iter().filter(|file| !base.contains(file) && !ours.contains(file));
    let merged: Vec<PathBuf> = ours.iter().cloned().chain(theirs).take(MAX_RECENT).collect();
    atomic::write(path, recent_text(&merged).as_bytes())
}

fn recent_text(files: &[PathBuf]) -> String {
    // A path that is no text is left out; it is found by the dialog all the same.
    let files = files.iter().filter(|path| path.to_str().is_some()).cloned().collect();
    toml::to_string(&Recent { version: 1, files }).unwrap_or_default()
}
