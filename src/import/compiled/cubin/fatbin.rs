//! Fat binaries: containers with the same code for several GPUs, compressed or not, and as PTX.

use std::io::Read as _;
use std::ops::ControlFlow;

use ruzstd::decoding::StreamingDecoder;

use super::super::super::Progress;
use super::super::super::position::Position;
use super::{Base, Reading, image};
use crate::fmt::grouped;

/// The first bytes of a container.
pub(super) const MAGIC: [u8; 4] = 0xBA55_ED50_u32.to_le_bytes();

const CONTAINER_HEADER_BYTES: usize = 16;
/// The smallest header of an entry.
const ENTRY_HEADER_BYTES: usize = 64;

/// A piece of code that unpacks to more is refused.
const MAX_UNPACKED_BYTES: usize = 256 << 20;
/// As is one that would grow by more than this factor, beyond a first MiB: code does not.
const MAX_GROWTH: usize = 1000;
const FREE_GROWTH_BYTES: usize = 1 << 20;
/// The most that Zstandard may look back, which it reserves at once.
const MAX_WINDOW_BYTES: usize = 128 << 20;

const KIND_PTX: u16 = 1;
const KIND_CUBIN: u16 = 2;
const FLAG_LZ4: u64 = 0x2000;
const FLAG_ZSTD: u64 = 0x8000;

/// Reads all containers in a stretch of the file that begins at byte `base`; what lies between them is skipped.
pub(super) fn read(
    stretch: &[u8],
    base: usize,
    reading: &mut Reading,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut offset = 0;
    while let Some(found) = find_magic(stretch, offset) {
        let Some(container) = Container::new(stretch, found) else {
            offset = found + MAGIC.len();
            continue;
        };
        reading.num_containers += 1;
        if container.is_cut {
            reading.skip(Position::of_byte(base + found), || "this fat binary ends after its section; what is there is read".to_owned());
        }
        container.read(base, reading, progress)?;
        offset = container.end;
    }
    ControlFlow::Continue(())
}

fn find_magic(stretch: &[u8], offset: usize) -> Option<usize> {
    let rest = stretch.get(offset..)?;
    let mut begin = 0;
    while let Some(step) = rest[begin..].iter().position(|byte| *byte == MAGIC[0]) {
        begin += step;
        if rest[begin..].starts_with(&MAGIC) {
            return Some(offset + begin);
        }
        begin += 1;
    }
    None
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// A size that a file states; what does not fit into memory is as large as can be.
fn size(stated: u64) -> usize {
    usize::try_from(stated).unwrap_or(usize::MAX)
}

/// A container in a stretch of bytes.
#[derive(Clone, Copy, Debug)]
struct Container<'a> {
    stretch: &'a [u8],
    /// Where its entries begin and end.
    begin: usize,
    end: usize,
    /// It says that it is larger than the stretch.
    is_cut: bool,
}

impl<'a> Container<'a> {
    /// The container that begins here; none when these bytes only look like one.
    fn new(stretch: &'a [u8], offset: usize) -> Option<Self> {
        let header = stretch.get(offset..)?;
        let (version, header_bytes) = (u16_at(header, 4)?, u16_at(header, 6)?);
        if version != 1 || usize::from(header_bytes) != CONTAINER_HEADER_BYTES {
            return None;
        }
        let begin = offset + CONTAINER_HEADER_BYTES;
        let stated_end = begin.saturating_add(size(u64_at(header, 8)?));
        Some(Self { stretch, begin, end: stated_end.min(stretch.len()), is_cut: stated_end > stretch.len() })
    }

    fn read(&self, base: usize, reading: &mut Reading, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut offset = self.begin;
        while offset < self.end {
            let at = base + offset;
            let Some(entry) = Entry::new(&self.stretch[..self.end], offset, at) else {
                reading.skip(Position::of_byte(at), || "this entry of a fat binary ends after it; the rest is skipped".to_owned());
                break;
            };
            entry.read(reading);
            offset = entry.end;
            if progress(reading.progress(base + offset)).is_break() {
                reading.note_stopped(base + offset);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// One piece of code in a container.
#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    kind: u16,
    flags: u64,
    /// 0 when it is not compressed.
    compressed_bytes: usize,
    unpacked_bytes: usize,
    payload: &'a [u8],
    /// Where the payload begins in the file.
    payload_at: usize,
    /// Where the next entry begins in the stretch.
    end: usize,
}

impl<'a> Entry<'a> {
    /// The entry that begins at `offset` of a container, which is byte `at` of the file; none when it goes on after the container.
    fn new(container: &'a [u8], offset: usize, at: usize) -> Option<Self> {
        let header = container.get(offset..)?;
        let header_bytes = usize::try_from(u32_at(header, 4)?).ok()?.max(ENTRY_HEADER_BYTES);
        let payload_end = header_bytes.checked_add(size(u64_at(header, 8)?))?;
        Some(Self {
            kind: u16_at(header, 0)?,
            flags: u64_at(header, 40)?,
            compressed_bytes: usize::try_from(u32_at(header, 16)?).ok()?,
            unpacked_bytes: size(u64_at(header, 56)?),
            payload: header.get(header_bytes..payload_end)?,
            payload_at: at + header_bytes,
            end: offset + payload_end,
        })
    }

    fn read(&self, reading: &mut Reading) {
        let at = Position::of_byte(self.payload_at);
        match self.kind {
            KIND_PTX => reading.num_ptx += 1,
            KIND_CUBIN => {
                if let Err(why) = self.read_cubin(reading) {
                    reading.skip(at, || format!("this piece of code is skipped: {why}"));
                }
            }
            kind => reading.skip(at, || {
                format!(
                    "this piece of code, of kind {kind}, cannot be read; dump it with cuobjdump --dump-resource-usage FILE and open \
                     the text"
                )
            }),
        }
    }

    fn read_cubin(&self, reading: &mut Reading) -> Result<(), String> {
        if self.compressed_bytes == 0 {
            return image::read(self.payload, Base::Plain(self.payload_at), reading);
        }
        let unpacked = self.unpacked()?;
        reading.num_compressed += 1;
        image::read(&unpacked, Base::Compressed(self.payload_at), reading)
    }

    fn unpacked(&self) -> Result<Vec<u8>, String> {
        let packed = self.payload.get(..self.compressed_bytes).ok_or("it is compressed to more bytes than it has")?;
        let allowed = FREE_GROWTH_BYTES.saturating_add(packed.len().saturating_mul(MAX_GROWTH)).min(MAX_UNPACKED_BYTES);
        if self.unpacked_bytes > allowed {
            let stated = grouped(u64::try_from(self.unpacked_bytes).unwrap_or(u64::MAX));
            return Err(format!("it would grow to {stated} bytes, which code of this size does not"));
        }
        if self.flags & FLAG_ZSTD != 0 {
            unpacked_zstd(packed, self.unpacked_bytes)
        } else if self.flags & FLAG_LZ4 != 0 {
            unpacked_lz4(packed, self.unpacked_bytes)
        } else {
            Err(format!("its compression is not known (flags {:#x})", self.flags))
        }
    }
}

fn unpacked_lz4(packed: &[u8], num_bytes: usize) -> Result<Vec<u8>, String> {
    let mut unpacked = vec![0; num_bytes];
    let length = lz4_flex::block::decompress_into(packed, &mut unpacked).map_err(|error| format!("its LZ4 data is damaged: {error}"))?;
    unpacked.truncate(length);
    Ok(unpacked)
}

fn unpacked_zstd(packed: &[u8], num_bytes: usize) -> Result<Vec<u8>, String> {
    let damaged = |error: &dyn std::fmt::Display| format!("its Zstandard data is damaged: {error}");
    let window = num_bytes.checked_next_power_of_two().map_or(MAX_WINDOW_BYTES, |bytes| bytes.clamp(FREE_GROWTH_BYTES, MAX_WINDOW_BYTES));
    let window = u64::try_from(window).unwrap_or(u64::MAX);
    let decoder = StreamingDecoder::new_with_max_window_size(packed, window).map_err(|error| damaged(&error))?;
    let mut unpacked = Vec::new();
    let limit = u64::try_from(num_bytes).unwrap_or(u64::MAX);
    decoder.take(limit).read_to_end(&mut unpacked).map_err(|error| damaged(&error))?;
    Ok(unpacked)
}
