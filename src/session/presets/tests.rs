use super::*;
use crate::arch::Catalog;
use crate::engine::{Resource, evaluate};
use crate::session::GpuChoice;

fn preset(name: &str, registers: u32) -> Preset {
    let launch = crate::engine::Launch::new(256, registers);
    Preset::new(name, Configuration { gpu: GpuChoice::Product("A100 SXM 40 GB".to_owned()), launch })
}

fn names(library: &Library) -> Vec<&str> {
    library.presets().iter().map(|preset| preset.name.as_str()).collect()
}

#[test]
fn every_built_in_preset_shows_what_it_says() {
    let catalog = Catalog::with_textbook();
    let answers: Vec<String> = builtin()
        .iter()
        .map(|preset| {
            let GpuChoice::Product(name) = &preset.configuration.gpu else { panic!("{} names no product", preset.name) };
            let gpu = catalog.gpus().iter().find(|gpu| gpu.name == *name).unwrap_or_else(|| panic!("{name} is not in the table"));
            let arch = catalog.arch(gpu.compute_capability).expect("a product's architecture");
            let occupancy = evaluate(arch, &preset.configuration.launch);
            let letters = Resource::ALL.into_iter().filter(|resource| occupancy.limiters.contains(*resource));
            let letters: String = letters.map(|resource| &resource.name()[..2]).collect();
            format!("{}: {} {letters}", preset.name, crate::fmt::percent(occupancy.theoretical_percent()))
        })
        .collect();
    assert_eq!(
        answers,
        [
            "Tiled matmul, 48 KiB: 37.5 % Sh",
            "Rounding trap, 41 registers: 62.5 % Re",
            "Large blocks, 768 threads: 75 % WaRe",
            "Tiny blocks, 32 threads: 50 % Bl",
            "CUDA guide, 64 registers: 50 % Re",
            "CUDA guide, one more: 25 % Re",
            "Limited by warp slots: 100 % Wa",
            "Limited by block slots: 66.7 % Bl",
            "Limited by registers: 25 % Re",
            "Limited by shared memory: 25 % Sh",
            "Limited by barriers: 25 % Ba",
            "Limited by two at once: 25 % ReSh",
            "Cannot launch: 0 % Re",
            "Lesson 1, an SM full of warps: 100 % WaRe",
            "Lesson 2, one register more: 75 % Re",
            "Lesson 3, shared memory joins in: 50 % Sh",
            "Lesson 4, where the cliffs are: 50 % ReSh",
            "Lesson 5, another GPU: 37.5 % Sh",
            "Lesson 6, the tail: 100 % WaRe",
            "Exercise, four block slots: 33.3 % Bl",
            "Exercise, sixty-four block slots: 100 % WaBlRe",
            "Exercise, the formula without rounding: 75 % Re",
            "vectorAdd of the CUDA samples: 100 % Wa",
            "matrixMul of the CUDA samples: 100 % WaRe",
            "bf16TensorCoreGemm of the CUDA samples: 25 % Sh",
            "FlashAttention-2 forward, head size 128: 12.5 % ReSh",
            "CUTLASS 2.x GEMM in half precision, as it comes: 12.5 % ReSh",
            "reduction of the CUDA samples: 100 % Wa",
        ]
    );
}

#[test]
fn built_in_presets_have_folders_and_different_names() {
    let mut seen = std::collections::HashSet::new();
    for preset in builtin() {
        assert!(seen.insert(preset.name.to_lowercase()), "{}", preset.name);
        assert!(preset.folder().is_some() && !preset.note.is_empty(), "{}", preset.name);
    }
    let well_known = builtin().iter().filter(|preset| preset.folder() == Some("well-known kernels"));
    assert!(well_known.clone().count() >= 4 && well_known.clone().all(|preset| preset.source.is_some()));
}

#[test]
fn names_stay_different() {
    let mut library = Library::new([preset("a", 1), preset("a", 2)]);
    assert_eq!(names(&library), ["a", "a 2"]);
    assert_eq!(library.duplicate("a"), Ok("a copy".to_owned()));
    assert_eq!(names(&library), ["a", "a copy", "a 2"]);
    assert_eq!(library.replace("a", preset("a 2", 1)), Err(LibraryError::Taken("a 2".to_owned())));
    assert_eq!(library.replace("a", preset(" \n", 1)), Err(LibraryError::NoName));
    assert_eq!(library.replace("a", preset("b\nc", 1)), Ok(()));
    assert_eq!(library.move_to("b c", 99), Ok(()));
    assert_eq!(names(&library), ["a copy", "a 2", "b c"]);
    assert_eq!(library.delete("a"), Err(LibraryError::Missing("a".to_owned())));
}

#[test]
fn ones_own_preset_hides_the_built_in_one_of_its_name() {
    let name = builtin()[0].name.as_str();
    let library = Library::new([preset(name, 77)]);
    assert_eq!(all(&library).count(), builtin().len());
    assert_eq!(find(&library, &name.to_uppercase()).unwrap().configuration.launch.registers_per_thread, 77);
}

#[test]
fn changes_of_two_windows_are_both_kept() {
    let base = Library::new([preset("a", 1), preset("b", 1), preset("c", 1), preset("d", 1)]);
    let ours = Library::new([preset("b", 2), preset("a", 1), preset("c", 1), preset("ours", 1)]);
    let theirs = Library::new([preset("a", 3), preset("b", 3), preset("d", 1), preset("theirs", 1)]);
    let merged = merge(&base, &ours, &theirs);
    // "b" was changed by both, "c" deleted by them, "d" by us.
    assert_eq!(names(&merged), ["b", "a", "ours", "theirs", "b 2"]);
    let registers = |name| merged.get(name).unwrap().configuration.launch.registers_per_thread;
    assert_eq!((registers("a"), registers("b"), registers("b 2")), (3, 2, 3));
    assert_eq!(merge(&base, &ours, &base), ours);
    assert_eq!(merge(&base, &base, &theirs), theirs);
    assert_eq!(merge(&base, &ours, &ours), ours);
}
