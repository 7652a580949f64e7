//! Which column of a batch is which.

use anyhow::bail;
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
    /// When a mandatory column is missing, one is there twice, or one has the name of a column that would be added.
    pub(super) fn find(header: &ByteRecord, added: &[&str]) -> anyhow::Result<Self> {
        let taken: Vec<&str> = added.iter().copied().filter(|name| places(header, name).next().is_some()).collect();
        if !taken.is_empty() {
            bail!("{} would be added, but there is such a column already; rename or remove it", taken.join(", "));
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

fn places<'h>(header: &'h ByteRecord, name: &'h str) -> impl Iterator<Item = usize> + 'h {
    header.iter().enumerate().filter(move |(_, cell)| cell.trim_ascii() == name.as_bytes()).map(|(at, _)| at)
}

/// The header without the mark that some programs put at the beginning of a file.
pub(super) fn without_bom(header: &ByteRecord) -> ByteRecord {
    const BOM: &[u8] = "\u{feff}".as_bytes();
    header.iter().enumerate().map(|(at, cell)| if at == 0 { cell.strip_prefix(BOM).unwrap_or(cell) } else { cell }).collect()
}
