//! Any bytes behind the beginning of a binary report, so that no run is spent on finding it.

#![no_main]

use libfuzzer_sys::fuzz_target;

/// The magic and a file header that states version 7.
const HEAD: &[u8] = b"NVR\0\x02\0\0\0\x08\x07";

fuzz_target!(|bytes: &[u8]| {
    let blocks = bytes.strip_prefix(HEAD).unwrap_or(bytes);
    let _ = occuscope::import::read_report(&[HEAD, blocks].concat());
});
