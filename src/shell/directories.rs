//! Where the user's own files are.

use std::env;
use std::path::PathBuf;

use directories::ProjectDirs;

/// Names another directory for everything that is otherwise in the user's configuration directory.
const HOME_VARIABLE: &str = "OCCUSCOPE_HOME";

/// The directory of the user's own settings and GPU files: `OCCUSCOPE_HOME` where it is set, else the system's usual place.
///
/// None when the system has no such place, for instance because there is no home directory. It need not exist.
pub fn config_dir() -> Option<PathBuf> {
    let named = env::var_os(HOME_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(ProjectDirs::from("", "", "Occuscope")?.config_dir().to_owned()))
}
