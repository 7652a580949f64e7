//! Numbers as words where they are small enough to read better so.

use crate::fmt::grouped;

const CARDINALS: [&str; 13] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const ORDINALS: [&str; 13] =
    ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"];

/// "three", "17".
pub(super) fn cardinal(number: u64) -> String {
    in_words(&CARDINALS, number).map_or_else(|| grouped(number), str::to_owned)
}

/// With its article: "a fourth", "an eighth", "a 17th", "an 80th".
pub(super) fn ordinal(number: u64) -> String {
    let text = in_words(&ORDINALS, number).map_or_else(|| format!("{}{}", grouped(number), suffix(number)), str::to_owned);
    let is_vowel_sound = text.starts_with(['8', 'e']) || number == 18;
    format!("{} {text}", if is_vowel_sound { "an" } else { "a" })
}

fn in_words<'w>(words: &[&'w str], number: u64) -> Option<&'w str> {
    words.get(usize::try_from(number).ok()?).copied()
}

fn suffix(number: u64) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_words() {
        assert_eq!((cardinal(3), cardinal(12), cardinal(17)), ("three".to_owned(), "twelve".to_owned(), "17".to_owned()));
    }

    #[test]
    fn ordinals_have_their_article() {
        let of = |numbers: &[u64]| numbers.iter().map(|number| ordinal(*number)).collect::<Vec<_>>();
        assert_eq!(of(&[2, 4, 8, 11, 12]), ["a second", "a fourth", "an eighth", "an eleventh", "a twelfth"]);
        assert_eq!(of(&[13, 18, 21, 22, 33, 80, 113]), ["a 13th", "an 18th", "a 21st", "a 22nd", "a 33rd", "an 80th", "a 113th"]);
    }
}
