//! Occuscope: exact CUDA occupancy, drawn.
//!
//! Start with [`engine`]: [`engine::evaluate`] answers how many blocks of a launch share one SM and what stops the
//! next one. [`arch`] holds the facts it works on, [`import`] reads profiler reports into one model of a kernel, and
//! [`session`] is the document that both the window and the command line drive. `ARCHITECTURE.md` beside this file has
//! the map.

pub mod arch;
pub mod cli;
pub mod engine;
pub mod explain;
pub mod export;
pub mod fmt;
#[cfg(feature = "gui")]
pub mod gui;
pub mod import;
pub mod learn;
pub mod session;
pub mod shell;
pub mod units;

/// The license of Occuscope, and those of what is compiled into it: fonts and libraries.
pub const LICENSES: &str = concat!(
    include_str!("../LICENSE"),
    "\n# Fonts\n\n",
    include_str!("../assets/fonts/OFL.txt"),
    "\n",
    include_str!("../assets/THIRD_PARTY.md")
);
