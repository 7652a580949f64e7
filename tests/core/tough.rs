//! What goes wrong around a program: files that vanish, clocks that jump, locales of another age, names nobody would choose.

use std::fmt::Write as _;
use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use occuscope::import::read_report;
use occuscope::shell::Contents;

use crate::cli::{SAMPLE, folder, run, run_in};

const HEADER: &str = r#""ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value""#;

/// A details page with a launch for each name.
fn page(names: &[&str]) -> String {
    let mut text = format!("{HEADER}\n");
    for (id, name) in names.iter().enumerate() {
        let name = name.replace('"', "\"\"");
        let launch = format!(r#""{id}","4100","demo","127.0.0.1","{name}","1","7","(256, 1, 1)","(432, 1, 1)","0","8.0""#);
        for (metric, unit, value) in [("Registers Per Thread", "register/thread", "64"), ("Theoretical Occupancy", "%", "50")] {
            writeln!(text, r#"{launch},"Occupancy","{metric}","{unit}","{value}""#).expect("a String takes everything");
        }
    }
    text
}

/// Control characters and those that turn the direction of writing.
fn is_harmful(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[test]
fn a_file_that_vanishes_while_it_is_read_is_read_to_its_end() {
    let path = folder("vanishing").join("report.csv");
    // Large enough to be mapped, not copied.
    let names: Vec<String> = (0..90_000).map(|index| format!("kernel_{index}")).collect();
    let text = page(&names.iter().map(String::as_str).collect::<Vec<_>>());
    fs::write(&path, &text).expect("written");
    assert!(text.len() > 17 << 20);
    let contents = Contents::open(&path).expect("opened");
    assert!(matches!(contents, Contents::Mapped(_)));
    fs::remove_file(&path).expect("removed");
    assert_eq!(read_report(contents.as_bytes()).expect("a report").kernels.len(), 90_000);
    // Elsewhere the name goes when nobody has the file any more.
    assert!(cfg!(not(unix)) || Contents::open(&path).is_err(), "and is gone the next time");
}

#[test]
fn a_file_that_is_gone_is_told_and_the_others_are_read() {
    let ran = run(&["import", "/nowhere/gone.csv", SAMPLE, "--format", "json"]);
    assert_eq!(ran.code, 2, "a part could be read");
    let files = ran.json()["files"].as_array().expect("files").clone();
    assert_eq!(files.len(), 2);
    assert_eq!(files[1]["kernels"].as_array().map(Vec::len), Some(12));
    assert!(files[0].to_string().contains("gone.csv"), "{}", files[0]);
}

#[test]
fn a_clock_that_jumps_changes_no_reading() {
    let path = folder("clock").join("report.csv");
    let mut seen = Vec::new();
    // Today, 2100, 1970 and the day after it: as many bytes each time.
    for (day, name) in [(20_787, "now"), (47_482, "far"), (0, "old"), (1, "new")] {
        fs::write(&path, page(&[name])).expect("written");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86_400);
        File::options().append(true).open(&path).and_then(|file| file.set_times(FileTimes::new().set_modified(time))).expect("set");
        let stamp = occuscope::shell::Stamp::of(&path).expect("a stamp");
        assert!(!seen.contains(&stamp), "every version is told apart, the one from the past too");
        seen.push(stamp);
        let report = read_report(Contents::open(&path).expect("opened").as_bytes()).expect("a report");
        assert_eq!(report.kernels[0].name, name);
    }
}

#[test]
fn the_locale_of_the_system_changes_no_answer() {
    let run_under = |locale: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_occuscope"));
        command.args(args).env("OCCUSCOPE_HOME", "/nowhere").env("LC_ALL", locale).env("LANG", locale).env_remove("LANGUAGE");
        command.output().expect("run")
    };
    for args in [&["occupancy", "--gpu", "a100", "--threads", "256", "--grid", "1000"][..], &["import", SAMPLE, "--format", "json"]] {
        let plain = run_under("C.UTF-8", args);
        assert!(plain.status.success() && !plain.stdout.is_empty());
        for locale in ["de_DE.ISO-8859-1", "C", "ja_JP.SJIS", "tr_TR.UTF-8"] {
            assert_eq!(run_under(locale, args), plain, "{locale} {args:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_text_is_opened() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let path = folder("latin-1").join(OsStr::from_bytes(b"gr\xf6\xdfe.csv"));
    fs::write(&path, page(&["kernel"])).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_occuscope")).arg("import").arg(&path).args(["--format", "json"]).output().expect("run");
    assert!(output.status.success(), "{output:?}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON is UTF-8 whatever the path is");
    assert_eq!(answer["files"][0]["kernels"][0]["name"], "kernel");
}

#[test]
fn two_hundred_files_at_once_are_all_read_in_their_order() {
    let home = folder("two-hundred");
    let paths: Vec<String> = (0..200).map(|index| home.join(format!("report_{index:03}.csv")).to_string_lossy().into_owned()).collect();
    for (index, path) in paths.iter().enumerate() {
        fs::write(path, page(&[&format!("kernel_{index}")])).expect("written");
    }
    let args: Vec<&str> = ["import"].into_iter().chain(paths.iter().map(String::as_str)).chain(["--format", "json"]).collect();
    let ran = run_in(Path::new("/nowhere"), &args, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer = ran.json();
    let names: Vec<&str> =
        answer["files"].as_array().expect("files").iter().filter_map(|file| file["kernels"][0]["name"].as_str()).collect();
    assert_eq!(names, (0..200).map(|index| format!("kernel_{index}")).collect::<Vec<_>>());
}

#[test]
fn a_name_of_a_hundred_thousand_characters_is_kept_whole_and_shown_short() {
    let path = folder("long-name").join("report.csv");
    let name = format!("void tile<{}>(float *)", "int, ".repeat(20_000));
    fs::write(&path, page(&[&name, "short"])).expect("written");
    let path = path.to_string_lossy();
    let answer = run(&["import", &path, "--format", "json"]).json();
    assert_eq!(answer["files"][0]["kernels"][0]["name"].as_str().map(str::len), Some(name.len()));
    let text = run(&["import", &path]);
    assert_eq!(text.code, 0);
    let longest = text.out.lines().map(|line| line.chars().count()).max();
    assert!(longest.is_some_and(|longest| longest < 400), "{longest:?}");
    assert!(text.out.contains("short"), "{}", text.out);
}

#[test]
fn nothing_in_a_name_reaches_a_terminal_a_spreadsheet_or_a_document_alive() {
    let path = folder("evil-names").join("report.csv");
    let names = [
        "\u{202e}gnp.exe",
        "a\u{1b}]0;title\u{7}b",
        "\u{2066}c\u{2069}\u{200f}",
        "bell\u{7}\u{8}\u{9b}31m",
        "=HYPERLINK(\"http://x\")",
        "<script>x</script>",
    ];
    fs::write(&path, page(&names)).expect("written");
    let path = path.to_string_lossy();
    for format in ["text", "markdown", "json", "csv"] {
        let ran = run(&["import", &path, "--format", format]);
        assert_eq!(ran.code, 0, "{format}: {}", ran.err);
        // A table for machines has names as they are, and JSON has them escaped.
        if format != "csv" {
            let harmful: Vec<char> = ran.out.chars().filter(|c| is_harmful(*c)).collect();
            assert!(harmful.is_empty(), "{format}: {harmful:?}");
        }
        match format {
            "csv" => {
                assert!(!ran.out.contains(",=HYPERLINK") && !ran.out.contains("\"=HYPERLINK") && !ran.out.starts_with('='), "{}", ran.out);
            }
            "json" => {
                let kernels = ran.json()["files"][0]["kernels"].clone();
                let read: Vec<&str> = kernels.as_array().expect("kernels").iter().filter_map(|kernel| kernel["name"].as_str()).collect();
                assert_eq!(read, names);
            }
            "markdown" => assert!(!ran.out.contains("<script>"), "{}", ran.out),
            _ => {}
        }
    }
}
