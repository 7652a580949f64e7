//! Which GPU a kernel ran on, and the facts about it: the table's, and over them what the report states.

use super::super::model::{Device, Kernel};
use super::{Missing, value};
use crate::arch::{Arch, Catalog, ComputeCapability, Gpu};
use crate::units::WARP_SIZE;

/// What is known about the GPU of a kernel.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub arch: Option<Arch>,
    pub gpu: Option<Gpu>,
    pub num_sms: Option<u32>,
    pub missing: Option<Missing>,
    pub notes: Vec<String>,
}

/// Looks the GPU of a kernel up.
pub(super) fn find(kernel: &Kernel, catalog: &Catalog, chosen: Option<&Gpu>) -> Facts {
    let named = kernel.device_name.as_ref().map(|name| real_gpus_called(catalog, &name.value)).unwrap_or_default();
    let stated = value(kernel.compute_capability).or_else(|| common(named.iter().map(|gpu| gpu.compute_capability)));
    let Some(cc) = stated.or(chosen.map(|gpu| gpu.compute_capability)) else {
        let num_sms = stated_sms(kernel);
        return Facts { num_sms, missing: Some(Missing::ComputeCapability), ..Facts::default() };
    };
    let mut facts = Facts::default();
    facts.notes.extend(chosen.filter(|gpu| gpu.compute_capability != cc).map(|gpu| not_used_note(gpu, cc)));
    find_product(kernel, &named, chosen.filter(|gpu| gpu.compute_capability == cc), cc, &mut facts);
    find_arch(kernel, catalog, cc, &mut facts);
    facts
}

/// A report is never from an invented GPU, whatever somebody called it.
fn real_gpus_called<'c>(catalog: &'c Catalog, name: &str) -> Vec<&'c Gpu> {
    let mut called = catalog.gpus_called(name);
    called.retain(|gpu| catalog.real_arch(gpu.compute_capability).is_some());
    called
}

/// The value that all items share; none when there are none or they differ.
fn common<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

fn stated_sms(kernel: &Kernel) -> Option<u32> {
    value(kernel.num_sms).or_else(|| value(kernel.device.num_sms)).filter(|sms| *sms > 0)
}

fn not_used_note(gpu: &Gpu, cc: ComputeCapability) -> String {
    format!(
        "the chosen GPU, {}, has compute capability {}, but the report is from {cc}; it is not used here",
        gpu.name, gpu.compute_capability
    )
}

/// The product and its SMs. The report comes first, then the one product that it names, then the user's choice.
fn find_product(kernel: &Kernel, named: &[&Gpu], chosen: Option<&Gpu>, cc: ComputeCapability, facts: &mut Facts) {
    let stated = stated_sms(kernel);
    // A launch can be given fewer SMs than the GPU has, so the GPU's own count tells products apart where it is there.
    let told_apart_by = value(kernel.device.num_sms).or(stated);
    let of_cc: Vec<&Gpu> = named.iter().copied().filter(|gpu| gpu.compute_capability == cc).collect();
    let matching: Vec<&Gpu> = of_cc.iter().copied().filter(|gpu| told_apart_by.is_none_or(|sms| gpu.num_sms == Some(sms))).collect();
    let single = match (matching.as_slice(), of_cc.as_slice()) {
        ([only], _) | ([], [only]) => Some(*only),
        _ => None,
    };
    let product = single.or(chosen);
    facts.num_sms = stated.or(product.and_then(|gpu| gpu.num_sms)).or_else(|| common(of_cc.iter().map(|gpu| gpu.num_sms)).flatten());
    facts.gpu = product.cloned();
}

fn find_arch(kernel: &Kernel, catalog: &Catalog, cc: ComputeCapability, facts: &mut Facts) {
    let known = catalog.real_arch(cc);
    let stated = match known {
        Some(known) => with_device(known.clone(), &kernel.device),
        None => from_device(kernel, catalog, cc),
    };
    // The facts of the table were checked when it was read.
    let checked = stated.filter(|arch| known == Some(arch) || arch.check().is_ok());
    match (checked, known) {
        (Some(arch), known) => {
            facts.notes.extend(known.is_none().then(|| unknown_note(cc)));
            facts.arch = Some(arch);
        }
        (None, Some(known)) => {
            facts.notes.push("what the report states about its GPU contradicts itself; the built-in facts are used".to_owned());
            facts.arch = Some(known.clone());
        }
        (None, None) => facts.missing = Some(Missing::Facts(cc)),
    }
}

fn unknown_note(cc: ComputeCapability) -> String {
    format!(
        "compute capability {cc} is not in the table: its sizes are taken from the report, the rest is what all GPUs since 8.0 have in common"
    )
}

/// The facts of the table with those over them that the report states. None when a number is too large to be one.
fn with_device(mut arch: Arch, device: &Device) -> Option<Arch> {
    let threads = value(device.max_threads_per_sm);
    let threads_of_warps = value(device.max_warps_per_sm).map(|warps| warps.saturating_mul(WARP_SIZE));
    arch.max_threads_per_sm = threads.or(threads_of_warps).unwrap_or(arch.max_threads_per_sm);
    arch.max_blocks_per_sm = value(device.max_blocks_per_sm).unwrap_or(arch.max_blocks_per_sm);
    arch.registers_per_sm = value(device.registers_per_sm).unwrap_or(arch.registers_per_sm);
    arch.optin_smem_per_block_bytes = small(value(device.optin_smem_per_block_bytes))?.unwrap_or(arch.optin_smem_per_block_bytes);
    arch.reserved_smem_per_block_bytes = small(value(device.reserved_smem_per_block_bytes))?.unwrap_or(arch.reserved_smem_per_block_bytes);
    let smem = small(value(device.smem_per_sm_bytes))?.unwrap_or(arch.smem_per_sm_bytes);
    if smem != arch.smem_per_sm_bytes {
        let is_configurable = arch.has_configurable_smem();
        arch.smem_configurations_bytes.retain(|size| is_configurable && *size < smem);
        arch.smem_configurations_bytes.push(smem);
        arch.smem_per_sm_bytes = smem;
    }
    Some(arch)
}

/// The number in 32 bits; the outer none when it does not fit.
#[expect(clippy::option_option, reason = "not stated and not possible are two things here")]
fn small(number: Option<u64>) -> Option<Option<u32>> {
    number.map(u32::try_from).transpose().ok()
}

/// The facts of a compute capability that the table does not have, when the report states every size and all GPUs since 8.0
/// agree on the rules. Barriers are left out: their number differs from GPU to GPU, and one barrier a block never limits.
fn from_device(kernel: &Kernel, catalog: &Catalog, cc: ComputeCapability) -> Option<Arch> {
    const RULES_SINCE: ComputeCapability = ComputeCapability::new(8, 0);
    let device = &kernel.device;
    let is_complete = (device.max_threads_per_sm.is_some() || device.max_warps_per_sm.is_some())
        && device.max_blocks_per_sm.is_some()
        && device.registers_per_sm.is_some()
        && device.smem_per_sm_bytes.is_some()
        && device.optin_smem_per_block_bytes.is_some()
        && (device.reserved_smem_per_block_bytes.is_some() || kernel.driver_smem_bytes.is_some());
    if !is_complete || cc < RULES_SINCE {
        return None;
    }
    let rules = |arch: &Arch| {
        let threads_and_partitions = (arch.max_threads_per_block, arch.sub_partitions, arch.default_smem_per_block_bytes);
        (threads_and_partitions, arch.max_registers_per_thread, arch.register_allocation_unit, arch.smem_allocation_unit_bytes)
    };
    let modern = || catalog.archs().filter(|arch| !arch.invented && arch.compute_capability >= RULES_SINCE);
    common(modern().map(rules))?;
    let mut arch = modern().last()?.clone();
    arch.compute_capability = cc;
    arch.name = kernel.device_name.as_ref().map_or_else(|| format!("Compute capability {cc}"), |name| name.value.clone());
    arch.uncertain = vec![unknown_note(cc)];
    arch.max_barriers_per_sm = None;
    arch.max_virtual_resources_per_sm = None;
    arch.reserved_smem_per_block_bytes = small(value(kernel.driver_smem_bytes))?.unwrap_or(arch.reserved_smem_per_block_bytes);
    let mut arch = with_device(arch, device)?;
    arch.max_registers_per_block = arch.registers_per_sm;
    Some(arch)
}
