//! What holds for every file, however broken: reading ends, and nothing is invented.

use std::ops::ControlFlow;

use occuscope::import::{Report, SAMPLE_REPORT, read_report, read_report_with};
use proptest::collection::vec;
use proptest::prelude::*;

/// Words that steer a reader into its corners.
const WORDS: &[&str] = &[
    "\"",
    "\"\"",
    ",",
    "\n",
    "\r\n",
    "ID",
    "\"ID\",\"Process ID\",",
    "\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n",
    "\"Metric Unit\",",
    "\"launch__block_size\"",
    "\"0\",\"7\",",
    "ID,0,1\nProcess,",
    "Block Size [block],",
    "(256, 1, 1)",
    "\"1.234,5\"",
    "\"12,345.6 (1; 2)\"",
    "{65}",
    "\u{FEFF}",
    "==ERROR==",
    "Section: Occupancy",
    "\"Minimum\",\"Maximum\",\"Average\"",
    "9999999999999999999999",
    "-1e308",
    "\0",
];

/// Positions point into the file, and a kernel has what its position says.
fn check(bytes: &[u8], report: &Report) {
    let num_lines = 1 + u64::try_from(bytes.iter().filter(|byte| **byte == b'\n').fold(0usize, |count, _| count + 1)).unwrap();
    let num_bytes = u64::try_from(bytes.len()).unwrap();
    for note in &report.notes {
        assert!(note.line.is_none_or(|line| (1..=num_lines).contains(&line)), "{note:?}");
        assert!(!note.message.is_empty() && !note.message.ends_with('.'), "{note:?}");
    }
    for kernel in &report.kernels {
        assert!(kernel.at.line().is_none_or(|line| (1..=num_lines).contains(&line)), "{kernel:?}");
        assert!(kernel.at.byte().is_none_or(|offset| offset < num_bytes), "{kernel:?}");
        let percent = kernel.reported.theoretical_occupancy_percent;
        assert!(percent.is_none_or(|percent| percent.value.is_finite()), "{kernel:?}");
    }
}

fn ends_well(bytes: &[u8]) {
    match read_report(bytes) {
        Ok(report) => check(bytes, &report),
        Err(error) => assert!(!error.to_string().is_empty() && !error.format().is_empty()),
    }
}

proptest! {
    #[test]
    fn any_bytes_end_in_a_report_or_an_error(bytes in vec(any::<u8>(), 0..400)) {
        ends_well(&bytes);
    }

    #[test]
    fn any_mix_of_the_formats_words_ends_in_a_report_or_an_error(words in vec(prop::sample::select(WORDS), 0..60)) {
        ends_well(words.concat().as_bytes());
    }

    #[test]
    fn a_damaged_report_ends_in_a_report_or_an_error(
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = SAMPLE_REPORT.to_vec();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()));
        ends_well(&bytes);
    }

    #[test]
    fn lines_cut_out_of_a_report_leave_kernels_of_the_whole_one(keep in vec(any::<bool>(), 400)) {
        let whole = read_report(SAMPLE_REPORT).unwrap();
        let text = std::str::from_utf8(SAMPLE_REPORT).unwrap();
        let lines = text.split_inclusive('\n').zip(keep).enumerate().filter(|(at, (_, keep))| *at == 0 || *keep);
        let part: String = lines.map(|(_, (line, _))| line).collect();
        for kernel in read_report(part.as_bytes()).unwrap().kernels {
            let same = whole.kernels.iter().find(|other| other.id == kernel.id).unwrap();
            prop_assert_eq!(&kernel.name, &same.name);
            if let (Some(part), Some(whole)) = (kernel.registers_per_thread, same.registers_per_thread) {
                prop_assert_eq!(part.value, whole.value);
            }
        }
    }

    #[test]
    fn stopping_keeps_what_was_read(stop_after in 0usize..3) {
        let mut calls = 0;
        let report = read_report_with(SAMPLE_REPORT, |_| {
            calls += 1;
            if calls > stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        prop_assert_eq!(report.unwrap().kernels.len(), 12);
    }
}
