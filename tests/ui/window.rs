//! The whole window: what a person does, by accessibility label, and how it looks.

use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use occuscope::arch::Catalog;
use occuscope::engine::Launch;
use occuscope::gui::app::App;
use occuscope::gui::effects::{SAMPLE_NAME, report};
use occuscope::import::{Progress, SAMPLE_REPORT};
use occuscope::session::{Action, Chart, GpuChoice, KernelRef, Screen, Session, ThemeChoice};
use occuscope::units::Dim3;

use crate::pictures::{THEMES, check, look};
use crate::soft::Soft;

/// The app at a size in points, in a theme.
pub fn window(size: [f32; 2], scale: f32, theme: egui::Theme) -> Harness<'static, Option<App>> {
    // What a thread answers asks for a picture of its own, and several answers may come while one settles.
    let builder = Harness::builder().with_max_steps(16);
    let mut harness = builder.with_size(size).with_pixels_per_point(scale).with_theme(theme).renderer(Soft::default()).build_ui_state(
        move |ui, app: &mut Option<App>| {
            let ctx = ui.ctx().clone();
            let Some(app) = app else {
                let mut fresh = App::new(&ctx, Arc::new(Catalog::with_textbook().clone()), Vec::new());
                let choice = if theme == egui::Theme::Dark { ThemeChoice::Dark } else { ThemeChoice::Light };
                fresh.act(&ctx, Action::SetTheme(choice));
                *app = Some(fresh);
                ctx.request_repaint();
                return;
            };
            app.logic(&ctx);
            // The harness leaves a margin that a window does not have.
            let whole = egui::UiBuilder::new().max_rect(ctx.content_rect());
            ui.scope_builder(whole, |ui| app.ui(ui));
        },
        None,
    );
    harness.run();
    harness
}

pub fn session<'a>(harness: &'a Harness<'_, Option<App>>) -> &'a Session {
    &harness.state().as_ref().expect("the app").session
}

pub fn act(harness: &mut Harness<'_, Option<App>>, action: Action) {
    let ctx = harness.ctx.clone();
    harness.state_mut().as_mut().expect("the app").act(&ctx, action);
    harness.run();
}

pub fn open_sample(harness: &mut Harness<'_, Option<App>>) {
    act(harness, Action::AddReport(report(Catalog::builtin(), SAMPLE_NAME.into(), SAMPLE_REPORT)));
}

#[test]
fn it_looks_right_at_every_size() {
    let sizes = [
        ([1440.0, 900.0], 1.0),
        ([1280.0, 800.0], 1.0),
        ([1920.0, 1080.0], 1.0),
        ([640.0, 400.0], 2.0),
        ([1280.0, 720.0], 2.0),
        ([800.0, 600.0], 1.0),
    ];
    for (name, theme) in THEMES {
        for (size, scale) in sizes {
            let mut harness = window(size, scale, theme);
            look(&mut harness, &format!("explore_{name}_{}x{}@{scale}", size[0], size[1]));
            open_sample(&mut harness);
            look(&mut harness, &format!("kernels_{name}_{}x{}@{scale}", size[0], size[1]));
        }
    }
}

#[test]
fn the_map_keeps_its_room_in_a_window_that_shrinks() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    harness.set_size(egui::vec2(1280.0, 800.0));
    harness.run();
    look(&mut harness, "explore_shrunk_dark");
    let slots = harness.get_by_label("Block slots: 3 of 32 used, 29 free, blocked by S").rect();
    let chart = harness.get_by_label("Occupancy by registers and block size").rect();
    assert!(slots.bottom() < chart.top(), "{slots:?} is covered by what begins at {chart:?}");
}

/// A chart with two GPUs, and beside it the inputs and the answer, against its stored picture.
fn check_chart(chart: Chart, theme: egui::Theme, name: &str) {
    let mut harness = window([1280.0, 800.0], 1.0, theme);
    act(&mut harness, Action::CompareWith(GpuChoice::Product("H100 SXM".to_owned())));
    act(&mut harness, Action::ShowChart(chart));
    check(&mut harness, name);
}

#[test]
fn curves_look_as_stored_in_the_dark() {
    check_chart(Chart::Curves, egui::Theme::Dark, "window_curves_dark");
}

#[test]
fn curves_look_as_stored_in_the_light() {
    check_chart(Chart::Curves, egui::Theme::Light, "window_curves_light");
}

#[test]
fn the_comparison_looks_as_stored_in_the_dark() {
    check_chart(Chart::Compare, egui::Theme::Dark, "window_compare_dark");
}

#[test]
fn the_comparison_looks_as_stored_in_the_light() {
    check_chart(Chart::Compare, egui::Theme::Light, "window_compare_light");
}

#[test]
fn its_other_states_look_right() {
    for (name, theme) in THEMES {
        let mut harness = window([1280.0, 800.0], 1.0, theme);
        act(&mut harness, Action::ShowMore(true));
        act(&mut harness, Action::SetRegistersPerThread(200));
        act(&mut harness, Action::SetBlock(Dim3::new(32, 32, 1)));
        harness.get_by_label("Cannot launch");
        look(&mut harness, &format!("cannot_launch_{name}"));
        let tie = Launch { dynamic_smem_bytes: 60 * 1024, opt_in: true, ..Launch::new(768, 40) };
        act(&mut harness, Action::SetLaunch(tie));
        look(&mut harness, &format!("tie_{name}"));
        act(&mut harness, Action::ShowScreen(Screen::Kernels));
        look(&mut harness, &format!("kernels_empty_{name}"));
        act(&mut harness, Action::ShowScreen(Screen::Explore));
        act(&mut harness, Action::Undo);
        act(&mut harness, Action::Undo);
        act(&mut harness, Action::PinConfiguration);
        harness.get_by_label("Curves").click();
        harness.run();
        look(&mut harness, &format!("curves_{name}"));
        harness.get_by_label("Keys ?").click();
        harness.run();
        look(&mut harness, &format!("keys_{name}"));
    }
}

#[test]
fn a_compiled_kernel_asks_for_its_block() {
    for (name, theme) in THEMES {
        let mut harness = window([1440.0, 900.0], 1.0, theme);
        let log = "ptxas info    : Compiling entry function '_Z5scalePff' for 'sm_80'\n\
                   ptxas info    : Function properties for _Z5scalePff\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
                   ptxas info    : Used 40 registers, used 1 barriers, 4096 bytes smem, 364 bytes cmem[0]\n";
        act(&mut harness, Action::AddReport(report(Catalog::builtin(), "build.log".into(), log.as_bytes())));
        harness.get_by_label("Choose a block");
        look(&mut harness, &format!("compiled_{name}"));
        harness.get_by_label("Open in Explore").click();
        harness.run();
        assert_eq!(session(&harness).view().screen, Screen::Explore);
        let launch = &session(&harness).document().configuration.launch;
        assert_eq!((launch.threads_per_block(), launch.registers_per_thread, launch.static_smem_bytes), (256, 40, 4096));
    }
}

#[test]
fn enter_takes_the_selected_kernel_to_explore() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    harness.key_press(egui::Key::End);
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(session(&harness).view().screen, Screen::Explore);
    assert_eq!(session(&harness).document().selected.map(|at| at.kernel), Some(11));
}

#[test]
fn it_survives_tiny_and_empty_windows() {
    for size in [[1.0, 1.0], [40.0, 30.0], [320.0, 200.0], [300.0, 2000.0]] {
        let mut harness = window(size, 1.0, egui::Theme::Dark);
        open_sample(&mut harness);
        harness.run_steps(5);
    }
}

/// A compiled kernel has registers but no block size, so it is listed and is no point anywhere.
#[test]
fn kernels_that_were_never_launched_are_shown() {
    const CUBIN: &[u8] = include_bytes!("../fixtures/cubin/lab.sm_90.cubin");
    const LOG: &[u8] = include_bytes!("../fixtures/ptxas/04_linked.txt");
    for size in [[1440.0, 900.0], [320.0, 200.0]] {
        let mut harness = window(size, 1.0, egui::Theme::Dark);
        // A small window scrolls to the selected kernel for some frames.
        let mut act = |action: Action| {
            let ctx = harness.ctx.clone();
            harness.state_mut().as_mut().expect("the app").act(&ctx, action);
            harness.run_steps(30);
        };
        act(Action::AddReport(report(Catalog::builtin(), "lab.cubin".into(), CUBIN)));
        act(Action::AddReport(report(Catalog::builtin(), "build.log".into(), LOG)));
        for (report, kernel) in [(0, 0), (0, 2), (1, 0), (1, 1)] {
            act(Action::SelectKernel(Some(KernelRef { report, kernel })));
            act(Action::ExploreKernel(KernelRef { report, kernel }));
            act(Action::ShowScreen(Screen::Kernels));
        }
        assert_eq!(session(&harness).document().kernels().count(), 8);
    }
}

#[test]
fn a_register_count_is_typed_and_the_answer_follows() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    harness.get_by_role_and_label(egui::Role::TextInput, "Registers per thread").click();
    harness.run();
    harness.get_by_role_and_label(egui::Role::TextInput, "Registers per thread").type_text("128");
    harness.run();
    assert_eq!(session(&harness).document().configuration.launch.registers_per_thread, 128);
    harness.get_by_label("Theoretical occupancy 25 percent");
}

#[test]
fn values_between_the_steps_of_a_slider_stay() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::SetDynamicSmemBytes(60_001));
    act(&mut harness, Action::SetBlock(Dim3::linear(100)));
    harness.run();
    let launch = &session(&harness).document().configuration.launch;
    assert_eq!((launch.dynamic_smem_bytes, launch.threads_per_block()), (60_001, 100));
}

#[test]
fn undo_takes_a_preset_back() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    harness.get_by_label("Large blocks, 768 threads").click();
    harness.run();
    harness.get_by_label("Theoretical occupancy 75 percent");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    harness.run();
    harness.get_by_label("Theoretical occupancy 37.5 percent");
}

#[test]
fn a_next_step_is_taken_by_a_click() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    harness
        .get_by(|node| node.role() == egui::Role::Button && node.label().is_some_and(|label| label.starts_with("Dynamic shared 48 KiB →")))
        .click();
    harness.run();
    harness.get_by_label("Theoretical occupancy 50 percent");
}

#[test]
fn kernels_are_listed_selected_and_taken_to_explore() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    open_sample(&mut harness);
    assert_eq!(session(&harness).view().screen, Screen::Kernels);
    harness.key_press(egui::Key::ArrowDown);
    harness.run();
    assert_eq!(session(&harness).document().selected.map(|at| at.kernel), Some(1));
    harness.get_by_label("Open in Explore").click();
    harness.run();
    assert_eq!(session(&harness).view().screen, Screen::Explore);
}

#[test]
fn reading_is_stopped_by_its_button() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    // Straight to the session: no file is touched.
    let app = harness.state_mut().as_mut().expect("the app");
    app.session.apply(Action::OpenPaths(vec!["/data/big.csv".into()]));
    let progress = Progress { bytes_read: 340_000_000, bytes_total: 1_024_000_000, num_kernels: 12_400 };
    app.session.apply(Action::ReadProgress { path: "/data/big.csv".into(), progress });
    harness.run();
    harness.get_by_label("Reading big.csv: 340 of 1,024 MB, 12,400 kernels");
    assert!(harness.run() <= 2, "it waits for news");
    harness.get_by_label("Cancel").focus();
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert!(session(&harness).reading()[0].is_cancelled);
    harness.get_by_label("Stopping big.csv: 340 of 1,024 MB, 12,400 kernels");
}

#[test]
fn a_gpu_is_found_by_keyboard_alone() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::K);
    harness.run();
    harness.get_by_label("Find a command, preset, GPU or kernel").type_text("h100");
    harness.run();
    look(&mut harness, "palette_dark");
    harness.key_press(egui::Key::ArrowDown);
    harness.run();
    harness.key_press(egui::Key::ArrowUp);
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(session(&harness).gpu_name(), "H100 SXM");
    assert!(harness.query_by_label("Find a command, preset, GPU or kernel").is_none(), "it closes");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::K);
    harness.run();
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Find a command, preset, GPU or kernel").is_none(), "Escape closes it too");
}

#[test]
fn nothing_repaints_while_nothing_happens() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    for screen in [Screen::Explore, Screen::Kernels] {
        act(&mut harness, Action::ShowScreen(screen));
        // `run` stops when no repaint is asked for, and fails when that never happens.
        assert!(harness.run() <= 2);
    }
}

#[test]
fn keys_place_blocks_one_by_one() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    let placed = |harness: &Harness<'_, Option<App>>| session(harness).view().placed;
    harness.key_press(egui::Key::Home);
    harness.run();
    assert_eq!(placed(&harness), Some(0));
    harness.key_press(egui::Key::ArrowRight);
    harness.run();
    assert_eq!(placed(&harness), Some(1));
    harness.key_press(egui::Key::End);
    harness.run();
    assert_eq!(placed(&harness), None);
    harness.key_press(egui::Key::ArrowLeft);
    harness.run();
    assert_eq!(placed(&harness), Some(3));
}

#[test]
fn gpus_are_compared_and_one_of_them_taken() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    harness.get_by_label("Compare").click();
    harness.run();
    harness.get_by_label("Add GPU…").click();
    harness.run();
    harness.get_by_role_and_label(egui::Role::TextInput, "Search GPUs").type_text("h100 pcie");
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(session(&harness).document().compared, [GpuChoice::Product("H100 PCIe".to_owned())]);
    let before = session(&harness).gpu_name();
    harness.get_by_label("Use H100 PCIe").click();
    harness.run();
    assert_eq!(session(&harness).gpu_name(), "H100 PCIe");
    harness.get_by_label(&format!("Remove {before}")).click();
    harness.run();
    assert!(session(&harness).document().compared.is_empty());
}

#[test]
fn a_cell_of_the_strip_is_compared_with_by_key() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    act(&mut harness, Action::ShowChart(Chart::Compare));
    let cell = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        node.role() == egui::Role::Button && node.label().is_some_and(|label| label.starts_with("7.5, "))
    };
    harness.get_by(cell).focus();
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    let compared = &session(&harness).document().compared;
    assert_eq!(session(&harness).arch_of(&compared[0]).compute_capability.to_string(), "7.5");
}

#[test]
fn a_textbook_gpu_is_drawn_and_says_that_it_is_invented() {
    for (name, theme) in THEMES {
        for gpu in ["textbook: no rounding", "textbook: 4 blocks per SM", "textbook: 64 blocks per SM"] {
            let mut harness = window([1280.0, 800.0], 1.0, theme);
            act(&mut harness, Action::SelectGpu(GpuChoice::Product(gpu.to_owned())));
            assert_eq!(session(&harness).gpu_name(), gpu);
            harness.get_by_label(&format!("{gpu} is invented: no real GPU has these limits."));
            look(&mut harness, &format!("{}_{name}", gpu.replace([':', ' '], "_")));
            harness.get_by_label("Curves").click();
            harness.run();
        }
    }
}

#[test]
fn the_comparison_looks_right() {
    for (name, theme) in THEMES {
        for size in [[1280.0, 800.0], [800.0, 600.0], [1440.0, 1300.0], [801.0, 1600.0]] {
            let mut harness = window(size, 1.0, theme);
            act(&mut harness, Action::ShowChart(Chart::Compare));
            look(&mut harness, &format!("compare_one_{name}_{}", size[0]));
            act(&mut harness, Action::SetDynamicSmemBytes(60_000));
            act(&mut harness, Action::SetGrid(Some(Dim3::linear(1000))));
            for gpu in ["H100 PCIe", "RTX 4090", "T4"] {
                act(&mut harness, Action::CompareWith(GpuChoice::Product(gpu.to_owned())));
            }
            look(&mut harness, &format!("compare_{name}_{}", size[0]));
        }
    }
}

#[test]
fn space_plays_and_f_refines() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    harness.key_press(egui::Key::F);
    harness.key_press(egui::Key::Space);
    harness.run();
    let view = session(&harness).view();
    assert!(view.playback.is_fine && view.playback.is_playing);
    assert_eq!(view.placed, Some(0), "from the empty SM");
    harness.get_by_label("Pause");
    harness.key_press(egui::Key::Space);
    harness.run();
    assert!(!session(&harness).view().playback.is_playing);
    act(&mut harness, Action::Play(true));
    act(&mut harness, Action::SetRegistersPerThread(100));
    assert!(!session(&harness).view().playback.is_playing, "another launch is shown whole");
    assert_eq!(session(&harness).view().placed, None);
}

#[test]
fn keys_of_the_player_are_letters_in_a_field() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    harness.get_by_role_and_label(egui::Role::TextInput, "Registers per thread").click();
    harness.run();
    harness.key_press(egui::Key::Space);
    harness.key_press(egui::Key::F);
    harness.run();
    let playback = session(&harness).view().playback;
    assert!(!playback.is_fine && !playback.is_playing);
}

#[test]
fn the_editor_says_what_is_wrong_while_it_is_typed() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Dark);
    harness.get_by_label("Edit a copy…").click();
    harness.run();
    let wrong = "found 1,000, expected a multiple of 32, the threads of a warp";
    for (typed, is_wrong) in [("1000", true), ("1024", false)] {
        harness.get_by_role_and_label(egui::Role::TextInput, "Threads per SM").click();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.get_by_role_and_label(egui::Role::TextInput, "Threads per SM").type_text(typed);
        harness.run();
        look(&mut harness, &format!("editor_typed_{typed}_dark"));
        assert_eq!(harness.query_by_label(wrong).is_some(), is_wrong, "{typed}");
    }
}

#[test]
fn the_sizes_of_the_pool_are_typed_as_a_list() {
    let mut harness = window([1280.0, 800.0], 1.0, egui::Theme::Light);
    harness.get_by_label("Edit a copy…").click();
    harness.run();
    let wrong = "found [16384, 65536], expected a list with smem_per_sm_bytes (167936) in it";
    for (typed, is_wrong) in [("16, 64 KiB", true), ("16, 64, 164 KiB", false)] {
        harness.get_by_role_and_label(egui::Role::TextInput, "Pool sizes").click();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.get_by_role_and_label(egui::Role::TextInput, "Pool sizes").type_text(typed);
        harness.run();
        look(&mut harness, &format!("editor_sizes_{is_wrong}"));
        assert_eq!(harness.query_by_label(wrong).is_some(), is_wrong, "{typed}");
    }
}

#[test]
fn the_editor_of_ones_own_gpus_opens_and_closes() {
    for (name, theme) in THEMES {
        for size in [[1280.0, 800.0], [800.0, 600.0]] {
            let mut harness = window(size, 1.0, theme);
            if size[0] < 1200.0 {
                harness.get_by_label("Inputs").click();
                harness.run();
            }
            harness.get_by_label("Edit a copy…").click();
            harness.run();
            look(&mut harness, &format!("editor_{name}_{}", size[0]));
            harness.get_by_label("Save GPU");
            harness.get_by_role_and_label(egui::Role::TextInput, "Threads per SM");
            harness.key_press(egui::Key::Escape);
            harness.run();
            assert!(harness.query_by_label("Save GPU").is_none());
        }
    }
}

#[test]
fn a_dialog_does_not_have_the_tooltip_of_what_it_covers() {
    let mut harness = window([1440.0, 900.0], 1.0, egui::Theme::Dark);
    let row = harness.get_by_label_contains("Block slots: 3 of 32 used, 29 free").rect();
    harness.hover_at(row.center());
    harness.run_steps(20);
    assert!(harness.query_by_label("Limit by block slots").is_some());
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
    harness.run_steps(20);
    assert!(harness.query_by_label("Limit by block slots").is_none());
    assert!(harness.query_by_label("Save current").is_some());
    assert_eq!(harness.ctx.pointer_latest_pos(), Some(row.center()), "the pointer is there again");
}
