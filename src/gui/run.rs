//! Opening the window, and saying in words why that cannot be done.

use std::path::PathBuf;

use anyhow::anyhow;
use egui::{Context, IconData, Pos2, Vec2, ViewportBuilder};

use super::ahead::{self, Ahead, Kept};
use super::app::App;
use super::drawn_by;
use crate::session::Action;
use crate::shell::{self, Slot};

const WAY_OUT: &str = "use the command line instead: occuscope occupancy --help, occuscope import --help";

/// What a window that ended without closing had open, with what to say about it, and where this one keeps the same.
fn take_slot(app: &mut App, ctx: &Context, problems: &mut Vec<String>) {
    let state = shell::state_dir();
    let slot = state.as_ref().and_then(|state| Slot::take(state));
    match &state {
        None => {
            problems.push(
                "nothing is kept and there is no log, because there is no home directory; name a place with OCCUSCOPE_HOME".to_owned(),
            );
        }
        Some(state) if slot.is_none() => {
            let log = if shell::is_logging() { "" } else { ", and there is no log" };
            problems.push(format!("a crash would lose what is open{log}: nothing can be written to {}", state.display()));
        }
        Some(_) => {}
    }
    let left = slot.as_ref().and_then(Slot::left_behind);
    let read = left.map(|path| shell::read_session(&path, &app.session.catalog));
    match read {
        None => {}
        Some(Err(problem)) => problems.push(format!("{problem:#}")),
        Some(Ok((restored, notes))) => {
            let message = "Occuscope ended without being closed; this is what was open";
            let message = if notes.is_empty() { message.to_owned() } else { format!("{message}; {notes}") };
            app.act(ctx, Action::TakeSession { restored: Box::new(restored), file: None, message });
        }
    }
    app.keep_in(slot);
}

/// What is open in a window that begins: what was left behind, what it is asked for, and its files.
fn begin(app: &mut App, ctx: &Context, mut problems: Vec<String>, actions: Vec<Action>, files: Vec<PathBuf>) {
    [shell::config_dir(), shell::data_dir(), shell::state_dir()].iter().flatten().for_each(|folder| shell::atomic::sweep(folder));
    take_slot(app, ctx, &mut problems);
    for problem in &problems {
        tracing::warn!("{problem}");
    }
    if !problems.is_empty() {
        app.act(ctx, Action::Say(problems.join("; ")));
    }
    for action in actions {
        app.act(ctx, action);
    }
    // From another folder they are the same files.
    let files = files.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect();
    app.act(ctx, Action::OpenPaths(files));
}

/// Opens the window with `files`, after `actions`, and returns when it is closed.
///
/// # Errors
/// When no window can be opened: no display, no OpenGL, a missing system library. The message names the commands that need none.
pub fn run(files: Vec<PathBuf>, actions: Vec<Action>) -> anyhow::Result<()> {
    shell::start_log();
    drawn_by::listen();
    let mut problems = Vec::new();
    let kept = Kept::read(&mut problems);
    let ctx = ahead::context(&kept.settings);
    let options = options(&kept);
    let ahead = Ahead::start(&ctx, kept, problems);
    let create: eframe::AppCreator<'_> = Box::new(|creation| {
        let (mut app, problems) = ahead.finish().ok_or("nothing was made ahead")?;
        begin(&mut app, &creation.egui_ctx, problems, actions, files);
        Ok(Box::new(app))
    });
    let open = move || eframe::run_native_ext("Occuscope", options, Some(ctx), create);
    // Where a system library is missing, the windowing library panics instead of returning an error.
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(open)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            tracing::error!("the window cannot be opened: {error}");
            Err(anyhow!("the window cannot be opened{} ({error}); {WAY_OUT}", hint(&error.to_string())))
        }
        Err(_) => {
            let log = shell::log_path().map(|path| format!("; what happened is in {}", path.display())).unwrap_or_default();
            Err(anyhow!(
                "the window stopped because of a mistake in Occuscope or a missing system library; what was open is there again at the next start{log}; {WAY_OUT}"
            ))
        }
    }
}

/// A window like the last one, in the middle of its display.
fn options(kept: &Kept) -> eframe::NativeOptions {
    let points = |size: [f32; 2]| Vec2::from(size) / kept.settings.zoom();
    let viewport = ViewportBuilder::default()
        .with_title("Occuscope")
        .with_app_id("occuscope")
        .with_icon(icon())
        .with_inner_size(points(kept.shape.size))
        .with_min_inner_size(points(shell::MIN_SIZE));
    let viewport = if kept.shape.is_maximized { viewport.with_maximized(true) } else { viewport };
    eframe::NativeOptions {
        viewport,
        centered: true,
        // Only ramps of legends have gradients, over so few pixels that no bands are seen; dithering costs something at every pixel.
        dithering: false,
        system_font_fallback: false,
        window_builder: Some(Box::new(within_display)),
        ..eframe::NativeOptions::default()
    }
}

/// A window that is no larger than the display in whose middle it is: the last one may have been on a larger display.
fn within_display(window: ViewportBuilder) -> ViewportBuilder {
    let (Some(at), Some(size)) = (window.position, window.inner_size) else { return window };
    // In the middle, it stands out on the other side as far.
    let beyond = at.to_vec2().min(Vec2::ZERO) * 2.0;
    window.with_position(at.max(Pos2::ZERO)).with_inner_size(size + beyond)
}

/// The window's picture in task bars, where no desktop file or bundle brings one.
fn icon() -> IconData {
    // A picture that were damaged would be the system's usual one.
    eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon/occuscope-128.png")).unwrap_or_default()
}

/// What a person can do about a window that does not open, where the reason is a usual one.
fn hint(error: &str) -> &'static str {
    if error.contains("NoGlutinConfigs") || error.to_lowercase().contains("opengl") || error.to_lowercase().contains("glutin") {
        ": there is no OpenGL here; on Debian and Ubuntu, apt install libegl1 libgl1 brings one that needs no GPU"
    } else if error.contains("EventLoopError") {
        ": the display that DISPLAY or WAYLAND_DISPLAY names does not answer"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    #[test]
    fn a_window_fits_the_display_that_it_opens_on() {
        let placed = |at: Pos2, size: Vec2| {
            let window = within_display(ViewportBuilder::default().with_position(at).with_inner_size(size));
            (window.position, window.inner_size)
        };
        // 2,000 × 1,400 in the middle of 1,366 × 768.
        assert_eq!(placed(pos2(-317.0, -316.0), vec2(2000.0, 1400.0)), (Some(Pos2::ZERO), Some(vec2(1366.0, 768.0))));
        assert_eq!(placed(pos2(-20.0, 40.0), vec2(1000.0, 500.0)), (Some(pos2(0.0, 40.0)), Some(vec2(960.0, 500.0))));
        assert_eq!(placed(pos2(240.0, 90.0), vec2(1440.0, 900.0)), (Some(pos2(240.0, 90.0)), Some(vec2(1440.0, 900.0))));
    }
}
