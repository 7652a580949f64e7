//! Numbers in prose. `{blocks}` is the engine's for what is shown right now. `{3 = blocks}` is a 3 that stays as it is and has
//! to be the engine's answer for the step it stands in; `{4 = blocks @ gpu=H100 SXM; registers=64}` for that step changed so.

use super::facts::{Facts, shown};

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Words(String),
    /// A formula whose value is put in.
    Live(String),
    Fixed(Fixed),
}

/// A number in prose, and what it has to equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    pub text: String,
    pub formula: String,
    /// Changes to the step's own setup, as keys and values.
    pub changes: Vec<(String, String)>,
}

/// Cuts a text into pieces.
///
/// # Errors
/// When a brace is not closed or a change is no `key=value`.
pub fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let end = rest[start..].find('}').ok_or_else(|| format!("a brace is not closed: {}", first_words(&rest[start..])))? + start;
        if start > 0 {
            found.push(Piece::Words(rest[..start].to_owned()));
        }
        found.push(piece(&rest[start + 1..end])?);
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        found.push(Piece::Words(rest.to_owned()));
    }
    Ok(found)
}

fn first_words(text: &str) -> String {
    text.chars().take(40).collect()
}

fn piece(inside: &str) -> Result<Piece, String> {
    let Some((text, formula)) = inside.split_once(" = ") else {
        return Ok(Piece::Live(inside.trim().to_owned()));
    };
    let (formula, changes) = formula.split_once('@').unwrap_or((formula, ""));
    let changes = changes.split(';').map(str::trim).filter(|change| !change.is_empty());
    let changes = changes.map(|change| match change.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => Err(format!("\"{change}\" is no change; write key=value")),
    });
    Ok(Piece::Fixed(Fixed {
        text: text.trim().to_owned(),
        formula: formula.trim().to_owned(),
        changes: changes.collect::<Result<_, _>>()?,
    }))
}

/// The text with its numbers put in. A formula that is wrong reads as its own text; a test makes sure that there is none.
pub fn filled(pieces: &[Piece], facts: &Facts<'_>) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Fixed(fixed) => fixed.text.clone(),
        Piece::Live(formula) => facts.value(formula).map_or_else(|_| formula.clone(), shown),
    };
    pieces.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_words_and_numbers() {
        let found = pieces("fits {blocks}, or {4 = limit_smem @ gpu=H100 SXM; registers=64} there").expect("pieces");
        assert_eq!(found.len(), 5);
        assert_eq!(found[1], Piece::Live("blocks".to_owned()));
        let Piece::Fixed(fixed) = &found[3] else { panic!("{found:?}") };
        assert_eq!((fixed.text.as_str(), fixed.formula.as_str()), ("4", "limit_smem"));
        assert_eq!(fixed.changes[0], ("gpu".to_owned(), "H100 SXM".to_owned()));
        assert_eq!(fixed.changes.len(), 2);
    }

    #[test]
    fn what_is_not_closed_is_refused() {
        assert!(pieces("a {blocks and no end").is_err());
        assert!(pieces("{4 = blocks @ registers}").is_err());
    }
}
