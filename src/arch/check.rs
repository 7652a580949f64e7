//! Whether the facts of one compute capability can be true together, and are safe to calculate with.
//!
//! The engine divides by units, sub-partitions and warps; after these checks none of them is zero, nothing overflows,
//! and what one block may take fits the SM.

use crate::fmt::grouped;
use crate::units::WARP_SIZE;

use super::Arch;
use super::problem::{ArchProblems, Problem};

/// Generous ends for invented GPUs, far beyond any real one, small enough that a product of two fits 64 bits and a map
/// of the SM can still be drawn.
const MAX_THREADS: u32 = 65_536;
const MAX_BLOCKS: u32 = 4_096;
const MAX_SUB_PARTITIONS: u32 = 64;
const MAX_REGISTERS: u32 = 1 << 24;
const MAX_SMEM_BYTES: u32 = 1 << 28;

/// A fact that cannot be, and the facts it disagrees with.
#[derive(Debug)]
pub(super) struct Finding {
    /// The key to name first, then those it was compared with.
    pub keys: Vec<&'static str>,
    pub found: String,
    pub expected: String,
}

impl Arch {
    /// Checks facts that did not come from a file, for instance those in an editor, by the rules that files pass.
    ///
    /// # Errors
    /// All problems at once, each with its key. Those of a file are found by [`Catalog::with_files`](super::Catalog::with_files).
    pub fn check(&self) -> Result<(), ArchProblems> {
        let problem = |finding: Finding| Problem {
            place: None,
            key: finding.keys.first().copied().unwrap_or_default().to_owned(),
            found: finding.found,
            expected: finding.expected,
        };
        ArchProblems::none_or(check(self).into_iter().map(problem).collect())
    }
}

/// Every fact that is out of range or contradicts another.
pub(super) fn check(arch: &Arch) -> Vec<Finding> {
    let mut findings = Findings::default();
    check_name(arch, &mut findings);
    check_threads(arch, &mut findings);
    check_registers(arch, &mut findings);
    check_smem(arch, &mut findings);
    check_optional(arch, &mut findings);
    findings.0
}

fn check_name(arch: &Arch, findings: &mut Findings) {
    findings.unless(!arch.name.trim().is_empty(), &["name"], "no text".to_owned(), || "a name, for example \"Ampere (GA100)\"".to_owned());
}

fn check_threads(arch: &Arch, findings: &mut Findings) {
    findings.within("max_threads_per_sm", arch.max_threads_per_sm, WARP_SIZE, MAX_THREADS);
    findings.whole_warps("max_threads_per_sm", arch.max_threads_per_sm);
    findings.within("max_threads_per_block", arch.max_threads_per_block, WARP_SIZE, MAX_THREADS);
    findings.whole_warps("max_threads_per_block", arch.max_threads_per_block);
    findings.at_most(&["max_threads_per_block", "max_threads_per_sm"], arch.max_threads_per_block, arch.max_threads_per_sm);
    findings.within("max_blocks_per_sm", arch.max_blocks_per_sm, 1, MAX_BLOCKS);
    check_sub_partitions(
        arch,
        &["sub_partitions", "max_threads_per_sm", "registers_per_sm", "register_allocation_unit"],
        arch.sub_partitions,
        findings,
    );
    if let Some(portable) = arch.portable_sub_partitions {
        check_sub_partitions(
            arch,
            &["portable_sub_partitions", "max_threads_per_sm", "registers_per_sm", "register_allocation_unit"],
            portable,
            findings,
        );
    }
}

/// Warps and registers are dealt out to sub-partitions evenly; a register file is a whole number of units.
fn check_sub_partitions(arch: &Arch, keys: &[&'static str; 4], sub_partitions: u32, findings: &mut Findings) {
    let [key, ..] = keys;
    findings.within(key, sub_partitions, 1, MAX_SUB_PARTITIONS);
    if sub_partitions == 0 {
        return;
    }
    let warps = arch.max_warps_per_sm();
    findings.unless(warps.is_multiple_of(sub_partitions), &keys[..2], grouped(sub_partitions.into()), || {
        format!("a number that divides the {} warps of max_threads_per_sm", grouped(warps.into()))
    });
    let unit = arch.register_allocation_unit;
    let even = arch.registers_per_sm.is_multiple_of(sub_partitions) && (arch.registers_per_sm / sub_partitions).is_multiple_of(unit);
    findings.unless(even || unit == 0, keys, grouped(sub_partitions.into()), || {
        let registers = grouped(arch.registers_per_sm.into());
        format!(
            "a number that divides registers_per_sm ({registers}) into multiples of register_allocation_unit ({})",
            grouped(unit.into())
        )
    });
}

fn check_registers(arch: &Arch, findings: &mut Findings) {
    findings.within("registers_per_sm", arch.registers_per_sm, WARP_SIZE, MAX_REGISTERS);
    findings.within("max_registers_per_block", arch.max_registers_per_block, WARP_SIZE, MAX_REGISTERS);
    findings.at_most(&["max_registers_per_block", "registers_per_sm"], arch.max_registers_per_block, arch.registers_per_sm);
    findings.within("max_registers_per_thread", arch.max_registers_per_thread, 1, MAX_REGISTERS / WARP_SIZE);
    findings.within("register_allocation_unit", arch.register_allocation_unit, 1, MAX_REGISTERS);
}

fn check_smem(arch: &Arch, findings: &mut Findings) {
    let unit = arch.smem_allocation_unit_bytes;
    findings.within("smem_per_sm_bytes", arch.smem_per_sm_bytes, 1, MAX_SMEM_BYTES);
    findings.within("smem_allocation_unit_bytes", unit, 1, MAX_SMEM_BYTES);
    findings.within("default_smem_per_block_bytes", arch.default_smem_per_block_bytes, 1, MAX_SMEM_BYTES);
    findings.within("optin_smem_per_block_bytes", arch.optin_smem_per_block_bytes, 1, MAX_SMEM_BYTES);
    findings.within("reserved_smem_per_block_bytes", arch.reserved_smem_per_block_bytes, 0, MAX_SMEM_BYTES);
    findings.unless(
        arch.optin_smem_per_block_bytes >= arch.default_smem_per_block_bytes,
        &["optin_smem_per_block_bytes", "default_smem_per_block_bytes"],
        grouped(arch.optin_smem_per_block_bytes.into()),
        || format!("at least default_smem_per_block_bytes ({})", grouped(arch.default_smem_per_block_bytes.into())),
    );
    let largest_block = u64::from(arch.optin_smem_per_block_bytes) + u64::from(arch.reserved_smem_per_block_bytes);
    findings.unless(
        largest_block <= u64::from(arch.smem_per_sm_bytes),
        &["optin_smem_per_block_bytes", "reserved_smem_per_block_bytes", "smem_per_sm_bytes"],
        grouped(arch.optin_smem_per_block_bytes.into()),
        || {
            let reserved = grouped(arch.reserved_smem_per_block_bytes.into());
            let pool = grouped(arch.smem_per_sm_bytes.into());
            format!("a size that fits smem_per_sm_bytes ({pool}) together with reserved_smem_per_block_bytes ({reserved})")
        },
    );
    check_configurations(arch, findings);
}

fn check_configurations(arch: &Arch, findings: &mut Findings) {
    let sizes = &arch.smem_configurations_bytes;
    let unit = arch.smem_allocation_unit_bytes;
    let listed = || format!("[{}]", sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(", "));
    findings.unless(sizes.is_sorted_by(|a, b| a < b), &["smem_configurations_bytes"], listed(), || {
        "sizes in ascending order, each once".to_owned()
    });
    findings.unless(sizes.contains(&arch.smem_per_sm_bytes), &["smem_configurations_bytes", "smem_per_sm_bytes"], listed(), || {
        format!("a list with smem_per_sm_bytes ({}) in it", arch.smem_per_sm_bytes)
    });
    findings.unless(
        unit == 0 || sizes.iter().all(|size| size.is_multiple_of(unit)),
        &["smem_configurations_bytes", "smem_allocation_unit_bytes"],
        listed(),
        || format!("multiples of smem_allocation_unit_bytes ({unit})"),
    );
    findings.unless(sizes.iter().all(|&size| size <= MAX_SMEM_BYTES), &["smem_configurations_bytes"], listed(), || {
        format!("sizes up to {}", grouped(MAX_SMEM_BYTES.into()))
    });
}

fn check_optional(arch: &Arch, findings: &mut Findings) {
    let optional = [
        ("max_barriers_per_sm", arch.max_barriers_per_sm),
        ("max_virtual_resources_per_sm", arch.max_virtual_resources_per_sm),
        ("max_portable_cluster_size", arch.max_portable_cluster_size),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            findings.within(key, value, 1, MAX_THREADS);
        }
    }
}

/// Collects findings; a finding says what stands there and what may.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn unless(&mut self, holds: bool, keys: &[&'static str], found: String, expected: impl FnOnce() -> String) {
        if !holds {
            self.0.push(Finding { keys: keys.to_vec(), found, expected: expected() });
        }
    }

    fn within(&mut self, key: &'static str, value: u32, least: u32, most: u32) {
        self.unless((least..=most).contains(&value), &[key], grouped(value.into()), || {
            format!("{} to {}", grouped(least.into()), grouped(most.into()))
        });
    }

    /// A value that may not exceed another key's.
    fn at_most(&mut self, keys: &[&'static str; 2], value: u32, most: u32) {
        self.unless(value <= most, keys, grouped(value.into()), || format!("at most {} ({})", keys[1], grouped(most.into())));
    }

    fn whole_warps(&mut self, key: &'static str, threads: u32) {
        self.unless(threads.is_multiple_of(WARP_SIZE), &[key], grouped(threads.into()), || {
            format!("a multiple of {WARP_SIZE}, the threads of a warp")
        });
    }
}
