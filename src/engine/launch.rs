//! What is asked of the GPU: one kernel launch.

use serde::{Deserialize, Serialize};

use crate::units::{Dim3, WARP_SIZE};

/// One launch of one kernel, with everything that occupancy depends on.
///
/// All values are as the programmer, the compiler or the profiler states them: nothing is rounded and the driver's own
/// shared memory is not included. [`Launch::default`] is a plain launch of 256 threads with 32 registers each.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Launch {
    /// The shape of a block, in threads.
    pub block: Dim3,
    /// As `ptxas` reports them; 0 is read as "no register limit".
    pub registers_per_thread: u32,
    /// Shared memory that the kernel declares, in bytes.
    pub static_smem_bytes: u64,
    /// Shared memory that the launch asks for, in bytes.
    pub dynamic_smem_bytes: u64,
    /// Whether the kernel opts in to more than 48 KiB of shared memory per block.
    pub opt_in: bool,
    /// The kernel's own maximum of dynamic shared memory (`cudaFuncAttributeMaxDynamicSharedMemorySize`), in bytes.
    /// None means that it was raised as far as the GPU allows. Only looked at when [`Launch::opt_in`] is set.
    pub max_dynamic_smem_bytes: Option<u64>,
    /// The preferred share of the shared-memory/L1 memory, 0 to 100 percent of the SM's shared memory. None is the driver's default.
    pub carveout_percent: Option<u32>,
    /// The older way to say the same; only looked at when there is no carve-out.
    pub cache_preference: CachePreference,
    /// Partitioned global caching; dropped where the GPU has none.
    pub partitioned_caching: PartitionedCaching,
    /// Barriers that a block uses; every kernel has at least the one behind `__syncthreads()`.
    pub barriers_per_block: u32,
    /// A resource that NVIDIA's header counts on 10.x to 12.x without saying what it is. 0 means that it plays no part.
    pub virtual_resources_per_block: u32,
    /// Blocks per cluster; 1 is a launch without clusters.
    pub cluster_size: u32,
    /// What `__launch_bounds__` promised to the compiler.
    pub launch_bounds: Option<LaunchBounds>,
    /// The shape of the grid, in blocks. None leaves the waves out of the answer.
    pub grid: Option<Dim3>,
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            block: Dim3::linear(256),
            registers_per_thread: 32,
            static_smem_bytes: 0,
            dynamic_smem_bytes: 0,
            opt_in: true,
            max_dynamic_smem_bytes: None,
            carveout_percent: None,
            cache_preference: CachePreference::None,
            partitioned_caching: PartitionedCaching::Off,
            barriers_per_block: 1,
            virtual_resources_per_block: 0,
            cluster_size: 1,
            launch_bounds: None,
            grid: None,
        }
    }
}

impl Launch {
    /// A one-dimensional launch, everything else as by default.
    pub fn new(threads_per_block: u32, registers_per_thread: u32) -> Self {
        Self { block: Dim3::linear(threads_per_block), registers_per_thread, ..Self::default() }
    }

    /// Threads of one block, at most `u32::MAX`.
    pub fn threads_per_block(&self) -> u32 {
        u32::try_from(self.block.count()).unwrap_or(u32::MAX)
    }

    /// Warps of one block: the last one may be partly empty and still takes a whole slot.
    ///
    /// 33 threads are 2 warps.
    pub fn warps_per_block(&self) -> u32 {
        self.threads_per_block().div_ceil(WARP_SIZE)
    }

    /// Static and dynamic shared memory together, in bytes, without the driver's reserve.
    pub fn requested_smem_bytes(&self) -> u64 {
        self.static_smem_bytes.saturating_add(self.dynamic_smem_bytes)
    }

    /// Blocks of the grid, when it is known.
    pub fn grid_blocks(&self) -> Option<u64> {
        self.grid.map(Dim3::count)
    }
}

/// The two arguments of `__launch_bounds__(max_threads, min_blocks)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LaunchBounds {
    pub max_threads_per_block: u32,
    pub min_blocks_per_sm: Option<u32>,
}

/// What `cudaFuncSetCacheConfig` was told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CachePreference {
    #[default]
    None,
    /// As a carve-out of 100 percent.
    SharedMemory,
    /// As a carve-out of 0 percent.
    L1,
    /// As a carve-out of 50 percent.
    Equal,
}

/// Whether global loads are cached in L1 by half of an SM; then a block must live in one half. Compute capabilities 5.2, 5.3, 6.1 and 6.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartitionedCaching {
    #[default]
    Off,
    /// Asked for; switched off for a block that does not fit half an SM.
    On,
    /// Required: a block that does not fit half an SM cannot launch.
    Strict,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partly_filled_warp_is_a_warp() {
        assert_eq!(Launch::new(32, 32).warps_per_block(), 1);
        assert_eq!(Launch::new(33, 32).warps_per_block(), 2);
        assert_eq!(Launch::new(0, 32).warps_per_block(), 0);
        assert_eq!(Launch::new(u32::MAX, 32).warps_per_block(), 1 << 27);
    }

    #[test]
    fn only_a_launch_with_a_grid_has_a_number_of_blocks() {
        assert_eq!(Launch { grid: Some(Dim3::new(4, 3, 2)), ..Launch::default() }.grid_blocks(), Some(24));
        assert_eq!(Launch::default().grid_blocks(), None);
    }
}
