//! Lessons: Markdown in `assets/lessons`, read into steps that drive the app, with numbers that the engine fills in.
//!
//! In: the lesson format ([`lesson`]), what a step sets up ([`setup`]), numbers in prose ([`template`], [`expr`], [`facts`]), pieces
//! of the engine's own source ([`code`]) and the quiz ([`quiz`]). Not in: how it is drawn, and occupancy, which is the engine's.
//!
//! Start with [`lessons`].

pub mod code;
pub mod expr;
pub mod facts;
pub mod lesson;
pub mod quiz;
pub mod setup;
pub mod template;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub use facts::{Facts, Latency};
pub use lesson::{Lesson, Part, Step};
pub use setup::{Setup, Shown};

/// The files of `assets/lessons`, in the order in which they are read.
const FILES: [(&str, &str); 9] = [
    ("1_what_an_sm_holds.md", include_str!("../../assets/lessons/1_what_an_sm_holds.md")),
    ("2_placing_blocks.md", include_str!("../../assets/lessons/2_placing_blocks.md")),
    ("3_registers.md", include_str!("../../assets/lessons/3_registers.md")),
    ("4_shared_memory.md", include_str!("../../assets/lessons/4_shared_memory.md")),
    ("5_textbook_and_hardware.md", include_str!("../../assets/lessons/5_textbook_and_hardware.md")),
    ("6_waves_and_tail.md", include_str!("../../assets/lessons/6_waves_and_tail.md")),
    ("7_more_warps_is_a_means.md", include_str!("../../assets/lessons/7_more_warps_is_a_means.md")),
    ("8_doing_it.md", include_str!("../../assets/lessons/8_doing_it.md")),
    ("9_things_that_break.md", include_str!("../../assets/lessons/9_things_that_break.md")),
];

/// All lessons. A file that cannot be read is left out; a test makes sure that there is none.
pub fn lessons() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| FILES.iter().filter_map(|(_, text)| Lesson::parse(text).ok()).collect())
}

/// The lesson with this id.
pub fn find(id: &str) -> Option<&'static Lesson> {
    lessons().iter().find(|lesson| lesson.id == id)
}
