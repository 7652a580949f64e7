//! Presets as a file: one small TOML text, several presets in it.

use serde::{Deserialize, Serialize};

use super::launch::SavedLaunch;
use super::values::As;
use super::{SavedError, from_toml};
use crate::session::document::{Chart, Configuration, GpuChoice};
use crate::session::presets::{Preset, PresetView};

/// The newest version of the format.
pub const VERSION: u64 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    #[serde(default)]
    preset: Vec<SavedPreset>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedPreset {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub gpu: As<GpuChoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<As<Chart>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placed: Option<As<u32>>,
    #[serde(default)]
    pub launch: SavedLaunch,
}

impl From<&Preset> for SavedPreset {
    fn from(preset: &Preset) -> Self {
        Self {
            name: preset.name.clone(),
            note: preset.note.clone(),
            tags: preset.tags.clone(),
            source: preset.source.clone(),
            gpu: As(preset.configuration.gpu.clone()),
            chart: preset.view.chart.map(As),
            placed: preset.view.placed.map(As),
            launch: (&preset.configuration.launch).into(),
        }
    }
}

impl From<SavedPreset> for Preset {
    fn from(saved: SavedPreset) -> Self {
        Self {
            name: saved.name,
            note: saved.note,
            tags: saved.tags,
            source: saved.source,
            configuration: Configuration { gpu: saved.gpu.0, launch: saved.launch.into() },
            view: PresetView { chart: saved.chart.map(|chart| chart.0), placed: saved.placed.map(|placed| placed.0) },
        }
    }
}

/// Reads a file of presets.
///
/// # Errors
/// With line and column, when it is not one, or is a newer Occuscope's.
pub fn read(text: &str) -> Result<Vec<Preset>, SavedError> {
    let file: File = from_toml(text, "presets", VERSION)?;
    Ok(file.preset.into_iter().map(Preset::from).collect())
}

/// A file of presets, in their order.
pub fn write<'p>(presets: impl IntoIterator<Item = &'p Preset>) -> String {
    let file = File { version: VERSION, preset: presets.into_iter().map(SavedPreset::from).collect() };
    let body = toml::to_string(&file).unwrap_or_default();
    format!("# Presets of Occuscope. Sizes may be written as \"48 KiB\", shapes as \"16x16\"; what is left out is as usual.\n{body}")
}
