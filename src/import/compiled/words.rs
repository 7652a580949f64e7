//! Numbers and names in a line, and where they stand.

/// A number in a line, and the byte at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub value: u64,
    pub index: usize,
}

/// A word in a line, and the byte at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'l> {
    pub text: &'l str,
    pub index: usize,
}

/// The whole number that begins at this byte; none when there is none, or one of more than 64 bits.
pub(super) fn number_at(line: &str, index: usize) -> Option<Number> {
    let rest = line.get(index..)?;
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[..length].parse().ok().map(|value| Number { value, index })
}

/// The number, and what follows the space behind it.
pub(super) fn number_and_rest(line: &str, index: usize) -> Option<(Number, &str)> {
    let number = number_at(line, index)?;
    let rest = line[index..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.strip_prefix(' ').map(|rest| (number, rest))
}

/// What stands between two quotes, the first of which follows `words`.
pub(super) fn quoted_after<'l>(line: &'l str, words: &str) -> Option<Word<'l>> {
    let index = line.find(words)? + words.len();
    let rest = line[index..].strip_prefix('\'')?;
    let length = rest.find('\'')?;
    Some(Word { text: &rest[..length], index: index + 1 })
}

/// The parts between commas, without the spaces around them, and where each begins.
pub(super) fn parts(line: &str, index: usize) -> impl Iterator<Item = Word<'_>> {
    let mut begin = index;
    line.get(index..).unwrap_or_default().split(',').map(move |part| {
        let index = begin + part.len() - part.trim_start().len();
        begin += part.len() + 1;
        Word { text: part.trim(), index }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_and_fit() {
        assert_eq!(number_at("Used 32 registers", 5), Some(Number { value: 32, index: 5 }));
        assert_eq!(number_at("Used x registers", 5), None);
        assert_eq!(number_at("99999999999999999999999", 0), None);
        assert_eq!(number_at("", 4), None);
    }

    #[test]
    fn parts_know_where_they_begin() {
        let found: Vec<_> = parts("a: 1 b,  22 c", 3).collect();
        assert_eq!(found, [Word { text: "1 b", index: 3 }, Word { text: "22 c", index: 9 }]);
    }

    #[test]
    fn quoted_names_need_both_quotes() {
        assert_eq!(quoted_after("for 'sm_80'", "for "), Some(Word { text: "sm_80", index: 5 }));
        assert_eq!(quoted_after("for 'sm_80", "for "), None);
    }
}
