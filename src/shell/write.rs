//! Writing files whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Writes a file beside its place and moves it there, so that nobody ever sees half of it.
///
/// # Errors
/// When it cannot be written or moved; then a file that was there before is as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let unfinished = unfinished(path);
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written.with_context(|| format!("the file cannot be written, {}", path.display()))
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = std::env::temp_dir().join(format!("occuscope-write-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("table.csv");
        for text in ["long before", "after"] {
            write_whole(&path, text.as_bytes()).expect("written");
        }
        let left: Vec<OsString> = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!((fs::read_to_string(&path).expect("a text").as_str(), left.len()), ("after", 1));
        fs::remove_dir_all(&folder).expect("removed");
        let error = format!("{:#}", write_whole(&path, b"x").expect_err("no folder"));
        assert!(error.starts_with("the file cannot be written, ") && error.contains("table.csv"), "{error}");
    }
}
