//! `occuscope compare` as scripts see it.

use std::fs;

use serde_json::{Value, json};

use crate::cli::{SAMPLE, folder, run};

/// A raw report with one kernel.
fn report_of(registers: u32, achieved: f64) -> String {
    format!(
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\
         \"Device\",\"CC\",\"launch__registers_per_thread\",\
         \"launch__shared_mem_per_block_static\",\"launch__shared_mem_per_block_dynamic\",\
         \"sm__warps_active.avg.pct_of_peak_sustained_active\"\n\
         \"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"register/thread\",\"byte/block\",\"byte/block\",\"%\"\n\
         \"0\",\"7\",\"app\",\"127.0.0.1\",\"saxpy<float>\",\"1\",\"7\",\"(256, 1, 1)\",\"(10000, 1, 1)\",\"0\",\"8.0\",\"{registers}\",\"0\",\"0\",\"{achieved}\"\n"
    )
}

#[test]
fn compare_says_what_changed_and_fails_when_told_to() {
    let folder = folder("compare");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let (old, new) = (write("old.csv", &report_of(64, 48.5)), write("new.csv", &report_of(72, 36.0)));
    let ran = run(&["compare", &old, &new, "--format", "json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let changed = &ran.json()["changed"][0];
    assert_eq!(changed["name"], json!("saxpy<float>"));
    assert_eq!(changed["lost_points"], json!(12.5));
    let changes: Vec<(&str, &Value, &Value)> = changed["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| (change["what"].as_str().unwrap(), &change["old"], &change["new"]))
        .collect();
    assert_eq!(
        changes,
        [
            ("registers_per_thread", &json!(64), &json!(72)),
            ("blocks_per_sm", &json!(4), &json!(3)),
            ("theoretical", &json!(50.0), &json!(37.5)),
            ("achieved", &json!(48.5), &json!(36.0)),
        ]
    );
    let ran = run(&["compare", &old, &new, "--fail-if-lower", "10"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.out.starts_with("1 of 1 kernel changed\n") && ran.out.contains("saxpy<float> · block 256 · grid 10,000"), "{}", ran.out);
    assert!(ran.out.contains("theoretical") && ran.out.contains("−12.5 points"), "{}", ran.out);
    assert_eq!(run(&["compare", &old, &new, "--fail-if-lower", "12.5"]).code, 0, "12.5 points are not more than 12.5");
    assert_eq!(run(&["compare", &new, &old, "--fail-if-lower", "0"]).code, 0, "higher is not lower");
    let ran = run(&["compare", &old, &new, "--format", "csv"]);
    assert!(ran.out.contains("saxpy<float>,registers_per_thread,64,72\n"), "{}", ran.out);
    let ran = run(&["compare", &old, &new, "--format", "markdown"]);
    assert!(ran.out.contains("| saxpy\\<float\\> | registers/thread | 64 | 72 |"), "{}", ran.out);
}

#[test]
fn a_kernel_never_becomes_a_formula() {
    let folder = folder("compare-formula");
    let write = |name: &str, registers: u32| {
        let path = folder.join(name);
        fs::write(&path, report_of(registers, 48.5).replace("saxpy<float>", "=SUM(A1)")).unwrap();
        path.to_string_lossy().into_owned()
    };
    let ran = run(&["compare", &write("old.csv", 64), &write("new.csv", 72), "--format", "csv"]);
    assert!(ran.out.starts_with("name,what,old,new\n'=SUM(A1),registers_per_thread,64,72\n"), "{}", ran.out);
    let ran = run(&["compare", SAMPLE, &write("other.csv", 72), "--format", "csv"]);
    assert!(ran.out.contains("\n'=SUM(A1),only_new,,\n"), "{}", ran.out);
}

#[test]
fn compare_refuses_what_cannot_be_read() {
    let ran = run(&["compare", SAMPLE, "/nowhere/new.csv"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("/nowhere/new.csv"), "{}", ran.err);
    assert_eq!(run(&["compare", SAMPLE, SAMPLE, "--fail-if-lower", "101"]).code, 2);
    let ran = run(&["compare", SAMPLE, SAMPLE]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("0 of "), "{}", ran.out);
}
