//! The window, tested without one: views drawn by a software renderer, used through their accessibility labels.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "pixels"
)]

mod guide;
mod hand_out;
mod heatmap;
mod heatmap_zoom;
mod kernels;
mod learn;
mod pictures;
mod present;
mod presets;
mod settings;
mod sm_map;
mod soft;
mod tour;
mod walk;
mod waves;
mod window;
