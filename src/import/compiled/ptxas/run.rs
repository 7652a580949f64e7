//! One run of the compiler over one file, and what its lines leave out.

use std::collections::HashMap;

use super::super::super::model::{Read, Severity};
use super::super::super::notes::Topic;
use super::super::super::position::Position;
use super::super::super::text::excerpt;
use super::log::{EXCERPT_LETTERS, Log};
use super::said::Used;
use crate::fmt::counted;

/// What is known about a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// Code that is to be linked later (`-rdc=true`): the compiler leaves shared memory out, whatever there is.
    pub is_relocatable: bool,
    /// Some kernel's line has shared memory, which settles that the code is not relocatable.
    has_smem: bool,
}

impl Run {
    pub(super) const fn new(is_relocatable: bool) -> Self {
        Self { is_relocatable, has_smem: false }
    }

    pub(super) fn observe(&mut self, used: &Used<'_>) {
        self.has_smem |= used.smem.is_some();
    }

    /// Whether no shared memory in a line means that there is none.
    const fn prints_smem(self) -> bool {
        self.has_smem || !self.is_relocatable
    }
}

/// Whether a command of a build log makes code that is to be linked later.
pub(super) fn is_relocatable_command(line: &str) -> bool {
    const OPTIONS: [&str; 7] =
        ["-rdc=true", "-dc", "--device-c", "--relocatable-device-code=true", "-rdc", "--relocatable-device-code", "--compile-only"];
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let needs_true = matches!(word, "-rdc" | "--relocatable-device-code");
        if OPTIONS.contains(&word) && (!needs_true || words.peek() == Some(&"true")) {
            return true;
        }
    }
    false
}

impl Log {
    /// Notes what a kernel lacks, and takes no shared memory in its line for none where that is what it means.
    pub(super) fn finish_entry(&mut self, index: usize) {
        let (run, entry) = (self.runs[self.entries[index].run], &mut self.entries[index]);
        let name = || excerpt(entry.kernel.name.as_bytes(), EXCERPT_LETTERS);
        if entry.is_mixed {
            return;
        }
        let Some(line) = entry.used_line else {
            let message = || format!("{} has no line \"Used … registers\" here, so its resources are not known", name());
            self.notes.on_line(Topic::Function, Severity::Warning, entry.line, message);
            return;
        };
        if entry.kernel.static_smem_bytes.is_some() || entry.is_linked {
            return;
        }
        if run.prints_smem() {
            entry.kernel.static_smem_bytes = Some(Read::exact(0, Position::of_cell(line, 0)));
        } else {
            let message = || {
                format!(
                    "{} is relocatable code (-rdc=true), for which the compiler prints no shared memory; open the linked program, \
                     or link with -Xnvlink -v",
                    name()
                )
            };
            self.notes.on_line(Topic::Function, Severity::Warning, line, message);
        }
    }

    /// Says that no shared memory was taken for none, when that could be wrong.
    pub(super) fn note_assumed_smem(&mut self) {
        let is_assumed = |run: Run| !run.has_smem && !run.is_relocatable;
        let assumed = self.entries.iter().filter(|entry| entry.used_line.is_some() && !entry.is_linked && is_assumed(self.runs[entry.run]));
        let count = assumed.fold(0, |count, _| count + 1);
        if count > 0 {
            let message = format!(
                "no shared memory is printed for {}; taken as 0, but code compiled with -rdc=true is printed the same way",
                counted(count, "kernel")
            );
            self.notes.about_file(Severity::Info, message);
        }
    }

    /// Notes kernels that were compiled more than once for the same GPUs.
    pub(super) fn note_repeated(&mut self) {
        let mut first_lines = HashMap::new();
        for entry in &self.entries {
            let mangled = entry.kernel.compiled.as_ref().map(|compiled| compiled.mangled_name.as_str());
            let key = (mangled, entry.kernel.compute_capability.map(|cc| cc.value));
            let first = *first_lines.entry(key).or_insert(entry.line);
            if first != entry.line {
                let name = excerpt(entry.kernel.name.as_bytes(), EXCERPT_LETTERS);
                let message = || format!("{name} was compiled for the same GPU in line {first} already; both are shown");
                self.notes.on_line(Topic::Function, Severity::Info, entry.line, message);
            }
        }
    }
}
