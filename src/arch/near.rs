//! What somebody may have meant: the known texts that resemble one that is not known.

/// Up to `count` of the known texts that resemble `asked`, nearest first; ties keep the order of `known`.
///
/// A text resembles another when it contains it, or when at most a third of its letters differ.
pub(super) fn nearest<'k>(asked: &str, known: impl Iterator<Item = &'k str>, count: usize) -> Vec<&'k str> {
    let mut near: Vec<(usize, &str)> = known.filter_map(|text| Some((unlikeness(asked, text)?, text))).collect();
    near.sort_by_key(|(unlikeness, _)| *unlikeness);
    near.into_iter().take(count).map(|(_, text)| text).collect()
}

/// How little two texts resemble each other, from 0 for the same text, or none when they do not at all.
pub(super) fn unlikeness(asked: &str, known: &str) -> Option<usize> {
    if asked.is_empty() || known.is_empty() {
        return None;
    }
    let distance = edit_distance(asked, known);
    let within = known.contains(asked) || asked.contains(known);
    let length = asked.chars().count().max(known.chars().count());
    // A text that holds the other whole is as good as one with a single wrong letter, however long the rest of it is.
    if within && distance > 0 { Some(1 + distance / 8) } else { (distance * 3 <= length).then_some(distance) }
}

/// The least number of letters to insert, delete, replace, or swap with their neighbor to turn one text into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, from) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        for (j, &to) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(from != to);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if j > 0 && previous == Some(to) && from == b[j - 1] {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
        previous = Some(from);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        assert_eq!(edit_distance("", "warp"), 4);
        assert_eq!(edit_distance("warp", "warp"), 0);
        assert_eq!(edit_distance("wrap", "warp"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn the_nearest_come_first_and_strangers_do_not_come() {
        let known = ["max_threads_per_sm", "max_blocks_per_sm", "name"];
        assert_eq!(nearest("max_thread_per_sm", known.into_iter(), 1), ["max_threads_per_sm"]);
        assert_eq!(nearest("color", known.into_iter(), 5), [""; 0]);
    }
}
