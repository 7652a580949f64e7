//! The window: a thin layer that reads a session, draws it, and sends actions back.
//!
//! [`theme`] has every color and size, [`paint`] the marks that views share, [`views`] one folder per view.

pub mod paint;
pub mod theme;
pub mod views;
