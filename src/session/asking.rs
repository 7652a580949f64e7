//! Asking for a path in the window, where the system has no dialog for files.

use std::path::PathBuf;

use super::Session;
use super::action::Effect;
use super::snapshot::Snapshot;
use super::to_save::ToSave;

/// What a path is needed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathQuestion {
    Open,
    SaveSession(Box<Snapshot>),
    ImportPresets,
    /// With the text of the file.
    ExportPresets(String),
    /// A table or another text; with it.
    SaveText(String),
    /// A picture; with it, in each kind of file.
    SaveFile(ToSave),
}

impl PathQuestion {
    /// What is asked, as a title.
    pub const fn title(&self) -> &'static str {
        match self {
            Self::Open => "Open a file",
            Self::SaveSession(_) => "Save the session as",
            Self::ImportPresets => "Import presets from",
            Self::ExportPresets(_) => "Export presets to",
            Self::SaveText(_) | Self::SaveFile(_) => "Save as",
        }
    }
}

impl Session {
    /// The question that is open, and the path to begin with.
    pub fn path_question(&self) -> Option<&(PathQuestion, PathBuf)> {
        self.path_question.as_ref()
    }

    /// `name` is what the file could be called.
    pub(super) fn ask_path(&mut self, question: PathQuestion, name: &str) -> Vec<Effect> {
        let folder = self.last_folder().unwrap_or_default();
        self.path_question = Some((question, folder.join(name)));
        Vec::new()
    }

    /// None is no file after all.
    pub(super) fn answer_path(&mut self, path: Option<PathBuf>) -> Vec<Effect> {
        let (Some((question, _)), Some(path)) = (self.path_question.take(), path) else { return Vec::new() };
        match question {
            PathQuestion::Open => self.open_paths(vec![path]),
            PathQuestion::SaveSession(snapshot) => vec![Effect::SaveSession { snapshot, file: Some(path) }],
            PathQuestion::ImportPresets => vec![Effect::ReadPresets(vec![path])],
            PathQuestion::ExportPresets(text) => vec![Effect::WritePresets { path, text }],
            PathQuestion::SaveText(text) => vec![Effect::WriteText { path, text }],
            PathQuestion::SaveFile(file) => vec![Effect::WriteFile { path, file }],
        }
    }
}
