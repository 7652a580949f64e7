//! Files that are written whole or not at all.
//!
//! The new text goes into a file of its own beside the old one, is brought to the disk, and takes the old one's place in one step.
//! Whoever reads the file, also after a power cut or a kill, finds the old text or the new one and nothing in between.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::Builder;

/// What unfinished files are called.
const UNFINISHED: &str = ".occuscope-";

/// Writes a file whole, and makes its folder where that is missing. A link is followed and stays a link.
///
/// # Errors
/// When the folder cannot be made or written to, or the disk is full. The file is as before then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&target);
    fs::create_dir_all(&folder)?;
    let mut builder = Builder::new();
    builder.prefix(UNFINISHED);
    // As private as the file was; a new one is its owner's to read until somebody says otherwise.
    if let Ok(before) = fs::metadata(&target) {
        builder.permissions(before.permissions());
    }
    let mut file = builder.tempfile_in(&folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|failed| failed.error)?;
    sync_folder(&folder);
    Ok(())
}

/// Waits for other windows that read and then write this file. Where locks cannot be had, everybody goes on: a file is written whole
/// all the same.
pub fn lock(path: &Path) -> Option<File> {
    let open = || -> io::Result<File> {
        fs::create_dir_all(folder_of(path))?;
        let file = File::options().create(true).append(true).open(path.with_extension("lock"))?;
        file.lock()?;
        Ok(file)
    };
    open().ok()
}

/// Moves a file that is not to be lost out of the way, under the first free name of `NAME.damaged-1.EXTENSION`, and tells that name.
///
/// # Errors
/// When it cannot be renamed.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    for number in 1..=u32::MAX {
        let free = path.with_file_name(format!("{stem}.damaged-{number}{extension}"));
        // Closed at once: Windows replaces no file that is open.
        match File::create_new(&free).map(drop) {
            // The name is ours now; what is there is an empty file, which renaming replaces.
            Ok(()) => return fs::rename(path, &free).map(|()| free),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Deletes unfinished files that a kill left in a folder long ago.
pub fn sweep(folder: &Path) {
    let long_ago = |path: &Path| {
        let age = fs::metadata(path).and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
        age.is_some_and(|age| age > Duration::from_hours(24))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(UNFINISHED) && long_ago(&entry.path())) {
        let _ = fs::remove_file(entry.path());
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// Brings the change of names to the disk, where folders can be opened for that. Without it, a power cut brings back the old file.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = folder();
        let path = folder.path().join("deep/presets.toml");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = folder();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn what_is_set_aside_keeps_its_bytes_under_a_free_name() {
        let folder = folder();
        let path = folder.path().join("presets.toml");
        for (number, text) in [(1, "one"), (2, "two")] {
            fs::write(&path, text).unwrap();
            let aside = set_aside(&path).unwrap();
            assert_eq!(aside, folder.path().join(format!("presets.damaged-{number}.toml")));
            assert_eq!(fs::read_to_string(aside).unwrap(), text);
        }
        assert!(!path.exists());
    }
}
