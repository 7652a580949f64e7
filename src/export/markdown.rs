//! The answer for one launch as a small Markdown document: to paste into an issue, a report, a slide.

use super::table::{Cells, Heading, Value, markdown_table, markdown_text};
use crate::arch::Arch;
use crate::engine::{Launch, Resource, Waves, evaluate};
use crate::explain::headline;
use crate::fmt::{bytes, grouped, percent};

/// The launch, the answer in words, its numbers, and the limit of each resource.
///
/// Without `num_sms` or a grid there are no waves among the numbers.
pub fn occupancy_markdown(arch: &Arch, gpu: Option<&str>, launch: &Launch, num_sms: Option<u32>) -> String {
    let occupancy = evaluate(arch, launch);
    let capability = format!("compute capability {}", arch.compute_capability);
    let on = match gpu {
        Some(gpu) if arch.invented => format!("{gpu} (invented)"),
        Some(gpu) => format!("{gpu} ({capability})"),
        None => capability,
    };
    let sentence = headline(arch, launch, &occupancy);
    let mut rows = vec![
        row("GPU", &on),
        row("Threads per block", &launch.block.to_string()),
        row("Registers per thread", &grouped(launch.registers_per_thread.into())),
        row("Static shared memory", &bytes(launch.static_smem_bytes)),
        row("Dynamic shared memory", &bytes(launch.dynamic_smem_bytes)),
        row("Blocks per SM", &grouped(occupancy.blocks_per_sm.into())),
        row("Active warps per SM", &format!("{} of {}", occupancy.active_warps_per_sm(), occupancy.max_warps_per_sm)),
        row("Theoretical occupancy", &percent(occupancy.theoretical_percent())),
    ];
    let waves = launch.grid_blocks().zip(num_sms).and_then(|(grid, num_sms)| Waves::new(&occupancy, num_sms, grid));
    rows.extend(waves.map(|waves| row("Waves", &format!("{:.2}", waves.waves()))));
    let numbers = markdown_table(&[text("input", "Launch"), text("value", "Value")], rows);
    let limits = Resource::ALL.map(|resource| {
        let mark = if occupancy.limiters.contains(resource) { "yes" } else { "" };
        cells(&[resource.name(), &occupancy.limits.get(resource).to_string(), mark])
    });
    let limits =
        markdown_table(&[text("resource", "Blocks per SM by resource"), text("blocks", "Blocks"), text("limiter", "Limiter")], limits);
    let (strong, rest) = (markdown_text(&sentence.strong), markdown_text(&sentence.rest));
    format!("**{strong}** {rest}\n\n{numbers}\n{limits}")
}

const fn text(key: &'static str, title: &'static str) -> Heading {
    Heading { key, title, is_text: true }
}

fn row(name: &str, value: &str) -> Cells {
    cells(&[name, value])
}

fn cells(texts: &[&str]) -> Cells {
    texts.iter().map(|text| Some(Value::Text((*text).to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn the_answer_stands_above_its_numbers() {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        let launch = Launch { dynamic_smem_bytes: 48 * 1024, ..Launch::new(256, 64) };
        let said = occupancy_markdown(arch, Some("A100 SXM 40 GB"), &launch, Some(108));
        assert!(said.starts_with("**Shared memory stops block 4.** A block takes 49 KiB"), "{said}");
        for line in [
            "| GPU | A100 SXM 40 GB (compute capability 8.0) |",
            "| Blocks per SM | 3 |",
            "| Active warps per SM | 24 of 64 |",
            "| Theoretical occupancy | 37.5 % |",
            "| Shared memory | 3 | yes |",
        ] {
            assert!(said.lines().any(|said| said == line), "{line} is not in\n{said}");
        }
    }
}
