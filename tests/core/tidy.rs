//! Promises about the tree: layers, the one place for colors, no forgotten work.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Every Rust file below `src`, with its path from there, sorted.
fn sources() -> Vec<(String, String)> {
    let src = Path::new(ROOT).join("src");
    let mut folders = vec![src.clone()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let name = |path: &Path| path.strip_prefix(&src).expect("a source").to_string_lossy().replace('\\', "/");
    files.iter().map(|path| (name(path), fs::read_to_string(path).expect("a source"))).collect()
}

/// The one file of the command line that draws: it asks the window's own views for a picture.
const DRAWS: &str = "cli/render.rs";

/// The layers from left to right; a module may use its own and those before it.
const LAYERS: [(&str, u8); 12] = [
    ("units", 0),
    ("fmt", 0),
    ("arch", 1),
    ("engine", 2),
    ("import", 3),
    ("export", 3),
    ("explain", 3),
    ("session", 4),
    ("learn", 5),
    ("shell", 5),
    ("cli", 6),
    ("gui", 6),
];

fn layer_of(module: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

#[test]
fn modules_use_only_what_is_to_their_left() {
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for (file, text) in sources() {
        let module = file.split(['/', '.']).next().unwrap_or_default();
        let Some(own) = layer_of(module) else { continue };
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for part in code.split("crate::").skip(1) {
                let used: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                looked_at += 1;
                if file == DRAWS && used == "gui" {
                    continue;
                }
                if layer_of(&used).is_some_and(|layer| layer > own || (layer == own && used != module && own == 6)) {
                    wrong.push(format!("{file}:{}: {module} uses {used}", number + 1));
                }
            }
        }
    }
    assert!(looked_at > 100, "only {looked_at} uses were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_window_knows_egui() {
    for (file, text) in sources() {
        if !file.starts_with("gui/") {
            assert!(!text.contains("egui::"), "{file} uses egui");
        }
    }
}

#[test]
fn colors_are_named_in_one_file() {
    for (file, text) in sources() {
        if file.starts_with("gui/") && file != "gui/theme/tokens.rs" {
            assert!(!text.contains("from_rgb("), "{file} names a color; add it to the tokens");
        }
    }
}

#[test]
fn nothing_is_left_for_later() {
    for (file, text) in sources() {
        for word in ["todo!(", "unimplemented!(", "TODO", "FIXME", "dbg!("] {
            assert!(!text.contains(word), "{file} contains {word}");
        }
    }
}

#[test]
fn nothing_lies_about_beside_the_project() {
    const KNOWN: [&str; 14] = [
        "Cargo.toml",
        "Cargo.lock",
        "src",
        "arch",
        "assets",
        "tests",
        "packaging",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "shared",
        "target",
    ];
    let entries = fs::read_dir(ROOT).expect("the project");
    let names: Vec<String> = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    assert!(names.iter().any(|name| name == "Cargo.toml"));
    let strange: Vec<_> = names.iter().filter(|name| !name.starts_with('.') && !KNOWN.contains(&name.as_str())).collect();
    assert!(strange.is_empty(), "{strange:?} does not belong here");
}
