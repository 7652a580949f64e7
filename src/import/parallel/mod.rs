//! One text read at several places at once, with the same result as read from front to back.
//!
//! The text is cut where another launch seems to begin, each chunk is read on its own, and the chunks are put together in their
//! order. A cut is a guess: it holds when the chunk before was read exactly to it, because a reader that stands at the beginning
//! of a row reads on in the same way wherever it came from. What a chunk cannot know ends it all: the caller reads on from the last
//! chunk that fits, row by row. That is a cut inside a row of several lines, another header, and a launch that was begun before.
//!
//! Not in: texts without a header so far, or whose decimal mark nothing has spoken for; each row would have to know those before.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use memchr::memchr_iter;

use super::detect::Header;
use super::layout::Layout;
use super::lines::{Runs, line_at};
use super::numbers::DecimalMark;
use super::reading::{Reading, Words};
use super::rows::Cutter;
use super::table::{Scan, Watch};

/// How a text is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division {
    pub num_threads: usize,
    pub chunk_bytes: usize,
    /// Shorter texts, and what is left of long ones, are read from front to back.
    pub min_bytes: usize,
}

/// More threads would wait for the one that puts the chunks together.
const MAX_THREADS: usize = 8;

impl Division {
    /// By the number of cores.
    pub(super) fn of_this_machine() -> Self {
        let num_threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
        Self { num_threads, chunk_bytes: 1 << 20, min_bytes: 8 << 20 }
    }

    pub(super) const fn is_worthwhile(self, num_bytes: usize) -> bool {
        self.num_threads > 1 && num_bytes > self.min_bytes
    }
}

/// Where the next launch begins is looked for in so many bytes; a launch has about 20,000.
const MAX_SEARCH_BYTES: usize = 1 << 20;

/// When a pass reads at several places, and when it tries again.
#[derive(Debug)]
pub(super) struct Plan {
    division: Division,
    /// Bytes read from front to back after an attempt. Where attempts come to nothing, there are fewer and fewer.
    wait: usize,
    next_look: usize,
    /// Where a launch seems to begin that an attempt can begin with.
    cut: Option<usize>,
}

impl Plan {
    pub(super) const fn new(division: Division) -> Self {
        Self { division, wait: division.chunk_bytes, next_look: 0, cut: None }
    }

    /// Whether to read on at several places from here.
    pub(super) fn is_due(&mut self, scan: &Scan<'_>, reading: &Reading) -> bool {
        let offset = scan.runs.offset();
        if let Some(cut) = self.cut {
            if offset >= cut {
                self.cut = None;
            }
            return offset == cut;
        }
        if offset >= self.next_look
            && self.division.is_worthwhile(scan.runs.rest().len())
            && let Some(header) = scan.splittable_header(reading)
        {
            self.cut = cut_after(scan.runs.text(), offset, header);
            self.next_look = offset.saturating_add(MAX_SEARCH_BYTES);
        }
        false
    }

    /// An attempt began and ended here.
    pub(super) fn tried(&mut self, start: usize, end: usize) {
        self.wait = if end - start > self.wait { self.division.chunk_bytes } else { self.wait.saturating_mul(2) };
        self.next_look = end.saturating_add(self.wait);
    }
}

/// A stretch of the text that begins and ends where rows are thought to begin.
#[derive(Debug)]
struct Chunk {
    index: usize,
    start: usize,
    end: usize,
    /// From the chunk before: the line that this one begins in.
    line: Receiver<u64>,
    /// To the chunk after it.
    line_after: Sender<u64>,
}

impl Chunk {
    /// The line it begins in, once the lines of this chunk are counted for the next one. None when a thread before has ended.
    fn line(&self, text: &[u8]) -> Option<u64> {
        let num_lines = memchr_iter(b'\n', &text[self.start..self.end]).count();
        let line = self.line.recv().ok()?;
        // At the end of the text nobody waits for it.
        let _ = self.line_after.send(line + u64::try_from(num_lines).ok()?);
        Some(line)
    }
}

/// A chunk that was read.
struct Part {
    start: usize,
    reading: Reading,
    /// Where reading it came to, and the line there.
    end: usize,
    end_line: u64,
    /// No table begins in it.
    is_plain: bool,
}

/// What the readers of chunks have to know of what was read before.
#[derive(Clone, Copy)]
struct Before<'t, 's> {
    text: &'t [u8],
    runs: &'s Runs<'t>,
    header: &'s Header,
    mark: DecimalMark,
}

/// Reads on at several places at once: to the end, to where `watch` says stop, or to what has to be read from front to back.
pub(super) fn read(scan: &mut Scan<'_>, reading: &mut Reading, division: Division, watch: &mut Watch<'_>) -> ControlFlow<()> {
    let Some(header) = scan.splittable_header(reading).cloned() else { return ControlFlow::Continue(()) };
    let runs = scan.runs.clone();
    let before = Before { text: runs.text(), runs: &runs, header: &header, mark: reading.mark };
    let (permit, permits) = channel();
    let chunks = Mutex::new(Chunks::new(before, division.chunk_bytes, permits));
    thread::scope(|scope| {
        let (done, parts) = channel();
        for _ in 0..division.num_threads {
            let (words, chunks, done) = (reading.words.for_thread(), &chunks, done.clone());
            // Fewer threads will do, and without any the rest is read from front to back.
            let _ = thread::Builder::new().spawn_scoped(scope, move || read_chunks(before, words, chunks, &done));
        }
        // Each thread may be one chunk ahead, so that what waits to be put together stays small.
        (0..2 * division.num_threads).for_each(|_| allow_one(&permit));
        drop(done);
        put_together(&parts, permit, scan, reading, watch)
    })
}

/// A thread that has ended needs no permit any more.
fn allow_one(permit: &Sender<()>) {
    let _ = permit.send(());
}

/// Appends the chunks in their order. Dropping `permit` at its end ends the threads.
fn put_together(
    parts: &Receiver<(usize, Option<Part>)>,
    permit: Sender<()>,
    scan: &mut Scan<'_>,
    reading: &mut Reading,
    watch: &mut Watch<'_>,
) -> ControlFlow<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (index, part) in parts {
        waiting.insert(index, part);
        while let Some(part) = waiting.remove(&next) {
            let fits = |part: &Part| part.is_plain && part.start == scan.runs.offset() && reading.can_append(&part.reading);
            let Some(part) = part.filter(fits) else { return ControlFlow::Continue(()) };
            reading.append(part.reading);
            scan.runs = scan.runs.clone().at(part.end, part.end_line);
            watch.tell(part.end, reading)?;
            next += 1;
            allow_one(&permit);
        }
    }
    drop(permit);
    ControlFlow::Continue(())
}

/// Reads chunks while there are any. One whose reading panics is handed on as none: it is read again from front to back.
fn read_chunks(before: Before<'_, '_>, words: Words, chunks: &Mutex<Chunks<'_, '_>>, done: &Sender<(usize, Option<Part>)>) {
    let next = || chunks.lock().ok()?.next();
    let mut reader = ChunkReader { layout: Layout::default(), words };
    while let Some(chunk) = next() {
        let part = catch_unwind(AssertUnwindSafe(|| reader.read(before, &chunk))).ok().flatten();
        if done.send((chunk.index, part)).is_err() {
            return;
        }
    }
}

/// Takes and gives back as much memory as a chunk becomes. Some allocators ask the system for a page at a time where a thread has too
/// little, and each time all threads wait; asked at once for more, they ask once.
fn make_room() {
    black_box(Vec::<u8>::with_capacity(ROOM_BYTES));
}

const ROOM_BYTES: usize = 1 << 20;

/// What a thread keeps from chunk to chunk.
struct ChunkReader {
    layout: Layout,
    words: Words,
}

impl ChunkReader {
    fn read(&mut self, before: Before<'_, '_>, chunk: &Chunk) -> Option<Part> {
        make_room();
        let line = chunk.line(before.text)?;
        let mut reading = Reading::of_part(before.mark);
        reading.words = std::mem::take(&mut self.words);
        let runs = before.runs.clone().at(chunk.start, line);
        let mut scan = Scan::of_part(runs, before.header.clone(), std::mem::take(&mut self.layout));
        while scan.runs.offset() < chunk.end && scan.num_tables == 0 && scan.step(&mut reading) {}
        self.words = std::mem::take(&mut reading.words);
        let (end, end_line, is_plain) = (scan.runs.offset(), scan.runs.line(), scan.num_tables == 0);
        self.layout = scan.into_layout();
        Some(Part { start: chunk.start, reading, end, end_line, is_plain })
    }
}

/// Cuts the text into chunks, one after the other.
struct Chunks<'t, 's> {
    before: Before<'t, 's>,
    chunk_bytes: usize,
    permits: Receiver<()>,
    /// Where the next chunk begins.
    index: usize,
    start: usize,
    line: Receiver<u64>,
}

impl<'t, 's> Chunks<'t, 's> {
    fn new(before: Before<'t, 's>, chunk_bytes: usize, permits: Receiver<()>) -> Self {
        let (first, line) = channel();
        let _ = first.send(before.runs.line());
        Self { before, chunk_bytes, permits, index: 0, start: before.runs.offset(), line }
    }

    /// The next chunk, once it may be read. None at the end of the text, and where no launch begins for long.
    fn next(&mut self) -> Option<Chunk> {
        self.permits.recv().ok()?;
        let (text, index, start) = (self.before.text, self.index, self.start);
        let is_last = text.len() - start <= self.chunk_bytes;
        let end = if is_last { text.len() } else { cut_after(text, start + self.chunk_bytes, self.before.header)? };
        if end == start {
            return None;
        }
        let (line_after, line_of_next) = channel();
        let line = std::mem::replace(&mut self.line, line_of_next);
        (self.index, self.start) = (index + 1, end);
        Some(Chunk { index, start, end, line, line_after })
    }
}

/// The first line after an offset that is about another launch than the line before.
fn cut_after(text: &[u8], offset: usize, header: &Header) -> Option<usize> {
    let last = offset.saturating_add(MAX_SEARCH_BYTES);
    let mut cutter = Cutter::default();
    let mut launch_before: Option<[&[u8]; 2]> = None;
    let mut at = offset + line_at(text, offset).len();
    while at < text.len() && at <= last {
        let line = line_at(text, at);
        let launch = cutter.plain(line).and_then(|row| header.launch_key(line, &row));
        if launch_before.is_some() && launch.is_some() && launch != launch_before {
            return Some(at);
        }
        launch_before = launch;
        at += line.len();
    }
    (at >= text.len()).then_some(text.len())
}
