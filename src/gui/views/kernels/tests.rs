//! The rows of the table without a window.

use std::sync::Arc;

use super::filter::Filter;
use super::rows::{Row, Sort, Table};
use crate::arch::Catalog;
use crate::import::account::account;
use crate::import::{Format, Kernel, Position, Read, Report};
use crate::session::{Action, Baseline, KernelRef, OpenReport, ReadReport, Session, TableColumn, TableView};

fn kernel(name: &str, registers: u32, achieved: f64, duration_ns: f64) -> Kernel {
    let mut kernel = Kernel::measured(name, registers, achieved);
    kernel.measured.duration_ns = Some(Read::exact(duration_ns, Position::default()));
    kernel
}

fn report(path: &str, kernels: Vec<Kernel>) -> Action {
    let accounts = kernels.iter().map(|kernel| account(kernel, Catalog::builtin(), None)).collect();
    let report = Report { format: Format::Raw, tool_version: None, notes: Vec::new(), decimal: None, kernels };
    Action::AddReport(OpenReport { path: path.into(), content: Ok(ReadReport { report, accounts }) })
}

/// Two kernels with several launches, and one with a single one.
fn session(table: TableView) -> Session {
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    session.apply(report(
        "a.csv",
        vec![
            kernel("gemm", 64, 40.0, 100.0),
            kernel("copy", 16, 90.0, 600.0),
            kernel("gemm", 64, 44.0, 300.0),
            kernel("gemm", 64, 30.0, 200.0),
            kernel("gemm", 128, 20.0, 400.0),
            kernel("copy", 16, 80.0, 400.0),
        ],
    ));
    session.apply(Action::SetTable(table));
    session
}

fn grouped() -> Session {
    session(TableView { is_grouped: true, ..TableView::default() })
}

fn at(report: usize, kernel: usize) -> KernelRef {
    KernelRef { report, kernel }
}

fn updated(session: &Session, sort: Sort, filter: &Filter) -> Table {
    let mut table = Table::default();
    table.update(session, sort, filter);
    table
}

fn names(table: &Table, session: &Session) -> Vec<String> {
    table.rows.iter().map(|row| table.facts(session, *row).expect("a row").label()).collect()
}

#[test]
fn launches_of_one_kernel_and_shape_are_one_row() {
    let session = grouped();
    let table = updated(&session, Sort::default(), &Filter::default());
    assert_eq!(names(&table, &session), ["gemm, 3 launches", "copy, 2 launches", "gemm"]);
    let facts = table.facts(&session, Row::Group(0)).expect("a group");
    assert_eq!((facts.achieved_percent(), facts.duration_ns(), facts.share_percent()), (Some(40.0), Some(600.0), Some(30.0)));
    assert_eq!(facts.achieved_kind(), Some("median"));
    assert_eq!(table.facts(&session, Row::Group(1)).expect("a group").achieved_percent(), Some(85.0));
    assert_eq!(table.launch_of(Row::Group(0)), Some(at(0, 2)), "the longest launch");
    assert_eq!((table.counts.rows, table.counts.launches, table.counts.duration_ns), (3, 6, Some(2000.0)));
}

#[test]
fn a_group_unfolds_into_its_launches_in_the_order_of_the_table() {
    let session = grouped();
    let sort = Sort { column: Some(TableColumn::Duration), descending: true };
    let mut table = updated(&session, sort, &Filter::default());
    let place = table.rows.iter().position(|row| table.launch_of(*row) == Some(at(0, 2))).expect("a row");
    let row = table.rows[place];
    table.unfold(row, true);
    table.update(&session, sort, &Filter::default());
    assert_eq!(table.rows[place + 1..place + 4], [at(0, 2), at(0, 3), at(0, 0)].map(Row::Launch));
    assert!(table.is_selected(Row::Launch(at(0, 3)), Some(at(0, 3))) && !table.is_selected(row, Some(at(0, 3))));
    table.unfold(row, false);
    table.update(&session, sort, &Filter::default());
    assert!(table.rows.len() == 3 && table.is_selected(row, Some(at(0, 3))));
}

#[test]
fn a_group_of_one_does_not_unfold() {
    let session = grouped();
    let mut table = updated(&session, Sort::default(), &Filter::default());
    table.unfold(Row::Group(2), true);
    table.update(&session, Sort::default(), &Filter::default());
    assert_eq!(table.rows.len(), 3);
}

#[test]
fn filters_add_up_and_limiters_are_counted_without_themselves() {
    let session = session(TableView::default());
    let mut filter = Filter { min_share_percent: 15.0, ..Filter::default() };
    let table = updated(&session, Sort::default(), &filter);
    assert_eq!(table.rows, [at(0, 1), at(0, 2), at(0, 4), at(0, 5)].map(Row::Launch));
    assert_eq!(table.counts.by_limiter, [2, 0, 2, 0, 0], "two by warps, two by registers");
    filter.toggle_limiter(crate::engine::Resource::Registers);
    let table = updated(&session, Sort::default(), &filter);
    assert_eq!(table.rows, [at(0, 2), at(0, 4)].map(Row::Launch));
    assert_eq!(table.counts.by_limiter, [2, 0, 2, 0, 0]);
    filter.min_gap_points = 5.5;
    let table = updated(&session, Sort::default(), &filter);
    assert_eq!((table.rows.clone(), table.counts.all_rows), (vec![Row::Launch(at(0, 2))], 6));
}

#[test]
fn rows_are_sorted_by_their_limiter() {
    let session = session(TableView::default());
    let sort = Sort { column: Some(TableColumn::Limiters), descending: false };
    let table = updated(&session, sort, &Filter::default());
    assert_eq!(names(&table, &session), ["copy", "copy", "gemm", "gemm", "gemm", "gemm"], "warps, then registers");
}

#[test]
fn beside_a_baseline_every_kernel_has_its_word() {
    let mut session = session(TableView::default());
    session.apply(report("b.csv", vec![kernel("copy", 16, 84.9, 1010.0), kernel("gemm", 72, 33.0, 600.0), kernel("scan", 32, 50.0, 5.0)]));
    let baseline = Some(Baseline { old: "a.csv".into(), new: "b.csv".into() });
    session.apply(Action::SetTable(TableView { baseline, ..TableView::default() }));
    let table = updated(&session, Sort::default(), &Filter::default());
    assert_eq!(names(&table, &session), ["copy, changed", "gemm, changed", "scan, new"]);
    let facts = table.facts(&session, table.rows[1]).expect("a row");
    assert_eq!(facts.number(TableColumn::RegistersChange), Some(8.0));
    assert_eq!(facts.text(TableColumn::TheoreticalChange), "\u{2212}12.5");
    assert!(facts.in_words().contains("registers 64 → 72"), "{}", facts.in_words());
    let launches = table.facts(&session, table.rows[0]).expect("a row").change().expect("a change").in_words();
    assert_eq!(launches, "launches 2 → 1");
}

#[test]
fn what_is_gone_comes_last_and_what_is_the_same_can_be_left_out() {
    let mut session = session(TableView::default());
    session.apply(report("b.csv", vec![kernel("copy", 16, 90.4, 590.0), kernel("copy", 16, 80.0, 400.0)]));
    let baseline = Some(Baseline { old: "a.csv".into(), new: "b.csv".into() });
    session.apply(Action::SetTable(TableView { baseline, ..TableView::default() }));
    let table = updated(&session, Sort::default(), &Filter::default());
    assert_eq!(names(&table, &session), ["copy, 2 launches, same", "gemm, 4 launches, gone"]);
    let table = updated(&session, Sort::default(), &Filter { changed_only: true, ..Filter::default() });
    assert_eq!(names(&table, &session), ["gemm, 4 launches, gone"]);
}

#[test]
fn compiled_kernels_are_compared_with_another_compiler() {
    let log = |path: &str, text: &[u8]| Action::AddReport(crate::gui::effects::report(Catalog::builtin(), path.into(), text));
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    session.apply(log("old.txt", include_bytes!("../../../../assets/lessons/logs/ptxas_11.8.89.txt")));
    session.apply(log("new.txt", include_bytes!("../../../../assets/lessons/logs/ptxas_13.5.37.txt")));
    let baseline = Some(Baseline { old: "old.txt".into(), new: "new.txt".into() });
    session.apply(Action::SetTable(TableView { baseline, ..TableView::default() }));
    let mut table = Table::default();
    table.update(&session, Sort::default(), &Filter { changed_only: true, ..Filter::default() });
    let facts: Vec<_> = table.rows.iter().map(|row| table.facts(&session, *row).expect("a row")).collect();
    let changes: Vec<String> = facts.iter().map(|facts| facts.change().expect("a change").in_words()).collect();
    assert_eq!(changes, ["bytes of spill stores 8 → 48", "registers 64 → 66"]);
    assert_eq!(facts[1].text(TableColumn::RegistersChange), "+2");
    assert_eq!(facts[1].text(TableColumn::Change), "changed");
}
