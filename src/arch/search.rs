//! The list of GPUs to choose from, narrowed down while somebody types.

use super::find::{Found, key_from_name};
use super::{Arch, Catalog, Gpu};

/// How well a row matches; the better ones are less, and come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// The text is one of its names.
    Whole,
    /// One of its names begins with the text.
    Beginning,
    /// Every word of the text begins a word that describes it.
    Words,
    /// The text is somewhere in one of its names.
    Inside,
}

/// What somebody typed, in the two forms it is compared in.
#[derive(Debug)]
struct Query {
    /// Without spaces and silent words, for names.
    key: String,
    /// In lower case, for words that describe.
    words: Vec<String>,
    /// A number such as "7.0" is not a part of a name: "70" would find the RTX 3070.
    is_number: bool,
}

impl Catalog {
    /// The products and architectures that a text may mean, best match first; all of them for an empty text.
    ///
    /// Words match in any order and unfinished: "lap 40" finds the laptop GPUs of the 40 series, "ada" and "8.9" and
    /// "sm_89" the architecture and its products. Equal matches keep the order of [`Catalog::gpus`], then of [`Catalog::archs`].
    pub fn search(&self, text: &str) -> Vec<Found<'_>> {
        let query = Query { key: key_from_name(text), words: words(text).collect(), is_number: text.contains('.') };
        let gpus = self.gpus().iter().filter_map(|gpu| Some((self.match_gpu(gpu, &query)?, Found::Gpu(gpu))));
        let archs = self.archs().filter_map(|arch| Some((match_arch(arch, &query)?, Found::Arch(arch))));
        let mut found: Vec<(Match, Found<'_>)> = gpus.chain(archs).collect();
        found.sort_by_key(|(quality, _)| *quality);
        found.into_iter().map(|(_, found)| found).collect()
    }

    fn match_gpu(&self, gpu: &Gpu, query: &Query) -> Option<Match> {
        let described = self.arch(gpu.compute_capability).map(describe).unwrap_or_default();
        let names: Vec<&str> = gpu.names().collect();
        let description: Vec<&str> = names.iter().copied().chain(described.iter().map(String::as_str)).collect();
        best_match(&names, &description, query)
    }
}

fn match_arch(arch: &Arch, query: &Query) -> Option<Match> {
    let described = describe(arch);
    let description: Vec<&str> = described.iter().map(String::as_str).collect();
    best_match(&description, &description, query)
}

/// What an architecture is called: "8.0", "sm_80", "Ampere (GA100)".
fn describe(arch: &Arch) -> [String; 3] {
    let capability = arch.compute_capability;
    [capability.to_string(), format!("sm_{}{}", capability.major, capability.minor), arch.name.clone()]
}

fn best_match(names: &[&str], description: &[&str], query: &Query) -> Option<Match> {
    let keys: Vec<String> = names.iter().copied().map(key_from_name).collect();
    let is_described = |word: &String| description.iter().copied().flat_map(words).any(|known| known.starts_with(word));
    if keys.contains(&query.key) {
        Some(Match::Whole)
    } else if !query.is_number && keys.iter().any(|known| known.starts_with(&query.key)) {
        Some(Match::Beginning)
    } else if query.words.iter().all(is_described) {
        Some(Match::Words)
    } else {
        (!query.is_number && keys.iter().any(|known| known.contains(&query.key))).then_some(Match::Inside)
    }
}

/// The words of a text in lower case; a decimal point does not end one.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_')).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let name = |found: Found<'_>| match found {
            Found::Gpu(gpu) => gpu.name.clone(),
            Found::Arch(arch) => arch.compute_capability.to_string(),
        };
        Catalog::builtin().search(text).into_iter().map(name).collect()
    }

    #[test]
    fn an_empty_search_lists_everything_newest_product_first() {
        let all = names("");
        assert_eq!(all.len(), Catalog::builtin().gpus().len() + 22);
        assert_eq!(all.first().map(String::as_str), Some("GB10"));
        assert_eq!(all.last().map(String::as_str), Some("12.1"));
    }

    #[test]
    fn a_whole_name_comes_before_its_longer_relatives() {
        assert_eq!(names("rtx 4080"), ["RTX 4080", "RTX 4080 SUPER", "RTX 4080 Laptop"]);
        assert_eq!(names("a100")[0], "A100 SXM 40 GB");
    }

    #[test]
    fn words_match_unfinished_and_in_any_order() {
        assert_eq!(names("lap 4090"), ["RTX 4090 Laptop"]);
        assert_eq!(names("pcie h100"), ["H100 PCIe"]);
    }

    #[test]
    fn an_architecture_brings_its_products() {
        let volta = names("7.0");
        assert_eq!(volta[0], "7.0");
        assert_eq!(volta.len(), 1 + Catalog::builtin().gpus_of("7.0".parse().unwrap()).count());
        assert_eq!(names("sm_70"), volta);
        assert!(names("ada").contains(&"RTX 4090".to_owned()));
    }

    #[test]
    fn nonsense_finds_nothing() {
        assert_eq!(names("qwertyuiop"), [""; 0]);
    }
}
