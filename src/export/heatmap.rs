//! A heatmap as a table for spreadsheets: one row for each pair of block size and registers.

use crate::arch::Arch;
use crate::engine::{Launch, evaluate};
use crate::units::{Dim3, WARP_SIZE};

/// A compiler gives no thread more.
const MOST_REGISTERS: u32 = 255;

/// Every register count of a thread with every whole number of warps in a block, all else as in `launch`. A launch that cannot run has
/// 0 blocks and no limiters.
///
/// # Errors
/// When the table cannot be written, which a text in memory always can.
pub fn heatmap_csv(arch: &Arch, launch: &Launch) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "threads_per_block",
        "registers_per_thread",
        "blocks_per_sm",
        "active_warps_per_sm",
        "theoretical_occupancy_percent",
        "limiters",
    ])?;
    for warps in 1..=arch.max_threads_per_block / WARP_SIZE {
        for registers in 1..=arch.max_registers_per_thread.min(MOST_REGISTERS) {
            let block = Dim3::linear(warps * WARP_SIZE);
            let occupancy = evaluate(arch, &Launch { block, registers_per_thread: registers, ..launch.clone() });
            let limiters = if occupancy.can_launch() { occupancy.limiters.joined_keys() } else { String::new() };
            writer.write_record([
                block.x.to_string(),
                registers.to_string(),
                occupancy.blocks_per_sm.to_string(),
                occupancy.active_warps_per_sm().to_string(),
                occupancy.theoretical_percent().to_string(),
                limiters,
            ])?;
        }
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn every_pair_has_its_row() {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        let launch = Launch { dynamic_smem_bytes: 48 * 1024, ..Launch::new(256, 64) };
        let text = String::from_utf8(heatmap_csv(arch, &launch).expect("a table")).expect("text");
        assert_eq!(text.lines().count(), 1 + 32 * 255);
        assert!(text.contains("\n256,64,3,24,37.5,shared_memory\n"), "the launch itself");
        assert!(text.contains("\n1024,255,0,0,0,\n"), "it cannot run");
    }
}
