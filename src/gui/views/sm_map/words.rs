//! What the SM map says: how much of a row is used, why the next block does not fit, and the whole map in one sentence.

use crate::arch::Arch;
use crate::engine::{Launch, Occupancy, Refusal, Resource};
use crate::fmt::{self, bytes, counted, grouped, kib_number};

use super::model::{Row, SmMapModel};

/// Writes the words of every row, and of the whole map.
pub(super) fn fill_in(model: &mut SmMapModel, arch: &Arch, launch: &Launch) {
    let blocked = blocked_by(model);
    let notes: Vec<_> = model.rows.iter().map(|row| (value(row), notes(row, model, arch, launch, &blocked))).collect();
    for (row, (value, notes)) in model.rows.iter_mut().zip(notes) {
        row.value = value;
        row.notes = notes;
    }
    model.sentence = sentence(model);
}

fn value(row: &Row) -> String {
    if row.resource == Resource::SharedMemory {
        let (numbers, unit) = sizes([row.used(), row.total()]);
        return format!("{} of {} {unit} used", numbers[0], numbers[1]);
    }
    format!("{} of {} used", grouped(row.used()), grouped(row.total()))
}

/// Several sizes in one unit: KiB where all are exact in two decimals, else bytes.
pub(super) fn sizes<const N: usize>(values: [u64; N]) -> ([String; N], &'static str) {
    let exact = !fmt::in_bytes() && values.iter().all(|value| value % 1024 * 100 % 1024 == 0);
    (values.map(|value| if exact { kib_number(value) } else { grouped(value) }), if exact { fmt::kib_unit() } else { "B" })
}

/// ", blocked by S", or less where no resource of the map is to blame.
fn blocked_by(model: &SmMapModel) -> String {
    let letters: Vec<String> = model.rows.iter().filter(|row| row.refuses).map(|row| row.resource.letter().to_string()).collect();
    match letters.as_slice() {
        _ if model.refused.is_none() => String::new(),
        [] => ", blocked".to_owned(),
        [init @ .., last] if !init.is_empty() => format!(", blocked by {} and {last}", init.join(", ")),
        [only, ..] => format!(", blocked by {only}"),
    }
}

fn notes(row: &Row, model: &SmMapModel, arch: &Arch, launch: &Launch, blocked: &str) -> Vec<String> {
    if row.refuses {
        refusal_notes(row, model, arch, launch)
    } else if let Some(idle) = idle_note(row, &model.occupancy) {
        vec![idle.to_owned()]
    } else if model.refused.is_some() {
        free_notes(row, blocked)
    } else {
        vec![share_note(row, &model.occupancy, launch)]
    }
}

/// A resource that a launch does not ask for.
fn idle_note(row: &Row, occupancy: &Occupancy) -> Option<&'static str> {
    match row.resource {
        Resource::Registers if occupancy.registers.warps_per_sub_partition.is_none() => Some("no registers asked: never a limit"),
        Resource::SharedMemory if occupancy.smem.allocated_per_block == 0 => Some("no shared memory asked: never a limit"),
        _ => None,
    }
}

/// What is left, and what keeps the next block from it.
fn free_notes(row: &Row, blocked: &str) -> Vec<String> {
    let even = row.lanes.iter().all(|lane| lane.left == row.lanes[0].left);
    let each = grouped(row.lanes[0].left);
    let free = match row.resource {
        Resource::SharedMemory => format!("{} free", bytes(row.left())),
        Resource::Warps if even => format!("{each} free in each sub-partition"),
        Resource::Registers if even => format!("{each} free in each file"),
        _ => format!("{} free", grouped(row.left())),
    };
    let short = match row.resource {
        Resource::SharedMemory => free.clone(),
        _ => format!("{} free", grouped(row.left())),
    };
    vec![format!("{free}{blocked}"), format!("{short}{blocked}"), short]
}

/// What a block takes: said while blocks are being placed.
fn share_note(row: &Row, occupancy: &Occupancy, launch: &Launch) -> String {
    match row.resource {
        Resource::Warps => format!("{} a block", counted(occupancy.warps_per_block.into(), "warp")),
        Resource::Registers => format!("{} a warp, one cell is {}", grouped(occupancy.registers.allocated_per_warp), grouped(row.unit)),
        Resource::SharedMemory => smem_share(occupancy),
        Resource::Blocks => "1 slot a block".to_owned(),
        Resource::Barriers => format!("{} a block", counted(launch.barriers_per_block.into(), "barrier")),
    }
}

/// "49 KiB a block: 48 asked + 1 reserve".
pub(super) fn smem_share(occupancy: &Occupancy) -> String {
    let smem = &occupancy.smem;
    let parts = [smem.allocated_per_block, smem.requested_per_block, smem.reserved_per_block, smem.rounding_per_block()];
    let ([all, asked, reserve, rounding], unit) = sizes(parts);
    let is_all_asked = smem.allocated_per_block == smem.requested_per_block;
    let asked = if is_all_asked { String::new() } else { format!(": {asked} asked") };
    let reserve = if smem.reserved_per_block > 0 { format!(" + {reserve} reserve") } else { String::new() };
    let rounding = if smem.rounding_per_block() > 0 { format!(" + {rounding} rounding") } else { String::new() };
    format!("{all} {unit} a block{asked}{reserve}{rounding}")
}

/// Why this resource refuses the next block, with the numbers.
fn refusal_notes(row: &Row, model: &SmMapModel, arch: &Arch, launch: &Launch) -> Vec<String> {
    let occupancy = &model.occupancy;
    let name = format!("block {}", occupancy.blocks_per_sm.saturating_add(1));
    if let Some(refusal) = occupancy.refusals.iter().find(|refusal| refusal.resource() == Some(row.resource)) {
        return cannot_launch_notes(&name, refusal, occupancy);
    }
    if occupancy.partitioned_caching && matches!(row.resource, Resource::Warps | Resource::Registers) {
        return vec![format!("no room for {name} in one half of the SM"), "no half has room".to_owned()];
    }
    match (row.resource, occupancy.next_block(row.resource, arch, launch)) {
        (Resource::Registers, _) => register_notes(&name, row, occupancy),
        (Resource::Blocks, _) => vec![format!("{name} finds all {} slots taken", grouped(row.total())), "all taken".to_owned()],
        (Resource::SharedMemory, Some(demand)) => {
            let ([needed, left, short], unit) = sizes([demand.needed, demand.left, demand.short()]);
            demand_notes(&name, (&needed, unit), &left, &format!("{short} {unit} short"))
        }
        (Resource::Warps, Some(demand)) => {
            let [needed, left, short] = [demand.needed, demand.left, demand.short()].map(grouped);
            demand_notes(&name, (&needed, if demand.needed == 1 { "slot" } else { "slots" }), &left, &format!("{short} short"))
        }
        (Resource::Barriers, Some(demand)) => {
            let [needed, left, short] = [demand.needed, demand.left, demand.short()].map(grouped);
            demand_notes(&name, (&needed, if demand.needed == 1 { "barrier" } else { "barriers" }), &left, &format!("{short} short"))
        }
        (_, None) => Vec::new(),
    }
}

/// "block 4 needs 49 KiB, 17 are left: 32 short", and shorter.
fn demand_notes(name: &str, (needed, unit): (&str, &str), left: &str, short: &str) -> Vec<String> {
    let bare = short.split(' ').next().unwrap_or(short);
    let left = match left {
        "0" => "none left".to_owned(),
        "1" => format!("1 is left: {bare} short"),
        left => format!("{left} are left: {bare} short"),
    };
    vec![format!("{name} needs {needed} {unit}, {left}"), format!("needs {needed} {unit}, {left}"), short.to_owned()]
}

/// The registers refuse by whole warps: what is left may be enough in sum and still too little for a warp in each file.
fn register_notes(name: &str, row: &Row, occupancy: &Occupancy) -> Vec<String> {
    let per_warp = occupancy.registers.allocated_per_warp;
    let fit: u64 = row.lanes.iter().map(|lane| lane.left.checked_div(per_warp).unwrap_or(0)).sum();
    let needed = counted(occupancy.warps_per_block.into(), "warp");
    let fit = match fit {
        0 => "none fits".to_owned(),
        1 => "1 fits".to_owned(),
        fit => format!("{} fit", grouped(fit)),
    };
    vec![
        format!("{name} needs {needed} of {} registers, {fit}", grouped(per_warp)),
        format!("{name} needs {needed}, {fit}"),
        format!("needs {needed}, {fit}"),
        fit,
    ]
}

/// The gist of a reason; the whole sentence stands below the map.
fn cannot_launch_notes(name: &str, refusal: &Refusal, occupancy: &Occupancy) -> Vec<String> {
    let (amount, allowed) = match refusal {
        Refusal::Threads { threads, allowed } => (format!("has {} threads", grouped((*threads).into())), grouped((*allowed).into())),
        Refusal::RegistersPerThread { registers, allowed } => {
            (format!("has {} registers a thread", grouped((*registers).into())), grouped((*allowed).into()))
        }
        Refusal::RegistersPerBlock { charged, allowed, .. } => {
            (format!("is charged {} registers", grouped(*charged)), grouped((*allowed).into()))
        }
        Refusal::DynamicOverOwnMaximum { dynamic_bytes, maximum_bytes } => {
            (format!("asks {} dynamic", bytes(*dynamic_bytes)), bytes(*maximum_bytes))
        }
        Refusal::SharedMemory { allowed_bytes, .. } => {
            (format!("asks {}", bytes(occupancy.smem.requested_per_block)), bytes(*allowed_bytes))
        }
        Refusal::Barriers { barriers, allowed } => (format!("has {}", counted((*barriers).into(), "barrier")), grouped((*allowed).into())),
        _ => return Vec::new(),
    };
    vec![format!("{name} {amount}, {allowed} allowed"), format!("{allowed} allowed")]
}

/// The whole map for a screen reader, without the GPU's name.
fn sentence(model: &SmMapModel) -> String {
    let occupancy = &model.occupancy;
    let warps = u64::try_from(model.placed).unwrap_or(0) * u64::from(occupancy.warps_per_block);
    let share = as_ratio(warps, occupancy.max_warps_per_sm.into()) * 100.0;
    let [figure, otherwise] = [fmt::occupancy, fmt::occupancy_otherwise].map(|said| said(share, occupancy.max_warps_per_sm));
    let resident = counted(model.placed as u64, "block");
    let refusal = model.refused.map_or_else(String::new, |refused| refusal_sentence(model, refused));
    let partial = model.partial_block().map_or_else(String::new, |block| partial_sentence(model, block));
    let rows = model.rows.iter().map(|row| format!("{}: {}.", row.resource.name(), row.value)).collect::<Vec<_>>().join(" ");
    format!("{resident} resident, {otherwise}, {figure} theoretical occupancy.{refusal}{partial} {rows}")
}

/// " Block 2 of 3 is being placed: warp slots and registers taken, shared memory not yet."
fn partial_sentence(model: &SmMapModel, block: usize) -> String {
    let names = |taken: bool| {
        let rows = model.rows.iter().filter(|row| row.resource != Resource::Blocks && (row.blocks > block) == taken);
        // A resource that no block asks for is not waited for.
        let rows = rows.filter(|row| idle_note(row, &model.occupancy).is_none());
        listed(&rows.map(|row| row.resource.name().to_lowercase()).collect::<Vec<_>>())
    };
    let of = model.occupancy.blocks_per_sm;
    format!(" Block {} of {of} is being placed: {} taken, {} not yet.", block + 1, names(true), names(false))
}

/// "warp slots, registers and shared memory"
fn listed(names: &[String]) -> String {
    match names {
        [init @ .., last] if !init.is_empty() => format!("{} and {last}", init.join(", ")),
        names => names.concat(),
    }
}

/// "Block 2 of 5: 8 warp slots, 10,240 registers, 17,408 B shared memory"; what a block being placed has taken, and what it lacks.
pub(super) fn block_name(model: &SmMapModel, launch: &Launch, block: usize) -> String {
    let of = model.occupancy.blocks_per_sm;
    let shares =
        |rows: &mut dyn Iterator<Item = &Row>| rows.filter_map(|row| share(row.resource, &model.occupancy, launch)).collect::<Vec<_>>();
    if model.refused == Some(block) {
        let reasons: Vec<String> = model.rows.iter().filter(|row| row.refuses).map(|row| row.resource.name().to_lowercase()).collect();
        let by = if reasons.is_empty() { String::new() } else { format!(" by {}", listed(&reasons)) };
        return format!("Block {}, refused{by}: needs {}", block + 1, shares(&mut model.rows.iter()).join(", "));
    }
    let taken = shares(&mut model.rows.iter().filter(|row| row.blocks > block)).join(", ");
    let lacks = shares(&mut model.rows.iter().filter(|row| row.blocks <= block)).join(", ");
    match (block < model.placed, model.partial_block() == Some(block)) {
        (true, _) => format!("Block {} of {of}: {taken}", block + 1),
        (_, true) => format!("Block {} of {of}, being placed: {taken} taken, {lacks} not yet", block + 1),
        _ => "No block on the SM".to_owned(),
    }
}

/// What a block takes of a resource; nothing for what it does not ask and for its slot.
fn share(resource: Resource, occupancy: &Occupancy, launch: &Launch) -> Option<String> {
    let (amount, words) = match resource {
        Resource::Warps => return Some(counted(occupancy.warps_per_block.into(), "warp slot")),
        Resource::Registers => (occupancy.registers.allocated_per_block, "registers"),
        Resource::SharedMemory => (occupancy.smem.allocated_per_block, "B shared memory"),
        Resource::Barriers => return Some(counted(launch.barriers_per_block.into(), "barrier")),
        Resource::Blocks => return None,
    };
    (amount > 0).then(|| format!("{} {words}", grouped(amount)))
}

fn refusal_sentence(model: &SmMapModel, refused: usize) -> String {
    let refusing = model.rows.iter().filter(|row| row.refuses);
    let reasons: Vec<String> = refusing.map(|row| row.resource.name().to_lowercase() + &why(row)).collect();
    if reasons.is_empty() {
        format!(" Block {} is refused.", refused + 1)
    } else {
        format!(" Block {} is refused by {}.", refused + 1, reasons.join(" and by "))
    }
}

fn why(row: &Row) -> String {
    row.notes.first().map_or_else(String::new, |note| format!(" ({note})"))
}

#[expect(clippy::cast_precision_loss, reason = "a few warps")]
fn as_ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
