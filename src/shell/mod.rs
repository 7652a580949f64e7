//! The outside world: files and directories. No decisions about occupancy.
//!
//! Start with [`catalog`], the GPUs that are known on this machine, and [`Contents`], the bytes of a file.

mod catalog;
mod contents;
mod directories;
mod watch;
mod write;

pub use catalog::{catalog, delete_gpu, write_gpu};
pub use contents::Contents;
pub use directories::config_dir;
pub use watch::{News, Stamp, Watch};
pub use write::write_whole;
