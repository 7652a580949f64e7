//! Linux programs, libraries and object files: in which of their sections the fat binaries are.

use std::ops::ControlFlow;

use object::LittleEndian;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader, SectionHeader};

use super::super::super::Progress;
use super::super::super::error::ImportError;
use super::super::super::model::Severity;
use super::{Reading, fatbin};
use crate::fmt::bytes as size;

/// Code that is ready, then code that is to be linked. A linked program keeps the latter beside what was made of it.
const SECTIONS: [&[u8]; 2] = [b".nv_fatbin", b"__nv_relfatbin"];

/// Where an ELF file says whether it is for 32 or 64 bits, and 32 bits. CUDA has no code in programs of 32 bits.
const CLASS_AT: usize = 4;
const CLASS_32: u8 = 1;

/// Reads the fat binaries of a 64-bit ELF file into `reading`.
///
/// # Errors
/// When its sections cannot be read, or none of them has CUDA code.
pub(super) fn read(bytes: &[u8], reading: &mut Reading, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<(), ImportError> {
    let damaged = |error: object::Error| ImportError::DamagedCode { what: error.to_string() };
    if bytes.get(CLASS_AT) == Some(&CLASS_32) {
        return Err(ImportError::NoCode);
    }
    let header = FileHeader64::<LittleEndian>::parse(bytes).map_err(damaged)?;
    let sections = header.sections(LittleEndian, bytes).map_err(damaged)?;
    for name in SECTIONS {
        let Some((_, section)) = sections.section_by_name(LittleEndian, name) else { continue };
        let stretch = section.data(LittleEndian, bytes).map_err(damaged)?;
        let begin = usize::try_from(section.sh_offset(LittleEndian)).unwrap_or(usize::MAX);
        if !reading.kernels.is_empty() {
            note_unlinked(stretch.len(), reading);
            break;
        }
        if fatbin::read(stretch, begin, reading, progress).is_break() {
            break;
        }
    }
    if reading.num_containers > 0 { Ok(()) } else { Err(ImportError::NoCode) }
}

fn note_unlinked(num_bytes: usize, reading: &mut Reading) {
    let num_bytes = u64::try_from(num_bytes).unwrap_or(u64::MAX);
    let message = format!("{} of code before linking skipped; the linked kernels are shown", size(num_bytes));
    reading.notes.about_file(Severity::Info, message);
}
