//! What is kept on the disk, and what happens when that goes wrong: kills, full disks, damaged files, newer versions.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use occuscope::arch::{Arch, Catalog, Gpu};
use occuscope::fmt::{Grouping, NumberStyle, OccupancyUnit, SizeUnit};
use occuscope::import::account::account;
use occuscope::import::{DecimalMark, SAMPLE_REPORT, read_report};
use occuscope::session::presets::{Library, Preset, builtin};
use occuscope::session::saved::{code, presets as presets_file, session as session_file, settings as settings_file};
use occuscope::session::settings::Settings;
use occuscope::session::snapshot::Fingerprint;
use occuscope::session::{
    Action, Baseline, BlockTimes, Chart, Effect, GpuChoice, KernelRef, LessonPlace, OpenReport, PathQuestion, ReadReport, Screen, Session,
    Speed, TableColumn, TableView, ThemeChoice,
};
use occuscope::shell::{atomic, keep_presets, keep_recent, keep_settings, read_session, recent, settings, write_session};
use proptest::prelude::*;

use crate::cli::folder;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/saved");

fn catalog() -> &'static Catalog {
    Catalog::with_textbook()
}

fn session() -> Session {
    Session::new(Arc::new(catalog().clone()))
}

/// The sample, read from a file of this name.
fn report(path: &Path) -> OpenReport {
    let report = read_report(SAMPLE_REPORT).unwrap();
    let accounts = report.kernels.iter().map(|kernel| account(kernel, catalog(), None)).collect();
    OpenReport { path: path.to_owned(), content: Ok(ReadReport { report, accounts }) }
}

/// A session with everything in it that is saved.
fn worked_on(path: &Path) -> Session {
    let mut session = session();
    session.apply(Action::NoteFingerprint { path: path.to_owned(), fingerprint: Fingerprint::of(SAMPLE_REPORT) });
    session.apply(Action::AddReport(report(path)));
    session.apply(Action::SelectKernel(Some(KernelRef { report: 0, kernel: 3 })));
    session.apply(Action::CompareWith(GpuChoice::Product("T4".to_owned())));
    session.apply(Action::PinConfiguration);
    session.apply(Action::UsePreset(Box::new(builtin()[2].clone())));
    session.apply(Action::ShowScreen(Screen::Kernels));
    session.apply(Action::ShowChart(Chart::Compare));
    let baseline = Some(Baseline { old: path.to_owned(), new: path.with_extension("new") });
    let columns = Some(vec![TableColumn::Waves, TableColumn::Achieved]);
    session.apply(Action::SetTable(TableView { columns, is_grouped: true, is_watching: false, baseline }));
    session.apply(Action::PlaceBlocks(Some(1)));
    session.apply(Action::SetBlockTimes(BlockTimes { spread_percent: 40, seed: 7 }));
    session
}

#[test]
fn a_session_comes_back_when_its_reports_are_gone() {
    let folder = folder("session-gone");
    let session = worked_on(Path::new("/nowhere/report.csv"));
    let path = folder.join("a.occuscope");
    write_session(&path, &session.snapshot()).unwrap();
    let (restored, notes) = read_session(&path, catalog()).unwrap();
    assert_eq!(notes, "");
    let mut other = self::session();
    other.apply(Action::AddPresets(builtin()[..1].to_vec()));
    let library = Arc::clone(&other.document().library);
    other.apply(Action::TakeSession { restored: Box::new(restored), file: Some(path.clone()), message: "opened".to_owned() });
    let (ours, theirs) = (session.document(), other.document());
    assert_eq!((&theirs.configuration, &theirs.pinned, &theirs.compared), (&ours.configuration, &ours.pinned, &ours.compared));
    assert_eq!((theirs.selected, &theirs.library), (ours.selected, &library));
    assert_eq!(theirs.reports[0], ours.reports[0], "value by value");
    assert_eq!(other.view(), session.view());
    assert_eq!((other.message(), other.file()), (Some("opened"), Some(path.as_path())));
    assert_eq!(other.undo_name(), Some("Open a session"));
    other.apply(Action::Undo);
    assert!(other.document().reports.is_empty());
}

#[test]
fn a_report_that_has_changed_since_is_said() {
    let folder = folder("session-changed");
    let file = folder.join("report.csv");
    fs::write(&file, SAMPLE_REPORT).unwrap();
    let path = folder.join("a.occuscope");
    write_session(&path, &worked_on(&file).snapshot()).unwrap();
    assert_eq!(read_session(&path, catalog()).unwrap().1, "");
    fs::write(&file, &SAMPLE_REPORT[..SAMPLE_REPORT.len() / 2]).unwrap();
    assert_eq!(read_session(&path, catalog()).unwrap().1, "report.csv has changed since and is shown as it was");
}

#[test]
fn a_report_too_large_to_be_kept_is_read_from_its_file() {
    let folder = folder("session-large");
    let file = folder.join("report.csv");
    fs::write(&file, SAMPLE_REPORT).unwrap();
    let text = session_file::write(&worked_on(&file).snapshot(), 3);
    assert!(text.len() < 2_000);
    let path = folder.join("a.occuscope");
    fs::write(&path, text).unwrap();
    let (restored, notes) = read_session(&path, catalog()).unwrap();
    assert_eq!((restored.reports[0].kept.as_ref().unwrap().kernels().len(), notes.as_str()), (12, ""));
    fs::remove_file(&file).unwrap();
    let (restored, notes) = read_session(&path, catalog()).unwrap();
    assert_eq!(notes, "report.csv is gone, and it was too large to be kept");
    assert!(restored.reports[0].kept.as_ref().unwrap().content.is_err());
}

#[test]
fn a_told_decimal_mark_is_kept_for_its_file() {
    let folder = folder("session-decimal");
    let file = folder.join("report.csv");
    let text = include_bytes!("../fixtures/ncu/invented/09_no_evidence.csv");
    fs::write(&file, text).unwrap();
    let told = occuscope::import::ReadOptions { decimal_mark: Some(DecimalMark::Comma) };
    let report = occuscope::import::read_report_as(text, told, |_| std::ops::ControlFlow::Continue(())).unwrap();
    let accounts = report.kernels.iter().map(|kernel| account(kernel, catalog(), None)).collect();
    let mut session = session();
    session.apply(Action::NoteFingerprint { path: file.clone(), fingerprint: Fingerprint::of(text) });
    session.apply(Action::AddReport(OpenReport { path: file.clone(), content: Ok(ReadReport { report, accounts }) }));
    // Kept with the session, and not kept but read from its file.
    for max_kernels in [100, 0] {
        let path = folder.join("a.occuscope");
        fs::write(&path, session_file::write(&session.snapshot(), max_kernels)).unwrap();
        let (restored, _) = read_session(&path, catalog()).unwrap();
        let mut other = self::session();
        other.apply(Action::TakeSession { restored: Box::new(restored), file: None, message: String::new() });
        let (kernel, _) = other.document().kernel(KernelRef { report: 0, kernel: 0 }).unwrap();
        assert_eq!(kernel.measured.duration_ns.map(|read| read.value), Some(117_344.0), "{max_kernels}");
        let again = other.apply(Action::FileChanged(file.clone()));
        assert_eq!(again, [Effect::ReadFileAs { path: file.clone(), mark: DecimalMark::Comma }]);
    }
}

/// Every version that was ever written stays readable. The files are never changed, only added to.
#[test]
fn every_version_of_every_format_is_read() {
    let text = |name: &str| fs::read_to_string(Path::new(FIXTURES).join(name)).unwrap();
    let presets = presets_file::read(&text("presets-1.toml")).unwrap();
    assert_eq!(presets.iter().map(|preset| preset.name.as_str()).collect::<Vec<_>>(), ["Week 2, tiles", "Any Hopper"]);
    assert_eq!(presets[0].configuration.launch.dynamic_smem_bytes, 49_152);
    let settings = settings_file::read(&text("settings-1.toml")).unwrap();
    assert_eq!((settings.theme, settings.zoom_percent), (ThemeChoice::Dark, 150));
    assert_eq!(settings.numbers.occupancy, OccupancyUnit::Warps, "under the name that it had first");
    let restored = session_file::read(&text("session-1.occuscope"), catalog()).unwrap();
    assert_eq!(restored.document.compared, [GpuChoice::Product("T4".to_owned())]);
    assert_eq!(restored.reports[0].kept.as_ref().unwrap().kernels().len(), 12);
    assert_eq!(restored.document.selected, Some(KernelRef { report: 0, kernel: 3 }));
    assert_eq!((&restored.view.table, &restored.view.lesson, restored.view.hides_answers), (&TableView::default(), &None, false));
    assert_eq!(VERSIONS, [1, 1, 1], "a new version needs a new fixture");
}

const VERSIONS: [u64; 3] = [presets_file::VERSION, settings_file::VERSION, session_file::VERSION];

#[test]
fn what_a_newer_version_wrote_is_refused_politely() {
    let told = session_file::read("{\"occuscope_session\": 2, \"anything\": 1}", catalog()).unwrap_err().to_string();
    assert_eq!(told, "these sessions are of version 2, and this Occuscope knows versions up to 1; a newer Occuscope can read them");
    assert!(settings_file::read("version = 9\ntheme = \"neon\"\n").unwrap_err().to_string().starts_with("these settings are of version 9"));
    assert_eq!(session_file::read("{\"a\": 1}", catalog()).unwrap_err().to_string(), "this is not a session of Occuscope");
    assert!(session_file::read("{\n \"occuscope_session\": 1,,", catalog()).unwrap_err().to_string().starts_with("line 2, column 25: "));
}

#[test]
fn settings_keep_what_they_do_not_know() {
    let path = folder("settings").join("settings.toml");
    fs::write(&path, "version = 1\ntheme = \"dark\"\nfuture = [1, 2]\n\n[panel]\nwidth = 3\n").unwrap();
    let read = settings(&path).unwrap();
    assert_eq!(read.theme, ThemeChoice::Dark);
    assert_eq!(keep_settings(&path, &read, &Settings { zoom_percent: 150, theme: ThemeChoice::System, ..read.clone() }).unwrap(), None);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# Settings of Occuscope.\nversion = 1\nfuture = [1, 2]\nzoom_percent = 150\n\n[panel]\nwidth = 3\n");
    fs::write(&path, "version = 1\ntheme = \"mauve\"\n").unwrap();
    let told = format!("{:#}", settings(&path).unwrap_err());
    assert!(told.starts_with("the settings cannot be read: line 2, column 9: found \"mauve\", expected system, dark or light"), "{told}");
    let aside = keep_settings(&path, &Settings::default(), &Settings::default()).unwrap().expect("the broken file goes aside");
    assert_eq!(fs::read_to_string(aside).unwrap(), "version = 1\ntheme = \"mauve\"\n");
}

#[test]
fn settings_are_written_once_they_change_and_never_at_the_start() {
    let mut session = session();
    let kept = Settings { default_gpu: Some(GpuChoice::Product("T4".to_owned())), theme: ThemeChoice::Dark, ..Settings::default() };
    let taken = Action::TakeKept { settings: Box::new(kept.clone()), recent: vec!["/data/a.csv".into()] };
    assert_eq!(session.apply(taken), []);
    assert_eq!((session.gpu_name().as_str(), session.can_undo(), session.view().theme), ("T4", false, ThemeChoice::Dark));
    assert_eq!(session.apply(Action::OpenFile), [Effect::PickFiles(Some("/data".into()))]);
    assert_eq!(session.apply(Action::SetTheme(ThemeChoice::Dark)), []);
    let light = Settings { theme: ThemeChoice::Light, ..kept };
    assert_eq!(session.apply(Action::SetTheme(ThemeChoice::Light)), [Effect::WriteSettings(Box::new(light))]);
    let effects = session.apply(Action::AddReport(report(Path::new("/data/b.csv"))));
    let recent = Effect::WriteRecent(vec!["/data/b.csv".into(), "/data/a.csv".into()]);
    assert_eq!(effects, [recent, Effect::WatchFiles(vec!["/data/b.csv".into()])]);
}

proptest! {
    #[test]
    fn settings_are_read_as_written(
        zoom in 75..=300u32,
        theme in 0..3usize,
        (sizes, grouping) in (0..3usize, 0..3usize),
        [in_warps, reduced_motion, high_contrast] in proptest::array::uniform3(any::<bool>()),
        gpu in proptest::option::of("[ -~]{0,12}[a-z]"),
    ) {
        let numbers = NumberStyle {
            sizes: [SizeUnit::Kib, SizeUnit::Kb, SizeUnit::Bytes][sizes],
            grouping: [Grouping::Comma, Grouping::Space, Grouping::None][grouping],
            occupancy: if in_warps { OccupancyUnit::Warps } else { OccupancyUnit::Percent },
        };
        let settings = Settings {
            zoom_percent: zoom,
            present_zoom_percent: 375 - zoom,
            theme: [ThemeChoice::System, ThemeChoice::Dark, ThemeChoice::Light][theme],
            reduced_motion,
            high_contrast,
            numbers,
            default_gpu: gpu.map(|gpu| GpuChoice::Product(gpu.trim().to_owned())),
        };
        let text = settings_file::write(&settings, "").unwrap();
        prop_assert_eq!(settings_file::read(&text).unwrap(), settings);
    }

    #[test]
    fn a_view_is_read_as_written(
        columns in proptest::option::of(proptest::sample::subsequence(TableColumn::ALL.to_vec(), 0..=23)),
        flags in proptest::array::uniform5(any::<bool>()),
        baseline in proptest::option::of(("[ -~]{1,12}", "[ -~]{1,12}")),
        lesson in proptest::option::of(("[a-z-]{1,12}", 0..20usize)),
        (screen, chart, speed) in (0..3usize, 0..3usize, 0..3usize),
        placed in proptest::option::of(0..4usize),
    ) {
        let mut session = session();
        let [is_grouped, is_watching, hides_answers, show_more, is_fine] = flags;
        let baseline = baseline.map(|(old, new)| Baseline { old: old.into(), new: new.into() });
        session.apply(Action::SetTable(TableView { columns, is_grouped, is_watching, baseline }));
        session.apply(Action::ShowLesson(lesson.map(|(lesson, step)| LessonPlace { lesson, step })));
        session.apply(Action::HideAnswers(hides_answers));
        session.apply(Action::ShowScreen([Screen::Explore, Screen::Kernels, Screen::Learn][screen]));
        session.apply(Action::ShowChart([Chart::Heatmap, Chart::Curves, Chart::Compare][chart]));
        session.apply(Action::ShowMore(show_more));
        session.apply(Action::SetFineSteps(is_fine));
        session.apply(Action::SetSpeed([Speed::Slow, Speed::Normal, Speed::Fast][speed]));
        session.apply(Action::PlaceBlocks(placed));
        let restored = session_file::read(&session_file::write(&session.snapshot(), 0), catalog()).unwrap();
        prop_assert_eq!(&restored.view, session.view());
    }

    #[test]
    fn any_text_is_a_session_or_a_sentence(text in ".{0,60}") {
        let _ = session_file::read(&text, catalog());
        let _ = settings_file::read(&text);
    }
}

/// Every byte turned around, and every beginning, of every format: a sentence or a document, never a panic.
#[test]
fn damaged_files_end_in_a_sentence() {
    let full = Settings { zoom_percent: 150, theme: ThemeChoice::Dark, reduced_motion: true, ..Settings::default() };
    each_damage(&settings_file::write(&full, "").unwrap(), 1, |text| settings_file::read(text).err().map(|error| error.to_string()));
    let mut session = worked_on(Path::new("/nowhere/report.csv"));
    let with_report = session_file::write(&session.snapshot(), usize::MAX);
    each_damage(&with_report, 97, |text| session_file::read(text, catalog()).err().map(|error| error.to_string()));
    session.apply(Action::CloseReport(0));
    each_damage(&GPU, 1, |text| {
        let problems = catalog().with_files(&[("own.toml", text)]).err()?;
        Some(problems.to_string())
    });
    // Most changes of a code are another name or number: it is read, or told.
    let code = code::write(&builtin()[0]);
    for at in 0..code.len() {
        for mask in [0x01, 0x10, 0x80] {
            let mut bytes = code.as_bytes().to_vec();
            bytes[at] ^= mask;
            let Ok(damaged) = String::from_utf8(bytes) else { continue };
            assert!(code::read(&damaged).err().is_none_or(|error| !error.to_string().is_empty()), "{damaged}");
        }
    }
    let without = session_file::write(&session.snapshot(), 0);
    each_damage(&without, 1, |text| session_file::read(text, catalog()).err().map(|error| error.to_string()));
}

/// Reads a text with one byte in every `step` damaged in three ways, and cut off there. Most must be refused.
fn each_damage(text: &str, step: usize, read: impl Fn(&str) -> Option<String>) {
    let mut refused = 0;
    for at in (0..text.len()).step_by(step) {
        for mask in [0x01, 0x10, 0x80] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] ^= mask;
            let Ok(damaged) = String::from_utf8(bytes) else { continue };
            if let Some(problem) = read(&damaged) {
                assert!(!problem.is_empty());
                refused += 1;
            }
        }
        if let Some(beginning) = text.get(..at) {
            refused += usize::from(read(beginning).is_some());
        }
    }
    assert!(refused * 2 > text.len() / step, "{refused} of {}", text.len() / step);
}

/// A GPU file of one's own.
static GPU: LazyLock<String> = LazyLock::new(|| {
    let arch = catalog().find_arch("8.0").unwrap();
    let arch = Arch { compute_capability: "0.7".parse().unwrap(), name: "Half".to_owned(), invented: true, ..arch.clone() };
    arch.to_toml([] as [&Gpu; 0])
});

/// The list of recent files is worth nothing on its own: damaged, it is empty or shorter, and never in the way.
#[test]
fn a_damaged_list_of_recent_files_is_no_obstacle() {
    let path = folder("recent").join("recent.toml");
    keep_recent(&path, &[], &["/data/a.csv".into(), "/data/b.csv".into()]).unwrap();
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x11;
        fs::write(&path, &bytes).unwrap();
        assert!(recent(&path).len() <= 2);
        fs::write(&path, &whole[..at]).unwrap();
        assert!(recent(&path).len() <= 2);
    }
    keep_recent(&path, &[], &["/data/c.csv".into()]).unwrap();
    assert_eq!(recent(&path)[0], Path::new("/data/c.csv"));
}

#[test]
fn two_windows_keep_each_others_settings_and_recent_files() {
    let folder = folder("two-windows");
    let (path, list) = (folder.join("settings.toml"), folder.join("recent.toml"));
    let start = Settings::default();
    // Both windows have started with the same file; each changes something else.
    let first = Settings { theme: ThemeChoice::Dark, ..start.clone() };
    keep_settings(&path, &start, &first).unwrap();
    let second = Settings { zoom_percent: 150, ..start.clone() };
    keep_settings(&path, &start, &second).unwrap();
    assert_eq!(settings(&path).unwrap(), Settings { theme: ThemeChoice::Dark, zoom_percent: 150, ..start.clone() });
    // What a window sets back is set back, though another one changed something meanwhile.
    keep_settings(&path, &first, &start).unwrap();
    assert_eq!(settings(&path).unwrap(), second);
    let files = |names: &[&str]| names.iter().map(|name| PathBuf::from(format!("/data/{name}.csv"))).collect::<Vec<_>>();
    keep_recent(&list, &[], &files(&["a"])).unwrap();
    keep_recent(&list, &[], &files(&["b"])).unwrap();
    assert_eq!(recent(&list), files(&["b", "a"]));
    keep_recent(&list, &files(&["a"]), &files(&["c", "a"])).unwrap();
    assert_eq!(recent(&list), files(&["c", "a", "b"]));
    keep_recent(&list, &files(&["c", "a", "b"]), &[]).unwrap();
    assert_eq!(recent(&list), files(&[]), "forgotten");
}

const SAVES_IN: &str = "OCCUSCOPE_TEST_SAVES_IN";
/// How many saves to skip, so that every process begins with another one.
const SAVES_FROM: &str = "OCCUSCOPE_TEST_SAVES_FROM";

/// Not a test of its own: the program that the next tests start and kill. It saves for ever, now more and now less.
#[test]
fn saves_for_ever_when_asked() {
    let Some(folder) = std::env::var_os(SAVES_IN).map(PathBuf::from) else { return };
    let session = worked_on(Path::new("/nowhere/report.csv"));
    let mut base = Library::default();
    let first = std::env::var(SAVES_FROM).ok().and_then(|round| round.parse().ok()).unwrap_or(0usize);
    println!("READY");
    for round in first.. {
        let library = Library::new(builtin()[..=round % builtin().len()].iter().cloned());
        let kept = keep_presets(&folder.join("presets.toml"), &base, &library);
        let zoom = Settings { zoom_percent: 75 + u32::try_from(round % 200).unwrap(), ..Settings::default() };
        let others = [
            keep_settings(&folder.join("settings.toml"), &Settings::default(), &zoom).err().map(|error| format!("{error:#}")),
            keep_recent(&folder.join("recent.toml"), &[], &[format!("/data/{round}.csv").into()]).err().map(|error| error.to_string()),
            atomic::write(&folder.join("gpu.toml"), GPU.as_bytes()).err().map(|error| error.to_string()),
        ];
        let saved = write_session(&folder.join("a.occuscope"), &session.snapshot());
        if std::env::var_os("OCCUSCOPE_TEST_TELL").is_some() {
            let told = [kept.as_ref().err().map(|error| format!("{error:#}")), saved.err().map(|error| format!("{error:#}"))];
            println!("TOLD {}", told.into_iter().chain(others).flatten().collect::<Vec<_>>().join(" | "));
            std::io::stdout().flush().unwrap();
            return;
        }
        base = kept.map_or(base, |kept| kept.library);
    }
}

fn saver(folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "kept::saves_for_ever_when_asked", "--nocapture"]).env(SAVES_IN, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

#[test]
fn a_kill_at_any_moment_leaves_whole_files() {
    let folder = folder("kills");
    let (presets, session) = (folder.join("presets.toml"), folder.join("a.occuscope"));
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..200u64 {
        let mut child = saver(&folder).env(SAVES_FROM, round.to_string()).spawn().unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("READY") && told.read_line(&mut line).unwrap() > 0 {}
        // From the second round on both files are there: then a kill must not lose them.
        let begun = Instant::now();
        while round == 0 && !(presets.exists() && session.exists()) && begun.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(round * 7 % 40));
        child.kill().unwrap();
        child.wait().unwrap();
        let read = presets_file::read(&fs::read_to_string(&presets).unwrap()).unwrap();
        assert_eq!(read, builtin()[..read.len()], "round {round}");
        seen.insert(read.len());
        for (name, is_whole) in [
            ("settings.toml", (|text| settings_file::read(text).is_ok()) as fn(&str) -> bool),
            ("recent.toml", |text| toml::from_str::<toml::Table>(text).is_ok_and(|table| table.contains_key("files"))),
            ("gpu.toml", |text| text == *GPU),
        ] {
            // The first kill may come before these were ever written.
            if let Ok(text) = fs::read_to_string(folder.join(name)) {
                assert!(is_whole(&text), "round {round}, {name}: {text}");
            } else {
                assert_eq!(round, 0, "{name} was lost");
            }
        }
        assert_eq!(session_file::read(&fs::read_to_string(&session).unwrap(), catalog()).unwrap().reports.len(), 1, "round {round}");
    }
    assert!(seen.len() > 1, "it was killed between different saves: {seen:?}");
    assert!(!folder.join("presets.damaged-1.toml").exists(), "no file was ever found broken");
}

/// A limit on the size of files refuses to write as a full disk does, everywhere and without being root.
#[cfg(unix)]
#[test]
fn where_no_more_can_be_written_the_old_file_stays() {
    let folder = folder("no-room");
    let before = presets_file::write(&builtin()[..1]);
    fs::write(folder.join("presets.toml"), &before).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" --exact kept::saves_for_ever_when_asked --nocapture"]);
    let output = shell.arg(std::env::current_exe().unwrap()).env(SAVES_IN, &folder).env("OCCUSCOPE_TEST_TELL", "1").output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(out.contains("the session cannot be written, ") && out.contains("File too large"), "{out}");
    assert!(!folder.join("a.occuscope").exists());
    presets_file::read(&fs::read_to_string(folder.join("presets.toml")).unwrap()).unwrap();
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".occuscope-")), "{left:?}");
}

/// A disk of 64 KiB, where this process may make one; elsewhere the test above has to do.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_the_old_file() {
    let folder = folder("full-disk");
    let mount = |args: &[&str]| {
        Command::new(args[0]).args(&args[1..]).arg(&folder).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]) {
        eprintln!("skipped: this process may not mount a small disk");
        return;
    }
    let path = folder.join("presets.toml");
    atomic::write(&path, b"before").unwrap();
    let full = atomic::write(&path, &vec![b'x'; 200_000]);
    let after = fs::read(&path).unwrap();
    let names = fs::read_dir(&folder).unwrap().count();
    assert!(mount(&["umount"]));
    assert_eq!(full.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    assert_eq!((after.as_slice(), names), (b"before".as_slice(), 1), "the unfinished file is gone");
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("read-only");
    let path = folder.join("presets.toml");
    fs::write(&path, presets_file::write(&[] as &[Preset])).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let is_refused = fs::File::create_new(folder.join("probe")).is_err();
    let kept = keep_presets(&path, &Library::default(), &Library::new(builtin()[..1].to_vec()));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    if is_refused {
        assert!(format!("{:#}", kept.unwrap_err()).starts_with("the presets cannot be written, "));
        assert_eq!(presets_file::read(&fs::read_to_string(&path).unwrap()).unwrap(), []);
    } else {
        eprintln!("this process may write everywhere: only a folder that nobody can write to is tried");
    }
    // No folder can be made in here, whoever asks.
    let nowhere = Path::new("/proc/self/fd/occuscope/presets.toml");
    let refused = keep_presets(nowhere, &Library::default(), &Library::new(builtin()[..1].to_vec()));
    if cfg!(target_os = "linux") {
        assert!(format!("{:#}", refused.unwrap_err()).starts_with("the presets cannot be written, /proc/self/fd/occuscope/presets.toml"));
    }
}

#[test]
fn a_path_that_was_typed_goes_where_a_dialog_would() {
    let mut session = session();
    let text = "version = 1\n".to_owned();
    session.apply(Action::AskPath { question: PathQuestion::ExportPresets(text.clone()), name: "presets.toml".to_owned() });
    assert_eq!(
        session.path_question().map(|(question, path)| (question.title(), path.as_path())),
        Some(("Export presets to", Path::new("presets.toml")))
    );
    let path = PathBuf::from("/data/mine.toml");
    assert_eq!(session.apply(Action::AnswerPath(Some(path.clone()))), [Effect::WritePresets { path: path.clone(), text }]);
    assert!(session.path_question().is_none());
    assert_eq!(session.apply(Action::AnswerPath(Some(path))), [], "nobody asked");
}
