//! What leaves the window: pictures into files and onto the clipboard, the answer as JSON and Markdown.

use std::fs;
use std::time::{Duration, Instant};

use egui::{Key, Modifiers, OutputCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use occuscope::gui::app::App;
use occuscope::gui::render::Contrast;
use occuscope::gui::views::curves::CurvesState;
use occuscope::gui::views::hand_out::model::{Colors, Job, Order, Shown, View};
use occuscope::gui::views::heatmap::HeatmapState;
use occuscope::session::{Action, GpuChoice, PathQuestion, Screen, ToSave};
use occuscope::units::Dim3;

use crate::pictures::{THEMES, look};
use crate::window::{act, open_sample, session, window};

const SHIFT_COMMAND: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// One frame, so that what it puts on the clipboard can be seen after it.
fn press(harness: &mut Harness<'_, Option<App>>, modifiers: Modifiers, key: Key) {
    harness.event(egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers });
    harness.step();
}

/// What a command puts on the clipboard, in the frame in which it comes or in one soon after.
fn copied<R>(harness: &mut Harness<'_, Option<App>>, find: impl Fn(&OutputCommand) -> Option<R>) -> R {
    let begun = Instant::now();
    loop {
        if let Some(found) = harness.output().platform_output.commands.iter().find_map(&find) {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "nothing was copied");
        harness.step();
    }
}

fn text(command: &OutputCommand) -> Option<String> {
    if let OutputCommand::CopyText(text) = command { Some(text.clone()) } else { None }
}

/// The picture of a job, in both kinds.
fn drawn(harness: &Harness<'_, Option<App>>, order: Order) -> ToSave {
    let job = Job {
        order,
        shown: Shown::new(session(harness)),
        is_dark: true,
        contrast: Contrast::Screen,
        heatmap: HeatmapState::default(),
        curves: CurvesState::default(),
        points: Shown::new(session(harness)).points(session(harness)),
        selected: None,
    };
    let Action::SaveFile(file) = job.save() else { panic!("a picture") };
    file
}

#[test]
fn the_answer_is_copied_as_json_and_markdown() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    press(&mut harness, SHIFT_COMMAND, Key::J);
    let json = copied(&mut harness, text);
    let now = session(&harness);
    let (gpu, launch) = (now.gpu().expect("a product"), &now.document().configuration.launch);
    let printed = occuscope::export::occupancy_json(now.arch(), Some(&gpu.name), launch, gpu.num_sms).expect("an object");
    assert_eq!(json, printed);
    assert!(json.contains("\"theoretical_occupancy_percent\": 37.5"), "{json}");
    harness.step();
    press(&mut harness, SHIFT_COMMAND, Key::M);
    let markdown = copied(&mut harness, text);
    assert!(markdown.contains("\n| Theoretical occupancy | 37.5 % |\n"), "{markdown}");
}

#[test]
fn a_picture_is_copied_as_it_is_drawn() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    press(&mut harness, SHIFT_COMMAND, Key::E);
    let image = copied(&mut harness, |command| if let OutputCommand::CopyImage(image) = command { Some(image.clone()) } else { None });
    let file = drawn(&harness, Order::default());
    let png = image::load_from_memory(&file.kinds[1].1).expect("a PNG").to_rgba8();
    assert_eq!(image.size.map(|length| length as u32), [png.width(), png.height()]);
    assert_eq!(image.width(), 1920, "960 points, two pixels each");
    assert_eq!(image.pixels[0].to_array(), png.get_pixel(0, 0).0, "the ground of the dark theme");
}

#[test]
fn the_first_kind_is_the_one_that_was_asked_for_and_both_are_there() {
    let harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    let svg = drawn(&harness, Order { view: View::Curves, ..Order::default() });
    assert_eq!((svg.name.as_str(), svg.kinds[0].0), ("occuscope-curves.svg", "svg"));
    let written = String::from_utf8(svg.kinds[0].1.clone()).expect("text");
    assert!(written.contains("<title>256 threads, 64 registers, 48 KiB on A100 SXM 40 GB</title>"));
    let png = drawn(&harness, Order { is_png: true, scale: 1, colors: Colors::Print, ..Order::default() });
    assert_eq!((png.name.as_str(), png.kinds[0].0), ("occuscope-sm-map.png", "png"));
    let picture = image::load_from_memory(&png.kinds[0].1).expect("a PNG").to_rgba8();
    assert_eq!((picture.width(), picture.get_pixel(2, 2).0), (960, [255, 255, 255, 255]), "print is on white");
}

#[test]
fn a_picture_is_chosen_in_a_dialog_and_saved_under_the_name_that_is_typed() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Light);
    harness.get_by_label("Export").click();
    harness.run();
    harness.get_by_label_contains("Save picture…").click();
    harness.run();
    for choice in ["View: Heatmap", "Kind: PNG", "Colors: For print"] {
        harness.get_by_label(choice).click();
        harness.run();
    }
    harness.get_by_label("Cancel").click();
    harness.run();
    assert!(harness.query_by_label("View: Heatmap").is_none());
    // The system's dialog is not for tests; what follows where there is none is the window's own question.
    let file = drawn(&harness, Order::default());
    let path = std::env::temp_dir().join(format!("occuscope-hand-out-{}.png", std::process::id()));
    act(&mut harness, Action::AskPath { question: PathQuestion::SaveFile(file.clone()), name: file.name.clone() });
    harness.get_by_role_and_label(egui::Role::TextInput, "Path");
    act(&mut harness, Action::AnswerPath(Some(path.clone())));
    let begun = Instant::now();
    while !session(&harness).message().is_some_and(|message| message.starts_with("saved: ")) {
        assert!(begun.elapsed() < Duration::from_mins(2), "{:?}", session(&harness).message());
        harness.step();
    }
    assert!(fs::read(&path).expect("a file") == file.kinds[1].1);
    fs::remove_file(path).expect("it is there");
}

#[test]
fn waves_are_offered_when_there_is_a_grid() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    let has = |harness: &Harness<'_, Option<App>>| Shown::new(session(harness)).has(View::Waves);
    act(&mut harness, Action::SetGrid(None));
    assert!(!has(&harness));
    act(&mut harness, Action::SetGrid(Some(Dim3::linear(1000))));
    assert!(has(&harness));
    let svg = drawn(&harness, Order { view: View::Waves, ..Order::default() });
    assert!(String::from_utf8(svg.kinds[0].1.clone()).expect("text").contains("3 full waves + 28 of 324 blocks."));
}

#[test]
fn the_comparison_is_a_picture_too() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::CompareWith(GpuChoice::Product("H100 SXM".to_owned())));
    let svg = drawn(&harness, Order { view: View::Compare, ..Order::default() });
    assert_eq!(svg.name, "occuscope-compare.svg");
    let text = String::from_utf8(svg.kinds[0].1.clone()).expect("text");
    assert!(text.contains("On A100 SXM 40 GB 37.5 %, on H100 SXM 50 %."), "{}", &text[..600]);
    keep(&svg, "hand_out_compare");
}

#[test]
fn kernels_of_an_open_report_are_on_the_picture_of_the_heatmap() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    let order = Order { view: View::Heatmap, ..Order::default() };
    let before = drawn(&harness, order);
    open_sample(&mut harness);
    act(&mut harness, Action::ShowScreen(Screen::Explore));
    let after = drawn(&harness, order);
    assert!(before.kinds[1].1 != after.kinds[1].1);
    keep(&after, "hand_out_kernels");
}

/// Only writes the picture to be looked at.
fn keep(file: &ToSave, name: &str) {
    if let Some(folder) = std::env::var_os("OCCUSCOPE_PICTURES") {
        fs::create_dir_all(&folder).expect("the folder for pictures");
        fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), &file.kinds[1].1).expect("a saved picture");
    }
}

#[test]
fn nothing_is_handed_out_that_is_hidden() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::HideAnswers(true));
    press(&mut harness, Modifiers::COMMAND, Key::E);
    harness.run();
    assert!(harness.query_by_label("Save…").is_none());
    act(&mut harness, Action::HideAnswers(false));
    press(&mut harness, Modifiers::COMMAND, Key::E);
    harness.run();
    harness.get_by_label("Save…");
}

#[test]
fn the_dialog_begins_with_what_is_on_the_screen() {
    let is_chosen = |harness: &Harness<'_, Option<App>>, view: &str| {
        let label = format!("View: {view}");
        let button = harness.get_by_label(&label);
        button.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    for (screen, view, chosen) in [
        (Screen::Kernels, "Heatmap", Some("Waves")),
        (Screen::Kernels, "Waves", None),
        (Screen::Explore, "SM map", Some("Heatmap")),
        (Screen::Explore, "Heatmap", None),
        (Screen::Kernels, "Heatmap", None),
    ] {
        act(&mut harness, Action::ShowScreen(screen));
        press(&mut harness, Modifiers::COMMAND, Key::E);
        harness.run();
        assert!(is_chosen(&harness, view), "{view} on {screen:?}");
        if let Some(chosen) = chosen {
            let label = format!("View: {chosen}");
            harness.get_by_label(&label).click();
            harness.run();
        }
        press(&mut harness, Modifiers::COMMAND, Key::E);
        harness.run();
    }
}

#[test]
fn the_dialog_looks_right() {
    for (name, theme) in THEMES {
        let mut harness = window([1280.0, 800.0], 1.0, theme);
        press(&mut harness, Modifiers::COMMAND, Key::E);
        harness.run();
        look(&mut harness, &format!("hand_out_{name}"));
        press(&mut harness, Modifiers::COMMAND, Key::E);
        harness.run();
        harness.get_by_label("Export").click();
        harness.run();
        look(&mut harness, &format!("export_menu_{name}"));
    }
}
