//! Whether a window can open here.

use std::env;
use std::path::PathBuf;

/// Why no window can open, with the commands to use instead; none when one can be tried.
///
/// Only Linux and its relatives run without a display; elsewhere there is always one to try.
pub fn why_no_window(files: &[PathBuf]) -> Option<String> {
    let way_out = if files.is_empty() {
        "use `occuscope occupancy`, `occuscope import` or `occuscope arch` instead (`occuscope help` lists them)"
    } else {
        "read the files with `occuscope import FILE…` instead (`occuscope help` lists all commands)"
    };
    if !cfg!(feature = "gui") {
        return Some(format!("this occuscope was built without its window; {way_out}"));
    }
    let needs_display = cfg!(all(unix, not(target_os = "macos")));
    let has = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(has);
    (needs_display && !has_display)
        .then(|| format!("there is no display for the window (neither DISPLAY nor WAYLAND_DISPLAY is set); {way_out}"))
}
