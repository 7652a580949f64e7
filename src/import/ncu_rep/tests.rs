//! Invented reports, whole and damaged.

use std::ops::ControlFlow;
use std::time::Instant;

use proptest::collection::vec;
use proptest::prelude::*;

use super::writer::{BlockWriter, KernelWriter, Message, NAMES, Stored, file, sample, sample_kernel};
use crate::import::{Format, ImportError, Kernel, Report, Severity, read_report, read_report_with};
use crate::units::Dim3;

fn notes(report: &Report) -> Vec<&str> {
    report.notes.iter().map(|note| note.message.as_str()).collect()
}

#[track_caller]
fn assert_note(report: &Report, words: &str) {
    assert!(report.notes.iter().any(|note| note.message.contains(words)), "no note \"{words}\" in {:#?}", report.notes);
}

fn names(report: &Report) -> Vec<(u64, &str)> {
    report.kernels.iter().map(|kernel| (kernel.id.unwrap(), kernel.name.as_str())).collect()
}

/// A report of one kernel.
fn report_of(kernel: &KernelWriter) -> Report {
    read_report(&file(7, [BlockWriter::default().session(NAMES).result(kernel)])).unwrap()
}

#[test]
fn everything_of_a_launch_is_read() {
    let bytes = sample();
    let report = read_report(&bytes).unwrap();
    assert_eq!((report.format, report.tool_version.as_deref()), (Format::NcuRep, Some("2025.9.1.0")));
    assert_eq!(names(&report), [(0, "alpha()"), (1, "beta()"), (2, "gamma()")]);
    let Kernel { block, grid, registers_per_thread, compute_capability, .. } = &report.kernels[2];
    assert_eq!((block.unwrap().value, grid.unwrap().value), (Dim3::linear(256), Dim3::linear(1024)));
    assert_eq!(registers_per_thread.unwrap().value, 41);
    assert_eq!(compute_capability.unwrap().value.to_string(), "8.6");
    let kernel = &report.kernels[2];
    assert_eq!((kernel.process_id, kernel.device_index.unwrap().value), (Some(4100), 3));
    assert_eq!(kernel.device_name.as_ref().unwrap().value, "Invented GPU");
    assert_eq!((kernel.static_smem_bytes.unwrap().value, kernel.dynamic_smem_bytes.unwrap().value), (1024, 0));
    assert_eq!(kernel.reported.achieved_occupancy_percent.map(|read| read.value), Some(62.5));
    assert_eq!(kernel.block_threads.unwrap().value, 256);
    assert_eq!(kernel.reported.waves_per_sm, None);
    assert_eq!(notes(&report), ["6 values of metrics that are not used here"]);
}

#[test]
fn a_value_knows_its_byte() {
    let bytes = sample();
    let report = read_report(&bytes).unwrap();
    let offset = report.kernels[1].registers_per_thread.unwrap().at.byte().unwrap();
    let at = usize::try_from(offset).unwrap();
    // The field 3 of a value, a double.
    assert_eq!(bytes[at..at + 9], [&[0x19][..], &41f64.to_le_bytes()].concat());
}

#[test]
fn advice_is_read_without_its_links() {
    let report = read_report(&sample()).unwrap();
    let [rule] = &report.kernels[0].rules[..] else { panic!("one rule") };
    assert_eq!((&*rule.section, &*rule.name, &*rule.kind), ("Occupancy", "TheoreticalOccupancy", "OPT"));
    assert_eq!(&*rule.text, "See Launch Statistics.");
    let speedup = rule.estimated_speedup.as_ref().unwrap();
    assert_eq!((speedup.percent, &*speedup.scope), (12.5, "global"));
}

#[test]
fn what_a_long_rule_has_beyond_its_limit_is_noted() {
    let report_with = |num_items| {
        let item = Message::default().message(1, &Message::default().text(1, "advice"));
        let body = (0..num_items).fold(Message::default(), |body, _| body.message(1, &item));
        report_of(&KernelWriter { message: KernelWriter::new("add").message.message(19, &Message::default().message(3, &body)) })
    };
    let (whole, long) = (report_with(200), report_with(203));
    assert_eq!((whole.kernels[0].rules.len(), long.kernels[0].rules.len()), (200, 200));
    assert!(!notes(&whole).iter().any(|note| note.contains("items")));
    assert_note(&long, "this rule has more than 200 items; 3 items after those left out");
}

#[test]
fn a_function_that_was_not_mangled_has_its_own_name() {
    let names = |message: Message| report_of(&KernelWriter { message }).kernels[0].name.clone();
    assert_eq!(names(Message::default().text(5, "plain").text(6, "plain").text(7, "")), "plain");
    assert_eq!(names(Message::default().text(5, "_Z5plainv")), "_Z5plainv");
}

#[test]
fn what_is_not_measured_is_missing_and_not_zero() {
    let kernel = KernelWriter::new("add").metric(4, Stored::Instances).metric(8, Stored::Double(f64::NAN)).metric(5, Stored::Large(0));
    let report = report_of(&kernel);
    let kernel = &report.kernels[0];
    assert_eq!((kernel.registers_per_thread, kernel.reported.achieved_occupancy_percent), (None, None));
    assert_eq!(kernel.static_smem_bytes.unwrap().value, 0);
    assert_note(&report, "1 kernel has no registers per thread or shared memory here");
}

#[test]
fn impossible_values_are_left_out_and_noted() {
    let kernel = KernelWriter::new("add").metric(4, Stored::Double(-1.0)).metric(5, Stored::Text("many")).metric(99, Stored::Large(1));
    let report = report_of(&kernel);
    assert_note(&report, "-1 is no possible count here; left out");
    assert_note(&report, "launch__shared_mem_per_block_static is \"many\", which is not a number");
    assert_note(&report, "a metric whose name the report does not have is left out");
    assert!(report.notes.iter().filter(|note| note.severity == Severity::Warning).all(|note| note.message.starts_with("at byte ")));

    let twice = report_of(&KernelWriter::new("add").metric(4, Stored::Large(32)).metric(4, Stored::Large(33)));
    assert_eq!(twice.kernels[0].registers_per_thread.unwrap().value, 32);
    assert_note(&twice, "launch__registers_per_thread is 33 here but 32 at byte ");
}

#[test]
fn a_shape_has_three_extents() {
    let extents = |x| Message::default().integer(1, x).integer(3, 1);
    let message = Message::default().text(6, "add").message(10, &extents(5)).message(11, &extents(u64::MAX).integer(2, 1));
    let report = report_of(&KernelWriter { message });
    assert_eq!((report.kernels[0].block, report.kernels[0].grid), (None, None));
    assert_note(&report, "these are not three extents");
}

#[test]
fn another_version_is_refused_with_a_way_out() {
    let error = read_report(&file(8, [BlockWriter::default()])).unwrap_err();
    assert_eq!(error, ImportError::NcuRepVersion { version: 8, known: 7 });
    let text = error.to_string();
    assert!(text.contains("version 8") && text.contains("ncu --import FILE --csv --page raw > report.csv"), "{text}");
    assert_eq!(error.format(), "ncu-rep");
}

#[test]
fn a_report_without_results_is_a_report_without_kernels() {
    let mut ranges = BlockWriter::default();
    ranges.header = ranges.header.integer(7, 2).integer(9, 1);
    let report = read_report(&file(7, [ranges])).unwrap();
    assert_eq!(report.kernels, []);
    assert_note(&report, "3 results of ranges, command lists or graphs left out");
}

/// The bytes with those at `at` replaced.
fn with(mut bytes: Vec<u8>, at: usize, new: &[u8]) -> Vec<u8> {
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

fn offset(report: &Report, kernel: usize) -> usize {
    usize::try_from(report.kernels[kernel].at.byte().unwrap()).unwrap()
}

#[test]
fn a_damaged_result_is_left_out_and_the_rest_keep_their_numbers() {
    let bytes = sample();
    let whole = read_report(&bytes).unwrap();
    // A group, which no report has.
    let report = read_report(&with(bytes, offset(&whole, 1), &[0x0B])).unwrap();
    assert_eq!(names(&report), [(0, "alpha()"), (2, "gamma()")]);
    assert_note(&report, "kernel result 1 is damaged and left out (a field has the wire type 3");
    assert_note(&report, "if ncu opens it, ncu --import FILE --csv --page raw > report.csv exports the rest");
}

#[test]
fn a_length_of_4_gib_ends_its_block_only() {
    let bytes = sample();
    let whole = read_report(&bytes).unwrap();
    let report = read_report(&with(bytes, offset(&whole, 0) - 4, &[0xFF; 4])).unwrap();
    assert_eq!(names(&report), [(1, "beta()"), (2, "gamma()")]);
    assert_note(&report, "this block is damaged; 1 kernel result cannot be read (a length of 4,294,967,295 bytes was read where");
}

#[test]
fn a_damaged_value_is_left_out_alone() {
    let bytes = sample();
    let whole = read_report(&bytes).unwrap();
    let at = usize::try_from(whole.kernels[0].registers_per_thread.unwrap().at.byte().unwrap()).unwrap();
    let report = read_report(&with(bytes, at, &[0x1B])).unwrap();
    assert_eq!((report.kernels.len(), report.kernels[0].registers_per_thread), (3, None));
    assert_eq!(report.kernels[0].static_smem_bytes.unwrap().value, 1024);
    assert_note(&report, "this value is damaged and left out");
}

#[test]
fn a_file_that_was_cut_off_keeps_what_is_whole() {
    let bytes = sample();
    let whole = read_report(&bytes).unwrap();
    let report = read_report(&bytes[..offset(&whole, 2) + 20]).unwrap();
    assert_eq!(names(&report), [(0, "alpha()"), (1, "beta()")]);
    assert_note(&report, "bytes before the end of the entries that begin here");
    assert_note(&report, "1 kernel result cannot be read");

    for end in [4, 5, 9, 12, offset(&whole, 0) + 30] {
        let error = read_report(&bytes[..end]).unwrap_err();
        assert!(matches!(error, ImportError::NcuRepDamaged { .. }), "{end}: {error}");
        assert!(error.to_string().contains("export it with ncu --import FILE --csv --page raw > report.csv"), "{error}");
    }
}

#[test]
fn counts_that_nothing_stands_behind_cost_nothing() {
    let header = Message::default().integer(1, u64::MAX).integer(2, u64::MAX).integer(5, u64::MAX);
    let length = u32::try_from(header.bytes.len()).unwrap().to_le_bytes();
    let mut bytes = file(7, []);
    bytes.extend(length);
    bytes.extend(header.bytes);
    assert!(matches!(read_report(&bytes), Err(ImportError::NcuRepDamaged { .. })));

    // A wrong count of one block does not cost the results of the next.
    let claims = BlockWriter::default().session(NAMES).result(&sample_kernel("alpha")).count_results(1 << 40);
    let report = read_report(&file(7, [claims, BlockWriter::default().result(&sample_kernel("beta"))])).unwrap();
    assert_eq!(names(&report), [(0, "alpha()"), (1 << 40, "beta()")]);
}

#[test]
fn several_thousand_results_are_read_at_once() {
    let kernel = (0..300).fold(sample_kernel("many"), |kernel, _| kernel.metric(3, Stored::Double(1.0)));
    let first = BlockWriter::default().session(NAMES).result(&kernel);
    let others = (1..3000).map(|_| BlockWriter::default().result(&kernel));
    let bytes = file(7, std::iter::once(first).chain(others));
    let start = Instant::now();
    let mut seen = Vec::new();
    let report = read_report_with(&bytes, |progress| {
        seen.push(progress.bytes_read);
        ControlFlow::Continue(())
    });
    println!("{} bytes in {:?}", bytes.len(), start.elapsed());
    assert_eq!(report.unwrap().kernels.len(), 3000);
    assert!(seen.len() > 10 && seen.is_sorted() && seen.last() == Some(&bytes.len()));

    let stopped = read_report_with(&bytes, |_| ControlFlow::Break(())).unwrap();
    assert!((50..1000).contains(&stopped.kernels.len()), "{}", stopped.kernels.len());
    assert_note(&stopped, "reading was stopped after");
}

/// Whatever the bytes are: an answer that can be shown.
fn ends_well(bytes: &[u8]) {
    match read_report(bytes) {
        Ok(report) => {
            assert!(report.kernels.len() <= bytes.len() / 4);
            for kernel in &report.kernels {
                let offset = kernel.at.byte().expect("a byte");
                assert!(usize::try_from(offset).unwrap() < bytes.len(), "{kernel:?}");
            }
            assert!(report.notes.len() <= 200);
            assert!(report.notes.iter().all(|note| !note.message.is_empty() && !note.message.ends_with('.')), "{:#?}", report.notes);
        }
        Err(error) => assert!(!error.to_string().is_empty() && error.format() == "ncu-rep", "{error}"),
    }
}

proptest! {
    #[test]
    fn any_bytes_after_the_header_end_well(bytes in vec(any::<u8>(), 0..400)) {
        ends_well(&[b"NVR\0", &bytes[..]].concat());
        ends_well(&[&file(7, []), &bytes[..]].concat());
    }

    #[test]
    fn a_damaged_report_ends_well(
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = sample();
        for (at, byte) in damage {
            // The magic stays, or it is another kind of file.
            let at = 4 + at.index(bytes.len() - 4);
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(4 + cut.index(bytes.len() - 4));
        }
        ends_well(&bytes);
    }

    #[test]
    fn pieces_moved_about_end_well(
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        length in 1usize..200,
    ) {
        let mut bytes = sample();
        let (from, to) = (12 + from.index(bytes.len() - 12), 12 + to.index(bytes.len() - 12));
        let piece = bytes[from..bytes.len().min(from + length)].to_vec();
        bytes.splice(to..to, piece);
        ends_well(&bytes);
    }

    #[test]
    fn a_cut_report_has_the_first_kernels_of_the_whole(cut in any::<prop::sample::Index>()) {
        let bytes = sample();
        let whole = read_report(&bytes).unwrap();
        if let Ok(part) = read_report(&bytes[..cut.index(bytes.len())]) {
            prop_assert!(part.kernels.len() <= whole.kernels.len());
            for (part, whole) in part.kernels.iter().zip(&whole.kernels) {
                prop_assert_eq!(part, whole);
            }
        }
    }
}
