//! Collecting notes: enough of each kind to find the place, and a count of the rest.

use super::model::{Note, Position, Severity};

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
    const fn plural(self) -> &'static str {
        match self {
            Self::Profiler => "messages of the profiler",
            Self::Row => "rows that could not be used",
            Self::Number => "cells that could not be read as a number",
            Self::Unit => "cells with an unknown unit",
            Self::Repeated => "values that differ between two rows",
            Self::Contradiction => "launches whose shape and size contradict each other",
            Self::Damage => "places that are damaged",
            Self::Compiler => "messages of the compiler",
            Self::Function => "notes about functions",
            Self::File => "notes",
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
        let message = || match at {
            Position::Cell { .. } => message(),
            Position::Byte { .. } => format!("at {at}: {}", message()),
        };
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
                let message = format!("{} more {} not listed", crate::fmt::grouped(more), topic.plural());
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
}
