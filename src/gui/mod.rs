//! The window: a thin layer that reads a session, draws it, and sends actions back.
//!
//! [`app`] is the frame, [`commands`] everything a person can invoke, [`effects`] the way to dialogs and files, [`theme`]
//! every color and size, [`paint`] and [`widgets`] what views share, [`views`] one folder per view.

mod ahead;
pub mod app;
mod autosave;
pub mod commands;
mod drawn_by;
pub mod effects;
mod focus;
mod letters;
mod memory;
pub mod paint;
mod plain;
mod quiet;
pub mod render;
mod run;
pub mod theme;
pub mod views;
mod watcher;
pub mod widgets;

pub use run::run;
