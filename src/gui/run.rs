//! Opening the window, and saying in words why that cannot be done.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use egui::{Context, ViewportBuilder, vec2};

use super::app::App;
use crate::arch::Catalog;
use crate::shell;

const WAY_OUT: &str = "use the command line instead: occuscope occupancy --help, occuscope import --help";

/// The app with everything that was kept. What cannot be read is said, and the window opens all the same.
fn start(ctx: &Context, files: Vec<PathBuf>) -> App {
    let mut problems = Vec::new();
    let mut or_say = |problem: anyhow::Error| problems.push(format!("{problem:#}"));
    let catalog = shell::catalog(&[]).map_err(&mut or_say).unwrap_or_else(|_| Catalog::with_textbook().clone());
    let library = shell::library().map_err(&mut or_say).unwrap_or_default();
    let mut app = App::new(ctx, Arc::new(catalog), files);
    app.keep(ctx, Arc::new(library), &problems);
    app
}

/// Opens the window with `files` and returns when it is closed.
///
/// # Errors
/// When no window can be opened: no display, no OpenGL, a missing system library. The message names the commands that need none.
pub fn run(files: Vec<PathBuf>) -> anyhow::Result<()> {
    let viewport = ViewportBuilder::default()
        .with_title("Occuscope")
        .with_app_id("occuscope")
        .with_inner_size(vec2(1440.0, 900.0))
        .with_min_inner_size(vec2(640.0, 480.0));
    let options = eframe::NativeOptions { viewport, centered: true, ..eframe::NativeOptions::default() };
    let open = move || eframe::run_native("Occuscope", options, Box::new(|creation| Ok(Box::new(start(&creation.egui_ctx, files)))));
    // Where a system library is missing, the windowing library panics instead of returning an error.
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(open)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(anyhow!("the window cannot be opened ({error}); {WAY_OUT}")),
        Err(_) => Err(anyhow!("the window stopped unexpectedly; {WAY_OUT}")),
    }
}
