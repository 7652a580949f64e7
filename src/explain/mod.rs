//! The answer in words: one sentence that says what stops the next block, shared by the window and the command line.
//!
//! In: text for people about an [`Occupancy`]. Not in: the numbers themselves ([`crate::engine`]) and reasons for a refusal,
//! which the engine words itself because each belongs to one rule.
//!
//! Start with [`headline`]; [`waves`] words a grid and the gap to what was measured, [`matters`]
//! what keeps a kernel busy.

pub mod matters;
mod numerals;
#[cfg(test)]
mod tests;
pub mod waves;

use crate::arch::Arch;
use crate::engine::{Launch, Occupancy, Resource};
use crate::fmt::{bytes, capitalized, counted, grouped, kib_number};
use crate::units::KIB;
use numerals::{cardinal, ordinal};

/// A statement and what backs it up, each a text of whole sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What to read first: "Shared memory stops block 4."
    pub strong: String,
    /// The numbers behind it.
    pub rest: String,
}

impl std::fmt::Display for Sentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.strong, self.rest)
    }
}

/// What decides how many blocks share an SM, in plain words.
///
/// Cannot launch comes first, then a full SM, then a tie, then the one resource that stops the next block.
///
/// Compute capability 8.0, 256 threads × 64 registers with 48 KiB: "Shared memory stops block 4." "A block takes 49 KiB
/// (48 asked, 1 reserved). Three use 147 of 164 KiB; 17 KiB is too little for a fourth."
pub fn headline(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> Sentence {
    if let Some(refusal) = occupancy.refusals.first() {
        return refused(&refusal.to_string(), occupancy.refusals.len() - 1);
    }
    if occupancy.active_warps_per_sm() >= occupancy.max_warps_per_sm {
        return full(occupancy);
    }
    let limiters = by_what_can_be_changed(occupancy);
    if limiters.len() > 1 {
        return tie(arch, launch, occupancy, &limiters);
    }
    let next = u64::from(occupancy.blocks_per_sm) + 1;
    let stops = |subject: &str, verb: &str| format!("{subject} {verb} block {}.", grouped(next));
    match limiters.first() {
        Some(Resource::Warps) => Sentence { strong: stops("Warp slots", "stop"), rest: warps(occupancy) },
        Some(Resource::Blocks) => Sentence { strong: stops("Block slots", "stop"), rest: blocks(occupancy) },
        Some(Resource::Registers) => Sentence { strong: stops("Registers", "stop"), rest: registers(arch, occupancy) },
        Some(Resource::SharedMemory) => Sentence { strong: stops("Shared memory", "stops"), rest: smem(arch, occupancy) },
        Some(Resource::Barriers) => Sentence { strong: stops("Barriers", "stop"), rest: barriers(arch, launch, occupancy) },
        // Only the resource that NVIDIA's header counts without a name is left.
        None => Sentence { strong: stops("An unnamed resource", "stops"), rest: "NVIDIA counts it without saying what it is.".to_owned() },
    }
}

/// The limiters, those that the programmer can change first.
fn by_what_can_be_changed(occupancy: &Occupancy) -> Vec<Resource> {
    const ORDER: [Resource; 5] = [Resource::Registers, Resource::SharedMemory, Resource::Barriers, Resource::Warps, Resource::Blocks];
    ORDER.into_iter().filter(|resource| occupancy.limiters.contains(*resource)).collect()
}

fn refused(reason: &str, others: usize) -> Sentence {
    let more = match others {
        0 => String::new(),
        1 => " There is 1 more reason.".to_owned(),
        others => format!(" There are {others} more reasons."),
    };
    Sentence { strong: "Cannot launch.".to_owned(), rest: format!("{}.{more}", capitalized(reason)) }
}

fn full(occupancy: &Occupancy) -> Sentence {
    let blocks = occupancy.blocks_per_sm;
    let fill = if blocks == 1 { "fills" } else { "fill" };
    let of_warps = counted(occupancy.warps_per_block.into(), "warp");
    Sentence {
        strong: format!("All {} warp slots are used.", occupancy.max_warps_per_sm),
        rest: format!("{} of {of_warps} {fill} the SM.", capitalized(&counted_in_words(blocks.into(), "block"))),
    }
}

fn tie(arch: &Arch, launch: &Launch, occupancy: &Occupancy, limiters: &[Resource]) -> Sentence {
    let names: Vec<String> = limiters.iter().map(|resource| resource.name().to_lowercase()).collect();
    let only = if limiters.len() == 2 { "fixing only one gains nothing" } else { "fixing fewer than all gains nothing" };
    let blocks = occupancy.blocks_per_sm;
    let uses: Vec<String> = limiters.iter().map(|resource| in_use(*resource, arch, launch, occupancy)).collect();
    let verb = if blocks == 1 { "uses" } else { "use" };
    Sentence {
        strong: format!("{} tie at {blocks}: {only}.", capitalized(&listed(&names))),
        rest: format!("{} {verb} {}.", capitalized(&counted_in_words(blocks.into(), "block")), listed(&uses)),
    }
}

/// "60 of 64 warp slots".
fn in_use(resource: Resource, arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> String {
    let blocks = u64::from(occupancy.blocks_per_sm);
    let smem = &occupancy.smem;
    let (used, total, unit) = match resource {
        Resource::Warps => (u64::from(occupancy.active_warps_per_sm()), occupancy.max_warps_per_sm, "warp slots"),
        Resource::Blocks => (blocks, arch.max_blocks_per_sm, "block slots"),
        Resource::Registers => (blocks.saturating_mul(occupancy.registers.allocated_per_block), arch.registers_per_sm, "registers"),
        Resource::Barriers => (blocks * u64::from(launch.barriers_per_block), arch.max_barriers_per_sm.unwrap_or_default(), "barriers"),
        Resource::SharedMemory => {
            let used = blocks.saturating_mul(smem.allocated_per_block);
            return format!("{} of shared memory", part_of_bytes(used, smem.pool_per_sm));
        }
    };
    format!("{} of {} {unit}", grouped(used), grouped(total.into()))
}

fn warps(occupancy: &Occupancy) -> String {
    let each = occupancy.warps_per_block;
    let (used, slots) = (occupancy.active_warps_per_sm(), occupancy.max_warps_per_sm);
    format!(
        "A block takes {}. {} of {slots}; {}.",
        counted(each.into(), "slot"),
        used_by_all(occupancy, &grouped(used.into())),
        too_few((slots - used).into(), occupancy)
    )
}

fn blocks(occupancy: &Occupancy) -> String {
    let blocks = u64::from(occupancy.blocks_per_sm);
    let (used, slots) = (occupancy.active_warps_per_sm(), occupancy.max_warps_per_sm);
    format!(
        "An SM holds {}, however small they are. Of {} each they use {used} of {slots} warp slots.",
        counted(blocks, "block"),
        counted(occupancy.warps_per_block.into(), "warp")
    )
}

/// The register files hold whole warps, so the blocks are counted in warps.
fn registers(arch: &Arch, occupancy: &Occupancy) -> String {
    let registers = &occupancy.registers;
    let rounding = if registers.allocated_per_thread == registers.requested_per_thread {
        format!("{} a thread", registers.requested_per_thread)
    } else {
        format!("{} a thread count as {}", registers.requested_per_thread, registers.allocated_per_thread)
    };
    let held = registers.warps_per_sub_partition.unwrap_or_default().saturating_mul(arch.sub_partitions.into());
    let takes = format!("A warp takes {} registers ({rounding})", grouped(registers.allocated_per_warp));
    if occupancy.partitioned_caching {
        let half = held / 2;
        let each = counted(occupancy.warps_per_block.into(), "warp");
        return format!("{takes}, so each half of the SM holds {}. A block of {each} has to fit one half.", counted(half, "warp"));
    }
    let used = u64::from(occupancy.active_warps_per_sm());
    let blocks = counted_in_words(occupancy.blocks_per_sm.into(), "block");
    let verb = if occupancy.blocks_per_sm == 1 { "uses" } else { "use" };
    format!(
        "{takes}, so the register files hold {}. {} of {} {verb} {}; {}.",
        counted(held, "warp"),
        capitalized(&blocks),
        grouped(occupancy.warps_per_block.into()),
        grouped(used),
        too_few(held.saturating_sub(used), occupancy)
    )
}

fn smem(arch: &Arch, occupancy: &Occupancy) -> String {
    let smem = &occupancy.smem;
    let used = smem.allocated_per_block.saturating_mul(occupancy.blocks_per_sm.into());
    let pool = part_of_bytes(used, smem.pool_per_sm);
    let carved = if smem.pool_per_sm < arch.smem_per_sm_bytes.into() { " that the carve-out leaves" } else { "" };
    let left = if smem.free_per_sm == 0 {
        format!("nothing is left for {}", next_block(occupancy))
    } else {
        format!("{} is too little for {}", bytes(smem.free_per_sm), next_block(occupancy))
    };
    format!(
        "A block takes {}{}. {}{carved}; {left}.",
        bytes(smem.allocated_per_block),
        smem_parts(occupancy),
        used_by_all(occupancy, &pool)
    )
}

/// " (48 asked, 1 reserved)"; empty where a block takes what was asked.
fn smem_parts(occupancy: &Occupancy) -> String {
    let smem = &occupancy.smem;
    let is_short = !crate::fmt::in_bytes()
        && [smem.allocated_per_block, smem.requested_per_block, smem.reserved_per_block].iter().all(|size| size.is_multiple_of(KIB));
    let size = |size: u64| if is_short { kib_number(size) } else { bytes(size) };
    let mut parts = vec![format!("{} asked", size(smem.requested_per_block))];
    if smem.reserved_per_block > 0 {
        parts.push(format!("{} reserved", size(smem.reserved_per_block)));
    }
    if smem.rounding_per_block() > 0 {
        parts.push(format!("{} lost to rounding", size(smem.rounding_per_block())));
    }
    if parts.len() == 1 { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn barriers(arch: &Arch, launch: &Launch, occupancy: &Occupancy) -> String {
    let total = u64::from(arch.max_barriers_per_sm.unwrap_or_default());
    let used = u64::from(launch.barriers_per_block) * u64::from(occupancy.blocks_per_sm);
    format!(
        "A block takes {}. {} of {total}; {}.",
        counted(launch.barriers_per_block.into(), "barrier"),
        used_by_all(occupancy, &grouped(used)),
        too_few(total.saturating_sub(used), occupancy)
    )
}

/// "Three use 147", "One uses 49".
fn used_by_all(occupancy: &Occupancy, used: &str) -> String {
    let blocks = occupancy.blocks_per_sm;
    let verb = if blocks == 1 { "uses" } else { "use" };
    format!("{} {verb} {used}", capitalized(&cardinal(blocks.into())))
}

/// "4 are too few for a third", "none is left for a third".
fn too_few(left: u64, occupancy: &Occupancy) -> String {
    let next = next_block(occupancy);
    match left {
        0 => format!("none is left for {next}"),
        1 => format!("1 is too few for {next}"),
        left => format!("{} are too few for {next}", grouped(left)),
    }
}

/// "a fourth".
fn next_block(occupancy: &Occupancy) -> String {
    ordinal(u64::from(occupancy.blocks_per_sm) + 1)
}

/// "147 of 164 KiB", "102,145 of 102,400 B".
fn part_of_bytes(part: u64, whole: u64) -> String {
    let (in_kib, whole_in_kib) = (bytes(part), bytes(whole));
    let unit = format!(" {}", crate::fmt::kib_unit());
    match (in_kib.strip_suffix(&unit), whole_in_kib.strip_suffix(&unit)) {
        (Some(number), Some(_)) => format!("{number} of {whole_in_kib}"),
        _ => format!("{} of {} B", grouped(part), grouped(whole)),
    }
}

/// "one block", "three blocks", "17 blocks".
fn counted_in_words(count: u64, singular: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {singular}{plural}", cardinal(count))
}

/// "a, b and c".
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
