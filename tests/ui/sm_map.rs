//! The SM map: stored pictures of the example that the design was drawn with, and many more that are only looked at.

use egui::{Frame, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::arch::{Arch, Catalog, ComputeCapability};
use occuscope::engine::Launch;
use occuscope::gui::views::sm_map::{SmMap, SmMapState, desired_height, sm_map_ui};
use occuscope::units::{Dim3, KIB};

use crate::pictures::{THEMES, check, look, view};

/// A launch on a GPU, and how it is shown.
struct Case {
    gpu: &'static str,
    capability: (u8, u8),
    launch: Launch,
    width: f32,
    scale: f32,
    state: SmMapState,
}

impl Case {
    fn new(gpu: &'static str, capability: (u8, u8), launch: Launch) -> Self {
        Self { gpu, capability, launch, width: 816.0, scale: 1.0, state: SmMapState::default() }
    }

    /// 256 threads × 64 registers with 48 KiB on an A100: three blocks, shared memory refuses the fourth.
    fn of_the_design() -> Self {
        Self::new("A100", (8, 0), launch(256, 64, 48))
    }

    fn arch(&self) -> &'static Arch {
        let (major, minor) = self.capability;
        Catalog::builtin().arch(ComputeCapability::new(major, minor)).expect("a known architecture")
    }

    fn height(&self) -> f32 {
        let map = SmMap { arch: self.arch(), gpu_name: self.gpu, launch: &self.launch };
        let width = self.width - 32.0;
        let mut harness =
            view([self.width, 100.0], Theme::Dark, 1.0, 0.0, |ui, height: &mut f32| *height = desired_height(ui, width, &map));
        harness.run();
        (harness.state() + 32.0).ceil()
    }

    fn show(&self, theme: Theme) -> Harness<'_, SmMapState> {
        let map = SmMap { arch: self.arch(), gpu_name: self.gpu, launch: &self.launch };
        let size = [self.width, self.height()];
        let mut harness = view(size, theme, self.scale, self.state.clone(), move |ui, state| {
            let frame = Frame::new().inner_margin(16).fill(ui.visuals().panel_fill);
            frame.show(ui, |ui| sm_map_ui(ui, state, &map));
        });
        harness.run();
        harness
    }

    fn look(&self, name: &str) {
        for (theme_name, theme) in THEMES {
            look(&mut self.show(theme), &format!("sm_map_{name}_{theme_name}"));
        }
    }
}

fn launch(threads: u32, registers: u32, smem_kib: u64) -> Launch {
    Launch { dynamic_smem_bytes: smem_kib * KIB, ..Launch::new(threads, registers) }
}

#[test]
fn the_map_looks_as_designed_in_the_dark() {
    check(&mut Case::of_the_design().show(Theme::Dark), "sm_map_dark");
}

#[test]
fn the_map_looks_as_designed_in_the_light() {
    check(&mut Case::of_the_design().show(Theme::Light), "sm_map_light");
}

#[test]
fn every_case_can_be_looked_at() {
    Case::new("A100", (8, 0), launch(256, 64, 40)).look("tie");
    Case::new("A100", (8, 0), launch(256, 64, 0)).look("registers");
    Case::new("A100", (8, 0), launch(256, 32, 0)).look("warps");
    Case::new("A100", (8, 0), launch(32, 32, 0)).look("32_blocks");
    Case::new("A100", (8, 0), launch(256, 41, 0)).look("41_registers");
    Case::new("A100", (8, 0), launch(96, 72, 3)).look("uneven_warps");
    Case::new("P100", (6, 0), launch(512, 40, 12)).look("p100");
    Case::new("T4", (7, 5), launch(1024, 24, 0)).look("t4");
    Case::new("RTX 4090", (8, 9), launch(64, 32, 0)).look("rtx_4090");
    let clustered = Launch { barriers_per_block: 13, cluster_size: 4, ..launch(384, 40, 30) };
    Case::new("H100", (9, 0), clustered).look("h100");
    Case::new("RTX 5090", (12, 0), launch(32, 64, 3)).look("rtx_5090");
}

#[test]
fn launches_that_cannot_run_can_be_looked_at() {
    Case::new("A100", (8, 0), launch(576, 104, 0)).look("cannot_registers");
    let impossible = Launch { cluster_size: 4, ..launch(1024, 128, 200) };
    Case::new("A100", (8, 0), impossible).look("cannot_all");
    let deep = Launch { block: Dim3::new(1, 1, 128), ..Launch::default() };
    Case::new("A100", (8, 0), deep).look("cannot_shape");
    let no_opt_in = Launch { opt_in: false, ..launch(256, 32, 60) };
    Case::new("A100", (8, 0), no_opt_in).look("cannot_opt_in");
    Case::new("A100", (8, 0), launch(1024, 255, 10_000)).look("cannot_far");
    Case::new("TX1", (5, 3), launch(1024, 40, 0)).look("cannot_tx1");
    Case::new("A100", (8, 0), launch(2048, 16, 0)).look("cannot_threads");
}

#[test]
fn every_width_and_scale_can_be_looked_at() {
    Case { width: 560.0, ..Case::of_the_design() }.look("narrow");
    Case { width: 560.0, ..Case::new("RTX PRO 6000 Blackwell Workstation", (12, 0), launch(32, 32, 0)) }.look("narrow_many");
    Case { width: 1400.0, ..Case::of_the_design() }.look("wide");
    Case { scale: 2.0, ..Case::of_the_design() }.look("double");
    Case { scale: 1.25, ..Case::of_the_design() }.look("quarter");
}

#[test]
fn every_step_can_be_looked_at() {
    for placed in [0, 2, 3] {
        let state = SmMapState::at(Some(placed));
        Case { state, ..Case::of_the_design() }.look(&format!("placed_{placed}"));
    }
}

#[test]
fn pointing_at_a_block_lights_it_up_everywhere() {
    let case = Case::of_the_design();
    for (name, theme) in THEMES {
        let mut harness = case.show(theme);
        let row = harness.get_by_label("Warp slots: 24 of 64 used, 10 free in each sub-partition, blocked by S").rect();
        harness.hover_at(row.left_top() + egui::vec2(60.0, 36.0));
        harness.run();
        assert_eq!(harness.state().hovered_block, Some(1));
        look(&mut harness, &format!("sm_map_hover_{name}"));
        harness.remove_cursor();
        harness.run();
        assert_eq!(harness.state().hovered_block, None);
    }
}

#[test]
fn the_map_says_it_all_in_one_sentence() {
    let case = Case::of_the_design();
    let harness = case.show(Theme::Dark);
    harness.get_by_label_contains(
        "One SM of the A100: 3 blocks resident, 24 of 64 warps, 37.5 % theoretical occupancy. \
         Block 4 is refused by shared memory (block 4 needs 49 KiB, 17 are left: 32 short).",
    );
}

#[test]
fn the_player_goes_forward_and_back() {
    let case = Case::of_the_design();
    let mut harness = case.show(Theme::Dark);
    for (button, placed) in [
        ("One block back", Some(3)),
        ("One block back", Some(2)),
        ("Empty SM", Some(0)),
        ("Place the next block", Some(1)),
        ("Place 3 of 3", Some(3)),
        ("Jump to the block that does not fit", None),
    ] {
        harness.get_by_label(button).click();
        harness.run();
        assert_eq!(harness.state().placed, placed, "{button}");
    }
}

#[test]
fn it_plays_to_the_refused_block_and_rests() {
    let case = Case { state: SmMapState::at(Some(2)), ..Case::of_the_design() };
    let mut harness = case.show(Theme::Dark);
    harness.get_by_label("Place blocks by themselves").click();
    harness.run();
    assert_eq!(harness.state().placed, Some(2), "the first step takes its time");
    wait(&mut harness, 0.7);
    assert_eq!(harness.state().placed, Some(3));
    harness.get_by_label("Pause");
    wait(&mut harness, 0.7);
    assert_eq!((harness.state().placed, harness.state().playback.is_playing), (None, false));
    harness.get_by_label("Place blocks by themselves");
    assert_eq!(harness.run(), 1, "nothing is drawn again");
}

/// Lets time pass, without frames in between.
fn wait(harness: &mut Harness<'_, SmMapState>, seconds: f64) {
    let now = harness.ctx.input(|input| input.time);
    harness.input_mut().time = Some(now + seconds);
    harness.step();
    harness.input_mut().time = None;
    harness.run();
}

#[test]
fn a_block_slides_in_and_out_and_then_rests() {
    for (theme_name, theme) in THEMES {
        let case = Case { state: SmMapState::at(Some(1)), ..Case::of_the_design() };
        let mut harness = case.show(theme);
        let still = harness.render().expect("a picture");
        for (button, name) in [("Place the next block", "in"), ("One block back", "out")] {
            let now = harness.ctx.input(|input| input.time);
            harness.input_mut().time = Some(now);
            harness.get_by_label(button).click();
            harness.step();
            harness.step();
            harness.input_mut().time = Some(now + 0.04);
            harness.step();
            look(&mut harness, &format!("sm_map_slides_{name}_{theme_name}"));
            assert_ne!(harness.render().expect("a picture"), still, "{name}: on its way");
            harness.input_mut().time = Some(now + 0.2);
            harness.step();
            harness.input_mut().time = None;
            harness.run();
            assert_eq!(harness.run(), 1, "{name}: nothing is drawn again");
        }
    }
}

#[test]
fn space_plays_while_the_map_has_the_keyboard() {
    let case = Case { state: SmMapState::at(Some(1)), ..Case::of_the_design() };
    let mut harness = case.show(Theme::Dark);
    harness.get_by_label_contains("Block 1 of 3: ").focus();
    harness.run();
    harness.key_press(egui::Key::Space);
    harness.step();
    assert!(harness.state().playback.is_playing);
    assert_eq!(harness.state().selected_block, None);
}

#[test]
fn a_pause_stays_where_it_is() {
    let case = Case { state: SmMapState::at(Some(1)), ..Case::of_the_design() };
    let mut harness = case.show(Theme::Dark);
    for button in ["Place blocks by themselves", "Pause"] {
        harness.get_by_label(button).click();
        harness.run();
    }
    let placed = harness.state().placed;
    wait(&mut harness, 10.0);
    assert_eq!(harness.state().placed, placed);
}

#[test]
fn the_speed_goes_round() {
    let case = Case::of_the_design();
    let mut harness = case.show(Theme::Dark);
    for name in ["Speed: normal", "Speed: fast", "Speed: slow", "Speed: normal"] {
        harness.get_by_label(name).click();
        harness.run();
    }
}

#[test]
fn fine_steps_take_one_resource_after_another() {
    let case = Case { state: SmMapState::at(Some(1)), ..Case::of_the_design() };
    for (theme_name, theme) in THEMES {
        let mut harness = case.show(theme);
        harness.get_by_label("Fine steps").click();
        harness.run();
        let first = harness.get_by_label("Place the next resource").rect();
        for (step, at) in [(1, (Some(1), 1)), (2, (Some(1), 2)), (3, (Some(2), 0)), (4, (Some(2), 1))] {
            harness.get_by_label("Place the next resource").click();
            harness.run();
            assert_eq!((harness.state().placed, harness.state().resources_placed), at);
            assert_eq!(harness.get_by_label("Place the next resource").rect(), first, "nothing moves");
            look(&mut harness, &format!("sm_map_fine_{step}_{theme_name}"));
        }
        harness.get_by_label("One step back").click();
        harness.run();
        assert_eq!((harness.state().placed, harness.state().resources_placed), (Some(2), 0));
    }
}

#[test]
fn fine_steps_fit_into_a_narrow_window() {
    for (name, gpu, launch) in [("narrow", "A100 SXM 40 GB", launch(256, 64, 48)), ("narrow_many", "A100 SXM 40 GB", launch(32, 32, 1))] {
        let mut state = SmMapState::at(Some(2));
        state.resources_placed = 2;
        state.playback.is_fine = true;
        state.selected_block = Some(1);
        Case { width: 640.0, state, ..Case::new(gpu, (8, 0), launch) }.look(&format!("fine_{name}"));
    }
}

const SECOND: &str = "Block 2 of 3: 8 warp slots, 16,384 registers, 50,176 B shared memory";

#[test]
fn a_block_is_selected_by_a_click() {
    let case = Case::of_the_design();
    let mut harness = case.show(Theme::Dark);
    let row = harness.get_by_label("Warp slots: 24 of 64 used, 10 free in each sub-partition, blocked by S").rect();
    let at = row.left_top() + egui::vec2(60.0, 36.0);
    for selected in [Some(1), None] {
        harness.hover_at(at);
        harness.drag_at(at);
        harness.drop_at(at);
        harness.run();
        assert_eq!(harness.state().selected_block, selected);
        harness.get_by_label(SECOND);
    }
}

#[test]
fn a_block_is_selected_by_keys() {
    let case = Case::of_the_design();
    for (theme_name, theme) in THEMES {
        let mut harness = case.show(theme);
        harness.get_by_label_contains("Block 1 of 3: ").focus();
        harness.run();
        harness.key_press(egui::Key::ArrowRight);
        harness.run();
        harness.run();
        harness.get_by_label(SECOND);
        look(&mut harness, &format!("sm_map_focused_{theme_name}"));
        harness.key_press(egui::Key::Enter);
        harness.run();
        assert_eq!(harness.state().selected_block, Some(1));
        look(&mut harness, &format!("sm_map_selected_{theme_name}"));
        for _ in 0..5 {
            harness.key_press(egui::Key::ArrowRight);
            harness.run();
        }
        harness.get_by_label_contains("Block 4, refused by shared memory: needs 8 warp slots");
        assert_eq!(harness.state().selected_block, Some(1));
    }
}
