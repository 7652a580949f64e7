//! Any text as a session: what was read is taken over, answered and written, and then reads as the same.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use occuscope::arch::Catalog;
use occuscope::session::saved::session::{read, write};
use occuscope::session::{Action, Session};

fuzz_target!(|text: &str| {
    let catalog = Catalog::with_textbook();
    let Ok(restored) = read(text, catalog) else { return };
    let mut session = Session::new(Arc::new(catalog.clone()));
    session.apply(Action::TakeSession { restored: Box::new(restored), file: None, message: String::new() });
    let _ = (session.occupancy(), session.waves(), session.selected());
    let written = write(&session.snapshot(), usize::MAX);
    let again = read(&written, catalog).expect("a session that was written");
    let mut second = Session::new(Arc::new(catalog.clone()));
    second.apply(Action::TakeSession { restored: Box::new(again), file: None, message: String::new() });
    assert_eq!(write(&second.snapshot(), usize::MAX), written);
});
