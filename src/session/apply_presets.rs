//! What the actions about presets do.

use std::sync::Arc;

use super::action::Effect;
use super::document::Screen;
use super::presets::{Library, LibraryError, Preset, merge};
use super::saved;
use super::{Placed, Session};

impl Session {
    pub(super) fn use_preset(&mut self, preset: Preset) -> Vec<Effect> {
        if !self.is_known(&preset.configuration.gpu) {
            return self.say(format!("\"{}\" is for {}, which is not known here", preset.name, preset.configuration.gpu));
        }
        let effects = self.set_configuration(preset.configuration);
        self.view.screen = Screen::Explore;
        if let Some(chart) = preset.view.chart {
            self.view.chart = chart;
        }
        if let Some(placed) = preset.view.placed {
            self.place(Placed::blocks(placed as usize));
        }
        self.message = Some(if preset.note.is_empty() { preset.name } else { format!("{}: {}", preset.name, preset.note) });
        effects
    }

    pub(super) fn add_presets(&mut self, presets: Vec<Preset>) -> Vec<Effect> {
        let mut names = Vec::new();
        let effects = self.change_library(|library| {
            names.extend(presets.into_iter().map(|preset| library.add(preset)));
            Ok(())
        });
        self.message = match names.as_slice() {
            [] => Some("there are no presets in it".to_owned()),
            [name] => Some(format!("preset \"{name}\" added")),
            names => Some(format!("{} added", crate::fmt::counted(names.len() as u64, "preset"))),
        };
        effects
    }

    pub(super) fn replace_preset(&mut self, name: &str, preset: Preset) -> Vec<Effect> {
        self.change_library(|library| library.replace(name, preset))
    }

    /// A copy of one of the user's own goes behind it, a copy of a built-in one to the end.
    pub(super) fn duplicate_preset(&mut self, name: &str) -> Vec<Effect> {
        let builtin = super::presets::builtin().iter().find(|preset| preset.name == name);
        self.change_library(|library| match (library.duplicate(name), builtin) {
            (Err(LibraryError::Missing(_)), Some(preset)) => {
                library.add(Preset { name: format!("{name} copy"), ..preset.clone() });
                Ok(())
            }
            (result, _) => result.map(drop),
        })
    }

    /// Changes the user's own presets as one undo step; what is refused is said.
    pub(super) fn change_library(&mut self, change: impl FnOnce(&mut Library) -> Result<(), LibraryError>) -> Vec<Effect> {
        let mut library = Library::clone(&self.document.library);
        if let Err(error) = change(&mut library) {
            return self.say(error.to_string());
        }
        let placed = self.view.placement();
        let effects = self.change(None, |document| document.library = Arc::new(library));
        // Presets have nothing to do with how far the placement is.
        self.view.place(placed);
        effects
    }

    /// A pasted code becomes a preset of the user's own, and is gone to.
    pub(super) fn paste_text(&mut self, text: &str) -> Vec<Effect> {
        if !saved::code::is_code(text) {
            return Vec::new();
        }
        let mut preset = match saved::code::read(text) {
            Ok(preset) => preset,
            Err(error) => return self.say(format!("this code cannot be read: {error}")),
        };
        if preset.name.trim().is_empty() {
            preset.name = super::presets::name_of(&preset.configuration);
        }
        // One gesture, one step: the launch and its place in the library.
        if self.is_known(&preset.configuration.gpu) {
            let library = Library::new(self.document.library.presets().iter().cloned().chain([preset.clone()]));
            let effects = self.change(None, |document| {
                document.choose(preset.configuration.clone());
                document.library = Arc::new(library);
            });
            self.message = Some(format!("preset \"{}\" pasted", preset.name));
            effects
        } else {
            self.add_presets(vec![preset])
        }
    }

    /// Takes in what others made of the presets, in every document that undo knows too.
    pub(super) fn merge_library(&mut self, base: &Library, theirs: &Library) -> Vec<Effect> {
        for document in self.history.documents_mut().chain([&mut self.document]) {
            document.library = Arc::new(merge(base, &document.library, theirs));
        }
        Vec::new()
    }
}

/// Asks for a file for presets; one is suggested by its name.
pub(super) fn export_presets(presets: &[Preset]) -> Vec<Effect> {
    let name: String = match presets {
        [one] => one.name.chars().map(|c| if c.is_alphanumeric() || " -_.".contains(c) { c } else { '-' }).collect(),
        _ => "presets".to_owned(),
    };
    vec![Effect::ExportPresets { file_name: format!("{name}.toml"), text: saved::presets::write(presets) }]
}
