//! One invented text for each trap of compiler output, and compiled code of our own; `tests/fixtures/ptxas/README.md` and
//! `tests/fixtures/cubin/README.md` list them.

use super::super::error::ImportError;
use super::super::model::Severity;
use super::super::read_report;
use super::*;
use crate::arch::Catalog;
use crate::import::account::{Missing, account};

macro_rules! text {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ptxas/", $name))
    };
}

macro_rules! code {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/cubin/", $name))
    };
}

fn read(bytes: &[u8]) -> Report {
    read_report(bytes).unwrap()
}

#[track_caller]
fn assert_note(report: &Report, line: Option<u64>, severity: Severity, words: &str) {
    let is_it = |note: &crate::import::Note| note.line == line && note.severity == severity && note.message.contains(words);
    assert!(report.notes.iter().any(is_it), "no {severity:?} \"{words}\" at {line:?} in {:#?}", report.notes);
}

fn shown<T: ToString>(read: Option<Read<T>>) -> String {
    read.map_or_else(|| "-".to_owned(), |read| read.value.to_string())
}

/// Mangled name, compute capability, registers, static shared memory, barriers, stack, spill stores, spill loads, launch bounds.
fn rows(report: &Report) -> Vec<String> {
    let row = |kernel: &Kernel| {
        let compiled = kernel.compiled.as_ref().unwrap();
        let small = [kernel.registers_per_thread, kernel.barriers].map(shown);
        let large =
            [compiled.stack_bytes, compiled.spill_store_bytes, compiled.spill_load_bytes, compiled.max_threads_per_block].map(shown);
        let (cc, smem) = (shown(kernel.compute_capability), shown(kernel.static_smem_bytes));
        format!("{} {cc}: {} {smem} {} {}", compiled.mangled_name, small[0], small[1], large.join(" "))
    };
    report.kernels.iter().map(row).collect()
}

#[test]
fn plain_output_is_read_in_full() {
    let report = read(text!("01_plain.txt"));
    assert_eq!(report.format, Format::Ptxas);
    let expected = ["_ZN3lab9sum_tilesIfLi256EEEvPKT_PS1_ 9.0: 40 4096 2 40 12 20 -", "scale_rows 9.0: 14 0 16 0 0 0 -"];
    assert_eq!(rows(&report), expected);
    let kernel = &report.kernels[0];
    assert_eq!(kernel.name, "void lab::sum_tiles<float, 256>(float const*, float*)");
    assert_eq!(kernel.at, Position::of_cell(2, 42));
    assert_eq!(kernel.compute_capability.unwrap().at, Position::of_cell(2, 85));
    assert_eq!(kernel.registers_per_thread.unwrap().at, Position::of_cell(5, 21));
    assert_eq!(kernel.static_smem_bytes.unwrap().at, Position::of_cell(5, 85));
    assert_eq!(kernel.compiled.as_ref().unwrap().spill_load_bytes.unwrap().at, Position::of_cell(4, 49));
    assert_note(&report, None, Severity::Info, "1 function that kernels call skipped");
    assert_note(&report, Some(12), Severity::Info, "all 16 barriers");
}

#[test]
fn a_build_log_has_other_lines_and_several_gpus() {
    let report = read(text!("02_build_log.txt"));
    let expected = ["scale_rows 7.5: 18 2048 1 0 0 0 -", "scale_rows 12.0: 16 2048 1 8 8 8 -", "add_one 8.6: 10 0 - 0 0 0 -"];
    assert_eq!(rows(&report), expected);
    assert_note(&report, Some(11), Severity::Warning, "the compiler says: Registers are spilled");
    assert_note(&report, Some(12), Severity::Info, "the compiler says: (C7510) Potential Performance Loss: an invented remark");
    assert_note(&report, None, Severity::Info, "6 lines without compiler output skipped");
}

#[test]
fn no_shared_memory_of_relocatable_code_is_not_none() {
    let report = read(text!("03_relocatable.txt"));
    assert_eq!(rows(&report), ["scale_rows 8.0: 18 - - 0 0 0 -", "add_one 8.0: 10 0 - 0 0 0 -"]);
    assert_note(&report, Some(6), Severity::Warning, "scale_rows is relocatable code (-rdc=true)");
    assert_note(&report, None, Severity::Info, "no shared memory is printed for 1 kernel; taken as 0");
}

#[test]
fn the_linker_has_the_last_word() {
    let report = read(text!("04_linked.txt"));
    assert_eq!(
        rows(&report),
        [
            "scale_rows 9.0: 28 2048 1 0 0 0 -",
            "from_elsewhere -: 12 - 0 - - - -",
            "for_two 8.0: 20 2048 0 - - - -",
            "for_two 9.0: 22 2048 0 - - - -",
        ]
    );
    assert_note(&report, Some(12), Severity::Info, "they are taken off");
    assert_note(&report, Some(14), Severity::Warning, "which one this is the log does not say");
}

#[test]
fn registers_of_mixed_jobs_are_nobodys() {
    let report = read(text!("05_mixed_jobs.txt"));
    let expected = ["before 8.0: 20 0 0 0 0 0 -", "left 8.0: - - - - - - -", "right 8.0: - - - - - - -", "after 8.0: 50 0 0 0 0 0 -"];
    assert_eq!(rows(&report), expected);
    assert_note(&report, Some(13), Severity::Warning, "mixed since line 6");
}

#[test]
fn too_much_static_shared_memory_has_a_way_out() {
    let report = read(text!("06_too_much_shared.txt"));
    assert_eq!(report.kernels, []);
    assert_note(
        &report,
        Some(1),
        Severity::Error,
        "lab::tile(float*) has 51,200 bytes of static shared memory, but the compiler allows 49,152",
    );
    assert_note(&report, Some(1), Severity::Error, "declare the array extern __shared__");
    assert_note(&report, None, Severity::Warning, "compile with -Xptxas -v");
}

#[test]
fn damaged_output_is_noted() {
    let report = read(text!("07_damaged.txt"));
    assert_eq!(rows(&report), ["no_gpu -: - 0 3 - - - -", "cut_off 8.0: - - - - - - -"]);
    assert_note(&report, Some(2), Severity::Warning, "no kernel is named before this line");
    assert_note(&report, Some(3), Severity::Warning, "\"sm_x\" is no compute capability");
    assert_note(&report, Some(4), Severity::Warning, "99,999,999,999 is no possible count");
    assert_note(&report, Some(4), Severity::Warning, "\"2 of something\" is not understood");
    assert_note(&report, Some(5), Severity::Warning, "cut_off has no line \"Used … registers\"");
}

#[test]
fn the_reserve_is_taken_off_a_fat_object() {
    let report = read(text!("11_fat_object.txt"));
    assert_eq!(report.format, Format::ResourceUsage);
    let expected = [
        "_ZN3lab9sum_tilesIfLi256EEEvPKT_PS1_ 8.6: 40 4096 - 104 - - -",
        "scale_rows 8.6: 14 0 - 0 - - -",
        "_ZN3lab9sum_tilesIfLi256EEEvPKT_PS1_ 9.0: 42 4096 - 104 - - -",
        "scale_rows 9.0: 16 0 - 0 - - -",
    ];
    assert_eq!(rows(&report), expected);
    assert_eq!(report.kernels[0].registers_per_thread.unwrap().at, Position::of_cell(13, 6));
    assert_note(&report, None, Severity::Info, "2 kernels had 1,024 bytes of the driver counted into SHARED");
    assert_note(&report, None, Severity::Info, "1 section of PTX skipped");
}

#[test]
fn a_size_that_could_be_two_stays_open() {
    let report = read(text!("12_plain_cubin.txt"));
    let expected =
        ["early -: 20 2048 - 0 - - -", "with_many_parameters -: 21 4096 - 0 - - -", "open -: 22 - - 0 - - -", "without -: 23 0 - 0 - - -"];
    assert_eq!(rows(&report), expected);
    assert_note(
        &report,
        Some(14),
        Severity::Warning,
        "2,048 bytes of shared memory before compute capability 9.0, but 1,024 from there on",
    );
    assert_note(&report, None, Severity::Info, "4 kernels have no compute capability");
}

#[test]
fn a_dump_of_relocatable_code_knows_no_shared_memory() {
    let report = read(text!("13_relocatable.txt"));
    assert_eq!(rows(&report), ["scale_rows 9.0: 18 - - 0 - - -"]);
    assert_note(&report, Some(10), Severity::Warning, "scale_rows is relocatable code");
    assert_note(&report, None, Severity::Info, "1 function that kernels call skipped");
}

#[test]
fn a_damaged_dump_is_noted() {
    let report = read(text!("14_damaged.txt"));
    assert_eq!(rows(&report), ["odd -: - - - 0 - - -"]);
    for (line, words) in [(1, "no function is named"), (2, "lost has no line REG"), (4, "after REG:"), (4, "after SHARED:"), (5, "gfx90a")]
    {
        assert_note(&report, Some(line), Severity::Warning, words);
    }
    assert_note(&report, Some(7), Severity::Warning, "cut has no line REG");
    assert_note(&report, None, Severity::Info, "1 line without resource usage skipped");
}

#[test]
fn windows_line_ends_and_utf16_change_nothing() {
    let plain = read(text!("01_plain.txt"));
    let crlf = String::from_utf8(text!("01_plain.txt").to_vec()).unwrap().replace('\n', "\r\n");
    assert_eq!(read(crlf.as_bytes()), plain);
    let utf16: Vec<u8> = std::iter::once(0xFEFF).chain(crlf.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&utf16), plain);
}

#[test]
fn reading_can_be_stopped_and_says_so() {
    let long = text!("01_plain.txt").repeat(4000);
    let mut calls = 0;
    let report = crate::import::read_report_with(&long, |at| {
        calls += 1;
        assert_eq!(at.bytes_total, long.len());
        ControlFlow::Break(())
    });
    let report = report.unwrap();
    assert!(calls == 1 && (1..8000).contains(&report.kernels.len()), "{calls}");
    assert_note(&report, None, Severity::Warning, "reading was stopped");
}

/// What `ptxas -v` prints of the four kernels, with the compute capability put in.
fn lab(cc: &str) -> Vec<String> {
    [
        "_ZN3lab9sum_tilesIfLi256EEEvPKT_PS1_ CC: 12 1024 1 0 - - -",
        "three_barriers CC: 8 0 3 0 - - -",
        "pick CC: 24 0 0 0 - - 128",
        "scale_rows CC: 8 0 0 0 - - -",
    ]
    .map(|row| row.replace("CC", cc))
    .to_vec()
}

#[test]
fn both_flavors_of_cubins_are_read() {
    for (bytes, cc) in
        [(&code!("lab.sm_90.cubin")[..], "9.0"), (code!("lab.sm_90.ptxas_12_9.cubin"), "9.0"), (code!("lab.sm_80.ptxas_11_8.cubin"), "8.0")]
    {
        let report = read(bytes);
        assert_eq!(report.format, Format::Cubin);
        assert_eq!(rows(&report), lab(cc));
        assert_eq!(report.kernels[0].name, "void lab::sum_tiles<float, 256>(float const*, float*)");
    }
}

#[test]
fn every_value_of_a_cubin_has_its_byte() {
    let bytes = code!("lab.sm_90.cubin");
    let report = read(bytes);
    let kernel = &report.kernels[2];
    let at = |read: Position| usize::try_from(read.byte().unwrap()).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(bytes[at(kernel.compute_capability.unwrap().at) + 1], 90);
    assert_eq!(number(at(kernel.registers_per_thread.unwrap().at)), 24);
    assert_eq!(number(at(kernel.compiled.as_ref().unwrap().stack_bytes.unwrap().at)), 0);
    assert_eq!(number(at(kernel.compiled.as_ref().unwrap().max_threads_per_block.unwrap().at)), 128);
    // The size in the section header, with the driver's KiB; and the record of the barriers.
    assert_eq!(number(at(report.kernels[0].static_smem_bytes.unwrap().at)), 2048);
    assert_eq!(bytes[at(report.kernels[1].barriers.unwrap().at)], 3);
    // A symbol is known by the kernel bit.
    assert_eq!(bytes[at(kernel.at) + 5], 0x10);
}

#[test]
fn a_required_block_is_the_block_of_every_launch() {
    let mut bytes = code!("lab.sm_90.cubin").to_vec();
    let bounds = read(&bytes).kernels[2].compiled.as_ref().unwrap().max_threads_per_block.unwrap();
    // The attribute stands before the value and its length; 0x10 is a required block.
    bytes[usize::try_from(bounds.at.byte().unwrap()).unwrap() - 3] = 0x10;
    let kernel = read(&bytes).kernels[2].clone();
    assert_eq!(kernel.block.map(|block| block.value), Some(crate::units::Dim3::linear(128)));
    assert_eq!(kernel.compiled.as_ref().unwrap().max_threads_per_block, Some(bounds));
    assert_eq!(account(&kernel, Catalog::builtin(), None).missing, [Missing::DynamicSmem]);
}

#[test]
fn fat_binaries_hold_the_same_however_packed() {
    let all = [lab("8.0"), lab("9.0"), lab("12.0")].concat();
    for (bytes, is_compressed) in
        [(&code!("lab.none.fatbin")[..], false), (code!("lab.speed.fatbin"), true), (code!("lab.size.fatbin"), true)]
    {
        let report = read(bytes);
        assert_eq!(rows(&report), all);
        assert_note(&report, None, Severity::Info, "1 piece of PTX skipped");
        assert_eq!(report.notes.iter().any(|note| note.message.contains("3 pieces of code compressed")), is_compressed);
        assert!(report.kernels.iter().all(|kernel| kernel.at.byte().is_some_and(|at| at < bytes.len() as u64)));
    }
}

#[test]
fn a_cubin_inside_a_fat_binary_has_the_places_of_the_file() {
    let whole = code!("lab.none.fatbin");
    let report = read(whole);
    let registers = report.kernels[6].registers_per_thread.unwrap();
    let at = usize::try_from(registers.at.byte().unwrap()).unwrap();
    assert_eq!((whole[at], registers.value), (24, 24));
}

#[test]
fn code_before_linking_is_not_final() {
    let report = read(code!("lab.sm_90.relocatable.cubin"));
    let expected = [
        "_ZN3lab9sum_tilesIfLi256EEEvPKT_PS1_ 9.0: 10 - 1 0 - - -",
        "three_barriers 9.0: 8 - 3 0 - - -",
        "pick 9.0: 26 - 0 64 - - 128",
        "scale_rows 9.0: 8 - 0 0 - - -",
    ];
    assert_eq!(rows(&report), expected);
    assert_note(&report, None, Severity::Warning, "to be linked with other code");
}

#[test]
fn a_compiled_kernel_has_no_launch() {
    let report = read(code!("lab.sm_90.cubin"));
    let account = account(&report.kernels[0], Catalog::builtin(), None);
    assert_eq!(account.missing, [Missing::BlockSize, Missing::DynamicSmem]);
    assert_eq!((account.launch, account.occupancy, account.waves, account.gap), (None, None, None, None));
    assert_eq!((account.theoretical_percent, account.achieved_percent, account.blocks_per_sm), (None, None, None));
    assert!(account.arch.is_some(), "the GPU is known all the same");
}

/// A 64-bit ELF file with these sections, which are not loaded anywhere.
fn elf(sections: &[(&str, &[u8])]) -> Vec<u8> {
    let mut names = vec![0];
    let mut bytes = vec![0; 64];
    let mut headers = vec![[0_u8; 64]];
    for (name, data) in sections.iter().copied().chain([(".shstrtab", &[][..])]) {
        let name_at = names.len();
        names.extend_from_slice(name.as_bytes());
        names.push(0);
        let data = if name == ".shstrtab" { names.clone() } else { data.to_vec() };
        let mut header = [0; 64];
        header[..4].copy_from_slice(&u32::try_from(name_at).unwrap().to_le_bytes());
        header[4] = if name == ".shstrtab" { 3 } else { 1 };
        header[24..32].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        header[32..40].copy_from_slice(&(data.len() as u64).to_le_bytes());
        headers.push(header);
        bytes.extend(data);
    }
    let headers_at = bytes.len() as u64;
    bytes[..7].copy_from_slice(b"\x7FELF\x02\x01\x01");
    bytes[16..24].copy_from_slice(&[2, 0, 62, 0, 1, 0, 0, 0]);
    bytes[40..48].copy_from_slice(&headers_at.to_le_bytes());
    let count = u8::try_from(headers.len()).unwrap();
    bytes[52..64].copy_from_slice(&[64, 0, 56, 0, 0, 0, 64, 0, count, 0, count - 1, 0]);
    bytes.extend(headers.concat());
    bytes
}

#[test]
fn a_program_keeps_its_code_in_a_section() {
    let gap = [0; 24];
    let two = [&code!("lab.size.fatbin")[..], &gap, code!("lab.none.fatbin")].concat();
    let report = read(&elf(&[(".text", &[0x90; 40]), (".nv_fatbin", &two)]));
    assert_eq!(report.kernels.len(), 24);
    let linked = read(&elf(&[("__nv_relfatbin", code!("lab.none.fatbin")), (".nv_fatbin", code!("lab.size.fatbin"))]));
    assert_eq!(linked.kernels.len(), 12);
    assert_note(&linked, None, Severity::Info, "of code before linking skipped");
    let unlinked = read(&elf(&[("__nv_relfatbin", code!("lab.none.fatbin"))]));
    assert_eq!(unlinked.kernels.len(), 12);
}

#[test]
fn other_code_is_refused_by_name() {
    let format = |bytes: &[u8]| read_report(bytes).unwrap_err().format();
    assert_eq!(read_report(&elf(&[(".text", &[0x90; 40])])), Err(ImportError::NoCode));
    assert_eq!(read_report(&elf(&[(".nv_fatbin", &[0; 40])])), Err(ImportError::NoCode));
    assert_eq!(format(b"\x7FELF\x01\x01\x01"), "other-code");
    assert_eq!(format(b"\x7FELF\x02\x01\x01"), "cubin");
    assert_eq!(format(b"MZ\x90\0\x03\0\0\0"), "other-code");
    assert_eq!(format(b"!<arch>\nlab.o/"), "other-code");
    assert_eq!(format(b"\x50\xED\x55\xBA\x02\0\0\0"), "cubin");
}

#[test]
fn a_cut_or_unknown_cubin_says_what_is_wrong() {
    let whole = code!("lab.sm_90.cubin");
    let cut = read_report(&whole[..whole.len() / 2]).unwrap_err();
    assert!(matches!(&cut, ImportError::DamagedCode { what } if what.ends_with("(byte 0)")), "{cut}");
    let mut later = whole.to_vec();
    later[8] = 9;
    let error = read_report(&later).unwrap_err().to_string();
    assert!(error.contains("its ABI version is 9, and only 7 and 8 are known"), "{error}");
}

/// Where this entry of a fat binary begins: the container has a header of 16 bytes, an entry its own and its payload.
fn entry_at(bytes: &[u8], index: usize) -> usize {
    let number = |at: usize, length: usize| bytes[at..at + length].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte));
    (0..index).fold(16, |at, _| at + number(at + 4, 4) + number(at + 8, 8))
}

#[test]
fn a_damaged_piece_leaves_the_others() {
    for (offset, byte, words) in [
        (0, 7, "of kind 7, cannot be read"),
        (41, 0, "its compression is not known"),
        (59, 0x40, "which code of this size does not"),
        (70, 0x55, "is damaged"),
        (17, 0xFF, "compressed to more bytes than it has"),
    ] {
        let mut bytes = code!("lab.size.fatbin").to_vec();
        let at = entry_at(&bytes, 1);
        let header_bytes = usize::from(bytes[at + 4]);
        let place = if offset == 70 { at + header_bytes + 1 } else { at + offset };
        bytes[place] = byte;
        let report = read(&bytes);
        assert_eq!(report.kernels.len(), 8, "{words}");
        assert_note(&report, None, Severity::Warning, words);
    }
}

#[test]
fn a_container_that_ends_early_is_read_as_far_as_it_goes() {
    let whole = code!("lab.none.fatbin");
    let report = read(&whole[..entry_at(whole, 2) + 100]);
    assert_eq!(report.kernels.len(), 8);
    assert_note(&report, None, Severity::Warning, "this fat binary ends after its section");
    assert_note(&report, None, Severity::Warning, "this entry of a fat binary ends after it");
}

#[test]
fn reading_code_can_be_stopped() {
    let report = crate::import::read_report_with(code!("lab.none.fatbin"), |_| ControlFlow::Break(())).unwrap();
    assert_eq!(report.kernels.len(), 4);
    assert_note(&report, None, Severity::Warning, "reading was stopped");
}
