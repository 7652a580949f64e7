//! The GPUs that are known: the built-in ones, those of the user's own directory, and those of files that are named.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::{atomic, config_dir};
use crate::arch::Catalog;

/// The folder of GPU files in the user's configuration directory.
const FOLDER: &str = "arch";

/// The built-in catalog, the textbook GPUs among it, with the GPU files of the user's own directory, and over them `files` in their order.
///
/// A directory that does not exist has no files.
///
/// # Errors
/// Every problem at once: files that cannot be opened, and what is wrong inside the others.
pub fn catalog(files: &[PathBuf]) -> anyhow::Result<Catalog> {
    let mut problems = Vec::new();
    let own = config_dir().map(|config| config.join(FOLDER));
    let own_files = own.map_or_else(Vec::new, |folder| toml_files(&folder, &mut problems));
    let texts: Vec<(String, String)> = own_files.iter().chain(files).filter_map(|path| read(path, &mut problems)).collect();
    match Catalog::with_textbook().with_files(&texts) {
        Ok(catalog) if problems.is_empty() => return Ok(catalog),
        Ok(_) => {}
        Err(found) => problems.push(found.to_string()),
    }
    bail!(problems.join("\n"))
}

/// Writes a GPU file into the user's own folder, whole or not at all.
///
/// # Errors
/// When there is no such folder and it cannot be made, or the file cannot be written.
pub fn write_gpu(file_name: &str, text: &str) -> anyhow::Result<()> {
    let Some(folder) = config_dir().map(|config| config.join(FOLDER)) else { bail!("this system has no place for settings") };
    let path = folder.join(file_name);
    atomic::write(&path, text.as_bytes()).with_context(|| format!("the GPU file cannot be written, {}", path.display()))
}

/// Deletes a GPU file.
///
/// # Errors
/// When it cannot be deleted.
pub fn delete_gpu(path: &Path) -> anyhow::Result<()> {
    fs::remove_file(path).with_context(|| format!("the GPU file cannot be deleted, {}", path.display()))
}

/// The GPU files of a folder by name, so that the order in which they override each other is the same everywhere.
fn toml_files(folder: &Path, problems: &mut Vec<String>) -> Vec<PathBuf> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            problems.push(format!("the folder of GPU files cannot be opened: {error}, {}", folder.display()));
            return Vec::new();
        }
    };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
    files.sort();
    files
}

/// The name and the text of a file.
fn read(path: &Path, problems: &mut Vec<String>) -> Option<(String, String)> {
    match fs::read_to_string(path) {
        Ok(text) => Some((path.display().to_string(), text)),
        Err(error) => {
            problems.push(format!("the GPU file cannot be read: {error}, {}", path.display()));
            None
        }
    }
}
