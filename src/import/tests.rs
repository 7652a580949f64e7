//! One invented report for each trap of the format; `tests/fixtures/ncu/README.md` lists them.

use std::ops::ControlFlow;

use super::*;
use crate::units::Dim3;

macro_rules! fixture {
    ($name:literal) => {
        read_report(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ncu/invented/", $name))).unwrap()
    };
}

fn only(report: &Report) -> &Kernel {
    assert_eq!(report.kernels.len(), 1);
    &report.kernels[0]
}

fn value<T: Copy>(read: Option<Read<T>>) -> Option<T> {
    read.map(|read| read.value)
}

fn percent(read: Option<Read<f64>>) -> f64 {
    read.unwrap().value
}

fn has_note(report: &Report, line: Option<u64>, words: &str) -> bool {
    report.notes.iter().any(|note| (line.is_none() || note.line == line) && note.message.contains(words))
}

#[track_caller]
fn assert_note(report: &Report, line: Option<u64>, words: &str) {
    assert!(has_note(report, line, words), "no note \"{words}\" in {:#?}", report.notes);
}

#[test]
fn ragged_rows_are_read_in_full() {
    let report = fixture!("01_ragged_rows.csv");
    let kernel = only(&report);
    assert_eq!(report.format, Format::Details);
    assert_eq!(kernel.name, "scale_rows(float *, int)");
    assert_eq!((kernel.id, kernel.process_id), (Some(0), Some(4100)));
    assert_eq!(kernel.block.unwrap(), Read::exact(Dim3::linear(256), Position::new(2, 8)));
    assert_eq!(value(kernel.grid_blocks), Some(432));
    assert_eq!(value(kernel.registers_per_thread), Some(32));
    assert_eq!((value(kernel.static_smem_bytes), value(kernel.dynamic_smem_bytes)), (Some(0), Some(2048)));
    assert_eq!((value(kernel.driver_smem_bytes), value(kernel.smem_config_bytes)), (Some(1024), Some(32_768)));
    assert_eq!(kernel.num_sms.unwrap().at, Position::new(9, 15));
    let said = &kernel.reported;
    let limits = [said.limit_blocks, said.limit_registers, said.limit_shared_memory, said.limit_warps, said.limit_barriers];
    assert_eq!(limits.map(value), [Some(32), Some(8), Some(10), Some(8), None]);
    assert_eq!(kernel.rules.len(), 1);
    let rule = &kernel.rules[0];
    assert_eq!((&*rule.name, &*rule.kind, rule.at.line()), ("AchievedOccupancy", "OPT", Some(17)));
    assert_eq!(rule.estimated_speedup, Some(EstimatedSpeedup { percent: 12.5, scope: "global".into() }));
    assert_eq!(report.notes, [], "a plain file needs no note");
}

#[test]
fn noise_is_skipped_and_counted() {
    let report = fixture!("02_noise_around.txt");
    let plain = fixture!("01_ragged_rows.csv");
    assert_eq!(essentials(only(&report)), essentials(only(&plain)));
    assert_note(&report, Some(1), "7 lines outside the table skipped: 4 before its header, 3 after it");
    assert_note(&report, None, "1 blank line skipped");
    assert_note(&report, Some(12), "the profiler says (2 times): ==WARNING== An invented warning");
}

/// What two files about the same launch must agree in.
fn essentials(kernel: &Kernel) -> impl PartialEq + std::fmt::Debug + use<> {
    let said = &kernel.reported;
    (
        kernel.name.clone(),
        value(kernel.block),
        value(kernel.registers_per_thread),
        value(kernel.smem_config_bytes),
        value(said.theoretical_occupancy_percent),
        value(said.achieved_occupancy_percent),
    )
}

#[test]
fn byte_order_marks_line_ends_and_utf16_change_nothing() {
    let plain = fixture!("03_bom_crlf.csv");
    assert!((percent(only(&plain).reported.achieved_occupancy_percent) - 48.75).abs() < 1e-9);
    assert_eq!(only(&plain).at, Position::new(2, 1));
    for report in [fixture!("03_utf16_le.csv"), fixture!("03_utf16_be.csv")] {
        assert_eq!(only(&report).name, "größe<ε>(float *)");
        assert_eq!(only(&report).reported, only(&plain).reported);
    }
}

#[test]
fn the_units_row_is_no_launch_and_gives_each_column_its_unit() {
    for report in [fixture!("04_units_row.csv"), fixture!("04_no_units_row.csv")] {
        assert_eq!(report.format, Format::Raw);
        assert_eq!(report.kernels.iter().map(|kernel| kernel.id).collect::<Vec<_>>(), [Some(0), Some(1)]);
        let kernel = &report.kernels[1];
        assert_eq!(value(kernel.measured.duration_ns), Some(12_500.0));
        assert_eq!(value(kernel.dynamic_smem_bytes), Some(2048));
        assert!(!kernel.dynamic_smem_bytes.unwrap().rounded);
        assert_eq!(kernel.device_name.as_ref().unwrap().value, "Imaginary A1");
        assert_eq!((value(kernel.device.max_warps_per_sm), value(kernel.num_sms)), (Some(64), Some(108)));
        assert_eq!(value(kernel.measured.sm_active_cycles_min), Some(0.0));
        assert_note(&report, None, "1 column with metrics that are not used");
    }
}

#[test]
fn columns_are_found_by_name_wherever_they_are() {
    let report = fixture!("05_column_sets.csv");
    let [old, new] = &report.kernels[..] else { panic!("{:#?}", report.kernels) };
    assert_eq!((old.name.as_str(), value(old.registers_per_thread)), ("scale_rows", Some(32)));
    assert_eq!((value(new.registers_per_thread), value(new.reported.theoretical_occupancy_percent)), (Some(32), Some(100.0)));
    assert_note(&report, Some(5), "another table begins here");
}

#[test]
fn a_summary_has_one_kernel_for_each_launch_shape() {
    let report = fixture!("06_summary.csv");
    assert_eq!(report.format, Format::Summary);
    let [wide, narrow] = &report.kernels[..] else { panic!("{:#?}", report.kernels) };
    assert_eq!((wide.id, value(wide.invocations), value(narrow.invocations)), (None, Some(5), Some(3)));
    let said = &wide.reported;
    assert_eq!(value(said.achieved_occupancy_min_percent), Some(40.25));
    assert_eq!(value(said.achieved_occupancy_percent), Some(48.75));
    assert_eq!(value(said.achieved_occupancy_max_percent), Some(61.5));
    assert_eq!(value(narrow.block), Some(Dim3::linear(64)));
    assert_eq!(narrow.measured.memory_throughput_percent, None, "bytes a second are no percentage");
}

#[test]
fn the_windows_export_has_its_launches_in_columns() {
    let report = fixture!("07_gui_export.csv");
    assert_eq!(report.format, Format::GuiExport);
    let [first, second] = &report.kernels[..] else { panic!("{:#?}", report.kernels) };
    assert_eq!((first.name.as_str(), first.process_id), ("scale_rows(float *, int)", Some(4100)));
    assert_eq!((value(second.block), value(second.grid)), (Some(Dim3::new(16, 16, 1)), Some(Dim3::new(54, 2, 1))));
    assert_eq!(second.compute_capability.unwrap().value.to_string(), "8.6");
    assert_eq!(second.measured.duration_ns, Some(Read { value: 1_250_250.0, at: Position::new(13, 3), rounded: true }));
    assert_eq!((value(first.smem_config_bytes), value(second.smem_config_bytes)), (Some(16_384), Some(32_768)));
    assert_eq!((value(first.dynamic_smem_bytes), value(second.dynamic_smem_bytes)), (Some(0), Some(4096)));
    assert_eq!(second.reported.achieved_occupancy_percent, None, "nan is not 0");
    assert_eq!(first.measured.sm_active_cycles_avg, None, "a sampled metric is another one");
}

#[test]
fn scaled_cells_become_whole_bytes_again() {
    let report = fixture!("08_scaled_units.csv");
    let kernel = only(&report);
    assert_eq!(kernel.driver_smem_bytes.map(|read| (read.value, read.rounded)), Some((1024, false)));
    assert_eq!(kernel.smem_config_bytes.map(|read| (read.value, read.rounded)), Some((135_168, false)));
    assert_eq!(kernel.static_smem_bytes.map(|read| (read.value, read.rounded)), Some((4224, true)));
    assert_eq!(kernel.dynamic_smem_bytes.map(|read| (read.value, read.rounded)), Some((67_584, true)));
    assert_eq!(kernel.measured.duration_ns.map(|read| (read.value, read.rounded)), Some((1_250_000.0, true)));
    assert_eq!(kernel.measured.elapsed_cycles, None);
    assert_note(&report, Some(12), "the unit \"fortnight\" is not known");
}

#[test]
fn the_decimal_mark_is_decided_once_for_the_file() {
    let report = fixture!("09_decimal_comma.csv");
    assert_eq!(value(only(&report).measured.duration_ns), Some(117_344.0));
    assert_eq!(value(only(&report).measured.compute_throughput_percent), Some(65.77));
    assert_note(&report, None, "numbers have a decimal comma: \"65,77\" in line 3, column 15");

    let report = fixture!("09_no_evidence.csv");
    assert_eq!(value(only(&report).measured.duration_ns), Some(117.344));
    assert_note(&report, None, "nothing in the file settles its decimal mark");

    let report = fixture!("09_contradictory.csv");
    assert_note(&report, None, "the decimal mark is contradictory");
    assert_eq!(value(only(&report).reported.achieved_occupancy_percent), Some(48.75));
    assert_note(&report, Some(2), "\"65,77\" is not a number");
}

#[test]
fn a_decimal_mark_that_is_told_is_taken() {
    let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ncu/invented/09_contradictory.csv"));
    let read_as = |mark| read_report_as(bytes, ReadOptions { decimal_mark: Some(mark) }, |_| ControlFlow::Continue(())).unwrap();
    let comma = read_as(DecimalMark::Comma);
    assert_eq!(value(only(&comma).measured.compute_throughput_percent), Some(65.77));
    assert_eq!(only(&comma).reported.achieved_occupancy_percent, None);
    assert_note(&comma, None, "numbers are read with a decimal comma, as told, but \"48.75\" in line 3, column 15 has a decimal dot");
    let dot = read_as(DecimalMark::Dot);
    assert_eq!(value(only(&dot).reported.achieved_occupancy_percent), Some(48.75));
    assert_note(&dot, None, "numbers are read with a decimal dot, as told, but \"65,77\"");
    assert_note(&read_report(bytes).unwrap(), None, "occuscope import --decimal comma reads the file the other way");
}

#[test]
fn what_is_missing_is_none_and_never_zero() {
    let report = fixture!("10_missing_values.csv");
    let kernel = only(&report);
    let said = &kernel.reported;
    assert_eq!((said.theoretical_occupancy_percent, said.achieved_occupancy_percent), (None, None));
    assert_eq!((said.limit_warps, said.limit_registers), (None, None));
    assert_eq!(value(kernel.static_smem_bytes), Some(0), "a printed 0 is one");
    assert_eq!(kernel.dynamic_smem_bytes, None);
    assert_eq!(kernel.registers_per_thread, None);
    assert_note(&report, Some(7), "\"many\" is not a number");
    assert_eq!(report.notes.iter().find(|note| note.line == Some(7)).unwrap().column, Some(15));
}

#[test]
fn instances_behind_the_sum_are_cut_off() {
    let report = fixture!("11_instances.csv");
    assert_eq!(value(only(&report).measured.elapsed_cycles), Some(6665.0));
    assert_eq!(value(only(&report).reported.achieved_occupancy_percent), Some(48.75));
}

#[test]
fn the_first_of_repeated_labels_counts_and_a_difference_is_said() {
    let report = fixture!("12_repeated_labels.csv");
    let kernel = only(&report);
    assert_eq!(value(kernel.reported.waves_per_sm), Some(0.5));
    assert_eq!(value(kernel.measured.sm_active_cycles_avg), Some(14.5));
    assert_eq!(kernel.measured.sm_active_cycles_max, None, "the chart does not say which of its rows is the maximum");
    assert_eq!(value(kernel.block_threads), Some(256), "the head of a section wins over a chart");
    assert_note(&report, Some(5), "Waves Per SM is 0.75 here but 0.5 at line 3, column 16; the first is used");
    assert!(!has_note(&report, None, "Achieved Occupancy is"));
}

#[test]
fn a_file_that_names_no_gpu_is_read_and_says_so() {
    let report = fixture!("13_no_gpu.csv");
    let kernel = only(&report);
    assert_eq!((kernel.compute_capability, kernel.num_sms, kernel.block), (None, None, None));
    assert_eq!((value(kernel.threads_per_block()), value(kernel.num_blocks())), (Some(256), Some(432)));
    assert_eq!(value(kernel.measured.duration_ns), Some(10_250.0));
    assert_eq!(value(kernel.measured.compute_throughput_percent), Some(34.5));
    assert_note(&report, None, "1 kernel has no compute capability here; choose the GPU");
}

#[test]
fn kernel_names_are_kept_as_they_are() {
    let report = fixture!("14_kernel_names.csv");
    let names: Vec<&str> = report.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "scale_rows",
            "void ns::tile<float, 4, ns::op<int>>(const float *, T1 [2], float *)",
            "void unnamed>::blur<8>(unsigned char *)",
            "say_\"hi\"(int)",
            "a,b\nc",
            "_Z9scale_rowsPfi",
        ]
    );
    assert_eq!(report.kernels[5].at.line(), Some(8), "a line break in a name does not upset the count");
}

#[test]
fn a_cluster_occupancy_of_zero_is_no_occupancy() {
    let report = fixture!("15_no_cluster.csv");
    let kernel = only(&report);
    assert_eq!(value(kernel.cluster_size), Some(0));
    assert_eq!(value(kernel.reported.theoretical_occupancy_percent), Some(100.0));
    assert_eq!(value(kernel.reported.limit_barriers), Some(32));
}

#[test]
fn a_report_may_have_either_occupancy_or_none() {
    let report = fixture!("16_partial.csv");
    let said = |at: usize| {
        let said = &report.kernels[at].reported;
        (value(said.theoretical_occupancy_percent), value(said.achieved_occupancy_percent))
    };
    assert_eq!([said(0), said(1), said(2)], [(Some(100.0), None), (None, Some(66.65)), (None, None)]);
    assert_note(&report, None, "3 kernels have no registers per thread or shared memory here");
}

#[test]
fn metrics_are_known_by_label_by_name_and_by_both() {
    let report = fixture!("17_metric_names.csv");
    let kernel = only(&report);
    assert_eq!(value(kernel.registers_per_thread), Some(32));
    assert_eq!(value(kernel.reported.theoretical_occupancy_percent), Some(100.0));
    assert_eq!(value(kernel.reported.achieved_occupancy_percent), Some(48.75));
    assert_eq!(value(kernel.reported.limit_warps), Some(8));
}

#[test]
fn a_shape_that_contradicts_its_size_is_said_and_kept() {
    let report = fixture!("18_shape_and_count.csv");
    assert_eq!(value(report.kernels[0].block), Some(Dim3::new(16, 16, 1)));
    assert_eq!(value(report.kernels[1].threads_per_block()), Some(512));
    assert_eq!(value(report.kernels[1].block_threads), Some(256));
    assert_note(&report, Some(4), "the block has 256 threads here but is 512 × 1 × 1 at line 4, column 8; the shape is used");
    assert_eq!(report.notes.iter().filter(|note| note.severity == Severity::Warning).count(), 1);
}

#[test]
fn achieved_above_theoretical_is_not_corrected() {
    let report = fixture!("19_achieved_above.csv");
    let said = &only(&report).reported;
    assert_eq!((value(said.theoretical_occupancy_percent), value(said.achieved_occupancy_percent)), (Some(12.5), Some(12.53)));
}

#[test]
fn a_launch_is_known_by_process_and_id() {
    let report = fixture!("20_launches.csv");
    let launches: Vec<_> = report.kernels.iter().map(|kernel| (kernel.process_id, kernel.id, value(kernel.device_index))).collect();
    assert_eq!(launches, [(Some(4100), Some(0), Some(0)), (Some(4100), Some(3), Some(0)), (Some(4200), Some(0), Some(1))]);
    assert_eq!(value(report.kernels[0].reported.theoretical_occupancy_percent), Some(100.0), "its last row comes after other launches");
    assert_eq!(value(report.kernels[2].reported.achieved_occupancy_percent), Some(30.5));
}

#[test]
fn pascal_names_are_read() {
    let report = fixture!("21_pascal_names.txt");
    let kernel = only(&report);
    assert_eq!(kernel.compute_capability.unwrap().value.to_string(), "6.1");
    assert_eq!(value(kernel.measured.duration_ns), Some(2720.0));
    assert_eq!(value(kernel.measured.elapsed_cycles), Some(5774.0));
    assert_eq!(value(kernel.reported.achieved_occupancy_percent), Some(75.0));
    assert_eq!(value(kernel.reported.achieved_warps_per_sm), Some(48.0));
    assert_eq!((value(kernel.static_smem_bytes), value(kernel.threads_per_block())), (Some(512), Some(1024)));
    assert_eq!((value(kernel.num_sms), value(kernel.device.max_blocks_per_sm)), (Some(20), Some(32)));
    assert!(!has_note(&report, None, "is used"), "two names of nearly the same metric are no contradiction");
}

#[test]
fn torn_rows_are_skipped_one_by_one() {
    let report = fixture!("22_torn.csv");
    assert_eq!(value(only(&report).registers_per_thread), Some(32));
    assert_note(&report, Some(5), "this row is skipped: it has neither a metric nor a rule");
    assert_note(&report, Some(6), "this row is skipped: \"x\" is no launch ID");
    assert_note(&report, Some(7), "this row is skipped: it ends before its value");
    assert_note(&report, Some(8), "this row is skipped: its last quote is missing");
}

#[test]
fn reading_can_be_watched_and_stopped() {
    let mut seen = Vec::new();
    let report = read_report_with(SAMPLE_REPORT, |progress| {
        seen.push(progress);
        ControlFlow::Continue(())
    });
    assert_eq!(seen.last().unwrap().bytes_read, SAMPLE_REPORT.len());
    assert_eq!(seen.last().unwrap().num_kernels, report.unwrap().kernels.len());

    // Output of a program in front of the table, so that there is more than one portion.
    let mut long = vec![b'\n'; 3 << 20];
    long.extend_from_slice(SAMPLE_REPORT);
    let report = read_report_with(&long, |_| ControlFlow::Break(())).unwrap();
    assert_eq!(report.kernels, []);
    assert_note(&report, None, "reading was stopped after 1,048,576 of");
}

#[test]
fn a_table_without_rows_is_a_report_without_kernels() {
    let report = read_report(b"\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n").unwrap();
    assert_note(&report, None, "a header but no kernels");
}

#[test]
fn what_is_no_report_is_named() {
    let kinds: [(&[u8], &str); 12] = [
        (b"", "empty"),
        (b"\xEF\xBB\xBF \r\n", "empty"),
        (b"NVR\0\x04\0\0\0", "ncu-rep"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"<!DOCTYPE html><html>", "html"),
        (b"==4100== NVPROF is profiling process 4100, command: ./demo\n", "nvprof"),
        (b"demo@127.0.0.1\n  scale_rows (432, 1, 1)x(256, 1, 1)\n    Section: Occupancy\n", "ncu-text"),
        (
            b"==PROF== Connected to process 7\n==PROF== Disconnected from process 7\n==WARNING== No kernels were profiled.\n",
            "ncu-nothing-profiled",
        ),
        (b"\"Kernel Name\",\"scale_rows\",\n\"Address\",\"Source\"\n", "ncu-source-page"),
        (b"kernel,threads,occupancy\nscale_rows,256,100\n", "other-table"),
        (b"Dear diary\n", "other-text"),
        (b"a\0b\n", "binary"),
    ];
    for (bytes, kind) in kinds {
        assert_eq!(read_report(bytes).unwrap_err().format(), kind);
    }
}

#[test]
fn the_sample_report_is_consistent_with_itself() {
    let report = read_report(SAMPLE_REPORT).unwrap();
    assert_eq!(report.kernels.len(), 12);
    assert!(report.notes.iter().all(|note| note.severity == Severity::Info), "{:#?}", report.notes);
    for kernel in &report.kernels {
        let said = &kernel.reported;
        let limits = [said.limit_blocks, said.limit_registers, said.limit_shared_memory, said.limit_warps];
        let blocks_per_sm = limits.iter().map(|limit| limit.unwrap().value).min().unwrap();
        let threads = u32::try_from(kernel.threads_per_block().unwrap().value).unwrap();
        let warps_per_block = threads.div_ceil(crate::units::WARP_SIZE);
        let theoretical = 100.0 * f64::from(blocks_per_sm * warps_per_block) / 64.0;
        assert!((percent(said.theoretical_occupancy_percent) - theoretical).abs() < 0.005_1, "{}", kernel.name);
        assert!(percent(said.achieved_occupancy_percent) <= theoretical + 0.05, "{}", kernel.name);

        let num_blocks = u32::try_from(kernel.num_blocks().unwrap().value).unwrap();
        let waves = f64::from(num_blocks) / f64::from(blocks_per_sm * kernel.num_sms.unwrap().value);
        assert!((percent(said.waves_per_sm) - waves).abs() < 0.005_1, "{}", kernel.name);
        let active = percent(kernel.measured.sm_active_cycles_avg) / percent(kernel.measured.elapsed_cycles);
        assert!((0.0..=1.0).contains(&active), "{}", kernel.name);
    }
}
