//! Presets: laws of their formats, what the actions do to them, and the command line.

use std::fs;
use std::sync::Arc;

use occuscope::arch::Catalog;
use occuscope::engine::{CachePreference, Launch, LaunchBounds, PartitionedCaching};
use occuscope::session::presets::{Library, Preset, PresetView, builtin, merge};
use occuscope::session::saved::{code, presets as file};
use occuscope::session::{Action, Chart, Configuration, Effect, GpuChoice, Screen, Session};
use occuscope::shell::keep_presets;
use occuscope::units::Dim3;
use proptest::prelude::*;

use crate::cli::{folder, run_in};

fn any_launch() -> impl Strategy<Value = Launch> {
    let shape = || (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(x, y, z)| Dim3::new(x, y, z));
    let sizes = (any::<u32>(), any::<u32>(), proptest::option::of(any::<u32>()));
    let choices = (0..4usize, 0..3usize, any::<bool>());
    let bounds = proptest::option::of((any::<u32>(), proptest::option::of(any::<u32>())));
    let counts = (any::<u32>(), any::<u32>(), any::<u32>(), 1..=u32::MAX, proptest::option::of(any::<u32>()));
    (shape(), proptest::option::of(shape()), sizes, choices, bounds, counts).prop_map(
        |(block, grid, (fixed, dynamic, maximum), (cache, caching, opt_in), bounds, (registers, barriers, others, cluster, carveout))| {
            Launch {
                block,
                registers_per_thread: registers,
                static_smem_bytes: fixed.into(),
                dynamic_smem_bytes: dynamic.into(),
                opt_in,
                max_dynamic_smem_bytes: maximum.map(u64::from),
                carveout_percent: carveout,
                cache_preference: [CachePreference::None, CachePreference::SharedMemory, CachePreference::L1, CachePreference::Equal]
                    [cache],
                partitioned_caching: [PartitionedCaching::Off, PartitionedCaching::On, PartitionedCaching::Strict][caching],
                barriers_per_block: barriers,
                virtual_resources_per_block: others,
                cluster_size: cluster,
                launch_bounds: bounds.map(|(threads, blocks)| LaunchBounds { max_threads_per_block: threads, min_blocks_per_sm: blocks }),
                grid,
            }
        },
    )
}

fn any_preset() -> impl Strategy<Value = Preset> {
    let words = "[ -~äß×%;,=#\"'\\\\]{0,20}";
    let gpu = prop_oneof![Just("A100 SXM 40 GB"), Just("9.0"), Just("a GPU; that = nobody, knows")];
    let view = (proptest::option::of(0..3usize), proptest::option::of(any::<u32>()));
    (words, words, proptest::collection::vec("[a-z,%;]{1,6}", 0..3), gpu, any_launch(), view).prop_map(
        |(name, note, tags, gpu, launch, (chart, placed))| Preset {
            name,
            note,
            tags,
            source: None,
            configuration: Configuration {
                gpu: gpu.parse().map_or_else(|_| GpuChoice::Product(gpu.to_owned()), GpuChoice::Capability),
                launch,
            },
            view: PresetView { chart: chart.map(|chart| [Chart::Heatmap, Chart::Curves, Chart::Compare][chart]), placed },
        },
    )
}

fn with_single_spaces(preset: Preset) -> Preset {
    let single = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Preset { name: single(&preset.name), note: single(&preset.note), ..preset }
}

proptest! {
    #[test]
    fn what_is_saved_is_read_again(presets in proptest::collection::vec(any_preset(), 0..5)) {
        prop_assert_eq!(file::read(&file::write(&presets)).unwrap(), presets);
    }

    #[test]
    fn a_code_is_read_again(preset in any_preset()) {
        let preset = with_single_spaces(preset);
        let code = code::write(&preset);
        prop_assert!(!code.contains(['\n', '\r']));
        prop_assert_eq!(code::read(&format!("  {code}\n")).unwrap(), preset);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(occuscope:1;)?.{0,80}") {
        let _ = code::read(&text);
        let _ = file::read(&text);
    }

    #[test]
    fn merging_with_no_change_takes_the_other_side(ours in proptest::collection::vec(any_preset(), 0..4), theirs in proptest::collection::vec(any_preset(), 0..4)) {
        let (ours, theirs) = (Library::new(ours), Library::new(theirs));
        prop_assert_eq!(merge(&ours, &ours, &theirs), theirs);
        prop_assert_eq!(merge(&ours, &ours, &ours), ours);
    }

    #[test]
    fn undo_takes_back_every_change_of_presets(steps in proptest::collection::vec((0..5usize, 0..4usize, 0..4usize), 1..12)) {
        let mut session = session();
        session.apply(Action::AddPresets(builtin()[..4].to_vec()));
        let mut seen = vec![session.document().clone()];
        for (what, which, to) in steps {
            let presets = session.document().library.presets();
            let Some(preset) = presets.get(which).cloned() else { continue };
            let name = preset.name.clone();
            session.apply(match what {
                0 => Action::DeletePreset(name),
                1 => Action::DuplicatePreset(name),
                2 => Action::MovePreset { name, to },
                3 => Action::ReplacePreset { name, preset: Box::new(Preset { name: format!("new {to}"), ..preset }) },
                _ => Action::UsePreset(Box::new(preset)),
            });
            if seen.last() != Some(session.document()) {
                seen.push(session.document().clone());
            }
        }
        for document in seen.iter().rev().skip(1) {
            session.apply(Action::Undo);
            prop_assert_eq!(session.document(), document);
        }
        for document in seen.iter().skip(1) {
            session.apply(Action::Redo);
            prop_assert_eq!(session.document(), document);
        }
    }
}

/// Every byte of a file turned around or missing, and every beginning of it: a sentence or presets, never a panic.
#[test]
fn a_damaged_file_is_refused_with_a_sentence() {
    let text = file::write(&builtin()[..3]);
    let whole = text.as_bytes();
    for at in 0..whole.len() {
        for mask in [0x01, 0x80, 0xff] {
            let mut bytes = whole.to_vec();
            bytes[at] ^= mask;
            if let Ok(text) = String::from_utf8(bytes) {
                let _ = file::read(&text).map_err(|error| assert!(!error.to_string().is_empty()));
            }
        }
        if let Some(beginning) = text.get(..at) {
            let _ = file::read(beginning).map_err(|error| assert!(!error.to_string().is_empty()));
        }
    }
    let code = code::write(&builtin()[0]);
    for at in 0..code.len() {
        let _ = code.get(..at).map(code::read);
    }
}

fn session() -> Session {
    Session::new(Arc::new(Catalog::with_textbook().clone()))
}

#[test]
fn a_change_of_presets_is_kept_and_so_is_its_undo() {
    let mut session = session();
    let effects = session.apply(Action::AddPresets(vec![builtin()[0].clone()]));
    let [Effect::WriteLibrary(written)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(written.presets(), &builtin()[..1]);
    assert_eq!(session.undo_name(), Some("Add preset \"Tiled matmul, 48 KiB\""));
    assert_eq!(session.apply(Action::Undo), [Effect::WriteLibrary(Arc::default())]);
    assert_eq!(session.redo_name(), Some("Add preset \"Tiled matmul, 48 KiB\""));
    assert_eq!(session.apply(Action::SetRegistersPerThread(99)), []);
    assert_eq!(session.undo_name(), Some("Set registers to 99"));
}

#[test]
fn a_preset_brings_its_view() {
    let mut session = session();
    session.apply(Action::ShowScreen(Screen::Kernels));
    let lesson = builtin().iter().find(|preset| preset.name.starts_with("Lesson 1")).unwrap();
    session.apply(Action::UsePreset(Box::new(lesson.clone())));
    assert_eq!((session.view().screen, session.view().placed), (Screen::Explore, Some(0)));
    let unknown = Preset {
        configuration: Configuration { gpu: GpuChoice::Product("Voodoo 2".to_owned()), ..lesson.configuration.clone() },
        ..lesson.clone()
    };
    session.apply(Action::UsePreset(Box::new(unknown)));
    assert!(session.message().is_some_and(|message| message.contains("Voodoo 2")));
}

#[test]
fn a_pasted_code_is_gone_to_and_kept_in_one_step() {
    let mut session = session();
    let code = "occuscope:1; gpu=H100 SXM; block=128; registers=90";
    session.apply(Action::PasteText(code.to_owned()));
    assert_eq!(session.gpu_name(), "H100 SXM");
    assert_eq!(session.document().library.presets()[0].name, "128 threads, 90 registers, H100 SXM");
    session.apply(Action::Undo);
    assert!(!session.can_undo() && session.document().library.presets().is_empty());
    session.apply(Action::PasteText("occuscope:1; gpu".to_owned()));
    assert_eq!(session.message(), Some("this code cannot be read: \"gpu\" is no key=value"));
    session.apply(Action::PasteText("a poem".to_owned()));
    assert!(!session.can_undo());
}

#[test]
fn undo_does_not_bring_back_what_another_window_deleted() {
    let mut session = session();
    session.apply(Action::AddPresets(builtin()[..2].to_vec()));
    session.apply(Action::SetRegistersPerThread(99));
    let base = Arc::clone(&session.document().library);
    let theirs = Arc::new(Library::new(builtin()[1..3].to_vec()));
    assert_eq!(session.apply(Action::MergeLibrary { base, theirs: Arc::clone(&theirs) }), []);
    session.apply(Action::Undo);
    assert_eq!(session.document().library, theirs);
}

#[test]
fn a_broken_file_of_presets_is_set_aside_and_never_overwritten() {
    let path = folder("broken-presets").join("presets.toml");
    let broken = "version = 1\n[[preset]]\nname = \"half";
    fs::write(&path, broken).unwrap();
    let ours = Library::new(builtin()[..1].to_vec());
    let kept = keep_presets(&path, &Library::default(), &ours).unwrap();
    assert_eq!(fs::read_to_string(kept.set_aside.expect("a new name")).unwrap(), broken);
    assert_eq!(file::read(&fs::read_to_string(&path).unwrap()).unwrap(), builtin()[..1]);
    // Another window added one meanwhile.
    fs::write(&path, file::write(&builtin()[..2])).unwrap();
    let kept = keep_presets(&path, &ours, &Library::new(builtin()[..1].iter().chain(&builtin()[4..5]).cloned())).unwrap();
    assert_eq!(kept.library.presets().len(), 3);
    assert_eq!(kept.set_aside, None);
}

#[test]
fn presets_are_listed_shown_exported_and_imported() {
    let home = folder("cli-presets");
    let run = |args: &[&str]| run_in(&home, args, "");
    let listed = run(&["preset", "list", "matmul"]);
    assert_eq!((listed.code, listed.err.as_str()), (0, ""));
    assert!(listed.out.contains("Tiled matmul, 48 KiB                     37.5 %") || listed.out.contains("37.5 %"), "{}", listed.out);
    let file = home.join("course.toml");
    let path = file.to_str().unwrap();
    let exported = run(&["preset", "export", "tiled matmul, 48 kib", "CUDA guide, one more", "--output", path]);
    assert_eq!((exported.code, exported.out.as_str()), (0, format!("2 presets written to {path}\n").as_str()));
    assert_eq!(run(&["preset", "export", "CUDA guide, one more", "--output", path]).code, 2, "it exists");
    let imported = run(&["preset", "import", path, "occuscope:1; gpu=8.0; block=64"]);
    assert_eq!(imported.code, 0, "{imported:?}");
    assert_eq!(
        imported.out,
        "added \"Tiled matmul, 48 KiB\"\nadded \"CUDA guide, one more\"\nadded \"64 threads, 32 registers, compute capability 8.0\"\n"
    );
    let own = run(&["preset", "list", "--own", "--format", "json"]).json();
    assert_eq!(own.as_array().unwrap().len(), 3);
    assert_eq!(own[0]["theoretical_occupancy_percent"], 37.5);
    assert_eq!(own[2]["code"], "occuscope:1; name=64 threads, 32 registers, compute capability 8.0; gpu=8.0; block=64; registers=32");
    let shown = run(&["preset", "show", "CUDA guide, one more"]);
    assert!(
        shown.out.contains("registers = 65") && shown.out.contains("# As a code, to paste: occuscope:1; name=CUDA guide"),
        "{}",
        shown.out
    );
}

#[test]
fn a_preset_is_asked_for_its_occupancy() {
    let home = folder("cli-occupancy-preset");
    let run = |args: &[&str]| run_in(&home, args, "");
    let own = run(&["occupancy", "--preset", "Tiled matmul, 48 KiB", "--format", "json"]).json();
    assert_eq!((own["gpu"].as_str(), own["theoretical_occupancy_percent"].as_f64()), (Some("A100 SXM 40 GB"), Some(37.5)));
    let elsewhere = run(&["occupancy", "--preset", "Tiled matmul, 48 KiB", "--gpu", "H100 SXM", "--format", "json"]).json();
    assert_eq!((elsewhere["gpu"].as_str(), elsewhere["theoretical_occupancy_percent"].as_f64()), (Some("H100 SXM"), Some(50.0)));
    let missing = run(&["occupancy", "--preset", "matmul"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("there is no preset \"matmul\"; near it: \"Tiled matmul, 48 KiB\""), "{}", missing.err);
    assert_eq!(run(&["occupancy", "--preset", "Tiled matmul, 48 KiB", "--threads", "64"]).code, 2);
}

#[test]
fn broken_presets_are_told_with_line_and_column() {
    let home = folder("cli-broken-presets");
    fs::write(home.join("presets.toml"), "version = 1\n[[preset]]\nname = 5\n").unwrap();
    let ran = run_in(&home, &["preset", "list"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the presets cannot be read: line 3, column 8: "), "{}", ran.err);
}
