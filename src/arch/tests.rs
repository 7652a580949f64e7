//! The built-in facts against the table they were taken from, and GPU files that are right and wrong.

use super::*;

/// The header's answers for every compute capability, one row each; `inf` is "never limits".
const ARCH_TABLE: &str = include_str!("../../tests/golden/arch_table.csv");

fn cc(text: &str) -> ComputeCapability {
    text.parse().unwrap()
}

#[test]
fn every_architecture_equals_the_table() {
    // Flexible, because the remark at the end of a row may hold commas.
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(ARCH_TABLE.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let mut seen = Vec::new();
    for row in reader.records() {
        let row = row.unwrap();
        let text = |column: &str| row.get(columns.iter().position(|name| name == column).unwrap()).unwrap();
        let number = |column: &str| text(column).parse::<u32>().unwrap();
        let optional = |column: &str| (text(column) != "inf").then(|| number(column));
        let known = Catalog::builtin().arch(cc(text("cc"))).unwrap();
        let expected = Arch {
            compute_capability: cc(text("cc")),
            name: known.name.clone(),
            uncertain: known.uncertain.clone(),
            invented: false,
            max_threads_per_block: number("max_threads_block"),
            max_threads_per_sm: number("max_threads_sm"),
            max_blocks_per_sm: number("max_blocks_sm"),
            sub_partitions: number("sub_partitions"),
            registers_per_sm: number("regs_sm"),
            max_registers_per_block: number("regs_block"),
            max_registers_per_thread: number("max_regs_thread_header"),
            register_allocation_unit: number("reg_alloc_unit"),
            portable_sub_partitions: (text("cc") == "6.0").then_some(4),
            smem_per_sm_bytes: number("smem_sm"),
            default_smem_per_block_bytes: number("smem_block_default"),
            optin_smem_per_block_bytes: number("smem_block_optin"),
            reserved_smem_per_block_bytes: number("smem_reserved"),
            smem_allocation_unit_bytes: number("smem_alloc_unit"),
            smem_configurations_bytes: text("smem_configs_kb").split(' ').map(|kib| kib.parse::<u32>().unwrap() * 1024).collect(),
            max_barriers_per_sm: optional("barriers_sm"),
            max_virtual_resources_per_sm: optional("virtual_sm"),
            partitioned_caching: text("partitioned_gc") == "1",
            max_portable_cluster_size: (known.compute_capability.major >= 9).then_some(8),
        };
        assert_eq!(known, &expected);
        assert_eq!(known.max_warps_per_sm(), number("max_warps_sm"));
        seen.push(known.compute_capability);
    }
    assert_eq!(seen.len(), 22);
    assert_eq!(Catalog::builtin().archs().map(|arch| arch.compute_capability).collect::<Vec<_>>(), seen);
}

#[test]
fn every_built_in_value_has_a_source_that_the_readme_explains() {
    let readme = include_str!("../../arch/README.md");
    let explained = |key: &str| readme.contains(&format!("| `{key}` |"));
    for arch in Catalog::builtin().archs() {
        let sources: Vec<_> = Catalog::builtin().sources_of(arch.compute_capability).collect();
        let optional = [
            arch.portable_sub_partitions.is_some(),
            arch.max_barriers_per_sm.is_some(),
            arch.max_virtual_resources_per_sm.is_some(),
            arch.partitioned_caching,
            arch.max_portable_cluster_size.is_some(),
        ];
        let expected = 14 + optional.iter().filter(|given| **given).count();
        assert_eq!(sources.len(), expected, "{}", arch.compute_capability);
        assert!(sources.iter().all(|(_, source)| explained(source)), "{}", arch.compute_capability);
    }
    for gpu in Catalog::builtin().gpus() {
        assert!(gpu.sources.contains_key("num_sms"), "{}", gpu.name);
        assert!(gpu.sources.values().all(|source| explained(source)), "{}", gpu.name);
    }
}

#[test]
fn what_is_not_certain_is_marked() {
    let uncertain = Catalog::builtin().archs().filter(|arch| !arch.uncertain.is_empty());
    let uncertain: Vec<String> = uncertain.map(|arch| arch.compute_capability.to_string()).collect();
    assert_eq!(uncertain, ["7.2", "8.8", "10.1", "10.3", "10.7"]);
}
