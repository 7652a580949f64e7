//! Zooming and panning the heatmap: by wheel, keys, buttons and drag, told by the accessible name.

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use occuscope::engine::Launch;
use occuscope::gui::views::heatmap::{Axes, HeatmapEvent, Mode};

use crate::heatmap::{Scene, cells, click, heatmap};
use crate::pictures::{THEMES, look};

const SIZE: [f32; 2] = [832.0, 356.0];

fn scene() -> Harness<'static, Scene> {
    heatmap(SIZE, egui::Theme::Dark, 1.0, Scene::tiled())
}

/// The range that the accessible name says is shown; none for the whole.
fn shown(harness: &Harness<'_, Scene>) -> Option<String> {
    let name = harness.get_by_label_contains("Occupancy by registers per thread").accesskit_node().label().unwrap_or_default();
    name.split_once("Zoomed in, showing ").map(|(_, shown)| shown.to_owned())
}

fn wheel(harness: &mut Harness<'_, Scene>, at: Pos2, delta: Vec2, modifiers: Modifiers) {
    harness.hover_at(at);
    harness.step();
    harness.event_modifiers(
        Event::MouseWheel { unit: MouseWheelUnit::Point, delta, phase: TouchPhase::Move, source: MouseWheelSource::Unknown, modifiers },
        modifiers,
    );
    harness.run();
}

fn focus(harness: &mut Harness<'_, Scene>) {
    harness.get_by_label_contains("Occupancy by registers per thread").focus();
    harness.run();
}

fn press(harness: &mut Harness<'_, Scene>, keys: &[Key]) {
    for key in keys {
        harness.key_press(*key);
        harness.run();
    }
}

#[test]
fn the_wheel_zooms_around_the_pointer() {
    let mut harness = scene();
    assert_eq!(shown(&harness), None);
    let at = cells(&harness).left_bottom() + vec2(0.5, -0.5);
    wheel(&mut harness, at, vec2(0.0, 175.0), Modifiers::NONE);
    assert_eq!(shown(&harness).as_deref(), Some("1–512 threads, 1–128 registers"));
    wheel(&mut harness, at, vec2(0.0, -200.0), Modifiers::NONE);
    assert_eq!(shown(&harness), None);
}

#[test]
fn inside_something_that_scrolls_only_ctrl_and_the_wheel_zoom() {
    let mut harness = scene();
    harness.state_mut().scrolls = true;
    let at = cells(&harness).center();
    wheel(&mut harness, at, vec2(0.0, 200.0), Modifiers::NONE);
    assert_eq!(shown(&harness), None);
    wheel(&mut harness, at, vec2(0.0, 200.0), Modifiers::COMMAND);
    assert!(shown(&harness).is_some());
}

#[test]
fn keys_zoom_around_the_present_point_and_zero_goes_back() {
    let mut harness = scene();
    focus(&mut harness);
    press(&mut harness, &[Key::Plus; 6]);
    // About 22 registers and 90 threads are left, the present ones among them.
    assert_eq!(shown(&harness).as_deref(), Some("225–320 threads, 57–80 registers"));
    press(&mut harness, &[Key::Minus]);
    assert!(shown(&harness).is_some());
    press(&mut harness, &[Key::Num0]);
    assert_eq!(shown(&harness), None);
}

#[test]
fn walking_moves_by_the_cells_that_are_shown() {
    let mut harness = scene();
    focus(&mut harness);
    press(&mut harness, &[Key::Plus; 20]);
    for (key, threads, registers) in
        [(Key::ArrowRight, 256, 65), (Key::ArrowLeft, 256, 63), (Key::ArrowUp, 257, 64), (Key::ArrowDown, 255, 64)]
    {
        harness.state_mut().events.clear();
        press(&mut harness, &[key]);
        let expected = Launch { dynamic_smem_bytes: 49_152, ..Launch::new(threads, registers) };
        assert_eq!(harness.state().events, [HeatmapEvent::GoTo(expected)], "{key:?}");
    }
}

#[test]
fn what_is_shown_follows_the_walk() {
    let mut harness = scene();
    focus(&mut harness);
    press(&mut harness, &[Key::Plus; 20]);
    assert_eq!(shown(&harness).as_deref(), Some("253–261 threads, 62–70 registers"));
    for _ in 0..8 {
        harness.state_mut().events.clear();
        press(&mut harness, &[Key::ArrowRight]);
        let Some(HeatmapEvent::GoTo(launch)) = harness.state().events.first().cloned() else { panic!("no walk") };
        harness.state_mut().launch = launch;
        harness.run();
    }
    assert_eq!(harness.state().launch.registers_per_thread, 72);
    assert_eq!(shown(&harness).as_deref(), Some("253–261 threads, 65–72 registers"));
}

#[test]
fn buttons_zoom_and_fit() {
    let mut harness = scene();
    harness.get_by_label("Zoom in on the heatmap").click();
    harness.run();
    assert!(shown(&harness).is_some());
    harness.get_by_label("Fit the whole heatmap").click();
    harness.run();
    assert_eq!(shown(&harness), None);
    assert!(harness.get_by_label("Zoom out of the heatmap").accesskit_node().is_disabled());
}

#[test]
fn a_drag_pans_and_a_double_click_goes_back() {
    let mut harness = scene();
    focus(&mut harness);
    press(&mut harness, &[Key::Plus; 4]);
    let before = shown(&harness).expect("zoomed in");
    let (from, by) = (cells(&harness).center(), vec2(-cells(&harness).width() / 4.0, 0.0));
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + by);
    harness.run();
    harness.event(Event::PointerButton { pos: from + by, button: PointerButton::Primary, pressed: false, modifiers: Modifiers::NONE });
    harness.run();
    assert!(harness.state().events.is_empty(), "a drag is no click");
    let after = shown(&harness).expect("still zoomed in");
    let split = |text: &str| text.split_once(", ").map(|(y, x)| (y.to_owned(), x.to_owned())).expect("two ranges");
    assert_eq!(split(&before).0, split(&after).0);
    assert_ne!(split(&before).1, split(&after).1);
    // Frames of the harness are a quarter of a second apart, too long for two clicks to be one double click.
    harness.ctx.options_mut(|options| options.input_options.max_double_click_delay = 10.0);
    for pressed in [true, false, true, false] {
        harness.event(Event::PointerButton { pos: from, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
    }
    harness.run();
    assert_eq!(shown(&harness), None);
    harness.run_steps(50);
    assert!(harness.state().events.is_empty(), "neither of the two clicks goes anywhere");
}

#[test]
fn shift_and_arrows_pan_without_walking() {
    let mut harness = scene();
    focus(&mut harness);
    press(&mut harness, &[Key::Plus; 20]);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    harness.run();
    assert_eq!(shown(&harness).as_deref(), Some("253–261 threads, 64–72 registers"));
    assert!(harness.state().events.is_empty());
}

#[test]
fn other_axes_begin_with_the_whole() {
    let mut harness = scene();
    focus(&mut harness);
    press(&mut harness, &[Key::Plus]);
    assert!(shown(&harness).is_some());
    harness.get_by_label("Axes, Registers × threads").click();
    harness.run();
    harness.get_by_label("Registers × dynamic shared").click();
    harness.run();
    assert_eq!(shown(&harness), None);
}

#[test]
fn a_click_while_zoomed_in_goes_to_that_very_pair() {
    let mut harness = scene();
    focus(&mut harness);
    press(&mut harness, &[Key::Plus; 20]);
    assert_eq!(shown(&harness).as_deref(), Some("253–261 threads, 62–70 registers"));
    let cells = cells(&harness);
    // Of 8 cells each way, the first of them cut: two right of the present one and two above it.
    let at = cells.left_bottom() + vec2(cells.width() * 4.34 / 8.0, -cells.height() * 4.65 / 8.0);
    click(&mut harness, at);
    // Until no second click can follow.
    harness.run_steps(3);
    let Some(HeatmapEvent::GoTo(launch)) = harness.state().events.first() else { panic!("no click") };
    assert_eq!((launch.registers_per_thread, launch.threads_per_block()), (66, 258));
}

#[test]
fn the_mode_as_good_has_its_counts_in_the_name() {
    let harness = heatmap(SIZE, egui::Theme::Dark, 1.0, Scene::in_mode(Mode::Better));
    harness.get_by_label_contains("As good as 37.5 % or better: ");
    harness.get_by_label_contains(" of 1,024 cells with no more resources");
}

#[test]
fn zoomed_looks() {
    for (name, theme) in THEMES {
        for (mode, text) in Mode::ALL.iter().zip(["occupancy", "limiter", "warps", "blocks", "difference", "other", "better"]) {
            for (size, scale, keys) in [([832.0, 356.0], 1.0, 3), ([592.0, 256.0], 2.0, 7), ([1300.0, 660.0], 1.0, 20)] {
                let mut scene = Scene::in_mode(*mode);
                scene.other = occuscope::arch::Catalog::builtin().find_arch("7.5").ok();
                scene.pinned = Some(Launch { dynamic_smem_bytes: 49_152, ..Launch::new(288, 72) });
                let mut harness = heatmap(size, theme, scale, scene);
                focus(&mut harness);
                press(&mut harness, &vec![Key::Plus; keys]);
                look(&mut harness, &format!("zoom_{text}_{}_{name}", size[0]));
            }
        }
        let mut scene = Scene::with_kernels();
        scene.launch.registers_per_thread = 41;
        let mut harness = heatmap([832.0, 356.0], theme, 1.0, scene);
        focus(&mut harness);
        press(&mut harness, &[Key::Plus; 3]);
        look(&mut harness, &format!("zoom_kernels_{name}"));
        let mut scene = Scene::tiled();
        scene.heatmap.axes = Axes::RegistersByDynamicSmem;
        let mut harness = heatmap([832.0, 356.0], theme, 1.0, scene);
        focus(&mut harness);
        press(&mut harness, &[Key::Plus; 6]);
        look(&mut harness, &format!("zoom_smem_{name}"));
    }
}
