//! Which GPU is meant: by product, by compute capability, or by both.

use anyhow::{anyhow, bail};

use crate::arch::{Arch, Catalog, Gpu};
use crate::session::GpuChoice;

/// The facts to calculate with, and the product when one was named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen<'c> {
    pub arch: &'c Arch,
    pub gpu: Option<&'c Gpu>,
}

impl Chosen<'_> {
    /// As the session knows it.
    pub fn choice(&self) -> GpuChoice {
        self.gpu.map_or(GpuChoice::Capability(self.arch.compute_capability), GpuChoice::product)
    }
}

/// The GPU of `--cc` and `--gpu`. A product alone implies its compute capability; with both, they must agree.
///
/// # Errors
/// When none is given, one is unknown (with the near ones), or they disagree.
pub(super) fn choose<'c>(catalog: &'c Catalog, cc: Option<&str>, gpu: Option<&str>) -> anyhow::Result<Chosen<'c>> {
    match (cc, gpu) {
        (None, None) => bail!("no GPU is given; name one with --gpu, or its compute capability with --cc 8.0"),
        (Some(cc), None) => Ok(Chosen { arch: catalog.find_arch(cc)?, gpu: None }),
        (None, Some(gpu)) => of_product(catalog, catalog.find_gpu(gpu)?),
        (Some(cc), Some(gpu)) => {
            let arch = catalog.find_arch(cc)?;
            let gpu = catalog.find_gpu(gpu)?;
            if arch.compute_capability != gpu.compute_capability {
                bail!(
                    "--gpu and --cc disagree: {} has compute capability {}, not {}; leave one of them out",
                    gpu.name,
                    gpu.compute_capability,
                    arch.compute_capability
                );
            }
            Ok(Chosen { arch, gpu: Some(gpu) })
        }
    }
}

/// A text that is a compute capability or a product, whichever it reads as.
pub(super) fn choose_either<'c>(catalog: &'c Catalog, text: &str) -> anyhow::Result<Chosen<'c>> {
    let is_capability = text.parse::<crate::arch::ComputeCapability>().is_ok();
    if is_capability { choose(catalog, Some(text), None) } else { choose(catalog, None, Some(text)) }
}

fn of_product<'c>(catalog: &'c Catalog, gpu: &'c Gpu) -> anyhow::Result<Chosen<'c>> {
    let arch = catalog.arch(gpu.compute_capability);
    let arch = arch.ok_or_else(|| anyhow!("the facts about compute capability {} are missing", gpu.compute_capability))?;
    Ok(Chosen { arch, gpu: Some(gpu) })
}
