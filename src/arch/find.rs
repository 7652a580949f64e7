//! From what somebody typed, or a report says, to the one product or architecture that is meant; otherwise a refusal
//! that names the near ones.

use super::near::unlikeness;
use super::{Arch, Catalog, ComputeCapability, Gpu, ParseComputeCapabilityError};

/// How many near names a refusal lists.
const MAX_NEAR: usize = 6;

/// No single product has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownGpu {
    /// None has it. `near` are the names of those that resemble it, nearest first; it may be empty.
    #[error("no known GPU is called \"{asked}\"{}", near_text(near))]
    NotKnown { asked: String, near: Vec<String> },
    /// Several have it, with different SM counts or memories.
    #[error("\"{asked}\" can be {}; write the one that is meant", candidates.join(", "))]
    Ambiguous { asked: String, candidates: Vec<String> },
}

/// The compute capability is not known, or the text is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownArch {
    #[error(transparent)]
    NotACapability(#[from] ParseComputeCapabilityError),
    #[error("compute capability {asked} is not known; the nearest are {}; known are {}", listed(near), listed(known))]
    NotKnown { asked: ComputeCapability, near: Vec<ComputeCapability>, known: Vec<ComputeCapability> },
}

/// One row of a list of GPUs to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'c> {
    Gpu(&'c Gpu),
    Arch(&'c Arch),
}

impl Catalog {
    /// The product with this name: its short name, an alias, or as the driver prints it.
    ///
    /// Capitals, spaces, dashes and the words NVIDIA, GeForce, Tesla and GPU do not count, so "rtx4090" is
    /// "NVIDIA GeForce RTX 4090". Everything else does: a similar product never stands in for another. A family name such
    /// as "A100" is the product that has it as an alias; families whose members differ in SM count have none.
    ///
    /// # Errors
    /// When no product has the name, with the near ones; or when several have it, with those.
    pub fn find_gpu(&self, text: &str) -> Result<&Gpu, UnknownGpu> {
        let asked = text.trim().to_owned();
        match self.gpus_called(text).as_slice() {
            [only] => Ok(only),
            [] => Err(UnknownGpu::NotKnown { near: self.near_gpus(text), asked }),
            several => Err(UnknownGpu::Ambiguous {
                asked,
                candidates: several.iter().map(|gpu| format!("{} ({} SMs)", gpu.name, gpu.num_sms)).collect(),
            }),
        }
    }

    /// All products with this name, matched as by [`Catalog::find_gpu`]: for a caller who knows more, for instance the
    /// SM count that a report states.
    pub fn gpus_called(&self, text: &str) -> Vec<&Gpu> {
        let key = key_from_name(text);
        self.gpus().iter().filter(|gpu| !key.is_empty() && gpu.names().any(|name| key_from_name(name) == key)).collect()
    }

    /// The facts of the compute capability written as "8.0", "sm_80" or "compute_80".
    ///
    /// # Errors
    /// When the text is no compute capability, or one that is not known; then with all that are.
    pub fn find_arch(&self, text: &str) -> Result<&Arch, UnknownArch> {
        let asked = text.parse()?;
        self.arch(asked).ok_or_else(|| {
            let known: Vec<ComputeCapability> = self.archs().map(|arch| arch.compute_capability).collect();
            UnknownArch::NotKnown { asked, near: near_capabilities(asked, &known), known }
        })
    }

    fn near_gpus(&self, text: &str) -> Vec<String> {
        let key = key_from_name(text);
        let unlike = |gpu: &Gpu| gpu.names().filter_map(|name| unlikeness(&key, &key_from_name(name))).min();
        let mut near: Vec<(usize, &Gpu)> = self.gpus().iter().filter_map(|gpu| Some((unlike(gpu)?, gpu))).collect();
        near.sort_by_key(|(unlikeness, _)| *unlikeness);
        near.into_iter().take(MAX_NEAR).map(|(_, gpu)| gpu.name.clone()).collect()
    }
}

impl Gpu {
    /// Everything it is called, the short name first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).chain(&self.driver_names).map(String::as_str)
    }
}

/// A name without what does not count: "NVIDIA GeForce RTX 4090 Laptop GPU" is "rtx4090laptop".
pub(super) fn key_from_name(name: &str) -> String {
    const SILENT_WORDS: [&str; 4] = ["nvidia", "geforce", "tesla", "gpu"];
    let mut key: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    for word in SILENT_WORDS {
        key = key.replace(word, "");
    }
    key
}

/// Those with the same major version; where there are none, those of the closest major version.
fn near_capabilities(asked: ComputeCapability, known: &[ComputeCapability]) -> Vec<ComputeCapability> {
    let away = |capability: &ComputeCapability| capability.major.abs_diff(asked.major);
    let closest = known.iter().map(away).min();
    known.iter().filter(|capability| Some(away(capability)) == closest).copied().collect()
}

fn listed(capabilities: &[ComputeCapability]) -> String {
    capabilities.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn near_text(near: &[String]) -> String {
    if near.is_empty() {
        "; give a compute capability such as 8.0, or a GPU file that describes it".to_owned()
    } else {
        format!("; near are {}; a compute capability such as 8.0 or a GPU file of your own will do too", near.join(", "))
    }
}
