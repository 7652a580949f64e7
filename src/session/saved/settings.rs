//! Settings as a file. Only what differs from the program as it comes is written; keys that are not known are kept.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::values::{As, Written, words};
use super::{SavedError, from_toml};
use crate::fmt::{Grouping, NumberStyle, OccupancyUnit, SizeUnit};
use crate::session::document::{GpuChoice, ThemeChoice};
use crate::session::settings::Settings;

/// The newest version of the format.
pub const VERSION: u64 = 1;

words!(ThemeChoice, "system, dark or light", "system" => ThemeChoice::System, "dark" => ThemeChoice::Dark, "light" => ThemeChoice::Light);
words!(SizeUnit, "KiB, KB or bytes", "KiB" => SizeUnit::Kib, "KB" => SizeUnit::Kb, "bytes" => SizeUnit::Bytes);
words!(OccupancyUnit, "percent or warps", "percent" => OccupancyUnit::Percent, "warps" => OccupancyUnit::Warps);
words!(Grouping, "comma, space or none", "comma" => Grouping::Comma, "space" => Grouping::Space, "none" => Grouping::None);

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct File {
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<As<ThemeChoice>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high_contrast: Option<As<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zoom_percent: Option<As<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    present_zoom_percent: Option<As<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sizes: Option<As<SizeUnit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grouping: Option<As<Grouping>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_gpu: Option<As<GpuChoice>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    occupancy: Option<As<OccupancyUnit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reduced_motion: Option<As<bool>>,
    /// What `occupancy` was called at first, when only the curves followed it. Read, and not written any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    curves_in_warps: Option<As<bool>>,
}

/// The keys of [`File`].
const KEYS: [&str; 10] = [
    "theme",
    "high_contrast",
    "zoom_percent",
    "present_zoom_percent",
    "sizes",
    "grouping",
    "occupancy",
    "default_gpu",
    "reduced_motion",
    "curves_in_warps",
];

/// Reads settings.
///
/// # Errors
/// With line and column, when they cannot be read, or are a newer Occuscope's.
pub fn read(text: &str) -> Result<Settings, SavedError> {
    let file: File = from_toml(text, "settings", VERSION)?;
    let usual = Settings::default();
    let zoom =
        |written: Option<As<u32>>, usual: u32| written.map_or(usual, |zoom| zoom.0).clamp(*Settings::ZOOM.start(), *Settings::ZOOM.end());
    let before = if file.curves_in_warps.is_some_and(|warps| warps.0) { OccupancyUnit::Warps } else { usual.numbers.occupancy };
    Ok(Settings {
        theme: file.theme.map_or(usual.theme, |theme| theme.0),
        high_contrast: file.high_contrast.map_or(usual.high_contrast, |high| high.0),
        zoom_percent: zoom(file.zoom_percent, usual.zoom_percent),
        present_zoom_percent: zoom(file.present_zoom_percent, usual.present_zoom_percent),
        numbers: NumberStyle {
            sizes: file.sizes.map_or(usual.numbers.sizes, |sizes| sizes.0),
            grouping: file.grouping.map_or(usual.numbers.grouping, |grouping| grouping.0),
            occupancy: file.occupancy.map_or(before, |unit| unit.0),
        },
        default_gpu: file.default_gpu.map(|gpu| gpu.0),
        reduced_motion: file.reduced_motion.map_or(usual.reduced_motion, |reduced| reduced.0),
    })
}

/// Settings as a file, with what `before` has beside them.
///
/// # Errors
/// When `before` cannot be read: it is not to be overwritten then.
pub fn write(settings: &Settings, before: &str) -> Result<String, SavedError> {
    let mut table = Table::new();
    if !before.trim().is_empty() {
        read(before)?;
        table = from_toml(before, "settings", VERSION)?;
    }
    table.retain(|key, _| !KEYS.contains(&key));
    let usual = Settings::default();
    let file = File {
        theme: other(settings.theme, &usual.theme),
        high_contrast: other(settings.high_contrast, &usual.high_contrast),
        zoom_percent: other(settings.zoom_percent, &usual.zoom_percent),
        present_zoom_percent: other(settings.present_zoom_percent, &usual.present_zoom_percent),
        sizes: other(settings.numbers.sizes, &usual.numbers.sizes),
        grouping: other(settings.numbers.grouping, &usual.numbers.grouping),
        default_gpu: settings.default_gpu.clone().map(As),
        occupancy: other(settings.numbers.occupancy, &usual.numbers.occupancy),
        reduced_motion: other(settings.reduced_motion, &usual.reduced_motion),
        curves_in_warps: None,
    };
    table.insert("version".to_owned(), Value::Integer(1));
    table.extend(Table::try_from(file).unwrap_or_default());
    // The version stands first, so that a person sees what the file is.
    let version = table.remove("version").map(|version| format!("version = {version}\n")).unwrap_or_default();
    Ok(format!("# Settings of Occuscope.\n{version}{}", toml::to_string(&table).unwrap_or_default()))
}

/// What differs from what is usual.
fn other<T: PartialEq>(value: T, usual: &T) -> Option<As<T>> {
    (value != *usual).then_some(As(value))
}
