//! The final numbers that the linker prints with `-Xnvlink -v` for code that was compiled separately.
//!
//! They replace the compiler's, which are those before linking. The linker does not name the GPU, and counts the driver's
//! reserve in from compute capability 9.0 on.

use super::super::super::model::{Read, Severity};
use super::super::super::notes::Topic;
use super::super::super::text::excerpt;
use super::super::words::Number;
use super::super::{Line, new_kernel, reserve};
use super::log::{EXCERPT_LETTERS, Log};
use super::said::Used;

/// Gives the kernel of this name the linker's numbers, or adds it when the compiler's output is not in the log.
pub(super) fn apply(log: &mut Log, name: &str, line: &Line<'_>, used: &Used<'_>) {
    if !used.has_parameters {
        log.notes.on_line(Topic::Function, Severity::Info, line.number, || {
            format!("{} is no kernel and is skipped", excerpt(name.as_bytes(), EXCERPT_LETTERS))
        });
        return;
    }
    match log.by_name.get(name).copied() {
        Some(named) if named.for_one_gpu => fill(log, named.last, line, used),
        None => {
            let index = log.push(name, new_kernel(name, line.place(0), None), line.number);
            fill(log, index, line, used);
        }
        Some(_) => log.notes.on_line(Topic::Function, Severity::Warning, line.number, || {
            format!(
                "the linker does not say for which GPU these numbers of {} are; they are left out, so open the linked program",
                excerpt(name.as_bytes(), EXCERPT_LETTERS)
            )
        }),
    }
}

fn fill(log: &mut Log, index: usize, line: &Line<'_>, used: &Used<'_>) {
    let registers = log.small(line, used.registers);
    let barriers = log.small(line, used.barriers);
    let bytes = |number: Number| Read::exact(number.value, line.place(number.index));
    let entry = &mut log.entries[index];
    entry.used_line = Some(line.number);
    entry.is_linked = true;
    let kernel = &mut entry.kernel;
    kernel.registers_per_thread = registers.or(kernel.registers_per_thread);
    kernel.barriers = barriers.or(kernel.barriers);
    let cc = kernel.compute_capability.map(|cc| cc.value);
    // The linker always prints shared memory, also when there is none.
    kernel.static_smem_bytes = used.smem.and_then(|smem| reserve::settle(bytes(smem), cc));
    let is_open = used.smem.is_some() && kernel.static_smem_bytes.is_none();
    let has_reserve = used.smem.is_some_and(|smem| smem.value >= reserve::RESERVED_BYTES) && cc.is_some_and(reserve::is_counted);
    note_reserve(log, line, is_open, has_reserve);
}

fn note_reserve(log: &mut Log, line: &Line<'_>, is_open: bool, has_reserve: bool) {
    if is_open {
        log.notes.on_line(Topic::Function, Severity::Warning, line.number, || {
            "the linker counts 1,024 bytes that the driver keeps in shared memory from compute capability 9.0 on, but which one this \
             is the log does not say; shared memory is left out"
                .to_owned()
        });
    } else if has_reserve {
        log.notes.on_line(Topic::Function, Severity::Info, line.number, || {
            "shared memory as the linker prints it has the driver's 1,024 bytes counted in; they are taken off".to_owned()
        });
    }
}
