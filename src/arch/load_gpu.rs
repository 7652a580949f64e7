//! The products of one GPU file, the tables under `[[gpu]]`.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::DeValue;

use super::find::key_from_name;
use super::read::{FileText, Reader};
use super::{Catalog, ComputeCapability, Gpu};

/// Far more than any GPU has, and small enough that a grid of one wave can be counted in 64 bits.
const MAX_SMS: u32 = 65_536;

/// Reads all products of a file. Problems go to the file; what is returned then is not to be used.
pub(super) fn read_gpus<'d, 't>(
    file: &mut FileText<'t>,
    products: &'d Spanned<DeValue<'t>>,
    compute_capability: ComputeCapability,
    known: &Catalog,
) -> Vec<Gpu> {
    let table = |item: &'d Spanned<DeValue<'t>>| Some((item.get_ref().as_table()?, item.span()));
    let tables: Option<Vec<_>> = products.get_ref().as_array().and_then(|array| array.iter().map(table).collect());
    let Some(tables) = tables else {
        let found = file.quote(products.span());
        file.report("gpu".to_owned(), Some(products.span()), found, "products, each under a line [[gpu]]".to_owned());
        return Vec::new();
    };
    let mut gpus: Vec<Gpu> = Vec::with_capacity(tables.len());
    for ((table, span), position) in tables.into_iter().zip(1_usize..) {
        let mut reader = Reader::of_item(file, table, "gpu", position, span);
        let gpu = read_gpu(&mut reader, compute_capability);
        report_clashes(&mut reader, &gpu, &gpus, known);
        gpus.push(Gpu { sources: reader.finish(), ..gpu });
    }
    gpus
}

fn read_gpu(reader: &mut Reader<'_, '_, '_>, compute_capability: ComputeCapability) -> Gpu {
    let name = reader.optional_text("name").unwrap_or_default();
    if key_from_name(&name).is_empty() && !reader.is_unsound("name") {
        reader.report_missing("name", "a name, for example \"A100 SXM 40 GB\"");
    }
    if !reader.has("num_sms") {
        reader.report_missing("num_sms", "a whole number, or \"none\" where it is not known");
    }
    let num_sms = reader.integer_or_none("num_sms", None);
    if let Some(num_sms) = num_sms.filter(|num_sms| !(1..=MAX_SMS).contains(num_sms)) {
        reader.report("num_sms", num_sms.to_string(), "1 to 65,536".to_owned());
    }
    let memory_bytes_per_second = reader.optional_integer("memory_bytes_per_second");
    if memory_bytes_per_second == Some(0) {
        reader.report("memory_bytes_per_second", "0".to_owned(), "bytes per second, or no such line where it is not known".to_owned());
    }
    Gpu {
        name,
        driver_names: reader.optional_texts("driver_names").unwrap_or_default(),
        aliases: reader.optional_texts("aliases").unwrap_or_default(),
        compute_capability,
        num_sms,
        memory_bytes_per_second,
        typical: reader.flag("typical", false),
        uncertain: reader.optional_text("uncertain"),
        sources: BTreeMap::new(),
    }
}

/// Reports a name that another product has already, be it of the same file or known before.
///
/// Two products may share what the driver prints, since that happens; they are told apart by name and alias.
fn report_clashes(reader: &mut Reader<'_, '_, '_>, gpu: &Gpu, earlier: &[Gpu], known: &Catalog) {
    // A known product that this file replaces, with this table or an earlier one, keeps none of its names.
    let stays = |other: &&Gpu| !is_same_product(other, gpu) && !earlier.iter().any(|earlier| is_same_product(other, earlier));
    let others: Vec<&Gpu> = earlier.iter().chain(known.gpus().iter().filter(stays)).collect();
    let clashes = [
        ("name", find_clash(std::slice::from_ref(&gpu.name), &others, Gpu::names)),
        ("aliases", find_clash(&gpu.aliases, &others, Gpu::names)),
        ("driver_names", find_clash(&gpu.driver_names, &others, Gpu::given_names)),
    ];
    for (key, clash) in clashes {
        if let Some((name, holder)) = clash.filter(|_| !reader.is_unsound(key)) {
            let capability = holder.compute_capability;
            let expected = format!("a name of its own; {} (compute capability {capability}) has this one", holder.name);
            reader.report(key, format!("\"{name}\""), expected);
        }
    }
    if gpu.typical && earlier.iter().any(|other| other.typical) {
        reader.report("typical", "true".to_owned(), "at most one product of a file marked so".to_owned());
    }
}

fn is_same_product(one: &Gpu, other: &Gpu) -> bool {
    one.compute_capability == other.compute_capability && key_from_name(&one.name) == key_from_name(&other.name)
}

/// The first of the names that one of the others has among those of its names that count.
fn find_clash<'n, 'g, I: Iterator<Item = &'g str>>(
    names: &'n [String],
    others: &[&'g Gpu],
    names_of: impl Fn(&'g Gpu) -> I,
) -> Option<(&'n str, &'g Gpu)> {
    names.iter().find_map(|name| {
        let key = key_from_name(name);
        let holder = others.iter().copied().find(|other| !key.is_empty() && names_of(other).any(|held| key_from_name(held) == key));
        Some((name.as_str(), holder?))
    })
}
