//! The profiler's advice in a result: one [`Rule`] for each message of each rule.

use std::borrow::Cow;
use std::sync::Arc;

use super::wire::{Content, Damage, Part};
use crate::import::model::{EstimatedSpeedup, Rule};
use crate::import::text::excerpt;

/// Names are copied for each message, so a damaged file must not make them long.
const MAX_NAME_CHARS: usize = 100;

/// Items of one rule that are read, its messages among them; reports have up to four messages.
pub(super) const MAX_ITEMS: usize = 200;

/// What a rule result says.
#[derive(Debug)]
pub(super) struct RuleResult {
    /// None when it had nothing to say.
    pub rules: Vec<Rule>,
    /// Items after the first [`MAX_ITEMS`].
    pub num_left_out: usize,
}

/// The rules of one rule result.
pub(super) fn rules(result: Part<'_>) -> Result<RuleResult, Damage> {
    let mut name = String::new();
    let mut section = String::new();
    let mut body = None;
    for field in result.fields() {
        let field = field?;
        match (field.number, field.content.part()) {
            (1, Some(text)) => name = excerpt(text.bytes, MAX_NAME_CHARS),
            (3, Some(part)) => body = Some(part),
            (4, Some(text)) => section = excerpt(text.bytes, MAX_NAME_CHARS),
            _ => {}
        }
    }
    let (name, section): (Arc<str>, Arc<str>) = (name.into(), section.into());
    let mut rules = Vec::new();
    let mut items = body.into_iter().flat_map(Part::fields);
    for field in items.by_ref().take(MAX_ITEMS) {
        let field = field?;
        if let (1, Some(item)) = (field.number, field.content.part()) {
            rules.extend(item_rule(item)?.map(|rule| Rule { name: Arc::clone(&name), section: Arc::clone(&section), ..rule }));
        }
    }
    Ok(RuleResult { rules, num_left_out: items.count() })
}

/// The message of an item; others are tables or charts.
fn item_rule(item: Part<'_>) -> Result<Option<Rule>, Damage> {
    let mut message = None;
    let mut estimated_speedup = None;
    for field in item.fields() {
        let field = field?;
        match (field.number, field.content.part()) {
            (1, Some(part)) => message = Some(part),
            (10, Some(part)) => estimated_speedup = speedup(part)?,
            _ => {}
        }
    }
    let Some(message) = message else { return Ok(None) };
    let (kind, text) = kind_and_text(message)?;
    Ok(Some(Rule { at: message.at(), section: "".into(), name: "".into(), kind: kind.into(), text: text.into(), estimated_speedup }))
}

fn kind_and_text(message: Part<'_>) -> Result<(&'static str, String), Damage> {
    let mut kind = "";
    let mut text = String::new();
    for field in message.fields() {
        let field = field?;
        match (field.number, field.content) {
            (1, Content::Part(part)) => text = plain(&lossy(part)),
            (2, Content::Varint(number)) => kind = kind_name(number),
            _ => {}
        }
    }
    Ok((kind, text))
}

/// The kinds as the tables of the command line print them.
const fn kind_name(kind: u64) -> &'static str {
    match kind {
        1 => "INF",
        2 => "WRN",
        3 => "ERR",
        4 => "OPT",
        _ => "",
    }
}

fn speedup(part: Part<'_>) -> Result<Option<EstimatedSpeedup>, Damage> {
    let mut scope = "";
    let mut percent = None;
    for field in part.fields() {
        let field = field?;
        match (field.number, field.content) {
            (1, Content::Varint(1)) => scope = "local",
            (1, Content::Varint(2)) => scope = "global",
            (2, Content::Fixed64(bytes)) => percent = Some(f64::from_le_bytes(bytes)),
            _ => {}
        }
    }
    let percent = percent.filter(|percent| percent.is_finite());
    Ok(percent.map(|percent| EstimatedSpeedup { percent, scope: scope.into() }))
}

fn lossy(text: Part<'_>) -> Cow<'_, str> {
    String::from_utf8_lossy(text.bytes)
}

/// The text without its links, as the command line prints it.
///
/// "@url:Guide:https://…@" becomes "Guide (https://…)", and "@section:LaunchStats:Launch Statistics@" becomes "Launch
/// Statistics". A lone "@" stays.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('@') {
        plain.push_str(before);
        let link = after.split_once('@').and_then(|(link, tail)| Some((link_text(link)?, tail)));
        rest = if let Some((text, tail)) = link {
            plain.push_str(&text);
            tail
        } else {
            plain.push('@');
            after
        };
    }
    plain.push_str(rest);
    plain
}

fn link_text(link: &str) -> Option<String> {
    let (kind, rest) = link.split_once(':')?;
    let (first, second) = rest.split_once(':')?;
    match kind {
        "url" => Some(format!("{first} ({second})")),
        "section" | "source" => Some(second.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_text() {
        assert_eq!(plain("See the @url:Guide:https://example.org/a#b@ for more"), "See the Guide (https://example.org/a#b) for more");
        assert_eq!(plain("@section:LaunchStats:Launch Statistics@."), "Launch Statistics.");
        assert_eq!(plain("mail me@example.org or @me"), "mail me@example.org or @me");
        assert_eq!(plain("@"), "@");
    }
}
