//! Opening the window, and saying in words why that cannot be done.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use egui::{Context, IconData, ViewportBuilder, vec2};

use super::app::App;
use super::{drawn_by, letters};
use crate::arch::Catalog;
use crate::session::Action;
use crate::session::presets::Library;
use crate::session::settings::Settings;
use crate::session::snapshot::Restored;
use crate::shell::{self, Slot};

const WAY_OUT: &str = "use the command line instead: occuscope occupancy --help, occuscope import --help";

/// What the disk has for a new window, and what could not be read of it.
#[derive(Debug, Default)]
pub struct Kept {
    pub library: Library,
    pub settings: Settings,
    pub recent: Vec<PathBuf>,
    pub slot: Option<Slot>,
    /// What a window that ended without closing had open, with what to say about it.
    pub left_behind: Option<(Restored, String)>,
    pub problems: Vec<String>,
}

impl Kept {
    /// Reads everything. Whatever is damaged is left where it is, said, and done without.
    fn read(catalog: &Catalog) -> Self {
        let mut problems = Vec::new();
        [shell::config_dir(), shell::data_dir(), shell::state_dir()].iter().flatten().for_each(|folder| shell::atomic::sweep(folder));
        let library = shell::library().map_err(|problem| problems.push(format!("{problem:#}"))).unwrap_or_default();
        let settings = shell::settings_path()
            .map(|path| shell::settings(&path).map_err(|problem| problems.push(format!("{problem:#}"))).unwrap_or_default());
        let state = shell::state_dir();
        let slot = state.as_ref().and_then(|state| Slot::take(state));
        match &state {
            None => problems.push(
                "nothing is kept and there is no log, because there is no home directory; name a place with OCCUSCOPE_HOME".to_owned(),
            ),
            Some(state) if slot.is_none() => {
                let log = if shell::is_logging() { "" } else { ", and there is no log" };
                problems.push(format!("a crash would lose what is open{log}: nothing can be written to {}", state.display()));
            }
            Some(_) => {}
        }
        let left = slot.as_ref().and_then(Slot::left_behind);
        let left_behind =
            left.and_then(|path| shell::read_session(&path, catalog).map_err(|problem| problems.push(format!("{problem:#}"))).ok());
        let left_behind = left_behind.map(|(restored, notes)| {
            let message = "Occuscope ended without being closed; this is what was open";
            (restored, if notes.is_empty() { message.to_owned() } else { format!("{message}; {notes}") })
        });
        let recent = shell::recent_path().map(|path| shell::recent(&path)).unwrap_or_default();
        Self { library, settings: settings.unwrap_or_default(), recent, slot, left_behind, problems }
    }
}

/// The app with everything that was kept. What cannot be read is said, and the window opens all the same.
fn start(ctx: &Context, files: Vec<PathBuf>, actions: Vec<Action>) -> App {
    let (catalog, problem) = match shell::catalog(&[]) {
        Ok(catalog) => (catalog, None),
        Err(problem) => (Catalog::with_textbook().clone(), Some(format!("{problem:#}"))),
    };
    let mut kept = Kept::read(&catalog);
    kept.problems.extend(problem);
    for problem in &kept.problems {
        tracing::warn!("{problem}");
    }
    let mut app = App::new(ctx, Arc::new(catalog), Vec::new());
    app.keep(ctx, kept);
    for action in actions {
        app.act(ctx, action);
    }
    // From another folder they are the same files.
    let files = files.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect();
    app.act(ctx, Action::OpenPaths(files));
    app
}

/// Opens the window with `files`, after `actions`, and returns when it is closed.
///
/// # Errors
/// When no window can be opened: no display, no OpenGL, a missing system library. The message names the commands that need none.
pub fn run(files: Vec<PathBuf>, actions: Vec<Action>) -> anyhow::Result<()> {
    shell::start_log();
    drawn_by::listen();
    let viewport = ViewportBuilder::default()
        .with_title("Occuscope")
        .with_app_id("occuscope")
        .with_icon(icon())
        .with_inner_size(vec2(1440.0, 900.0))
        .with_min_inner_size(vec2(640.0, 480.0));
    let options = eframe::NativeOptions { viewport, centered: true, system_font_fallback: false, ..eframe::NativeOptions::default() };
    let create: eframe::AppCreator<'_> = Box::new(|creation| {
        letters::allow_other_scripts(&creation.egui_ctx);
        Ok(Box::new(start(&creation.egui_ctx, files, actions)))
    });
    let open = move || eframe::run_native("Occuscope", options, create);
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
