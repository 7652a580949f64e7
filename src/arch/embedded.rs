//! The files of the top-level `arch/` folder, embedded in the program.

/// Every GPU file of `arch/`, by name. A test compares this list with the folder.
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
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/arch");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut in_folder: Vec<String> = entries.filter(|name| name != "README.md").collect();
        let mut embedded: Vec<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
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
