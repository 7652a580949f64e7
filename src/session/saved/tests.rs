use super::*;
use crate::session::presets::{Preset, builtin};

const ONE: &str = "version = 1\n\n[[preset]]\nname = \"mine\"\ngpu = \"8.0\"\nlaunch = { block = \"16x16\", dynamic_smem = \"48 KiB\" }\n";

#[test]
fn a_file_written_by_hand_is_read() {
    let preset = &presets::read(ONE).unwrap()[0];
    assert_eq!(preset.configuration.gpu.to_string(), "compute capability 8.0");
    assert_eq!(preset.configuration.launch.dynamic_smem_bytes, 49_152);
    assert_eq!(preset.configuration.launch.threads_per_block(), 256);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let told = |from: &str, to: &str| presets::read(&ONE.replace(from, to)).unwrap_err().to_string();
    assert_eq!(told("48 KiB", "48 Kib?"), "line 6, column 44: found \"48 Kib?\", expected a size, such as \"48 KiB\" or 49152");
    assert!(
        told("dynamic_smem", "dynamic").starts_with("line 6, column 29: unknown field `dynamic`"),
        "{}",
        told("dynamic_smem", "dynamic")
    );
    assert!(told("name = \"mine\"", "name = \"mine").starts_with("line 4, column "), "{}", told("name = \"mine\"", "name = \"mine"));
    assert_eq!(
        told("version = 1", "version = 7"),
        "these presets are of version 7, and this Occuscope knows versions up to 1; a newer Occuscope can read them"
    );
    assert!(told("version = 1", "").starts_with("there is no version"));
}

#[test]
fn built_in_presets_come_back_from_a_file_and_from_their_codes() {
    let text = presets::write(builtin());
    assert_eq!(presets::read(&text).unwrap(), builtin());
    for preset in builtin() {
        let code = code::write(preset);
        assert!(!code.contains('\n') && code::is_code(&code), "{code}");
        assert_eq!(code::read(&code).unwrap(), *preset, "{code}");
    }
}

#[test]
fn a_code_reads_as_what_it_says() {
    let code = code::write(&builtin()[0]);
    assert_eq!(
        code,
        "occuscope:1; name=Tiled matmul, 48 KiB; note=Shared memory stops the fourth block%3B an H100 takes it.; tags=examples; \
         gpu=A100 SXM 40 GB; block=256; registers=64; dynamic_smem=48 KiB; grid=1024"
    );
    let broken = code.replace("; gpu", ";\n  gpu");
    assert_eq!(code::read(&broken).unwrap(), builtin()[0], "a line that a mail program broke");
}

#[test]
fn a_code_says_what_is_wrong_with_it() {
    let told = |code: &str| code::read(code).unwrap_err().to_string();
    assert_eq!(told("hello"), "a preset's code begins with occuscope:");
    assert_eq!(told("occuscope:1; gpu=T4; registers=lots"), "found \"lots\", expected a whole number, such as 64");
    assert_eq!(told("occuscope:1; gpu=T4; registers"), "\"registers\" is no key=value");
    assert_eq!(told("occuscope:1; gpu=T4; gpu=T4"), "gpu is given twice");
    assert!(told("occuscope:2; gpu=T4").starts_with("these codes are of version 2"));
    assert!(told("occuscope:1; block=256").contains("gpu"), "{}", told("occuscope:1; block=256"));
    assert!(told("occuscope:1; gpu=T4; regs=1").starts_with("unknown field `regs`"));
}

#[test]
fn tags_and_names_with_the_marks_of_a_code_come_back() {
    let preset = Preset { name: "50 %; x=y".to_owned(), tags: vec!["a,b".to_owned(), "%2C".to_owned()], ..builtin()[0].clone() };
    assert_eq!(code::read(&code::write(&preset)).unwrap(), preset);
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_text_costs_nothing_but_itself() {
    use std::os::unix::ffi::OsStringExt;

    use crate::session::{Action, OpenReport, Session};

    let path = std::path::PathBuf::from(std::ffi::OsString::from_vec(b"/data/\xff.csv".to_vec()));
    let mut session = Session::new(std::sync::Arc::new(crate::arch::Catalog::builtin().clone()));
    session.apply(Action::SetRegistersPerThread(77));
    session.apply(Action::AddReport(OpenReport { path, content: Err("empty".to_owned()) }));
    let text = session::write(&session.snapshot(), 10);
    let restored = session::read(&text, &session.catalog).expect("a session");
    assert_eq!(restored.document.configuration.launch.registers_per_thread, 77);
    assert_eq!(restored.reports.len(), 1);
}
