//! Where the user's own files are: the one place that knows.

use std::env;
use std::path::PathBuf;

use directories::ProjectDirs;

/// Names one directory for everything that is otherwise spread over the user's directories.
const HOME_VARIABLE: &str = "OCCUSCOPE_HOME";

/// The directory that `OCCUSCOPE_HOME` names: the portable mode.
pub fn portable_home() -> Option<PathBuf> {
    env::var_os(HOME_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn project() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "Occuscope")
}

/// The directory of the user's own settings and GPU files: `OCCUSCOPE_HOME` where it is set, else the system's usual place.
///
/// None when the system has no such place, for instance because there is no home directory. It need not exist.
pub fn config_dir() -> Option<PathBuf> {
    portable_home().or_else(|| Some(project()?.config_dir().to_owned()))
}

/// The directory of the user's own presets. As [`config_dir`] otherwise.
pub fn data_dir() -> Option<PathBuf> {
    portable_home().or_else(|| Some(project()?.data_dir().to_owned()))
}

/// The directory of what the program remembers by itself: the running session, recent files, the log. As [`config_dir`] otherwise.
pub fn state_dir() -> Option<PathBuf> {
    let usual = || {
        let project = project()?;
        Some(project.state_dir().unwrap_or_else(|| project.data_local_dir()).to_owned())
    };
    portable_home().map(|home| home.join("state")).or_else(usual)
}
