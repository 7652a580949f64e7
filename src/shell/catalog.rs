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
    catalog_with(own_folder().as_deref(), files)
}

fn own_folder() -> Option<PathBuf> {
    config_dir().map(|config| config.join(FOLDER))
}

fn catalog_with(own: Option<&Path>, files: &[PathBuf]) -> anyhow::Result<Catalog> {
    let mut problems = Vec::new();
    let own_files = own.map_or_else(Vec::new, |folder| toml_files(folder, &mut problems));
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
    let Some(folder) = own_folder() else { bail!("this system has no place for settings") };
    write_gpu_in(&folder, file_name, text)
}

fn write_gpu_in(folder: &Path, file_name: &str, text: &str) -> anyhow::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Action, Effect, Session};

    #[test]
    fn a_gpu_of_ones_own_is_written_found_and_deleted() {
        let folder = std::env::temp_dir().join(format!("occuscope-own-gpu-{}", std::process::id()));
        let catalog = || catalog_with(Some(&folder), &[]).expect("a catalog");
        let mut session = Session::new(std::sync::Arc::new(catalog()));
        let arch = session.arch().clone();
        let arch = crate::arch::Arch {
            compute_capability: crate::arch::ComputeCapability::new(0, 1),
            name: "Half an SM".to_owned(),
            invented: true,
            max_blocks_per_sm: 16,
            uncertain: Vec::new(),
            ..arch
        };
        let gpu = crate::arch::Gpu {
            name: "Half an SM".to_owned(),
            compute_capability: arch.compute_capability,
            num_sms: Some(7),
            driver_names: Vec::new(),
            aliases: Vec::new(),
            sources: std::collections::BTreeMap::new(),
            ..catalog().find_gpu("A100 SXM 40 GB").expect("a product").clone()
        };
        let effects = session.apply(Action::SaveGpu { arch: Box::new(arch), gpu: Box::new(gpu) });
        let [Effect::WriteGpu { file_name, text, .. }] = effects.as_slice() else { panic!("{effects:?}") };
        write_gpu_in(&folder, file_name, text).expect("written");
        let found = catalog();
        assert_eq!(found.find_gpu("Half an SM").expect("the new one").num_sms, Some(7));
        assert_eq!(found.find_arch("0.1").expect("its facts").max_blocks_per_sm, 16);
        delete_gpu(&folder.join(file_name)).expect("deleted");
        assert!(catalog().find_arch("0.1").is_err());
        assert!(delete_gpu(&folder.join(file_name)).is_err(), "what is not there cannot be deleted");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
