//! Laws of undo over any list of actions, each kind of action among them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use occuscope::arch::{Catalog, ComputeCapability};
use occuscope::engine::{CachePreference, Launch, LaunchBounds, PartitionedCaching};
use occuscope::import::account::account;
use occuscope::import::{DecimalMark, Progress, SAMPLE_REPORT, read_report};
use occuscope::session::presets::{Library, Preset, builtin};
use occuscope::session::saved::{code, session as session_file};
use occuscope::session::settings::Settings;
use occuscope::session::snapshot::Fingerprint;
use occuscope::session::{
    Action, BlockTimes, Chart, Compared, Configuration, Document, GpuChoice, KernelRef, LazyText, LessonPlace, OpenReport, PathQuestion,
    Pixels, Placed, ReadReport, Readings, Screen, Session, Speed, TableView, ThemeChoice, ToSave,
};
use occuscope::units::Dim3;
use proptest::prelude::*;

static SESSION: LazyLock<Session> = LazyLock::new(|| Session::new(Arc::new(Catalog::with_textbook().clone())));

/// The sample under two names, read once.
static REPORTS: LazyLock<[OpenReport; 2]> = LazyLock::new(|| {
    ["/data/a.csv", "/data/b.csv"].map(|path| {
        let report = read_report(SAMPLE_REPORT).unwrap();
        let accounts = report.kernels.iter().map(|kernel| account(kernel, Catalog::with_textbook(), None)).collect();
        OpenReport { path: path.into(), content: Ok(ReadReport { report, accounts }) }
    })
});

/// How many kinds [`action`] has.
const KINDS: usize = 81;

/// An action of a kind, with values that two small numbers choose. Some make no sense in most sessions: those are taken too.
#[expect(clippy::too_many_lines, reason = "a list")]
fn action(kind: usize, a: u32, b: u32, session: &Session) -> Action {
    let gpu = || GpuChoice::Product(["A100 SXM 40 GB", "H100 SXM", "T4", "nobody knows it"][a as usize % 4].to_owned());
    let launch = Launch::new(32 * (1 + a % 32), 1 + b * 37 % 255);
    let preset = || Preset { name: format!("preset {}", a % 3), ..builtin()[b as usize % builtin().len()].clone() };
    let path = REPORTS[a as usize % 2].path.clone();
    let name = format!("preset {}", a % 3);
    let flag = a.is_multiple_of(2);
    let text = || LazyText::new(|| "text".to_owned());
    let to_save = || ToSave { name: "a.svg".to_owned(), kinds: vec![("svg", b"<svg/>".to_vec())] };
    match kind {
        0 => Action::SelectGpu(gpu()),
        1 => Action::SetBlock(Dim3::linear(a)),
        2 => Action::SetRegistersPerThread(b),
        3 => Action::SetStaticSmemBytes(u64::from(a) * 1000),
        4 => Action::SetDynamicSmemBytes(u64::from(a) * 1000),
        5 => Action::SetOptIn(flag),
        6 => Action::SetMaxDynamicSmemBytes(flag.then_some(u64::from(b) * 1000)),
        7 => Action::SetCarveoutPercent(flag.then_some(b)),
        8 => Action::SetCachePreference([CachePreference::None, CachePreference::L1][a as usize % 2]),
        9 => Action::SetPartitionedCaching([PartitionedCaching::Off, PartitionedCaching::On][a as usize % 2]),
        10 => Action::SetBarriersPerBlock(a),
        11 => Action::SetClusterSize(a),
        12 => Action::SetLaunchBounds(flag.then_some(LaunchBounds { max_threads_per_block: b, min_blocks_per_sm: Some(a) })),
        13 => Action::SetGrid(flag.then_some(Dim3::new(a, b, 1))),
        14 => Action::SetLaunch(launch),
        15 => Action::SetConfiguration(Configuration { gpu: gpu(), launch }),
        16 => Action::PinConfiguration,
        17 => Action::Unpin,
        18 => Action::UsePreset(Box::new(preset())),
        19 => Action::AddPresets(vec![preset()]),
        20 => Action::ReplacePreset { name, preset: Box::new(Preset { name: format!("preset {}", b % 5), ..preset() }) },
        21 => Action::DuplicatePreset(name),
        22 => Action::MovePreset { name, to: b as usize % 4 },
        23 => Action::DeletePreset(name),
        24 => Action::ImportPresets,
        25 => Action::ExportPresets(vec![preset()]),
        26 => Action::PasteText(code::write(&preset())),
        27 => Action::MergeLibrary { base: Arc::clone(&session.document().library), theirs: Arc::new(Library::new([preset()])) },
        28 => Action::SetSettings(Box::new(Settings { zoom_percent: 75 + b, ..Settings::default() })),
        29 => Action::TakeKept { settings: Box::default(), recent: vec![path] },
        30 => Action::SaveSession,
        31 => Action::SaveSessionAs,
        32 => Action::SessionSaved(path),
        33 => {
            let text = session_file::write(&session.snapshot(), 0);
            let restored = Box::new(session_file::read(&text, &session.catalog).unwrap());
            Action::TakeSession { restored, file: flag.then(|| "/data/a.occuscope".into()), message: "opened".to_owned() }
        }
        34 => Action::NoteFingerprint { path, fingerprint: Fingerprint::of(SAMPLE_REPORT) },
        35 => Action::ForgetRecent,
        36 => Action::AskPath { question: PathQuestion::Open, name: "a".to_owned() },
        37 => Action::AnswerPath(flag.then_some(path)),
        38 => Action::Say("said".to_owned()),
        39 => Action::CompareWith(gpu()),
        40 => Action::StopComparing(gpu()),
        41 => Action::SaveGpu { arch: Box::new(session.arch().clone()), gpu: Box::new(session.catalog.gpus()[0].clone()) },
        42 => Action::DeleteGpu(ComputeCapability::new(8, 0)),
        43 => {
            let catalog = if flag { Ok(Arc::clone(&session.catalog)) } else { Err("no catalog".to_owned()) };
            Action::SetCatalog { catalog, choose: Some(gpu()) }
        }
        44 => Action::EndGesture,
        45 => Action::OpenFile,
        46 => Action::OpenPaths(vec![path, "/data/presets.toml".into(), "/data/a.occuscope".into()]),
        47 => Action::OpenSample,
        48 => Action::ReadProgress { path, progress: Progress { bytes_read: 1, bytes_total: 2, num_kernels: 3 } },
        49 => Action::CancelReading(path),
        50 => Action::AddReport(REPORTS[a as usize % 2].clone()),
        51 => {
            let old = session.document().reports.first().cloned().unwrap_or_else(|| Arc::new(REPORTS[0].clone()));
            let new = Arc::new(OpenReport { path: old.path.clone(), ..REPORTS[1].clone() });
            Action::ReplaceReport(Box::new(Readings { old, new }.compare(&session.catalog)))
        }
        52 => Action::FileChanged(path),
        53 => Action::FileVanished(path),
        54 => Action::CloseReport(a as usize % 3),
        55 => Action::SetReportGpu { report: a as usize % 3, gpu: "A100 SXM 40 GB".to_owned() },
        56 => Action::SelectKernel(flag.then_some(KernelRef { report: a as usize % 3, kernel: b as usize % 14 })),
        57 => Action::ExploreKernel(KernelRef { report: a as usize % 2, kernel: b as usize % 14 }),
        58 => Action::ShowScreen([Screen::Explore, Screen::Kernels, Screen::Learn][a as usize % 3]),
        59 => Action::ShowChart([Chart::Heatmap, Chart::Curves, Chart::Compare][a as usize % 3]),
        60 => Action::SetTheme([ThemeChoice::System, ThemeChoice::Dark, ThemeChoice::Light][a as usize % 3]),
        61 => Action::ShowMore(flag),
        62 => Action::SetTable(TableView { is_watching: flag, is_grouped: b.is_multiple_of(2), ..TableView::default() }),
        63 => Action::PlaceBlocks(flag.then_some(b as usize)),
        64 => Action::Place(Placed { blocks: flag.then_some(b as usize), resources: a as usize }),
        65 => Action::Play(flag),
        66 => Action::SetSpeed([Speed::Slow, Speed::Normal, Speed::Fast][a as usize % 3]),
        67 => Action::SetFineSteps(flag),
        68 => Action::HideAnswers(flag),
        69 => Action::ShowLesson(flag.then(|| LessonPlace { lesson: "an-sm".to_owned(), step: b as usize })),
        70 => Action::CopyText("text".to_owned()),
        71 => Action::CopyLazyText(text()),
        72 => Action::SaveText { file_name: "a.txt".to_owned(), text: text() },
        73 => Action::SaveFile(to_save()),
        74 => Action::CopyPicture(Pixels { size: [1, 1], rgba: vec![0; 4] }),
        75 => Action::TextSaved(if flag { Ok(path) } else { Err("refused".to_owned()) }),
        76 => [Action::Undo, Action::Redo][a as usize % 2].clone(),
        77 => {
            let report = Arc::new(REPORTS[0].clone());
            Action::CompareProgress { readings: Readings { old: Arc::clone(&report), new: report }, percent: 50 }
        }
        78 => {
            let readings = Readings { old: Arc::new(REPORTS[0].clone()), new: Arc::new(REPORTS[1].clone()) };
            let compared = Compared { old: 0, new: 1, readings };
            Action::TakeComparison { compared, groups: None }
        }
        79 => Action::ReadWithMark { report: a as usize % 3, mark: [DecimalMark::Dot, DecimalMark::Comma][b as usize % 2] },
        80 => Action::SetBlockTimes(BlockTimes { spread_percent: u8::try_from(b % 101).unwrap(), seed: a.into() }),
        _ => unreachable!("{kind} of {KINDS}"),
    }
}

/// The name of an action without its values.
fn kind_of(action: &Action) -> String {
    format!("{action:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}

#[test]
fn every_kind_of_action_is_tried() {
    let tried: BTreeSet<String> = (0..KINDS).flat_map(|kind| (0..2).map(move |a| kind_of(&action(kind, a, 1, &SESSION)))).collect();
    let source = include_str!("../../src/session/action.rs");
    let list = source.split("pub enum Action {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap();
    // A variant begins a line with four spaces and a capital letter.
    let variants = list.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| line.starts_with(char::is_uppercase));
    let all: BTreeSet<String> = variants.map(|line| line.chars().take_while(char::is_ascii_alphanumeric).collect()).collect();
    assert_eq!(tried, all);
}

/// A document without the presets, which another window may change at any time, in every document that undo knows.
fn own(document: &Document) -> Document {
    Document { library: Arc::default(), ..document.clone() }
}

fn any_actions() -> impl Strategy<Value = Vec<(usize, u32, u32)>> {
    proptest::collection::vec((0..KINDS, 0..40u32, 0..300u32), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// After any actions: redo takes back undo, and undoing everything leads to where it began.
    #[test]
    fn undo_and_redo_are_inverse_after_any_actions(actions in any_actions()) {
        let mut session = SESSION.clone();
        for (kind, a, b) in actions {
            let next = action(kind, a, b, &session);
            // The settings of a window's start may choose its GPU, and that is no step.
            session.apply(next);
            let document = session.document();
            prop_assert!(document.selected.is_none_or(|at| document.kernel(at).is_some()), "a selection that exists");
            prop_assert!(document.compared.len() <= Document::MAX_COMPARED);
        }
        while session.can_redo() {
            session.apply(Action::Redo);
        }
        let last = session.document().clone();
        let mut steps = 0;
        while session.can_undo() {
            let before = session.document().clone();
            session.apply(Action::Undo);
            session.apply(Action::Redo);
            prop_assert_eq!(session.document(), &before);
            session.apply(Action::Undo);
            steps += 1;
        }
        prop_assert_eq!(own(session.document()), own(SESSION.document()));
        for _ in 0..steps {
            session.apply(Action::Redo);
        }
        prop_assert_eq!(session.document(), &last);
        prop_assert!(!session.can_redo());
    }

    /// After any actions, what is saved is what comes back.
    #[test]
    fn a_session_is_read_as_written_after_any_actions(actions in any_actions()) {
        let mut session = SESSION.clone();
        for (kind, a, b) in actions {
            let next = action(kind, a, b, &session);
            session.apply(next);
        }
        let text = session_file::write(&session.snapshot(), usize::MAX);
        let restored = session_file::read(&text, &session.catalog).unwrap();
        let (ours, theirs) = (session.document(), &restored.document);
        prop_assert_eq!((&ours.configuration, &ours.pinned, &ours.compared), (&theirs.configuration, &theirs.pinned, &theirs.compared));
        prop_assert_eq!(ours.selected, theirs.selected);
        let paths = |reports: Vec<&Path>| reports.into_iter().map(Path::to_owned).collect::<Vec<PathBuf>>();
        prop_assert_eq!(
            paths(ours.reports.iter().map(|report| report.path.as_path()).collect()),
            paths(restored.reports.iter().map(|report| report.path.as_path()).collect())
        );
        for (our, their) in ours.reports.iter().zip(&restored.reports) {
            prop_assert_eq!(our, their.kept.as_ref().unwrap(), "value by value");
        }
    }
}
