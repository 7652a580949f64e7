//! The products of one GPU file, the tables under `[[gpu]]`.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::DeValue;

use super::find::key_from_name;
use super::read::{FileText, Reader};
use super::{ComputeCapability, Gpu};

/// Far more than any GPU has, and small enough that a grid of one wave can be counted in 64 bits.
const MAX_SMS: u32 = 65_536;

/// Reads all products of a file, which is checked against those that are `known`. Problems go to the file; what is returned then is
/// not to be used.
pub(super) fn read_gpus<'d, 't>(
    file: &mut FileText<'t>,
    products: &'d Spanned<DeValue<'t>>,
    compute_capability: ComputeCapability,
    known: &[Named],
) -> Vec<(Gpu, Named)> {
    let table = |item: &'d Spanned<DeValue<'t>>| Some((item.get_ref().as_table()?, item.span()));
    let tables: Option<Vec<_>> = products.get_ref().as_array().and_then(|array| array.iter().map(table).collect());
    let Some(tables) = tables else {
        let found = file.quote(products.span());
        file.report("gpu".to_owned(), Some(products.span()), found, "products, each under a line [[gpu]]".to_owned());
        return Vec::new();
    };
    let mut gpus: Vec<(Gpu, Named)> = Vec::with_capacity(tables.len());
    let mut known: Vec<&Named> = known.iter().collect();
    for ((table, span), position) in tables.into_iter().zip(1_usize..) {
        let mut reader = Reader::of_item(file, table, "gpu", position, span);
        let gpu = read_gpu(&mut reader, compute_capability);
        let named = Named::new(&gpu);
        // A known product that this file replaces, with this table or an earlier one, keeps none of its names.
        known.retain(|other| !other.is_same_product(&named));
        report_clashes(&mut reader, &gpu, &named, || gpus.iter().map(|(_, named)| named).chain(known.iter().copied()));
        if gpu.typical && gpus.iter().any(|(other, _)| other.typical) {
            reader.report("typical", "true".to_owned(), "at most one product of a file marked so".to_owned());
        }
        gpus.push((Gpu { sources: reader.finish(), ..gpu }, named));
    }
    gpus
}

/// What a product is called, as far as it tells products apart.
///
/// Worked out once a product: comparing each with all others is quick, and making keys is not.
#[derive(Clone, Debug)]
pub(super) struct Named {
    name: String,
    pub(super) compute_capability: ComputeCapability,
    /// The keys of its name and its aliases, the name's first.
    given: Vec<String>,
    driver: Vec<String>,
}

impl Named {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            name: gpu.name.clone(),
            compute_capability: gpu.compute_capability,
            given: gpu.given_names().map(key_from_name).collect(),
            driver: gpu.driver_names.iter().map(|name| key_from_name(name)).collect(),
        }
    }

    fn is_same_product(&self, other: &Self) -> bool {
        self.compute_capability == other.compute_capability && self.has_name_of(other)
    }

    pub(super) fn has_name_of(&self, other: &Self) -> bool {
        self.given.first() == other.given.first()
    }

    fn is_given(&self, key: &String) -> bool {
        self.given.contains(key)
    }

    fn is_called(&self, key: &String) -> bool {
        self.is_given(key) || self.driver.contains(key)
    }
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
fn report_clashes<'n, I: Iterator<Item = &'n Named>>(reader: &mut Reader<'_, '_, '_>, gpu: &Gpu, named: &Named, others: impl Fn() -> I) {
    let (own, aliases) = named.given.split_at(1);
    let clash = |names: &[String], keys: &[String], holds: fn(&Named, &String) -> bool| {
        names.iter().zip(keys).find_map(|(name, key)| {
            let holder = others().find(|other| !key.is_empty() && holds(other, key))?;
            Some((name.clone(), holder))
        })
    };
    let clashes = [
        ("name", clash(std::slice::from_ref(&gpu.name), own, Named::is_called)),
        ("aliases", clash(&gpu.aliases, aliases, Named::is_called)),
        ("driver_names", clash(&gpu.driver_names, &named.driver, Named::is_given)),
    ];
    for (key, clash) in clashes {
        if let Some((name, holder)) = clash.filter(|_| !reader.is_unsound(key)) {
            let capability = holder.compute_capability;
            let expected = format!("a name of its own; {} (compute capability {capability}) has this one", holder.name);
            reader.report(key, format!("\"{name}\""), expected);
        }
    }
}
