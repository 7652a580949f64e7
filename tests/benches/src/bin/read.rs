//! `read FILE`: reads a report as the program does, and prints how long that took and the most memory it needed, as JSON.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use occuscope::shell::Contents;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: read FILE");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let read = Contents::open(Path::new(&path)).map_err(|error| error.to_string());
    let read = read.and_then(|contents| contents.report(|_| ControlFlow::Continue(())).map_err(|error| error.to_string()));
    match read {
        Ok(report) => {
            let (seconds, num_kernels) = (start.elapsed().as_secs_f64(), report.kernels.len());
            let peak_kib = peak_kib().unwrap_or_default();
            println!("{{\"seconds\": {seconds:.4}, \"kernels\": {num_kernels}, \"peak_mb\": {:.1}}}", peak_kib * 1024.0 / 1e6);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The most memory that this process had in use, mapped files included; Linux only.
fn peak_kib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}
