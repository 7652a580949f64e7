//! Real binary reports, where they are at hand: read directly they say what the profiler's own exports of them say.
//!
//! The files are not part of this package. Without them each test says so and passes.

use std::path::Path;

use occuscope::import::{Format, Kernel, Report, Rule, read_report};
use serde_json::Value;

use crate::import_real::{NotKept, metric, open, reports};

const FOLDER: &str = "ncu-rep";

/// The five reports, by the beginning of their name.
const FILES: [&str; 5] = [
    "cc75_ncu2022.4_gtx1660ti_4kernels",
    "cc80_ncu2020.3_a100_pcie",
    "cc86_ncu2022.4_a6000_static_smem",
    "cc90_ncu2025.1_gh200_triton",
    "cc100_ncu2025.2_b200_cublaslt",
];

fn read(folder: &Path, file: &str) -> Report {
    let (path, bytes) = open(folder, file);
    let report = read_report(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    check_places(&report, bytes.len(), &path);
    report
}

/// What was read from bytes says at which, and they are in the file.
fn check_places(report: &Report, num_bytes: usize, path: &str) {
    let mut places = Vec::new();
    collect_places(&serde_json::to_value(&report.kernels).unwrap(), &mut places);
    assert_eq!(report.format == Format::NcuRep, !places.is_empty(), "{path}");
    assert!(places.iter().all(|offset| *offset > 0 && *offset < u64::try_from(num_bytes).unwrap()), "{path}");
    assert!(report.format != Format::NcuRep || report.notes.iter().all(|note| note.line.is_none() && note.column.is_none()), "{path}");
}

fn collect_places(value: &Value, places: &mut Vec<u64>) {
    match value {
        Value::Object(object) => {
            places.extend(object.get("offset").and_then(Value::as_u64));
            object.values().for_each(|value| collect_places(value, places));
        }
        Value::Array(list) => list.iter().for_each(|value| collect_places(value, places)),
        _ => {}
    }
}

/// Compares two readings of one kernel value by value and counts the values.
///
/// Counts and texts have to be equal. The export prints a real number to two decimals, so half of the last one is allowed. A
/// value that only the binary report has is allowed when `may_lack` says that the export may lack it.
fn compare(binary: &Value, export: &Value, may_lack: bool, place: &str) -> usize {
    match (binary, export) {
        (Value::Object(ours), Value::Object(theirs)) if ours.contains_key("value") && ours.contains_key("rounded") => {
            assert_eq!(theirs["rounded"], false, "{place}");
            compare(&ours["value"], &theirs["value"], false, place)
        }
        (Value::Object(ours), Value::Object(theirs)) => ours
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "at" | "rules"))
            .map(|(name, value)| compare(value, theirs.get(name).unwrap_or(&Value::Null), may_lack, &format!("{place} {name}")))
            .sum(),
        (Value::Number(ours), Value::Number(theirs)) if ours.is_f64() || theirs.is_f64() => {
            let (ours, theirs) = (ours.as_f64().unwrap(), theirs.as_f64().unwrap());
            assert!((ours - theirs).abs() <= 0.005 + 1e-12 * ours.abs(), "{place}: {ours} here, {theirs} in the export");
            1
        }
        (Value::Null, Value::Null) => 0,
        (_, Value::Null) if may_lack => 0,
        _ => {
            assert_eq!(binary, export, "{place}");
            1
        }
    }
}

fn compare_reports(binary: &Report, export: &Report, may_lack: bool, file: &str) -> usize {
    assert_eq!(binary.kernels.len(), export.kernels.len(), "{file}");
    let pairs = binary.kernels.iter().zip(&export.kernels);
    let json = |kernel: &Kernel| serde_json::to_value(kernel).unwrap();
    pairs.map(|(ours, theirs)| compare(&json(ours), &json(theirs), may_lack, &format!("{file}: {}", ours.name))).sum()
}

#[test]
fn a_binary_report_is_read_as_its_raw_page() {
    let Some(folder) = reports(FOLDER) else { return };
    let mut num_values = 0;
    for file in FILES {
        let (binary, export) = (read(&folder, &format!("{file}.ncu-rep")), read(&folder, &format!("{file}.raw.csv")));
        assert_eq!((binary.format, export.format), (Format::NcuRep, Format::Raw), "{file}");
        num_values += compare_reports(&binary, &export, false, file);
    }
    println!("{num_values} values are those of the raw pages");
    assert_eq!(num_values, 396);
}

#[test]
fn a_binary_report_has_what_its_details_page_has() {
    let Some(folder) = reports(FOLDER) else { return };
    let mut num_values = 0;
    let mut num_rules = 0;
    for file in FILES {
        let (binary, export) = (read(&folder, &format!("{file}.ncu-rep")), read(&folder, &format!("{file}.details.csv")));
        num_values += compare_reports(&binary, &export, true, file);
        for (ours, theirs) in binary.kernels.iter().zip(&export.kernels) {
            num_rules += compare_rules(ours, theirs, file);
        }
    }
    println!("{num_values} values and {num_rules} rules are those of the details pages");
    assert_eq!((num_values, num_rules), (288, 40));
}

/// The page sorts rules by section, the report has them as they ran.
fn compare_rules(binary: &Kernel, export: &Kernel, file: &str) -> usize {
    let key = |rule: &Rule| (rule.section.clone(), rule.name.clone(), rule.kind.clone(), rule.text.clone());
    let sorted = |kernel: &Kernel| {
        let mut rules = kernel.rules.clone();
        rules.sort_by_key(key);
        rules
    };
    let (ours, theirs) = (sorted(binary), sorted(export));
    assert_eq!(ours.len(), theirs.len(), "{file}: {ours:#?}\n{theirs:#?}");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(key(ours), key(theirs), "{file}");
        match (&ours.estimated_speedup, &theirs.estimated_speedup) {
            (Some(ours), Some(theirs)) => {
                assert_eq!(ours.scope, theirs.scope, "{file}");
                assert!((ours.percent - theirs.percent).abs() <= 0.005, "{file}: {} {}", ours.percent, theirs.percent);
            }
            (ours, theirs) => assert_eq!(ours.is_some(), theirs.is_some(), "{file}"),
        }
    }
    ours.len()
}

#[test]
fn every_expected_value_of_a_binary_report_is_read() {
    let Some(folder) = reports(FOLDER) else { return };
    let expected: Value = serde_json::from_slice(&std::fs::read(folder.join("expected.json")).unwrap()).unwrap();
    assert_eq!(expected.as_object().unwrap().len(), FILES.len());
    let mut num_values = 0;
    for (file, expected) in expected.as_object().unwrap() {
        let report = read(&folder, file);
        let version = report.tool_version.as_deref().unwrap();
        assert_eq!(expected["tool_version"].as_str().unwrap().split(' ').next(), Some(version), "{file}");
        let results = expected["results"].as_array().unwrap();
        assert_eq!(report.kernels.len(), results.len(), "{file}");
        for (at, (kernel, expected)) in report.kernels.iter().zip(results).enumerate() {
            assert_eq!(
                (kernel.id, kernel.name.as_str()),
                (u64::try_from(at).ok(), expected["kernel_demangled"].as_str().unwrap()),
                "{file}"
            );
            num_values += 3 + check_facts(kernel, expected, file) + check_metrics(kernel, expected, file);
        }
    }
    println!("{num_values} values are the expected ones");
    assert_eq!(num_values, 270);
}

fn check_facts(kernel: &Kernel, expected: &Value, file: &str) -> usize {
    let extents = |shape: occuscope::units::Dim3| serde_json::json!([shape.x, shape.y, shape.z]);
    let limits = &expected["device_limits"];
    let device = &kernel.device;
    let facts = [
        (extents(kernel.block.unwrap().value), &expected["block"]),
        (extents(kernel.grid.unwrap().value), &expected["grid"]),
        (kernel.compute_capability.unwrap().value.to_string().into(), &expected["cc"]),
        (kernel.device_name.as_ref().unwrap().value.clone().into(), &expected["device"]),
        (kernel.num_sms.unwrap().value.into(), &expected["sm_count"]),
        (device.num_sms.unwrap().value.into(), &expected["sm_count"]),
        (device.max_warps_per_sm.unwrap().value.into(), &limits["max_warps_per_multiprocessor"]),
        (device.max_threads_per_sm.unwrap().value.into(), &limits["max_threads_per_multiprocessor"]),
        (device.max_blocks_per_sm.unwrap().value.into(), &limits["max_blocks_per_multiprocessor"]),
        (device.registers_per_sm.unwrap().value.into(), &limits["max_registers_per_multiprocessor"]),
        (device.smem_per_sm_bytes.unwrap().value.into(), &limits["max_shared_memory_per_multiprocessor"]),
        (device.optin_smem_per_block_bytes.unwrap().value.into(), &limits["max_shared_memory_per_block_optin"]),
        (device.reserved_smem_per_block_bytes.unwrap().value.into(), &limits["reserved_shared_memory_per_block"]),
    ];
    for (found, expected) in &facts {
        assert_eq!(found, *expected, "{file}: {}", kernel.name);
    }
    assert!(kernel.at.byte().is_some(), "{file}");
    facts.len()
}

/// The metrics with all their digits; the last bit is the JSON reader's.
fn check_metrics(kernel: &Kernel, expected: &Value, file: &str) -> usize {
    let mut num_values = 0;
    for (name, expected) in expected["metrics"].as_object().unwrap() {
        if let Ok(found) = metric(kernel, name) {
            let (found, expected) = (found.unwrap(), expected.as_f64().unwrap());
            assert!((found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{file}: {name} is {found}, not {expected}");
            num_values += 1;
        }
    }
    for name in expected["missing"].as_array().unwrap() {
        assert!(matches!(metric(kernel, name.as_str().unwrap()), Ok(None) | Err(NotKept)), "{file}: {name} should be missing");
    }
    num_values
}
