//! Which kernel each line of a build log is about.
//!
//! A kernel's lines are "Compiling entry function", "Function properties", the stack, and "Used". The properties of functions that
//! a kernel calls come after its "Used" or, with separate compilation, before it; so stack and spills go by name.

use std::collections::HashMap;

use super::super::super::model::{Compiled, Kernel, Read, Severity};
use super::super::super::notes::{Notes, Topic};
use super::super::super::text::excerpt;
use super::super::words::{Number, Word};
use super::super::{Found, Line, LineReader, names, new_kernel};
use super::linked::{self, Linked};
use super::run::{Run, is_relocatable_command};
use super::said::{Said, Used, said};
use crate::arch::ComputeCapability;
use crate::fmt::{counted, grouped};

/// Letters of a name or a message that a note repeats.
pub(super) const EXCERPT_LETTERS: usize = 200;

/// A kernel, and what is known about the reading of it.
#[derive(Debug)]
pub(super) struct Entry {
    pub kernel: Kernel,
    /// The run of the compiler that it is from, by its number in [`Log::runs`].
    pub run: usize,
    pub line: u64,
    /// Where its registers are, and that its resources were read.
    pub used_line: Option<u64>,
    /// The linker gave the final numbers.
    pub is_linked: bool,
    /// Its numbers were left out because they cannot be told from others.
    pub is_mixed: bool,
}

/// The kernels of one name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub last: usize,
    /// All of them are for the same compute capability.
    pub for_one_gpu: bool,
}

/// A build log while it is read.
#[derive(Debug)]
pub(in super::super) struct Log {
    pub(super) entries: Vec<Entry>,
    pub(super) by_name: HashMap<String, Named>,
    /// The last kernel of each name for each GPU.
    pub(super) by_gpu: HashMap<(String, ComputeCapability), usize>,
    pub(super) runs: Vec<Run>,
    /// The kernel whose "Used" has not come yet.
    open: Option<usize>,
    /// The first kernel whose "Used" had not come when the next kernel began.
    abandoned: Option<usize>,
    /// The function that the next stack line is about: none when it is no kernel.
    function: Option<usize>,
    /// The kernel that the linker's next line is about.
    linked: Option<Linked>,
    last_was_device_function: bool,
    is_relocatable: bool,
    num_device_functions: u64,
    num_other_lines: u64,
    pub(super) notes: Notes,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            by_name: HashMap::new(),
            by_gpu: HashMap::new(),
            runs: vec![Run::default()],
            open: None,
            abandoned: None,
            function: None,
            linked: None,
            last_was_device_function: false,
            is_relocatable: false,
            num_device_functions: 0,
            num_other_lines: 0,
            notes: Notes::default(),
        }
    }
}

impl LineReader for Log {
    fn line(&mut self, line: &Line<'_>) {
        let heard = if super::may_matter(line.text) { said(line.text) } else { None };
        match heard {
            Some(heard) => self.said(line, heard),
            None => self.other(line.text),
        }
    }

    fn num_kernels(&self) -> usize {
        self.entries.len()
    }

    fn finish(mut self) -> Found {
        self.note_repeated();
        for index in 0..self.entries.len() {
            self.finish_entry(index);
        }
        self.note_assumed_smem();
        if self.num_device_functions > 0 {
            let message = format!("{} that kernels call skipped", counted(self.num_device_functions, "function"));
            self.notes.about_file(Severity::Info, message);
        }
        if self.num_other_lines > 0 {
            let message = format!("{} without compiler output skipped", counted(self.num_other_lines, "line"));
            self.notes.about_file(Severity::Info, message);
        }
        Found { kernels: self.entries.into_iter().map(|entry| entry.kernel).collect(), notes: self.notes }
    }
}

impl Log {
    fn other(&mut self, text: &str) {
        self.num_other_lines += u64::from(!text.is_empty());
        if text.contains("nvcc") || text.contains("ptxas") {
            self.is_relocatable = is_relocatable_command(text);
        }
    }

    fn said(&mut self, line: &Line<'_>, said: Said<'_>) {
        match said {
            Said::Run => self.start_run(),
            Said::Entry { name, sm } => self.start_entry(line, name, sm),
            Said::Function(name) => self.start_function(name),
            Said::Linked { name, sm } => self.linked = Some(Linked::new(line, name, sm)),
            Said::Stack { frame, stores, loads } => self.stack(line, [frame, stores, loads]),
            Said::Used(used) => self.used(line, &used),
            Said::CompileTime => self.compile_time(),
            Said::TooMuchShared { name, used, allowed } => self.too_much_shared(line, name.text, used, allowed),
            Said::Message { severity, text } => self.message(line, severity, text),
        }
    }

    fn start_run(&mut self) {
        self.runs.push(Run::new(self.is_relocatable));
        self.last_was_device_function = false;
    }

    pub(super) fn run(&mut self) -> &mut Run {
        let last = self.runs.len() - 1;
        &mut self.runs[last]
    }

    fn start_entry(&mut self, line: &Line<'_>, name: Word<'_>, sm: Word<'_>) {
        if let Some(open) = self.open {
            self.abandoned.get_or_insert(open);
        }
        let at = line.place(sm.index);
        let cc = sm.text.parse().ok().map(|cc| Read::exact(cc, at));
        if cc.is_none() {
            self.notes.at(Topic::Function, Severity::Warning, at, || {
                format!("\"{}\" is no compute capability; it is left out", excerpt(sm.text.as_bytes(), 40))
            });
        }
        let kernel = new_kernel(name.text, line.place(name.index), cc);
        let index = self.push(name.text, kernel, line.number);
        self.open = Some(index);
        self.function = None;
        self.last_was_device_function = false;
    }

    /// Adds a kernel.
    pub(super) fn push(&mut self, mangled: &str, kernel: Kernel, line: u64) -> usize {
        let index = self.entries.len();
        let cc = |kernel: &Kernel| kernel.compute_capability.map(|cc| cc.value);
        let before = self.by_name.get(mangled).copied();
        let is_same = |other: Named| other.for_one_gpu && cc(&self.entries[other.last].kernel) == cc(&kernel);
        let named = Named { last: index, for_one_gpu: before.is_none_or(is_same) };
        self.by_name.insert(mangled.to_owned(), named);
        if let Some(cc) = cc(&kernel) {
            self.by_gpu.insert((mangled.to_owned(), cc), index);
        }
        self.entries.push(Entry { kernel, run: self.runs.len() - 1, line, used_line: None, is_linked: false, is_mixed: false });
        index
    }

    fn start_function(&mut self, name: Word<'_>) {
        let run = self.runs.len() - 1;
        let known = self.by_name.get(name.text).map(|named| named.last);
        self.function = known.filter(|index| self.entries[*index].run == run && compiled(&mut self.entries[*index]).stack_bytes.is_none());
        if self.function.is_none() {
            self.num_device_functions += 1;
        }
        self.last_was_device_function = self.function.is_none();
    }

    fn stack(&mut self, line: &Line<'_>, [frame, stores, loads]: [Number; 3]) {
        let Some(index) = self.function.take() else { return };
        let read = |number: Number| Some(Read::exact(number.value, line.place(number.index)));
        let compiled = compiled(&mut self.entries[index]);
        compiled.stack_bytes = read(frame);
        compiled.spill_store_bytes = read(stores);
        compiled.spill_load_bytes = read(loads);
    }

    fn used(&mut self, line: &Line<'_>, used: &Used<'_>) {
        self.last_was_device_function = false;
        self.note_unknown_fields(line, used);
        if let Some(kernel) = self.linked.take() {
            linked::apply(self, &kernel, line, used);
            return;
        }
        let Some(index) = self.open.take() else {
            self.orphan(line);
            return;
        };
        self.run().observe(used);
        self.entries[index].used_line = Some(line.number);
        let has_stack = compiled(&mut self.entries[index]).stack_bytes.is_some_and(|stack| stack.value > 0);
        if has_stack && used.barriers.is_some() && used.cumulative_stack.is_none() {
            // Every compiler that prints barriers prints the cumulative stack too, unless it cannot know what is called.
            self.run().is_relocatable = true;
        }
        self.fill(index, line, used);
    }

    /// Puts the numbers of a line into the kernel that it is about.
    fn fill(&mut self, index: usize, line: &Line<'_>, used: &Used<'_>) {
        let registers = self.small(line, used.registers);
        let barriers = self.small(line, used.barriers);
        let kernel = &mut self.entries[index].kernel;
        kernel.registers_per_thread = registers;
        kernel.barriers = barriers;
        kernel.static_smem_bytes = used.smem.map(|number| Read::exact(number.value, line.place(number.index)));
        self.note_all_barriers(barriers);
    }

    /// A count of at most 32 bits; a larger one is noted.
    pub(super) fn small(&mut self, line: &Line<'_>, number: Option<Number>) -> Option<Read<u32>> {
        let number = number?;
        let at = line.place(number.index);
        let value = u32::try_from(number.value).ok();
        if value.is_none() {
            let message = || format!("{} is no possible count here; left out", grouped(number.value));
            self.notes.at(Topic::Number, Severity::Warning, at, message);
        }
        Some(Read::exact(value?, at))
    }

    fn note_unknown_fields(&mut self, line: &Line<'_>, used: &Used<'_>) {
        for field in &used.unknown {
            let message = || format!("\"{}\" is not understood and left out", excerpt(field.as_bytes(), 40));
            self.notes.on_line(Topic::Number, Severity::Warning, line.number, message);
        }
    }

    /// All 16 barriers are what the compiler assumes when a barrier's number is known at run time only.
    fn note_all_barriers(&mut self, barriers: Option<Read<u32>>) {
        if let Some(all) = barriers.filter(|barriers| barriers.value == 16) {
            self.notes.at(Topic::Function, Severity::Info, all.at, || {
                "all 16 barriers: the compiler assumes so when the number of a barrier is known at run time only".to_owned()
            });
        }
    }

    /// A "Used" line without its kernel. Where kernels before it lack theirs, the lines of parallel compilations are mixed, and
    /// none of those kernels' numbers can be trusted.
    fn orphan(&mut self, line: &Line<'_>) {
        let Some(first) = self.abandoned.take() else {
            let message = || "no kernel is named before this line, which is skipped; open the whole log".to_owned();
            self.notes.on_line(Topic::Function, Severity::Warning, line.number, message);
            return;
        };
        for entry in &mut self.entries[first..] {
            forget(entry);
        }
        let first_line = self.entries[first].line;
        self.notes.on_line(Topic::Function, Severity::Warning, line.number, || {
            format!(
                "the lines of several compilations are mixed since line {first_line}: the numbers in between cannot be told apart \
                 and are left out; build with a single job and open that log"
            )
        });
    }

    fn compile_time(&mut self) {
        if std::mem::take(&mut self.last_was_device_function) {
            // Only with separate compilation is a function compiled on its own.
            self.run().is_relocatable = true;
        }
    }

    fn too_much_shared(&mut self, line: &Line<'_>, name: &str, used: u64, allowed: u64) {
        self.notes.on_line(Topic::Compiler, Severity::Error, line.number, || {
            format!(
                "{} has {} bytes of static shared memory, but the compiler allows {}; declare the array extern __shared__, opt in with \
                 cudaFuncSetAttribute and cudaFuncAttributeMaxDynamicSharedMemorySize, and give its size at the launch",
                excerpt(names::demangled(name).as_bytes(), EXCERPT_LETTERS),
                grouped(used),
                grouped(allowed)
            )
        });
    }

    fn message(&mut self, line: &Line<'_>, severity: Severity, text: &str) {
        let message = || format!("the compiler says: {}", excerpt(text.as_bytes(), EXCERPT_LETTERS).trim_end_matches('.'));
        self.notes.on_line(Topic::Compiler, severity, line.number, message);
    }
}

/// What the compiler says about a kernel of this log, all of which have it.
pub(super) fn compiled(entry: &mut Entry) -> &mut Compiled {
    entry.kernel.compiled.get_or_insert_default()
}

fn forget(entry: &mut Entry) {
    let kernel = &mut entry.kernel;
    (kernel.registers_per_thread, kernel.barriers, kernel.static_smem_bytes) = (None, None, None);
    let compiled = compiled(entry);
    (compiled.stack_bytes, compiled.spill_store_bytes, compiled.spill_load_bytes) = (None, None, None);
    entry.used_line = None;
    entry.is_mixed = true;
}
