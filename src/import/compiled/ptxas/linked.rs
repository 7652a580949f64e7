//! The final numbers that the linker prints with `-Xnvlink -v` for code that was compiled separately.
//!
//! They replace the compiler's, which are those before linking. The linker names the GPU only when it links for several, and
//! counts the driver's reserve in from compute capability 9.0 on.

use super::super::super::model::{Read, Severity};
use super::super::super::notes::Topic;
use super::super::super::position::Position;
use super::super::super::text::excerpt;
use super::super::words::{Number, Word};
use super::super::{Line, new_kernel, reserve};
use super::log::{EXCERPT_LETTERS, Log};
use super::said::Used;
use crate::arch::ComputeCapability;

/// The kernel that the linker's next line is about.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    mangled: String,
    at: Position,
    compute_capability: Option<Read<ComputeCapability>>,
}

impl Linked {
    pub(super) fn new(line: &Line<'_>, name: Word<'_>, sm: Option<Word<'_>>) -> Self {
        let cc = sm.and_then(|sm| Some(Read::exact(sm.text.parse().ok()?, line.place(sm.index))));
        Self { mangled: name.text.to_owned(), at: line.place(name.index), compute_capability: cc }
    }

    fn shown(&self) -> String {
        excerpt(self.mangled.as_bytes(), EXCERPT_LETTERS)
    }
}

/// Gives this kernel the linker's numbers, and adds it when the compiler's output is not in the log.
pub(super) fn apply(log: &mut Log, kernel: &Linked, line: &Line<'_>, used: &Used<'_>) {
    if !used.has_parameters {
        let message = || format!("{} is no kernel and is skipped", kernel.shown());
        log.notes.on_line(Topic::Function, Severity::Info, line.number, message);
        return;
    }
    match known(log, kernel) {
        Ok(Some(index)) => fill(log, index, line, used),
        Ok(None) => {
            let added = new_kernel(&kernel.mangled, kernel.at, kernel.compute_capability);
            let index = log.push(&kernel.mangled, added, line.number);
            fill(log, index, line, used);
        }
        Err(SeveralGpus) => log.notes.on_line(Topic::Function, Severity::Warning, line.number, || {
            let name = kernel.shown();
            format!("the linker does not say for which GPU these numbers of {name} are; they are left out, so open the linked program")
        }),
    }
}

/// The compiler's kernels of a name are for several GPUs.
struct SeveralGpus;

/// The last kernel of the log that this one can be; none when it has none.
fn known(log: &Log, kernel: &Linked) -> Result<Option<usize>, SeveralGpus> {
    if let Some(cc) = kernel.compute_capability {
        return Ok(log.by_gpu.get(&(kernel.mangled.clone(), cc.value)).copied());
    }
    match log.by_name.get(&kernel.mangled) {
        Some(named) if !named.for_one_gpu => Err(SeveralGpus),
        named => Ok(named.map(|named| named.last)),
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
