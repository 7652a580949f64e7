//! What a dialog for files would be opened with on Linux and its relatives; other systems bring their own.

use std::env;
use std::path::Path;

/// What was found on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialogs {
    /// A desktop portal is installed.
    pub has_portal: bool,
    /// There is a session bus to reach it by.
    pub has_bus: bool,
    pub has_zenity: bool,
}

impl Dialogs {
    pub fn find() -> Self {
        let service = "dbus-1/services/org.freedesktop.portal.Desktop.service";
        let paths = env::var_os("PATH").unwrap_or_default();
        let is_set = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
        let runtime = env::var_os("XDG_RUNTIME_DIR");
        Self {
            has_portal: ["/usr/share", "/usr/local/share"].iter().any(|folder| Path::new(folder).join(service).exists()),
            has_bus: is_set("DBUS_SESSION_BUS_ADDRESS") || runtime.is_some_and(|dir| Path::new(&dir).join("bus").exists()),
            has_zenity: env::split_paths(&paths).any(|folder| folder.join("zenity").exists()),
        }
    }

    /// Whether it is worth asking. A bus is enough: portals are also installed in other places than those that are looked at.
    pub const fn may_open(self) -> bool {
        cfg!(not(all(unix, not(target_os = "macos")))) || self.has_bus || self.has_zenity
    }
}
