//! Launches worth starting from: the built-in ones, and the user's own as a [`Library`].

mod library;
mod merge;

use std::sync::LazyLock;

pub use library::{Library, LibraryError};
pub use merge::merge;

use super::document::{Chart, Configuration};
use super::saved;
use crate::units::Dim3;

/// A configuration with a name, and how it is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// One line, different from all others.
    pub name: String,
    /// What it shows, in a sentence; may be empty.
    pub note: String,
    /// The first is the folder that it is listed in.
    pub tags: Vec<String>,
    /// Where the numbers are from, when they are somebody's.
    pub source: Option<String>,
    pub configuration: Configuration,
    pub view: PresetView,
}

/// What is looked at. Nothing given is left as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PresetView {
    pub chart: Option<Chart>,
    /// Blocks placed on the SM map to begin with.
    pub placed: Option<u32>,
}

impl Preset {
    /// A preset of a configuration, without a note.
    pub fn new(name: impl Into<String>, configuration: Configuration) -> Self {
        Self { name: name.into(), note: String::new(), tags: Vec::new(), source: None, configuration, view: PresetView::default() }
    }

    /// The folder that it is listed in.
    pub fn folder(&self) -> Option<&str> {
        self.tags.first().map(String::as_str)
    }

    /// Whether every word of a text is in its name, note, tags or GPU.
    pub fn fits(&self, text: &str) -> bool {
        let all = format!("{}\n{}\n{}\n{}", self.name, self.note, self.tags.join("\n"), self.configuration.gpu).to_lowercase();
        text.to_lowercase().split_whitespace().all(|word| all.contains(word))
    }
}

/// A name for a launch that has none: "256 threads, 64 registers, A100 SXM 40 GB".
pub fn name_of(configuration: &Configuration) -> String {
    let launch = &configuration.launch;
    let threads = crate::fmt::counted(launch.threads_per_block().into(), "thread");
    let registers = crate::fmt::counted(launch.registers_per_thread.into(), "register");
    let shape = |shape: Dim3| if shape.is_linear() { String::new() } else { format!(" ({shape})") };
    format!("{threads}{}, {registers}, {}", shape(launch.block), configuration.gpu)
}

/// The built-in presets, in the order in which they are listed.
///
/// # Panics
/// Never: the file is part of the program and a test reads it.
pub fn builtin() -> &'static [Preset] {
    static BUILTIN: LazyLock<Vec<Preset>> =
        LazyLock::new(|| saved::presets::read(include_str!("../../../assets/presets.toml")).expect("the built-in presets can be read"));
    &BUILTIN
}

/// The user's own presets and then the built-in ones, without those whose name is the user's now.
pub fn all(library: &Library) -> impl Iterator<Item = &Preset> {
    let builtin = builtin().iter().filter(|preset| library.get(&preset.name).is_none());
    library.presets().iter().chain(builtin)
}

/// The preset of a name, however it is capitalized; the user's own before a built-in one.
pub fn find<'l>(library: &'l Library, name: &str) -> Option<&'l Preset> {
    let wanted = name.trim().to_lowercase();
    all(library).find(|preset| preset.name.to_lowercase() == wanted)
}

#[cfg(test)]
mod tests;
