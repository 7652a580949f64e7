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
    for view in ["sm-map", "heatmap", "curves"] {
        let svg = String::from_utf8(rendered("render-svg", "map.svg", &["--view", view])).expect("text");
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
fn a_heatmap_is_a_table_too() {
    let csv = String::from_utf8(rendered("render-csv", "map.csv", &["--view", "heatmap"])).expect("text");
    assert!(csv.starts_with("threads_per_block,registers_per_thread,blocks_per_sm,"));
    assert!(csv.contains("\n256,64,3,24,37.5,shared_memory\n"));
}

#[test]
fn wrong_input_is_refused_and_writes_nothing() {
    let folder = folder("render-wrong");
    for (name, more, said) in [
        ("map.jpg", &["--threads", "256"][..], "the name of a picture ends with .svg or .png"),
        ("map.svg", &[][..], "the block is missing; give its threads with --threads 256, or its shape with --block 16x16"),
        ("map.csv", &["--threads", "256"][..], "only the heatmap is a table too; add --view heatmap"),
        ("map.svg", &["--threads", "256", "--view", "nothing"][..], "possible values: sm-map, heatmap, curves"),
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
