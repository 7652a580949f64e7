//! Any text as settings; written over themselves they stay what they are, with whatever else the file has.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occuscope::session::saved::settings::{read, write};

fuzz_target!(|text: &str| {
    if let Ok(settings) = read(text) {
        let written = write(&settings, text).expect("settings that were read");
        assert_eq!(read(&written), Ok(settings.clone()));
        assert_eq!(write(&settings, &written), Ok(written));
    }
});
