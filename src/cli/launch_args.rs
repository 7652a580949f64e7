//! The flags that describe a launch.

use clap::{Args, ValueEnum};

use crate::engine::{CachePreference, Launch, LaunchBounds, PartitionedCaching};
use crate::units::{Dim3, parse_size_bytes};

/// One launch. Sizes are bytes, or KiB as 48K and 48KiB.
#[derive(Debug, Args)]
pub struct LaunchArgs {
    /// Threads per block
    #[arg(long, value_name = "N", required_unless_present_any = ["block", "batch", "preset"], conflicts_with = "block")]
    threads: Option<u32>,
    /// The shape of a block in threads, such as 16x16
    #[arg(long, value_name = "SHAPE")]
    block: Option<Dim3>,
    /// Registers per thread, as the compiler reports them
    #[arg(long, value_name = "N", default_value_t = 32)]
    registers: u32,
    /// Shared memory that the kernel declares
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = parse_size_bytes)]
    static_smem: u64,
    /// Shared memory that the launch asks for
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = parse_size_bytes)]
    dynamic_smem: u64,
    /// The grid in blocks, such as 1000 or 64x64; with it come the waves
    #[arg(long, value_name = "SHAPE")]
    grid: Option<Dim3>,
    /// Barriers that a block uses
    #[arg(long, value_name = "N", default_value_t = 1)]
    barriers: u32,
    /// Preferred share of the shared memory, 0 to 100
    #[arg(long, value_name = "PERCENT")]
    carveout: Option<u32>,
    /// The kernel does not opt in to more than 48 KiB of shared memory
    #[arg(long)]
    no_opt_in: bool,
    /// The kernel's own maximum of dynamic shared memory [default: as much as the GPU allows]
    #[arg(long, value_name = "SIZE", value_parser = parse_size_bytes)]
    max_dynamic_smem: Option<u64>,
    /// What cudaFuncSetCacheConfig was told
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    cache_preference: CacheArg,
    /// Partitioned global caching, on GPUs that have it
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    partitioned_caching: CachingArg,
    /// Blocks per cluster
    #[arg(long, value_name = "N", default_value_t = 1)]
    cluster: u32,
    /// What __launch_bounds__ promised: threads per block, and after a comma blocks per SM
    #[arg(long, value_name = "T[,B]", value_parser = parse_launch_bounds)]
    launch_bounds: Option<LaunchBounds>,
}

impl LaunchArgs {
    pub(super) fn launch(&self) -> Launch {
        Launch {
            block: self.block.unwrap_or(Dim3::linear(self.threads.unwrap_or_default())),
            registers_per_thread: self.registers,
            static_smem_bytes: self.static_smem,
            dynamic_smem_bytes: self.dynamic_smem,
            opt_in: !self.no_opt_in,
            max_dynamic_smem_bytes: self.max_dynamic_smem,
            carveout_percent: self.carveout,
            cache_preference: self.cache_preference.into(),
            partitioned_caching: self.partitioned_caching.into(),
            barriers_per_block: self.barriers,
            virtual_resources_per_block: 0,
            cluster_size: self.cluster,
            launch_bounds: self.launch_bounds,
            grid: self.grid,
        }
    }
}

/// [`CachePreference`] as it is written on the command line and in batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum CacheArg {
    #[default]
    None,
    Shared,
    L1,
    Equal,
}

impl From<CacheArg> for CachePreference {
    fn from(arg: CacheArg) -> Self {
        match arg {
            CacheArg::None => Self::None,
            CacheArg::Shared => Self::SharedMemory,
            CacheArg::L1 => Self::L1,
            CacheArg::Equal => Self::Equal,
        }
    }
}

/// [`PartitionedCaching`] as it is written on the command line and in batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum CachingArg {
    #[default]
    Off,
    On,
    Strict,
}

impl From<CachingArg> for PartitionedCaching {
    fn from(arg: CachingArg) -> Self {
        match arg {
            CachingArg::Off => Self::Off,
            CachingArg::On => Self::On,
            CachingArg::Strict => Self::Strict,
        }
    }
}

/// Reads "256" or "256,4".
fn parse_launch_bounds(text: &str) -> Result<LaunchBounds, String> {
    let number = |part: &str| {
        part.trim().parse().map_err(|_| format!("\"{text}\" is no launch bounds; write threads, or threads and blocks: 256 or 256,4"))
    };
    let (threads, blocks) = text.split_once(',').map_or((text, None), |(threads, blocks)| (threads, Some(blocks)));
    Ok(LaunchBounds { max_threads_per_block: number(threads)?, min_blocks_per_sm: blocks.map(number).transpose()? })
}
