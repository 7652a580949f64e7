//! The panel of presets and the keys 1 to 9.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::gui::app::App;
use occuscope::session::presets::{Preset, builtin};
use occuscope::session::{Action, GpuChoice, PathQuestion};

use crate::pictures::{THEMES, look};
use crate::window::{act, session, window};

fn press(harness: &mut Harness<'_, Option<App>>, modifiers: egui::Modifiers, key: egui::Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run();
}

fn own(harness: &Harness<'_, Option<App>>) -> Vec<String> {
    session(harness).document().library.presets().iter().map(|preset| preset.name.clone()).collect()
}

fn with_own(names: [&str; 3]) -> Vec<Preset> {
    names.map(|name| Preset { name: name.to_owned(), tags: vec!["course".to_owned()], ..builtin()[0].clone() }).to_vec()
}

#[test]
fn a_number_takes_a_preset() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Num4);
    assert_eq!(session(&harness).document().configuration, builtin()[3].configuration);
    harness.get_by_role_and_label(egui::Role::TextInput, "Registers per thread").click();
    harness.run();
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Num1);
    assert_ne!(session(&harness).document().configuration, builtin()[0].configuration, "in a field it is a digit");
}

#[test]
fn the_current_launch_is_saved_and_named_by_keyboard() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::SetRegistersPerThread(77));
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::D);
    assert_eq!(own(&harness), ["256 threads, 77 registers, A100 SXM 40 GB"]);
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::A);
    harness.get_by_role_and_label(egui::Role::TextInput, "Name").type_text("mine");
    harness.run();
    look(&mut harness, "presets_edit_dark");
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(own(&harness), ["mine"]);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Escape);
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::Z);
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(own(&harness), [""; 0]);
    press(&mut harness, egui::Modifiers::COMMAND.plus(egui::Modifiers::SHIFT), egui::Key::Z);
    assert_eq!(own(&harness), ["256 threads, 77 registers, A100 SXM 40 GB"]);
}

#[test]
fn the_list_is_worked_by_keys() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::AddPresets(with_own(["a", "b", "c"])));
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::P);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::ArrowDown);
    press(&mut harness, egui::Modifiers::ALT, egui::Key::ArrowDown);
    assert_eq!(own(&harness), ["b", "a", "c"]);
    press(&mut harness, egui::Modifiers::ALT, egui::Key::ArrowUp);
    assert_eq!(own(&harness), ["a", "b", "c"]);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::ArrowDown);
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::D);
    assert_eq!(own(&harness), ["a", "b", "b copy", "c"]);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Delete);
    assert_eq!(own(&harness), ["a", "b copy", "c"]);
    harness.get_by_label("Undo: Delete preset \"b\"").click();
    harness.run();
    assert_eq!(own(&harness), ["a", "b", "b copy", "c"]);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Escape);
    assert!(harness.query_by_label("Search presets").is_none());
}

#[test]
fn a_search_and_enter_take_a_preset() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    harness.get_by_role_and_label(egui::Role::Button, "Presets").click();
    harness.run();
    harness.get_by_label("Search presets").type_text("barriers h100");
    harness.run();
    press(&mut harness, egui::Modifiers::NONE, egui::Key::ArrowDown);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(session(&harness).gpu_name(), "H100 SXM");
    assert!(harness.query_by_label("Search presets").is_none(), "it closes");
}

#[test]
fn a_code_is_pasted_wherever_the_keyboard_is() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    harness.get_by_role_and_label(egui::Role::TextInput, "Registers per thread").click();
    harness.run();
    harness.event(egui::Event::Paste("occuscope:1; gpu=T4; block=64; name=pasted".to_owned()));
    harness.run();
    assert_eq!(session(&harness).document().configuration.gpu, GpuChoice::Product("T4".to_owned()));
    assert_eq!(own(&harness), ["pasted"]);
}

#[test]
fn the_panel_looks_right() {
    for (name, theme) in THEMES {
        for (size, scale) in [([1280.0, 800.0], 1.0), ([1920.0, 1080.0], 1.0), ([800.0, 600.0], 1.0), ([640.0, 400.0], 2.0)] {
            let mut harness = window(size, scale, theme);
            look(&mut harness, &format!("presets_inputs_{name}_{}@{scale}", size[0]));
            act(
                &mut harness,
                Action::AddPresets(with_own([
                    "Warm-up",
                    "A name that is much too long for the column that it is in, and goes on",
                    "Third",
                ])),
            );
            act(&mut harness, Action::SetRegistersPerThread(99));
            press(&mut harness, egui::Modifiers::COMMAND, egui::Key::P);
            look(&mut harness, &format!("presets_{name}_{}@{scale}", size[0]));
            press(&mut harness, egui::Modifiers::NONE, egui::Key::ArrowDown);
            press(&mut harness, egui::Modifiers::NONE, egui::Key::F2);
            look(&mut harness, &format!("presets_edit_{name}_{}@{scale}", size[0]));
        }
    }
}

#[test]
fn a_path_is_typed_where_there_is_no_dialog() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    let question = PathQuestion::SaveSession(Box::new(session(&harness).snapshot()));
    act(&mut harness, Action::AskPath { question, name: "session.occuscope".to_owned() });
    look(&mut harness, "ask_path_dark");
    harness.get_by_role_and_label(egui::Role::TextInput, "Path");
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Escape);
    assert!(session(&harness).path_question().is_none(), "Escape leaves it");
}

#[test]
fn a_preset_is_dragged_to_its_place() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::AddPresets(with_own(["a", "b", "c"])));
    press(&mut harness, egui::Modifiers::COMMAND, egui::Key::P);
    let place = |harness: &Harness<'_, Option<App>>, name: &str| {
        let label = format!("{name}, occupancy 37.5 %");
        harness
            .get_by(|node| node.role() == egui::accesskit::Role::ListItem && node.label().is_some_and(|words| words.starts_with(&label)))
            .rect()
    };
    let (from, to) = (place(&harness, "a").center(), place(&harness, "c").center_bottom() - egui::vec2(0.0, 4.0));
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + egui::vec2(0.0, 12.0));
    harness.run();
    harness.hover_at(to);
    harness.run();
    look(&mut harness, "presets_drag_dark");
    assert_eq!(own(&harness), ["a", "b", "c"], "not before it is dropped");
    harness.drop_at(to);
    harness.run();
    assert_eq!(own(&harness), ["b", "c", "a"]);
    harness.get_by_label("Undo: Move preset \"a\"").click();
    harness.run();
    assert_eq!(own(&harness), ["a", "b", "c"]);
}
