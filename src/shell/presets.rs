//! The file of the user's own presets: read at the start, written after every change, shared between windows.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::{atomic, data_dir};
use crate::session::presets::{Library, Preset, merge};
use crate::session::saved;

/// The file in the user's data directory.
const FILE: &str = "presets.toml";

/// Where the user's own presets are; none when the system has no place for them.
pub fn presets_path() -> Option<PathBuf> {
    data_dir().map(|data| data.join(FILE))
}

/// Reads a file of presets.
///
/// # Errors
/// When it cannot be opened, or with line and column when it cannot be read.
pub fn read_presets(path: &Path) -> anyhow::Result<Vec<Preset>> {
    let text = fs::read(path).with_context(|| format!("the presets cannot be opened, {}", path.display()))?;
    let text = String::from_utf8(text).map_err(|_| anyhow!("the presets are no text, {}", path.display()))?;
    saved::presets::read(&text).map_err(|error| anyhow!("the presets cannot be read: {error}, {}", path.display()))
}

/// The user's own presets; without a file there are none.
///
/// # Errors
/// As [`read_presets`]. The file stays as it is.
pub fn library() -> anyhow::Result<Library> {
    match presets_path() {
        Some(path) if path.exists() => read_presets(&path).map(Library::new),
        _ => Ok(Library::default()),
    }
}

/// What became of presets that were kept.
#[derive(Debug)]
pub struct Kept {
    /// What the file has now: ours, and what others changed meanwhile.
    pub library: Library,
    /// Where a file that could not be read went.
    pub set_aside: Option<PathBuf>,
}

/// Writes the user's own presets into a file. `base` is what this program read from it or wrote to it last: what others changed since then is kept
/// too. A file that cannot be read is moved aside, not overwritten.
///
/// # Errors
/// When it cannot be written. The file is as before then.
pub fn keep_presets(path: &Path, base: &Library, ours: &Library) -> anyhow::Result<Kept> {
    let whole = || format!("the presets cannot be written, {}", path.display());
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(whole)?;
    let _turn = atomic::lock(path);
    let (library, set_aside) = match read_presets(path).map(Library::new) {
        Ok(theirs) => (merge(base, ours, &theirs), None),
        Err(_) if !path.exists() => (ours.clone(), None),
        Err(_) => (ours.clone(), Some(atomic::set_aside(path).with_context(whole)?)),
    };
    atomic::write(path, saved::presets::write(library.presets()).as_bytes()).with_context(whole)?;
    Ok(Kept { library, set_aside })
}
