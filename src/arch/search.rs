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

impl Catalog {
    /// The products and architectures that a text may mean, best match first; all of them for an empty text.
    ///
    /// Words match in any order and unfinished: "lap 40" finds the laptop GPUs of the 40 series, "ada" and "8.9" and
    /// "sm_89" the architecture and its products. Equal matches keep the order of [`Catalog::gpus`], then of [`Catalog::archs`].
    pub fn search(&self, text: &str) -> Vec<Found<'_>> {
        let words: Vec<String> = words(text).collect();
        let key = key_from_name(text);
        let gpus = self.gpus().iter().filter_map(|gpu| Some((self.match_gpu(gpu, &key, &words)?, Found::Gpu(gpu))));
        let archs = self.archs().filter_map(|arch| Some((match_arch(arch, &key, &words)?, Found::Arch(arch))));
        let mut found: Vec<(Match, Found<'_>)> = gpus.chain(archs).collect();
        found.sort_by_key(|(quality, _)| *quality);
        found.into_iter().map(|(_, found)| found).collect()
    }

    fn match_gpu(&self, gpu: &Gpu, key: &str, words: &[String]) -> Option<Match> {
        let described = self.arch(gpu.compute_capability).map(describe).unwrap_or_default();
        let description: Vec<&str> = gpu.names().chain(described.iter().map(String::as_str)).collect();
        best_match(gpu.names(), &description, key, words)
    }
}

fn match_arch(arch: &Arch, key: &str, words: &[String]) -> Option<Match> {
    let described = describe(arch);
    let description: Vec<&str> = described.iter().map(String::as_str).collect();
    best_match(description.iter().copied(), &description, key, words)
}

/// What an architecture is called: "8.0", "sm_80", "Ampere (GA100)".
fn describe(arch: &Arch) -> [String; 3] {
    let capability = arch.compute_capability;
    [capability.to_string(), format!("sm_{}{}", capability.major, capability.minor), arch.name.clone()]
}

fn best_match<'n>(names: impl Iterator<Item = &'n str>, description: &[&str], key: &str, asked: &[String]) -> Option<Match> {
    let keys: Vec<String> = names.map(key_from_name).collect();
    let words_match = || asked.iter().all(|word| description.iter().flat_map(|text| words(text)).any(|known| known.starts_with(word)));
    if keys.iter().any(|known| known == key) {
        Some(Match::Whole)
    } else if keys.iter().any(|known| known.starts_with(key)) {
        Some(Match::Beginning)
    } else if words_match() {
        Some(Match::Words)
    } else {
        keys.iter().any(|known| known.contains(key)).then_some(Match::Inside)
    }
}

/// The words of a text in lower case; a decimal point does not end one.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_')).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
