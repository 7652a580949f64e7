//! Which column of a batch is which.

use anyhow::{anyhow, bail};
use csv::ByteRecord;

/// The inputs of a batch, in the order in which they are documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Cc,
    Threads,
    Regs,
    StaticSmem,
    DynSmem,
    MaxDyn,
    OptIn,
    Carveout,
    Cache,
    Gc,
    Bars,
    Vres,
}

impl Input {
    const ALL: [Self; 12] = [
        Self::Cc,
        Self::Threads,
        Self::Regs,
        Self::StaticSmem,
        Self::DynSmem,
        Self::MaxDyn,
        Self::OptIn,
        Self::Carveout,
        Self::Cache,
        Self::Gc,
        Self::Bars,
        Self::Vres,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Cc => "cc",
            Self::Threads => "threads",
            Self::Regs => "regs",
            Self::StaticSmem => "static_smem",
            Self::DynSmem => "dyn_smem",
            Self::MaxDyn => "max_dyn",
            Self::OptIn => "optin",
            Self::Carveout => "carveout",
            Self::Cache => "cache",
            Self::Gc => "gc",
            Self::Bars => "bars",
            Self::Vres => "vres",
        }
    }

    pub(super) const fn is_mandatory(self) -> bool {
        matches!(self, Self::Cc | Self::Threads)
    }
}

/// Where each input stands in a row, from 0; none where there is no such column.
#[derive(Debug)]
pub(super) struct Columns([Option<usize>; Input::ALL.len()]);

impl Columns {
    /// # Errors
    /// When a mandatory column is missing, one is there twice, one has the name of a column that would be added, or one looks like an
    /// input under a wrong name: its default would be taken in silence.
    pub(super) fn find(header: &ByteRecord, added: &[&str]) -> anyhow::Result<Self> {
        let taken: Vec<&str> = added.iter().copied().filter(|name| places(header, name).next().is_some()).collect();
        if !taken.is_empty() {
            bail!("{} would be added, but there is such a column already; rename or remove it", taken.join(", "));
        }
        if let Some((name, input)) = others(header).find_map(|name| Some((name, lookalike(name, header)?))) {
            let name = crate::fmt::harmless(name);
            let input = input.name();
            return Err(anyhow!(
                "there is no input \"{name}\"; did you mean {input}? Rename the column, or give it a name less like an input"
            ));
        }
        let missing: Vec<&str> = Input::ALL
            .into_iter()
            .filter(|input| input.is_mandatory())
            .map(Input::name)
            .filter(|name| places(header, name).next().is_none())
            .collect();
        if !missing.is_empty() {
            bail!("there is no column {}; the first row has to name the columns, at least cc and threads", missing.join(" and no column "));
        }
        let mut columns = [None; Input::ALL.len()];
        for (column, input) in columns.iter_mut().zip(Input::ALL) {
            let mut found = places(header, input.name());
            *column = found.next();
            if found.next().is_some() {
                bail!("there are two columns {}; rename or remove one", input.name());
            }
        }
        Ok(Self(columns))
    }

    pub(super) const fn of(&self, input: Input) -> Option<usize> {
        self.0[input as usize]
    }
}

/// The names of the columns that are no inputs.
pub(super) fn others(header: &ByteRecord) -> impl Iterator<Item = &str> {
    let names = header.iter().filter_map(|cell| str::from_utf8(cell).ok()).map(str::trim);
    names.filter(|name| Input::ALL.iter().all(|input| input.name() != *name))
}

/// What inputs are called elsewhere.
const ALSO: [(&str, Input); 22] = [
    ("computecapability", Input::Cc),
    ("block", Input::Threads),
    ("blocksize", Input::Threads),
    ("threadsperblock", Input::Threads),
    ("blockthreads", Input::Threads),
    ("reg", Input::Regs),
    ("registers", Input::Regs),
    ("registersperthread", Input::Regs),
    ("regsperthread", Input::Regs),
    ("smem", Input::StaticSmem),
    ("smemstatic", Input::StaticSmem),
    ("sharedmemory", Input::StaticSmem),
    ("staticsharedmemory", Input::StaticSmem),
    ("smemdynamic", Input::DynSmem),
    ("dynamicsmem", Input::DynSmem),
    ("dynamicsharedmemory", Input::DynSmem),
    ("maxdynamicsmem", Input::MaxDyn),
    ("maxdynsmem", Input::MaxDyn),
    ("carveoutpercent", Input::Carveout),
    ("cachepreference", Input::Cache),
    ("partitionedgc", Input::Gc),
    ("barriers", Input::Bars),
];

/// Words that only happen to be near an input.
const WORDS: [&str; 3] = ["case", "reps", "vars"];

/// The input that a column seems to mean, while that one has no column of its own: another spelling, another name, a letter or two wrong.
fn lookalike(name: &str, header: &ByteRecord) -> Option<Input> {
    let squeezed = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect::<String>();
    let name = squeezed(name);
    if WORDS.contains(&name.as_str()) {
        return None;
    }
    let absent = Input::ALL.into_iter().filter(|input| places(header, input.name()).next().is_none());
    let distance = |input: Input| {
        let own = squeezed(input.name());
        let is_alias = own == name || ALSO.iter().any(|(alias, of)| *of == input && *alias == name);
        let distance = if is_alias { 0 } else { distance(&own, &name) };
        // Short names differ by a letter from many words.
        let most = if own.len() < 4 {
            0
        } else if own.len() < 7 {
            1
        } else {
            2
        };
        (distance <= most).then_some(distance)
    };
    absent.filter_map(|input| Some((distance(input)?, input))).min_by_key(|(distance, _)| *distance).map(|(_, input)| input)
}

/// How many letters are to be added, left out, changed or swapped with their neighbor.
fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for at in 1..=one.len() {
        let mut row = vec![at];
        for to in 1..=other.len() {
            let changed = rows[at - 1][to - 1] + usize::from(one[at - 1] != other[to - 1]);
            let mut least = changed.min(rows[at - 1][to] + 1).min(row[to - 1] + 1);
            if at > 1 && to > 1 && one[at - 1] == other[to - 2] && one[at - 2] == other[to - 1] {
                least = least.min(rows[at - 2][to - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

fn places<'h>(header: &'h ByteRecord, name: &'h str) -> impl Iterator<Item = usize> + 'h {
    header.iter().enumerate().filter(move |(_, cell)| cell.trim_ascii() == name.as_bytes()).map(|(at, _)| at)
}

/// The header without the mark that some programs put at the beginning of a file.
pub(super) fn without_bom(header: &ByteRecord) -> ByteRecord {
    const BOM: &[u8] = "\u{feff}".as_bytes();
    header.iter().enumerate().map(|(at, cell)| if at == 0 { cell.strip_prefix(BOM).unwrap_or(cell) } else { cell }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(name: &str) -> Option<&'static str> {
        lookalike(name, &ByteRecord::from(vec!["cc", "threads", name])).map(Input::name)
    }

    #[test]
    fn misspelled_inputs_are_recognized() {
        for (name, input) in [
            ("Regs", "regs"),
            ("rges", "regs"),
            ("registers", "regs"),
            ("dyn-smem", "dyn_smem"),
            ("dyn_smen", "dyn_smem"),
            ("static smem", "static_smem"),
            ("carvout", "carveout"),
            ("opt_in", "optin"),
            ("barriers", "bars"),
        ] {
            assert_eq!(meant(name), Some(input), "{name}");
        }
    }

    #[test]
    fn other_words_are_no_inputs() {
        for name in ["name", "note", "id", "kernel", "grid", "lim_regs", "active", "ms", "case", "reps", "lim_smem", "occupancy"] {
            assert_eq!(meant(name), None, "{name}");
        }
        let header = ByteRecord::from(vec!["cc", "threads", "regs", "registers"]);
        assert_eq!(lookalike("registers", &header), None, "regs has a column of its own");
    }
}
