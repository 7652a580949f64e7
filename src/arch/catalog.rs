//! All architectures and products that are known: the built-in ones, and those of the user's own files.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::LazyLock;

use super::embedded;
use super::load::{GpuFile, Sources, load_file};
use super::load_gpu::Named;
use super::problem::ArchProblems;
use super::{Arch, ComputeCapability, Gpu};

/// The known compute capabilities and products, each once.
///
/// Start with [`Catalog::builtin`]; [`Catalog::with_files`] adds the user's own. How names are matched: [`Catalog::find_gpu`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    /// Ascending by compute capability.
    entries: Vec<Entry>,
    /// Newest compute capability first, then in the order of the files.
    gpus: Vec<Gpu>,
}

/// One compute capability and where its facts come from.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    arch: Arch,
    sources: Sources,
    /// The file that said it last; for built-in facts the name of a file in `arch/`.
    file: String,
}

static BUILTIN: LazyLock<Catalog> = LazyLock::new(|| match Catalog::default().with_files(embedded::FILES) {
    Ok(catalog) => catalog,
    Err(problems) => panic!("the built-in GPU facts do not load: {problems}"),
});

static WITH_TEXTBOOK: LazyLock<Catalog> = LazyLock::new(|| match BUILTIN.with_files(embedded::TEXTBOOK) {
    Ok(catalog) => catalog,
    Err(problems) => panic!("the textbook GPUs do not load: {problems}"),
});

impl Catalog {
    /// The built-in facts and the invented GPUs of textbook exercises, loaded once. Those have the compute capabilities 0.91
    /// to 0.93, names that begin with "textbook: ", and [`Arch::invented`].
    ///
    /// # Panics
    /// When an embedded file is wrong, which a test rules out.
    pub fn with_textbook() -> &'static Self {
        &WITH_TEXTBOOK
    }

    /// The facts that come with the program, loaded once.
    ///
    /// # Panics
    /// When an embedded file is wrong, which a test rules out.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// This catalog with more files: pairs of a name (for messages) and the text. Nothing is read from disk here.
    ///
    /// A file adds a compute capability, or overrides facts of a known one (what it leaves out stays), or only adds
    /// products. A product replaces the known one of the same compute capability and name. Later files see earlier ones.
    ///
    /// # Errors
    /// Every problem of every file at once; this catalog is unchanged then.
    pub fn with_files<N: AsRef<Path>, T: AsRef<str>>(&self, files: &[(N, T)]) -> Result<Self, ArchProblems> {
        let mut catalog = self.clone();
        let mut names: Vec<Named> = catalog.gpus.iter().map(Named::new).collect();
        let mut problems = Vec::new();
        for (name, text) in files {
            let name = name.as_ref().display().to_string();
            match load_file(&name, text.as_ref(), &catalog, &names) {
                Ok(file) => catalog.add(&name, file, &mut names),
                Err(found) => problems.extend(found),
            }
        }
        ArchProblems::none_or(problems)?;
        Ok(catalog)
    }

    /// The facts of a compute capability, or none when it is not known. It is never answered by a similar one.
    pub fn arch(&self, compute_capability: ComputeCapability) -> Option<&Arch> {
        self.entry(compute_capability).map(|entry| &entry.arch)
    }

    /// The facts of a compute capability that GPUs really have: what a report may mean.
    pub fn real_arch(&self, compute_capability: ComputeCapability) -> Option<&Arch> {
        self.arch(compute_capability).filter(|arch| !arch.invented)
    }

    /// The products that exist, in the order of [`Self::gpus`].
    pub fn real_gpus(&self) -> impl Iterator<Item = &Gpu> {
        self.gpus.iter().filter(|gpu| self.real_arch(gpu.compute_capability).is_some())
    }

    /// All architectures, ascending by compute capability.
    pub fn archs(&self) -> impl ExactSizeIterator<Item = &Arch> {
        self.entries.iter().map(|entry| &entry.arch)
    }

    /// All products: newest compute capability first, within one in the order of its file.
    pub fn gpus(&self) -> &[Gpu] {
        &self.gpus
    }

    /// The products of a compute capability, in the order of its file.
    pub fn gpus_of(&self, compute_capability: ComputeCapability) -> impl Iterator<Item = &Gpu> {
        self.gpus.iter().filter(move |gpu| gpu.compute_capability == compute_capability)
    }

    /// The product to show where only the compute capability is known: the one marked as typical, or none.
    pub fn typical_gpu(&self, compute_capability: ComputeCapability) -> Option<&Gpu> {
        self.gpus_of(compute_capability).find(|gpu| gpu.typical)
    }

    /// The key of the source of one fact, `source_of(8.0, "max_blocks_per_sm")` is "occ-h"; none where the file gives none.
    pub fn source_of(&self, compute_capability: ComputeCapability, key: &str) -> Option<&str> {
        self.entry(compute_capability)?.sources.get(key).map(String::as_str)
    }

    /// The name of the file that stated the facts of a compute capability last: `cc_8_0.toml`, or the user's own.
    pub fn file_of(&self, compute_capability: ComputeCapability) -> Option<&str> {
        self.entry(compute_capability).map(|entry| entry.file.as_str())
    }

    /// The path of the user's own file that an invented GPU comes from; none for built-in and for real ones.
    pub fn own_file_of(&self, compute_capability: ComputeCapability) -> Option<&str> {
        let entry = self.entry(compute_capability).filter(|entry| entry.arch.invented)?;
        let is_builtin = embedded::TEXTBOOK.iter().any(|(name, _)| *name == entry.file);
        (!is_builtin).then_some(entry.file.as_str())
    }

    /// The source key of each fact of a compute capability that has one.
    pub(super) fn sources_of(&self, compute_capability: ComputeCapability) -> impl Iterator<Item = (&'static str, &str)> {
        let sources = self.entry(compute_capability).into_iter().flat_map(|entry| &entry.sources);
        sources.map(|(key, source)| (*key, source.as_str()))
    }

    fn entry(&self, compute_capability: ComputeCapability) -> Option<&Entry> {
        let at = self.entries.binary_search_by_key(&compute_capability, |entry| entry.arch.compute_capability);
        at.ok().map(|at| &self.entries[at])
    }

    /// Takes in what a file says. It has been checked against this catalog. `names` are those of its products, in their order.
    fn add(&mut self, name: &str, file: GpuFile, names: &mut Vec<Named>) {
        if let Some((arch, sources)) = file.arch {
            let entry = Entry { arch, sources, file: name.to_owned() };
            match self.entries.binary_search_by_key(&file.compute_capability, |entry| entry.arch.compute_capability) {
                Ok(at) => self.entries[at] = entry,
                Err(at) => self.entries.insert(at, entry),
            }
        }
        // A product of the file that is marked as typical takes the mark from the one that had it.
        if file.gpus.iter().any(|(gpu, _)| gpu.typical) {
            self.gpus.iter_mut().filter(|gpu| gpu.compute_capability == file.compute_capability).for_each(|gpu| gpu.typical = false);
        }
        for (gpu, named) in file.gpus {
            if let Some(at) = names.iter().position(|known| known.has_name_of(&named)) {
                (self.gpus[at], names[at]) = (gpu, named);
            } else {
                self.gpus.push(gpu);
                names.push(named);
            }
        }
        names.sort_by_key(|named| Reverse(named.compute_capability));
        self.gpus.sort_by_key(|gpu| Reverse(gpu.compute_capability));
    }
}
