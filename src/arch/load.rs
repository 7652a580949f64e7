//! One GPU file, from text to checked facts and products.

use std::collections::BTreeMap;

use toml::de::DeTable;

use super::check::check;
use super::load_gpu::{Named, read_gpus};
use super::problem::Problem;
use super::read::{FileText, Reader};
use super::{Arch, Catalog, ComputeCapability, Gpu};

/// What one file says.
#[derive(Debug)]
pub(super) struct GpuFile {
    pub compute_capability: ComputeCapability,
    /// The facts with the source key of each, or none when the file only has products of a known compute capability.
    pub arch: Option<(Arch, Sources)>,
    pub gpus: Vec<(Gpu, Named)>,
}

/// The source key of each fact, by the key of the fact.
pub(super) type Sources = BTreeMap<&'static str, String>;

/// Reads one file. Facts that it leaves out are taken from `known` where it may do so: from the compute capability it
/// is `based_on`, or from the known facts of the compute capability that it overrides. `names` are those of the known products.
///
/// # Errors
/// All problems of the file. Text that is not TOML is reported alone, since its keys cannot be told apart.
pub(super) fn load_file(name: &str, text: &str, known: &Catalog, names: &[Named]) -> Result<GpuFile, Vec<Problem>> {
    let mut file = FileText { name, text, problems: Vec::new() };
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let found = error.span().map_or_else(|| "nothing".to_owned(), |span| line_at(text, span.start).to_owned());
        let message = error.message().trim_end_matches(", expected nothing");
        file.report("TOML".to_owned(), error.span(), found, format!("correct TOML ({message})"));
    }
    // What else is wrong with a line is a consequence of the first.
    file.problems.dedup_by(|later, first| later.place == first.place);
    let loaded = if errors.is_empty() { Some(read_document(&mut file, document.get_ref(), known, names)) } else { None };
    match loaded {
        Some(loaded) if file.problems.is_empty() => Ok(loaded),
        _ => {
            let mut problems = file.problems;
            problems.sort_by_key(|problem| problem.place.as_ref().and_then(|place| place.line));
            Err(problems)
        }
    }
}

fn line_at(text: &str, at: usize) -> &str {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = after.find('\n').map_or(text.len(), |newline| at + newline);
    text[start..end].trim()
}

fn read_document<'t>(file: &mut FileText<'t>, document: &DeTable<'t>, known: &Catalog, names: &[Named]) -> GpuFile {
    let mut reader = Reader::of_file(file, document);
    let compute_capability = read_compute_capability(&mut reader, "compute_capability");
    if compute_capability.is_none() && !reader.is_unsound("compute_capability") {
        reader.report_missing("compute_capability", "one such as \"8.0\"");
    }
    // A placeholder keeps the reading going; the file is refused already.
    let compute_capability = compute_capability.unwrap_or(ComputeCapability::new(0, 0));
    let products = reader.raw("gpu");
    let only_products = document.keys().all(|key| matches!(key.get_ref().as_ref(), "compute_capability" | "gpu"));
    let arch = if only_products && products.is_some() && known.arch(compute_capability).is_some() {
        None
    } else {
        let arch = read_arch(&mut reader, compute_capability, known);
        // Facts that are left as they were keep their source.
        let kept = known.sources_of(compute_capability).filter(|(key, _)| !reader.has(key) && !reader.has("based_on"));
        let kept: Vec<(&'static str, String)> = kept.map(|(key, source)| (key, source.to_owned())).collect();
        let mut sources = reader.finish();
        sources.extend(kept);
        Some((arch, sources))
    };
    let gpus = products.map(|products| read_gpus(file, products, compute_capability, names)).unwrap_or_default();
    GpuFile { compute_capability, arch, gpus }
}

fn read_compute_capability(reader: &mut Reader<'_, '_, '_>, key: &'static str) -> Option<ComputeCapability> {
    let text = reader.optional_text(key)?;
    let parsed = text.parse();
    if parsed.is_err() {
        reader.report(key, format!("\"{text}\""), "a compute capability in quotes, major.minor, for example \"8.0\"".to_owned());
    }
    parsed.ok()
}

/// The facts that stand in for those a file leaves out, or none.
fn read_base<'k>(reader: &mut Reader<'_, '_, '_>, overridden: Option<&'k Arch>, known: &'k Catalog) -> Option<&'k Arch> {
    let Some(based_on) = read_compute_capability(reader, "based_on") else { return overridden };
    let base = known.arch(based_on);
    if base.is_none() {
        let listed: Vec<String> = known.archs().map(|arch| arch.compute_capability.to_string()).collect();
        reader.report("based_on", format!("\"{based_on}\""), format!("a known compute capability: {}", listed.join(", ")));
    }
    base
}

fn read_arch(reader: &mut Reader<'_, '_, '_>, compute_capability: ComputeCapability, known: &Catalog) -> Arch {
    let overridden = known.arch(compute_capability);
    let base = read_base(reader, overridden, known);
    // Where it is not clear what to fill in, what is missing may be in order: reporting that would only distract.
    let lenient = reader.is_unsound("based_on") || (base.is_none() && reader.is_unsound("compute_capability"));
    let or = |fact: fn(&Arch) -> u32| base.map(fact).or(lenient.then_some(0));
    let invented = reader.flag("invented", overridden.is_some_and(|arch| arch.invented));
    // What an exercise makes up is certain, whatever it is based on.
    let doubts = base.filter(|_| !invented).map(|base| base.uncertain.clone()).unwrap_or_default();

    let arch = Arch {
        compute_capability,
        name: read_name(reader, overridden, lenient),
        uncertain: reader.optional_texts("uncertain").unwrap_or(doubts),
        invented,

        max_threads_per_block: reader.integer("max_threads_per_block", or(|arch| arch.max_threads_per_block)),
        max_threads_per_sm: reader.integer("max_threads_per_sm", or(|arch| arch.max_threads_per_sm)),
        max_blocks_per_sm: reader.integer("max_blocks_per_sm", or(|arch| arch.max_blocks_per_sm)),
        sub_partitions: reader.integer("sub_partitions", or(|arch| arch.sub_partitions)),

        registers_per_sm: reader.integer("registers_per_sm", or(|arch| arch.registers_per_sm)),
        max_registers_per_block: reader.integer("max_registers_per_block", or(|arch| arch.max_registers_per_block)),
        max_registers_per_thread: reader.integer("max_registers_per_thread", or(|arch| arch.max_registers_per_thread)),
        register_allocation_unit: reader.integer("register_allocation_unit", or(|arch| arch.register_allocation_unit)),
        portable_sub_partitions: reader.integer_or_none("portable_sub_partitions", base.and_then(|arch| arch.portable_sub_partitions)),

        smem_per_sm_bytes: reader.integer("smem_per_sm_bytes", or(|arch| arch.smem_per_sm_bytes)),
        default_smem_per_block_bytes: reader.integer("default_smem_per_block_bytes", or(|arch| arch.default_smem_per_block_bytes)),
        optin_smem_per_block_bytes: reader.integer("optin_smem_per_block_bytes", or(|arch| arch.optin_smem_per_block_bytes)),
        reserved_smem_per_block_bytes: reader.integer("reserved_smem_per_block_bytes", or(|arch| arch.reserved_smem_per_block_bytes)),
        smem_allocation_unit_bytes: reader.integer("smem_allocation_unit_bytes", or(|arch| arch.smem_allocation_unit_bytes)),
        smem_configurations_bytes: reader
            .integers("smem_configurations_bytes", base.map(|arch| arch.smem_configurations_bytes.as_slice()).or(lenient.then_some(&[]))),

        max_barriers_per_sm: reader.integer_or_none("max_barriers_per_sm", base.and_then(|arch| arch.max_barriers_per_sm)),
        max_virtual_resources_per_sm: reader
            .integer_or_none("max_virtual_resources_per_sm", base.and_then(|arch| arch.max_virtual_resources_per_sm)),
        partitioned_caching: reader.flag("partitioned_caching", base.is_some_and(|arch| arch.partitioned_caching)),
        max_portable_cluster_size: reader
            .integer_or_none("max_portable_cluster_size", base.and_then(|arch| arch.max_portable_cluster_size)),
    };
    report_contradictions(reader, &arch, overridden, lenient);
    arch
}

/// A file that overrides a known compute capability keeps its name; one that adds a new one needs a name of its own.
fn read_name(reader: &mut Reader<'_, '_, '_>, overridden: Option<&Arch>, lenient: bool) -> String {
    let name = reader.optional_text("name").or_else(|| overridden.map(|arch| arch.name.clone()));
    if name.is_none() && !lenient && !reader.is_unsound("name") {
        reader.report_missing("name", "a name, for example \"Ampere (GA100)\"");
    }
    name.unwrap_or_default()
}

/// Reports what [`check`] finds, but not where one of the keys concerned was reported before.
fn report_contradictions(reader: &mut Reader<'_, '_, '_>, arch: &Arch, overridden: Option<&Arch>, lenient: bool) {
    if arch.invented && overridden.is_some_and(|known| !known.invented) {
        let expected = "one that no real GPU has, for example \"0.1\", since the file says invented = true";
        reader.report("compute_capability", format!("\"{}\"", arch.compute_capability), expected.to_owned());
    }
    for finding in check(arch) {
        let [key, ..] = finding.keys[..] else { continue };
        let left_out = lenient && finding.keys.iter().any(|key| !reader.has(key));
        if !left_out && !finding.keys.iter().any(|key| reader.is_unsound(key)) {
            reader.report_contradiction(key, &finding.keys, finding.found, finding.expected);
        }
    }
}
