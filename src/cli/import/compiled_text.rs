//! What a compiler says about kernels, as a table for people.

use super::text::{NOTHING, shortened};
use crate::cli::table::{Align, lines};
use crate::fmt::{bytes, grouped};
use crate::import::{Compiled, Kernel, Read};

const COLUMNS: [(&str, Align); 9] = [
    ("Kernel", Align::Left),
    ("Compute", Align::Right),
    ("Registers", Align::Right),
    ("Static shared", Align::Right),
    ("Barriers", Align::Right),
    ("Spill stores", Align::Right),
    ("Spill loads", Align::Right),
    ("Stack", Align::Right),
    ("Max threads", Align::Right),
];

/// One line for the headings, and one for each kernel.
pub(super) fn table<'k>(kernels: impl Iterator<Item = &'k Kernel>) -> Vec<String> {
    let aligns = COLUMNS.map(|(_, align)| align);
    let header = COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(kernels.map(row)).collect();
    lines(&aligns, &rows)
}

fn row(kernel: &Kernel) -> Vec<String> {
    let compiled = |field: fn(&Compiled) -> Option<Read<u64>>| kernel.compiled.as_ref().and_then(field);
    vec![
        shortened(&kernel.name),
        or_nothing(kernel.compute_capability, |cc| cc.to_string()),
        or_nothing(kernel.registers_per_thread, |registers| registers.to_string()),
        or_nothing(kernel.static_smem_bytes, size),
        or_nothing(kernel.barriers, |barriers| barriers.to_string()),
        or_nothing(compiled(|compiled| compiled.spill_store_bytes), size),
        or_nothing(compiled(|compiled| compiled.spill_load_bytes), size),
        or_nothing(compiled(|compiled| compiled.stack_bytes), size),
        or_nothing(compiled(|compiled| compiled.max_threads_per_block), grouped),
    ]
}

fn or_nothing<T>(read: Option<Read<T>>, text: impl FnOnce(T) -> String) -> String {
    read.map_or_else(|| NOTHING.to_owned(), |read| text(read.value))
}

/// "8 KiB"; nothing is "0", as in the table of a profiler's report.
fn size(count: u64) -> String {
    if count == 0 { "0".to_owned() } else { bytes(count) }
}
