//! Files that are written again while they are open: actions in, document and words out.

use std::path::PathBuf;
use std::sync::Arc;

use occuscope::arch::Catalog;
use occuscope::import::account::account;
use occuscope::import::read_report;
use occuscope::session::{Action, Effect, KernelRef, OpenReport, ReadReport, Screen, Session, TableView};

const SAMPLE: &str = include_str!("../../assets/samples/tail_effect_a100.csv");

fn opened(path: &str, text: &str) -> OpenReport {
    let content = read_report(text.as_bytes()).map_err(|error| error.to_string()).map(|report| {
        let accounts = report.kernels.iter().map(|kernel| account(kernel, Catalog::builtin(), None)).collect();
        ReadReport { report, accounts }
    });
    OpenReport { path: PathBuf::from(path), content }
}

fn session() -> Session {
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    session.apply(Action::AddReport(opened("report.csv", SAMPLE)));
    session
}

/// The lines without those of some kernels, another name for one, other registers for another.
fn changed_sample() -> String {
    let lines = SAMPLE.lines().filter(|line| !line.contains("\"scan_block<float>\""));
    let change = |line: &str| {
        let line = line.replace("reduce_partial", "reduce_whole");
        let is_registers = line.contains("\"gemm_128x64_nn\"") && line.contains("\"Registers Per Thread\"");
        if is_registers { line.replace("\"122\"", "\"96\"") } else { line }
    };
    lines.map(|line| change(line) + "\n").collect()
}

/// The file changes and is read again, as the window would do it.
fn write_again(session: &mut Session, text: &str) {
    let path = PathBuf::from("report.csv");
    assert_eq!(session.apply(Action::FileChanged(path.clone())), [Effect::ReadFiles(vec![path])]);
    take_in(session, opened("report.csv", text));
}

/// A file was read; if it is open already, the two readings are compared, as the window would do it.
pub fn take_in(session: &mut Session, report: OpenReport) -> Vec<Effect> {
    let effects = session.apply(Action::AddReport(report));
    let [Effect::CompareReadings(readings)] = &effects[..] else { return effects };
    let replacement = readings.clone().compare(&session.catalog);
    session.apply(Action::ReplaceReport(Box::new(replacement)))
}

fn selected_name(session: &Session) -> Option<&str> {
    session.selected().map(|(kernel, _)| kernel.name.as_str())
}

#[test]
fn open_files_are_watched_while_that_is_wanted() {
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    let effects = session.apply(Action::AddReport(opened("report.csv", SAMPLE)));
    assert_eq!(effects, [Effect::WatchFiles(vec!["report.csv".into()])]);
    assert_eq!(session.apply(Action::SelectKernel(None)), []);
    let off = TableView { is_watching: false, ..TableView::default() };
    assert_eq!(session.apply(Action::SetTable(off)), [Effect::WatchFiles(Vec::new())]);
    assert_eq!(session.apply(Action::FileChanged("report.csv".into())), [], "too late");
    assert_eq!(session.apply(Action::SetTable(TableView::default())), [Effect::WatchFiles(vec!["report.csv".into()])]);
    assert_eq!(session.apply(Action::CloseReport(0)), [Effect::WatchFiles(Vec::new())]);
    assert_eq!(session.apply(Action::Undo), [Effect::WatchFiles(vec!["report.csv".into()])]);
}

#[test]
fn a_file_that_was_written_again_keeps_the_selection_and_says_what_changed() {
    let mut session = session();
    session.apply(Action::SelectKernel(Some(KernelRef { report: 0, kernel: 4 })));
    session.apply(Action::ShowScreen(Screen::Explore));
    assert_eq!(selected_name(&session), Some("stencil7_tile"));
    write_again(&mut session, &changed_sample());
    assert_eq!(session.message(), Some("report.csv was written again: 1 kernel changed, 1 new, 2 gone"));
    assert_eq!(session.document().selected, Some(KernelRef { report: 0, kernel: 3 }));
    assert_eq!(selected_name(&session), Some("stencil7_tile"));
    assert_eq!(session.view().screen, Screen::Explore, "nobody is taken away from what they look at");
    session.apply(Action::Undo);
    assert_eq!(session.document().kernels().count(), 11, "undo does not bring the old reading back");
}

#[test]
fn the_same_text_again_changes_nothing() {
    let mut session = session();
    write_again(&mut session, SAMPLE);
    assert_eq!(session.message(), Some("report.csv was written again: no kernel changed"));
}

#[test]
fn a_launch_keeps_its_place_among_its_like() {
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    session.apply(Action::AddReport(opened("report.csv", &SAMPLE.repeat(3))));
    let gemms: Vec<usize> =
        session.document().kernels().filter(|(_, kernel, _)| kernel.name == "gemm_128x64_nn").map(|(at, ..)| at.kernel).collect();
    session.apply(Action::SelectKernel(Some(KernelRef { report: 0, kernel: gemms[2] })));
    write_again(&mut session, &changed_sample().repeat(2));
    let at = session.document().selected.expect("a selection");
    assert_eq!((selected_name(&session), at.kernel), (Some("gemm_128x64_nn"), 11), "the last of two");
}

#[test]
fn a_selected_kernel_that_is_gone_is_said() {
    let mut session = session();
    session.apply(Action::SelectKernel(Some(KernelRef { report: 0, kernel: 1 })));
    write_again(&mut session, &changed_sample());
    assert_eq!(session.document().selected, None);
    assert!(session.message().is_some_and(|message| message.ends_with("2 gone; the selected kernel is gone")), "{:?}", session.message());
}

#[test]
fn a_file_that_cannot_be_read_any_more_keeps_its_kernels() {
    let mut session = session();
    write_again(&mut session, "");
    assert_eq!(session.document().kernels().count(), 12);
    let message = session.message().expect("a message");
    assert!(
        message.starts_with("report.csv was written again, but ") && message.ends_with("its kernels from before are kept"),
        "{message}"
    );
}

#[test]
fn a_file_that_vanished_is_kept_and_said() {
    let mut session = session();
    session.apply(Action::FileVanished("report.csv".into()));
    assert_eq!(session.message(), Some("report.csv is no longer there; its kernels are kept: report.csv"));
    assert!(session.has_vanished("report.csv".as_ref()) && session.document().kernels().count() == 12);
    write_again(&mut session, SAMPLE);
    assert!(!session.has_vanished("report.csv".as_ref()));
}

#[test]
fn a_file_that_changes_while_it_is_read_is_read_once_more() {
    let mut session = session();
    session.apply(Action::FileChanged("report.csv".into()));
    assert_eq!(session.apply(Action::FileChanged("report.csv".into())), []);
    let effects = take_in(&mut session, opened("report.csv", SAMPLE));
    assert!(
        matches!(&effects[..], [Effect::Discard(_), Effect::ReadFiles(paths)] if paths == &[PathBuf::from("report.csv")]),
        "{effects:?}"
    );
}

#[test]
fn what_happens_while_readings_are_compared_is_kept() {
    let mut session = session();
    session.apply(Action::FileChanged("report.csv".into()));
    let effects = session.apply(Action::AddReport(opened("report.csv", &changed_sample())));
    let [Effect::CompareReadings(readings)] = &effects[..] else { panic!("{effects:?}") };
    let replacement = readings.clone().compare(Catalog::builtin());
    assert_eq!(session.reading().len(), 1, "it is being read until it is shown");
    session.apply(Action::SelectKernel(Some(KernelRef { report: 0, kernel: 4 })));
    session.apply(Action::SetReportGpu { report: 0, gpu: "T4".to_owned() });
    let again = session.apply(Action::ReplaceReport(Box::new(replacement)));
    let [Effect::CompareReadings(readings)] = &again[..] else { panic!("{again:?}") };
    session.apply(Action::ReplaceReport(Box::new(readings.clone().compare(Catalog::builtin()))));
    assert_eq!((selected_name(&session), session.reading().len()), (Some("stencil7_tile"), 0));
}

#[test]
fn a_file_that_was_closed_while_it_was_read_again_stays_closed() {
    let mut session = session();
    session.apply(Action::FileChanged("report.csv".into()));
    let effects = session.apply(Action::AddReport(opened("report.csv", SAMPLE)));
    let [Effect::CompareReadings(readings)] = &effects[..] else { panic!("{effects:?}") };
    session.apply(Action::CloseReport(0));
    let effects = session.apply(Action::ReplaceReport(Box::new(readings.clone().compare(Catalog::builtin()))));
    assert!(matches!(&effects[..], [Effect::Discard(_)]), "{effects:?}");
    assert!(session.document().reports.is_empty() && session.reading().is_empty());
}
