//! The outside world: files and directories. No decisions about occupancy.
//!
//! Start with [`catalog`], the GPUs that are known on this machine, and [`Contents`], the bytes of a file.

pub mod atomic;
mod catalog;
mod contents;
mod dialogs;
mod directories;
mod keeper;
mod log;
mod presets;
mod sessions;
mod settings;
mod watch;
mod window;

pub use catalog::{catalog, delete_gpu, write_gpu};
pub use contents::Contents;
pub use dialogs::Dialogs;
pub use directories::{config_dir, data_dir, portable_home, state_dir};
pub use keeper::{Base, Job, Keeper};
pub use log::{RENDERER, is_logging, log_path, mistake_report, start_log};
pub use presets::{Kept, keep_presets, library, presets_path, read_presets};
pub use sessions::{Slot, keep_by_itself, last_session, read_session, write_session};
pub use settings::{keep_recent, keep_settings, recent, recent_path, settings, settings_path};
pub use watch::{News, Stamp, Watch};
pub use window::{MIN_SIZE, WindowShape, keep_window_shape, window_path, window_shape};
