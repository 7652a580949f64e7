//! The page of settings, and what they change.

use egui_kittest::kittest::{NodeT, Queryable};
use occuscope::fmt::{NumberStyle, OccupancyUnit, SizeUnit};
use occuscope::session::settings::Settings;
use occuscope::session::{Action, Chart, ThemeChoice};

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
