//! What the editor edits: the limits of an invented GPU, each with its name, unit and meaning.

use crate::arch::{Arch, Catalog, ComputeCapability, Gpu};
use crate::units::{KIB, parse_size_bytes};

/// A number of the editor.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// As GPU files and problems name it.
    pub key: &'static str,
    pub name: &'static str,
    pub unit: &'static str,
    pub meaning: &'static str,
    pub get: fn(&Arch) -> u32,
    pub set: fn(&mut Arch, u32),
}

macro_rules! field {
    ($key:ident, $name:literal, $unit:literal, $meaning:literal) => {
        Field {
            key: stringify!($key),
            name: $name,
            unit: $unit,
            meaning: $meaning,
            get: |arch| arch.$key,
            set: |arch, value| arch.$key = value,
        }
    };
}

/// One that may be absent; 0 stands for that.
macro_rules! optional {
    ($key:ident, $name:literal, $unit:literal, $meaning:literal) => {
        Field {
            key: stringify!($key),
            name: $name,
            unit: $unit,
            meaning: $meaning,
            get: |arch| arch.$key.unwrap_or(0),
            set: |arch, value| arch.$key = Some(value).filter(|value| *value > 0),
        }
    };
}

pub const FIELDS: [Field; 17] = [
    field!(max_threads_per_block, "Threads per block", "threads", "The largest block; whole warps of 32"),
    field!(max_threads_per_sm, "Threads per SM", "threads", "Warp slots times 32"),
    field!(max_blocks_per_sm, "Blocks per SM", "blocks", "Block slots"),
    field!(sub_partitions, "Sub-partitions", "parts", "Each has its own register file"),
    optional!(portable_sub_partitions, "Portable sub-partitions", "parts", "Must fit too; 0 for none"),
    field!(registers_per_sm, "Registers per SM", "registers", "32-bit registers of all files together"),
    field!(max_registers_per_block, "Registers per block", "registers", "The most one block may have"),
    field!(max_registers_per_thread, "Registers per thread", "registers", "The most one thread may have"),
    field!(register_allocation_unit, "Register allocation unit", "registers", "A warp gets a multiple of this"),
    Field {
        key: "smem_per_sm_bytes",
        name: "Shared memory per SM",
        unit: "bytes",
        meaning: "The pool at its largest",
        get: |arch| arch.smem_per_sm_bytes,
        set: set_smem_per_sm,
    },
    field!(default_smem_per_block_bytes, "Shared memory per block", "bytes", "The most without opting in"),
    field!(optin_smem_per_block_bytes, "Shared memory with opt-in", "bytes", "The most when opted in"),
    field!(reserved_smem_per_block_bytes, "Reserved shared memory", "bytes", "Taken in every block"),
    field!(smem_allocation_unit_bytes, "Shared allocation unit", "bytes", "A block gets a multiple of this"),
    optional!(max_barriers_per_sm, "Barriers per SM", "barriers", "0 where they never limit"),
    optional!(max_virtual_resources_per_sm, "Virtual resources per SM", "units", "0 for no limit"),
    optional!(max_portable_cluster_size, "Largest cluster", "blocks", "0 where there are no clusters"),
];

/// The pool with the smaller sizes that it could be set to before.
fn set_smem_per_sm(arch: &mut Arch, bytes: u32) {
    let is_configurable = arch.has_configurable_smem();
    arch.smem_configurations_bytes.retain(|size| is_configurable && *size < bytes);
    arch.smem_configurations_bytes.push(bytes);
    arch.smem_per_sm_bytes = bytes;
}

/// Sizes as people write a list of them: "0, 8, 16, 32, 64 KiB", in bytes where one is no whole KiB.
pub fn sizes_text(sizes: &[u32]) -> String {
    let in_kib = !crate::fmt::in_bytes() && sizes.iter().all(|size| u64::from(*size) % KIB == 0);
    let (divisor, unit) = if in_kib { (KIB, crate::fmt::kib_unit()) } else { (1, "B") };
    let numbers: Vec<String> = sizes.iter().map(|size| (u64::from(*size) / divisor).to_string()).collect();
    format!("{} {unit}", numbers.join(", "))
}

/// Reads such a list; the unit at its end holds for all, without one they are KiB. None when a part is no size.
pub fn parse_sizes(text: &str) -> Option<Vec<u32>> {
    let text = text.trim();
    let (numbers, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
    let unit = if unit.is_empty() { "KiB" } else { unit };
    let parts = numbers.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| u32::try_from(parse_size_bytes(&format!("{part} {unit}")).ok()?).ok()).collect()
}

/// An invented GPU while it is being edited.
#[derive(Clone, Debug)]
pub struct Draft {
    pub arch: Arch,
    pub name: String,
    /// 0 where it is not known.
    pub num_sms: u32,
    /// Products of this compute capability may have the name: it is edited, not copied.
    is_edit: bool,
}

impl Draft {
    /// The facts of a GPU as an invented one of its own.
    ///
    /// None when all compute capabilities kept for that, 0.1 to 0.90, are taken.
    pub fn copy_of(catalog: &Catalog, arch: &Arch, gpu: Option<&Gpu>) -> Option<Self> {
        let free = (1..=90).map(|minor| ComputeCapability::new(0, minor)).find(|capability| catalog.arch(*capability).is_none())?;
        let name = format!("My GPU {}", free.minor);
        let arch = Arch { compute_capability: free, name: name.clone(), invented: true, uncertain: Vec::new(), ..arch.clone() };
        Some(Self { arch, name, num_sms: gpu.and_then(|gpu| gpu.num_sms).unwrap_or(0), is_edit: false })
    }

    /// One of the user's own, to be changed.
    pub fn edit(arch: &Arch, gpu: &Gpu) -> Self {
        Self { arch: arch.clone(), name: gpu.name.clone(), num_sms: gpu.num_sms.unwrap_or(0), is_edit: true }
    }

    pub fn is_edit(&self) -> bool {
        self.is_edit
    }

    /// The product and its facts, as they are saved.
    pub fn finished(&self) -> (Arch, Gpu) {
        let name = self.name.trim().to_owned();
        let gpu = Gpu {
            name: name.clone(),
            driver_names: Vec::new(),
            aliases: Vec::new(),
            compute_capability: self.arch.compute_capability,
            num_sms: Some(self.num_sms).filter(|num_sms| *num_sms > 0),
            memory_bytes_per_second: None,
            typical: true,
            uncertain: None,
            sources: std::collections::BTreeMap::new(),
        };
        (Arch { name, ..self.arch.clone() }, gpu)
    }

    /// What is wrong, by key: as a file with this would be refused, and names that another GPU has.
    pub fn problems(&self, catalog: &Catalog) -> Vec<(String, String)> {
        let (arch, gpu) = self.finished();
        let said = |key: &str, found: &str, expected: &str| (key.to_owned(), format!("found {found}, expected {expected}"));
        if let Err(problems) = arch.check() {
            return problems.problems().iter().map(|problem| said(&problem.key, &problem.found, &problem.expected)).collect();
        }
        match catalog.with_files(&[("editor", arch.to_toml([&gpu]))]) {
            Ok(_) => Vec::new(),
            Err(problems) => {
                let key = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
                problems.problems().iter().map(|problem| said(&key(&problem.key), &problem.found, &problem.expected)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy() -> Draft {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        Draft::copy_of(Catalog::builtin(), arch, None).expect("a free compute capability")
    }

    #[test]
    fn a_copy_is_sound_and_invented() {
        let draft = copy();
        assert!(draft.arch.invented && draft.problems(Catalog::builtin()).is_empty());
        assert_eq!(draft.arch.compute_capability, ComputeCapability::new(0, 1));
    }

    #[test]
    fn a_problem_names_its_field() {
        let mut draft = copy();
        draft.arch.max_threads_per_sm = 1_000;
        assert!(draft.problems(Catalog::builtin()).iter().any(|(key, _)| key == "max_threads_per_sm"));
        let mut draft = copy();
        draft.name = "A100".to_owned();
        assert!(draft.problems(Catalog::builtin()).iter().any(|(key, _)| key == "name"), "{:?}", draft.problems(Catalog::builtin()));
    }

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for sizes in [vec![0, 8_192, 65_536], vec![], vec![1_000, 65_536], vec![167_936]] {
            assert_eq!(parse_sizes(&sizes_text(&sizes)), Some(sizes));
        }
        assert_eq!(parse_sizes("16 32,64"), Some(vec![16_384, 32_768, 65_536]));
        assert_eq!((parse_sizes("16, many"), parse_sizes("16, -1 KiB"), parse_sizes("9999 MiB")), (None, None, None));
    }

    #[test]
    fn every_field_reads_what_it_sets() {
        for field in FIELDS {
            let mut draft = copy();
            (field.set)(&mut draft.arch, 7_777);
            assert_eq!((field.get)(&draft.arch), 7_777, "{}", field.key);
        }
    }
}
