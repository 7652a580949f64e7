//! Waves, tail and simulated block times of the selected kernel.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use occuscope::gui::app::App;

use crate::pictures::{THEMES, look};
use crate::window::{open_sample, window};

const SIZES: [([f32; 2], f32); 4] = [([1280.0, 800.0], 1.0), ([1920.0, 1080.0], 1.0), ([800.0, 600.0], 1.0), ([640.0, 400.0], 2.0)];
const SLIDER: &str = "Block times differ by, percent";

/// Moves the slider by keys: each is 5 percent.
fn spread(harness: &mut Harness<'_, Option<App>>, presses: usize) {
    harness.get_by_label(SLIDER).focus();
    harness.run();
    for _ in 0..presses {
        harness.key_press(egui::Key::ArrowRight);
        harness.run();
    }
}

fn labels_with(harness: &Harness<'_, Option<App>>, part: &str) -> Vec<String> {
    let has_part = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.label().is_some_and(|label| label.contains(part));
    harness.query_all_by(has_part).filter_map(|node| node.accesskit_node().label()).collect()
}

#[test]
fn the_waves_look_right() {
    for (name, theme) in THEMES {
        for (size, scale) in SIZES {
            let mut harness = window(size, scale, theme);
            open_sample(&mut harness);
            look(&mut harness, &format!("waves_equal_{name}_{}@{scale}", size[0]));
            spread(&mut harness, 8);
            look(&mut harness, &format!("waves_unequal_{name}_{}@{scale}", size[0]));
        }
    }
}

#[test]
fn unequal_block_times_give_a_range_beside_the_estimate() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    harness.get_by_label("Equal times: 20.4 %.");
    spread(&mut harness, 8);
    let said = labels_with(&harness, "With block times ±40 %");
    assert_eq!(said, ["With block times ±40 %: 20.8–21.6 % (equal times: 20.4 %)."]);
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
