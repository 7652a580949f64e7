//! What somebody may have meant: the known texts that resemble one that is not known.

/// How much a known text resembles the one that was asked for; what resembles more is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// It begins with what was asked for.
    Begins,
    /// One holds the other whole.
    Holds,
    /// This many letters differ.
    Differs(usize),
}

/// Up to `count` of the known texts that resemble `asked`, nearest first; ties keep the order of `known`.
pub(super) fn nearest<'k>(asked: &str, known: impl Iterator<Item = &'k str>, count: usize) -> Vec<&'k str> {
    best(known.filter_map(|text| Some((likeness(asked, text)?, text))), count)
}

/// The items that resemble most. Where some hold the text whole, those that are merely spelled like it are left out.
pub(super) fn best<T>(candidates: impl Iterator<Item = (Likeness, T)>, count: usize) -> Vec<T> {
    let mut near: Vec<(Likeness, T)> = candidates.collect();
    near.sort_by_key(|(likeness, _)| *likeness);
    let only_whole = near.first().is_some_and(|(likeness, _)| *likeness <= Likeness::Holds);
    let kept = near.into_iter().filter(|(likeness, _)| !only_whole || *likeness <= Likeness::Holds);
    kept.take(count).map(|(_, item)| item).collect()
}

/// How much two texts resemble each other, or none when they do not.
///
/// They do when one holds the other and is not more than twice as long (or begins with it), or when at most a third of
/// the letters differ.
pub(super) fn likeness(asked: &str, known: &str) -> Option<Likeness> {
    let lengths = (asked.chars().count(), known.chars().count());
    let shorter = lengths.0.min(lengths.1);
    let longer = lengths.0.max(lengths.1);
    if shorter < 2 {
        return None;
    }
    if known.starts_with(asked) {
        return Some(Likeness::Begins);
    }
    if (known.contains(asked) || asked.contains(known)) && shorter * 2 >= longer {
        return Some(Likeness::Holds);
    }
    let differing = edit_distance(asked, known);
    (differing * 3 <= longer).then_some(Likeness::Differs(differing))
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
