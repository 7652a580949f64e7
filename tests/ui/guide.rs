//! The guide that comes with the window.

use egui_kittest::kittest::Queryable;

use crate::pictures::{THEMES, look};
use crate::window::window;

#[test]
fn f1_opens_the_guide_and_escape_closes_it() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    assert!(harness.query_by_label("In a minute").is_none());
    harness.key_press(egui::Key::F1);
    harness.run();
    harness.get_by_label("In a minute");
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert!(harness.query_by_label("In a minute").is_none());
}

#[test]
fn the_guide_has_the_licenses() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    harness.key_press(egui::Key::F1);
    harness.run();
    harness.run_steps(4);
    harness.get_by_label("Licenses").click();
    harness.run();
    look(&mut harness, "licenses_dark");
    harness.get_by_label_contains("is licensed under either of");
    harness.run_steps(4);
    harness.get_by_label("Guide").click();
    harness.run();
    harness.get_by_label("In a minute");
}

#[test]
fn the_guide_fits_every_window() {
    for (name, theme) in THEMES {
        let mut harness = window([1280.0, 800.0], 1.0, theme);
        harness.key_press(egui::Key::F1);
        harness.run();
        look(&mut harness, &format!("guide_{name}"));
        harness.get_by_label("Close");
    }
    let mut harness = window([640.0, 480.0], 2.0, egui::Theme::Dark);
    harness.key_press(egui::Key::F1);
    harness.run();
    look(&mut harness, "guide_small");
    harness.get_by_label("Close");
}
