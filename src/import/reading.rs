//! What one pass over a report carries along: the launches so far, the notes, and the evidence for the decimal mark.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::evidence::Evidence;
use super::launches::{Launches, Slot};
use super::measures::unit_factor;
use super::metrics::Metric;
use super::model::Severity;
use super::notes::{Notes, Topic};
use super::numbers::{Cell, DecimalMark, read_number};
use super::position::Position;
use super::text::excerpt;

/// Different messages of the profiler that are kept; a file with more has other problems.
pub(super) const MAX_MESSAGES: usize = 100;

/// A line in which the profiler warns of something; ncu repeats some for every kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub line: u64,
    pub severity: Severity,
    pub text: String,
    pub count: u64,
}

/// Lines and rows that gave nothing, to be accounted for.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub outside_before: u64,
    pub outside_after: u64,
    pub first_outside: Option<u64>,
    pub blank: u64,
    /// Warnings and errors of the profiler itself.
    pub messages: Vec<Message>,
    /// Rows about metrics that are not kept.
    pub other_metrics: u64,
    /// Columns of a wide table about metrics that are not kept.
    pub other_columns: usize,
}

#[derive(Debug)]
pub(super) struct Reading {
    pub mark: DecimalMark,
    pub launches: Launches,
    pub notes: Notes,
    pub evidence: Evidence,
    pub tally: Tally,
    pub words: Words,
}

/// Texts that come with many launches, each kept once.
#[derive(Debug, Default)]
pub(super) struct Words {
    hasher: RandomState,
    /// Up to [`MAX_SHORT_BYTES`]: names and kinds, of which there are few.
    short: Shelf,
    long: Arc<LongWords>,
}

const MAX_SHORT_BYTES: usize = 64;

/// Texts that threads share, in shelves so that they seldom wait for each other.
#[derive(Debug, Default)]
struct LongWords {
    shelves: [Mutex<Shelf>; 16],
}

/// Texts with their hashes: most long texts are there once only, so hashing them again whenever the shelf grows would take long.
#[derive(Debug, Default)]
struct Shelf(HashTable<(u64, Arc<str>)>);

impl Words {
    /// Words of their own, but for the long ones.
    pub(super) fn for_thread(&self) -> Self {
        Self { hasher: self.hasher.clone(), short: Shelf::default(), long: Arc::clone(&self.long) }
    }

    /// The text; bytes that are no UTF-8 are replaced.
    pub(super) fn share(&mut self, bytes: &[u8]) -> Arc<str> {
        let text = std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
        let hash = self.hasher.hash_one(&*text);
        if text.len() <= MAX_SHORT_BYTES {
            return self.short.share(&text, hash);
        }
        // A shelf goes by the lowest bits of the hash, a place in it by others.
        let shelf = self.long.shelves[usize::from(hash.to_le_bytes()[0] % 16)].lock();
        shelf.unwrap_or_else(PoisonError::into_inner).share(&text, hash.rotate_right(4))
    }
}

impl Shelf {
    fn share(&mut self, text: &str, hash: u64) -> Arc<str> {
        if let Some((_, known)) = self.0.find(hash, |(of_known, known)| *of_known == hash && **known == *text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.0.insert_unique(hash, (hash, Arc::clone(&new)), |(hash, _)| *hash);
        new
    }
}

impl Tally {
    /// Whether [`Tally::append`] gives what one tally of both parts would be.
    pub(super) fn can_append(&self, later: &Self) -> bool {
        self.messages.len() + later.messages.len() <= MAX_MESSAGES
    }

    /// Adds what was counted in a later part of the text.
    pub(super) fn append(&mut self, later: Self) {
        self.outside_before += later.outside_before;
        self.outside_after += later.outside_after;
        self.first_outside = self.first_outside.or(later.first_outside);
        self.blank += later.blank;
        self.other_metrics += later.other_metrics;
        self.other_columns += later.other_columns;
        for new in later.messages {
            match self.messages.iter_mut().find(|message| message.text == new.text) {
                Some(message) => message.count += new.count,
                None => self.messages.push(new),
            }
        }
    }
}

impl Reading {
    pub(super) fn new(mark: DecimalMark) -> Self {
        Self {
            mark,
            launches: Launches::default(),
            notes: Notes::default(),
            evidence: Evidence::default(),
            tally: Tally::default(),
            words: Words::default(),
        }
    }

    /// For a part of a text whose decimal mark has been spoken for before.
    pub(super) fn of_part(mark: DecimalMark) -> Self {
        Self { evidence: Evidence::settled_before(), ..Self::new(mark) }
    }

    /// Whether [`Reading::append`] gives what reading both parts one after the other would.
    pub(super) fn can_append(&self, later: &Self) -> bool {
        self.evidence.is_settled() && self.launches.can_append(&later.launches) && self.tally.can_append(&later.tally)
    }

    /// Adds what was read of the part of the text that follows, its positions being those in the whole text.
    pub(super) fn append(&mut self, later: Self) {
        self.launches.append(later.launches);
        self.notes.append(later.notes);
        self.evidence.append(later.evidence);
        self.tally.append(later.tally);
    }

    /// The number in a cell, in base units. A cell that cannot be read is noted.
    pub(super) fn number(&mut self, metric: Metric, unit: Unit<'_>, cell: &[u8], at: Position) -> Option<Slot> {
        self.evidence.observe(cell, at);
        let number = match read_number(cell, self.mark) {
            Cell::Number(number) => number,
            Cell::Missing => return None,
            Cell::Text => {
                self.notes.at(Topic::Number, Severity::Warning, at, || format!("\"{}\" is not a number", excerpt(cell, 40)));
                return None;
            }
        };
        let factor = match unit {
            Unit::Factor(factor) => factor,
            Unit::Text(text) => self.factor(metric, text, at)?,
        };
        Some(Slot { number: number.scaled(factor), at, is_scaled: factor > 1.0, rank: metric.rank })
    }

    /// What one of this unit is in base units. A unit that does not belong to the metric is noted.
    pub(super) fn factor(&mut self, metric: Metric, unit: &[u8], at: Position) -> Option<f64> {
        let factor = unit_factor(metric.measure, unit);
        if factor.is_none() {
            let message = || format!("the unit \"{}\" is not known for this value, which is left out", excerpt(unit, 40));
            self.notes.at(Topic::Unit, Severity::Warning, at, message);
        }
        factor
    }

    /// Keeps a number of a launch. Of two that differ by more than their rounding the first stays, and that is noted.
    pub(super) fn keep(&mut self, launch: usize, metric: Metric, name: &[u8], slot: Slot) {
        if let Some(other) = self.launches.keep(launch, metric.quantity, slot) {
            self.notes.at(Topic::Repeated, Severity::Warning, slot.at, || {
                let (first, second) = (other.number.value, slot.number.value);
                format!("{} is {second} here but {first} at {}; the first is used", excerpt(name, 60), other.at)
            });
        }
    }

    /// Lets cells that are not kept speak for a decimal mark, while none has.
    pub(super) fn observe_other(&mut self, cell: &[u8], at: Position) {
        if !self.evidence.is_settled() {
            self.evidence.observe(cell, at);
        }
    }

    /// Notes a row that ends early; what it has is used.
    pub(super) fn short_row(&mut self, line: u64, num_cells: usize, width: usize) {
        let message = || format!("this row has {num_cells} of {width} cells; what is not there counts as missing");
        self.notes.on_line(Topic::Row, Severity::Warning, line, message);
    }

    /// Notes a row that is not used.
    pub(super) fn skip_row(&mut self, line: u64, why: &str) {
        self.notes.on_line(Topic::Row, Severity::Warning, line, || format!("this row is skipped: {why}"));
    }
}

/// A unit as its cell has it, or already looked up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unit<'a> {
    Text(&'a [u8]),
    Factor(f64),
}
