//! The tour of the README: a minute with the program, whose pictures `packaging/screenshots.sh` takes from here.

use egui::{Key, Theme};
use egui_kittest::kittest::Queryable;
use occuscope::session::{Action, Chart, GpuChoice, Screen};

use crate::learn::go_to;
use crate::pictures::look;
use crate::window::{act, open_sample, session, window};

const SIZE: [f32; 2] = [1280.0, 800.0];

#[test]
fn a_minute_with_occuscope() {
    let mut harness = window(SIZE, 1.0, Theme::Dark);
    act(&mut harness, Action::ShowScreen(Screen::Explore));
    harness.get_by_label("Block slots: 3 of 32 used, 29 free, blocked by S");
    look(&mut harness, "tour_1_explore");

    act(&mut harness, Action::CompareWith(GpuChoice::Product("H100 SXM".to_owned())));
    harness.get_by_label_contains("H100 SXM");
    act(&mut harness, Action::ShowChart(Chart::Curves));
    look(&mut harness, "tour_2_curves");

    open_sample(&mut harness);
    assert_eq!(session(&harness).view().screen, Screen::Kernels);
    harness.get_by_label("With equal block times: 20.4 % grid-limited.");
    look(&mut harness, "tour_3_kernels");

    go_to(&mut harness, 1, 2);
    look(&mut harness, "tour_4_learn");
}

#[test]
fn the_tour_ends_on_the_wall() {
    let mut harness = window([1163.0, 654.0], 1.101, Theme::Dark);
    for key in [Key::F5, Key::Home, Key::Space, Key::Space] {
        harness.key_press(key);
        harness.run();
    }
    harness.get_by_label("Step 2 of 4");
    look(&mut harness, "tour_5_present");
}
