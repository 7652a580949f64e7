//! The engine against NVIDIA's header, at lengths that the ordinary tests do not go to.
//!
//! [`header`] builds and calls that header; [`word`] puts an answer into the form in which millions of them are hashed;
//! [`reports`] writes profiler reports of any size.
//! The proofs themselves are in `tests/`, the speed in `benches/`. How to run them: `README.md` in this folder.

mod binary;
pub mod header;
pub mod random;
pub mod reports;
pub mod word;

use std::sync::atomic::{AtomicUsize, Ordering};

use occuscope::arch::{Arch, Catalog};

/// All architectures, ascending.
pub fn archs() -> Vec<&'static Arch> {
    Catalog::builtin().archs().collect()
}

/// Hands the items to as many threads as there are cores, in their order, and gives the results back in the same order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker failed")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
