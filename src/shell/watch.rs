//! Which files were written again: told from their times and sizes, which somebody looks at now and then.
//!
//! No notices of the system: they differ from system to system and do not come from network drives, and two looks a few seconds
//! apart cost nothing.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a file has from its last writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    modified: Option<SystemTime>,
    num_bytes: u64,
}

impl Stamp {
    /// None when there is no such file.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok(), num_bytes: metadata.len() })
    }
}

/// What became of a watched file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    Changed(PathBuf),
    Vanished(PathBuf),
}

#[derive(Debug)]
struct Watched {
    path: PathBuf,
    /// When it was read; none until it was seen for the first time.
    read: Option<Stamp>,
    /// At the last look, where that differs: it may still be being written.
    last_look: Option<Stamp>,
    is_gone: bool,
}

/// The files that are watched.
#[derive(Debug, Default)]
pub struct Watch {
    files: Vec<Watched>,
    /// Of files that are being read, from before the reading: what is written after that is news.
    reading: HashMap<PathBuf, Stamp>,
}

impl Watch {
    /// Remembers what a file is like before it is read.
    pub fn is_read(&mut self, path: &Path, stamp: Option<Stamp>) {
        let Some(stamp) = stamp else { return };
        match self.files.iter_mut().find(|file| file.path == path) {
            Some(file) => *file = Watched { path: path.to_owned(), read: Some(stamp), last_look: None, is_gone: false },
            None => {
                self.reading.insert(path.to_owned(), stamp);
            }
        }
    }

    /// Watches these and no others.
    pub fn set(&mut self, paths: Vec<PathBuf>) {
        let mut before: Vec<Watched> = std::mem::take(&mut self.files);
        for path in paths {
            let known = before.iter().position(|file| file.path == path).map(|at| before.swap_remove(at));
            let read = self.reading.remove(&path);
            self.files.push(known.unwrap_or(Watched { path, read, last_look: None, is_gone: false }));
        }
    }

    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Takes in a look at the files. One that differs is news only when it is the same at the next look: then it is written to its end.
    pub fn look(&mut self, stamps: &[(PathBuf, Option<Stamp>)]) -> Vec<News> {
        let mut news = Vec::new();
        for (path, stamp) in stamps {
            if let Some(file) = self.files.iter_mut().find(|file| file.path == *path) {
                news.extend(file.look(*stamp));
            }
        }
        news
    }
}

impl Watched {
    fn look(&mut self, stamp: Option<Stamp>) -> Option<News> {
        let Some(now) = stamp else {
            self.last_look = None;
            let is_news = self.read.is_some() && !self.is_gone;
            self.is_gone |= is_news;
            return is_news.then(|| News::Vanished(self.path.clone()));
        };
        let read = *self.read.get_or_insert(now);
        if now == read && !self.is_gone {
            self.last_look = None;
            return None;
        }
        if self.last_look != Some(now) {
            self.last_look = Some(now);
            return None;
        }
        *self = Self { path: std::mem::take(&mut self.path), read: Some(now), last_look: None, is_gone: false };
        Some(News::Changed(self.path.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "report.csv";

    const fn stamp(num_bytes: u64) -> Stamp {
        Stamp { modified: None, num_bytes }
    }

    fn watch() -> Watch {
        let mut watch = Watch::default();
        watch.is_read(Path::new(PATH), Some(stamp(10)));
        watch.set(vec![PATH.into()]);
        watch
    }

    fn looks(watch: &mut Watch, stamps: &[Option<Stamp>]) -> Vec<Option<News>> {
        stamps.iter().map(|stamp| watch.look(&[(PATH.into(), *stamp)]).pop()).collect()
    }

    #[test]
    fn a_file_is_news_once_it_was_written_to_its_end() {
        let changed = Some(News::Changed(PATH.into()));
        let seen = looks(&mut watch(), &[Some(stamp(10)), Some(stamp(20)), Some(stamp(30)), Some(stamp(30)), Some(stamp(30))]);
        assert_eq!(seen, [None, None, None, changed, None]);
    }

    #[test]
    fn what_is_written_while_it_is_read_is_news() {
        let mut watch = watch();
        watch.is_read(Path::new(PATH), Some(stamp(20)));
        assert_eq!(looks(&mut watch, &[Some(stamp(20)), Some(stamp(30)), Some(stamp(30))])[2], Some(News::Changed(PATH.into())));
    }

    #[test]
    fn a_file_vanishes_once_and_comes_back() {
        let seen = looks(&mut watch(), &[None, None, Some(stamp(10)), Some(stamp(10)), Some(stamp(10))]);
        assert_eq!(seen, [Some(News::Vanished(PATH.into())), None, None, Some(News::Changed(PATH.into())), None]);
    }

    #[test]
    fn what_never_was_a_file_is_no_news() {
        let mut watch = Watch::default();
        watch.set(vec![PATH.into()]);
        assert_eq!(looks(&mut watch, &[None, None]), [None, None]);
        watch.set(Vec::new());
        assert_eq!((looks(&mut watch, &[Some(stamp(1))]), watch.paths()), (vec![None], Vec::new()));
    }

    #[test]
    fn a_stamp_tells_a_longer_file() {
        let path = std::env::temp_dir().join(format!("occuscope-stamp-{}", std::process::id()));
        fs::write(&path, "one").expect("written");
        let before = Stamp::of(&path);
        fs::write(&path, "three").expect("written");
        assert!(before.is_some() && Stamp::of(&path) != before);
        fs::remove_file(&path).expect("removed");
        assert_eq!(Stamp::of(&path), None);
    }
}
