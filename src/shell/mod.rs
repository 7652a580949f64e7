//! The outside world: files and directories. No decisions about occupancy.
//!
//! Start with [`catalog`], the GPUs that are known on this machine.

mod catalog;
mod directories;

pub use catalog::catalog;
pub use directories::config_dir;
