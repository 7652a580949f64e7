//! `cuobjdump --dump-resource-usage`: one line per function, below the architecture of its code where that is printed.
//!
//! Three traps. From compute capability 9.0 on, `SHARED` has the driver's 1,024 bytes counted in. The dump of a plain cubin does
//! not name its architecture, so there a large `SHARED` can mean two sizes. And in relocatable code, which lists the functions
//! that kernels call too, `SHARED` and `STACK` are 0 whatever they will be.

use super::super::model::{Kernel, Read, Severity};
use super::super::notes::{Notes, Topic};
use super::super::position::Position;
use super::super::text::excerpt;
use super::words::{Number, Word, number_at};
use super::{Found, Line, LineReader, new_kernel, reserve};
use crate::arch::ComputeCapability;
use crate::fmt::{counted, grouped};

/// Letters of a name that a note repeats.
const EXCERPT_LETTERS: usize = 200;

/// Bytes of constant bank 0 before a kernel's parameters from compute capability 9.0 on: 528, and 896 from 10.0 on; 320 or 352
/// before. A kernel with less is for an earlier GPU.
///
/// Source: a kernel without parameters, compiled for 21 compute capabilities with ptxas 11.8 and 13.5.
const CONSTANT_BANK_SINCE_9_0: u64 = 528;

/// Whether a line shows that its text is such a dump.
pub(super) fn is_mark(line: &str) -> bool {
    line.trim_start().starts_with("REG:") && line.contains(" STACK:") && line.contains(" SHARED:")
}

/// A function with its resources.
#[derive(Debug)]
struct Function {
    kernel: Kernel,
    /// As printed, with what the tool counts in.
    shared: Option<Read<u64>>,
    /// The code that it is in, by its number in [`Dump::codes`].
    code: usize,
}

/// A piece of code for one architecture.
#[derive(Clone, Copy, Debug, Default)]
struct Code {
    compute_capability: Option<Read<ComputeCapability>>,
    has_resources: bool,
    /// It has a kernel that no GPU from 9.0 on has like this.
    is_before_9_0: bool,
    /// It has functions that are no kernels, which only code to be linked later lists.
    is_relocatable: bool,
}

impl Code {
    fn settled(&self, shared: Read<u64>) -> Option<Read<u64>> {
        if self.compute_capability.is_none() && self.is_before_9_0 {
            return Some(shared);
        }
        reserve::settle(shared, self.compute_capability.map(|cc| cc.value))
    }
}

/// A dump while it is read.
#[derive(Debug)]
pub(super) struct Dump {
    codes: Vec<Code>,
    functions: Vec<Function>,
    pending: Option<(u64, String, Position)>,
    num_device_functions: u64,
    num_ptx: u64,
    num_other_lines: u64,
    notes: Notes,
}

impl Default for Dump {
    fn default() -> Self {
        Self {
            codes: vec![Code::default()],
            functions: Vec::new(),
            pending: None,
            num_device_functions: 0,
            num_ptx: 0,
            num_other_lines: 0,
            notes: Notes::default(),
        }
    }
}

impl LineReader for Dump {
    fn line(&mut self, line: &Line<'_>) {
        let text = line.text.trim_start();
        let index = line.text.len() - text.len();
        if text.starts_with("Fatbin ") {
            self.codes.push(Code::default());
            self.num_ptx += u64::from(text.starts_with("Fatbin ptx"));
        } else if text.starts_with("arch = ") {
            self.architecture(line, index + "arch = ".len());
        } else if text.starts_with("Resource usage:") {
            self.start_resources();
        } else if let Some(name) = text.strip_prefix("Function ").and_then(|rest| rest.strip_suffix(':')) {
            self.start_function(line, Word { text: name, index: index + "Function ".len() });
        } else if text.starts_with("REG:") {
            self.resources(line);
        } else if !is_known(text) {
            self.num_other_lines += 1;
        }
    }

    fn num_kernels(&self) -> usize {
        self.functions.len()
    }

    fn finish(mut self) -> Found {
        self.note_unfinished();
        let functions = std::mem::take(&mut self.functions);
        let (mut kernels, mut num_reserved) = (Vec::with_capacity(functions.len()), 0);
        for function in functions {
            let code = self.codes[function.code];
            let mut kernel = function.kernel;
            kernel.static_smem_bytes = self.static_smem(&kernel, code, function.shared);
            num_reserved += u64::from(kernel.static_smem_bytes != function.shared && kernel.static_smem_bytes.is_some());
            kernels.push(kernel);
        }
        self.note_totals(num_reserved);
        Found { kernels, notes: self.notes }
    }
}

/// Lines of a dump that say nothing about a kernel.
fn is_known(text: &str) -> bool {
    const BEGINNINGS: [&str; 11] = [
        "====",
        "code version =",
        "host =",
        "compile_size =",
        "compressed",
        "identifier =",
        "producer =",
        "ptxasOptions =",
        "Common:",
        "GLOBAL:",
        "has debug info",
    ];
    text.is_empty() || BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

impl Dump {
    fn code(&mut self) -> &mut Code {
        let last = self.codes.len() - 1;
        &mut self.codes[last]
    }

    fn architecture(&mut self, line: &Line<'_>, index: usize) {
        let name = line.text[index..].trim();
        match name.parse() {
            Ok(cc) => self.code().compute_capability = Some(Read::exact(cc, line.place(index))),
            Err(_) => self.notes.at(Topic::Function, Severity::Warning, line.place(index), || {
                format!("\"{}\" is no compute capability; it is left out", excerpt(name.as_bytes(), 40))
            }),
        }
    }

    /// The dump of a plain cubin has no other line between one piece of code and the next.
    fn start_resources(&mut self) {
        if std::mem::replace(&mut self.code().has_resources, true) {
            self.codes.push(Code { has_resources: true, ..Code::default() });
        }
    }

    fn start_function(&mut self, line: &Line<'_>, name: Word<'_>) {
        self.note_unfinished();
        self.pending = Some((line.number, name.text.to_owned(), line.place(name.index)));
    }

    fn note_unfinished(&mut self) {
        if let Some((line, name, _)) = self.pending.take() {
            self.notes.on_line(Topic::Function, Severity::Warning, line, || {
                format!("{} has no line REG:… after its name and is skipped", excerpt(name.as_bytes(), EXCERPT_LETTERS))
            });
        }
    }

    fn resources(&mut self, line: &Line<'_>) {
        let Some((_, name, at)) = self.pending.take() else {
            let message = || "no function is named before this line, which is skipped".to_owned();
            self.notes.on_line(Topic::Function, Severity::Warning, line.number, message);
            return;
        };
        let Some(constant_bank) = self.field(line, "CONSTANT[0]:") else {
            // Parameters lie in constant bank 0, and only kernels have some of it.
            self.num_device_functions += 1;
            self.code().is_relocatable = true;
            return;
        };
        let shared = self.field(line, "SHARED:");
        let is_early = constant_bank.value < CONSTANT_BANK_SINCE_9_0 || shared.is_some_and(|shared| (1..1024).contains(&shared.value));
        self.code().is_before_9_0 |= is_early;
        let mut kernel = new_kernel(&name, at, self.code().compute_capability);
        kernel.registers_per_thread = self.registers(line);
        kernel.compiled.get_or_insert_default().stack_bytes = self.field(line, "STACK:");
        self.functions.push(Function { kernel, shared, code: self.codes.len() - 1 });
    }

    fn registers(&mut self, line: &Line<'_>) -> Option<Read<u32>> {
        let registers = self.field(line, "REG:")?;
        let value = u32::try_from(registers.value).ok();
        if value.is_none() {
            self.note_unreadable(registers.at, "REG:");
        }
        Some(Read::exact(value?, registers.at))
    }

    /// The number behind a key; none when the key is not there, with a note when its number cannot be read.
    fn field(&mut self, line: &Line<'_>, key: &str) -> Option<Read<u64>> {
        let starts_word = |at: usize| line.text[..at].chars().next_back().is_none_or(char::is_whitespace);
        let (at, _) = line.text.match_indices(key).find(|(at, _)| starts_word(*at))?;
        let index = at + key.len();
        let place = line.place(index);
        let is_whole = |number: &Number| {
            line.text[index..]
                .split_whitespace()
                .next()
                .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()) && number.index == index)
        };
        let number = number_at(line.text, index).filter(is_whole);
        if number.is_none() {
            self.note_unreadable(place, key);
        }
        Some(Read::exact(number?.value, place))
    }

    fn note_unreadable(&mut self, at: Position, key: &str) {
        let message = || format!("what stands after {key} is no possible count; left out");
        self.notes.at(Topic::Number, Severity::Warning, at, message);
    }

    fn static_smem(&mut self, kernel: &Kernel, code: Code, shared: Option<Read<u64>>) -> Option<Read<u64>> {
        let shared = shared?;
        if code.is_relocatable && shared.value == 0 {
            self.notes.at(Topic::Function, Severity::Warning, shared.at, || {
                let name = excerpt(kernel.name.as_bytes(), EXCERPT_LETTERS);
                format!("{name} is relocatable code, for which the tool prints no shared memory; open the linked program")
            });
            return None;
        }
        let settled = code.settled(shared);
        if settled.is_none() {
            self.notes.at(Topic::Function, Severity::Warning, shared.at, || {
                format!(
                    "{} bytes of shared memory before compute capability 9.0, but {} from there on, where 1,024 are the driver's; \
                     this dump does not name the GPU, so open the cubin itself",
                    grouped(shared.value),
                    grouped(shared.value - reserve::RESERVED_BYTES)
                )
            });
        }
        settled
    }

    fn note_totals(&mut self, num_reserved: u64) {
        let notes = [
            (
                num_reserved,
                "kernel",
                "had 1,024 bytes of the driver counted into SHARED, as from compute capability 9.0 on; they are taken off",
            ),
            (self.num_device_functions, "function", "that kernels call skipped"),
            (self.num_ptx, "section", "of PTX skipped: it is compiled when the program runs"),
            (self.num_other_lines, "line", "without resource usage skipped"),
        ];
        for (count, what, message) in notes {
            if count > 0 {
                self.notes.about_file(Severity::Info, format!("{} {message}", counted(count, what)));
            }
        }
    }
}
