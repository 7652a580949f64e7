//! A GPU file out of facts and products, for what somebody made up in an editor and wants to keep.

use std::fmt::Write;

use toml::Value;

use super::{Arch, Gpu};

impl Arch {
    /// The text of a GPU file with these facts and products, every fact spelled out and none with a source.
    ///
    /// [`Catalog::with_files`](super::Catalog::with_files) reads it back to the same, as long as the facts pass [`Arch::check`]
    /// and the products are of this compute capability.
    pub fn to_toml<'g>(&self, gpus: impl IntoIterator<Item = &'g Gpu>) -> String {
        let mut text = String::new();
        line(&mut text, "compute_capability", &self.compute_capability.to_string().into());
        line(&mut text, "name", &self.name.as_str().into());
        line(&mut text, "uncertain", &list(&self.uncertain));
        line(&mut text, "invented", &self.invented.into());
        text.push('\n');
        for (key, value) in self.facts() {
            line(&mut text, key, &value);
        }
        for gpu in gpus {
            text.push_str("\n[[gpu]]\n");
            for (key, value) in gpu.lines() {
                line(&mut text, key, &value);
            }
        }
        text
    }

    fn facts(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("max_threads_per_block", self.max_threads_per_block.into()),
            ("max_threads_per_sm", self.max_threads_per_sm.into()),
            ("max_blocks_per_sm", self.max_blocks_per_sm.into()),
            ("sub_partitions", self.sub_partitions.into()),
            ("portable_sub_partitions", or_none(self.portable_sub_partitions)),
            ("registers_per_sm", self.registers_per_sm.into()),
            ("max_registers_per_block", self.max_registers_per_block.into()),
            ("max_registers_per_thread", self.max_registers_per_thread.into()),
            ("register_allocation_unit", self.register_allocation_unit.into()),
            ("smem_per_sm_bytes", self.smem_per_sm_bytes.into()),
            ("default_smem_per_block_bytes", self.default_smem_per_block_bytes.into()),
            ("optin_smem_per_block_bytes", self.optin_smem_per_block_bytes.into()),
            ("reserved_smem_per_block_bytes", self.reserved_smem_per_block_bytes.into()),
            ("smem_allocation_unit_bytes", self.smem_allocation_unit_bytes.into()),
            ("smem_configurations_bytes", self.smem_configurations_bytes.clone().into()),
            ("max_barriers_per_sm", or_none(self.max_barriers_per_sm)),
            ("max_virtual_resources_per_sm", or_none(self.max_virtual_resources_per_sm)),
            ("partitioned_caching", self.partitioned_caching.into()),
            ("max_portable_cluster_size", or_none(self.max_portable_cluster_size)),
        ]
    }
}

impl Gpu {
    fn lines(&self) -> Vec<(&'static str, Value)> {
        // TOML's integers are signed; a bandwidth beyond them is left out, as one that is not known.
        let bandwidth = self.memory_bytes_per_second.and_then(|bytes| i64::try_from(bytes).ok());
        let mut lines = vec![
            ("name", self.name.as_str().into()),
            ("driver_names", list(&self.driver_names)),
            ("aliases", list(&self.aliases)),
            ("num_sms", or_none(self.num_sms)),
            ("typical", self.typical.into()),
        ];
        lines.extend(bandwidth.map(|bytes| ("memory_bytes_per_second", bytes.into())));
        lines.extend(self.uncertain.as_deref().map(|why| ("uncertain", why.into())));
        lines
    }
}

/// A number, or the word that stands for its absence.
fn or_none(value: Option<u32>) -> Value {
    value.map_or_else(|| Value::from("none"), Value::from)
}

fn line(text: &mut String, key: &str, value: &Value) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{key} = {value}");
}

fn list(texts: &[String]) -> Value {
    texts.to_vec().into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Catalog;
    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        let builtin = Catalog::builtin();
        for arch in builtin.archs() {
            let gpus: Vec<&Gpu> = builtin.gpus_of(arch.compute_capability).collect();
            let text = arch.to_toml(gpus.iter().copied());
            let read = Catalog::default().with_files(&[("written.toml", &text)]).unwrap();
            assert_eq!(read.arch(arch.compute_capability), Some(arch));
            let without_sources: Vec<Gpu> = gpus.into_iter().map(|gpu| Gpu { sources: BTreeMap::new(), ..gpu.clone() }).collect();
            assert_eq!(read.gpus(), without_sources);
        }
    }

    #[test]
    fn awkward_names_survive() {
        let name = "\"Half\" an A100 \\ 50 %\n→ 🙂";
        let arch = Arch { name: name.to_owned(), ..Catalog::builtin().archs().next().unwrap().clone() };
        let read = Catalog::default().with_files(&[("written.toml", arch.to_toml([]))]).unwrap();
        assert_eq!(read.archs().next().unwrap().name, name);
    }
}
