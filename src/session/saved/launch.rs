//! A launch and a configuration as they are saved. What is as by default is left out.

use serde::{Deserialize, Serialize};

use super::values::{As, Size};
use crate::engine::{CachePreference, Launch, LaunchBounds, PartitionedCaching};
use crate::units::Dim3;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SavedLaunch {
    pub block: Option<As<Dim3>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registers: Option<As<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub static_smem: Option<As<Size>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamic_smem: Option<As<Size>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<As<Dim3>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opt_in: Option<As<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_dynamic_smem: Option<As<Size>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carveout_percent: Option<As<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_preference: Option<As<CachePreference>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partitioned_caching: Option<As<PartitionedCaching>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barriers: Option<As<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_resources: Option<As<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_size: Option<As<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch_bounds: Option<As<LaunchBounds>>,
}

impl From<&Launch> for SavedLaunch {
    fn from(launch: &Launch) -> Self {
        fn other<T: PartialEq>(value: T, usual: &T) -> Option<As<T>> {
            (value != *usual).then_some(As(value))
        }
        let usual = Launch::default();
        let size = |bytes: u64| (bytes > 0).then_some(As(Size(bytes)));
        Self {
            block: Some(As(launch.block)),
            registers: Some(As(launch.registers_per_thread)),
            static_smem: size(launch.static_smem_bytes),
            dynamic_smem: size(launch.dynamic_smem_bytes),
            grid: launch.grid.map(As),
            opt_in: other(launch.opt_in, &usual.opt_in),
            max_dynamic_smem: launch.max_dynamic_smem_bytes.map(|bytes| As(Size(bytes))),
            carveout_percent: launch.carveout_percent.map(As),
            cache_preference: other(launch.cache_preference, &usual.cache_preference),
            partitioned_caching: other(launch.partitioned_caching, &usual.partitioned_caching),
            barriers: other(launch.barriers_per_block, &usual.barriers_per_block),
            virtual_resources: other(launch.virtual_resources_per_block, &usual.virtual_resources_per_block),
            cluster_size: other(launch.cluster_size, &usual.cluster_size),
            launch_bounds: launch.launch_bounds.map(As),
        }
    }
}

impl From<SavedLaunch> for Launch {
    fn from(saved: SavedLaunch) -> Self {
        fn or<T>(value: Option<As<T>>, usual: T) -> T {
            value.map_or(usual, |value| value.0)
        }
        let usual = Self::default();
        let size = |value: Option<As<Size>>| value.map(|size| size.0.0);
        Self {
            block: or(saved.block, usual.block),
            registers_per_thread: or(saved.registers, usual.registers_per_thread),
            static_smem_bytes: size(saved.static_smem).unwrap_or_default(),
            dynamic_smem_bytes: size(saved.dynamic_smem).unwrap_or_default(),
            opt_in: or(saved.opt_in, usual.opt_in),
            max_dynamic_smem_bytes: size(saved.max_dynamic_smem),
            carveout_percent: saved.carveout_percent.map(|percent| percent.0),
            cache_preference: or(saved.cache_preference, usual.cache_preference),
            partitioned_caching: or(saved.partitioned_caching, usual.partitioned_caching),
            barriers_per_block: or(saved.barriers, usual.barriers_per_block),
            virtual_resources_per_block: or(saved.virtual_resources, usual.virtual_resources_per_block),
            cluster_size: or(saved.cluster_size, usual.cluster_size).max(1),
            launch_bounds: saved.launch_bounds.map(|bounds| bounds.0),
            grid: saved.grid.map(|grid| grid.0),
        }
    }
}
