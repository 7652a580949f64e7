//! What comes with the program: help, manual pages, completions, licenses, the doctor; and that the documents' commands are real.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{CommandFactory, Parser};
use occuscope::cli::{Cli, doctor};

use crate::cli::{Ran, folder, run, run_in};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The words of a command, with quotes read as a shell reads them, up to a comment, a pipe or a redirection.
fn words(line: &str) -> Vec<String> {
    let (mut all, mut word, mut quoted, mut started) = (Vec::new(), String::new(), false, false);
    for letter in line.chars() {
        match letter {
            '"' => (quoted, started) = (!quoted, true),
            '#' | '|' | '>' | '<' if !quoted && !started => break,
            ' ' if !quoted => {
                if std::mem::take(&mut started) {
                    all.push(std::mem::take(&mut word));
                }
            }
            _ => {
                word.push(letter);
                started = true;
            }
        }
    }
    if started {
        all.push(word);
    }
    // "2> file" leaves a 2 behind, which no command here takes.
    all
}

/// Lines of a text that call the program: indented, alone or after a pipe.
fn commands(text: &str) -> Vec<String> {
    let call = |line: &str| {
        let line = line.strip_prefix("  ")?.trim_start();
        let start = if line.starts_with("occuscope ") { 0 } else { line.find("| occuscope ")? + 2 };
        Some(line[start..].to_owned())
    };
    text.lines().filter_map(call).collect()
}

fn assert_all_parse(source: &str, text: &str) -> usize {
    let mut commands = commands(text);
    // The one command that a program without the window lacks.
    commands.retain(|command| cfg!(feature = "gui") || !command.starts_with("occuscope render"));
    for command in &commands {
        let parsed = Cli::try_parse_from(words(command));
        assert!(parsed.is_ok(), "{source}: {command}\n{}", parsed.unwrap_err());
    }
    commands.len()
}

/// Every command with its path of names.
fn tree(command: &clap::Command, path: &[String], all: &mut Vec<Vec<String>>) {
    for child in command.get_subcommands().filter(|child| child.get_name() != "help") {
        let path: Vec<String> = path.iter().cloned().chain([child.get_name().to_owned()]).collect();
        all.push(path.clone());
        tree(child, &path, all);
    }
}

#[test]
fn commands_in_documents_are_real() {
    let mut documents: Vec<PathBuf> =
        ["README.md", "assets/GUIDE.md", "packaging/README.md", ".github/CONTRIBUTING.md"].map(|name| Path::new(ROOT).join(name)).into();
    for entry in fs::read_dir(Path::new(ROOT).join("assets/lessons")).unwrap() {
        documents.push(entry.unwrap().path());
    }
    let mut found = 0;
    for path in documents.iter().filter(|path| path.is_file()) {
        found += assert_all_parse(&path.display().to_string(), &fs::read_to_string(path).unwrap());
    }
    assert!(found >= 15, "only {found} commands were found");
}

#[test]
fn every_command_has_examples_and_they_are_real() {
    let mut all = vec![Vec::new()];
    tree(&Cli::command(), &[], &mut all);
    assert!(all.len() >= 12, "only {} commands were found", all.len());
    for path in all {
        let mut args: Vec<&str> = path.iter().map(String::as_str).collect();
        args.push("--help");
        let help = run(&args);
        assert_eq!((help.code, help.err.as_str()), (0, ""), "{path:?}");
        let examples = assert_all_parse(&path.join(" "), &help.out);
        // What a command of two words does is shown with the first.
        assert!(examples > 0 || path.len() == 2, "{path:?} shows no example");
    }
}

#[test]
fn the_main_help_names_every_exit_code() {
    let help = run(&["--help"]).out;
    let codes = help.split_once("Exit codes:").unwrap().1.split_once("Environment:").unwrap().0;
    let named: Vec<&str> = codes.lines().filter_map(|line| line.trim().split_once("  ")).map(|(code, _)| code).collect();
    assert_eq!(named, ["0", "1", "2", "3"]);
}

#[test]
fn completions_name_every_command_in_every_shell() {
    let mut all = Vec::new();
    tree(&Cli::command(), &[], &mut all);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        for command in &all {
            assert!(ran.out.contains(command.last().unwrap()), "{shell} lacks {command:?}");
        }
        assert!(ran.out.contains("dynamic-smem"), "{shell} lacks an option");
    }
    assert_eq!(run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let pages = folder("manual");
    let ran = run(&["manual", "--output", pages.to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let mut all = vec![Vec::new()];
    tree(&Cli::command(), &[], &mut all);
    for path in all {
        let name: Vec<String> = ["occuscope".to_owned()].into_iter().chain(path).collect();
        let page = fs::read_to_string(pages.join(format!("{}.1", name.join("-")))).unwrap();
        assert!(page.contains(".TH"), "{name:?}");
    }
    let main = run(&["manual"]).out;
    assert!(main.contains("Exit codes") && main.contains("NO_COLOR"), "{main}");
}

#[test]
fn licenses_name_every_library_that_is_linked_in() {
    let ran = run(&["licenses"]);
    assert_eq!((ran.code, &ran), (0, &Ran { code: 0, err: String::new(), out: run(&["licences"]).out }));
    for name in ["Apache License, Version 2.0", "SIL Open Font License", "| clap |", "| serde |", "| eframe |"] {
        assert!(ran.out.contains(name), "{name} is missing");
    }
}

fn doctor_with(home: &Path, variables: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_occuscope"));
    command.arg("doctor").env("OCCUSCOPE_HOME", home);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn the_doctor_names_places_and_what_a_window_lacks() {
    let home = folder("doctor");
    let ran = run_in(&home, &["doctor"], "");
    assert_eq!((ran.code, ran.err.as_str()), (i32::from(cfg!(target_os = "linux") || !cfg!(feature = "gui")), ""));
    for expected in [
        concat!("Occuscope ", env!("CARGO_PKG_VERSION")),
        home.to_str().unwrap(),
        "yes, OCCUSCOPE_HOME is set",
        "22 compute capabilities, 3 invented ones",
    ] {
        assert!(ran.out.contains(expected), "{expected} is missing in {}", ran.out);
    }
    if cfg!(all(target_os = "linux", feature = "gui")) {
        assert!(ran.out.contains("there is no display") && ran.out.contains("A window cannot open here"), "{}", ran.out);
    }
}

#[test]
fn the_doctor_reads_the_renderer_of_the_last_window_from_the_log() {
    let home = folder("doctor_log");
    fs::create_dir_all(home.join("state")).unwrap();
    let log = "INFO x: the window is drawn by old\nINFO x: the window is drawn by llvmpipe, OpenGL 4.5\n";
    fs::write(home.join("state/occuscope.log"), log).unwrap();
    let ran = run_in(&home, &["doctor"], "");
    let line = ran.out.lines().find(|line| line.starts_with("renderer")).unwrap();
    assert!(line.ends_with("  llvmpipe, OpenGL 4.5"), "{line}");
}

#[cfg(all(target_os = "linux", feature = "gui"))]
#[test]
fn the_doctor_sees_a_display() {
    let ran = doctor_with(&folder("doctor_display"), &[("DISPLAY", ":7")]);
    assert!(ran.out.contains("X11 :7"), "{}", ran.out);
}

#[test]
fn no_color_wins_over_a_wish_for_colors() {
    let colors = |variables: &[(&str, &str)]| doctor_with(&folder("colors"), variables).out.contains('\u{1b}');
    assert!(colors(&[("CLICOLOR_FORCE", "1")]));
    assert!(!colors(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colors(&[]));
}

/// The Debian package that brings a library.
fn package_of(library: &str) -> String {
    let (name, version) = library.to_lowercase().split_once(".so.").map(|(name, version)| (name.to_owned(), version.to_owned())).unwrap();
    let ends_in_digit = name.ends_with(|letter: char| letter.is_ascii_digit());
    format!("{name}{}{version}", if ends_in_digit { "-" } else { "" })
}

#[test]
fn the_debian_package_depends_on_what_the_doctor_looks_for() {
    let manifest: toml::Table = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap().parse().unwrap();
    let depends = manifest["package"]["metadata"]["deb"]["depends"].as_str().unwrap();
    for library in doctor::X11_LIBRARIES.iter().chain(&doctor::WAYLAND_LIBRARIES).chain(&doctor::GL_LIBRARIES) {
        let package = package_of(library);
        assert!(depends.split(", ").any(|name| name == package), "{package} is missing in {depends}");
    }
}

/// What is wrong about how the window should begin is said before one is tried; what is right gets as far as the missing display.
#[test]
fn the_window_begins_on_a_gpu_or_with_a_preset_that_is_known() {
    for (args, said) in [
        (&["--gpu", "RTX 9999"][..], "RTX 9999"),
        (&["--cc", "8.0", "--gpu", "RTX 4090"][..], "--gpu and --cc disagree"),
        (&["--preset", "no such preset"][..], "no such preset"),
    ] {
        let ran = run(args);
        assert!(ran.code == 2 && ran.err.contains(said), "{args:?}: {ran:?}");
    }
}
