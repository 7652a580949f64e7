//! Any bytes as compiled code or compiler output: seeds are cubins, fat binaries and `ptxas -v` lines, see `tests/fuzz/README.md`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = occuscope::import::read_report(bytes);
});
