//! Whatever a text has in it, and wherever it is cut: the report is that of reading from front to back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::import::lines::RowStart;
use crate::import::{Progress, ReadOptions, Report, SAMPLE_REPORT, read_divided, table};

const HEADER: &str = concat!(
    r#""ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","#,
    r#""Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description""#,
    "\n"
);
const RAW_HEADER: &str = concat!(r#""ID","Process ID","Kernel Name","gpu__time_duration.sum","launch__waves_per_multiprocessor""#, "\n");
const RAW_UNITS: &str = concat!(r#""","","","us","""#, "\n");

fn division(num_threads: usize, chunk_bytes: usize) -> Division {
    Division { num_threads, chunk_bytes, min_bytes: 0 }
}

fn read_with(text: &[u8], division: Division) -> Result<Report, String> {
    let mut go_on = |_| ControlFlow::Continue(());
    read_divided(text, ReadOptions::default(), division, &mut go_on).map_err(|error| error.to_string())
}

fn assert_same(text: &[u8], divided: Division) {
    let (sequential, parallel) = (read_with(text, division(1, 1)), read_with(text, divided));
    assert_eq!(sequential, parallel, "{divided:?} of {}", String::from_utf8_lossy(text));
}

/// The rows of one launch of a details page.
fn launch(id: usize, num_rows: usize) -> String {
    let head = format!(r#""{id}","7","demo","127.0.0.1","tile<{}>(int)","1","7","(256, 1, 1)","(4, 1, 1)","0","8.0","#, id % 3);
    let labels = [
        ("Launch Statistics", "Registers Per Thread", "register/thread"),
        ("Occupancy", "Achieved Occupancy", "%"),
        ("GPU Speed Of Light Throughput", "Duration", "ns"),
        ("Occupancy", "Some Other Metric", ""),
    ];
    let rows = (0..num_rows).map(|row| {
        let (section, metric, unit) = labels[row % labels.len()];
        format!("{head}\"{section}\",\"{metric}\",\"{unit}\",\"{}.5\",\n", id + row)
    });
    let rule = format!("{head}\"Occupancy\",\"\",\"\",\"\",\"Rule\",\"OPT\",\"{}\"\n", "An invented piece of advice. ".repeat(4));
    rows.chain([rule]).collect()
}

fn launches(ids: std::ops::Range<usize>) -> String {
    ids.map(|id| launch(id, 9)).collect()
}

/// How far reading at several places comes in a text from this line on.
fn reaches(text: &str, first_line: u64, divided: Division) -> usize {
    let mut go_on = |_: Progress| ControlFlow::Continue(());
    let mut scan = Scan::new(text.as_bytes(), RowStart::Quote);
    let mut reading = Reading::new(DecimalMark::Dot);
    while scan.runs.line() < first_line {
        scan.step(&mut reading);
    }
    let mut watch = Watch::new(&mut go_on, text.len());
    assert!(read(&mut scan, &mut reading, divided, &mut watch).is_continue());
    scan.runs.offset()
}

#[test]
fn many_launches_become_kernels_in_their_order_with_the_same_notes() {
    let contradicted = |id: usize| {
        let (head, id) = (launch(id, 0), id.to_string());
        let head = head.split("\"Occupancy\"").next().unwrap_or_default().to_owned();
        format!("{head}\"Launch Statistics\",\"Block Size\",\"\",\"{id}\",\n")
    };
    let text: String = [HEADER.to_owned()].into_iter().chain((0..1_500).map(|id| launch(id, 3) + &contradicted(id))).collect();
    let report = read_with(text.as_bytes(), division(3, 1 << 20)).unwrap();
    assert!(report.kernels.iter().map(|kernel| kernel.id).eq((0..1_500).map(Some)));
    assert!(report.notes.iter().any(|note| note.message.starts_with("1,479 more launches whose shape")), "{:?}", report.notes);
    for num_threads in [2, 3, 5] {
        assert_same(text.as_bytes(), division(num_threads, 40_000));
    }
}

#[test]
fn a_plain_text_is_read_to_its_end() {
    let text = [HEADER, &launches(0..40)].concat();
    for (num_threads, chunk_bytes) in [(1, 3000), (2, 3000), (3, 1), (4, 10_000), (2, 1 << 20)] {
        assert_eq!(reaches(&text, 12, division(num_threads, chunk_bytes)), text.len());
    }
}

#[test]
fn it_begins_and_ends_with_whole_launches() {
    let text = [HEADER, &launches(0..40)].concat();
    assert_eq!(
        reaches(&text, 11, division(2, 3000)),
        HEADER.len() + text.lines().skip(1).take(9).map(|line| line.len() + 1).sum::<usize>()
    );

    // Reading from front to back goes on to the next launch, and the rest is divided.
    let mut go_on = |_: Progress| ControlFlow::Continue(());
    let mut scan = Scan::new(text.as_bytes(), RowStart::Quote);
    let (mut reading, mut plan) = (Reading::new(DecimalMark::Dot), Plan::new(division(2, 3000)));
    while !plan.is_due(&scan, &reading) {
        assert!(scan.step(&mut reading));
    }
    assert_eq!(scan.runs.line(), 12);
    let mut watch = Watch::new(&mut go_on, text.len());
    assert!(read(&mut scan, &mut reading, division(2, 3000), &mut watch).is_continue());
    assert_eq!(scan.runs.offset(), text.len());
}

#[test]
fn another_header_is_left_to_reading_from_front_to_back() {
    let before = [HEADER, &launches(0..40)].concat();
    let text = [&before, HEADER, &launches(0..9)].concat();
    let reached = reaches(&text, 12, division(2, 3000));
    assert!((before.len() - 6000..=before.len()).contains(&reached), "{reached} of {}", before.len());
}

#[test]
fn what_was_read_when_stopped_is_what_the_text_has_until_there() {
    let text = [HEADER, &launches(0..2000)].concat();
    let mut end = 0;
    let mut stop = |progress: Progress| {
        end = progress.bytes_read;
        ControlFlow::Break(())
    };
    let stopped = read_divided(text.as_bytes(), ReadOptions::default(), division(3, 20_000), &mut stop).unwrap();
    assert!(end >= 1 << 20 && end < text.len());
    assert_eq!(stopped.kernels, read_with(&text.as_bytes()[..end], division(1, 1)).unwrap().kernels);
}

#[test]
fn the_words_of_all_chunks_are_shared() {
    let text = [HEADER, &launches(0..100)].concat();
    let report = read_with(text.as_bytes(), division(2, 3000)).unwrap();
    let rules = || report.kernels.iter().flat_map(|kernel| &kernel.rules);
    assert_eq!(rules().count(), 100);
    assert!(rules().all(|rule| Arc::ptr_eq(&rule.text, &report.kernels[0].rules[0].text)));
}

#[test]
fn many_notes_are_listed_and_counted_as_in_sequence() {
    let ninety = |rows: fn(usize) -> String| (0..90).map(rows).collect::<String>();
    let torn = ninety(|id| format!("{}\"{id}\",\"7\",\"no end\n", launch(id, 5)));
    let contradicting = ninety(|id| launch(id, 40).replace("\"Duration\",\"ns\"", "\"Duration\",\"days\""));
    let warnings = ninety(|id| format!("{}==WARNING== {} of many\n\n", launch(id, 5), id % 60));
    for rows in [torn, contradicting, warnings] {
        for chunk_bytes in [1, 900, 5000, 20_000] {
            assert_same([HEADER, &rows].concat().as_bytes(), division(3, chunk_bytes));
        }
    }
}

/// Lines that a text can have anywhere.
fn line() -> impl Strategy<Value = String> {
    let sections = select(&["Occupancy", "GPU Speed Of Light Throughput", "Launch Statistics", "a \"\"quoted\"\" one"][..]);
    let metrics = select(&["Duration", "Achieved Occupancy", "Waves Per SM", "Memory Throughput", "Other", "", "# SMs"][..]);
    let values = select(&["1.5", "65,77", "1,024", "n/a", "word", "", "12.25", "7", "2.508.800", "Average", "1\n2"][..]);
    let name = select(&["tile(int)", "a\nb", "a\n\n\nb", "say \"\"hi\"\"", "ID", "lone\rreturn"][..]);
    let row = (0usize..12, 7..9, name, sections, metrics, select(&["", "ns", "%", "days"][..]), values).prop_map(
        |(id, process, name, section, metric, unit, value)| {
            format!(
                "\"{id}\",\"{process}\",\"demo\",\"h\",\"{name}\",\"1\",\"7\",\"(8, 1, 1)\",\"(4, 1, 1)\",\"0\",\"8.0\",\"{section}\",\"{metric}\",\"{unit}\",\"{value}\",\"r\",\"OPT\",\"text\"\n"
            )
        },
    );
    let noise = select(
        &[
            "==PROF== Profiling\n",
            "==WARNING== one\n",
            "==ERROR== two\n",
            "\n",
            "  \r\n",
            "\"torn\n",
            "\"0\",\"7\",\"torn\n",
            "\"x\",\"7\"\n",
            "\"3\"\n",
            "\"\n",
            "\"1\",\"7\",\"tile\",\"3\",\"1.25\"\n",
            "\"2\",\"7\",\"tile\",\"3,5\",\"1.25\"\n",
            HEADER,
            RAW_HEADER,
            RAW_UNITS,
        ][..],
    );
    prop_oneof![
        3 => row,
        1 => noise.prop_map(str::to_owned),
        4 => (0usize..40, 1usize..9).prop_map(|(id, num_rows)| launch(id, num_rows)),
        1 => (0usize..40).prop_map(|id| launch(id, 3).replace('\n', "\r\n")),
        2 => (0usize..40, 1usize..9).prop_map(|(id, num)| launches(id..id + num)),
        1 => (0usize..40).prop_map(|id| format!("\"{id}\",\"7\",\"tile\",\"3\",\"1.25\"\n\"{}\",\"7\",\"tile\",\"3\",\"1.5\"\n", id + 1)),
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_as_from_front_to_back(
        is_raw in any::<bool>(),
        lines in vec(line(), 0..40),
        num_threads in 2usize..5,
        chunk_bytes in prop_oneof![1usize..400, 400usize..6000],
        cut in 0usize..200,
    ) {
        let header = if is_raw { [RAW_HEADER, RAW_UNITS].concat() } else { HEADER.to_owned() };
        let mut text = [header, lines.concat()].concat().into_bytes();
        text.truncate(text.len().saturating_sub(cut));
        assert_same(&text, division(num_threads, chunk_bytes));
    }

    #[test]
    fn a_damaged_report_is_read_as_from_front_to_back(
        damage in vec((any::<prop::sample::Index>(), select(&b"\",\n\r\0x9"[..])), 0..12),
        chunk_bytes in 1usize..8000,
    ) {
        let mut text = SAMPLE_REPORT.to_vec();
        for (at, byte) in damage {
            let at = at.index(text.len());
            text[at] = byte;
        }
        assert_same(&text, division(3, chunk_bytes));
    }
}

/// Reports beside a checkout; `OCCUSCOPE_SHARED` names another place.
fn real_reports() -> Vec<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = std::env::var_os("OCCUSCOPE_SHARED").map_or(shared, PathBuf::from).join("ncu");
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect()
}

#[test]
fn real_reports_are_read_as_from_front_to_back() {
    for path in real_reports() {
        let text = std::fs::read(&path).unwrap();
        for chunk_bytes in [1, 300, 2000, 10_000, 40_000] {
            let (sequential, parallel) = (read_with(&text, division(1, 1)), read_with(&text, division(3, chunk_bytes)));
            assert!(sequential == parallel, "{} in chunks of {chunk_bytes}", path.display());
        }
    }
}

#[test]
fn a_decimal_comma_is_found_out_and_read_again() {
    let text = [HEADER, &launches(0..60)].concat().replace(".5\"", ",5\"");
    let report = read_with(text.as_bytes(), division(3, 2000)).unwrap();
    assert_eq!(report.kernels[59].reported.achieved_occupancy_percent.map(|percent| percent.value), Some(60.5));
    assert_same(text.as_bytes(), division(3, 2000));
    let mut reading = Reading::new(DecimalMark::Comma);
    reading.evidence.observe(b"1,5", crate::import::Position::default());
    let pass = table::read(text.as_bytes(), RowStart::Quote, reading, division(2, 2000), &mut |_| ControlFlow::Continue(()));
    assert_eq!((pass.end, pass.reading.launches.len()), (text.len(), 60));
}
