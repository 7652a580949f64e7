//! Looks at open files every other second, on a thread of its own, and wakes the window only when there is news.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use egui::Context;

use crate::session::Action;
use crate::shell::{News, Stamp, Watch};

const INTERVAL: Duration = Duration::from_millis(1500);

/// The watched files. The thread starts with the first of them, and ends when this is gone.
#[derive(Clone, Debug, Default)]
pub struct Watcher {
    watch: Arc<Mutex<Watch>>,
    is_running: bool,
}

impl Watcher {
    pub fn set(&mut self, ctx: &Context, answer: &Sender<Action>, paths: Vec<PathBuf>) {
        let has_files = !paths.is_empty();
        locked(&self.watch).set(paths);
        if has_files && !self.is_running {
            self.is_running = true;
            let (watch, ctx, answer) = (Arc::downgrade(&self.watch), ctx.clone(), answer.clone());
            std::thread::spawn(move || run(&watch, &ctx, &answer));
        }
    }

    /// To be called where a file is read, before it is opened.
    pub fn is_read(&self, path: &Path) {
        let stamp = Stamp::of(path);
        locked(&self.watch).is_read(path, stamp);
    }
}

/// Nothing in here panics while it is locked, so what a poisoned lock holds is whole.
fn locked(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(watch: &Weak<Mutex<Watch>>, ctx: &Context, answer: &Sender<Action>) {
    loop {
        std::thread::sleep(INTERVAL);
        let Some(watch) = watch.upgrade() else { return };
        // A drive that does not answer must not hold the lock, for which the window would wait.
        let paths = locked(&watch).paths();
        let stamps: Vec<(PathBuf, Option<Stamp>)> = paths.into_iter().map(|path| (path.clone(), Stamp::of(&path))).collect();
        let news = locked(&watch).look(&stamps);
        for news in news {
            let action = match news {
                News::Changed(path) => Action::FileChanged(path),
                News::Vanished(path) => Action::FileVanished(path),
            };
            // Nobody listens any more when the window has closed.
            let _ = answer.send(action);
            ctx.request_repaint();
        }
    }
}
