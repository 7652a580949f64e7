//! By keyboard alone: Tab and Shift+Tab over the whole window, and what a screen reader says on the way.

use std::collections::HashSet;

use egui::accesskit::{Action as Ask, NodeId};
use egui::{Key, Modifiers, Rect, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use occuscope::gui::app::App;
use occuscope::session::{Action, Chart, GpuChoice, Screen};

use crate::learn::go_to;
use crate::window::{act, open_sample, window};

type Window = Harness<'static, Option<App>>;

/// More stops than any screen has.
const ENDLESS: usize = 400;

/// Something that the keyboard or the pointer can be on.
#[derive(Clone, Debug)]
struct Stop {
    id: NodeId,
    role: Role,
    name: String,
    rect: Rect,
}

/// What a screen reader is told as the name of a node.
fn name(node: &egui_kittest::Node<'_>) -> String {
    let node = node.accesskit_node();
    node.label().or_else(|| node.value().filter(|_| node.role() == Role::Label)).unwrap_or_default()
}

fn stop(node: &egui_kittest::Node<'_>) -> Stop {
    let inner = node.accesskit_node();
    Stop { id: inner.locate().0, role: inner.role(), name: name(node), rect: node.rect() }
}

/// Where the keyboard is.
fn focused(harness: &Window) -> Option<Stop> {
    let id = harness.ctx.memory(egui::Memory::focused)?.accesskit_id();
    harness.root().children_recursive().find(|node| node.accesskit_node().locate().0 == id).map(|node| stop(&node))
}

/// Everything that answers to a click or takes the focus.
fn reachable(harness: &Window) -> Vec<Stop> {
    let asks = |node: &egui_kittest::Node<'_>| {
        let data = node.accesskit_node();
        let inner = data.data();
        !data.is_disabled() && (inner.supports_action(Ask::Click) || inner.supports_action(Ask::Focus))
    };
    harness.root().children_recursive().filter(asks).map(|node| stop(&node)).collect()
}

/// Every shape that is drawn over or right around a place, inside of its clip.
fn drawn_at(harness: &Window, place: Rect) -> HashSet<String> {
    let near = |clipped: &&egui::epaint::ClippedShape| {
        let seen = clipped.shape.visual_bounding_rect().intersect(clipped.clip_rect);
        seen.is_positive() && seen.intersects(place)
    };
    harness.output().shapes.iter().filter(near).map(|clipped| format!("{:?} {:?}", clipped.clip_rect, clipped.shape)).collect()
}

/// One press of Tab, and where it leads.
fn tab(harness: &mut Window, modifiers: Modifiers) -> Option<Stop> {
    harness.key_press_modifiers(modifiers, Key::Tab);
    harness.run_steps(4);
    focused(harness)
}

/// All stops of a round; it must come back to its first.
fn round(harness: &mut Window, modifiers: Modifiers, at: &str, mut visit: impl FnMut(&mut Window, &Stop)) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    for _ in 0..ENDLESS {
        // Between the last and the first, the focus may lie nowhere once.
        let Some(next) = tab(harness, modifiers).or_else(|| tab(harness, modifiers)) else { panic!("{at}: nothing takes the focus") };
        if stops.first().is_some_and(|first| first.id == next.id) {
            return stops;
        }
        assert!(stops.iter().all(|stop| stop.id != next.id), "{at}: the walk returns to {next:?} before its start {:?}", stops[0]);
        visit(harness, &next);
        stops.push(next);
    }
    panic!("{at}: no end of {ENDLESS} stops");
}

/// The keyboard's place looks different from the same place without it.
fn is_seen(harness: &mut Window, stop: &Stop) -> bool {
    let id = harness.ctx.memory(egui::Memory::focused).expect("the focus");
    let place = focused(harness).map_or(stop.rect, |stop| stop.rect).expand(8.0);
    let with = drawn_at(harness, place);
    harness.ctx.memory_mut(|memory| memory.surrender_focus(id));
    harness.run_steps(4);
    let without = drawn_at(harness, place);
    harness.ctx.memory_mut(|memory| memory.request_focus(id));
    harness.run_steps(4);
    with.difference(&without).count() > 0
}

/// What is wrong with a screen for somebody who has no pointer or no screen; `behind` is what lies under something modal.
fn walk(harness: &mut Window, at: &str, behind: &HashSet<NodeId>) {
    harness.run_steps(10);
    let mut wrong = Vec::new();
    let stops = round(harness, Modifiers::NONE, at, |harness, stop| {
        if stop.name.trim().is_empty() {
            wrong.push(format!("no name: {stop:?}"));
        }
        if !is_seen(harness, stop) {
            wrong.push(format!("not seen: {stop:?}"));
        }
    });
    let ids: HashSet<NodeId> = stops.iter().map(|stop| stop.id).collect();
    let has_rows = stops.iter().any(|stop| stop.name.starts_with("Rows of the table"));
    let is_in_rows = |node: &Stop| node.role == Role::Row || ["Fold ", "Unfold "].iter().any(|verb| node.name.starts_with(verb));
    for node in reachable(harness) {
        // Arrow keys walk, fold and unfold rows.
        if has_rows && is_in_rows(&node) {
            continue;
        }
        // What scrolls follows the keyboard by itself, so its bar is no stop; nor is what a window in front covers.
        if !ids.contains(&node.id) && !behind.contains(&node.id) && node.role != Role::ScrollBar {
            wrong.push(format!("not reached: {node:?}"));
        }
    }
    let back = round(harness, Modifiers::SHIFT, at, |_, _| {});
    let back: HashSet<NodeId> = back.iter().map(|stop| stop.id).collect();
    for stop in stops.iter().filter(|stop| !back.contains(&stop.id)) {
        wrong.push(format!("not on the way back: {stop:?}"));
    }
    println!("{at}: {} stops", stops.len());
    assert!(wrong.is_empty(), "{at}, {} stops:\n{}", stops.len(), wrong.join("\n"));
}

fn screen(size: [f32; 2], actions: impl IntoIterator<Item = Action>) -> Window {
    let mut harness = window(size, 1.0, egui::Theme::Dark);
    for action in actions {
        act(&mut harness, action);
    }
    harness
}

const WIDE: [f32; 2] = [1440.0, 900.0];

#[test]
fn a_walk_through_explore_visits_everything() {
    for chart in [Chart::Heatmap, Chart::Curves, Chart::Compare] {
        let gpu = Action::CompareWith(GpuChoice::Product("H100 PCIe".to_owned()));
        let mut harness = screen(WIDE, [gpu, Action::ShowChart(chart), Action::ShowMore(true)]);
        walk(&mut harness, &format!("Explore, {chart:?}"), &HashSet::new());
    }
}

#[test]
fn a_walk_through_explore_in_little_room_visits_everything() {
    let mut harness = screen([800.0, 600.0], []);
    walk(&mut harness, "Explore, small", &HashSet::new());
}

#[test]
fn a_walk_through_kernels_visits_everything() {
    let mut harness = screen(WIDE, []);
    open_sample(&mut harness);
    walk(&mut harness, "Kernels", &HashSet::new());
}

#[test]
fn a_walk_through_learn_visits_everything() {
    let mut harness = screen(WIDE, [Action::ShowScreen(Screen::Learn)]);
    walk(&mut harness, "Learn, the list", &HashSet::new());
    go_to(&mut harness, 0, 1);
    walk(&mut harness, "Learn, a step", &HashSet::new());
}

/// Opens something by its key, and walks through it alone.
fn walk_through_panel(name: &str, modifiers: Modifiers, key: Key) {
    let mut harness = screen(WIDE, []);
    let behind = reachable(&harness).into_iter().map(|node| node.id).collect();
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(10);
    walk(&mut harness, name, &behind);
}

#[test]
fn a_walk_through_settings_visits_everything() {
    walk_through_panel("Settings", Modifiers::COMMAND, Key::Comma);
}

#[test]
fn a_walk_through_presets_visits_everything() {
    walk_through_panel("Presets", Modifiers::COMMAND, Key::P);
}

/// The one exception: rows of the palette are no stops. Its field keeps the keyboard while the arrows choose among them.
#[test]
fn the_field_of_the_palette_keeps_the_keyboard() {
    let mut harness = screen(WIDE, []);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run_steps(10);
    for _ in 0..3 {
        assert_eq!(tab(&mut harness, Modifiers::NONE).expect("the field").name, "Find a command, preset, GPU or kernel");
    }
}

#[test]
fn a_walk_through_the_keys_visits_everything() {
    walk_through_panel("Keys", Modifiers::NONE, Key::Questionmark);
}

#[test]
fn a_walk_through_the_gpu_editor_visits_everything() {
    let mut harness = screen(WIDE, []);
    let behind = reachable(&harness).into_iter().map(|node| node.id).collect();
    harness.get_by_label("Edit a copy…").click();
    harness.run_steps(10);
    walk(&mut harness, "GPU editor", &behind);
}

#[test]
fn a_walk_through_a_quiz_visits_everything() {
    let mut harness = screen(WIDE, []);
    go_to(&mut harness, 1, occuscope::learn::lessons()[1].steps.len());
    walk(&mut harness, "Learn, the quiz", &HashSet::new());
}

/// What a screen reader is told as the value of the one node of this role whose name begins so.
fn value(harness: &Window, role: Role, start: &str) -> String {
    let is_it =
        |node: &egui_kittest::kittest::AccessKitNode<'_>| node.role() == role && node.label().is_some_and(|label| label.starts_with(start));
    harness.get_by(is_it).value().unwrap_or_default()
}

#[test]
fn fields_sliders_and_charts_tell_their_values() {
    let mut harness = screen(WIDE, []);
    assert_eq!(value(&harness, Role::TextInput, "Registers per thread"), "64");
    assert_eq!(value(&harness, Role::Slider, "Dynamic shared slider"), "48 KiB");
    assert!(value(&harness, Role::Image, "One SM of the A100").starts_with("3 blocks resident, 24 of 64 warps, 37.5 %"));
    let heatmap = "Occupancy by registers per thread and threads per block";
    assert_eq!(value(&harness, Role::Canvas, heatmap), "64 registers, 256 threads: 37.5 %");
    harness.get_by(|node| node.label().is_some_and(|label| label.starts_with(heatmap))).focus();
    harness.run();
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert_eq!(value(&harness, Role::Canvas, heatmap), "64 registers, 288 threads: 42.2 %");
    act(&mut harness, Action::ShowChart(Chart::Curves));
    let curve = "Occupancy by registers per thread";
    assert_eq!(value(&harness, Role::Canvas, curve), "64 registers: 42.2 %");
    harness.get_by(|node| node.label().is_some_and(|label| label.starts_with(curve))).focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert_eq!(value(&harness, Role::Canvas, curve), "72 registers: 42.2 %");
}

#[test]
fn equal_lines_of_compared_gpus_are_named() {
    let gpu = Action::CompareWith(GpuChoice::Product("A100 SXM 80 GB".to_owned()));
    let harness = screen(WIDE, [gpu, Action::ShowChart(Chart::Curves)]);
    harness.get_by_label("A100 SXM 80 GB, same as A100 SXM 40 GB");
    assert_eq!(harness.get_all_by_label_contains("; A100 SXM 80 GB: 37.5 %, same as A100 SXM 40 GB").count(), 3);
}

#[test]
fn numbers_of_the_answer_tell_where_they_come_from() {
    let harness = screen([1440.0, 1400.0], [Action::SetGrid(Some(occuscope::units::Dim3::linear(1000)))]);
    let described = |start: &str| {
        let starts = |node: &egui_kittest::Node<'_>| name(node).starts_with(start);
        let nodes: Vec<_> = harness.root().children_recursive().filter(starts).collect();
        nodes.iter().find_map(|node| node.accesskit_node().description()).unwrap_or_default()
    };
    assert!(described("Theoretical occupancy 37.5 percent").ends_with("24 / 64 = 37.5 %"));
    assert!(described("Shared memory: limit 3").contains("Limit by shared memory: "));
    assert!(described("up to 25 %").ends_with("1 / (3 + 1) = 25 %"), "the tail");
    assert!(described("64 → 80").starts_with("Registers per warp: "), "what can be added for free");
}
