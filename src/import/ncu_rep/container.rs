//! The container: a small header, then blocks to the end of the file, each with counts and the entries that they count.
//!
//! Source: the layout in "Report File Format" of the Nsight Compute Customization Guide, and reports by 2020.3 to 2025.4,
//! which all have version 7.

use super::names::MetricNames;
use super::wire::{Damage, Part};
use crate::import::error::ImportError;
use crate::import::text::excerpt;

/// How every report begins.
pub(in crate::import) const MAGIC: &[u8] = b"NVR\0";

/// The one version that is known.
const VERSION: u64 = 7;

/// The provider whose version is the profiler's.
const PROFILER: &[u8] = b"Nsight Compute Target";

/// The blocks of a file.
///
/// # Errors
/// When the header is damaged or its version is another one.
pub(super) fn blocks(file: &[u8]) -> Result<Part<'_>, ImportError> {
    let mut rest = Part::of_file(file);
    let version = read_version(&mut rest).map_err(|damage| damage_error(damage, "the file header"))?;
    if version != VERSION {
        return Err(ImportError::NcuRepVersion { version, known: VERSION });
    }
    Ok(rest)
}

fn read_version(rest: &mut Part<'_>) -> Result<u64, Damage> {
    // The caller has seen the magic; without it this reads nothing worse than damage.
    let _ = rest.take(MAGIC.len());
    let mut version = 0;
    for field in rest.take_framed()?.fields() {
        let field = field?;
        if field.number == 1 {
            version = field.content.integer().unwrap_or(version);
        }
    }
    Ok(version)
}

/// That nothing of a report can be read, and why.
pub(super) fn damage_error(damage: Damage, what: &str) -> ImportError {
    ImportError::NcuRepDamaged { what: format!("{what} at {}: {damage}", damage.at) }
}

/// What the header of a block says about its entries: sources first, then kernel results, then results of other kinds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub num_sources: u64,
    pub num_results: u64,
    /// Results of ranges, command lists and graphs.
    pub num_other_results: u64,
    pub payload_bytes: u64,
    pub process_id: Option<u64>,
}

/// What the headers of all blocks say together.
#[derive(Clone, Debug, Default)]
pub(super) struct Session<'a> {
    pub names: MetricNames<'a>,
    pub tool_version: Option<String>,
}

impl<'a> Session<'a> {
    /// Reads the header of a block: its counts, and what it adds to the session.
    pub(super) fn block(&mut self, header: Part<'a>) -> Result<Block, Damage> {
        let mut block = Block::default();
        let mut others = [0; 3];
        for field in header.fields() {
            let field = field?;
            match (field.number, field.content.integer(), field.content.part()) {
                (1, Some(count), _) => block.num_sources = count,
                (2, Some(count), _) => block.num_results = count,
                (3, _, Some(details)) => self.add_details(details)?,
                (4, _, Some(table)) => self.names.add_table(table)?,
                (5, Some(bytes), _) => block.payload_bytes = bytes,
                (6, _, Some(process)) => block.process_id = first_integer(process, 1)?,
                (7, Some(count), _) => others[0] = count,
                (8, Some(count), _) => others[1] = count,
                (9, Some(count), _) => others[2] = count,
                _ => {}
            }
        }
        block.num_other_results = others.into_iter().fold(0, u64::saturating_add);
        Ok(block)
    }

    /// Takes the profiler's version. Everything else here is about the machine and its user, and is not looked at.
    fn add_details(&mut self, details: Part<'a>) -> Result<(), Damage> {
        for field in details.fields() {
            let field = field?;
            if let (8, Some(version)) = (field.number, field.content.part()) {
                let [provider, text] = texts(version)?;
                if provider == PROFILER {
                    let number = text.split(|byte| *byte == b' ').next().unwrap_or_default();
                    self.tool_version = Some(excerpt(number, 40));
                }
            }
        }
        Ok(())
    }
}

/// The integer field with this number; the last one counts.
pub(super) fn first_integer(message: Part<'_>, number: u64) -> Result<Option<u64>, Damage> {
    let mut found = None;
    for field in message.fields() {
        let field = field?;
        if field.number == number {
            found = field.content.integer().or(found);
        }
    }
    Ok(found)
}

/// The fields 1 and 2 of a message as texts, empty where there is none.
fn texts(message: Part<'_>) -> Result<[&[u8]; 2], Damage> {
    let mut texts = [&b""[..]; 2];
    for field in message.fields() {
        let field = field?;
        if let (number @ (1 | 2), Some(text)) = (field.number, field.content.part()) {
            texts[usize::from(number == 2)] = text.bytes;
        }
    }
    Ok(texts)
}
