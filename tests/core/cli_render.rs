//! `occuscope render`: pictures without a display.
#![cfg(feature = "gui")]

use std::fs;

use crate::cli::{folder, run};

const LAUNCH: [&str; 8] = ["--gpu", "A100 SXM 40 GB", "--threads", "256", "--registers", "64", "--dynamic-smem", "48K"];

/// Renders into a file of this name and returns what was written.
fn rendered(test: &str, name: &str, more: &[&str]) -> Vec<u8> {
    let file = folder(test).join(name);
    let path = file.display().to_string();
    let args = [&["render", "--output", &path][..], &LAUNCH, more].concat();
    let ran = run(&args);
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (0, "", ""), "{args:?}");
    fs::read(file).expect("a picture")
}

#[test]
fn an_svg_says_what_it_shows() {
    for view in ["sm-map", "heatmap", "curves", "waves", "compare"] {
        let svg = String::from_utf8(rendered("render-svg", "map.svg", &["--view", view, "--grid", "1000"])).expect("text");
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\""), "{view}");
        assert!(svg.contains("<title>256 threads, 64 registers, 48 KiB on A100 SXM 40 GB</title>"), "{view}");
        assert!(svg.contains("<desc>Theoretical occupancy 37.5 %. Shared memory stops block 4. A block takes 49 KiB"), "{view}");
        assert!(svg.trim_end().ends_with("</svg>"), "{view}");
    }
}

#[test]
fn the_same_picture_comes_out_every_time() {
    let png = rendered("render-once", "a.png", &["--theme", "print", "--scale", "1"]);
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(png, rendered("render-again", "a.png", &["--theme", "print", "--scale", "1"]));
    assert_ne!(png, rendered("render-dark", "a.png", &["--theme", "dark", "--scale", "1"]));
}

#[test]
fn waves_need_a_grid_and_a_number_of_sms_and_no_report() {
    let svg = String::from_utf8(rendered("render-waves", "waves.svg", &["--view", "waves", "--grid", "1000"])).expect("text");
    assert!(svg.contains("3 full waves + 28 of 324 blocks"), "{}", &svg[..600]);
    let file = folder("render-waves-of-cc").join("waves.svg").display().to_string();
    let ask = ["render", "-o", &file, "--view", "waves", "--cc", "8.0", "--threads", "256", "--registers", "64", "--dynamic-smem", "48K"];
    let ran = run(&[&ask[..], &["--grid", "1000"]].concat());
    assert!(ran.code == 2 && ran.err.contains("the waves need the number of SMs; add --gpu or --num-sms"), "{ran:?}");
    let ran = run(&[&ask[..], &["--num-sms", "108"]].concat());
    assert!(ran.code == 2 && ran.err.contains("the waves need a grid; give its blocks with --grid 1000"), "{ran:?}");
    assert_eq!(run(&[&ask[..], &["--grid", "1000", "--num-sms", "108"]].concat()).code, 0);
    assert!(fs::read_to_string(file).expect("a picture").contains("3 full waves + 28 of 324 blocks"));
}

#[test]
fn a_preset_brings_its_launch_and_gpu() {
    let file = folder("render-preset").join("map.svg").display().to_string();
    let preset = occuscope::session::presets::builtin()[0].name.clone();
    let title = |more: &[&str]| {
        let ran = run(&[&["render", "-o", &file, "--preset", &preset][..], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        fs::read_to_string(&file).expect("a picture").lines().nth(1).expect("a title").to_owned()
    };
    assert_eq!(title(&[]), "<title>256 threads, 64 registers, 48 KiB on A100 SXM 40 GB</title>");
    assert_eq!(title(&["--gpu", "RTX 4090"]), "<title>256 threads, 64 registers, 48 KiB on RTX 4090</title>");
    let ran = run(&["render", "-o", &file, "--preset", &preset, "--threads", "32"]);
    assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{ran:?}");
}

#[test]
fn a_map_can_stop_at_a_step_and_does_not_tell_the_answer_then() {
    let svg = String::from_utf8(rendered("render-step", "map.svg", &["--placed", "2"])).expect("text");
    assert!(svg.contains("<desc>2 blocks are on the SM. Is there room for another? Warp slots 16 of 64 used"), "{}", &svg[..600]);
    let answer = "Theoretical occupancy";
    assert!(!svg.contains(answer) && String::from_utf8(rendered("render-step", "map.svg", &[])).expect("text").contains(answer));
    let png = |more: &[&str]| rendered("render-step", "map.png", &[&["--scale", "1"][..], more].concat());
    assert_ne!(png(&["--placed", "2"]), png(&["--placed", "3"]));
}

#[test]
fn each_mode_of_the_heatmap_has_its_colors() {
    let png = |mode: &str| rendered("render-mode", "map.png", &["--scale", "1", "--view", "heatmap", "--mode", mode]);
    let mut pictures = ["occupancy", "limiter", "warps", "blocks", "better"].map(png).to_vec();
    pictures.push(rendered(
        "render-mode",
        "map.png",
        &["--scale", "1", "--view", "heatmap", "--mode", "other-gpu", "--compare", "H100 SXM"],
    ));
    for (index, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..index].contains(picture), "mode {index} looks like one before it");
    }
}

#[test]
fn a_heatmap_is_a_table_too() {
    let csv = String::from_utf8(rendered("render-csv", "map.csv", &["--view", "heatmap"])).expect("text");
    assert!(csv.starts_with("threads_per_block,registers_per_thread,blocks_per_sm,"));
    assert!(csv.contains("\n256,64,3,24,37.5,shared_memory\n"));
}

#[test]
fn a_comparison_says_what_each_gpu_makes_of_the_launch() {
    let more = ["--view", "compare", "--compare", "H100 SXM", "--compare", "8.6"];
    let svg = String::from_utf8(rendered("render-compare", "gpus.svg", &more)).expect("text");
    let said = "On A100 SXM 40 GB 37.5 %, on H100 SXM 50 %, on compute capability 8.6 33.3 %.";
    assert!(svg.contains(said), "{}", &svg[..800]);
}

#[test]
fn kernels_of_a_report_are_marked_on_the_heatmap() {
    let report = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/tail_effect_a100.csv");
    let png = |more: &[&str]| rendered("render-report", "map.png", &[&["--scale", "1", "--view", "heatmap"][..], more].concat());
    assert_ne!(png(&[]), png(&["--report", report]));
    let file = folder("render-report-other").join("map.svg").display().to_string();
    let ran = run(&["render", "-o", &file, "--view", "heatmap", "--cc", "8.6", "--threads", "256", "--report", report]);
    assert!(ran.code == 2 && ran.err.contains("none of the kernels ran on compute capability 8.6"), "{ran:?}");
}

#[test]
fn wrong_input_is_refused_and_writes_nothing() {
    let folder = folder("render-wrong");
    for (name, more, said) in [
        ("map.jpg", &["--threads", "256"][..], "the name of a picture ends with .svg or .png"),
        ("map.svg", &[][..], "the block is missing; give its threads with --threads 256, or its shape with --block 16x16"),
        ("map.csv", &["--threads", "256"][..], "only the heatmap is a table too; add --view heatmap"),
        ("map.svg", &["--threads", "256", "--view", "nothing"][..], "possible values: sm-map, heatmap, curves, waves, compare"),
        ("map.svg", &["--threads", "256", "--mode", "limiter"][..], "only the heatmap has a mode"),
        ("map.svg", &["--threads", "256", "--view", "curves", "--placed", "1"][..], "only the SM map has blocks to place"),
        ("map.svg", &["--threads", "256", "--view", "heatmap", "--mode", "other-gpu"][..], "--mode other-gpu needs another GPU"),
        ("map.svg", &["--threads", "256", "--compare", "H100 SXM"][..], "this view is of one GPU; add --view compare"),
        ("map.svg", &["--threads", "256", "--report", "a.csv"][..], "only the heatmap has kernels marked on it"),
        ("map.svg", &["--threads", "256", "--view", "heatmap", "--report", "no-such.csv"][..], "the report cannot be read, no-such.csv"),
        ("map.svg", &["--threads", "256", "--placed", "99"][..], "--placed is 99, but 8 blocks fit on one SM"),
    ] {
        let file = folder.join(name);
        let path = file.display().to_string();
        let ran = run(&[&["render", "--cc", "8.0", "-o", &path][..], more].concat());
        assert!(ran.code == 2 && ran.err.contains(said), "{ran:?}");
        assert!(!file.exists());
    }
    let nowhere = folder.join("no/such/folder/a.svg").display().to_string();
    let ran = run(&["render", "--cc", "8.0", "--threads", "32", "-o", &nowhere]);
    assert!(ran.code == 2 && ran.err.contains("cannot be written"), "{ran:?}");
}

/// The window copies what the command line prints: both come from one function.
#[test]
fn the_answer_is_printed_as_json_and_markdown() {
    let catalog = occuscope::arch::Catalog::builtin();
    let gpu = catalog.find_gpu("A100 SXM 40 GB").expect("it is known");
    let arch = catalog.arch(gpu.compute_capability).expect("8.0 is known");
    let launch = occuscope::engine::Launch {
        dynamic_smem_bytes: 48 * 1024,
        grid: Some(occuscope::units::Dim3::linear(1000)),
        ..occuscope::engine::Launch::new(256, 64)
    };
    let printed = |format: &str| {
        let ran = run(&[&["occupancy", "--grid", "1000", "--format", format][..], &LAUNCH].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    let json = occuscope::export::occupancy_json(arch, Some(&gpu.name), &launch, gpu.num_sms).expect("an object");
    assert_eq!(printed("json"), json);
    assert!(json.contains("\"partial_wave_blocks\": 28"), "{json}");
    let markdown = printed("markdown");
    assert_eq!(markdown, occuscope::export::occupancy_markdown(arch, Some(&gpu.name), &launch, gpu.num_sms));
    assert!(markdown.contains("\n| Waves | 3.09 |\n"), "{markdown}");
}
