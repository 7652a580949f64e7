//! NVIDIA's `cuda_occupancy.h`, called in this process.
//!
//! The header is not in this repository. `run_oracle.sh --lib`, found through `OCCUSCOPE_ORACLE` or beside the repository,
//! fetches it with pip, compiles it into a library with a small C interface, and prints the library's path.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use libloading::Library;
use occuscope::engine::{CachePreference, Launch, Limit, Occupancy, PartitionedCaching, Refusal, evaluate};

use crate::word::mask_with_stale_bits;

/// The inputs of one call. Field for field the C interface's `OccIn`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub cc_major: i32,
    pub cc_minor: i32,
    pub threads: i32,
    pub registers: i32,
    pub static_smem: u64,
    pub dynamic_smem: u64,
    /// All ones: as much as opting in allows beside the static part.
    pub max_dynamic: u64,
    /// 0 or 1.
    pub opt_in: i32,
    /// −1 for the default.
    pub carveout: i32,
    /// 0 none, 1 shared memory, 2 L1, 3 equal.
    pub cache: i32,
    /// 0 off, 1 on, 2 strict.
    pub caching: i32,
    pub barriers: i32,
    pub virtual_resources: i32,
}

/// What the header says to a call. Field for field the C interface's `OccOut`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// 0, or 1 for an invalid input; then nothing else counts.
    pub error: i32,
    pub blocks: i32,
    pub mask: u32,
    pub limit_warps: i32,
    pub limit_blocks: i32,
    pub limit_registers: i32,
    pub limit_smem: i32,
    pub limit_barriers: i32,
    pub limit_virtual: i32,
    pub registers_per_block: i32,
    pub smem_per_block: u64,
    pub caching: i32,
    padding: i32,
}

const _: () = assert!(size_of::<Call>() == 64 && size_of::<Answer>() == 56);

impl Call {
    /// A call with the defaults of [`Launch::default`].
    pub fn new(cc: occuscope::arch::ComputeCapability, threads: i32, registers: i32) -> Self {
        Self {
            cc_major: cc.major.into(),
            cc_minor: cc.minor.into(),
            threads,
            registers,
            static_smem: 0,
            dynamic_smem: 0,
            max_dynamic: u64::MAX,
            opt_in: 1,
            carveout: -1,
            cache: 0,
            caching: 0,
            barriers: 1,
            virtual_resources: 0,
        }
    }

    /// The launch a caller would make of it; none where a register count below zero stops it before there is one.
    ///
    /// A thread count below zero is no threads, a carve-out below −1 is something that is not a percentage.
    pub fn launch(&self) -> Option<Launch> {
        let registers = u32::try_from(self.registers).ok()?;
        Some(Launch {
            static_smem_bytes: self.static_smem,
            dynamic_smem_bytes: self.dynamic_smem,
            opt_in: self.opt_in != 0,
            max_dynamic_smem_bytes: (self.max_dynamic != u64::MAX).then_some(self.max_dynamic),
            carveout_percent: (self.carveout != -1).then(|| u32::try_from(self.carveout).unwrap_or(u32::MAX)),
            cache_preference: match self.cache {
                1 => CachePreference::SharedMemory,
                2 => CachePreference::L1,
                3 => CachePreference::Equal,
                _ => CachePreference::None,
            },
            partitioned_caching: match self.caching {
                1 => PartitionedCaching::On,
                2 => PartitionedCaching::Strict,
                _ => PartitionedCaching::Off,
            },
            barriers_per_block: u32::try_from(self.barriers).unwrap_or(0),
            virtual_resources_per_block: u32::try_from(self.virtual_resources).unwrap_or(0),
            ..Launch::new(u32::try_from(self.threads).unwrap_or(0), registers)
        })
    }

    /// What the engine says to it, in the header's terms.
    pub fn answer_of_engine(&self, arch: &occuscope::arch::Arch) -> Answer {
        let invalid = Answer { error: 1, ..Answer::default() };
        let Some(launch) = self.launch() else { return invalid };
        let occupancy = evaluate(arch, &launch);
        if occupancy.refusals.iter().any(Refusal::is_invalid_input) {
            return invalid;
        }
        Answer::from_engine(self, &occupancy)
    }
}

impl Answer {
    fn from_engine(call: &Call, occupancy: &Occupancy) -> Self {
        let limits = &occupancy.limits;
        Self {
            error: 0,
            blocks: small(occupancy.blocks_per_sm.into()),
            mask: mask_with_stale_bits(limits),
            limit_warps: header_limit(limits.warps),
            limit_blocks: header_limit(limits.blocks),
            limit_registers: header_limit(limits.registers),
            limit_smem: header_limit(limits.shared_memory),
            limit_barriers: header_limit(limits.barriers),
            limit_virtual: header_limit(limits.virtual_resources),
            registers_per_block: small(occupancy.registers.allocated_per_block),
            smem_per_block: occupancy.smem.allocated_per_block,
            caching: if occupancy.partitioned_caching { call.caching } else { 0 },
            padding: 0,
        }
    }

    /// An invalid input has no other columns.
    #[must_use]
    pub fn normalized(self) -> Self {
        if self.error == 0 { self } else { Self { error: self.error, ..Self::default() } }
    }
}

fn small(count: u64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The header writes the largest `int` for "unlimited".
pub fn header_limit(limit: Limit) -> i32 {
    limit.get().map_or(i32::MAX, |blocks| small(blocks.into()))
}

type Eval = unsafe extern "C" fn(*const Call, *mut Answer) -> i32;
type Batch = unsafe extern "C" fn(*const Call, *mut Answer, u64);

/// The header, compiled and loaded.
#[derive(Debug)]
pub struct Header {
    eval: Eval,
    batch: Batch,
    /// Keeps the two functions where they are.
    _library: Library,
}

impl Header {
    /// Builds the library and loads it.
    ///
    /// # Errors
    /// Why there is none, in words: no script, no compiler, no network.
    pub fn load() -> Result<Self, String> {
        Self::load_from(&build()?)
    }

    #[expect(unsafe_code, reason = "a C library is loaded and two functions are looked up in it")]
    fn load_from(path: &Path) -> Result<Self, String> {
        let failed = |error: libloading::Error| format!("{error}: {}", path.display());
        // SAFETY: the library was just built from the script's own source; it has no initializers.
        let library = unsafe { Library::new(path) }.map_err(failed)?;
        // SAFETY: the names and types are those of the C interface that `Call` and `Answer` mirror. The pointers are kept
        // beside the library, which therefore stays loaded as long as they can be called.
        let (eval, batch) = unsafe {
            let eval = *library.get::<Eval>(b"occ_oracle_eval").map_err(failed)?;
            let batch = *library.get::<Batch>(b"occ_oracle_batch").map_err(failed)?;
            (eval, batch)
        };
        Ok(Self { eval, batch, _library: library })
    }

    /// One call.
    #[expect(unsafe_code, reason = "one C function is called")]
    pub fn eval(&self, call: &Call) -> Answer {
        let mut answer = Answer::default();
        // SAFETY: both point to whole structs of the C interface's layout, and the function keeps neither.
        unsafe { (self.eval)(call, &raw mut answer) };
        answer
    }

    /// Many calls; `answers` has as many places.
    #[expect(unsafe_code, reason = "one C function is called")]
    pub fn batch(&self, calls: &[Call], answers: &mut [Answer]) {
        assert_eq!(calls.len(), answers.len());
        // SAFETY: both are arrays of whole structs of the C interface's layout, as long as is said, and the function keeps neither.
        unsafe { (self.batch)(calls.as_ptr(), answers.as_mut_ptr(), calls.len() as u64) };
    }
}

/// Where `run_oracle.sh` is looked for when `OCCUSCOPE_ORACLE` does not say, from the root of the repository.
const DEFAULT_FOLDER: &str = "../shared/oracle";

fn build() -> Result<PathBuf, String> {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect();
    let folder = env::var_os("OCCUSCOPE_ORACLE").map_or_else(|| root.join(DEFAULT_FOLDER), PathBuf::from);
    let script = folder.join("run_oracle.sh");
    if !script.is_file() {
        return Err(format!("no script that builds NVIDIA's header; name its folder in OCCUSCOPE_ORACLE: {}", script.display()));
    }
    let output = Command::new(&script).arg("--lib").output().map_err(|error| format!("{error}: {}", script.display()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if !output.status.success() {
        return Err(format!("the header could not be built ({}): {}", output.status, text(&output.stderr)));
    }
    text(&output.stdout).lines().last().map(PathBuf::from).ok_or_else(|| "the script printed no path".to_owned())
}
