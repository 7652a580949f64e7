//! Any text as a GPU file: facts that pass the checks have an answer for every launch, and are written and read back to the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occuscope::arch::Catalog;
use occuscope::engine::sweep::{Axis, Variable, heatmap};
use occuscope::engine::{Launch, evaluate};

fuzz_target!(|text: &str| {
    let builtin = Catalog::builtin();
    let Ok(catalog) = builtin.with_files(&[("own.toml", text)]) else { return };
    for arch in catalog.archs().filter(|arch| builtin.arch(arch.compute_capability) != Some(*arch)) {
        for (threads, registers, smem) in [(1, 0, 0), (256, 64, 49_152), (1024, 255, 1), (u32::MAX, u32::MAX, u64::MAX)] {
            let launch = Launch { dynamic_smem_bytes: smem, barriers_per_block: 3, ..Launch::new(threads, registers) };
            let occupancy = evaluate(arch, &launch);
            assert!(occupancy.blocks_per_sm <= arch.max_blocks_per_sm);
        }
        let axes = [Axis::new(Variable::RegistersPerThread, 0, 256, 64), Axis::new(Variable::ThreadsPerBlock, 1, 1025, 128)];
        heatmap(arch, &Launch::default(), axes[0], axes[1]);
        let written = arch.to_toml(catalog.gpus_of(arch.compute_capability));
        let again = builtin.with_files(&[("own.toml", &written)]).expect("a GPU file that was written");
        assert_eq!(again.arch(arch.compute_capability), Some(arch));
    }
});
