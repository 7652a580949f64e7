//! `occuscope doctor`: what a report about a mistake should say, and what this machine lacks for the window.
//!
//! It opens no window and sends nothing. What draws is only known once a window has been open, so that comes from the log.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use super::output::{self, QUIET, STRONG};
use super::table::{Align, lines};
use super::window::why_no_window;
use crate::arch::Catalog;
use crate::shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope doctor
  occuscope doctor --log > report.txt

Exit codes: 0 a window can open, 1 something for it is missing (the commands work all the same).")]
pub struct DoctorArgs {
    /// Add the end of the log, which names files that were opened
    #[arg(long)]
    log: bool,
}

/// Exit code when a window cannot open.
const NO_WINDOW: u8 = 1;

/// What the window loads when it starts on Linux: on X11, on Wayland, and to draw at all.
///
/// The list of a package's dependencies in `Cargo.toml` follows it.
pub const X11_LIBRARIES: [&str; 7] =
    ["libX11.so.6", "libX11-xcb.so.1", "libXcursor.so.1", "libXi.so.6", "libXrandr.so.2", "libxkbcommon.so.0", "libxkbcommon-x11.so.0"];
pub const WAYLAND_LIBRARIES: [&str; 2] = ["libwayland-client.so.0", "libxkbcommon.so.0"];
pub const GL_LIBRARIES: [&str; 1] = ["libEGL.so.1"];

/// One thing that was looked at: what it is, what was found, and whether a window needs it and lacks it.
#[derive(Debug)]
struct Finding {
    what: &'static str,
    found: String,
    stops_window: bool,
}

impl Finding {
    fn new(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, found: found.into(), stops_window: false }
    }
}

pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<u8> {
    let findings: Vec<Finding> = program().into_iter().chain(places()).chain(screen()).collect();
    let rows: Vec<Vec<String>> = findings.iter().map(|finding| vec![finding.what.to_owned(), finding.found.clone()]).collect();
    let mut text = format!("{STRONG}Occuscope {}{STRONG:#}\n", env!("CARGO_PKG_VERSION"));
    for line in lines(&[Align::Left, Align::Left], &rows) {
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let lacks = findings.iter().any(|finding| finding.stops_window);
    let verdict = if lacks { "A window cannot open here; every command works" } else { "Nothing that a window needs is missing" };
    let _ = writeln!(text, "\n{STRONG}{verdict}{STRONG:#}");
    if args.log {
        let _ = write!(text, "\n{QUIET}The end of the log{QUIET:#}\n{}", shell::mistake_report());
    }
    output::print_text(&text)?;
    Ok(if lacks { NO_WINDOW } else { 0 })
}

fn program() -> Vec<Finding> {
    let window = if cfg!(feature = "gui") { "with the window" } else { "without the window" };
    let (catalog, problem) = match shell::catalog(&[]) {
        Ok(catalog) => (catalog, String::new()),
        Err(problem) => (Catalog::with_textbook().clone(), format!("; your own GPU files have a mistake: {problem:#}")),
    };
    let (invented, real): (Vec<_>, Vec<_>) = catalog.archs().partition(|arch| arch.invented);
    vec![
        Finding::new("program", env::current_exe().map_or_else(|_| "unknown".to_owned(), |path| path.display().to_string())),
        Finding::new("build", format!("{} {}, {window}", env::consts::OS, env::consts::ARCH)),
        Finding::new("system", system()),
        Finding::new("GPUs", format!("{} compute capabilities, {} invented ones{problem}", real.len(), invented.len())),
    ]
}

/// The distribution and the desktop, where they say their names.
fn system() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).map(|name| name.trim_matches('"'));
    let desktop = env::var("XDG_CURRENT_DESKTOP").ok().filter(|desktop| !desktop.is_empty());
    let named: Vec<&str> = [name, desktop.as_deref()].into_iter().flatten().collect();
    if named.is_empty() { env::consts::OS.to_owned() } else { named.join(", ") }
}

fn places() -> Vec<Finding> {
    let place = |what, path: Option<PathBuf>| {
        let found = path.map_or_else(
            || "this system has no place for it".to_owned(),
            |path| format!("{}{}", path.display(), if path.exists() { "" } else { " (not there yet)" }),
        );
        Finding::new(what, found)
    };
    vec![
        place("settings", shell::config_dir()),
        place("presets", shell::data_dir()),
        place("state", shell::state_dir()),
        place("log", shell::log_path()),
        Finding::new("portable", if shell::portable_home().is_some() { "yes, OCCUSCOPE_HOME is set" } else { "no" }),
    ]
}

fn screen() -> Vec<Finding> {
    let problem = why_no_window(&[]);
    let display = problem.clone().unwrap_or_else(|| displays().unwrap_or_else(|| "the system's".to_owned()));
    let mut findings = vec![Finding { what: "display", found: display, stops_window: problem.is_some() }];
    if cfg!(target_os = "linux") {
        findings.push(libraries("X11", &X11_LIBRARIES, is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")));
        findings.push(libraries("Wayland", &WAYLAND_LIBRARIES, is_set("WAYLAND_DISPLAY") && !is_set("DISPLAY")));
        findings.push(libraries("OpenGL", &GL_LIBRARIES, true));
        findings.push(Finding::new("file dialogs", file_dialogs()));
    }
    findings.push(Finding::new("renderer", last_renderer().unwrap_or_else(|| "not known before a window was open".to_owned())));
    findings
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// "X11 :0, Wayland wayland-0".
fn displays() -> Option<String> {
    let named =
        |name: &str, variable: &str| env::var(variable).ok().filter(|value| !value.is_empty()).map(|value| format!("{name} {value}"));
    let all: Vec<String> = [named("Wayland", "WAYLAND_DISPLAY"), named("X11", "DISPLAY")].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Whether all of some libraries are there; `needed` when no window opens without them.
fn libraries(what: &'static str, names: &[&str], needed: bool) -> Finding {
    let known = loader_cache();
    let missing: Vec<&str> = names.iter().copied().filter(|name| !is_library(name, &known)).collect();
    let found = if missing.is_empty() { "all libraries are there".to_owned() } else { format!("missing: {}", missing.join(", ")) };
    Finding { what, found, stops_window: needed && !missing.is_empty() }
}

fn is_library(name: &str, cache: &str) -> bool {
    let folders = env::var_os("LD_LIBRARY_PATH").map(|paths| env::split_paths(&paths).collect::<Vec<_>>()).unwrap_or_default();
    let usual = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"].map(PathBuf::from);
    folders.iter().chain(&usual).any(|folder| folder.join(name).exists()) || cache.lines().any(|line| line.trim_start().starts_with(name))
}

/// What the loader knows; empty where it cannot be asked.
fn loader_cache() -> String {
    let ask = |program: &str| Command::new(program).arg("-p").stderr(Stdio::null()).output().ok();
    let answer = ask("/sbin/ldconfig").or_else(|| ask("ldconfig"));
    answer.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned()).unwrap_or_default()
}

/// What a file dialog would be opened with.
fn file_dialogs() -> String {
    let shell::Dialogs { has_portal, has_bus, has_zenity } = shell::Dialogs::find();
    match (has_portal, has_bus, has_zenity) {
        (true, true, _) => "desktop portal",
        (_, _, true) => "zenity",
        (true, false, false) => "none: there is a desktop portal, but no session bus",
        (false, ..) => "none: install xdg-desktop-portal-gtk or zenity; until then, drop files or type their path",
    }
    .to_owned()
}

/// What the last window drew with, from the log.
fn last_renderer() -> Option<String> {
    let log = fs::read_to_string(shell::log_path()?).ok()?;
    let line = log.lines().rfind(|line| line.contains(shell::RENDERER))?;
    Some(line.split_once(shell::RENDERER)?.1.trim().to_owned())
}
