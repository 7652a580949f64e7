//! One launch per kind of sentence.

use super::*;
use crate::arch::Catalog;
use crate::engine::{PartitionedCaching, evaluate};

fn say(cc: &str, launch: &Launch) -> String {
    let arch = Catalog::builtin().find_arch(cc).unwrap();
    headline(arch, launch, &evaluate(arch, launch)).to_string()
}

fn with_smem(threads: u32, registers: u32, dynamic_smem_bytes: u64) -> Launch {
    Launch { dynamic_smem_bytes, ..Launch::new(threads, registers) }
}

#[test]
fn shared_memory() {
    assert_eq!(
        say("8.0", &with_smem(256, 64, 49_152)),
        "Shared memory stops block 4. A block takes 49 KiB (48 asked, 1 reserved). Three use 147 of 164 KiB; 17 KiB is too little for a fourth."
    );
    assert_eq!(
        say("8.0", &with_smem(128, 32, 100 * 1024)),
        "Shared memory stops block 2. A block takes 101 KiB (100 asked, 1 reserved). One uses 101 of 164 KiB; 63 KiB is too little for a second."
    );
}

#[test]
fn shared_memory_that_is_lost_to_rounding_is_named() {
    assert_eq!(
        say("8.6", &Launch { static_smem_bytes: 6272, ..Launch::new(96, 32) }),
        "Shared memory stops block 15. A block takes 7,296 B (6,272 B asked, 1 KiB reserved). 14 use 99.75 of 100 KiB; 256 B is too little for a 15th."
    );
    assert_eq!(
        say("7.0", &with_smem(32, 16, 8000)),
        "Shared memory stops block 13. A block takes 8 KiB (8,000 B asked, 192 B lost to rounding). Twelve use 96 of 96 KiB; nothing is left for a 13th."
    );
}

#[test]
fn a_carve_out_is_named() {
    let launch = Launch { static_smem_bytes: 256, carveout_percent: Some(4), ..Launch::new(64, 32) };
    assert_eq!(
        say("9.0", &launch),
        "Shared memory stops block 13. A block takes 1.25 KiB (256 B asked, 1 KiB reserved). Twelve use 15 of 16 KiB that the carve-out leaves; 1 KiB is too little for a 13th."
    );
}

#[test]
fn registers() {
    assert_eq!(
        say("8.0", &Launch::new(128, 41)),
        "Registers stop block 11. A warp takes 1,536 registers (41 a thread count as 48), so the register files hold 40 warps. Ten blocks of 4 use 40; none is left for an eleventh."
    );
    assert_eq!(
        say("8.0", &Launch::new(224, 92)),
        "Registers stop block 3. A warp takes 3,072 registers (92 a thread count as 96), so the register files hold 20 warps. Two blocks of 7 use 14; 6 are too few for a third."
    );
}

#[test]
fn registers_with_partitioned_caching() {
    let launch = Launch { partitioned_caching: PartitionedCaching::On, ..Launch::new(128, 85) };
    assert_eq!(
        say("5.2", &launch),
        "Registers stop block 5. A warp takes 2,816 registers (85 a thread count as 88), so each half of the SM holds 10 warps. A block of 4 warps has to fit one half."
    );
}

#[test]
fn warp_slots() {
    assert_eq!(
        say("8.0", &Launch::new(768, 16)),
        "Warp slots stop block 3. A block takes 24 slots. Two use 48 of 64; 16 are too few for a third."
    );
}

#[test]
fn block_slots() {
    assert_eq!(
        say("8.6", &Launch::new(32, 32)),
        "Block slots stop block 17. An SM holds 16 blocks, however small they are. Of 1 warp each they use 16 of 48 warp slots."
    );
}

#[test]
fn barriers() {
    assert_eq!(
        say("9.0", &Launch { barriers_per_block: 16, ..Launch::new(128, 32) }),
        "Barriers stop block 5. A block takes 16 barriers. Four use 64 of 64; none is left for a fifth."
    );
}

#[test]
fn ties() {
    assert_eq!(
        say("8.6", &Launch::new(288, 40)),
        "Registers and warp slots tie at 5: fixing only one gains nothing. Five blocks use 57,600 of 65,536 registers and 45 of 48 warp slots."
    );
    assert_eq!(
        say("12.0", &Launch::new(32, 16)),
        "Barriers and block slots tie at 24: fixing only one gains nothing. 24 blocks use 24 of 24 barriers and 24 of 24 block slots."
    );
}

#[test]
fn a_full_sm() {
    assert_eq!(say("8.0", &Launch::new(256, 32)), "All 64 warp slots are used. Eight blocks of 8 warps fill the SM.");
    assert_eq!(say("7.5", &Launch::new(1024, 32)), "All 32 warp slots are used. One block of 32 warps fills the SM.");
}

#[test]
fn a_refusal() {
    assert_eq!(
        say("8.9", &Launch::new(512, 153)),
        "Cannot launch. A block is charged 81,920 registers, but may have 65,536; use fewer registers or smaller blocks."
    );
    let both = say("7.5", &with_smem(2048, 64, 66_560));
    assert!(both.starts_with("Cannot launch. A block of 2,048 threads, but at most 1,024 are allowed; use smaller blocks."), "{both}");
    assert!(both.ends_with("more reasons."), "{both}");
}
