//! One row of a batch: cells to a launch, and the answer.

use std::fmt;

use clap::ValueEnum;
use csv::ByteRecord;

use super::columns::{Columns, Input};
use crate::arch::{Arch, Catalog};
use crate::cli::launch_args::{CacheArg, CachingArg};
use crate::engine::{Launch, Occupancy, Refusal, evaluate};
use crate::units::{Dim3, parse_size_bytes};

/// What is wrong with a row. Printed after "line 7": ", column 3: regs is …" or ": the row has …".
#[derive(Debug)]
pub(super) struct WrongRow {
    /// From 1; none when it is the whole row.
    column: Option<usize>,
    message: String,
}

impl fmt::Display for WrongRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The answer for one row.
///
/// # Errors
/// When a cell cannot be read, or the numbers make no launch on any GPU. A launch that cannot run is an answer.
pub(super) fn answer(catalog: &Catalog, columns: &Columns, num_columns: usize, record: &ByteRecord) -> Result<Occupancy, WrongRow> {
    if record.len() != num_columns {
        let message = format!("the row has {} cells, but the header has {num_columns}", record.len());
        return Err(WrongRow { column: None, message });
    }
    let row = Row { columns, record };
    let (arch, launch) = (row.arch(catalog)?, row.launch()?);
    let occupancy = evaluate(arch, &launch);
    match occupancy.refusals.iter().find(|refusal| refusal.is_invalid_input()) {
        Some(invalid) => Err(row.invalid(invalid)),
        None => Ok(occupancy),
    }
}

struct Row<'r> {
    columns: &'r Columns,
    record: &'r ByteRecord,
}

impl Row<'_> {
    fn arch<'c>(&self, catalog: &'c Catalog) -> Result<&'c Arch, WrongRow> {
        let text = self.text(Input::Cc)?.ok_or_else(|| self.wrong(Input::Cc, "is empty"))?;
        catalog.find_arch(text).map_err(|unknown| self.at(Input::Cc, unknown.to_string()))
    }

    fn launch(&self) -> Result<Launch, WrongRow> {
        let defaults = Launch::default();
        let threads = self.number(Input::Threads)?.ok_or_else(|| self.wrong(Input::Threads, "is empty"))?;
        let cache = self.choice(Input::Cache, CacheArg::value_variants())?;
        let caching = self.choice(Input::Gc, CachingArg::value_variants())?;
        Ok(Launch {
            block: Dim3::linear(threads),
            registers_per_thread: self.number(Input::Regs)?.unwrap_or(defaults.registers_per_thread),
            static_smem_bytes: self.size(Input::StaticSmem)?.unwrap_or_default(),
            dynamic_smem_bytes: self.size(Input::DynSmem)?.unwrap_or_default(),
            opt_in: self.flag(Input::OptIn)?.unwrap_or(defaults.opt_in),
            max_dynamic_smem_bytes: if self.text(Input::MaxDyn)? == Some("max") { None } else { self.size(Input::MaxDyn)? },
            carveout_percent: if self.text(Input::Carveout)? == Some("-1") { None } else { self.number(Input::Carveout)? },
            cache_preference: cache.unwrap_or_default().into(),
            partitioned_caching: caching.unwrap_or_default().into(),
            barriers_per_block: self.number(Input::Bars)?.unwrap_or(defaults.barriers_per_block),
            virtual_resources_per_block: self.number(Input::Vres)?.unwrap_or_default(),
            ..defaults
        })
    }

    /// The cell without spaces around it; none when there is no such column or it is empty.
    fn text(&self, input: Input) -> Result<Option<&str>, WrongRow> {
        let Some(cell) = self.columns.of(input).and_then(|at| self.record.get(at)) else { return Ok(None) };
        let text = str::from_utf8(cell).map_err(|_| self.wrong(input, "is not UTF-8 text"))?.trim();
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    fn number(&self, input: Input) -> Result<Option<u32>, WrongRow> {
        let Some(text) = self.text(input)? else { return Ok(None) };
        let way_out = if input == Input::Carveout { "0 to 100, or -1 for the default" } else { "a whole number" };
        text.parse().map(Some).map_err(|_| self.wrong(input, &format!("is \"{text}\"; write {way_out}")))
    }

    fn size(&self, input: Input) -> Result<Option<u64>, WrongRow> {
        let Some(text) = self.text(input)? else { return Ok(None) };
        parse_size_bytes(text).map(Some).map_err(|error| self.at(input, format!("{}: {error}", input.name())))
    }

    fn flag(&self, input: Input) -> Result<Option<bool>, WrongRow> {
        match self.text(input)? {
            None => Ok(None),
            Some("1" | "true") => Ok(Some(true)),
            Some("0" | "false") => Ok(Some(false)),
            Some(other) => Err(self.wrong(input, &format!("is \"{other}\"; write 1 or 0"))),
        }
    }

    /// One of several, by its number from 0 or by its name.
    fn choice<T: ValueEnum>(&self, input: Input, choices: &[T]) -> Result<Option<T>, WrongRow> {
        let Some(text) = self.text(input)? else { return Ok(None) };
        let numbered = text.parse::<usize>().ok().and_then(|number| choices.get(number)).cloned();
        let named = || T::from_str(text, true).ok();
        let choice = numbered.or_else(named);
        choice.map(Some).ok_or_else(|| self.wrong(input, &format!("is \"{text}\"; write one of {}", listed(choices))))
    }

    /// The column's name and what is wrong with it.
    fn wrong(&self, input: Input, what: &str) -> WrongRow {
        self.at(input, format!("{} {what}", input.name()))
    }

    fn at(&self, input: Input, message: String) -> WrongRow {
        WrongRow { column: self.columns.of(input).map(|at| at + 1), message }
    }

    fn invalid(&self, refusal: &Refusal) -> WrongRow {
        let input = if matches!(refusal, Refusal::Carveout { .. }) { Input::Carveout } else { Input::Threads };
        self.at(input, refusal.to_string())
    }
}

/// "0 none, 1 shared".
fn listed<T: ValueEnum>(choices: &[T]) -> String {
    let names =
        choices.iter().enumerate().filter_map(|(number, choice)| Some(format!("{number} {}", choice.to_possible_value()?.get_name())));
    names.collect::<Vec<_>>().join(", ")
}
