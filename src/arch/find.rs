//! From what somebody typed, or a report says, to the one product or architecture that is meant; otherwise a refusal
//! that names the near ones.

use super::near::{best, likeness};
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
                candidates: several.iter().map(|gpu| format!("{} ({})", gpu.name, gpu.sms_in_words())).collect(),
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
            let known: Vec<ComputeCapability> = self.archs().filter(|arch| !arch.invented).map(|arch| arch.compute_capability).collect();
            UnknownArch::NotKnown { asked, near: near_capabilities(asked, &known), known }
        })
    }

    fn near_gpus(&self, text: &str) -> Vec<String> {
        let key = key_from_name(text);
        let like = |gpu: &Gpu| gpu.names().filter_map(|name| likeness(&key, &key_from_name(name))).min();
        best(self.gpus().iter().filter_map(|gpu| Some((like(gpu)?, gpu.name.clone()))), MAX_NEAR)
    }
}

impl Gpu {
    /// "108 SMs", or that their number is not known.
    pub fn sms_in_words(&self) -> String {
        self.num_sms.map_or_else(|| "SMs not known".to_owned(), |num_sms| crate::fmt::counted(num_sms.into(), "SM"))
    }

    /// Everything it is called, the short name first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.given_names().chain(self.driver_names.iter().map(String::as_str))
    }

    /// Its short name and aliases, which no other product shares.
    pub(super) fn given_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

/// A name without what does not count: "NVIDIA GeForce RTX 4090 Laptop GPU" is "rtx4090laptop".
pub(super) fn key_from_name(name: &str) -> String {
    const SILENT_WORDS: [&str; 4] = ["nvidia", "geforce", "tesla", "gpu"];
    let mut key: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    for word in SILENT_WORDS {
        if key.contains(word) {
            key = key.replace(word, "");
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (&'static str, u32) {
        let gpu = Catalog::builtin().find_gpu(text).unwrap_or_else(|unknown| panic!("{unknown}"));
        (&gpu.name, gpu.num_sms.expect("an SM count"))
    }

    fn refused(text: &str) -> String {
        Catalog::builtin().find_gpu(text).unwrap_err().to_string()
    }

    #[test]
    fn products_are_found_as_the_driver_prints_them() {
        assert_eq!(found("NVIDIA A100-SXM4-40GB"), ("A100 SXM 40 GB", 108));
        assert_eq!(found("NVIDIA A100-PCIE-40GB"), ("A100 PCIe 40 GB", 108));
        assert_eq!(found("Tesla V100-SXM2-16GB"), ("V100 SXM2 16 GB", 80));
        assert_eq!(found("Tesla T4"), ("T4", 40));
        assert_eq!(found("GeForce GTX 1080"), ("GTX 1080", 20));
        assert_eq!(found("NVIDIA GeForce GTX 1660 Ti"), ("GTX 1660 Ti", 24));
        assert_eq!(found("NVIDIA GeForce RTX 4090"), ("RTX 4090", 128));
        assert_eq!(found("NVIDIA GeForce RTX 3080 Ti Laptop GPU"), ("RTX 3080 Ti Laptop", 58));
        assert_eq!(found("NVIDIA RTX A6000"), ("RTX A6000", 84));
        assert_eq!(found("NVIDIA H100 80GB HBM3"), ("H100 SXM", 132));
        assert_eq!(found("NVIDIA H100 PCIe"), ("H100 PCIe", 114));
        assert_eq!(found("NVIDIA GH200 480GB"), ("GH200 480 GB", 132));
        assert_eq!(found("NVIDIA B200"), ("B200", 148));
        assert_eq!(found("NVIDIA GB200"), ("GB200", 152));
        assert_eq!(found("NVIDIA GeForce RTX 5070"), ("RTX 5070", 48));
    }

    #[test]
    fn products_are_found_as_people_write_them() {
        for text in ["a100", "A100 SXM 40GB", "a100-sxm4-40gb", "  A100 SXM4 40 GB "] {
            assert_eq!(found(text), ("A100 SXM 40 GB", 108), "{text}");
        }
        assert_eq!(found("rtx4090"), ("RTX 4090", 128));
        assert_eq!(found("RTX 4090 laptop"), ("RTX 4090 Laptop", 76));
        assert_eq!(found("v100"), ("V100 SXM2 16 GB", 80));
        assert_eq!(found("DGX Spark"), ("GB10", 48));
    }

    #[test]
    fn an_unknown_product_is_refused_with_the_near_ones() {
        assert_eq!(
            refused("H100"),
            "no known GPU is called \"H100\"; near are H100 SXM, H100 PCIe, H100 NVL; \
             a compute capability such as 8.0 or a GPU file of your own will do too"
        );
        assert!(refused("RTX 4095").contains("near are RTX 4090"), "{}", refused("RTX 4095"));
        assert_eq!(
            refused("Radeon VII"),
            "no known GPU is called \"Radeon VII\"; give a compute capability such as 8.0, or a GPU file that describes it"
        );
        assert!(Catalog::builtin().find_gpu("").is_err());
        assert!(Catalog::builtin().find_gpu("NVIDIA").is_err());
    }

    #[test]
    fn a_name_of_several_products_is_refused_with_all_of_them() {
        assert_eq!(
            refused("NVIDIA GeForce RTX 3080"),
            "\"NVIDIA GeForce RTX 3080\" can be RTX 3080 12 GB (70 SMs), RTX 3080 10 GB (68 SMs); write the one that is meant"
        );
        let called: Vec<u32> = Catalog::builtin().gpus_called("Orin").iter().filter_map(|gpu| gpu.num_sms).collect();
        assert_eq!(called, [16, 14, 8, 8, 4]);
    }

    #[test]
    fn architectures_are_found_by_any_spelling_and_never_by_likeness() {
        let catalog = Catalog::builtin();
        for text in ["8.0", "sm_80", "compute_80"] {
            assert_eq!(catalog.find_arch(text).unwrap().name, "Ampere (GA100)", "{text}");
        }
        assert_eq!(
            catalog.find_arch("8.4").unwrap_err().to_string(),
            "compute capability 8.4 is not known; the nearest are 8.0, 8.6, 8.7, 8.8, 8.9; known are 5.0, 5.2, 5.3, 6.0, 6.1, 6.2, \
             7.0, 7.2, 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3, 10.7, 11.0, 12.0, 12.1"
        );
        assert!(catalog.find_arch("13.0").unwrap_err().to_string().contains("the nearest are 12.0, 12.1"));
        assert!(catalog.find_arch("Ampere").unwrap_err().to_string().contains("is not a compute capability"));
    }
}
