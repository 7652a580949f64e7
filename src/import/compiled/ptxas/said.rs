//! What one line of a build log says about a kernel.
//!
//! The compiler's lines begin "ptxas info    :", but other tools put things before them, change the spaces, or call the
//! program by another name or not at all. So a line is known by its words, and by "info :" before them.

use super::super::words::{Number, Word, number_and_rest, parts, quoted_after};
use crate::import::model::Severity;

/// What a line of the compiler or the linker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said<'l> {
    /// A run of the compiler over one file: "0 bytes gmem".
    Run,
    /// A kernel begins: "Compiling entry function 'NAME' for 'sm_80'".
    Entry {
        name: Word<'l>,
        sm: Word<'l>,
    },
    /// The line that follows is about this function, which may be a kernel or not.
    Function(Word<'l>),
    /// The linker's final numbers of this kernel follow. It names the GPU when it links for several.
    Linked {
        name: Word<'l>,
        sm: Option<Word<'l>>,
    },
    /// "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads".
    Stack {
        frame: Number,
        stores: Number,
        loads: Number,
    },
    /// "Used 32 registers, …".
    Used(Used<'l>),
    CompileTime,
    /// More static shared memory than a kernel can have.
    TooMuchShared {
        name: Word<'l>,
        used: u64,
        allowed: u64,
    },
    /// Anything else that the compiler or the linker says.
    Message {
        severity: Severity,
        text: &'l str,
    },
}

/// The resources of a function. Everything but the registers is left out where it is 0, in some versions always.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Used<'l> {
    pub registers: Option<Number>,
    pub barriers: Option<Number>,
    /// Stack of the function and all that it calls, in bytes.
    pub cumulative_stack: Option<Number>,
    pub smem: Option<Number>,
    /// Constant bank 0 has the parameters of a kernel.
    pub has_parameters: bool,
    /// Fields that are not known.
    pub unknown: Vec<&'l str>,
}

/// What a line says; none when neither the compiler nor the linker wrote it.
pub(super) fn said(line: &str) -> Option<Said<'_>> {
    let (line, target) = without_target(line);
    stack(line).or_else(|| {
        let spoken = Spoken::new(line)?;
        match spoken.severity {
            Severity::Info => info(line, &spoken, target),
            _ => too_much_shared(line, &spoken).or_else(|| spoken.message()),
        }
    })
}

/// A line without "(target: sm_90)" at its end, and that GPU.
fn without_target(line: &str) -> (&str, Option<Word<'_>>) {
    const BEFORE: &str = " (target: ";
    let Some((rest, target)) = line.strip_suffix(')').and_then(|line| line.rsplit_once(BEFORE)) else { return (line, None) };
    (rest, Some(Word { text: target, index: rest.len() + BEFORE.len() }))
}

/// A line cut at its severity: "ptxas", "info", and what is said.
#[derive(Clone, Copy, Debug)]
struct Spoken<'l> {
    before: &'l str,
    severity: Severity,
    said: Word<'l>,
}

impl<'l> Spoken<'l> {
    fn new(line: &'l str) -> Option<Self> {
        const SEVERITIES: [(&str, Severity); 4] =
            [("info", Severity::Info), ("warning", Severity::Warning), ("error", Severity::Error), ("fatal", Severity::Error)];
        SEVERITIES.into_iter().find_map(|(word, severity)| {
            line.match_indices(word).find_map(|(at, _)| {
                let said = line[at + word.len()..].trim_start().strip_prefix(':')?.trim_start();
                Some(Self { before: &line[..at], severity, said: Word { text: said, index: line.len() - said.len() } })
            })
        })
    }

    /// The line as a message, when it is from the compiler or the linker.
    fn message(&self) -> Option<Said<'l>> {
        let is_ours = self.before.contains("ptxas") || self.before.contains("nvlink");
        is_ours.then_some(Said::Message { severity: self.severity, text: self.said.text })
    }
}

fn info<'l>(line: &'l str, spoken: &Spoken<'l>, target: Option<Word<'l>>) -> Option<Said<'l>> {
    let Word { text, index } = spoken.said;
    if text.starts_with("Compiling entry function ") {
        let name = quoted_after(line, "Compiling entry function ")?;
        let name_end = name.index + name.text.len();
        let sm = quoted_after(&line[name_end..], " for ").map(|sm| Word { index: sm.index + name_end, ..sm });
        return Some(Said::Entry { name, sm: sm.unwrap_or(Word { text: "", index }) });
    }
    if let Some(name) = text.strip_prefix("Function properties for ") {
        let linked = name.strip_prefix('\'').and_then(|name| name.strip_suffix("':"));
        let index = line.len() - name.len();
        return Some(linked.map_or(Said::Function(Word { text: name, index }), |text| {
            let name = Word { text, index: index + 1 };
            Said::Linked { name, sm: target }
        }));
    }
    if let Some(rest) = text.strip_prefix("Used ").or_else(|| text.strip_prefix("used "))
        && number_and_rest(rest, 0).is_some_and(|(_, words)| words.starts_with("register"))
    {
        return Some(Said::Used(used(line, index)));
    }
    if text.starts_with("Compile time = ") {
        return Some(Said::CompileTime);
    }
    let is_run = number_and_rest(text, 0).is_some_and(|(_, words)| words.starts_with("bytes gmem"));
    if is_run { Some(Said::Run) } else { spoken.message() }
}

/// The fields of "Used 32 registers, used 1 barriers, 8192 bytes smem, 380 bytes cmem[0]", which begin at this byte.
fn used(line: &str, index: usize) -> Used<'_> {
    let mut used = Used::default();
    for part in parts(line, index) {
        let skip = if part.text.starts_with("Used ") || part.text.starts_with("used ") { "used ".len() } else { 0 };
        let Some((number, words)) = number_and_rest(&line[..part.index + part.text.len()], part.index + skip) else {
            used.unknown.push(part.text);
            continue;
        };
        match words {
            "registers" | "register" => used.registers = Some(number),
            "barriers" | "barrier" => used.barriers = Some(number),
            "bytes smem" => used.smem = Some(number),
            "bytes cumulative stack size" | "stack" => used.cumulative_stack = Some(number),
            "bytes cmem[0]" => used.has_parameters = true,
            "bytes lmem" | "textures" | "surfaces" | "samplers" => {}
            words if words.starts_with("bytes cmem[") => {}
            _ => used.unknown.push(part.text),
        }
    }
    used
}

fn stack(line: &str) -> Option<Said<'_>> {
    let end = line.find(" bytes stack frame,")?;
    let digits = line[..end].bytes().rev().take_while(u8::is_ascii_digit).count();
    let mut numbers = parts(line, end - digits).map(|part| number_and_rest(line, part.index));
    let mut next = |name: &str| numbers.next().flatten().filter(|(_, words)| words.starts_with(name)).map(|(number, _)| number);
    let frame = next("bytes stack frame")?;
    let stores = next("bytes spill stores")?;
    Some(Said::Stack { frame, stores, loads: next("bytes spill loads")? })
}

/// "Entry function 'NAME' uses too much shared data (0xc004 bytes, 0xc000 max)".
fn too_much_shared<'l>(line: &'l str, spoken: &Spoken<'l>) -> Option<Said<'l>> {
    let (_, sizes) = spoken.said.text.split_once("uses too much shared data (")?;
    let name = quoted_after(line, "unction ")?;
    let mut sizes = sizes.split(',').map(|size| hexadecimal(size.trim()));
    Some(Said::TooMuchShared { name, used: sizes.next()??, allowed: sizes.next()?? })
}

/// "0xc004 bytes" is 49,156.
fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    let length = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
    u64::from_str_radix(&digits[..length], 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn number(value: u64, index: usize) -> Number {
        Number { value, index }
    }

    #[test]
    fn a_line_is_known_whatever_stands_before_it() {
        for before in ["ptxas info    : ", "info    : ", "2>CUDACOMPILE : ptxas info : ", "[ 12%] 10:42:01 ptxas.exe info  : "] {
            let line = format!("{before}Used 24 registers, used 2 barriers, 640 bytes smem");
            let Some(Said::Used(used)) = said(&line) else { panic!("{line}") };
            let values = [used.registers, used.barriers, used.smem].map(|number| number.map(|number| number.value));
            assert_eq!(values, [Some(24), Some(2), Some(640)]);
            assert_eq!(used.registers.unwrap().index, before.len() + 5);
        }
    }

    #[test]
    fn the_gpu_comes_after_the_name() {
        let line = "built for 'speed': ptxas info    : Compiling entry function 'dot' for 'sm_90a'";
        let Some(Said::Entry { name, sm }) = said(line) else { panic!() };
        assert_eq!((name.text, sm.text, &line[sm.index..]), ("dot", "sm_90a", "sm_90a'"));
    }

    #[test]
    fn fields_are_optional_and_unknown_ones_are_kept() {
        let Some(Said::Used(used)) = said("ptxas info    : Used 9 registers, 4+8 bytes smem, 3 widgets, 360 bytes cmem[0]") else {
            panic!()
        };
        assert_eq!((used.barriers, used.smem, used.has_parameters), (None, None, true));
        assert_eq!(used.unknown, ["4+8 bytes smem", "3 widgets"]);
    }

    #[test]
    fn stack_and_spills_have_their_own_line() {
        let line = "    48 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads";
        assert_eq!(said(line), Some(Said::Stack { frame: number(48, 4), stores: number(12, 26), loads: number(20, 49) }));
        assert_eq!(said("48 bytes stack frame, and so on"), None);
    }

    #[test]
    fn the_linker_puts_names_into_quotes() {
        let one = said("nvlink info    : Function properties for 'dot':");
        assert!(matches!(one, Some(Said::Linked { name: Word { text: "dot", .. }, sm: None })), "{one:?}");
        let several = said("nvlink info    : Function properties for 'dot': (target: sm_90)");
        let sm = Some(Word { text: "sm_90", index: 57 });
        assert_eq!(several, Some(Said::Linked { name: Word { text: "dot", index: 42 }, sm }));
        assert!(matches!(said("ptxas info    : Function properties for dot"), Some(Said::Function(Word { text: "dot", .. }))));
    }

    #[test]
    fn errors_of_other_programs_are_not_the_compilers() {
        assert_eq!(said("main.cu(12): error: expected a \";\""), None);
        assert_eq!(said("Used 12 registers in total"), None);
        let said = said("ptxas demo.ptx, line 9; error   : Unknown symbol 'n'");
        assert_eq!(said, Some(Said::Message { severity: Severity::Error, text: "Unknown symbol 'n'" }));
    }

    #[test]
    fn too_much_shared_memory_is_counted_in_hexadecimal() {
        let line = "ptxas error   : Entry function '_Z4tilePf' uses too much shared data (0xc800 bytes, 0xc000 max)";
        let Some(Said::TooMuchShared { name, used, allowed }) = said(line) else { panic!() };
        assert_eq!((name.text, used, allowed), ("_Z4tilePf", 51_200, 49_152));
    }
}
