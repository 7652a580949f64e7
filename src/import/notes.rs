//! Collecting notes: enough of each kind to find the place, and a count of the rest.

use super::model::{Note, Severity};
use super::position::Position;

/// Notes of one topic after this many are only counted.
const MAX_PER_TOPIC: u64 = 20;

/// What a note is about. Topics are counted apart, so that many of one kind cannot hide another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Topic {
    Profiler,
    Row,
    Number,
    Unit,
    Repeated,
    Contradiction,
    /// Of a binary file.
    Damage,
    Compiler,
    Function,
    File,
}

const NUM_TOPICS: usize = Topic::File as usize + 1;

impl Topic {
    /// What one note is about, and what several are about.
    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Profiler => ["message of the profiler", "messages of the profiler"],
            Self::Row => ["row that could not be used", "rows that could not be used"],
            Self::Number => ["cell that could not be read as a number", "cells that could not be read as a number"],
            Self::Unit => ["cell with an unknown unit", "cells with an unknown unit"],
            Self::Repeated => ["value that differs between two rows", "values that differ between two rows"],
            Self::Contradiction => {
                ["launch whose shape and size contradict each other", "launches whose shape and size contradict each other"]
            }
            Self::Damage => ["place that is damaged", "places that are damaged"],
            Self::Compiler => ["message of the compiler", "messages of the compiler"],
            Self::Function => ["note about a function", "notes about functions"],
            Self::File => ["note", "notes"],
        }
    }
}

#[derive(Clone, Debug)]
struct TopicNote {
    topic: Topic,
    /// Its byte in a binary file, to sort by.
    byte: Option<u64>,
    note: Note,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    notes: Vec<TopicNote>,
    counts: [u64; NUM_TOPICS],
}

impl Notes {
    /// Adds a note about a place. A byte is named in the message, because a note has a line and a column only.
    pub(super) fn at(&mut self, topic: Topic, severity: Severity, at: Position, message: impl FnOnce() -> String) {
        let (line, column) = (at.line(), at.column().map(u64::from));
        let message = || if at.byte().is_some() { format!("at {at}: {}", message()) } else { message() };
        self.add(topic, at.byte(), || Note { line, column, severity, message: message() });
    }

    /// Adds a note about a line.
    pub(super) fn on_line(&mut self, topic: Topic, severity: Severity, line: u64, message: impl FnOnce() -> String) {
        self.add(topic, None, || Note { line: Some(line), column: None, severity, message: message() });
    }

    /// Adds a note about the whole file.
    pub(super) fn about_file(&mut self, severity: Severity, message: String) {
        self.add(Topic::File, None, || Note { line: None, column: None, severity, message });
    }

    fn add(&mut self, topic: Topic, byte: Option<u64>, note: impl FnOnce() -> Note) {
        let count = &mut self.counts[topic as usize];
        *count += 1;
        if *count <= MAX_PER_TOPIC {
            self.notes.push(TopicNote { topic, byte, note: note() });
        }
    }

    /// Adds the notes about a later part of the text.
    pub(super) fn append(&mut self, later: Self) {
        let counts = self.counts;
        for note in later.notes {
            self.add(note.topic, note.byte, || note.note);
        }
        // Those that were only counted count here as well.
        for (count, (before, more)) in self.counts.iter_mut().zip(counts.into_iter().zip(later.counts)) {
            *count = before + more;
        }
    }

    /// All notes in the order of the file, those about the whole file first, and one for each topic that had too many.
    pub(super) fn finish(mut self) -> Vec<Note> {
        const COUNTED: [Topic; NUM_TOPICS - 1] = [
            Topic::Profiler,
            Topic::Row,
            Topic::Number,
            Topic::Unit,
            Topic::Repeated,
            Topic::Contradiction,
            Topic::Damage,
            Topic::Compiler,
            Topic::Function,
        ];
        for topic in COUNTED {
            let more = self.counts[topic as usize].saturating_sub(MAX_PER_TOPIC);
            if more > 0 {
                let words = topic.words()[usize::from(more > 1)];
                let message = format!("{} more {words} not listed", crate::fmt::grouped(more));
                self.about_file(Severity::Warning, message);
            }
        }
        self.notes.sort_by_key(|TopicNote { byte, note, .. }| (note.line, note.column, *byte));
        self.notes.into_iter().map(|note| note.note).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_many_notes_is_counted() {
        let mut notes = Notes::default();
        for line in 1..=50 {
            notes.on_line(Topic::Number, Severity::Warning, line, || format!("line {line}"));
        }
        let notes = notes.finish();
        assert_eq!(notes.len(), 21);
        assert_eq!(notes[0].message, "30 more cells that could not be read as a number not listed");
        assert_eq!(notes[1].line, Some(1));
    }

    #[test]
    fn one_more_note_is_one_more() {
        let mut notes = Notes::default();
        (1..=21).for_each(|line| notes.on_line(Topic::Contradiction, Severity::Warning, line, String::new));
        assert_eq!(notes.finish()[0].message, "1 more launch whose shape and size contradict each other not listed");
    }

    #[test]
    fn appended_notes_are_listed_and_counted_as_if_they_were_added() {
        let of = |lines: std::ops::RangeInclusive<u64>| {
            let mut notes = Notes::default();
            lines.for_each(|line| notes.on_line(Topic::Row, Severity::Warning, line, || format!("line {line}")));
            notes
        };
        let mut parts = of(1..=15);
        parts.append(of(16..=60));
        parts.append(of(61..=70));
        assert_eq!(parts.finish(), of(1..=70).finish());
    }
}
