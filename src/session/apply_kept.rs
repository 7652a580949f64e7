//! What the actions about settings, recent files and saved sessions do.

use std::path::PathBuf;
use std::sync::Arc;

use super::action::Effect;
use super::document::Configuration;
use super::settings::Settings;
use super::snapshot::{Fingerprint, Restored};
use super::{Document, Session};

/// Recent files that are remembered.
pub const MAX_RECENT: usize = 12;

impl Session {
    pub(super) fn set_settings(&mut self, settings: Settings) -> Vec<Effect> {
        self.view.theme = settings.theme;
        if settings == self.settings {
            return Vec::new();
        }
        self.settings = settings;
        vec![Effect::WriteSettings(Box::new(self.settings.clone()))]
    }

    /// The start of a window: nothing of it is an undo step.
    pub(super) fn take_kept(&mut self, settings: Settings, recent: Vec<PathBuf>) -> Vec<Effect> {
        self.view.theme = settings.theme;
        self.recent = recent;
        if let Some(gpu) = settings.default_gpu.clone().filter(|gpu| self.is_known(gpu) && !self.can_undo()) {
            let launch = self.document.configuration.launch.clone();
            self.document.configuration = Configuration { gpu, launch };
        }
        self.settings = settings;
        Vec::new()
    }

    pub(super) fn save_session(&mut self, file: Option<PathBuf>) -> Vec<Effect> {
        vec![Effect::SaveSession { snapshot: Box::new(self.snapshot()), file }]
    }

    pub(super) fn session_saved(&mut self, path: PathBuf) -> Vec<Effect> {
        self.message = Some(format!("session saved as {}", path.display()));
        self.file = Some(path.clone());
        self.note_recent(path)
    }

    /// Puts a saved session in the place of this one, as one undo step. Presets and settings stay.
    pub(super) fn take_session(&mut self, restored: Restored, file: Option<PathBuf>, message: &str) -> Vec<Effect> {
        let Restored { document, view, reports } = restored;
        let reports: Vec<_> = reports.into_iter().filter_map(|report| report.kept).collect();
        let library = Arc::clone(&self.document.library);
        let unknown = Some(&document.configuration.gpu).filter(|gpu| !self.is_known(gpu)).map(ToString::to_string);
        self.change(None, |current| *current = Document { reports, library, ..document });
        self.document.selected = self.document.selected.filter(|at| self.document.kernel(*at).is_some());
        self.forget_unknown_gpus();
        self.view = super::View { theme: self.view.theme, ..view };
        let placed = self.view.placement();
        self.place(placed);
        let unknown = unknown.map(|gpu| format!("; {gpu} is not known here")).unwrap_or_default();
        self.message = Some(format!("{message}{unknown}"));
        self.file.clone_from(&file);
        file.map_or_else(Vec::new, |file| self.note_recent(file))
    }

    pub(super) fn note_fingerprint(&mut self, path: PathBuf, fingerprint: Fingerprint) -> Vec<Effect> {
        Arc::make_mut(&mut self.fingerprints).insert(path, fingerprint);
        Vec::new()
    }

    /// A file that was opened or saved goes to the top. The sample and other things without a folder are no files.
    pub(super) fn note_recent(&mut self, path: PathBuf) -> Vec<Effect> {
        if path.parent().is_none_or(|folder| folder.as_os_str().is_empty()) || self.recent.first() == Some(&path) {
            return Vec::new();
        }
        self.recent.retain(|recent| *recent != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
        vec![Effect::WriteRecent(self.recent.clone())]
    }

    pub(super) fn forget_recent(&mut self) -> Vec<Effect> {
        self.recent.clear();
        vec![Effect::WriteRecent(Vec::new())]
    }
}
