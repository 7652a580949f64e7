//! `occuscope occupancy --batch`: a table of launches in, the same table with the answers out, one row at a time.

mod columns;
mod row;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use csv::ByteRecord;

use self::columns::Columns;
use super::{WRONG_INPUT, output};
use crate::arch::Catalog;
use crate::engine::{Occupancy, Resource};
use crate::export::without_formula;

pub(super) const HELP: &str = "\
A CSV file with one launch a row, or - for the standard input; it is printed with the answers added.

The first row names the columns. Only `cc` and `threads` have to be there; a missing column or an empty cell is its default:
  cc            compute capability: 8.0
  threads       threads per block
  regs          registers per thread (32)
  static_smem   shared memory that the kernel declares (0)
  dyn_smem      shared memory that the launch asks for (0)
  max_dyn       the kernel's own maximum of dyn_smem, or `max` (max)
  optin         1 when the kernel opts in to more than 48 KiB, else 0 (1)
  carveout      percent, or -1 for the driver's default (-1)
  cache         0 none, 1 shared, 2 l1, 3 equal (0)
  gc            partitioned global caching: 0 off, 1 on, 2 strict (0)
  bars          barriers per block (1)
  vres          virtual resources per block (0)
Other columns stay where they are, and are named on the error output; one that looks like a misspelled input is an error. Text \
that a spreadsheet would run as a formula is printed with an apostrophe before it. Added are blocks_per_sm, limiters and limit_warps, limit_blocks, limit_registers, \
limit_shared_memory, limit_barriers (`inf` when unlimited). A wrong row is reported, printed with its answers empty, and the \
exit code is 2.";

/// The columns that are added, in this order.
const ADDED: [&str; 7] =
    ["blocks_per_sm", "limiters", "limit_warps", "limit_blocks", "limit_registers", "limit_shared_memory", "limit_barriers"];

/// Answers every row of a file. The exit code says whether one was wrong.
pub(super) fn run(catalog: &Catalog, path: &Path) -> anyhow::Result<u8> {
    let (input, name): (Box<dyn Read>, String) = if path.as_os_str() == "-" {
        (Box::new(io::stdin().lock()), "standard input".to_owned())
    } else {
        let file = File::open(path).with_context(|| format!("the batch cannot be opened, {}", path.display()))?;
        (Box::new(file), path.display().to_string())
    };
    let num_wrong = answer_all(catalog, input, io::stdout().lock(), &name)?;
    Ok(if num_wrong == 0 { 0 } else { WRONG_INPUT })
}

/// Reads, answers and writes row by row; returns how many rows were wrong.
fn answer_all(catalog: &Catalog, input: impl Read, out: impl Write, name: &str) -> anyhow::Result<u64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let mut writer = csv::Writer::from_writer(out);
    let mut header = ByteRecord::new();
    if !reader.read_byte_record(&mut header).with_context(|| format!("the batch cannot be read, {name}"))? {
        bail!("the batch is empty; its first row has to name the columns, at least cc and threads, {name}");
    }
    let header = columns::without_bom(&header);
    let columns = Columns::find(&header, &ADDED).with_context(|| format!("the columns of the batch are wrong, {name}"))?;
    let others: Vec<String> = columns::others(&header).map(crate::fmt::harmless).collect();
    if !others.is_empty() {
        output::print_note(&format!("not an input, and passed on as it is: {}", others.join(", ")));
    }
    for cell in &header {
        writer.write_field(without_formula(cell))?;
    }
    writer.write_record(ADDED)?;

    let mut record = ByteRecord::new();
    let mut num_wrong = 0;
    while reader.read_byte_record(&mut record).with_context(|| format!("the batch cannot be read, {name}"))? {
        let answer = row::answer(catalog, &columns, header.len(), &record);
        if let Err(wrong) = &answer {
            num_wrong += 1;
            let line = record.position().map_or(0, csv::Position::line);
            output::print_error(&format!("line {line}{wrong}, {name}"));
        }
        write_row(&mut writer, &record, header.len(), answer.ok().as_ref())?;
    }
    writer.flush()?;
    Ok(num_wrong)
}

/// The row's own cells, as many as the header has, and the answers, which are empty for a wrong row.
fn write_row(writer: &mut csv::Writer<impl Write>, record: &ByteRecord, num_columns: usize, answer: Option<&Occupancy>) -> csv::Result<()> {
    for column in 0..num_columns {
        writer.write_field(without_formula(record.get(column).unwrap_or_default()))?;
    }
    match answer {
        Some(occupancy) => {
            writer.write_field(occupancy.blocks_per_sm.to_string())?;
            writer.write_field(occupancy.limiters.joined_keys())?;
            for resource in Resource::ALL {
                let limit = occupancy.limits.get(resource).get();
                writer.write_field(limit.map_or_else(|| "inf".to_owned(), |blocks| blocks.to_string()))?;
            }
        }
        None => ADDED.iter().try_for_each(|_| writer.write_field(""))?,
    }
    writer.write_record(None::<&[u8]>)
}
