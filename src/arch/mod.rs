//! What a GPU is: the facts that occupancy depends on, one [`Arch`] per compute capability, and the products that have it.
//!
//! The facts live as TOML in the top-level `arch/` folder, each value with the key of its source (`arch/README.md`).
//! They are embedded in the binary; a user's own files add to them or override them and pass the same checks.
//! Not in here: formulas. Those are in [`crate::engine`].
//!
//! Start with [`Catalog::builtin`].

mod catalog;
mod check;
mod embedded;
mod find;
mod load;
mod load_gpu;
mod near;
mod problem;
mod read;
mod search;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use catalog::Catalog;
pub use find::{Found, UnknownArch, UnknownGpu};
pub use problem::{ArchProblems, Place, Problem};

/// A compute capability, NVIDIA's version of the hardware's abilities: "8.0" is major 8, minor 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ComputeCapability {
    pub major: u8,
    pub minor: u8,
}

impl ComputeCapability {
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The text is not a compute capability.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a compute capability; write it as major.minor, for example 8.0")]
pub struct ParseComputeCapabilityError(String);

impl FromStr for ComputeCapability {
    type Err = ParseComputeCapabilityError;

    /// Reads "8.0", and the compilers' spellings "sm_80" and "sm_90a".
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || ParseComputeCapabilityError(text.trim().to_owned());
        let trimmed = text.trim();
        let (major, minor) = match trimmed.strip_prefix("sm_").or_else(|| trimmed.strip_prefix("compute_")) {
            Some(digits) => {
                let digits = digits.trim_end_matches(|c: char| c.is_ascii_lowercase());
                let split = digits.len().checked_sub(1).filter(|at| digits.is_char_boundary(*at)).ok_or_else(bad)?;
                digits.split_at(split)
            }
            None => trimmed.split_once('.').ok_or_else(bad)?,
        };
        let number = |part: &str| {
            if part.is_empty() || part.len() > 2 || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(bad());
            }
            part.parse().map_err(|_| bad())
        };
        Ok(Self::new(number(major)?, number(minor)?))
    }
}

impl TryFrom<String> for ComputeCapability {
    type Error = ParseComputeCapabilityError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ComputeCapability> for String {
    fn from(value: ComputeCapability) -> Self {
        value.to_string()
    }
}

/// The facts of one compute capability that decide how many blocks share an SM.
///
/// Integers in base units: bytes, threads, 32-bit registers. Checked when loaded, so the engine divides by none that is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arch {
    pub compute_capability: ComputeCapability,
    /// The name people know it by, "Ampere (GA100)".
    pub name: String,
    /// Facts about this compute capability that are not certain, in words. Empty when all are.
    pub uncertain: Vec<String>,
    /// This GPU does not exist: an exercise's or the user's own.
    pub invented: bool,

    pub max_threads_per_block: u32,
    pub max_threads_per_sm: u32,
    pub max_blocks_per_sm: u32,
    /// SM sub-partitions, each with its own warp scheduler and register file.
    pub sub_partitions: u32,

    pub registers_per_sm: u32,
    pub max_registers_per_block: u32,
    /// The largest register count per thread that NVIDIA's occupancy header accepts: 255 up to 6.x, 256 from 7.0.
    /// The instruction set itself ends at 255.
    pub max_registers_per_thread: u32,
    /// Registers are given to a warp in multiples of this.
    pub register_allocation_unit: u32,
    /// A second number of sub-partitions for which a launch must also fit, or none. Only 6.0 has one (4): NVIDIA keeps
    /// Pascal kernels portable.
    pub portable_sub_partitions: Option<u32>,

    pub smem_per_sm_bytes: u32,
    /// What a block may have without opting in to more: 48 KiB everywhere.
    pub default_smem_per_block_bytes: u32,
    /// What a block may have when its kernel opts in. Equal to the default where there is no opt-in (before 7.0).
    pub optin_smem_per_block_bytes: u32,
    /// Shared memory the driver sets aside in every block: 1,024 bytes from 8.0 on.
    pub reserved_smem_per_block_bytes: u32,
    pub smem_allocation_unit_bytes: u32,
    /// The sizes the shared-memory pool of an SM can be configured to, ascending. One entry where it is fixed (before 7.0).
    pub smem_configurations_bytes: Vec<u32>,

    /// Hardware barriers of an SM that its blocks share, or none where they never limit (before 9.0).
    pub max_barriers_per_sm: Option<u32>,
    /// A resource that NVIDIA's header calls virtual and does not explain; 128 on 10.x to 12.x. Kept for exactness, not shown.
    pub max_virtual_resources_per_sm: Option<u32>,
    /// Whether partitioned global caching can be asked for (5.2, 5.3, 6.1, 6.2).
    pub partitioned_caching: bool,
    /// The largest cluster every such GPU can run (8), or none where there are no clusters (before 9.0).
    pub max_portable_cluster_size: Option<u32>,
}

impl Arch {
    /// Warp slots of one SM.
    pub const fn max_warps_per_sm(&self) -> u32 {
        self.max_threads_per_sm / crate::units::WARP_SIZE
    }

    /// "8.0", or that there is no such GPU: a compute capability that was made up says nothing.
    pub fn capability_in_words(&self) -> String {
        if self.invented { "invented".to_owned() } else { self.compute_capability.to_string() }
    }

    /// Whether shared memory and L1 share one memory whose split can be chosen (from 7.0).
    pub fn has_configurable_smem(&self) -> bool {
        self.smem_configurations_bytes.len() > 1
    }
}

/// A product: what it is called, and what it adds to the facts of its compute capability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    /// Short, for lists and titles: "A100 SXM 40 GB". No two products share it.
    pub name: String,
    /// As the driver and the profiler print it, "NVIDIA A100-SXM4-40GB"; several where drivers differ, none where it is
    /// not certain. Products with different SM counts sometimes print the same one.
    pub driver_names: Vec<String>,
    /// Other names people give it. A family name, "A100", stands at one product and only where all of the family have
    /// as many SMs.
    pub aliases: Vec<String>,
    pub compute_capability: ComputeCapability,
    /// None where it is not known; then there are no waves.
    pub num_sms: Option<u32>,
    /// Peak memory bandwidth in bytes per second, or none where it is not certain or differs between boards.
    pub memory_bytes_per_second: Option<u64>,
    /// The product to show when only the compute capability is known.
    pub typical: bool,
    /// Why the name or the SM count is not certain, or none when it is.
    pub uncertain: Option<String>,
    /// The source key of each value that has one, by key: `num_sms` → `spec`. See `arch/README.md`.
    pub sources: BTreeMap<&'static str, String>,
}
