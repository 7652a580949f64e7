//! The page of settings, and what they change.

use egui_kittest::kittest::{NodeT, Queryable};
use occuscope::fmt::{NumberStyle, OccupancyUnit, SizeUnit};
use occuscope::gui::app::App;
use occuscope::session::settings::Settings;
use occuscope::session::{Action, Chart, Screen, ThemeChoice};

use crate::pictures::{THEMES, look};
use crate::window::{act, session, window};

#[test]
fn settings_take_effect_at_once_and_are_reset() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Comma);
    harness.run();
    harness.get_by_label("Sizes: 48 KB").click();
    harness.run();
    assert_eq!(session(&harness).settings().numbers.sizes, SizeUnit::Kb);
    harness.get_by_label("Larger").click();
    harness.run();
    assert_eq!(session(&harness).settings().zoom_percent, 125);
    assert!((harness.ctx.zoom_factor() - 1.25).abs() < 1e-6);
    harness.get_by_label("Palette: High contrast").click();
    harness.run();
    look(&mut harness, "settings_high_contrast_dark");
    assert_eq!(harness.ctx.global_style().visuals.panel_fill, occuscope::gui::theme::tokens::PROJECTOR_DARK.bg);
    harness.get_by_label("Theme: Light").click();
    harness.run();
    assert_eq!(session(&harness).view().theme, ThemeChoice::Light);
    harness.get_by_label("Reset settings").click();
    harness.run();
    assert_eq!(*session(&harness).settings(), Settings::default());
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Reset settings").is_none());
}

#[test]
fn curves_begin_in_warps() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    act(
        &mut harness,
        Action::SetSettings(Box::new(Settings {
            numbers: NumberStyle { occupancy: OccupancyUnit::Warps, ..NumberStyle::default() },
            ..Settings::default()
        })),
    );
    act(&mut harness, Action::ShowChart(Chart::Curves));
    look(&mut harness, "curves_in_warps");
    assert!(harness.get_by_label("Warps").accesskit_node().toggled().is_some_and(|on| on == egui::accesskit::Toggled::True));
}

#[test]
fn an_occupancy_is_in_warps_wherever_it_is_shown() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    let said = |harness: &egui_kittest::Harness<'_, Option<App>>, words: &str| {
        let says = |text: Option<String>| text.is_some_and(|text| text.contains(words));
        let nodes = harness.query_all_by(|node| says(node.label()) || says(node.value()));
        nodes.filter_map(|node| node.accesskit_node().label().or_else(|| node.accesskit_node().value())).collect::<Vec<_>>()
    };
    let has = |harness: &egui_kittest::Harness<'_, Option<App>>, words: &str| !said(harness, words).is_empty();
    assert!(has(&harness, "Theoretical occupancy 37.5 percent"));
    let numbers = NumberStyle { occupancy: OccupancyUnit::Warps, sizes: SizeUnit::Bytes, ..NumberStyle::default() };
    act(&mut harness, Action::SetSettings(Box::new(Settings { numbers, ..Settings::default() })));
    look(&mut harness, "warps_and_bytes_explore_dark");
    for words in [
        "Theoretical occupancy 24 of 64 warps",
        "24 of 64 warps theoretical occupancy, 3 blocks per SM, 37.5 %",
        "3 blocks resident, 37.5 %, 24 of 64 warps theoretical occupancy",
        "49,152 B dynamic shared memory",
    ] {
        assert!(has(&harness, words), "{words}");
    }
    let in_kib: Vec<String> = said(&harness, "KiB").into_iter().filter(|text| !text.contains("Tiled matmul, 48 KiB")).collect();
    assert_eq!(in_kib, [""; 0], "but for a preset's name");
    act(&mut harness, Action::ShowChart(Chart::Curves));
    look(&mut harness, "warps_and_bytes_curves_dark");
    act(&mut harness, Action::ShowChart(Chart::Compare));
    look(&mut harness, "warps_and_bytes_compare_dark");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
    harness.run();
    assert!(has(&harness, "Tiled matmul, 48 KiB, occupancy 24 of 64 warps"));
    look(&mut harness, "warps_and_bytes_presets_dark");
    harness.key_press(egui::Key::Escape);
    harness.run();
    crate::window::open_sample(&mut harness);
    look(&mut harness, "warps_and_bytes_kernels_dark");
    assert!(has(&harness, "Sort by: Theoretical occupancy, warps per SM"));
    assert!(has(&harness, "Sort by: Shared memory per block in bytes"));
    harness.key_press(egui::Key::F5);
    harness.run();
    act(&mut harness, Action::ShowScreen(Screen::Explore));
    look(&mut harness, "warps_and_bytes_present_dark");
}

#[test]
fn with_reduced_motion_nothing_slides() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    let seconds = |harness: &egui_kittest::Harness<'_, Option<App>>| {
        let style = harness.ctx.global_style();
        (style.animation_time, style.scroll_animation.duration.max, style.visuals.text_cursor.blink)
    };
    let usual = seconds(&harness);
    assert!(usual.0 > 0.0 && usual.1 > 0.0 && usual.2);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Comma);
    harness.run();
    harness.get_by_label("Motion: Reduced").click();
    harness.run();
    assert_eq!(seconds(&harness), (0.0, 0.0, false));
    harness.get_by_label("Palette: High contrast").click();
    harness.run();
    assert_eq!(seconds(&harness), (0.0, 0.0, false), "in other colors too");
    harness.get_by_label("Motion: Full").click();
    harness.run();
    assert_eq!(seconds(&harness), usual);
}

#[test]
fn a_mistake_in_the_program_is_told_and_work_goes_on() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::SetRegistersPerThread(77));
    let ctx = harness.ctx.clone();
    harness.state_mut().as_mut().expect("the app").guard(&ctx, |_| panic!("a test of what a panic looks like"));
    harness.run();
    look(&mut harness, "stopped_dark");
    harness.get_by_label("a test of what a panic looks like");
    harness.get_by_label("Copy a report for a bug").click();
    harness.run();
    harness.get_by_label("Go on").click();
    harness.run();
    assert!(harness.query_by_label("Go on").is_none());
    assert_eq!(session(&harness).document().configuration.launch.registers_per_thread, 77);
}

#[test]
fn undo_names_what_it_takes_back() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::SetRegistersPerThread(72));
    let undo =
        |node: &egui_kittest::kittest::AccessKitNode<'_>| node.label().is_some_and(|label| label.starts_with("Undo: Set registers to 72"));
    harness.get_by(undo);
    act(&mut harness, Action::Undo);
    let redo =
        |node: &egui_kittest::kittest::AccessKitNode<'_>| node.label().is_some_and(|label| label.starts_with("Redo: Set registers to 72"));
    harness.get_by(redo);
}

#[test]
fn the_page_looks_right() {
    for (name, theme) in THEMES {
        for (size, scale) in [([1280.0, 800.0], 1.0), ([800.0, 600.0], 1.0), ([640.0, 400.0], 2.0)] {
            let mut harness = window(size, scale, theme);
            harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Comma);
            harness.run();
            look(&mut harness, &format!("settings_{name}_{}@{scale}", size[0]));
        }
        let mut harness = window([1280.0, 800.0], 1.0, theme);
        act(&mut harness, Action::SessionSaved("/data/course/week-2.occuscope".into()));
        harness.get_by_label("Open…").click();
        harness.run();
        look(&mut harness, &format!("open_menu_{name}"));
    }
}
