//! Any text as a preset's code; a code that was read is written as one that means the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occuscope::session::saved::code::{SCHEME, read, write};

fuzz_target!(|text: &str| {
    let code = format!("{SCHEME}1; {text}");
    for code in [code.as_str(), text] {
        if let Ok(preset) = read(code) {
            let written = write(&preset);
            assert!(!written.contains('\n'), "{written}");
            let again = read(&written).expect("a code that was written");
            assert_eq!(write(&again), written);
        }
    }
});
