//! The heatmap and the curves: what a person sees and can do there.

use egui::{Key, Rect, Theme, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::arch::{Arch, Catalog};
use occuscope::engine::{Launch, Waves, evaluate, waves::Gap};
use occuscope::gui::views::curves::{CurvesInput, CurvesState, curves_ui};
use occuscope::gui::views::heatmap::{
    Axes, HeatmapEvent, HeatmapInput, HeatmapState, KernelPoint, KernelPoints, Mode, OtherGpu, heatmap_ui,
};
use occuscope::units::Dim3;

use crate::pictures::{THEMES, check, look, view};

/// What a test draws, and what came of it.
pub struct Scene {
    pub arch: &'static Arch,
    pub launch: Launch,
    pub points: KernelPoints,
    pub selected: Option<usize>,
    pub pinned: Option<Launch>,
    pub other: Option<&'static Arch>,
    pub heatmap: HeatmapState,
    /// Whether the wheel belongs to what is around the heatmap.
    pub scrolls: bool,
    /// GPUs beside the chosen one, in the curves.
    others: Vec<OtherGpu<'static>>,
    curves: CurvesState,
    pub events: Vec<HeatmapEvent>,
    gone_to: Option<Launch>,
}

impl Scene {
    /// The example of the design: 256 threads, 64 registers, 48 KiB on an A100.
    pub fn tiled() -> Self {
        Self {
            arch: Catalog::builtin().find_arch("8.0").expect("8.0 is built in"),
            launch: Launch { dynamic_smem_bytes: 49_152, ..Launch::new(256, 64) },
            points: KernelPoints::default(),
            selected: None,
            pinned: None,
            other: None,
            heatmap: HeatmapState::default(),
            scrolls: false,
            others: Vec::new(),
            curves: CurvesState::default(),
            events: Vec::new(),
            gone_to: None,
        }
    }

    pub fn in_mode(mode: Mode) -> Self {
        let mut scene = Self::tiled();
        scene.heatmap.mode = mode;
        scene
    }

    /// Kernels of an invented report.
    pub fn with_kernels() -> Self {
        let mut scene = Self::tiled();
        scene.launch = Launch { dynamic_smem_bytes: 34_816, ..Launch::new(256, 122) };
        scene.points = kernels(scene.arch);
        scene.selected = Some(0);
        scene
    }

    /// The same, by turns from two files.
    fn with_files() -> Self {
        let mut scene = Self::with_kernels();
        let count = scene.points.groups().iter().map(|group| group.members.len()).sum();
        let lettered = (0..count).map(|index| KernelPoint { file: Some(index % 2), ..scene.points.point(index).clone() });
        scene.points = KernelPoints::new(lettered.collect());
        scene
    }
}

fn kernels(arch: &Arch) -> KernelPoints {
    let rows: [(&str, u32, u32, u64, u64, f64); 12] = [
        ("gemm_128x64_nn", 256, 122, 34_816, 352, 19.1),
        ("scan_block<float>", 256, 30, 2_048, 2_048, 76.5),
        ("node_by_point", 256, 64, 0, 1_024, 40.7),
        ("softmax_rows", 128, 32, 0, 8_192, 88.2),
        ("stencil7_tile", 512, 41, 16_384, 1_200, 44.0),
        ("attn_fwd_d64", 128, 168, 98_304, 960, 6.2),
        ("layer_norm_fwd", 1_024, 40, 4_096, 4_096, 46.8),
        ("transpose_32x32", 1_024, 22, 4_224, 16_384, 91.3),
        ("radix_upsweep", 192, 37, 12_288, 864, 68.4),
        ("microphysics_tendency", 640, 48, 0, 216, 55.6),
        ("reduce_partial", 256, 24, 1_024, 54, 11.9),
        ("reduce_final", 64, 20, 1_024, 54, 2.0),
    ];
    let point = |(name, threads, registers, smem, grid, achieved): (&str, u32, u32, u64, u64, f64)| {
        let launch = Launch { static_smem_bytes: smem, ..Launch::new(threads, registers) };
        let occupancy = evaluate(arch, &launch);
        let waves = Waves::new(&occupancy, 108, grid);
        let gap = Gap::new(occupancy.theoretical_percent(), achieved, waves.as_ref());
        KernelPoint {
            name: name.to_owned(),
            registers,
            threads,
            theoretical_percent: Some(occupancy.theoretical_percent()),
            achieved_percent: Some(achieved),
            grid_limited_percent: gap.grid_limited,
            unfilled_points: gap.unfilled,
            tail_points: gap.tail_up_to,
            // Most are taken to use what the slice uses, so that both kinds of marks are seen.
            smem_bytes: if smem <= 16_384 { 34_816 } else { smem },
            duration_ns: Some(grid as f64 * f64::from(threads)),
            file: None,
        }
    };
    KernelPoints::new(rows.into_iter().map(point).collect())
}

fn draw_heatmap(ui: &mut egui::Ui, scene: &mut Scene) {
    ui.painter().rect_filled(ui.max_rect().expand(40.0), 0.0, ui.visuals().panel_fill);
    let input = HeatmapInput {
        arch: scene.arch,
        gpu_name: "A100",
        launch: &scene.launch,
        points: &scene.points,
        selected: scene.selected,
        pinned: scene.pinned.as_ref(),
        other: scene.other.map(|arch| OtherGpu { arch, name: "RTX 2080" }),
        scrolls: scene.scrolls,
    };
    let event = heatmap_ui(ui, &mut scene.heatmap, &input);
    scene.events.extend(event);
}

fn draw_curves(ui: &mut egui::Ui, scene: &mut Scene) {
    ui.painter().rect_filled(ui.max_rect().expand(40.0), 0.0, ui.visuals().panel_fill);
    let input = CurvesInput { arch: scene.arch, gpu_name: "A100", others: &scene.others, launch: &scene.launch };
    let gone_to = curves_ui(ui, &mut scene.curves, &input);
    scene.gone_to = gone_to.or(scene.gone_to.take());
}

pub fn heatmap<'a>(size: [f32; 2], theme: Theme, scale: f32, scene: Scene) -> Harness<'a, Scene> {
    let mut harness = view(size, theme, scale, scene, draw_heatmap);
    harness.run();
    harness
}

pub fn cells(harness: &Harness<'_, Scene>) -> Rect {
    harness.get_by_label_contains("Occupancy by registers per thread").rect()
}

pub fn click(harness: &mut Harness<'_, Scene>, at: egui::Pos2) {
    harness.hover_at(at);
    harness.step();
    for pressed in [true, false] {
        let modifiers = egui::Modifiers::NONE;
        harness.event(egui::Event::PointerButton { pos: at, button: egui::PointerButton::Primary, pressed, modifiers });
        harness.step();
    }
}

/// The middle of cell (column, row) of 32 × 32, row 0 the lowest.
fn middle(cells: Rect, column: f32, row: f32) -> egui::Pos2 {
    pos2(cells.left() + cells.width() * (column + 0.5) / 32.0, cells.bottom() - cells.height() * (row + 0.5) / 32.0)
}

#[test]
fn a_click_goes_to_the_cell() {
    let mut harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::tiled());
    let at = middle(cells(&harness), 3.0, 15.0);
    click(&mut harness, at);
    let expected = Launch { dynamic_smem_bytes: 49_152, ..Launch::new(512, 32) };
    assert_eq!(harness.state().events, [HeatmapEvent::GoTo(expected)]);
}

#[test]
fn a_click_in_the_present_row_keeps_its_value() {
    let mut scene = Scene::tiled();
    scene.launch.registers_per_thread = 41;
    let mut harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, scene);
    let at = middle(cells(&harness), 5.0, 15.0);
    click(&mut harness, at);
    let expected = Launch { dynamic_smem_bytes: 49_152, ..Launch::new(512, 41) };
    assert_eq!(harness.state().events, [HeatmapEvent::GoTo(expected)]);
}

#[test]
fn arrow_keys_walk_when_focused() {
    let mut harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::tiled());
    harness.get_by_label_contains("Occupancy by registers per thread").focus();
    harness.run();
    for (key, threads, registers) in
        [(Key::ArrowRight, 256, 72), (Key::ArrowLeft, 256, 56), (Key::ArrowUp, 288, 64), (Key::ArrowDown, 224, 64)]
    {
        harness.state_mut().events.clear();
        harness.key_press(key);
        harness.run();
        let expected = Launch { dynamic_smem_bytes: 49_152, ..Launch::new(threads, registers) };
        assert_eq!(harness.state().events, [HeatmapEvent::GoTo(expected)], "{key:?}");
    }
}

#[test]
fn the_accessible_name_is_the_answer() {
    let harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::tiled());
    harness.get_by_label(
        "Occupancy by registers per thread and threads per block on A100. 64 registers, 256 threads, 48 KiB dynamic shared memory: \
         37.5 % theoretical occupancy, 3 blocks per SM, 24 of 64 warps, limited by shared memory",
    );
    harness.get_by_label("Axes, Registers × threads");
}

#[test]
fn modes_are_chosen_by_name_and_difference_needs_a_pin() {
    let mut harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::tiled());
    harness.get_by_label("Limiter").click();
    harness.run();
    assert_eq!(harness.state().heatmap.mode, Mode::Limiter);
    harness.get_by_label("Difference").click();
    harness.run();
    assert_eq!(harness.state().heatmap.mode, Mode::Limiter);
    harness.state_mut().pinned = Some(Launch::new(128, 32));
    harness.run();
    harness.get_by_label("Difference").click();
    harness.run();
    assert_eq!(harness.state().heatmap.mode, Mode::Difference);
}

#[test]
fn another_gpu_must_be_there_to_be_compared_with() {
    let mut harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::tiled());
    harness.get_by_label("Other GPU").click();
    harness.run();
    assert_eq!(harness.state().heatmap.mode, Mode::Occupancy);
    harness.state_mut().other = Catalog::builtin().find_arch("7.5").ok();
    harness.run();
    harness.get_by_label("Other GPU").click();
    harness.run();
    assert_eq!(harness.state().heatmap.mode, Mode::OtherGpu);
    harness.get_by_label_contains("+12.5 points: RTX 2080 has 25 %");
}

#[test]
fn every_mode_has_its_choice_in_every_height() {
    for size in [[832.0, 356.0], [592.0, 256.0], [640.0, 220.0]] {
        for mode in Mode::ALL {
            let mut scene = Scene::in_mode(mode);
            scene.other = Catalog::builtin().find_arch("7.5").ok();
            scene.pinned = Some(Launch::new(128, 32));
            let harness = heatmap(size, Theme::Dark, 1.0, scene);
            for choice in Mode::ALL {
                assert!(harness.get_by_label(choice.name()).rect().bottom() <= size[1], "{size:?} {mode:?} {choice:?}");
            }
        }
    }
}

#[test]
fn clicking_a_kernel_selects_it() {
    let mut harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::with_kernels());
    let at = middle(cells(&harness), 7.0, 7.0) + vec2(3.0, 2.0);
    click(&mut harness, at);
    assert_eq!(harness.state().events, [HeatmapEvent::Select(2)]);
}

#[test]
fn a_mark_of_several_kernels_lists_them_and_a_click_takes_the_longest() {
    let mut scene = Scene::tiled();
    let point = |name: &str, registers, duration_ns| KernelPoint {
        name: name.to_owned(),
        registers,
        threads: 512,
        smem_bytes: 49_152,
        duration_ns: Some(duration_ns),
        ..KernelPoint::default()
    };
    scene.points = KernelPoints::new(vec![point("short", 32, 10.0), point("long", 31, 70.0), point("middle", 32, 20.0)]);
    let mut harness = heatmap([832.0, 356.0], Theme::Dark, 1.0, scene);
    let at = middle(cells(&harness), 3.0, 15.0);
    harness.hover_at(at);
    harness.run();
    harness.get_by_label("3 kernels here");
    harness.get_by_label("31 registers × 512 threads, 70 % of the time");
    click(&mut harness, at);
    assert_eq!(harness.state().events, [HeatmapEvent::Select(1)]);
    harness.state_mut().selected = Some(1);
    click(&mut harness, at);
    assert_eq!(harness.state().events.last(), Some(&HeatmapEvent::Select(2)));
}

#[test]
fn a_click_on_a_curve_goes_there() {
    let mut harness = view([832.0, 356.0], Theme::Dark, 1.0, Scene::tiled(), draw_curves);
    harness.run();
    let plot = harness.get_by_label_contains("Occupancy by registers per thread").rect();
    click(&mut harness, pos2(plot.left() + plot.width() * 30.0 / 255.0, plot.center().y));
    assert_eq!(harness.state().gone_to, Some(Launch { dynamic_smem_bytes: 49_152, ..Launch::new(256, 32) }));
}

/// Beside the A100: less shared memory and half the warps, more of both, and a name without a product.
fn three_others() -> Vec<OtherGpu<'static>> {
    let gpus = [("7.5", "RTX 2080 Ti"), ("9.0", "H100 SXM5 80 GB"), ("8.6", "compute capability 8.6")];
    let other = |(arch, name)| OtherGpu { arch: Catalog::builtin().find_arch(arch).expect("a built-in architecture"), name };
    gpus.into_iter().map(other).collect()
}

#[test]
fn curves_say_what_every_gpu_has() {
    let mut scene = Scene::tiled();
    scene.others = three_others();
    let mut harness = view([832.0, 356.0], Theme::Dark, 1.0, scene, draw_curves);
    harness.run();
    let plot = harness.get_by_label(
        "Occupancy by dynamic shared memory, KiB, 4 GPUs. A100: 64 registers, 256 threads, 48 KiB dynamic shared memory: \
         37.5 % theoretical occupancy, 3 blocks per SM, 24 of 64 warps, limited by shared memory; RTX 2080 Ti: 25 %; \
         H100 SXM5 80 GB: 50 %; compute capability 8.6: 33.3 %",
    );
    let at = plot.rect().right_center() - vec2(30.0, 0.0);
    harness.get_by_label("Warps").click();
    harness.run();
    harness.get_by_label("Percent");
    harness.hover_at(at);
    harness.run();
    assert_eq!(harness.get_all_by_label("cannot launch").count(), 3);
    harness.get_by_label("8 of 64 warps");
}

#[test]
fn the_heatmap_is_dark() {
    check(&mut heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::tiled()), "heatmap_dark");
}

#[test]
fn the_heatmap_is_light() {
    check(&mut heatmap([832.0, 356.0], Theme::Light, 1.0, Scene::tiled()), "heatmap_light");
}

#[test]
fn kernels_of_two_files_lie_on_the_dark_heatmap() {
    check(&mut heatmap([832.0, 356.0], Theme::Dark, 1.0, Scene::with_files()), "overlay_dark");
}

#[test]
fn kernels_of_two_files_lie_on_the_light_heatmap() {
    check(&mut heatmap([832.0, 356.0], Theme::Light, 1.0, Scene::with_files()), "overlay_light");
}

#[test]
fn heatmap_looks() {
    for (name, theme) in THEMES {
        look(&mut heatmap([832.0, 356.0], theme, 1.0, Scene::in_mode(Mode::Limiter)), &format!("heatmap_limiter_{name}"));
        let mut scene = Scene::in_mode(Mode::Difference);
        scene.pinned = Some(Launch { dynamic_smem_bytes: 49_152, ..Launch::new(512, 96) });
        look(&mut heatmap([832.0, 356.0], theme, 1.0, scene), &format!("heatmap_difference_{name}"));
        for (mode, text) in [(Mode::Blocks, "blocks"), (Mode::OtherGpu, "other"), (Mode::Better, "better")] {
            let mut scene = Scene::in_mode(mode);
            scene.other = Catalog::builtin().find_arch("7.5").ok();
            look(&mut heatmap([1300.0, 660.0], theme, 1.0, scene), &format!("heatmap_{text}_{name}"));
        }
        look(&mut heatmap([832.0, 356.0], theme, 1.0, Scene::with_kernels()), &format!("heatmap_kernels_{name}"));
        look(&mut heatmap([592.0, 256.0], theme, 1.0, Scene::with_kernels()), &format!("heatmap_small_{name}"));
        let mut harness = heatmap([832.0, 356.0], theme, 2.0, Scene::in_mode(Mode::Warps));
        let at = middle(cells(&harness), 4.0, 13.0);
        harness.hover_at(at);
        harness.run();
        look(&mut harness, &format!("heatmap_hover_2x_{name}"));
        let mut scene = Scene::tiled();
        scene.heatmap.axes = Axes::RegistersByDynamicSmem;
        look(&mut heatmap([592.0, 256.0], theme, 1.0, scene), &format!("heatmap_smem_{name}"));
        look(&mut heatmap([1300.0, 660.0], theme, 1.0, Scene::tiled()), &format!("heatmap_large_{name}"));
        look(&mut heatmap([1300.0, 660.0], theme, 1.0, Scene::in_mode(Mode::Limiter)), &format!("heatmap_large_limiter_{name}"));
        let mut harness = heatmap([832.0, 356.0], theme, 1.0, Scene::with_kernels());
        let at = middle(cells(&harness), 2.0, 7.0);
        harness.hover_at(at);
        harness.get_by_label_contains("Occupancy by registers per thread").focus();
        harness.run();
        look(&mut harness, &format!("heatmap_kernels_hover_{name}"));
    }
}

#[test]
fn curves_looks() {
    for (name, theme) in THEMES {
        for (size, text) in [([832.0, 356.0], "curves"), ([592.0, 256.0], "curves_small")] {
            let mut harness = view(size, theme, 1.0, Scene::tiled(), draw_curves);
            harness.run();
            look(&mut harness, &format!("{text}_{name}"));
            let mut scene = Scene::tiled();
            scene.others = three_others();
            let mut harness = view(size, theme, 1.0, scene, draw_curves);
            harness.run();
            look(&mut harness, &format!("{text}_others_{name}"));
            harness.get_by_label("Warps").click();
            harness.run();
            let at = harness.get_by_label_contains("Occupancy by dynamic shared memory").rect().center();
            harness.hover_at(at);
            harness.run();
            look(&mut harness, &format!("{text}_others_hover_{name}"));
        }
        let mut scene = Scene::tiled();
        scene.launch.registers_per_thread = 168;
        scene.launch.block = Dim3::linear(320);
        let mut harness = view([1100.0, 320.0], theme, 1.0, scene, draw_curves);
        harness.run();
        let at = harness.get_by_label_contains("Occupancy by threads per block").rect().center();
        harness.hover_at(at);
        harness.run();
        look(&mut harness, &format!("curves_hover_{name}"));
    }
}

#[test]
fn odd_sizes_draw() {
    for size in [[832.0, 356.0], [120.0, 60.0], [1.0, 1.0]] {
        for mode in Mode::ALL {
            let mut scene = Scene::with_kernels();
            scene.heatmap.mode = mode;
            scene.pinned = Some(Launch::new(128, 32));
            heatmap(size, Theme::Light, 1.0, scene).run_steps(3);
        }
        view(size, Theme::Light, 1.0, Scene::tiled(), draw_curves).run_steps(4);
    }
}
