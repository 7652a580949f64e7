//! One imported kernel joined with the engine: what the report said beside what the engine computes.
//!
//! In: which facts apply (`facts`), the launch that the report describes, its waves, the gap between theoretical and
//! achieved, and every difference between reported and computed ([`difference`]). Not in: reading reports, and how any of
//! it is shown.
//!
//! Start with [`account`]. Nothing is guessed: what the report lacks is listed in [`Account::missing`], and SMs are counted
//! only where the report or a named product states them.

pub mod difference;
mod facts;
mod launch;
pub mod said;
#[cfg(test)]
mod tests;

use std::fmt;

use super::model::{Kernel, Read};
use crate::arch::{Arch, Catalog, ComputeCapability, Gpu};
use crate::engine::activity::SmActivity;
use crate::engine::{Gap, Launch, Limits, Occupancy, Resource, ResourceSet, Waves, evaluate};

pub use launch::launch_with_block;

pub use difference::{Cause, Difference, Subject};

/// A kernel of a report, with everything that the engine can add to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// The facts that the engine worked with: the table's, and over them what the report states about its GPU.
    pub arch: Option<Arch>,
    /// The product, where the report or the user names a single one.
    pub gpu: Option<Gpu>,
    /// The launch that the report describes. None when something in [`Account::missing`] belongs to it.
    pub launch: Option<Launch>,
    /// What the engine computes for it.
    pub occupancy: Option<Occupancy>,
    /// What the report lacks for that. Empty when there is an occupancy.
    pub missing: Vec<Missing>,
    /// SMs of the GPU: as the report states them, else those of the product.
    pub num_sms: Option<u32>,
    /// Blocks resident on one SM: from the report's own limits where it has them, else computed.
    pub blocks_per_sm: Option<u32>,
    /// From the grid, [`Account::num_sms`] and [`Account::blocks_per_sm`]; none when one of them is not known.
    pub waves: Option<Waves>,
    /// None when theoretical or achieved is not known.
    pub gap: Option<Gap>,
    /// How long the SMs were active, where the report has their cycles.
    pub activity: Option<SmActivity>,
    /// Reported, else computed; 0 to 100.
    pub theoretical_percent: Option<f64>,
    /// Reported; 0 to 100.
    pub achieved_percent: Option<f64>,
    /// Where the report and the engine disagree, limits first, each with its reason or flagged as unexplained.
    pub differences: Vec<Difference>,
    /// Sentences about the facts that were used: a chosen GPU that does not fit the report, facts that were assumed.
    pub notes: Vec<String>,
}

impl Account {
    /// One of this kernel's occupancies in words: in warps only where its GPU is known.
    pub fn figure(&self, percent: f64) -> String {
        let max_warps_per_sm = self.arch.as_ref().map(Arch::max_warps_per_sm);
        max_warps_per_sm.map_or_else(|| crate::fmt::percent(percent), |most| crate::fmt::occupancy(percent, most))
    }
}

/// Something that the engine needs and neither the report nor the user's choice has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Missing {
    ComputeCapability,
    /// The table does not have this compute capability, and the report does not say enough about its GPU.
    Facts(ComputeCapability),
    BlockSize,
    RegistersPerThread,
    StaticSmem,
    DynamicSmem,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ComputeCapability => f.write_str("compute capability"),
            Self::Facts(cc) => write!(f, "facts about compute capability {cc}"),
            Self::BlockSize => f.write_str("block size"),
            Self::RegistersPerThread => f.write_str("registers per thread"),
            Self::StaticSmem => f.write_str("static shared memory per block"),
            Self::DynamicSmem => f.write_str("dynamic shared memory per block"),
        }
    }
}

/// Joins a kernel with the engine.
///
/// `gpu` is the user's choice. It stands in where the report has no compute capability, and adds its SM count where the
/// report has none and the compute capabilities agree; what the report states is never replaced by it.
///
/// Cannot fail: what is not known is none, with the reason in [`Account::missing`] and [`Account::notes`].
///
/// Compute capability 10.0, 384 threads × 168 registers with 205,696 bytes, grid of 288 on 152 SMs: 1 block per SM,
/// 18.75 % theoretical, 1 full wave and 136 blocks.
pub fn account(kernel: &Kernel, catalog: &Catalog, gpu: Option<&Gpu>) -> Account {
    let facts = facts::find(kernel, catalog, gpu);
    let (launch, lacking) = launch::launch(kernel);
    let mut missing: Vec<Missing> = facts.missing.into_iter().chain(lacking).collect();
    missing.sort_unstable();
    let occupancy = facts.arch.as_ref().zip(launch.as_ref()).map(|(arch, launch)| evaluate(arch, launch));
    let mut notes = facts.notes;
    notes.extend(refusal_note(occupancy.as_ref()));
    let theoretical_percent = theoretical_percent(kernel, facts.arch.as_ref(), occupancy.as_ref());
    let achieved_percent = achieved_percent(kernel, facts.arch.as_ref());
    let blocks_per_sm = blocks_per_sm(kernel, facts.arch.as_ref(), occupancy.as_ref());
    let waves = waves(kernel, facts.arch.as_ref(), facts.num_sms, blocks_per_sm);
    Account {
        gap: theoretical_percent.zip(achieved_percent).map(|(theoretical, achieved)| Gap::new(theoretical, achieved, waves.as_ref())),
        differences: differences(kernel, facts.arch.as_ref(), launch.as_ref(), occupancy.as_ref(), facts.num_sms),
        arch: facts.arch,
        gpu: facts.gpu,
        launch,
        occupancy,
        missing,
        num_sms: facts.num_sms,
        blocks_per_sm,
        waves,
        activity: activity(kernel),
        theoretical_percent,
        achieved_percent,
        notes,
    }
}

impl Account {
    /// What stops the next block of this kernel: all resources at the smallest of the report's own limits, else the
    /// engine's limiters. Empty when neither is known.
    pub fn limiters(&self, kernel: &Kernel) -> ResourceSet {
        let limits = Resource::ALL.map(|resource| (resource, reported_limit(kernel, resource)));
        match limits.into_iter().filter_map(|(_, limit)| limit).min() {
            Some(smallest) => limits.into_iter().filter(|(_, limit)| *limit == Some(smallest)).map(|(resource, _)| resource).collect(),
            None => self.occupancy.as_ref().map(|occupancy| occupancy.limiters).unwrap_or_default(),
        }
    }

    /// What the engine computes, as one thing: facts, launch and answer.
    pub fn computed(&self) -> Option<(&Arch, &Launch, &Occupancy)> {
        Some((self.arch.as_ref()?, self.launch.as_ref()?, self.occupancy.as_ref()?))
    }
}

/// The report's own limit of a resource.
pub fn reported_limit(kernel: &Kernel, resource: Resource) -> Option<u32> {
    let reported = &kernel.reported;
    let limit = match resource {
        Resource::Warps => reported.limit_warps,
        Resource::Blocks => reported.limit_blocks,
        Resource::Registers => reported.limit_registers,
        Resource::SharedMemory => reported.limit_shared_memory,
        Resource::Barriers => reported.limit_barriers,
    };
    value(limit)
}

fn value<T>(read: Option<Read<T>>) -> Option<T> {
    read.map(|read| read.value)
}

/// A kernel that was profiled did launch, so a refusal says that the facts or the report are not what they seem.
fn refusal_note(occupancy: Option<&Occupancy>) -> Option<String> {
    let refusal = occupancy?.refusals.first()?;
    Some(format!("the kernel ran, but by the known facts it cannot: {refusal}"))
}

fn differences(
    kernel: &Kernel,
    arch: Option<&Arch>,
    launch: Option<&Launch>,
    occupancy: Option<&Occupancy>,
    num_sms: Option<u32>,
) -> Vec<Difference> {
    match (arch, launch, occupancy) {
        (Some(arch), Some(launch), Some(occupancy)) => difference::differences(kernel, arch, launch, occupancy, num_sms),
        _ => Vec::new(),
    }
}

fn max_warps_per_sm(kernel: &Kernel, arch: Option<&Arch>) -> Option<u32> {
    arch.map(Arch::max_warps_per_sm).or_else(|| value(kernel.device.max_warps_per_sm))
}

fn theoretical_percent(kernel: &Kernel, arch: Option<&Arch>, occupancy: Option<&Occupancy>) -> Option<f64> {
    let from_warps = || Some(value(kernel.reported.theoretical_warps_per_sm)? * 100.0 / f64::from(max_warps_per_sm(kernel, arch)?));
    let computed = || occupancy.filter(|occupancy| occupancy.can_launch()).map(Occupancy::theoretical_percent);
    value(kernel.reported.theoretical_occupancy_percent).or_else(from_warps).or_else(computed)
}

fn achieved_percent(kernel: &Kernel, arch: Option<&Arch>) -> Option<f64> {
    let from_warps = || Some(value(kernel.reported.achieved_warps_per_sm)? * 100.0 / f64::from(max_warps_per_sm(kernel, arch)?));
    value(kernel.reported.achieved_occupancy_percent).or_else(from_warps)
}

fn activity(kernel: &Kernel) -> Option<SmActivity> {
    let measured = &kernel.measured;
    let range = value(measured.sm_active_cycles_min).zip(value(measured.sm_active_cycles_max));
    SmActivity::new(value(measured.elapsed_cycles)?, value(measured.sm_active_cycles_avg)?, range)
}

fn warps_per_block(kernel: &Kernel) -> Option<u32> {
    let threads = kernel.threads_per_block()?.value;
    u32::try_from(threads.div_ceil(crate::units::WARP_SIZE.into())).ok().filter(|warps| *warps > 0)
}

/// The smallest of the report's limits; else its theoretical warps in blocks; else computed, with the limits that the report has.
fn blocks_per_sm(kernel: &Kernel, arch: Option<&Arch>, occupancy: Option<&Occupancy>) -> Option<u32> {
    // Older profilers have no limit by barriers, and where they have one it was never the smallest.
    const ALWAYS_REPORTED: [Resource; 4] = [Resource::Warps, Resource::Blocks, Resource::Registers, Resource::SharedMemory];
    let reported = || Resource::ALL.into_iter().filter_map(|resource| reported_limit(kernel, resource)).min();
    let is_complete = ALWAYS_REPORTED.into_iter().all(|resource| reported_limit(kernel, resource).is_some());
    let all_reported = is_complete.then(reported).flatten();
    let computed = || {
        let blocks = occupancy.filter(|occupancy| occupancy.can_launch())?.blocks_per_sm;
        Some(reported().map_or(blocks, |reported| reported.min(blocks)))
    };
    let blocks = all_reported.or_else(|| blocks_from_theoretical(kernel, arch)).or_else(computed);
    blocks.filter(|blocks| *blocks > 0)
}

/// Whole blocks in the theoretical warps that the report states, or none when they do not come out whole.
///
/// 37.5 % of 64 warps are 24, which is 3 blocks of 8.
fn blocks_from_theoretical(kernel: &Kernel, arch: Option<&Arch>) -> Option<u32> {
    let reported = &kernel.reported;
    let from_percent = || Some(value(reported.theoretical_occupancy_percent)? / 100.0 * f64::from(max_warps_per_sm(kernel, arch)?));
    let warps = value(reported.theoretical_warps_per_sm).or_else(from_percent)?;
    let blocks = warps / f64::from(warps_per_block(kernel)?);
    whole_from_printed(blocks)
}

/// The whole number that a figure printed with two decimals stands for, or none when it is not near one.
fn whole_from_printed(figure: f64) -> Option<u32> {
    const MAX_BLOCKS: f64 = 65_536.0;
    let whole = figure.round();
    if !(0.5..MAX_BLOCKS).contains(&whole) || (figure - whole).abs() > 0.02 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range, checked above")]
    Some(whole as u32)
}

fn waves(kernel: &Kernel, arch: Option<&Arch>, num_sms: Option<u32>, blocks_per_sm: Option<u32>) -> Option<Waves> {
    let warps = warps_per_block(kernel)?;
    Waves::from_counts(blocks_per_sm?, warps, max_warps_per_sm(kernel, arch)?, num_sms?, kernel.num_blocks()?.value)
}

/// The limits that are compared with the report's, by resource; a shorthand for `limits.get`.
fn computed_limit(limits: &Limits, resource: Resource) -> Option<u32> {
    limits.get(resource).get()
}
