//! One cubin: an ELF file whose sections say what each kernel needs.
//!
//! There are two flavors, told apart by the ABI version in the ELF header. Toolkits up to 12.9 write version 7 (12.9 for
//! compute capabilities up to 9.0 only), later ones version 8. They differ in where the architecture and the barriers are.

use std::cell::Cell;
use std::collections::HashMap;

use object::LittleEndian;
use object::elf::{self, FileHeader64, SectionHeader64, Sym64};
use object::read::elf::{FileHeader, SectionHeader, Sym, SymbolTable};

use super::super::super::model::{Compiled, Kernel, Read, Severity};
use super::super::super::notes::Topic;
use super::super::super::text::excerpt;
use super::super::{new_kernel, reserve};
use super::attributes::{Record, attribute, records};
use super::{Base, Reading};
use crate::arch::ComputeCapability;
use crate::units::Dim3;

type Header = FileHeader64<LittleEndian>;
type Section = SectionHeader64<LittleEndian>;

/// `e_machine` of NVIDIA's GPUs.
const EM_CUDA: u16 = 190;
/// In `st_other` of a function: it is a kernel.
const STO_CUDA_ENTRY: u8 = 0x10;
/// Letters of a name that a note repeats.
const EXCERPT_LETTERS: usize = 200;

/// Where fields are in the ELF structures: in the file header, in a section header, and in the table of symbols.
mod field {
    pub const E_FLAGS: usize = 48;
    pub const SH_FLAGS: usize = 8;
    pub const SH_SIZE: usize = 32;
    pub const SH_INFO: usize = 44;
    pub const SECTION_HEADER_BYTES: usize = 64;
    pub const SYMBOL_BYTES: usize = 24;
}

/// Whether this is a cubin, from its ELF header.
pub(super) fn is_image(bytes: &[u8]) -> bool {
    Header::parse(bytes).is_ok_and(|header| header.e_machine(LittleEndian).0 == EM_CUDA)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flavor {
    /// ABI version 7.
    Older,
    /// ABI version 8.
    Newer,
}

/// A cubin, opened.
#[derive(Debug)]
struct Image<'a> {
    bytes: &'a [u8],
    base: Base,
    flavor: Flavor,
    compute_capability: Option<Read<ComputeCapability>>,
    /// To be linked with others: the numbers are those before that.
    is_relocatable: bool,
    sections: &'a [Section],
    by_name: HashMap<&'a [u8], usize>,
    /// Where the section headers begin.
    headers_at: usize,
    symbols: SymbolTable<'a, Header>,
    symbols_at: usize,
    /// Bytes of sections and names that may still be looked at. They do not overlap, unless somebody wants this to take forever.
    budget: Cell<usize>,
}

/// Reads the kernels of a cubin into `reading`.
///
/// # Errors
/// With what is damaged, when nothing of it can be read.
pub(super) fn read(bytes: &[u8], base: Base, reading: &mut Reading) -> Result<(), String> {
    let image = Image::open(bytes, base)?;
    let totals = image.totals(reading);
    let before = reading.kernels.len();
    for (index, symbol) in image.symbols.iter().enumerate() {
        let is_function = symbol.st_type() == elf::STT_FUNC && symbol.st_shndx(LittleEndian) != elf::SHN_UNDEF;
        if is_function && symbol.st_other().0 & STO_CUDA_ENTRY == 0 {
            reading.num_device_functions += 1;
        } else if is_function {
            let kernel = image.kernel(index, symbol, &totals, reading);
            reading.kernels.push(kernel);
        }
    }
    if reading.kernels.len() == before {
        reading.num_without_kernels += 1;
    } else if image.is_relocatable {
        reading.notes.at(Topic::Function, Severity::Warning, base.place(0), || {
            "this code is to be linked with other code (-rdc=true): its registers and stack can grow, and its shared memory is \
             not final; open the linked program"
                .to_owned()
        });
    }
    Ok(())
}

/// The records of a section, each with where its value is.
#[derive(Debug, Default)]
struct Facts<'a> {
    records: Vec<(Record<'a>, usize)>,
    /// All of them could be read, so what is not there is not stated.
    is_whole: bool,
}

impl Facts<'_> {
    fn find(&self, attribute: u8) -> Option<&(Record<'_>, usize)> {
        self.records.iter().find(|(record, _)| record.attribute == attribute)
    }
}

/// What the section about the whole file says of each function, by the index of its symbol, and where.
#[derive(Debug, Default)]
struct Totals {
    registers: HashMap<u32, (u32, usize)>,
    stack: HashMap<u32, (u32, usize)>,
}

impl<'a> Image<'a> {
    fn open(bytes: &'a [u8], base: Base) -> Result<Self, String> {
        let damaged = |error: object::Error| format!("{error} ({})", base.place(0));
        let header = Header::parse(bytes).map_err(damaged)?;
        let flavor = match header.e_ident().abi_version {
            7 => Flavor::Older,
            8 => Flavor::Newer,
            other => return Err(format!("its ABI version is {other}, and only 7 and 8 are known ({})", base.place(0))),
        };
        let sections = header.section_headers(LittleEndian, bytes).map_err(damaged)?;
        let table = header.sections(LittleEndian, bytes).map_err(damaged)?;
        let symbols = table.symbols(LittleEndian, bytes, elf::SHT_SYMTAB).map_err(damaged)?;
        let budget = Cell::new(bytes.len().saturating_mul(2));
        let mut by_name = HashMap::new();
        for (index, section) in sections.iter().enumerate() {
            let name = table.section_name(LittleEndian, section).map_err(damaged)?;
            if !spend(&budget, name.len()) {
                return Err(format!("the names of its sections overlap ({})", base.place(0)));
            }
            by_name.entry(name).or_insert(index);
        }
        let symbols_at = sections.get(symbols.section().0).map_or(0, |section| place_of(section.sh_offset(LittleEndian)));
        Ok(Self {
            bytes,
            base,
            flavor,
            compute_capability: compute_capability(header.e_flags(LittleEndian).0, flavor, base),
            is_relocatable: header.e_type(LittleEndian) == elf::ET_REL,
            sections,
            by_name,
            headers_at: place_of(header.e_shoff(LittleEndian)),
            symbols,
            symbols_at,
            budget,
        })
    }

    fn cc(&self) -> Option<ComputeCapability> {
        self.compute_capability.map(|cc| cc.value)
    }

    /// The section of this name, and its index.
    fn section(&self, name: &[u8]) -> Option<(usize, &'a Section)> {
        let index = *self.by_name.get(name)?;
        Some((index, self.sections.get(index)?))
    }

    /// The section about one function: ".text" and ".NAME".
    fn section_of(&self, kind: &str, mangled: &[u8]) -> Option<(usize, &'a Section)> {
        self.section(&[kind.as_bytes(), b".", mangled].concat())
    }

    /// A value in a section header.
    fn in_header<T>(&self, value: T, index: usize, field: usize) -> Read<T> {
        let offset = self.headers_at.saturating_add(index * field::SECTION_HEADER_BYTES + field);
        Read::exact(value, self.base.place(offset))
    }

    /// The records of a section; where it is damaged, that is noted.
    fn records(&self, section: Option<(usize, &'a Section)>, reading: &mut Reading) -> Facts<'a> {
        let Some((_, section)) = section else { return Facts::default() };
        let begin = place_of(section.sh_offset(LittleEndian));
        let Some(data) = section.data(LittleEndian, self.bytes).ok().filter(|data| spend(&self.budget, data.len())) else {
            reading.skip(self.base.place(begin), || "facts about kernels go on after the file; they are skipped".to_owned());
            return Facts::default();
        };
        let mut facts = Facts { records: Vec::new(), is_whole: true };
        for record in records(data) {
            match record {
                Ok(record) => facts.records.push((record, begin.saturating_add(record.offset))),
                Err(torn) => {
                    facts.is_whole = false;
                    reading.skip(self.base.place(begin.saturating_add(torn.offset)), || {
                        "the facts about kernels cannot be read from here on; what comes later in this section is skipped".to_owned()
                    });
                }
            }
        }
        facts
    }

    fn totals(&self, reading: &mut Reading) -> Totals {
        let mut totals = Totals::default();
        for (record, offset) in self.records(self.section(b".nv.info"), reading).records {
            let Some((symbol, value)) = record.number(0).zip(record.number(1)) else { continue };
            match record.attribute {
                attribute::REGCOUNT => _ = totals.registers.entry(symbol).or_insert((value, offset + 4)),
                attribute::FRAME_SIZE => _ = totals.stack.entry(symbol).or_insert((value, offset + 4)),
                _ => {}
            }
        }
        totals
    }

    fn kernel(&self, index: usize, symbol: &'a Sym64<LittleEndian>, totals: &Totals, reading: &mut Reading) -> Kernel {
        let at = self.base.place(self.symbols_at.saturating_add(index * field::SYMBOL_BYTES));
        let name = self.symbols.symbol_name(LittleEndian, symbol).ok().filter(|name| spend(&self.budget, name.len()));
        let mangled = name.unwrap_or_else(|| {
            reading.skip(at, || "the name of this kernel cannot be read; it is left out".to_owned());
            b""
        });
        let mut kernel = new_kernel(&String::from_utf8_lossy(mangled), at, self.compute_capability);
        let symbol_index = u32::try_from(index).unwrap_or(u32::MAX);
        kernel.registers_per_thread = self.registers(symbol_index, mangled, totals);
        if kernel.registers_per_thread.is_none() {
            reading.skip(at, || format!("no register count of {} is in here", excerpt(mangled, EXCERPT_LETTERS)));
        }
        kernel.static_smem_bytes = self.static_smem(mangled, reading);
        let info = self.records(self.section_of(".nv.info", mangled), reading);
        kernel.barriers = self.barriers(mangled, &info);
        let stack = totals.stack.get(&symbol_index).map(|(bytes, offset)| Read::exact(u64::from(*bytes), self.base.place(*offset)));
        let compiled = kernel.compiled.get_or_insert_default();
        compiled.stack_bytes = stack;
        self.launch_bounds(&mut kernel, &info);
        kernel
    }

    /// The count of the whole-file section. Old code may lack it; up to compute capability 8.9 the section header has it too.
    fn registers(&self, symbol: u32, mangled: &[u8], totals: &Totals) -> Option<Read<u32>> {
        if let Some((registers, offset)) = totals.registers.get(&symbol) {
            return Some(Read::exact(*registers, self.base.place(*offset)));
        }
        let (index, text) = self.section_of(".text", mangled)?;
        let registers = text.sh_info(LittleEndian) >> 24;
        (registers > 0).then(|| self.in_header(registers, index, field::SH_INFO))
    }

    /// Size of the kernel's own section, without what the driver keeps of it. No section means none.
    fn static_smem(&self, mangled: &[u8], reading: &mut Reading) -> Option<Read<u64>> {
        let Some((index, section)) = self.section_of(".nv.shared", mangled) else {
            let (text, _) = self.section_of(".text", mangled)?;
            // The linker lays the shared memory of relocatable code out, so here it says nothing that there is none.
            return (!self.is_relocatable).then(|| self.in_header(0, text, 0));
        };
        let counted = self.in_header(section.sh_size(LittleEndian), index, field::SH_SIZE);
        let settled = reserve::settle(counted, self.cc())?;
        reading.num_reserved += u64::from(settled.value != counted.value);
        Some(settled)
    }

    fn barriers(&self, mangled: &[u8], info: &Facts<'_>) -> Option<Read<u32>> {
        let (index, text) = self.section_of(".text", mangled)?;
        match self.flavor {
            Flavor::Older => {
                let flags = text.sh_flags(LittleEndian).0 >> 20 & 0x7F;
                u32::try_from(flags).ok().map(|barriers| self.in_header(barriers, index, field::SH_FLAGS))
            }
            Flavor::Newer => {
                // No record means none, when all records are there.
                let none = || info.is_whole.then(|| self.in_header(0, index, 0));
                let Some((record, offset)) = info.find(attribute::NUM_BARRIERS) else { return none() };
                record.byte().map(|barriers| Read::exact(barriers.into(), self.base.place(*offset)))
            }
        }
    }

    /// What a launch of the kernel has to keep to.
    fn launch_bounds(&self, kernel: &mut Kernel, info: &Facts<'_>) {
        let extents = |wanted: u8| {
            let (record, offset) = info.find(wanted)?;
            let [x, y, z] = record.extents()?;
            Some(Read::exact(Dim3::new(x, y, z), self.base.place(*offset)))
        };
        let required = extents(attribute::REQNTID);
        let threads = required.or_else(|| extents(attribute::MAX_THREADS)).map(|shape| shape.map(Dim3::count));
        let cluster = extents(attribute::CTA_PER_CLUSTER).map(|shape| shape.map(Dim3::count));
        kernel.block = required;
        kernel.cluster_size = cluster.and_then(|size| Some(Read::exact(u32::try_from(size.value).ok()?, size.at)));
        let compiled: &mut Compiled = kernel.compiled.get_or_insert_default();
        compiled.max_threads_per_block = threads;
    }
}

/// The compute capability in the flags of the file header; none when there is none.
///
/// 0x500550 of the older flavor is 8.0, 0x6007802 of the newer one 12.0.
fn compute_capability(flags: u32, flavor: Flavor, base: Base) -> Option<Read<ComputeCapability>> {
    let [low, next, ..] = flags.to_le_bytes();
    let sm = match flavor {
        Flavor::Older => low,
        Flavor::Newer => next,
    };
    (sm >= 10).then(|| Read::exact(ComputeCapability::new(sm / 10, sm % 10), base.place(field::E_FLAGS)))
}

/// Takes this many bytes off the budget; false when it does not have them.
fn spend(budget: &Cell<usize>, num_bytes: usize) -> bool {
    let left = budget.get().checked_sub(num_bytes);
    budget.set(left.unwrap_or(0));
    left.is_some()
}

fn place_of(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_have_the_compute_capability() {
        let cc = |flags, flavor| compute_capability(flags, flavor, Base::Plain(0)).map(|cc| cc.value.to_string());
        assert_eq!(cc(0x50_0550, Flavor::Older).as_deref(), Some("8.0"));
        assert_eq!(cc(0x5A_0D5A, Flavor::Older).as_deref(), Some("9.0"));
        assert_eq!(cc(0x600_7802, Flavor::Newer).as_deref(), Some("12.0"));
        assert_eq!(cc(0x600_640A, Flavor::Newer).as_deref(), Some("10.0"));
        assert_eq!(cc(0, Flavor::Newer), None);
    }
}
