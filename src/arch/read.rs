//! Reading one table of a GPU file key by key, so that every problem is found and not just the first.
//!
//! Any value may be written plainly, `num_sms = 108`, or with the key of its source,
//! `num_sms = { value = 108, source = "report" }`.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::near::nearest;
use super::problem::{Place, Problem};

/// The text of one file and what was found wrong with it so far.
#[derive(Debug)]
pub(super) struct FileText<'t> {
    pub name: &'t str,
    pub text: &'t str,
    pub problems: Vec<Problem>,
}

impl FileText<'_> {
    /// Adds a problem at a span of the text, or about the whole file.
    pub fn report(&mut self, key: String, span: Option<Range<usize>>, found: String, expected: String) {
        let line = span.map(|span| 1 + self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count());
        self.problems.push(Problem { place: Some(Place { file: self.name.to_owned(), line }), key, found, expected });
    }

    /// The text at a span, on one line and cut when it is long, for a message.
    pub fn quote(&self, span: Range<usize>) -> String {
        const LONGEST: usize = 60;
        let text = self.text.get(span).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{}…", &text[..cut]),
            None if text.is_empty() => "nothing".to_owned(),
            None => text,
        }
    }
}

/// A table whose values are asked for by key. It remembers which keys were asked for, so that the others can be reported.
#[derive(Debug)]
pub(super) struct Reader<'f, 'd, 't> {
    file: &'f mut FileText<'t>,
    table: &'d DeTable<'t>,
    /// Stands before the keys in messages: "gpu[2]." or nothing.
    prefix: String,
    /// Where the table begins, for what is missing in it; none for the whole file.
    beginning: Option<Range<usize>>,
    asked: Vec<&'static str>,
    /// Keys that have been reported: what they say is not to be relied on.
    unsound: Vec<&'static str>,
    sources: BTreeMap<&'static str, String>,
}

impl<'f, 'd, 't> Reader<'f, 'd, 't> {
    /// Reads the top of a file.
    pub fn of_file(file: &'f mut FileText<'t>, table: &'d DeTable<'t>) -> Self {
        Self::new(file, table, String::new(), None)
    }

    /// Reads one table of a list, `[[gpu]]`: the one at this position, counted from 1.
    pub fn of_item(file: &'f mut FileText<'t>, table: &'d DeTable<'t>, list: &str, position: usize, beginning: Range<usize>) -> Self {
        Self::new(file, table, format!("{list}[{position}]."), Some(beginning))
    }

    fn new(file: &'f mut FileText<'t>, table: &'d DeTable<'t>, prefix: String, beginning: Option<Range<usize>>) -> Self {
        Self { file, table, prefix, beginning, asked: Vec::new(), unsound: Vec::new(), sources: BTreeMap::new() }
    }

    /// A whole number; `fallback` where the key is absent. Reports an absent key without fallback, and returns zero then.
    pub fn integer<T: TryFrom<u64> + Default>(&mut self, key: &'static str, fallback: Option<T>) -> T {
        match (self.optional_integer(key), fallback) {
            (Some(value), _) | (None, Some(value)) => value,
            (None, None) => {
                if !self.is_unsound(key) {
                    self.report_missing(key, "a whole number");
                }
                T::default()
            }
        }
    }

    /// A whole number that may be absent.
    pub fn optional_integer<T: TryFrom<u64>>(&mut self, key: &'static str) -> Option<T> {
        let value = self.value(key)?;
        let number = integer_from_value(value.get_ref());
        if number.is_none() {
            self.report_type(key, &value.span(), "a whole number that is not negative, without unit");
        }
        number
    }

    /// A whole number or the word "none"; `fallback` where the key is absent.
    pub fn integer_or_none(&mut self, key: &'static str, fallback: Option<u32>) -> Option<u32> {
        let Some(value) = self.value(key) else { return fallback };
        if value.get_ref().as_str() == Some("none") {
            return None;
        }
        let number = integer_from_value(value.get_ref());
        if number.is_none() {
            self.report_type(key, &value.span(), "a whole number that is not negative, without unit, or \"none\"");
        }
        number
    }

    /// A list of whole numbers; `fallback` where the key is absent.
    pub fn integers(&mut self, key: &'static str, fallback: Option<&[u32]>) -> Vec<u32> {
        let expected = "a list of whole numbers, [8192, 16384]";
        let Some(value) = self.value(key) else {
            if fallback.is_none() && !self.is_unsound(key) {
                self.report_missing(key, expected);
            }
            return fallback.unwrap_or_default().to_vec();
        };
        let numbers = value.get_ref().as_array().and_then(|array| array.iter().map(|item| integer_from_value(item.get_ref())).collect());
        numbers.unwrap_or_else(|| {
            self.report_type(key, &value.span(), expected);
            Vec::new()
        })
    }

    /// Text that may be absent.
    pub fn optional_text(&mut self, key: &'static str) -> Option<String> {
        let value = self.value(key)?;
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.report_type(key, &value.span(), "text in quotes");
        }
        text
    }

    /// A list of texts that may be absent.
    pub fn optional_texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let value = self.value(key)?;
        let texts =
            value.get_ref().as_array().and_then(|array| array.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect());
        if texts.is_none() {
            self.report_type(key, &value.span(), "a list of texts, [\"one\", \"two\"]");
        }
        texts
    }

    /// `true` or `false`; `fallback` where the key is absent.
    pub fn flag(&mut self, key: &'static str, fallback: bool) -> bool {
        let Some(value) = self.value(key) else { return fallback };
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.report_type(key, &value.span(), "true or false");
        }
        flag.unwrap_or(fallback)
    }

    /// The value of a key as it stands, for a list of tables.
    pub fn raw(&mut self, key: &'static str) -> Option<&'d Spanned<DeValue<'t>>> {
        self.asked.push(key);
        self.table.get(key)
    }

    /// Whether a key has been reported.
    pub fn is_unsound(&self, key: &str) -> bool {
        self.unsound.contains(&key)
    }

    /// Whether a key is written in this table.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Reports what a key says, at its line; the key is unsound from then on.
    pub fn report(&mut self, key: &'static str, found: String, expected: String) {
        self.report_contradiction(key, &[key], found, expected);
    }

    /// Reports a key that disagrees with others, at the line of the first of them that is written in this table.
    pub fn report_contradiction(&mut self, key: &'static str, others: &[&'static str], found: String, expected: String) {
        let written = others.iter().find_map(|other| self.table.get_key_value(*other));
        let span = written.map(|(key, _)| key.span()).or_else(|| self.beginning.clone());
        self.unsound.push(key);
        self.file.report(format!("{}{key}", self.prefix), span, found, expected);
    }

    /// Reports that a key is not there.
    pub fn report_missing(&mut self, key: &'static str, expected: &str) {
        self.report(key, "nothing".to_owned(), expected.to_owned());
    }

    /// Reports the keys nobody asked for, each with the known key it resembles, and returns the sources.
    pub fn finish(self) -> BTreeMap<&'static str, String> {
        for key in self.table.keys() {
            let name = key.get_ref().as_ref();
            if !self.asked.contains(&name) {
                let expected = match nearest(name, self.asked.iter().copied(), 1).first() {
                    Some(near) => format!("a known key; the nearest is {near}"),
                    None => format!("a known key: {}", self.asked.join(", ")),
                };
                self.file.report(format!("{}{name}", self.prefix), Some(key.span()), "an unknown key".to_owned(), expected);
            }
        }
        self.sources
    }

    /// The value of a key, out of `{ value = …, source = "…" }` where it is written so.
    fn value(&mut self, key: &'static str) -> Option<&'d Spanned<DeValue<'t>>> {
        self.asked.push(key);
        let written = self.table.get(key)?;
        let Some(parts) = written.get_ref().as_table() else { return Some(written) };
        let source = parts.get("source").map(|source| source.get_ref().as_str());
        let only_known = parts.keys().all(|part| matches!(part.get_ref().as_ref(), "value" | "source"));
        match (parts.get("value"), source) {
            (Some(value), None) if only_known => Some(value),
            (Some(value), Some(Some(source))) if only_known => {
                self.sources.insert(key, source.to_owned());
                Some(value)
            }
            _ => {
                self.report_type(key, &written.span(), "the value alone, or { value = …, source = \"…\" }");
                None
            }
        }
    }

    fn report_type(&mut self, key: &'static str, span: &Range<usize>, expected: &str) {
        self.unsound.push(key);
        let found = self.file.quote(span.clone());
        self.file.report(format!("{}{key}", self.prefix), Some(span.clone()), found, expected.to_owned());
    }
}

fn integer_from_value<T: TryFrom<u64>>(value: &DeValue<'_>) -> Option<T> {
    let integer = value.as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()?.try_into().ok()
}
