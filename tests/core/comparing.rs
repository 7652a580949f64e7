//! Two open files that are compared: actions in, what is to be done and what is known out.

use std::ops::ControlFlow;
use std::sync::Arc;

use occuscope::arch::Catalog;
use occuscope::import::account::account;
use occuscope::import::{SAMPLE_REPORT, read_report};
use occuscope::session::{Action, Baseline, Beside, Compared, Effect, OpenReport, ReadReport, Session, TableView};

/// The sample so many times over, its launches under names of their own.
fn opened(path: &str, times: usize) -> OpenReport {
    let mut report = read_report(&SAMPLE_REPORT.repeat(times)).expect("the sample");
    for (index, kernel) in report.kernels.iter_mut().enumerate() {
        kernel.name = format!("{} {index}", kernel.name);
    }
    let accounts = report.kernels.iter().map(|kernel| account(kernel, Catalog::builtin(), None)).collect();
    OpenReport { path: path.into(), content: Ok(ReadReport { report, accounts }) }
}

fn session(times: usize) -> Session {
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    session.apply(Action::SetTable(TableView { is_watching: false, ..TableView::default() }));
    session.apply(Action::AddReport(opened("old.csv", times)));
    session.apply(Action::AddReport(opened("new.csv", times)));
    session
}

fn with_baseline(old: &str) -> Action {
    let baseline = Some(Baseline { old: old.into(), new: "new.csv".into() });
    Action::SetTable(TableView { baseline, is_watching: false, ..TableView::default() })
}

/// The comparison that was asked for.
fn asked(effects: &[Effect]) -> Compared {
    match effects {
        [.., Effect::CompareFiles(compared)] => compared.clone(),
        other => panic!("{other:?}"),
    }
}

fn found(compared: &Compared) -> Action {
    Action::TakeComparison { compared: compared.clone(), groups: compared.groups(&mut |_| ControlFlow::Continue(())) }
}

#[test]
fn small_files_are_compared_at_once() {
    let mut session = session(1);
    assert_eq!(session.apply(with_baseline("old.csv")), []);
    let Beside::Known { groups, .. } = session.beside() else { panic!("{:?}", session.beside()) };
    assert_eq!(groups.0.len(), 12);
    session.apply(Action::CloseReport(0));
    assert_eq!(*session.beside(), Beside::Nothing);
}

#[test]
fn large_files_are_compared_elsewhere_and_tell_how_far_that_is() {
    let mut session = session(50);
    let compared = asked(&session.apply(with_baseline("old.csv")));
    assert_eq!((compared.num_kernels(), session.beside().percent()), ([600, 600], Some(0)));
    session.apply(Action::CompareProgress { readings: compared.readings.clone(), percent: 40 });
    assert_eq!(session.beside().percent(), Some(40));
    assert_eq!(session.apply(found(&compared)), []);
    let Beside::Known { groups, .. } = session.beside() else { panic!("{:?}", session.beside()) };
    assert_eq!(groups.0.len(), 600);
    assert_eq!(session.apply(Action::EndGesture), [], "the same pair is not compared again");
}

#[test]
fn another_wish_stops_the_comparison_and_its_answer_comes_too_late() {
    let mut session = session(50);
    let first = asked(&session.apply(with_baseline("old.csv")));
    let effects = session.apply(Action::SetTable(TableView { is_watching: false, ..TableView::default() }));
    assert_eq!(effects, [Effect::StopComparing(first.readings.clone())]);
    assert!(matches!(session.apply(found(&first))[..], [Effect::DiscardGroups(_)]));
    assert_eq!(*session.beside(), Beside::Nothing);
}

#[test]
fn a_comparison_that_is_told_to_break_off_has_no_answer() {
    let mut session = session(50);
    let compared = asked(&session.apply(with_baseline("old.csv")));
    let mut shares = Vec::new();
    let stopped = compared.groups(&mut |share| {
        shares.push(share);
        if share >= 0.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(stopped.is_none() && shares.is_sorted() && shares.last().is_some_and(|share| *share < 1.0), "{shares:?}");
}

#[test]
fn another_reading_of_a_compared_file_is_compared_anew() {
    let mut session = session(50);
    let first = asked(&session.apply(with_baseline("old.csv")));
    session.apply(found(&first));
    let effects = session.apply(Action::AddReport(opened("new.csv", 51)));
    let [Effect::CompareReadings(readings)] = &effects[..] else { panic!("{effects:?}") };
    let replacement = readings.clone().compare(&session.catalog);
    let second = asked(&session.apply(Action::ReplaceReport(Box::new(replacement))));
    assert_eq!((second.num_kernels(), session.beside().percent()), ([600, 612], Some(0)));
}

#[test]
fn a_failed_comparison_ends_and_is_said() {
    let mut session = session(50);
    let compared = asked(&session.apply(with_baseline("old.csv")));
    session.apply(Action::TakeComparison { compared, groups: None });
    assert_eq!((session.beside(), &session.view().table.baseline), (&Beside::Nothing, &None));
    assert!(session.message().is_some_and(|message| message.starts_with("comparing the two files failed")));
}
