//! `ptxas -v` (`nvcc -Xptxas -v`, `nvcc --resource-usage`), alone or among the other lines of a build log.
//!
//! `said` understands one line, `log` knows which kernel it is about, `linked` takes the linker's final numbers over, and
//! `run` judges what the lines of one run of the compiler leave out.

mod linked;
mod log;
mod run;
mod said;

pub(super) use log::Log;
use said::Said;

/// Whether a line shows that its text has compiler output about kernels.
pub(super) fn is_mark(line: &str) -> bool {
    may_matter(line)
        && match said::said(line) {
            Some(Said::Entry { .. } | Said::Linked { .. } | Said::TooMuchShared { .. }) => true,
            Some(Said::Used(used)) => used.registers.is_some(),
            _ => false,
        }
}

/// Whether a line may say anything: cheap enough for every line of a long log.
fn may_matter(line: &str) -> bool {
    line.contains("info") || line.contains("ptxas") || line.contains("nvlink") || line.contains(" bytes stack frame,")
}
