//! A preset as one line of text, to be sent in a message and pasted back.
//!
//! `occuscope:1; name=Tiled matmul; gpu=A100 SXM 40 GB; block=256; registers=64; dynamic_smem=48 KiB`
//!
//! The keys are those of the file. A semicolon or a percent sign inside a value is written `%3B` or `%25`.

use toml::{Table, Value};

use super::SavedError;
use super::presets::SavedPreset;
use crate::session::presets::Preset;

/// What every code begins with.
pub const SCHEME: &str = "occuscope:";
const VERSION: u64 = 1;

/// What comes first in a code, the parts of a preset before those of its launch.
const ORDER: [&str; 12] =
    ["name", "note", "tags", "source", "gpu", "chart", "placed", "block", "registers", "static_smem", "dynamic_smem", "grid"];
/// How many of them are not of the launch.
const OF_PRESET: usize = 7;

/// Whether a text means to be a code.
pub fn is_code(text: &str) -> bool {
    text.trim_start().starts_with(SCHEME)
}

/// The code of a preset.
pub fn write(preset: &Preset) -> String {
    let mut saved = Table::try_from(SavedPreset::from(preset)).unwrap_or_default();
    let launch = saved.remove("launch").and_then(|launch| launch.as_table().cloned()).unwrap_or_default();
    let mut parts: Vec<(String, Value)> = saved.into_iter().chain(launch).collect();
    parts.sort_by_key(|(key, _)| ORDER.iter().position(|known| known == key).unwrap_or(ORDER.len()));
    let parts = parts.into_iter().map(|(key, value)| format!("; {key}={}", written(&value)));
    format!("{SCHEME}{VERSION}{}", parts.collect::<String>())
}

/// Reads a code.
///
/// # Errors
/// With the part that is wrong, or when it is a newer Occuscope's.
pub fn read(text: &str) -> Result<Preset, SavedError> {
    // A mail program may have broken the line.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let body = text.strip_prefix(SCHEME).ok_or_else(|| SavedError::new(format!("a preset's code begins with {SCHEME}")))?;
    let mut parts = body.split(';');
    let version = parts.next().unwrap_or_default().trim();
    match version.parse::<u64>() {
        Ok(VERSION) => {}
        Ok(newer) if newer > VERSION => return Err(SavedError::newer("codes", newer, VERSION)),
        _ => return Err(SavedError::new(format!("\"{version}\" is no version; a code begins with {SCHEME}{VERSION}"))),
    }
    let (mut preset, mut launch) = (Table::new(), Table::new());
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').ok_or_else(|| SavedError::new(format!("\"{part}\" is no key=value")))?;
        let (key, value) = (key.trim().to_owned(), value.trim());
        let table = if ORDER[..OF_PRESET].contains(&key.as_str()) { &mut preset } else { &mut launch };
        let value = if key == "tags" { tags(value) } else { Value::String(unescaped(value)) };
        if table.insert(key.clone(), value).is_some() {
            return Err(SavedError::new(format!("{key} is given twice")));
        }
    }
    preset.insert("launch".to_owned(), Value::Table(launch));
    preset.entry("name").or_insert_with(|| Value::String(String::new()));
    let saved: SavedPreset =
        preset.try_into().map_err(|error: toml::de::Error| SavedError::new(error.message().trim().replace('\n', ", ")))?;
    Ok(saved.into())
}

fn tags(text: &str) -> Value {
    Value::Array(text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(|tag| Value::String(unescaped(tag))).collect())
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => escaped(text),
        Value::Array(items) => items.iter().map(|item| written(item).replace(',', "%2C")).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// On one line, and without the marks that separate parts.
fn escaped(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace('%', "%25").replace(';', "%3B")
}

fn unescaped(text: &str) -> String {
    [("%3B", ";"), ("%3b", ";"), ("%2C", ","), ("%2c", ","), ("%25", "%")]
        .into_iter()
        .fold(text.to_owned(), |text, (code, mark)| text.replace(code, mark))
}
