//! Notes about all kernels of a file that a compiler or its tools wrote.

use super::super::model::{Format, Kernel, Severity};
use super::super::notes::Notes;
use crate::fmt::counted;

/// Says what no compiler can know, and which kernels lack more.
pub(super) fn note_kernels(format: Format, kernels: &[Kernel], notes: &mut Notes) {
    if kernels.is_empty() {
        let way_out = if format == Format::Ptxas { "; compile with -Xptxas -v" } else { "" };
        notes.about_file(Severity::Warning, format!("no kernel with its registers is in here{way_out}"));
        return;
    }
    notes.about_file(
        Severity::Info,
        "this was compiled, not launched: block size, grid and dynamic shared memory are for a launch to decide".to_owned(),
    );
    let lacking = kernels.iter().filter(|kernel| kernel.compute_capability.is_none()).fold(0, |count, _| count + 1);
    if lacking > 0 {
        let verb = if lacking == 1 { "has" } else { "have" };
        let message = format!("{} {verb} no compute capability here; choose the GPU to compare with", counted(lacking, "kernel"));
        notes.about_file(Severity::Info, message);
    }
}
