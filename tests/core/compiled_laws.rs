//! What holds for all compiler output and compiled code, however broken: reading ends, places lie in the file, and what is
//! damaged does not make other values up.

use occuscope::import::{Kernel, Position, Report, read_report};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Words that steer a reader of text into its corners.
const WORDS: &[&str] = &[
    "\n",
    "\r\n",
    "ptxas info    : ",
    "ptxas warning : ",
    "ptxas error   : ",
    "nvlink info    : ",
    "Compiling entry function '",
    "a' for 'sm_90'\n",
    "_ZN1aIS_S_EvT_' for 'sm_120a'\n",
    "Function properties for a\n",
    "Function properties for 'a':\n",
    "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n",
    "Used 40 registers, used 1 barriers, 2048 bytes smem, 380 bytes cmem[0]\n",
    "used 18446744073709551616 registers",
    ", 1 bytes smem",
    "Compile time = 1 ms\n",
    "0 bytes gmem\n",
    "Entry function 'a' uses too much shared data (0xffffffffffffffffff bytes, 0xc000 max)\n",
    "nvcc -rdc=true\n",
    "Fatbin elf code:\n",
    "arch = sm_90\n",
    "Resource usage:\n",
    " Function a:\n",
    "  REG:40 STACK:8 SHARED:1024 LOCAL:0 CONSTANT[0]:600\n",
    "  REG:1 STACK:0 SHARED:1023 CONSTANT[0]:\n",
    "ε",
    "'",
    ":",
];

const CODE: &[&[u8]] = &[
    include_bytes!("../fixtures/cubin/lab.sm_90.cubin"),
    include_bytes!("../fixtures/cubin/lab.sm_90.ptxas_12_9.cubin"),
    include_bytes!("../fixtures/cubin/lab.sm_80.ptxas_11_8.cubin"),
    include_bytes!("../fixtures/cubin/lab.sm_90.relocatable.cubin"),
    include_bytes!("../fixtures/cubin/lab.none.fatbin"),
    include_bytes!("../fixtures/cubin/lab.speed.fatbin"),
    include_bytes!("../fixtures/cubin/lab.size.fatbin"),
];

const TEXTS: &[&[u8]] = &[
    include_bytes!("../fixtures/ptxas/01_plain.txt"),
    include_bytes!("../fixtures/ptxas/02_build_log.txt"),
    include_bytes!("../fixtures/ptxas/04_linked.txt"),
    include_bytes!("../fixtures/ptxas/11_fat_object.txt"),
    include_bytes!("../fixtures/ptxas/12_plain_cubin.txt"),
];

fn places(kernel: &Kernel) -> impl Iterator<Item = Position> + use<> {
    let compiled = kernel.compiled.clone().unwrap_or_default();
    let large = [kernel.static_smem_bytes, compiled.stack_bytes, compiled.spill_store_bytes, compiled.max_threads_per_block];
    let small = [kernel.registers_per_thread, kernel.barriers];
    let all = large.map(|read| read.map(|read| read.at)).into_iter().chain(small.map(|read| read.map(|read| read.at)));
    std::iter::once(kernel.at).chain(all.flatten())
}

fn check(bytes: &[u8], report: &Report) {
    let num_bytes = u64::try_from(bytes.len()).unwrap();
    let num_lines = 1 + u64::try_from(bytes.iter().filter(|byte| **byte == b'\n').fold(0usize, |count, _| count + 1)).unwrap();
    for kernel in &report.kernels {
        assert!(kernel.dynamic_smem_bytes.is_none() && kernel.grid.is_none(), "{kernel:?}");
        for place in places(kernel) {
            assert!(place.line().is_none_or(|line| (1..=num_lines).contains(&line)), "{place} of {num_lines} lines");
            assert!(place.byte().is_none_or(|byte| byte < num_bytes), "{place} of {num_bytes} bytes");
        }
        let mangled = kernel.compiled.as_ref().map_or(0, |compiled| compiled.mangled_name.len());
        assert!(kernel.name.len() <= 4096 + 16 * mangled, "{} bytes of name from {mangled}", kernel.name.len());
    }
    for note in &report.notes {
        assert!(note.line.is_none_or(|line| (1..=num_lines).contains(&line)), "{note:?}");
        assert!(!note.message.is_empty() && !note.message.ends_with('.'), "{note:?}");
    }
    assert!(report.notes.len() < 400, "{} notes", report.notes.len());
}

fn ends_well(bytes: &[u8]) {
    match read_report(bytes) {
        Ok(report) => check(bytes, &report),
        Err(error) => assert!(!error.to_string().is_empty() && !error.format().is_empty()),
    }
}

fn damage() -> impl Strategy<Value = Vec<(Index, u8)>> {
    vec((any::<Index>(), any::<u8>()), 1..12)
}

fn damaged(whole: &[u8], damage: Vec<(Index, u8)>, cut: Option<Index>) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for (at, byte) in damage {
        let at = at.index(bytes.len());
        bytes[at] = byte;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
    bytes
}

proptest! {
    #[test]
    fn any_mix_of_words_ends_in_a_report_or_an_error(words in vec(select(WORDS), 0..60)) {
        ends_well(words.concat().as_bytes());
    }

    #[test]
    fn damaged_text_ends_in_a_report_or_an_error(whole in select(TEXTS), damage in damage(), cut in any::<Option<Index>>()) {
        ends_well(&damaged(whole, damage, cut));
    }

    #[test]
    fn damaged_code_ends_in_a_report_or_an_error(whole in select(CODE), damage in damage(), cut in any::<Option<Index>>()) {
        ends_well(&damaged(whole, damage, cut));
    }

    /// Most bytes of code are instructions; the headers are where a reader can be led astray.
    #[test]
    fn damaged_headers_end_in_a_report_or_an_error(
        whole in select(CODE),
        begin in prop::bool::ANY,
        damage in vec((0usize..1600, any::<u8>()), 1..30),
    ) {
        let mut bytes = whole.to_vec();
        let end = bytes.len();
        for (at, byte) in damage {
            // A cubin has its table of sections at its end.
            let at = if begin { at % 160 } else { end - 1 - at };
            bytes[at] = byte;
        }
        ends_well(&bytes);
    }

    #[test]
    fn code_of_random_bytes_ends_in_a_report_or_an_error(kind in 0usize..3, bytes in vec(any::<u8>(), 0..300)) {
        let head: [&[u8]; 3] = [b"\x7FELF\x02\x01\x01\x41\x08", b"\x50\xED\x55\xBA\x01\0\x10\0\xFF\0\0\0\0\0\0\0", b"\x7FELF\x02\x01\x01\0\0"];
        ends_well(&[head[kind], &bytes].concat());
    }

    #[test]
    fn any_name_is_shown(name in "_Z[A-Z0-9a-z_]{0,80}") {
        ends_well(format!("ptxas info : Compiling entry function '{name}' for 'sm_80'\n").as_bytes());
    }

    #[test]
    fn lines_of_other_tools_change_no_value(at in vec(any::<Index>(), 1..5), other in select(&["", "[3/9] Linking", "note: all well"][..])) {
        let text = std::str::from_utf8(TEXTS[0]).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        for at in at {
            lines.insert(at.index(lines.len() + 1), other);
        }
        let values = |report: Report| -> Vec<_> {
            let row = |kernel: &Kernel| {
                let compiled = kernel.compiled.as_ref().unwrap();
                (kernel.registers_per_thread.unwrap().value, kernel.static_smem_bytes.unwrap().value, compiled.stack_bytes.unwrap().value)
            };
            report.kernels.iter().map(row).collect()
        };
        let (plain, mixed) = (read_report(TEXTS[0]).unwrap(), read_report(lines.join("\n").as_bytes()).unwrap());
        prop_assert_eq!(values(plain), values(mixed));
    }
}
