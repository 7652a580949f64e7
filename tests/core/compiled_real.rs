//! Real compiler output, where it is at hand: every value that was printed, read through the importer.
//!
//! The files are not part of this package. Without them each test says so and passes.

use std::fs;
use std::path::{Path, PathBuf};

use occuscope::import::{Format, Kernel, Read, Report, Severity, read_report};

/// Where the output lies beside a checkout; `OCCUSCOPE_SHARED` names another place.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared");

fn outputs() -> Option<PathBuf> {
    let path = std::env::var_os("OCCUSCOPE_SHARED").map_or_else(|| PathBuf::from(SHARED), PathBuf::from).join("ptxas/out");
    if !path.is_dir() {
        eprintln!("skipped: no real compiler output here");
        return None;
    }
    Some(path)
}

fn report(folder: &Path, name: &str) -> Report {
    let bytes = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    read_report(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Kernel, compute capability, then registers, static shared memory, barriers, stack, spill stores, spill loads; `-` is a value
/// that the file does not have. Read off the files by hand and with `grep`.
const PTXAS: &str = "
sm_80/barriers.ptxas.txt|runtime_barrier|8.0|8|0|16|0|0|0
sm_80/barriers.ptxas.txt|four_barriers|8.0|8|0|4|0|0|0
sm_80/dynamic_smem.ptxas.txt|dynamic_smem|8.0|23|256|1|0|0|0
sm_80/launch_bounds.ptxas.txt|bounds_256_6|8.0|40|0|0|248|684|696
sm_80/launch_bounds.ptxas.txt|bounds_1024|8.0|64|0|0|0|0|0
sm_80/launch_bounds.ptxas.txt|bounds_none|8.0|72|0|0|0|0|0
sm_80/naive_matmul.ptxas.txt|naive_matmul|8.0|32|0|0|0|0|0
sm_80/spill_free.ptxas.txt|spill_kernel|8.0|128|0|0|0|0|0
sm_80/spill_maxrreg32.ptxas.txt|spill_kernel|8.0|32|0|0|1368|3124|3420
sm_80/templates.ptxas.txt|_ZN4demo20histogram_with_stackEPKiPii|8.0|38|0|0|128|0|0
sm_80/templates.ptxas.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|8.0|14|4096|1|0|0|0
sm_80/templates.ptxas.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|8.0|10|1024|1|0|0|0
sm_80/tiled_matmul.ptxas.txt|tiled_matmul|8.0|32|8192|1|0|0|0
sm_90/barriers.ptxas.txt|runtime_barrier|9.0|8|0|16|0|0|0
sm_90/barriers.ptxas.txt|four_barriers|9.0|8|0|4|0|0|0
sm_90/dynamic_smem.ptxas.txt|dynamic_smem|9.0|26|256|1|0|0|0
sm_90/launch_bounds.ptxas.txt|bounds_256_6|9.0|40|0|0|248|696|704
sm_90/launch_bounds.ptxas.txt|bounds_1024|9.0|64|0|0|8|4|4
sm_90/launch_bounds.ptxas.txt|bounds_none|9.0|72|0|0|0|0|0
sm_90/naive_matmul.ptxas.txt|naive_matmul|9.0|32|0|0|0|0|0
sm_90/spill_free.ptxas.txt|spill_kernel|9.0|128|0|0|0|0|0
sm_90/spill_maxrreg32.ptxas.txt|spill_kernel|9.0|32|0|0|1368|3392|3688
sm_90/templates.ptxas.txt|_ZN4demo20histogram_with_stackEPKiPii|9.0|38|0|0|128|0|0
sm_90/templates.ptxas.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|9.0|14|4096|1|0|0|0
sm_90/templates.ptxas.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|9.0|12|1024|1|0|0|0
sm_90/tiled_matmul.ptxas.txt|tiled_matmul|9.0|32|8192|1|0|0|0
sm_120/barriers.ptxas.txt|runtime_barrier|12.0|8|0|16|0|0|0
sm_120/barriers.ptxas.txt|four_barriers|12.0|8|0|4|0|0|0
sm_120/dynamic_smem.ptxas.txt|dynamic_smem|12.0|29|256|1|0|0|0
sm_120/launch_bounds.ptxas.txt|bounds_256_6|12.0|40|0|0|264|832|836
sm_120/launch_bounds.ptxas.txt|bounds_1024|12.0|64|0|0|0|0|0
sm_120/launch_bounds.ptxas.txt|bounds_none|12.0|56|0|0|0|0|0
sm_120/naive_matmul.ptxas.txt|naive_matmul|12.0|33|0|0|0|0|0
sm_120/spill_free.ptxas.txt|spill_kernel|12.0|96|0|0|0|0|0
sm_120/spill_maxrreg32.ptxas.txt|spill_kernel|12.0|32|0|0|1208|3864|4352
sm_120/templates.ptxas.txt|_ZN4demo20histogram_with_stackEPKiPii|12.0|39|0|0|128|0|0
sm_120/templates.ptxas.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|12.0|14|4096|1|0|0|0
sm_120/templates.ptxas.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|12.0|12|1024|1|0|0|0
sm_120/tiled_matmul.ptxas.txt|tiled_matmul|12.0|38|8192|1|0|0|0
ptxas-11.8.89/dynamic_smem.sm_80.txt|dynamic_smem|8.0|23|256|-|0|0|0
ptxas-11.8.89/naive_matmul.sm_80.txt|naive_matmul|8.0|32|0|-|0|0|0
ptxas-11.8.89/spill.sm_80.txt|spill_kernel|8.0|32|0|-|1224|3200|3496
ptxas-11.8.89/templates.sm_80.txt|_ZN4demo20histogram_with_stackEPKiPii|8.0|38|0|-|128|0|0
ptxas-11.8.89/templates.sm_80.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|8.0|14|4096|-|0|0|0
ptxas-11.8.89/templates.sm_80.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|8.0|10|1024|-|0|0|0
ptxas-11.8.89/tiled_matmul.sm_80.txt|tiled_matmul|8.0|32|8192|-|0|0|0
ptxas-12.4.131/dynamic_smem.sm_80.txt|dynamic_smem|8.0|23|256|-|0|0|0
ptxas-12.4.131/naive_matmul.sm_80.txt|naive_matmul|8.0|32|0|-|0|0|0
ptxas-12.4.131/spill.sm_80.txt|spill_kernel|8.0|32|0|-|1224|3200|3496
ptxas-12.4.131/templates.sm_80.txt|_ZN4demo20histogram_with_stackEPKiPii|8.0|38|0|-|128|0|0
ptxas-12.4.131/templates.sm_80.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|8.0|14|4096|-|0|0|0
ptxas-12.4.131/templates.sm_80.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|8.0|10|1024|-|0|0|0
ptxas-12.4.131/tiled_matmul.sm_80.txt|tiled_matmul|8.0|32|8192|-|0|0|0
ptxas-12.9.86/dynamic_smem.sm_80.txt|dynamic_smem|8.0|23|256|1|0|0|0
ptxas-12.9.86/naive_matmul.sm_80.txt|naive_matmul|8.0|32|0|0|0|0|0
ptxas-12.9.86/spill.sm_80.txt|spill_kernel|8.0|32|0|0|1224|3192|3488
ptxas-12.9.86/templates.sm_80.txt|_ZN4demo20histogram_with_stackEPKiPii|8.0|38|0|0|128|0|0
ptxas-12.9.86/templates.sm_80.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|8.0|14|4096|1|0|0|0
ptxas-12.9.86/templates.sm_80.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|8.0|10|1024|1|0|0|0
ptxas-12.9.86/tiled_matmul.sm_80.txt|tiled_matmul|8.0|32|8192|1|0|0|0
multi_arch.nvcc.txt|_ZN4demo20histogram_with_stackEPKiPii|8.0|38|0|0|128|0|0
multi_arch.nvcc.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|8.0|14|4096|1|0|0|0
multi_arch.nvcc.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|8.0|10|1024|1|0|0|0
multi_arch.nvcc.txt|_ZN4demo20histogram_with_stackEPKiPii|9.0|38|0|0|128|0|0
multi_arch.nvcc.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|9.0|14|4096|1|0|0|0
multi_arch.nvcc.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|9.0|12|1024|1|0|0|0
multi_arch.nvcc.txt|_ZN4demo20histogram_with_stackEPKiPii|12.0|39|0|0|128|0|0
multi_arch.nvcc.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|12.0|14|4096|1|0|0|0
multi_arch.nvcc.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|12.0|12|1024|1|0|0|0
rdc.ptxas.txt|_ZN4demo20histogram_with_stackEPKiPii|9.0|38|-|0|128|0|0
rdc.ptxas.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|9.0|14|-|1|0|0|0
rdc.ptxas.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|9.0|12|-|1|0|0|0
warnings_mixed.txt|spill_kernel|9.0|32|0|0|1368|3392|3688
error_static_smem.txt|_Z7too_bigPi|9.0|14|49156|1|0|0|0
";

/// Kernel, compute capability, then registers, static shared memory and stack.
///
/// The dumps of plain cubins do not name the GPU. Where that would decide the shared memory, it is not known.
const RESOURCE_USAGE: &str = "
sm_80/barriers.resusage.txt|runtime_barrier|-|8|0|0
sm_80/barriers.resusage.txt|four_barriers|-|8|0|0
sm_80/dynamic_smem.resusage.txt|dynamic_smem|-|23|256|0
sm_80/launch_bounds.resusage.txt|bounds_256_6|-|40|0|248
sm_80/launch_bounds.resusage.txt|bounds_1024|-|64|0|0
sm_80/launch_bounds.resusage.txt|bounds_none|-|72|0|0
sm_80/naive_matmul.resusage.txt|naive_matmul|-|32|0|0
sm_80/spill_free.resusage.txt|spill_kernel|-|128|0|0
sm_80/spill_maxrreg32.resusage.txt|spill_kernel|-|32|0|1368
sm_80/templates.resusage.txt|_ZN4demo20histogram_with_stackEPKiPii|-|38|0|128
sm_80/templates.resusage.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|-|14|4096|0
sm_80/templates.resusage.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|-|10|1024|0
sm_80/tiled_matmul.resusage.txt|tiled_matmul|-|32|8192|0
sm_90/barriers.resusage.txt|runtime_barrier|-|8|0|0
sm_90/barriers.resusage.txt|four_barriers|-|8|0|0
sm_90/dynamic_smem.resusage.txt|dynamic_smem|-|26|-|0
sm_90/launch_bounds.resusage.txt|bounds_256_6|-|40|0|248
sm_90/launch_bounds.resusage.txt|bounds_1024|-|64|0|8
sm_90/launch_bounds.resusage.txt|bounds_none|-|72|0|0
sm_90/naive_matmul.resusage.txt|naive_matmul|-|32|0|0
sm_90/spill_free.resusage.txt|spill_kernel|-|128|0|0
sm_90/spill_maxrreg32.resusage.txt|spill_kernel|-|32|0|1368
sm_90/templates.resusage.txt|_ZN4demo20histogram_with_stackEPKiPii|-|38|0|128
sm_90/templates.resusage.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|-|14|-|0
sm_90/templates.resusage.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|-|12|-|0
sm_90/tiled_matmul.resusage.txt|tiled_matmul|-|32|-|0
sm_120/barriers.resusage.txt|runtime_barrier|-|8|0|0
sm_120/barriers.resusage.txt|four_barriers|-|8|0|0
sm_120/dynamic_smem.resusage.txt|dynamic_smem|-|29|-|0
sm_120/launch_bounds.resusage.txt|bounds_256_6|-|40|0|264
sm_120/launch_bounds.resusage.txt|bounds_1024|-|64|0|0
sm_120/launch_bounds.resusage.txt|bounds_none|-|56|0|0
sm_120/naive_matmul.resusage.txt|naive_matmul|-|33|0|0
sm_120/spill_free.resusage.txt|spill_kernel|-|96|0|0
sm_120/spill_maxrreg32.resusage.txt|spill_kernel|-|32|0|1208
sm_120/templates.resusage.txt|_ZN4demo20histogram_with_stackEPKiPii|-|39|0|128
sm_120/templates.resusage.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|-|14|-|0
sm_120/templates.resusage.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|-|12|-|0
sm_120/tiled_matmul.resusage.txt|tiled_matmul|-|38|-|0
multi_arch.resusage.txt|_ZN4demo20histogram_with_stackEPKiPii|8.0|38|0|128
multi_arch.resusage.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|8.0|14|4096|0
multi_arch.resusage.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|8.0|10|1024|0
multi_arch.resusage.txt|_ZN4demo20histogram_with_stackEPKiPii|9.0|38|0|128
multi_arch.resusage.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|9.0|14|4096|0
multi_arch.resusage.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|9.0|12|1024|0
multi_arch.resusage.txt|_ZN4demo20histogram_with_stackEPKiPii|12.0|39|0|128
multi_arch.resusage.txt|_ZN4demo12block_reduceIdLi512ENS_3MaxEEEvPKT_PS2_i|12.0|14|4096|0
multi_arch.resusage.txt|_ZN4demo12block_reduceIfLi256ENS_4PlusEEEvPKT_PS2_i|12.0|12|1024|0
";

fn shown<T: ToString>(read: Option<Read<T>>) -> String {
    read.map_or_else(|| "-".to_owned(), |read| read.value.to_string())
}

/// The fields of a line of [`PTXAS`], as they were read.
fn ptxas_row(file: &str, kernel: &Kernel) -> String {
    let compiled = kernel.compiled.as_ref().unwrap();
    let memory = [kernel.static_smem_bytes, kernel.barriers.map(|read| read.map(u64::from)), compiled.stack_bytes];
    let spills = [compiled.spill_store_bytes, compiled.spill_load_bytes];
    let numbers: Vec<String> = memory.into_iter().chain(spills).map(shown).collect();
    let (cc, registers) = (shown(kernel.compute_capability), shown(kernel.registers_per_thread));
    format!("{file}|{}|{cc}|{registers}|{}", compiled.mangled_name, numbers.join("|"))
}

fn resource_usage_row(file: &str, kernel: &Kernel) -> String {
    let compiled = kernel.compiled.as_ref().unwrap();
    let (cc, registers) = (shown(kernel.compute_capability), shown(kernel.registers_per_thread));
    let smem = shown(kernel.static_smem_bytes);
    format!("{file}|{}|{cc}|{registers}|{smem}|{}", compiled.mangled_name, shown(compiled.stack_bytes))
}

/// Every kernel of every file that the rows name, in the order of the file.
fn check(folder: &Path, rows: &str, format: Format, row: fn(&str, &Kernel) -> String) {
    let expected: Vec<&str> = rows.trim().lines().collect();
    let mut files: Vec<&str> = expected.iter().map(|row| row.split('|').next().unwrap()).collect();
    files.dedup();
    let mut found = Vec::new();
    for file in files {
        let report = report(folder, file);
        assert_eq!(report.format, format, "{file}");
        found.extend(report.kernels.iter().map(|kernel| row(file, kernel)));
    }
    assert_eq!(found, expected);
}

#[test]
fn every_value_that_the_compiler_printed_is_read() {
    let Some(folder) = outputs() else { return };
    check(&folder, PTXAS, Format::Ptxas, ptxas_row);
}

#[test]
fn every_value_of_a_resource_dump_is_read() {
    let Some(folder) = outputs() else { return };
    check(&folder, RESOURCE_USAGE, Format::ResourceUsage, resource_usage_row);
}

/// All the output is in one of the tables above.
#[test]
fn no_output_is_left_out() {
    let Some(folder) = outputs() else { return };
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/");
            let is_listed = [PTXAS, RESOURCE_USAGE].iter().any(|rows| rows.contains(&format!("\n{name}|")));
            assert!(is_listed || ["COMMANDS.txt", "VERSIONS.txt"].contains(&name.as_str()), "{name}");
        }
    }
}

fn has_note(report: &Report, severity: Severity, words: &str) -> bool {
    report.notes.iter().any(|note| note.severity == severity && note.message.contains(words))
}

#[test]
fn names_are_as_the_source_has_them() {
    let Some(folder) = outputs() else { return };
    let names: Vec<String> = report(&folder, "sm_90/templates.ptxas.txt").kernels.into_iter().map(|kernel| kernel.name).collect();
    let expected = [
        "demo::histogram_with_stack(int const*, int*, int)",
        "void demo::block_reduce<double, 512, demo::Max>(double const*, double*, int)",
        "void demo::block_reduce<float, 256, demo::Plus>(float const*, float*, int)",
    ];
    assert_eq!(names, expected);
}

#[test]
fn what_the_output_leaves_out_is_noted() {
    let Some(folder) = outputs() else { return };
    let relocatable = report(&folder, "rdc.ptxas.txt");
    assert!(has_note(&relocatable, Severity::Warning, "relocatable code"), "{:#?}", relocatable.notes);
    let plain = report(&folder, "sm_120/tiled_matmul.resusage.txt");
    assert!(has_note(&plain, Severity::Warning, "9,216 bytes of shared memory before"), "{:#?}", plain.notes);
    let fat = report(&folder, "multi_arch.resusage.txt");
    assert!(has_note(&fat, Severity::Info, "4 kernels had 1,024 bytes of the driver"), "{:#?}", fat.notes);
    assert!(has_note(&fat, Severity::Info, "1 section of PTX skipped"), "{:#?}", fat.notes);
    let mixed = report(&folder, "warnings_mixed.txt");
    assert!(has_note(&mixed, Severity::Warning, "Registers are spilled"), "{:#?}", mixed.notes);
    assert!(has_note(&mixed, Severity::Info, "Overriding maximum register limit"), "{:#?}", mixed.notes);
}

#[test]
fn too_much_static_shared_memory_is_explained() {
    let Some(folder) = outputs() else { return };
    let report = report(&folder, "error_static_smem.txt");
    let note = report.notes.iter().find(|note| note.severity == Severity::Error).unwrap();
    assert_eq!(note.line, Some(1));
    assert!(note.message.starts_with("too_big(int*) has 49,156 bytes of static shared memory, but the compiler allows 49,152"), "{note:?}");
    assert!(note.message.contains("extern __shared__") && note.message.contains("cudaFuncSetAttribute"), "{note:?}");
}
