//! Where a report and the engine disagree, and why.
//!
//! A reason is given only after recomputing with it gives the report's number; anything else is flagged as unexplained.

use super::super::model::Kernel;
use super::{computed_limit, reported_limit, value};
use crate::arch::Arch;
use crate::engine::limits::allocated_smem_bytes;
use crate::engine::{Launch, Occupancy, Resource};
use crate::fmt::{bytes, capitalized};

/// One number that the report and the engine give differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub subject: Subject,
    pub reported: f64,
    /// None when the engine says that the resource does not limit.
    pub computed: Option<f64>,
    pub cause: Cause,
}

/// What the number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// Blocks per SM that a resource allows.
    Limit(Resource),
    /// Theoretical occupancy in percent.
    Theoretical,
    /// Theoretical warps per SM.
    TheoreticalWarps,
    /// Waves of the grid.
    Waves,
}

impl Subject {
    /// A stable name for files: a limit by its resource.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Limit(resource) => resource.key(),
            Self::Theoretical => "theoretical_occupancy_percent",
            Self::TheoreticalWarps => "theoretical_warps_per_sm",
            Self::Waves => "waves_per_sm",
        }
    }
}

/// Why the numbers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Profilers since 2021 divide the size that shared memory was configured to; the engine divides the largest it can have.
    ConfiguredSmem {
        configured_bytes: u64,
        largest_bytes: u64,
    },
    /// The profiler does not count further than the block slots.
    BlockSlots {
        slots: u32,
    },
    /// A size was printed with a scaled unit and does not settle the bytes.
    RoundedCell,
    /// The report does not say how many barriers a block uses; this many give its limit.
    BarriersUnknown {
        barriers: u32,
    },
    /// The blocks of a cluster are placed together; the engine places single blocks.
    Clusters {
        size: u32,
    },
    /// It comes from the different limit of this resource.
    FollowsFrom {
        resource: Resource,
        is_explained: bool,
    },
    Unexplained,
}

impl Difference {
    pub const fn is_explained(&self) -> bool {
        !matches!(self.cause, Cause::Unexplained | Cause::FollowsFrom { is_explained: false, .. })
    }

    /// The difference and its reason as one plain sentence.
    ///
    /// "The report's limit by shared memory is 8 blocks, the computed one 164: the profiler divides the 8 KiB that shared
    /// memory was configured to, the calculation the 164 KiB that it can have."
    pub fn sentence(&self) -> String {
        let computed = self.computed.map_or_else(|| "unlimited".to_owned(), number);
        let numbers = match self.subject {
            Subject::Limit(resource) => {
                let unit = if (self.reported - 1.0).abs() < f64::EPSILON { "block" } else { "blocks" };
                let name = resource.name().to_lowercase();
                format!("the report's limit by {name} is {} {unit}, the computed one {computed}", number(self.reported))
            }
            Subject::Theoretical => {
                format!("the report's theoretical occupancy is {} %, the computed one {computed} %", number(self.reported))
            }
            Subject::TheoreticalWarps => {
                format!("the report's theoretical warps per SM are {}, the computed ones {computed}", number(self.reported))
            }
            Subject::Waves => format!("the report's grid has {} waves, the computed one {computed}", number(self.reported)),
        };
        capitalized(&format!("{numbers}: {}.", self.cause.reason()))
    }
}

impl Cause {
    fn reason(self) -> String {
        match self {
            Self::ConfiguredSmem { configured_bytes, largest_bytes } => format!(
                "the profiler divides the {} that shared memory was configured to, the calculation the {} that it can have",
                bytes(configured_bytes),
                bytes(largest_bytes)
            ),
            Self::BlockSlots { slots } => format!("the profiler does not count further than the {slots} block slots"),
            Self::RoundedCell => "the report rounds a size of shared memory, and both numbers fit what it prints".to_owned(),
            Self::BarriersUnknown { barriers } => {
                format!("the report does not say how many barriers a block uses; {barriers} would give its number")
            }
            Self::Clusters { size } => {
                format!("the launch has clusters of {size} blocks that are placed together, the calculation places single blocks")
            }
            Self::FollowsFrom { resource, is_explained: true } => {
                format!("it follows from the limit by {}", resource.name().to_lowercase())
            }
            Self::FollowsFrom { resource, is_explained: false } => {
                format!("it follows from the limit by {}, which nothing in the report explains", resource.name().to_lowercase())
            }
            Self::Unexplained => "nothing in the report explains it".to_owned(),
        }
    }
}

/// Two decimals, as details pages print, without zeros at the end.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Every difference, the limits in the order of [`Resource::ALL`], then theoretical occupancy.
pub(super) fn differences(kernel: &Kernel, arch: &Arch, launch: &Launch, occupancy: &Occupancy, num_sms: Option<u32>) -> Vec<Difference> {
    let compared = Compared { kernel, arch, launch, occupancy };
    let mut found: Vec<Difference> = Resource::ALL.into_iter().filter_map(|resource| compared.limit(resource)).collect();
    let of_blocks = [compared.theoretical(&found), compared.theoretical_warps(&found), compared.waves(&found, num_sms)];
    found.extend(of_blocks.into_iter().flatten());
    found
}

/// The two sides.
struct Compared<'a> {
    kernel: &'a Kernel,
    arch: &'a Arch,
    launch: &'a Launch,
    occupancy: &'a Occupancy,
}

impl Compared<'_> {
    fn limit(&self, resource: Resource) -> Option<Difference> {
        let reported = reported_limit(self.kernel, resource)?;
        let computed = computed_limit(&self.occupancy.limits, resource);
        let slots = self.arch.max_blocks_per_sm;
        // "Never limits" is printed as the number of block slots.
        if computed == Some(reported) || (computed.is_none() && reported >= slots) {
            return None;
        }
        let cause = match resource {
            Resource::SharedMemory => self.smem_cause(reported),
            Resource::Barriers => self.barriers_cause(reported),
            _ => None,
        };
        let beyond_slots = || (reported == slots && computed.is_none_or(|blocks| blocks > slots)).then_some(Cause::BlockSlots { slots });
        let cause = cause.or_else(beyond_slots).unwrap_or(Cause::Unexplained);
        Some(Difference { subject: Subject::Limit(resource), reported: reported.into(), computed: computed.map(f64::from), cause })
    }

    fn smem_cause(&self, reported: u32) -> Option<Cause> {
        let slots = u64::from(self.arch.max_blocks_per_sm);
        let allocated = allocated_smem_bytes(self.arch, self.launch);
        let gives = |pool: u64| {
            let blocks = pool.checked_div(allocated)?;
            Some(blocks == u64::from(reported) || (blocks > slots && slots == u64::from(reported)))
        };
        let largest_bytes = self.occupancy.smem.pool_per_sm;
        let configured = value(self.kernel.smem_config_bytes).filter(|size| *size > 0 && *size != largest_bytes);
        match configured {
            Some(configured_bytes) if gives(configured_bytes) == Some(true) => {
                Some(Cause::ConfiguredSmem { configured_bytes, largest_bytes })
            }
            _ => self.fits_rounding(reported, allocated).then_some(Cause::RoundedCell),
        }
    }

    /// Whether sizes that print as the rounded ones do can give the report's limit.
    fn fits_rounding(&self, reported: u32, allocated: u64) -> bool {
        /// Half of the last digit of a size in Kbyte with two decimals.
        const HALF_DIGIT_BYTES: u64 = 5;
        let kernel = self.kernel;
        let rounded = |read: Option<super::Read<u64>>| if read.is_some_and(|read| read.rounded) { HALF_DIGIT_BYTES } else { 0 };
        let of_block = rounded(kernel.static_smem_bytes) + rounded(kernel.dynamic_smem_bytes) + rounded(kernel.driver_smem_bytes);
        let of_pool = rounded(kernel.smem_config_bytes);
        if of_block + of_pool == 0 {
            return false;
        }
        let unit = u64::from(self.arch.smem_allocation_unit_bytes);
        // Rounding up to the allocation unit can turn a few bytes into a whole unit.
        let around = if of_block > 0 { of_block.next_multiple_of(unit) } else { 0 };
        let (least, most) = (allocated.saturating_sub(around).max(1), allocated.saturating_add(around).max(1));
        let pool = value(kernel.smem_config_bytes).filter(|size| *size > 0).unwrap_or(self.occupancy.smem.pool_per_sm);
        let fits = pool.saturating_sub(of_pool) / most..=(pool + of_pool) / least;
        fits.contains(&u64::from(reported))
    }

    fn barriers_cause(&self, reported: u32) -> Option<Cause> {
        if self.kernel.barriers.is_some() {
            return None;
        }
        let total = self.arch.max_barriers_per_sm?;
        let slots = self.arch.max_blocks_per_sm;
        // One barrier a block is what was assumed; where the profiler stops at the block slots, that is the reason.
        let barriers = (2..=total).find(|barriers| total / barriers == reported)?;
        (reported < slots).then_some(Cause::BarriersUnknown { barriers })
    }

    fn theoretical(&self, limits: &[Difference]) -> Option<Difference> {
        /// Details pages print two decimals.
        const PRINTED: f64 = 0.01;
        let reported = value(self.kernel.reported.theoretical_occupancy_percent)?;
        let computed = self.occupancy.theoretical_percent();
        let share = 100.0 * f64::from(self.occupancy.warps_per_block) / f64::from(self.occupancy.max_warps_per_sm);
        self.of_blocks(Subject::Theoretical, reported, computed, PRINTED, limits, |blocks| blocks * share)
    }

    fn theoretical_warps(&self, limits: &[Difference]) -> Option<Difference> {
        const PRINTED: f64 = 0.01;
        let reported = value(self.kernel.reported.theoretical_warps_per_sm)?;
        let computed = f64::from(self.occupancy.active_warps_per_sm());
        let warps = f64::from(self.occupancy.warps_per_block);
        self.of_blocks(Subject::TheoreticalWarps, reported, computed, PRINTED, limits, |blocks| blocks * warps)
    }

    fn waves(&self, limits: &[Difference], num_sms: Option<u32>) -> Option<Difference> {
        const PRINTED: f64 = 0.005_001;
        let reported = value(self.kernel.reported.waves_per_sm)?;
        #[expect(clippy::cast_precision_loss, reason = "a ratio of counts")]
        let blocks_of_an_sm = self.kernel.num_blocks()?.value as f64 / f64::from(num_sms.filter(|sms| *sms > 0)?);
        let computed = blocks_of_an_sm / f64::from(Some(self.occupancy.blocks_per_sm).filter(|blocks| *blocks > 0)?);
        self.of_blocks(Subject::Waves, reported, computed, PRINTED, limits, |blocks| blocks_of_an_sm / blocks)
    }

    /// A number that the blocks per SM decide. `from_blocks` gives it for the blocks of a limit.
    fn of_blocks(
        &self,
        subject: Subject,
        reported: f64,
        computed: f64,
        printed: f64,
        limits: &[Difference],
        from_blocks: impl Fn(f64) -> f64,
    ) -> Option<Difference> {
        if (reported - computed).abs() <= printed {
            return None;
        }
        let source = limits.iter().find_map(|limit| match limit.subject {
            Subject::Limit(resource) if (from_blocks(limit.reported) - reported).abs() <= printed => Some((resource, limit.is_explained())),
            _ => None,
        });
        let size = self.launch.cluster_size;
        let cause = match source {
            Some((resource, is_explained)) => Cause::FollowsFrom { resource, is_explained },
            None if size > 1 => Cause::Clusters { size },
            None => Cause::Unexplained,
        };
        Some(Difference { subject, reported, computed: Some(computed), cause })
    }
}
