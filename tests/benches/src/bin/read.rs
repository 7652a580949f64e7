//! `read FILE`: reads a report as the program does, and prints how long that took and the most memory it needed, as JSON.
//! `read --stop-at 50 FILE` stops in the middle and prints how long a person waits for that.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use occuscope::import::Progress;
use occuscope::shell::Contents;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    match args.as_slice() {
        [path] => read(Path::new(path)),
        [option, percent, path] if option == "--stop-at" => match percent.to_str().and_then(|percent| percent.parse().ok()) {
            Some(percent) => stop(Path::new(path), percent),
            None => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: read [--stop-at PERCENT] FILE");
    ExitCode::from(2)
}

fn told<T>(result: Result<T, String>, tell: impl FnOnce(T)) -> ExitCode {
    match result {
        Ok(report) => {
            tell(report);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn read(path: &Path) -> ExitCode {
    let start = Instant::now();
    let read = Contents::open(path).map_err(|error| error.to_string());
    let read = read.and_then(|contents| contents.report(|_| ControlFlow::Continue(())).map_err(|error| error.to_string()));
    told(read, |report| {
        let (seconds, num_kernels) = (start.elapsed().as_secs_f64(), report.kernels.len());
        let peak_kib = peak_kib().unwrap_or_default();
        println!("{{\"seconds\": {seconds:.4}, \"kernels\": {num_kernels}, \"peak_mb\": {:.1}}}", peak_kib * 1024.0 / 1e6);
    })
}

/// Stops the reading in the middle, as a person would: the wait is at most the longest time between two questions whether to stop,
/// and the time from the answer to what was read until then.
fn stop(path: &Path, percent: usize) -> ExitCode {
    let (mut last, mut longest, mut stopped) = (Instant::now(), 0.0_f64, None);
    let read = Contents::open(path).map_err(|error| error.to_string()).and_then(|contents| {
        let ask = |at: Progress| {
            longest = longest.max(last.elapsed().as_secs_f64());
            last = Instant::now();
            if at.bytes_read / 100 < at.bytes_total / 10_000 * percent {
                return ControlFlow::Continue(());
            }
            stopped = Some(last);
            ControlFlow::Break(())
        };
        contents.report(ask).map_err(|error| error.to_string())
    });
    let wait = longest + stopped.map_or(0.0, |stopped| stopped.elapsed().as_secs_f64());
    told(read, |report| println!("stopped after {wait:.4} s at most, with {} kernels", report.kernels.len()))
}

/// The most memory that this process had in use, mapped files included; Linux only.
fn peak_kib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}
