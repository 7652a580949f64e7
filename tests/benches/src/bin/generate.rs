//! `generate details|raw|binary MB [SEED]`: a profiler report of that size to the standard output.

use std::io::{self, BufWriter};
use std::process::ExitCode;

use occuscope_proofs::reports::{Shape, write_report};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((shape, num_bytes, seed)) = asked_for(&words) else {
        eprintln!("usage: generate details|raw|binary MB [SEED] > report");
        return ExitCode::from(2);
    };
    match write_report(shape, num_bytes, seed, BufWriter::with_capacity(1 << 20, io::stdout().lock())) {
        Ok(num_launches) => {
            eprintln!("{num_launches} launches");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cannot write the report: {error}");
            ExitCode::FAILURE
        }
    }
}

fn asked_for(words: &[String]) -> Option<(Shape, u64, u64)> {
    let shape = match words.first()?.as_str() {
        "details" => Shape::Details,
        "raw" => Shape::Raw,
        "binary" => Shape::Binary,
        _ => return None,
    };
    let megabytes: u64 = words.get(1)?.parse().ok()?;
    let seed = words.get(2).map_or(Some(1), |seed| seed.parse().ok())?;
    Some((shape, megabytes.checked_mul(1_000_000)?, seed))
}
