//! Any text as a file of presets; what was read is written and read back to the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occuscope::session::saved::presets::{read, write};

fuzz_target!(|text: &str| {
    if let Ok(presets) = read(text) {
        assert_eq!(read(&write(&presets)), Ok(presets));
    }
});
