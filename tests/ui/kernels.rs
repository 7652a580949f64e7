//! The table of kernels: groups, filters, columns, copying, several files, a baseline.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::arch::Catalog;
use occuscope::gui::app::App;
use occuscope::gui::effects::report;
use occuscope::import::SAMPLE_REPORT;
use occuscope::session::{Action, Beside, KernelRef, OpenReport, TableColumn};

use crate::pictures::{THEMES, look};
use crate::window::{act, open_sample, session, window};

type Window = Harness<'static, Option<App>>;

/// The sample, with every kernel launched three times.
fn open_repeated(harness: &mut Window, path: &str) {
    act(harness, Action::AddReport(report(Catalog::builtin(), path.into(), &SAMPLE_REPORT.repeat(3))));
}

/// The sample as it would be after some work: one kernel with fewer registers, one under another name.
fn open_changed(harness: &mut Window, path: &str) {
    let text = String::from_utf8(SAMPLE_REPORT.to_vec()).expect("text");
    let text: String = text
        .lines()
        .map(|line| {
            let line = if line.contains("gemm_128x64_nn") && line.contains("\"Registers Per Thread\"") {
                line.replace("\"122\"", "\"96\"")
            } else {
                line.replace("reduce_partial", "reduce_whole")
            };
            line + "\n"
        })
        .collect();
    act(harness, Action::AddReport(report(Catalog::builtin(), path.into(), text.as_bytes())));
}

fn click(harness: &mut Window, label: &str) {
    harness.get_by_label(label).click();
    harness.run();
}

fn type_filter(harness: &mut Window, text: &str) {
    harness.get_by_role_and_label(egui::Role::TextInput, "Filter by name").click();
    harness.run();
    harness.get_by_role_and_label(egui::Role::TextInput, "Filter by name").type_text(text);
    harness.run();
}

fn press(harness: &mut Window, key: egui::Key) {
    harness.key_press(key);
    harness.run();
}

fn selected(harness: &Window) -> Option<(usize, usize)> {
    session(harness).document().selected.map(|KernelRef { report, kernel }| (report, kernel))
}

fn num_rows(harness: &Window) -> usize {
    harness.get_all_by_role(egui::Role::Row).count()
}

#[test]
fn launches_are_grouped_and_unfolded_by_keys() {
    let mut harness = window([1440.0, 1000.0], 1.0, egui::Theme::Dark);
    open_repeated(&mut harness, "repeated.csv");
    click(&mut harness, "Group launches");
    assert_eq!(num_rows(&harness), 12);
    harness.get_by_label("12 groups · 36 launches · 5,838.0 µs");
    press(&mut harness, egui::Key::ArrowDown);
    assert_eq!(selected(&harness), Some((0, 1)), "the group is its longest launch, the first of equals");
    press(&mut harness, egui::Key::ArrowRight);
    look(&mut harness, "table_unfolded_dark");
    press(&mut harness, egui::Key::ArrowDown);
    press(&mut harness, egui::Key::ArrowDown);
    assert_eq!(selected(&harness), Some((0, 13)), "its second launch");
    press(&mut harness, egui::Key::ArrowLeft);
    press(&mut harness, egui::Key::ArrowLeft);
    assert_eq!(selected(&harness), Some((0, 1)));
    harness.get_by_role_and_label(egui::Role::Button, "Unfold scan_block<float>, 3 launches");
    click(&mut harness, "Unfold softmax_rows, 3 launches");
    harness.get_by_role_and_label(egui::Role::Button, "Fold softmax_rows, 3 launches");
    assert_eq!(selected(&harness), Some((0, 1)), "unfolding selects nothing");
}

#[test]
fn a_filter_is_a_chip_and_is_taken_away_by_a_click() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    type_filter(&mut harness, "R");
    click(&mut harness, "Filter");
    click(&mut harness, "Shared memory (3)");
    look(&mut harness, "table_filter_menu_dark");
    press(&mut harness, egui::Key::Escape);
    look(&mut harness, "table_filtered_dark");
    harness.get_by_label("3 kernels remain");
    click(&mut harness, "Remove this filter: limited by shared memory");
    assert!(harness.query_by_label("3 kernels remain").is_none());
    click(&mut harness, "Clear");
    harness.get_by_label("12 kernels · 1,946.0 µs");
}

#[test]
fn nothing_left_says_so_and_offers_the_way_back() {
    let mut harness = window([800.0, 600.0], 1.0, egui::Theme::Light);
    open_sample(&mut harness);
    type_filter(&mut harness, "no such kernel");
    harness.get_by_label("0 kernels remain");
    click(&mut harness, "Clear the filter");
    harness.get_by_label("12 kernels · 1,946.0 µs");
}

#[test]
fn columns_are_chosen_and_remembered() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    assert!(harness.query_by_label("Sort by: Grid-limited occupancy, percent").is_none(), "there is no room for it");
    click(&mut harness, "Columns");
    click(&mut harness, "Grid-limited occupancy");
    look(&mut harness, "table_columns_dark");
    let chosen = session(&harness).view().table.columns.clone().expect("chosen");
    assert!(chosen.contains(&TableColumn::GridLimited) && chosen.contains(&TableColumn::Achieved));
    click(&mut harness, "As many as fit");
    assert_eq!(session(&harness).view().table.columns, None);
}

#[test]
fn the_selected_row_is_copied_by_keys() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    press(&mut harness, egui::Key::ArrowDown);
    harness.event(egui::Event::Copy);
    harness.step();
    let copied = harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("something was copied");
    let lines: Vec<Vec<&str>> = copied.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0][0], lines[1][0]), ("Kernel", "scan_block<float>"));
    let theoretical = lines[0].iter().position(|title| *title == "Theor., %").expect("a column");
    assert_eq!(lines[1][theoretical], "100");
}

#[test]
fn two_files_have_letters_and_are_compared() {
    for (name, theme) in THEMES {
        let mut harness = window([1440.0, 1200.0], 1.0, theme);
        open_sample(&mut harness);
        open_changed(&mut harness, "after.csv");
        harness.get_by_label("File B");
        harness.get_by_label("24 kernels · 3,892.0 µs");
        look(&mut harness, &format!("table_two_files_{name}"));
        // The second file's menu.
        harness.get_all_by_label("Compare with…").last().expect("a menu").click();
        harness.run();
        harness.get_by_label_contains("A  sample: tail_effect_a100.csv").click();
        harness.run();
        harness.get_by_label("gemm_128x64_nn, changed");
        harness.get_by_label("reduce_whole, new");
        harness.get_by_label("stencil7_tile, same");
        look(&mut harness, &format!("table_compared_{name}"));
        click(&mut harness, "Changed only");
        assert_eq!(num_rows(&harness), 3, "one changed, one new, one gone");
        look(&mut harness, &format!("table_changed_only_{name}"));
        click(&mut harness, "Stop comparing: B compared with baseline A");
        assert_eq!(session(&harness).view().table.baseline, None);
    }
}

#[test]
fn the_table_looks_right_with_several_files() {
    let sizes = [([1280.0, 800.0], 1.0), ([1920.0, 1080.0], 1.0), ([640.0, 400.0], 2.0), ([800.0, 600.0], 1.0)];
    for (name, theme) in THEMES {
        for (size, scale) in sizes {
            let mut harness = window(size, scale, theme);
            open_repeated(&mut harness, "/data/a100_train_step.csv");
            open_changed(&mut harness, "/data/after.csv");
            act(&mut harness, Action::AddReport(report(Catalog::builtin(), "photo.png".into(), b"\x89PNG\r\n\x1a\n....")));
            let mut table = session(&harness).view().table.clone();
            table.is_grouped = true;
            act(&mut harness, Action::SetTable(table));
            press(&mut harness, egui::Key::ArrowRight);
            look(&mut harness, &format!("table_files_{name}_{}x{}@{scale}", size[0], size[1]));
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_says_why_and_can_be_closed() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    let reason = "this is the session page of Nsight Compute, which has no kernels (the GPU was NVIDIA B200); export them with ncu \
                  --import FILE --csv --page raw, or open the binary report itself";
    act(&mut harness, Action::AddReport(OpenReport { path: "/data/session.csv".into(), content: Err(reason.to_owned()) }));
    look(&mut harness, "kernels_unreadable_dark");
    let (close, account) = (harness.get_by_label("Close session.csv").rect(), harness.get_by_label("Where the gap goes").rect());
    assert!(close.right() < account.left(), "{close:?} is covered by what begins at {account:?}");
    harness.get_by_label("Close session.csv").click();
    harness.run();
    assert_eq!(session(&harness).document().reports.len(), 1);
}

/// Every launch of the sample, 50 times over, under a name of its own.
fn open_large(harness: &mut Window, path: &str) {
    let mut large = report(Catalog::builtin(), path.into(), &SAMPLE_REPORT.repeat(50));
    for (index, kernel) in large.content.as_mut().expect("the sample").report.kernels.iter_mut().enumerate() {
        kernel.name = format!("{} {index}", kernel.name);
    }
    act(harness, Action::AddReport(large));
}

#[test]
fn large_files_are_compared_on_a_thread_and_that_can_be_stopped() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    open_large(&mut harness, "old.csv");
    open_large(&mut harness, "new.csv");
    let mut table = session(&harness).view().table.clone();
    table.baseline = Some(occuscope::session::Baseline { old: "old.csv".into(), new: "new.csv".into() });
    // The session alone, so that nothing answers yet.
    let app = harness.state_mut().as_mut().expect("the app");
    app.session.apply(Action::SetTable(table.clone()));
    harness.run();
    harness.get_by_label("Comparing B (600 kernels) with baseline A (600 kernels): 0 %");
    look(&mut harness, "table_comparing_dark");
    assert_eq!(harness.query_all_by_role(egui::Role::Row).count(), 0);
    click(&mut harness, "Cancel");
    assert_eq!((session(&harness).beside(), &session(&harness).view().table.baseline), (&Beside::Nothing, &None));
    assert!(num_rows(&harness) > 5);
    act(&mut harness, Action::SetTable(table));
    for _ in 0..500 {
        if session(&harness).beside().percent().is_none() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
        harness.run();
    }
    harness.run();
    assert!(matches!(session(&harness).beside(), Beside::Known { groups, .. } if groups.0.len() == 600));
    assert!(num_rows(&harness) > 5);
}

/// What has the keyboard, by its name.
fn focused(harness: &Window) -> Option<String> {
    use egui_kittest::kittest::NodeT;
    let id = harness.ctx.memory(egui::Memory::focused)?.accesskit_id();
    let node = harness.root().children_recursive().find(|node| node.accesskit_node().locate().0 == id)?;
    node.accesskit_node().label()
}

#[test]
fn rows_are_reached_walked_and_left_by_keyboard_alone() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_repeated(&mut harness, "repeated.csv");
    for _ in 0..60 {
        press(&mut harness, egui::Key::Tab);
        if focused(&harness).is_some_and(|name| name.starts_with("Rows of the table")) {
            break;
        }
    }
    assert_eq!(focused(&harness).as_deref(), Some("Rows of the table, row 1 of 36"));
    look(&mut harness, "table_focus_dark");
    for (key, kernel) in
        [(egui::Key::ArrowDown, 1), (egui::Key::ArrowDown, 2), (egui::Key::ArrowUp, 1), (egui::Key::End, 35), (egui::Key::Home, 0)]
    {
        press(&mut harness, key);
        assert_eq!(selected(&harness), Some((0, kernel)), "{key:?}");
    }
    press(&mut harness, egui::Key::PageDown);
    let page = selected(&harness).expect("a row").1;
    assert!(page > 4 && page < 35, "{page}");
    press(&mut harness, egui::Key::PageUp);
    assert_eq!(selected(&harness), Some((0, 0)));
    assert_eq!(focused(&harness).as_deref(), Some("Rows of the table, row 1 of 36"), "arrows stay in the rows");
    // Keys of the window still work from here.
    press(&mut harness, egui::Key::H);
    assert!(session(&harness).view().hides_answers);
    press(&mut harness, egui::Key::H);
    press(&mut harness, egui::Key::Tab);
    assert!(focused(&harness).is_some_and(|name| !name.starts_with("Rows of the table")), "Tab leaves");
    harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::Tab);
    harness.run();
    assert!(focused(&harness).is_some_and(|name| name.starts_with("Rows of the table")), "and comes back");
}

#[test]
fn after_a_click_or_a_search_arrows_walk_rows() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    // A control has the keyboard first.
    press(&mut harness, egui::Key::Tab);
    harness.get_by_role_and_label(egui::Role::Row, "softmax_rows").click();
    harness.run();
    let clicked = selected(&harness).expect("a row").1;
    press(&mut harness, egui::Key::ArrowDown);
    assert_eq!(selected(&harness), Some((0, clicked + 1)));
    type_filter(&mut harness, "gemm");
    press(&mut harness, egui::Key::ArrowDown);
    let (kernel, _) = session(&harness).selected().expect("a kernel");
    assert_eq!((kernel.name.as_str(), num_rows(&harness)), ("gemm_128x64_nn", 1));
}

#[test]
fn a_decimal_mark_that_nothing_settles_is_shown_and_can_be_the_other() {
    let text = include_str!("../fixtures/ncu/invented/09_no_evidence.csv");
    let path = std::env::temp_dir().join(format!("occuscope-decimal-{}.csv", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Light);
    act(&mut harness, Action::AddReport(report(Catalog::builtin(), path.clone(), text.as_bytes())));
    let duration =
        |harness: &Window| session(harness).selected().and_then(|(kernel, _)| kernel.measured.duration_ns).map(|read| read.value);
    assert_eq!(duration(&harness), Some(117.344));
    click(&mut harness, "decimal dot?");
    look(&mut harness, "table_decimal_light");
    click(&mut harness, "Read again with a decimal comma");
    let settled = |harness: &mut Window, ready: &dyn Fn(&Window) -> bool| {
        for _ in 0..500 {
            if ready(harness) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
            harness.run();
        }
        panic!("nothing came back");
    };
    settled(&mut harness, &|harness| duration(harness) == Some(117_344.0));
    harness.run();
    harness.get_by_label("decimal comma");
    // By keys, and undone.
    harness.key_press_modifiers(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::D);
    harness.run();
    settled(&mut harness, &|harness| duration(harness) == Some(117.344));
    harness.run();
    harness.get_by_label("decimal dot");
    act(&mut harness, Action::Undo);
    assert_eq!(duration(&harness), Some(117_344.0));
    std::fs::remove_file(&path).expect("a file");
}
