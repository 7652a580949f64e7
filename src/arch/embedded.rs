//! The files of the top-level `arch/` folder, embedded in the program.

/// Every GPU file of `arch/textbook/`, by name: invented GPUs for exercises.
pub(super) const TEXTBOOK: &[(&str, &str)] = &[
    ("textbook/four_blocks.toml", include_str!("../../arch/textbook/four_blocks.toml")),
    ("textbook/many_blocks.toml", include_str!("../../arch/textbook/many_blocks.toml")),
    ("textbook/no_rounding.toml", include_str!("../../arch/textbook/no_rounding.toml")),
];

/// Every GPU file of `arch/` itself, by name. A test compares both lists with the folders.
pub(super) const FILES: &[(&str, &str)] = &[
    ("cc_5_0.toml", include_str!("../../arch/cc_5_0.toml")),
    ("cc_5_2.toml", include_str!("../../arch/cc_5_2.toml")),
    ("cc_5_3.toml", include_str!("../../arch/cc_5_3.toml")),
    ("cc_6_0.toml", include_str!("../../arch/cc_6_0.toml")),
    ("cc_6_1.toml", include_str!("../../arch/cc_6_1.toml")),
    ("cc_6_2.toml", include_str!("../../arch/cc_6_2.toml")),
    ("cc_7_0.toml", include_str!("../../arch/cc_7_0.toml")),
    ("cc_7_2.toml", include_str!("../../arch/cc_7_2.toml")),
    ("cc_7_5.toml", include_str!("../../arch/cc_7_5.toml")),
    ("cc_8_0.toml", include_str!("../../arch/cc_8_0.toml")),
    ("cc_8_6.toml", include_str!("../../arch/cc_8_6.toml")),
    ("cc_8_7.toml", include_str!("../../arch/cc_8_7.toml")),
    ("cc_8_8.toml", include_str!("../../arch/cc_8_8.toml")),
    ("cc_8_9.toml", include_str!("../../arch/cc_8_9.toml")),
    ("cc_9_0.toml", include_str!("../../arch/cc_9_0.toml")),
    ("cc_10_0.toml", include_str!("../../arch/cc_10_0.toml")),
    ("cc_10_1.toml", include_str!("../../arch/cc_10_1.toml")),
    ("cc_10_3.toml", include_str!("../../arch/cc_10_3.toml")),
    ("cc_10_7.toml", include_str!("../../arch/cc_10_7.toml")),
    ("cc_11_0.toml", include_str!("../../arch/cc_11_0.toml")),
    ("cc_12_0.toml", include_str!("../../arch/cc_12_0.toml")),
    ("cc_12_1.toml", include_str!("../../arch/cc_12_1.toml")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_are_those_of_the_folder() {
        let files_of = |prefix: &str| -> Vec<String> {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("arch").join(prefix);
            let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name != "README.md" && name != "textbook").map(|name| format!("{prefix}{name}")).collect()
        };
        let mut in_folder: Vec<String> = files_of("").into_iter().chain(files_of("textbook/")).collect();
        let mut embedded: Vec<String> = FILES.iter().chain(TEXTBOOK).map(|(name, _)| (*name).to_owned()).collect();
        in_folder.sort();
        embedded.sort();
        assert_eq!(embedded, in_folder);
    }

    #[test]
    fn each_file_is_named_after_its_compute_capability() {
        for (name, text) in FILES {
            let numbers = name.strip_prefix("cc_").and_then(|rest| rest.strip_suffix(".toml")).unwrap().replace('_', ".");
            assert!(text.contains(&format!("compute_capability = \"{numbers}\"")), "{name}");
        }
    }
}
