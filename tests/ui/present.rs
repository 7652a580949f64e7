//! The presentation: large, stepped by a clicker, hidden and revealed.

use egui::{Key, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::gui::app::App;
use occuscope::session::Action;

use crate::pictures::{THEMES, check, look};
use crate::window::{act, session, window};

/// 1080 pixels high, in the points of a slide.
const FULL_HD: ([f32; 2], f32) = ([1163.0, 654.0], 1.651_4);
const HD: ([f32; 2], f32) = ([1163.0, 654.0], 1.101);

fn presenting((size, scale): ([f32; 2], f32), theme: egui::Theme) -> Harness<'static, Option<App>> {
    let mut harness = window(size, scale, theme);
    harness.key_press(Key::F5);
    harness.run();
    harness
}

fn press(harness: &mut Harness<'_, Option<App>>, key: Key) {
    harness.key_press(key);
    harness.run();
}

fn texts(shape: &Shape, found: &mut Vec<(String, f32)>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, found)),
        Shape::Text(text) => {
            let job = &text.galley.job;
            found.extend(job.sections.iter().map(|section| (job.text.clone(), section.format.font_id.size)));
        }
        _ => {}
    }
}

#[test]
fn a_clicker_steps_forward_and_back() {
    let mut harness = presenting(HD, egui::Theme::Dark);
    harness.get_by_label("Step 4 of 4");
    harness.get_by_label("Theoretical occupancy 37.5 %: 3 blocks, 24 of 64 warps");
    for (key, step) in [(Key::PageUp, 3), (Key::ArrowLeft, 2), (Key::Home, 0), (Key::PageDown, 1), (Key::Space, 2), (Key::End, 4)] {
        press(&mut harness, key);
        harness.get_by_label(&format!("Step {step} of 4"));
    }
    press(&mut harness, Key::ArrowLeft);
    harness.get_by_label_contains("3 blocks are on the SM. Is there room for another? Warp slots 24 of 64 used");
}

#[test]
fn an_answer_is_hidden_until_it_is_wanted() {
    let mut harness = presenting(HD, egui::Theme::Dark);
    press(&mut harness, Key::H);
    assert!(harness.query_by_label_contains("37.5 %").is_none());
    harness.get_by_label_contains("What stops the next block, and how many fit?");
    press(&mut harness, Key::H);
    harness.get_by_label_contains("Shared memory stops block 4.");
}

#[test]
fn escape_leaves_everything_as_it_was() {
    let mut harness = presenting(HD, egui::Theme::Light);
    assert!(harness.query_by_label("Open…").is_none(), "one view and nothing else");
    let before = session(&harness).document().clone();
    for key in [Key::V, Key::V, Key::S, Key::B, Key::T, Key::Escape] {
        press(&mut harness, key);
    }
    harness.get_by_label("Open…");
    assert!(session(&harness).document() == &before);
}

#[test]
fn the_first_step_out_of_the_dark_only_shows_the_slide_again() {
    let mut harness = presenting(HD, egui::Theme::Dark);
    for key in [Key::B, Key::PageUp] {
        press(&mut harness, key);
    }
    harness.get_by_label("Step 4 of 4");
    press(&mut harness, Key::PageUp);
    harness.get_by_label("Step 3 of 4");
}

#[test]
fn a_spotlight_follows_the_pointer_and_a_blank_slide_is_black() {
    let mut harness = presenting(HD, egui::Theme::Light);
    harness.hover_at(egui::pos2(400.0, 300.0));
    press(&mut harness, Key::S);
    look(&mut harness, "present_spotlight");
    let light = harness.render().expect("a picture");
    // On the ground of the slide: lit around the pointer, dim far from it.
    let brightness = |picture: &image::RgbaImage, x: f32, y: f32| picture.get_pixel((x * HD.1) as u32, (y * HD.1) as u32).0[0];
    let (near, far) = (brightness(&light, 400.0, 303.0), brightness(&light, 1000.0, 505.0));
    assert!(near > 200 && far < 120, "{near} {far}");
    press(&mut harness, Key::B);
    let blank = harness.render().expect("a picture");
    assert_eq!([(400.0, 300.0), (20.0, 20.0), (900.0, 600.0)].map(|(x, y)| brightness(&blank, x, y)), [0, 0, 0]);
}

#[test]
fn no_text_is_smaller_than_18_pixels_at_1080() {
    let mut harness = presenting(FULL_HD, egui::Theme::Dark);
    act(&mut harness, Action::SetGrid(Some(occuscope::units::Dim3::linear(1000))));
    for slide in 0..4 {
        let mut found = Vec::new();
        harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
        assert!(found.len() > 10, "slide {slide} has words");
        for (text, size) in found {
            assert!(size * FULL_HD.1 >= 18.0, "\"{text}\" has {size} points");
        }
        press(&mut harness, Key::V);
    }
}

#[test]
fn slides_look_right() {
    for (name, theme) in THEMES {
        for ((size, scale), pixels) in [(FULL_HD, 1080), (HD, 720)] {
            let mut harness = presenting((size, scale), theme);
            for slide in ["map", "heatmap", "curves"] {
                look(&mut harness, &format!("present_{slide}_{name}_{pixels}"));
                press(&mut harness, Key::V);
            }
            press(&mut harness, Key::ArrowLeft);
            press(&mut harness, Key::ArrowLeft);
            press(&mut harness, Key::S);
            harness.hover_at(egui::pos2(400.0, 300.0));
            harness.run();
            look(&mut harness, &format!("present_step_{name}_{pixels}"));
        }
    }
}

#[test]
fn a_slide_says_when_nothing_can_be_launched() {
    let mut harness = window(HD.0, HD.1, egui::Theme::Dark);
    act(&mut harness, Action::SetRegistersPerThread(255));
    act(&mut harness, Action::SetBlock(occuscope::units::Dim3::linear(1024)));
    press(&mut harness, Key::F5);
    harness.get_by_label_contains("Cannot launch.");
    look(&mut harness, "present_cannot_dark");
}

#[test]
fn the_slide_of_the_map_is_as_it_was_on_black() {
    check(&mut presenting(HD, egui::Theme::Dark), "present_map_dark");
}

#[test]
fn the_slide_of_the_map_is_as_it_was_on_white() {
    check(&mut presenting(HD, egui::Theme::Light), "present_map_light");
}

#[test]
fn waves_have_a_slide_when_there_is_a_grid() {
    let mut harness = window(HD.0, HD.1, egui::Theme::Dark);
    act(&mut harness, Action::SetGrid(Some(occuscope::units::Dim3::linear(1000))));
    press(&mut harness, Key::F5);
    for _ in 0..3 {
        press(&mut harness, Key::V);
    }
    harness.get_by_label("3 full waves + 28 of 324 blocks.");
    look(&mut harness, "present_waves_dark");
    press(&mut harness, Key::H);
    assert!(harness.query_by_label("3 full waves + 28 of 324 blocks.").is_none(), "it would tell the answer");
    press(&mut harness, Key::H);
    act(&mut harness, Action::SetGrid(None));
    harness.get_by_label("Step 4 of 4");
}

#[test]
fn up_and_down_step_through_the_presets() {
    let mut harness = presenting(HD, egui::Theme::Dark);
    let presets: Vec<_> = occuscope::session::presets::all(&session(&harness).document().library).cloned().collect();
    let at = |harness: &Harness<'_, Option<App>>| session(harness).document().configuration.clone();
    assert_eq!(at(&harness), presets[0].configuration);
    press(&mut harness, Key::ArrowUp);
    assert_eq!(at(&harness), presets[0].configuration, "nothing comes before the first");
    press(&mut harness, Key::ArrowDown);
    press(&mut harness, Key::ArrowDown);
    assert_eq!(at(&harness), presets[2].configuration);
    press(&mut harness, Key::ArrowUp);
    assert_eq!(at(&harness), presets[1].configuration);
}

#[test]
fn a_lesson_is_stepped_by_the_clicker() {
    let mut harness = window(HD.0, HD.1, egui::Theme::Dark);
    let lesson = &occuscope::learn::lessons()[0];
    for action in lesson.go_to(0, session(&harness)) {
        act(&mut harness, action);
    }
    press(&mut harness, Key::F5);
    let step = |harness: &Harness<'_, Option<App>>| session(harness).view().lesson.as_ref().expect("a lesson").step;
    for (key, expected) in [(Key::PageDown, 1), (Key::Space, 2), (Key::PageUp, 1), (Key::ArrowDown, 2), (Key::ArrowLeft, 1)] {
        press(&mut harness, key);
        assert_eq!(step(&harness), expected, "{key:?}");
        let title = &lesson.steps[expected].title;
        assert!(harness.query_all_by_label_contains(title).next().is_some() || harness.query_by_label_contains("Theoretical").is_some());
    }
}

#[test]
fn the_zoom_is_kept_for_the_next_presentation() {
    let mut harness = presenting(HD, egui::Theme::Dark);
    let fits = harness.ctx.zoom_factor();
    for _ in 0..2 {
        harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::Plus);
        harness.run();
    }
    let larger = harness.ctx.zoom_factor();
    assert!((larger / fits - 1.2).abs() < 0.02, "{fits} {larger}");
    press(&mut harness, Key::Escape);
    assert_eq!(session(&harness).settings().present_zoom_percent, 120);
    assert!((harness.ctx.zoom_factor() - 1.0).abs() < 1e-6, "the window keeps its own");
    press(&mut harness, Key::F5);
    assert!((harness.ctx.zoom_factor() - larger).abs() < 0.02);
    harness.event(egui::Event::Zoom(1.25));
    harness.run();
    press(&mut harness, Key::Escape);
    assert_eq!(session(&harness).settings().present_zoom_percent, 150);
}
