//! The built-in facts against the table they were taken from, and GPU files that are right and wrong.

use super::*;

/// The header's answers for every compute capability, one row each; `inf` is "never limits".
const ARCH_TABLE: &str = include_str!("../../tests/golden/arch_table.csv");

fn cc(text: &str) -> ComputeCapability {
    text.parse().unwrap()
}

fn problems_of(text: &str) -> String {
    Catalog::builtin().with_files(&[("mine.toml", text)]).unwrap_err().to_string()
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
        assert_eq!(gpu.sources.contains_key("num_sms"), gpu.num_sms.is_some(), "{}", gpu.name);
        assert!(gpu.sources.values().all(|source| explained(source)), "{}", gpu.name);
    }
}

#[test]
fn what_is_not_certain_is_marked() {
    let uncertain = Catalog::builtin().archs().filter(|arch| !arch.uncertain.is_empty());
    let uncertain: Vec<String> = uncertain.map(|arch| arch.compute_capability.to_string()).collect();
    assert_eq!(uncertain, ["7.2", "8.8", "10.1", "10.3", "10.7"]);
}

#[test]
fn every_architecture_with_products_has_a_typical_one() {
    let catalog = Catalog::builtin();
    let typical: Vec<&str> = catalog
        .archs()
        .filter(|arch| catalog.gpus_of(arch.compute_capability).next().is_some())
        .map(|arch| catalog.typical_gpu(arch.compute_capability).map_or("none", |gpu| &gpu.name))
        .collect();
    assert!(!typical.contains(&"none"), "{typical:?}");
    assert_eq!(catalog.typical_gpu(cc("8.0")).unwrap().name, "A100 SXM 40 GB");
    assert!(catalog.typical_gpu(cc("10.7")).is_none());
}

#[test]
fn a_family_name_stands_only_where_all_have_as_many_sms() {
    for family in ["A100", "V100", "P100", "GH200"] {
        let gpu = Catalog::builtin().find_gpu(family).unwrap();
        let members = Catalog::builtin().gpus_of(gpu.compute_capability).filter(|gpu| gpu.name.starts_with(family));
        assert!(members.map(|member| member.num_sms).all(|num_sms| num_sms == gpu.num_sms), "{family}");
    }
}

#[test]
fn the_files_of_the_readme_load() {
    let readme = include_str!("../../arch/README.md");
    let files: Vec<&str> = readme.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(files.len(), 3);
    let named: Vec<(&str, &str)> = files.iter().map(|text| ("README.md", *text)).collect();
    let catalog = Catalog::builtin().with_files(&named).unwrap();
    assert_eq!(catalog.find_gpu("Test board").unwrap().num_sms, Some(30));
    assert_eq!(catalog.arch(cc("10.3")).unwrap().max_barriers_per_sm, Some(64));
    let exercise = catalog.arch(cc("0.1")).unwrap();
    assert!(exercise.invented);
    assert_eq!((exercise.registers_per_sm, exercise.smem_per_sm_bytes), (32_768, 167_936));
    assert_eq!(catalog.typical_gpu(cc("0.1")).unwrap().name, "Exercise GPU");
}

#[test]
fn an_override_changes_what_it_names_and_nothing_else() {
    let builtin = Catalog::builtin();
    let text = "compute_capability = \"8.0\"\nmax_blocks_per_sm = 16\n[[gpu]]\nname = \"A100 SXM 40 GB\"\nnum_sms = 54\n";
    let catalog = builtin.with_files(&[("mine.toml", text)]).unwrap();
    let expected = Arch { max_blocks_per_sm: 16, ..builtin.arch(cc("8.0")).unwrap().clone() };
    assert_eq!(catalog.arch(cc("8.0")), Some(&expected));
    assert_eq!(catalog.file_of(cc("8.0")), Some("mine.toml"));
    assert_eq!(catalog.source_of(cc("8.0"), "max_blocks_per_sm"), None);
    assert_eq!(catalog.source_of(cc("8.0"), "sub_partitions"), Some("occ-h"));
    assert_eq!(catalog.find_gpu("A100 SXM 40 GB").unwrap().num_sms, Some(54));
    assert_eq!(catalog.gpus().len(), builtin.gpus().len());
    assert_eq!(builtin.arch(cc("8.0")).unwrap().max_blocks_per_sm, 32);
}

#[test]
fn none_takes_a_fact_of_the_base_away() {
    let text =
        "compute_capability = \"0.9\"\nname = \"No clusters\"\ninvented = true\nbased_on = \"9.0\"\nmax_portable_cluster_size = \"none\"\n";
    let catalog = Catalog::builtin().with_files(&[("mine.toml", text)]).unwrap();
    let arch = catalog.arch(cc("0.9")).unwrap();
    assert_eq!((arch.max_portable_cluster_size, arch.max_barriers_per_sm), (None, Some(64)));
}

#[test]
fn all_problems_of_a_file_are_reported_at_once() {
    let text = r#"compute_capability = "0.2"
invented = "yes"
max_threads_per_block = 2_048
max_threads_per_sm = 1_000
max_blocks_per_sm = 0
sub_partitions = 3
registers_per_sm = 65_536
max_registers_per_block = 131_072
max_registers_per_thread = -1
register_alocation_unit = 256
smem_per_sm_bytes = 102_400
default_smem_per_block_bytes = 49_152
optin_smem_per_block_bytes = 102_400
reserved_smem_per_block_bytes = 1_024
smem_allocation_unit_bytes = "128 B"
smem_configurations_bytes = [8_192, 0, 65_536]
max_barriers_per_sm = { value = 0, sauce = "me" }

[[gpu]]
name = "A100"
num_sms = 0

[[gpu]]
driver_names = "Board"
"#;
    let expected = r#"17 problems with GPU facts
  name: found nothing, expected a name, for example "Ampere (GA100)", mine.toml
  register_allocation_unit: found nothing, expected a whole number, mine.toml
  invented: found "yes", expected true or false, mine.toml:2
  max_threads_per_sm: found 1,000, expected a multiple of 32, the threads of a warp, mine.toml:4
  max_blocks_per_sm: found 0, expected 1 to 4,096, mine.toml:5
  max_registers_per_block: found 131,072, expected at most registers_per_sm (65,536), mine.toml:8
  max_registers_per_thread: found -1, expected a whole number that is not negative, without unit, mine.toml:9
  register_alocation_unit: found an unknown key, expected a known key; the nearest is register_allocation_unit, mine.toml:10
  optin_smem_per_block_bytes: found 102,400, expected a size that fits smem_per_sm_bytes (102,400) together with reserved_smem_per_block_bytes (1,024), mine.toml:13
  smem_allocation_unit_bytes: found "128 B", expected a whole number that is not negative, without unit, mine.toml:15
  smem_configurations_bytes: found [8192, 0, 65536], expected sizes in ascending order, each once, mine.toml:16
  max_barriers_per_sm: found { value = 0, sauce = "me" }, expected the value alone, or { value = …, source = "…" }, mine.toml:17
  gpu[1].name: found "A100", expected a name of its own; A100 SXM 40 GB (compute capability 8.0) has this one, mine.toml:20
  gpu[1].num_sms: found 0, expected 1 to 65,536, mine.toml:21
  gpu[2].name: found nothing, expected a name, for example "A100 SXM 40 GB", mine.toml:23
  gpu[2].num_sms: found nothing, expected a whole number, or "none" where it is not known, mine.toml:23
  gpu[2].driver_names: found "Board", expected a list of texts, ["one", "two"], mine.toml:24"#;
    assert_eq!(problems_of(text), expected);
}

#[test]
fn text_that_is_not_toml_is_reported_with_its_lines() {
    let expected = "2 problems with GPU facts
  TOML: found compute_capability = 8.0.1, expected correct TOML (invalid float), mine.toml:1
  TOML: found max_blocks_per_sm = = 3, expected correct TOML (extra `=`), mine.toml:2";
    assert_eq!(problems_of("compute_capability = 8.0.1\nmax_blocks_per_sm = = 3\n"), expected);
}

#[test]
fn problems_of_several_files_come_together() {
    let files = [("a.toml", "compute_capability = 8.0\n"), ("b.toml", "[[gpu]]\nname = \"B\"\nnum_sms = 1\n")];
    let problems = Catalog::builtin().with_files(&files).unwrap_err();
    let expected = "2 problems with GPU facts
  compute_capability: found 8.0, expected text in quotes, a.toml:1
  compute_capability: found nothing, expected one such as \"8.0\", b.toml";
    assert_eq!(problems.to_string(), expected);
    assert_eq!(problems.problems()[0].place, Some(Place { file: "a.toml".to_owned(), line: Some(1) }));
}

#[test]
fn an_invented_gpu_does_not_take_the_place_of_a_real_one() {
    let expected = "compute_capability: found \"8.0\", expected one that no real GPU has, for example \"0.1\", \
                    since the file says invented = true, mine.toml:1";
    assert_eq!(problems_of("compute_capability = \"8.0\"\ninvented = true\n"), expected);
}

#[test]
fn a_new_compute_capability_needs_facts_or_a_base() {
    let missing = problems_of("compute_capability = \"13.0\"\nname = \"Next\"\n[[gpu]]\nname = \"N\"\nnum_sms = 1\n");
    assert!(
        missing.starts_with("14 problems with GPU facts\n  max_threads_per_block: found nothing, expected a whole number, mine.toml\n"),
        "{missing}"
    );
    let unknown_base = problems_of("compute_capability = \"13.0\"\nname = \"Next\"\nbased_on = \"12.9\"\n");
    assert!(unknown_base.starts_with("based_on: found \"12.9\", expected a known compute capability: 5.0, 5.2,"), "{unknown_base}");
}

#[test]
fn facts_from_an_editor_are_checked_by_the_same_rules() {
    let real = Catalog::builtin().arch(cc("9.0")).unwrap();
    assert_eq!(real.check(), Ok(()));
    let edited = Arch { smem_allocation_unit_bytes: 0, ..real.clone() };
    assert_eq!(edited.check().unwrap_err().to_string(), "smem_allocation_unit_bytes: found 0, expected 1 to 268,435,456");
}

#[test]
fn every_fact_that_the_engine_divides_by_is_refused_as_zero() {
    for key in ["max_threads_per_sm", "sub_partitions", "register_allocation_unit", "smem_allocation_unit_bytes", "portable_sub_partitions"]
    {
        let problems = problems_of(&format!("compute_capability = \"8.0\"\n{key} = 0\n"));
        assert!(problems.contains(&format!("{key}: found 0, expected 1 to ")) || problems.contains("expected 32 to"), "{problems}");
    }
    let empty = problems_of("compute_capability = \"8.0\"\nsmem_configurations_bytes = []\n");
    assert_eq!(empty, "smem_configurations_bytes: found [], expected a list with smem_per_sm_bytes (167936) in it, mine.toml:2");
}

#[test]
fn sub_partitions_divide_warps_and_registers() {
    let expected = "sub_partitions: found 3, expected a number that divides the 64 warps of max_threads_per_sm, mine.toml:2";
    assert_eq!(problems_of("compute_capability = \"8.0\"\nsub_partitions = 3\n"), expected);
    let expected = "sub_partitions: found 4, expected a number that divides registers_per_sm (65,504) into multiples of \
                    register_allocation_unit (256), mine.toml:2";
    let text = "compute_capability = \"8.0\"\nregisters_per_sm = 65_504\nmax_registers_per_block = 65_504\n";
    assert_eq!(problems_of(text), expected);
}

#[test]
fn a_file_cut_off_anywhere_is_answered_and_not_a_panic() {
    let (_, whole) = embedded::FILES[9];
    for end in (0..whole.len()).step_by(11) {
        let _ = Catalog::builtin().with_files(&[("cut.toml", &whole[..end])]);
    }
}

#[test]
fn textbook_gpus_say_what_they_are_and_take_no_real_place() {
    let catalog = Catalog::with_textbook();
    let invented: Vec<&Arch> = catalog.archs().filter(|arch| arch.invented).collect();
    assert_eq!(invented.len(), 3);
    for arch in invented {
        let gpu = catalog.typical_gpu(arch.compute_capability).unwrap();
        assert!(arch.name.starts_with("textbook: ") && gpu.name.starts_with("textbook: "));
        assert_eq!((arch.compute_capability.major, arch.check()), (0, Ok(())));
        assert_eq!(catalog.real_arch(arch.compute_capability), None);
    }
    assert_eq!(catalog.archs().len(), Catalog::builtin().archs().len() + 3);
    assert_eq!(catalog.real_gpus().count(), Catalog::builtin().gpus().len());
    let near = catalog.find_arch("1.0").unwrap_err().to_string();
    assert!(!near.contains("0.9"), "{near}");
}

#[test]
fn a_textbook_gpu_without_rounding_is_the_formula() {
    let catalog = Catalog::with_textbook();
    let arch = catalog.arch(cc("0.93")).unwrap();
    assert_eq!((arch.register_allocation_unit, arch.smem_allocation_unit_bytes, arch.reserved_smem_per_block_bytes), (1, 1, 0));
    let four = catalog.arch(cc("0.91")).unwrap();
    assert_eq!((four.max_threads_per_sm, four.max_blocks_per_sm), (1_536, 4));
    let many = catalog.arch(cc("0.92")).unwrap();
    assert_eq!((many.max_threads_per_sm, many.max_blocks_per_sm), (2_048, 64));
}

#[test]
fn a_later_file_replaces_the_product_that_it_names_and_no_other() {
    let product = |capability: &str, name: &str, num_sms: u32| {
        format!("compute_capability = \"{capability}\"\n[[gpu]]\nname = \"{name}\"\nnum_sms = {num_sms}\n")
    };
    let files = [("a", product("5.0", "Old one", 3)), ("b", product("9.0", "New one", 40)), ("c", product("5.0", "Old one", 7))];
    let builtin = Catalog::builtin();
    let catalog = builtin.with_files(&files).unwrap();
    assert_eq!(catalog.find_gpu("Old one").unwrap().num_sms, Some(7));
    assert_eq!(catalog.find_gpu("New one").unwrap().num_sms, Some(40));
    assert_eq!(catalog.gpus().len(), builtin.gpus().len() + 2);
    for gpu in builtin.gpus() {
        assert!(catalog.gpus().contains(gpu), "{}", gpu.name);
    }
}
