//! Sheets from the command line.

use crate::cli::run;

#[test]
fn a_sheet_is_the_same_for_the_same_seed_and_has_answers_only_when_asked() {
    let sheet = |more: &[&str]| {
        let mut args = vec!["quiz", "--lesson", "registers", "--seed", "7", "--count", "5"];
        args.extend(more);
        let ran = run(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let plain = sheet(&[]);
    assert_eq!(plain, sheet(&[]));
    assert!(plain.starts_with("# Registers\n") && plain.contains("\n## 5\n") && !plain.contains("\n## 6\n"));
    assert!(!plain.contains("**") && sheet(&["--answers"]).contains("\n**"));
    let html = sheet(&["--format", "html"]);
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert_ne!(plain, run(&["quiz", "--lesson", "registers", "--seed", "8", "--count", "5"]).out);
}

#[test]
fn lessons_are_listed_and_an_unknown_one_is_refused() {
    let listed = run(&["quiz"]);
    assert!(listed.code == 0 && listed.out.lines().count() == 9 && listed.out.contains("waves-and-tail"));
    let refused = run(&["quiz", "--lesson", "magic"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("no lesson \"magic\"") && refused.err.contains("placing-blocks"));
    assert_eq!(run(&["quiz", "--lesson", "registers", "--count", "0"]).code, 2);
}
