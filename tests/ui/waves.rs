//! Waves, tail and simulated block times of the selected kernel.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::sync::Arc;

use occuscope::arch::Catalog;
use occuscope::gui::app::App;
use occuscope::gui::effects::report;
use occuscope::gui::views::kernels::detail::{DetailState, detail_ui};
use occuscope::gui::views::kernels::waves::{Simulator, waves_ui};
use occuscope::import::SAMPLE_REPORT;
use occuscope::session::{Action, KernelRef, Session};

use crate::pictures::{THEMES, check, look, view};
use crate::window::{act, open_sample, window};

const SIZES: [([f32; 2], f32); 4] = [([1280.0, 800.0], 1.0), ([1920.0, 1080.0], 1.0), ([800.0, 600.0], 1.0), ([640.0, 400.0], 2.0)];
const CLUSTERS: &[u8] = include_bytes!("../fixtures/ncu/invented/23_waves_and_clusters.csv");
const SLIDER: &str = "Block times differ by, percent";

/// A session with one report, one of its kernels selected.
fn session_of(bytes: &[u8], kernel: usize) -> Session {
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    session.apply(Action::AddReport(report(Catalog::builtin(), "report.csv".into(), bytes)));
    session.apply(Action::SelectKernel(Some(KernelRef { report: 0, kernel })));
    session
}

/// The waves panel of one kernel, with the slider moved.
fn waves_picture(theme: egui::Theme, (bytes, kernel): (&[u8], usize), presses: usize, name: &str) {
    let state = (session_of(bytes, kernel), Simulator::default());
    let mut harness = view([440.0, 430.0], theme, 1.0, state, |ui, (session, simulator)| {
        egui::CentralPanel::default().show(ui, |ui| waves_ui(ui, simulator, session, &mut Vec::new()));
    });
    harness.run();
    if presses > 0 {
        spread(&mut harness, presses);
    }
    check(&mut harness, name);
}

/// The account of one kernel.
fn gap_picture(theme: egui::Theme, name: &str) {
    let state = (session_of(CLUSTERS, 0), DetailState::default());
    let mut harness = view([384.0, 560.0], theme, 1.0, state, |ui, (session, state)| {
        egui::CentralPanel::default().show(ui, |ui| detail_ui(ui, state, session, &mut 256, &mut Vec::new()));
    });
    harness.run();
    check(&mut harness, name);
}

#[test]
fn a_tail_in_the_dark() {
    waves_picture(egui::Theme::Dark, (SAMPLE_REPORT, 0), 0, "waves_tail_dark");
}

#[test]
fn a_tail_in_the_light() {
    waves_picture(egui::Theme::Light, (SAMPLE_REPORT, 0), 0, "waves_tail_light");
}

#[test]
fn unequal_times_in_the_dark() {
    waves_picture(egui::Theme::Dark, (SAMPLE_REPORT, 0), 10, "waves_unequal_dark");
}

#[test]
fn unequal_times_in_the_light() {
    waves_picture(egui::Theme::Light, (SAMPLE_REPORT, 0), 10, "waves_unequal_light");
}

#[test]
fn an_unfilled_grid_in_the_dark() {
    waves_picture(egui::Theme::Dark, (CLUSTERS, 1), 0, "waves_unfilled_dark");
}

#[test]
fn an_unfilled_grid_in_the_light() {
    waves_picture(egui::Theme::Light, (CLUSTERS, 1), 0, "waves_unfilled_light");
}

#[test]
fn a_gap_with_idle_sms_in_the_dark() {
    gap_picture(egui::Theme::Dark, "gap_imbalance_dark");
}

#[test]
fn a_gap_with_idle_sms_in_the_light() {
    gap_picture(egui::Theme::Light, "gap_imbalance_light");
}

/// Moves the slider by keys: each is 5 percent.
fn spread<State>(harness: &mut Harness<'_, State>, presses: usize) {
    harness.get_by_label(SLIDER).focus();
    harness.run();
    for _ in 0..presses {
        harness.key_press(egui::Key::ArrowRight);
        harness.run();
    }
}

fn labels_with(harness: &Harness<'_, Option<App>>, part: &str) -> Vec<String> {
    // What is only text has its words as a value.
    let words = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.label().or_else(|| node.value());
    let has_part = |node: &egui_kittest::kittest::AccessKitNode<'_>| words(node).is_some_and(|label| label.contains(part));
    harness.query_all_by(has_part).filter_map(|node| words(&node.accesskit_node())).collect()
}

#[test]
fn the_waves_look_right() {
    for (name, theme) in THEMES {
        for (size, scale) in SIZES {
            let mut harness = window(size, scale, theme);
            open_sample(&mut harness);
            look(&mut harness, &format!("waves_equal_{name}_{}@{scale}", size[0]));
            harness.get_by_label(SLIDER).set_value_accesskit(40.0);
            harness.run();
            look(&mut harness, &format!("waves_unequal_{name}_{}@{scale}", size[0]));
            harness.get_by_label("One SM").click();
            harness.run();
            look(&mut harness, &format!("one_sm_{name}_{}@{scale}", size[0]));
        }
    }
}

#[test]
fn many_slots_and_many_waves_look_right() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    harness.get_by_label(SLIDER).set_value_accesskit(40.0);
    for (kernel, said) in [(3, "4 full waves"), (6, "the tail is small")] {
        let ctx = harness.ctx.clone();
        let select = Action::SelectKernel(Some(KernelRef { report: 0, kernel }));
        harness.state_mut().as_mut().expect("the app").act(&ctx, select);
        // What is worked out over several frames comes to an end.
        harness.run_steps(40);
        look(&mut harness, &format!("waves_of_kernel_{kernel}"));
        assert_eq!(labels_with(&harness, said).len(), 1);
        assert!(harness.run() <= 2);
        assert!(labels_with(&harness, " runs (equal").is_empty());
    }
}

#[test]
fn clusters_and_what_matters_look_right() {
    for (name, theme) in THEMES {
        let mut harness = window([1280.0, 1500.0], 1.0, theme);
        act(&mut harness, Action::AddReport(report(Catalog::builtin(), "clusters.csv".into(), CLUSTERS)));
        look(&mut harness, &format!("clusters_{name}"));
        // Eight GPCs of 16 or 18 SMs hold 4 clusters of 4 each.
        harness.get_by_label("Clusters that fit, computed");
        assert_eq!(labels_with(&harness, "block slots are left over").len(), 1);
        harness.get_by_role_and_label(egui::Role::TextInput, "GPCs of the GPU").click();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.get_by_role_and_label(egui::Role::TextInput, "GPCs of the GPU").type_text("7");
        harness.run();
        assert_eq!(labels_with(&harness, "As entered.").len(), 1);
        act(&mut harness, Action::SelectKernel(Some(KernelRef { report: 0, kernel: 1 })));
        look(&mut harness, &format!("unfilled_{name}"));
        assert_eq!(labels_with(&harness, "for certain").len(), 1);
    }
}

#[test]
fn unequal_block_times_give_a_range_beside_the_estimate() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    harness.get_by_label("With equal block times: 20.4 % grid-limited.");
    spread(&mut harness, 8);
    let said = labels_with(&harness, "With block times ±40 %");
    assert_eq!(said, ["With block times ±40 %: 21.9–22.4 % (equal times: 20.4 %)."]);
    let picture = |harness: &Harness<'_, Option<App>>| labels_with(harness, "of 108 SMs over");
    let first = picture(&harness);
    harness.get_by_label("Next run").click();
    harness.run();
    assert_ne!(picture(&harness), first, "another run takes another time");
    assert_eq!(labels_with(&harness, "With block times ±40 %"), said, "the range is of all runs");
}

#[test]
fn blocks_play_and_then_nothing_repaints() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    harness.get_by_label("Play the blocks").click();
    harness.run_steps(8);
    harness.get_by_label("Pause the blocks");
    look(&mut harness, "waves_playing_dark");
    harness.run_steps(60);
    harness.get_by_label("Play the blocks");
    assert!(harness.run() <= 2, "what has played to its end is idle");
}

#[test]
fn one_sm_is_drawn_with_the_selected_kernel() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    harness.get_by_label("One SM").click();
    harness.run();
    let maps = labels_with(&harness, "One SM of the");
    assert!(maps.iter().any(|map| map.contains("Block 3 is refused by registers")), "{maps:?}");
    harness.get_by_label("All kernels").click();
    harness.run();
    assert!(labels_with(&harness, "Block 3 is refused by registers").is_empty());
}

#[test]
fn curves_are_drawn_of_the_selected_kernel() {
    for (name, theme) in THEMES {
        for (size, scale) in [([1280.0, 800.0], 1.0), ([1920.0, 1080.0], 1.0)] {
            let mut harness = window(size, scale, theme);
            open_sample(&mut harness);
            harness.get_by_label("Curves").click();
            harness.run();
            look(&mut harness, &format!("kernel_curves_{name}_{}@{scale}", size[0]));
            harness.get_by_label("Occupancy along one input");
            assert!(labels_with(&harness, "All kernels on one picture").is_empty());
            harness.get_by_label("All kernels").click();
            harness.run();
            harness.get_by_label("All kernels on one picture");
        }
    }
}

#[test]
fn a_next_step_takes_the_changed_launch_to_explore() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    let step = labels_with(&harness, "Grid 352 → 432");
    harness.get_by_label(&step[0]).click_accesskit();
    harness.run();
    let session = crate::window::session(&harness);
    assert_eq!(session.view().screen, occuscope::session::Screen::Explore);
    assert_eq!(session.document().configuration.launch.grid_blocks(), Some(432));
}
