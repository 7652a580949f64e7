//! Reading reports against the bare `csv` crate: the same file, in turns, in one process.
//!
//! `cargo bench --bench import -- [MB]`; 100 unless told, of each shape. The other side only cuts the rows into cells, which is
//! the least that a reader built on that crate has to do. Binary reports have no other side.

use std::hint::black_box;
use std::time::{Duration, Instant};

use occuscope::import::read_report;
use occuscope_proofs::reports::{Shape, write_report};

const TURNS: usize = 7;

fn main() {
    let megabytes = std::env::args().skip(1).find_map(|word| word.parse::<u64>().ok()).unwrap_or(100);
    println!("{:<10}{:>10}{:>10}{:>16}{:>16}{:>9}", "shape", "MB", "launches", "ours MB/s", "csv MB/s", "ratio");
    for (name, shape) in [("details", Shape::Details), ("raw", Shape::Raw), ("binary", Shape::Binary)] {
        let mut bytes = Vec::new();
        let num_launches = write_report(shape, megabytes * 1_000_000, 1, &mut bytes).expect("memory can be written to");
        assert_eq!(read_report(&bytes).expect("a report").kernels.len() as u64, num_launches);
        let size = megabytes_of(bytes.len());
        if shape == Shape::Binary {
            let ours = speed(bytes.len(), (0..TURNS).map(|_| timed(|| ours(&bytes))).collect());
            println!("{name:<10}{size:>10.1}{num_launches:>10}{ours:>16.0}");
            continue;
        }
        let (ours, theirs): (Vec<_>, Vec<_>) = (0..TURNS).map(|_| (timed(|| ours(&bytes)), timed(|| bare_csv(&bytes)))).unzip();
        let (ours, theirs) = (speed(bytes.len(), ours), speed(bytes.len(), theirs));
        println!("{name:<10}{size:>10.1}{num_launches:>10}{ours:>16.0}{theirs:>16.0}{:>8.2}×", ours / theirs);
    }
}

fn ours(bytes: &[u8]) {
    black_box(read_report(black_box(bytes)).expect("a report"));
}

fn bare_csv(bytes: &[u8]) {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(black_box(bytes));
    let mut row = csv::ByteRecord::new();
    let mut num_cells = 0;
    while reader.read_byte_record(&mut row).expect("reading from memory cannot fail") {
        num_cells += row.len();
    }
    black_box(num_cells);
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// MB a second in the median turn.
fn speed(num_bytes: usize, mut turns: Vec<Duration>) -> f64 {
    turns.sort_unstable();
    megabytes_of(num_bytes) / turns[turns.len() / 2].as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files are far below 2^53")]
fn megabytes_of(num_bytes: usize) -> f64 {
    num_bytes as f64 / 1e6
}
