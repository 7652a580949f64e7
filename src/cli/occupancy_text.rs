//! The answer for one launch as text for people.

use std::fmt::Write;

use super::output::{QUIET, STRONG};
use super::table::{Align, lines};
use crate::arch::{Arch, Gpu};
use crate::engine::{Launch, Occupancy, Resource, Waves};
use crate::explain::headline;
use crate::fmt::{bytes, counted, grouped, percent};
use crate::units::Dim3;

/// The headline first, then the numbers behind it.
pub(super) fn text(
    arch: &Arch,
    gpu: Option<&Gpu>,
    launch: &Launch,
    occupancy: &Occupancy,
    num_sms: Option<u32>,
    waves: Option<&Waves>,
) -> String {
    let mut out = String::new();
    let sentence = headline(arch, launch, occupancy);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{QUIET}{}{QUIET:#}", asked(arch, gpu, launch));
    let _ = writeln!(out, "\n{STRONG}{}{STRONG:#} {}", sentence.strong, sentence.rest);
    for refusal in occupancy.refusals.iter().skip(1) {
        let _ = writeln!(out, "Also: {refusal}.");
    }
    section(&mut out, "", &result_rows(occupancy));
    section(&mut out, "Blocks per SM by resource", &limit_rows(occupancy));
    section(&mut out, "Allocated", &allocation_rows(occupancy));
    match (waves, launch.grid_blocks()) {
        (Some(waves), _) => section(&mut out, "Waves", &wave_rows(waves)),
        (None, Some(_)) if num_sms.is_none() => out.push_str("\nThe waves of the grid need the number of SMs: add --gpu or --num-sms.\n"),
        _ => {}
    }
    for uncertain in &arch.uncertain {
        let _ = writeln!(out, "\n{QUIET}Not certain: {uncertain}.{QUIET:#}");
    }
    out
}

fn section(out: &mut String, title: &str, rows: &[Vec<String>]) {
    out.push('\n');
    if !title.is_empty() {
        let _ = writeln!(out, "{STRONG}{title}{STRONG:#}");
    }
    for line in lines(&[Align::Left, Align::Right, Align::Left], rows) {
        let _ = writeln!(out, "{line}");
    }
}

fn row(name: &str, value: impl Into<String>, remark: impl Into<String>) -> Vec<String> {
    vec![name.to_owned(), value.into(), remark.into()]
}

/// "A100 SXM 40 GB · compute capability 8.0 · 256 threads × 64 registers · 48 KiB dynamic shared memory".
fn asked(arch: &Arch, gpu: Option<&Gpu>, launch: &Launch) -> String {
    let gpu = gpu.map_or_else(|| arch.name.clone(), |gpu| gpu.name.clone());
    let shape = if launch.block.is_linear() { String::new() } else { format!(" ({})", shape(launch.block)) };
    let threads = counted(launch.threads_per_block().into(), "thread");
    let registers = counted(launch.registers_per_thread.into(), "register");
    let mut parts = vec![
        gpu,
        if arch.invented { "invented".to_owned() } else { format!("compute capability {}", arch.compute_capability) },
        format!("{threads}{shape} × {registers}"),
    ];
    for (size, kind) in [(launch.static_smem_bytes, "static"), (launch.dynamic_smem_bytes, "dynamic")] {
        if size > 0 {
            parts.push(format!("{} {kind} shared memory", bytes(size)));
        }
    }
    parts.extend(launch.grid_blocks().map(|blocks| format!("grid of {}", counted(blocks, "block"))));
    parts.join(" · ")
}

fn shape(shape: Dim3) -> String {
    if shape.z == 1 { format!("{} × {}", shape.x, shape.y) } else { shape.to_string() }
}

fn result_rows(occupancy: &Occupancy) -> Vec<Vec<String>> {
    vec![
        row("Blocks per SM", grouped(occupancy.blocks_per_sm.into()), ""),
        row("Active warps per SM", grouped(occupancy.active_warps_per_sm().into()), format!("of {}", occupancy.max_warps_per_sm)),
        row("Theoretical occupancy", percent(occupancy.theoretical_percent()), ""),
    ]
}

fn limit_rows(occupancy: &Occupancy) -> Vec<Vec<String>> {
    let mark = if occupancy.can_launch() { "← stops the next block" } else { "← refuses the block" };
    Resource::ALL
        .into_iter()
        .map(|resource| {
            let remark = if occupancy.limiters.contains(resource) { mark } else { "" };
            row(resource.name(), occupancy.limits.get(resource).to_string(), remark)
        })
        .collect()
}

fn allocation_rows(occupancy: &Occupancy) -> Vec<Vec<String>> {
    let (registers, smem) = (&occupancy.registers, &occupancy.smem);
    vec![
        row("Registers per thread", grouped(registers.allocated_per_thread.into()), format!("{} asked", registers.requested_per_thread)),
        row("Registers per block", grouped(registers.allocated_per_block), ""),
        row(
            "Shared memory per block",
            bytes(smem.allocated_per_block),
            format!("{} asked, {} reserved", bytes(smem.requested_per_block), bytes(smem.reserved_per_block)),
        ),
    ]
}

fn wave_rows(waves: &Waves) -> Vec<Vec<String>> {
    let slots = format!("{} on {}", counted(waves.blocks_per_wave, "block slot"), counted(waves.num_sms.into(), "SM"));
    let partial = match (waves.is_unfilled(), waves.partial_wave_blocks) {
        (true, _) => "the grid does not fill one wave".to_owned(),
        (false, 0) => "no tail".to_owned(),
        (false, rest) => {
            format!("and {}: up to {} of the time", counted(rest, "block"), percent(waves.partial_wave_max_time_percent()))
        }
    };
    vec![
        row("Waves", format!("{:.2}", waves.waves()), slots),
        row("Full waves", grouped(waves.full_waves), partial),
        row("Slot efficiency", percent(waves.slot_efficiency_percent()), "block slots that ever hold a block"),
        row("Grid-limited occupancy", percent(waves.grid_limited_percent()), "per active cycle, blocks of equal time"),
        row("", percent(waves.grid_limited_per_elapsed_percent()), "per elapsed cycle"),
    ]
}
