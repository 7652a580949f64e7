//! Launches worth starting from.

use super::document::{Configuration, GpuChoice};
use crate::engine::Launch;
use crate::units::{Dim3, KIB};

/// A configuration with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    pub name: &'static str,
    pub note: &'static str,
    pub configuration: Configuration,
}

/// The built-in presets, in the order in which they are listed.
pub fn builtin() -> Vec<Preset> {
    let preset = |name, note, gpu: &str, launch| Preset {
        name,
        note,
        configuration: Configuration { gpu: GpuChoice::Product(gpu.to_owned()), launch },
    };
    vec![
        preset(
            "Tiled matmul, 48 KiB",
            "Shared memory stops the fourth block; an H100 takes it.",
            A100,
            Launch { dynamic_smem_bytes: 48 * KIB, grid: Some(Dim3::linear(1024)), ..Launch::new(256, 64) },
        ),
        preset(
            "CUDA guide, 64 registers",
            "Two blocks of 512 threads fill the register files exactly.",
            "P100 SXM2 16 GB",
            Launch::new(512, 64),
        ),
        preset("CUDA guide, one more", "One register more, and only one block fits.", "P100 SXM2 16 GB", Launch::new(512, 65)),
        preset("Rounding trap, 41 registers", "41 are asked, 48 allocated.", A100, Launch::new(128, 41)),
        preset("Large blocks, 768 threads", "A third block would need 72 of 64 warp slots.", A100, Launch::new(768, 32)),
        preset("Tiny blocks, 32 threads", "The block slots run out at half the warps.", A100, Launch::new(32, 32)),
    ]
}

const A100: &str = "A100 SXM 40 GB";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;
    use crate::engine::evaluate;

    #[test]
    fn presets_show_what_they_say() {
        let catalog = Catalog::builtin();
        let percents: Vec<f64> = builtin()
            .iter()
            .map(|preset| {
                let GpuChoice::Product(name) = &preset.configuration.gpu else { panic!("{} names no product", preset.name) };
                let gpu = catalog.gpus().iter().find(|gpu| gpu.name == *name).unwrap_or_else(|| panic!("{name} is not in the table"));
                let arch = catalog.arch(gpu.compute_capability).expect("a product's architecture");
                evaluate(arch, &preset.configuration.launch).theoretical_percent()
            })
            .collect();
        assert_eq!(percents, [37.5, 50.0, 25.0, 62.5, 75.0, 50.0]);
    }
}
