//! The presentation: large, stepped by a clicker, hidden and revealed.

use egui::{Key, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::gui::app::App;
use occuscope::learn::lessons;
use occuscope::session::{Action, GpuChoice, Screen, presets};

use crate::learn::go_to;
use crate::pictures::{THEMES, check, look};
use crate::window::{act, open_sample, session, window};

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
fn it_begins_whatever_has_the_keyboard() {
    let mut harness = window(HD.0, HD.1, egui::Theme::Dark);
    for _ in 0..3 {
        press(&mut harness, Key::Tab);
    }
    press(&mut harness, Key::F5);
    harness.get_by_label("Step 4 of 4");
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

/// What is too small to be read from the last row.
fn too_small(harness: &Harness<'_, Option<App>>) -> Vec<(String, f32)> {
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
    assert!(found.len() > 5, "a slide has words");
    let scale = harness.ctx.pixels_per_point();
    found.retain(|(text, size)| size * scale < 18.0 && !text.trim().is_empty());
    found
}

/// Steps through every view of what is presented, and returns how many there are.
fn look_at_all(harness: &mut Harness<'_, Option<App>>, name: &str) -> usize {
    let mut seen = Vec::new();
    loop {
        let slide = harness.state().as_ref().and_then(App::slide).expect("a presentation");
        if seen.contains(&slide) {
            return seen.len();
        }
        seen.push(slide);
        let small = too_small(harness);
        assert!(small.is_empty(), "{name}, {slide:?}: {small:?}");
        press(harness, Key::V);
    }
}

#[test]
fn no_text_is_smaller_than_18_pixels_at_1080() {
    let mut harness = presenting(FULL_HD, egui::Theme::Dark);
    act(&mut harness, Action::SetGrid(Some(occuscope::units::Dim3::linear(1000))));
    for gpu in ["H100 SXM", "RTX 4090"] {
        act(&mut harness, Action::CompareWith(GpuChoice::Product(gpu.to_owned())));
    }
    assert_eq!(look_at_all(&mut harness, "a launch"), 5);
    let presets: Vec<_> = presets::all(&session(&harness).document().library).cloned().collect();
    for preset in presets {
        let name = preset.name.clone();
        act(&mut harness, Action::UsePreset(Box::new(preset)));
        look_at_all(&mut harness, &name);
    }
}

#[test]
fn no_text_of_a_lesson_is_smaller_either() {
    let mut harness = presenting(FULL_HD, egui::Theme::Light);
    for (index, lesson) in lessons().iter().enumerate() {
        for step in 0..lesson.steps.len() {
            go_to(&mut harness, index, step);
            let small = too_small(&harness);
            assert!(small.is_empty(), "{}, step {step}: {small:?}", lesson.id);
            look(&mut harness, &format!("present_lesson_{}_{step:02}_light_1080", index + 1));
        }
    }
}

/// The sample report on Kernels, presented.
fn presenting_kernels(at: ([f32; 2], f32), theme: egui::Theme) -> Harness<'static, Option<App>> {
    let mut harness = window(at.0, at.1, theme);
    open_sample(&mut harness);
    act(&mut harness, Action::ShowScreen(Screen::Kernels));
    press(&mut harness, Key::F5);
    harness
}

fn selected(harness: &Harness<'_, Option<App>>) -> usize {
    session(harness).document().selected.expect("a kernel").kernel
}

#[test]
fn the_clicker_steps_through_the_kernels_of_the_table() {
    let mut harness = presenting_kernels(HD, egui::Theme::Dark);
    let count = session(&harness).document().kernels().count();
    let first = selected(&harness);
    harness.get_by_label(&format!("Kernel {} of {count}", first + 1));
    for (key, expected) in
        [(Key::PageDown, 1), (Key::Space, 2), (Key::ArrowLeft, 1), (Key::ArrowDown, 2), (Key::PageUp, 1), (Key::ArrowUp, 0)]
    {
        press(&mut harness, key);
        assert_eq!(selected(&harness), first + expected, "{key:?}");
    }
    press(&mut harness, Key::PageUp);
    assert_eq!(selected(&harness), first, "nothing comes before the first");
    for _ in 0..=count {
        press(&mut harness, Key::PageDown);
    }
    harness.get_by_label(&format!("Kernel {count} of {count}"));
    press(&mut harness, Key::V);
    press(&mut harness, Key::PageUp);
    harness.get_by_label(&format!("Kernel {} of {count}", count - 1));
}

#[test]
fn the_slide_of_a_kernel_has_its_occupancies_its_gap_and_its_waves() {
    let mut harness = presenting_kernels(FULL_HD, egui::Theme::Light);
    let at = session(&harness).document().kernels().find(|(_, kernel, _)| kernel.name == "gemm_128x64_nn").expect("it is there").0;
    act(&mut harness, Action::SelectKernel(Some(at)));
    for said in ["25.0", "20.4", "19.1", "1 full wave + 136", "gemm_128x64_nn"] {
        assert!(harness.query_all_by_label_contains(said).next().is_some(), "{said}");
    }
    press(&mut harness, Key::H);
    assert!(harness.query_by_label("20.4").is_none());
    harness.get_by_label_contains("How much of an SM does it fill");
}

#[test]
fn no_text_about_a_kernel_is_smaller_than_18_pixels() {
    let mut harness = presenting_kernels(FULL_HD, egui::Theme::Dark);
    for index in 0..session(&harness).document().kernels().count() {
        let name = session(&harness).selected().expect("a kernel").0.name.clone();
        look(&mut harness, &format!("present_kernel_{index}_dark_1080"));
        assert!(look_at_all(&mut harness, &name) >= 4, "{name}");
        press(&mut harness, Key::PageDown);
    }
}

#[test]
fn the_heatmap_of_a_presentation_has_the_kernels_of_the_report() {
    let mut harness = presenting_kernels(HD, egui::Theme::Dark);
    press(&mut harness, Key::V);
    press(&mut harness, Key::V);
    look(&mut harness, "present_kernels_on_heatmap_dark_720");
    let name = session(&harness).selected().expect("a kernel").0.name.clone();
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
    assert!(found.iter().any(|(text, _)| text.starts_with(&name)), "{name} has a plate at its mark");
}

#[test]
fn a_compiled_kernel_is_presented_without_a_launch() {
    let mut harness = window(HD.0, HD.1, egui::Theme::Light);
    go_to(&mut harness, 8, 4);
    act(&mut harness, Action::ShowScreen(Screen::Kernels));
    press(&mut harness, Key::F5);
    harness.get_by_label_contains("A compiler does not know the launch.");
    look(&mut harness, "present_compiled_light_720");
    press(&mut harness, Key::V);
    look(&mut harness, "present_changes_light_720");
    harness.get_by_label("Spill stores: 8 B, then 48 B");
    press(&mut harness, Key::V);
    harness.get_by_label_contains("A compiler does not know the launch.");
}

#[test]
fn the_slide_of_the_map_is_as_it_was_on_black_at_1080() {
    check(&mut presenting(FULL_HD, egui::Theme::Dark), "present_map_dark_1080");
}

#[test]
fn the_slide_of_the_map_is_as_it_was_on_white_at_1080() {
    check(&mut presenting(FULL_HD, egui::Theme::Light), "present_map_light_1080");
}

#[test]
fn the_slide_of_a_kernel_is_as_it_was_on_black() {
    check(&mut presenting_kernels(FULL_HD, egui::Theme::Dark), "present_kernel_dark_1080");
}

#[test]
fn the_slide_of_a_kernel_is_as_it_was_on_white() {
    check(&mut presenting_kernels(HD, egui::Theme::Light), "present_kernel_light");
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
    let presets: Vec<_> = presets::all(&session(&harness).document().library).cloned().collect();
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
    let lesson = &lessons()[0];
    for action in lesson.go_to(0, session(&harness)) {
        act(&mut harness, action);
    }
    press(&mut harness, Key::F5);
    let step = |harness: &Harness<'_, Option<App>>| session(harness).view().lesson.as_ref().expect("a lesson").step;
    for (key, expected) in [(Key::PageDown, 1), (Key::Space, 2), (Key::PageUp, 1), (Key::ArrowDown, 2), (Key::ArrowLeft, 1)] {
        press(&mut harness, key);
        assert_eq!(step(&harness), expected, "{key:?}");
        harness.get_by_label(&format!("Lesson, step {} of {}", expected + 1, lesson.steps.len()));
        let title = &lesson.steps[expected].title;
        assert!(harness.query_all_by_label_contains(title).next().is_some() || harness.query_by_label_contains("Theoretical").is_some());
    }
}

#[test]
fn a_presented_lesson_ends_with_its_last_step() {
    let mut harness = window(HD.0, HD.1, egui::Theme::Dark);
    let last = lessons()[0].steps.len() - 1;
    go_to(&mut harness, 0, last + 1);
    press(&mut harness, Key::F5);
    let step = |harness: &Harness<'_, Option<App>>| session(harness).view().lesson.as_ref().expect("a lesson").step;
    for (key, expected) in [(Key::PageUp, last), (Key::PageDown, last), (Key::PageUp, last - 1), (Key::PageDown, last)] {
        press(&mut harness, key);
        assert_eq!(step(&harness), expected, "{key:?}");
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

#[test]
fn the_zoom_is_kept_while_the_presentation_goes_on() {
    let mut harness = presenting(HD, egui::Theme::Dark);
    for _ in 0..5 {
        harness.event(egui::Event::Zoom(1.05));
        harness.step();
    }
    assert_eq!(session(&harness).settings().present_zoom_percent, 100, "not at every small turn of the wheel");
    harness.run_steps(4);
    assert_eq!(session(&harness).settings().present_zoom_percent, 128);
}
