//! How large the window was when it was closed, for the next one.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{atomic, state_dir};

/// The smallest window, in the display's points.
pub const MIN_SIZE: [f32; 2] = [640.0, 480.0];
/// The size of the first window that ever opens.
const FIRST_SIZE: [f32; 2] = [1440.0, 900.0];
/// No display is larger.
const MAX_SIDE: f32 = 16_384.0;
/// Pixels of a display for a point.
const SCALES: std::ops::RangeInclusive<f32> = 0.5..=8.0;

/// A window, and the display that it was on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowShape {
    /// In the display's points, whatever the zoom; of a maximized window, what it has when it is not.
    pub size: [f32; 2],
    pub is_maximized: bool,
    /// Pixels of the display for a point.
    pub scale: f32,
    /// Whether the desktop is light; none where it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_light: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct File {
    #[serde(default)]
    version: u64,
    #[serde(flatten)]
    shape: WindowShape,
}

impl Default for WindowShape {
    fn default() -> Self {
        Self { size: FIRST_SIZE, is_maximized: false, scale: 1.0, is_light: None }
    }
}

impl WindowShape {
    /// None for what no display has. A window that a desktop made smaller than it may be is as small as it may be.
    fn checked(self) -> Option<Self> {
        let is_sane = self.size.iter().all(|side| (1.0..=MAX_SIDE).contains(side)) && SCALES.contains(&self.scale);
        let size = [self.size[0].max(MIN_SIZE[0]), self.size[1].max(MIN_SIZE[1])];
        is_sane.then_some(Self { size, ..self })
    }
}

/// Where it is remembered; none when the system has no place for it.
pub fn window_path() -> Option<PathBuf> {
    state_dir().map(|state| state.join("window.toml"))
}

/// The shape of the window that was closed last. One that is missing or damaged is the usual one: nothing is lost with it.
pub fn window_shape(path: &Path) -> WindowShape {
    let text = fs::read_to_string(path).unwrap_or_default();
    toml::from_str::<File>(&text).ok().and_then(|file| file.shape.checked()).unwrap_or_default()
}

/// Remembers the shape of a window that closes.
///
/// # Errors
/// When it cannot be written.
pub fn keep_window_shape(path: &Path, shape: WindowShape) -> std::io::Result<()> {
    atomic::write(path, toml::to_string(&File { version: 1, shape }).unwrap_or_default().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("window.toml");
        assert_eq!(window_shape(&path), WindowShape::default());
        for is_light in [None, Some(true)] {
            let shape = WindowShape { size: [1000.5, 700.0], is_maximized: true, scale: 1.25, is_light };
            keep_window_shape(&path, shape).expect("written");
            assert_eq!(window_shape(&path), shape);
        }
    }

    #[test]
    fn what_no_window_can_have_is_the_usual_window() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("window.toml");
        let texts = [
            "size = [1e30, 700.0]",
            "size = [nan, 700.0]",
            "size = [0.0, 700.0]",
            "size = [-700.0, 700.0]",
            "scale = 0.0",
            "scale = inf",
            "size = 3",
            "\0",
        ];
        for text in texts {
            fs::write(&path, text).expect("written");
            assert_eq!(window_shape(&path), WindowShape::default(), "{text}");
        }
        fs::write(&path, "size = [639.99994, 300.0]\nis_maximized = true").expect("written");
        assert_eq!(window_shape(&path), WindowShape { size: MIN_SIZE, is_maximized: true, ..WindowShape::default() });
        fs::write(&path, "size = [800.0, 600.0]\nof_a_newer_version = 1").expect("written");
        assert_eq!(window_shape(&path), WindowShape { size: [800.0, 600.0], ..WindowShape::default() });
    }
}
