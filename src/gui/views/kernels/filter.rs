//! Which rows of the table are shown.

use super::facts::Facts;
use crate::engine::{Resource, ResourceSet};

/// What a row has to fulfil, all of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Part of the name; capital letters do not matter.
    pub text: String,
    /// One of these stops the next block; empty is any.
    pub limiters: ResourceSet,
    /// Points between theoretical and achieved, at least; 0 is any.
    pub min_gap_points: f64,
    /// Share of the time of its file in percent, at least; 0 is any.
    pub min_share_percent: f64,
    /// Beside a baseline: only what is not the same.
    pub changed_only: bool,
}

/// One part of a filter, which can be taken away by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Text,
    Limiters,
    Gap,
    Share,
    Changed,
}

impl Filter {
    pub const PARTS: [Part; 5] = [Part::Text, Part::Limiters, Part::Gap, Part::Share, Part::Changed];

    /// Whether this part leaves anything out.
    pub fn has(&self, part: Part) -> bool {
        match part {
            Part::Text => !self.text.trim().is_empty(),
            Part::Limiters => !self.limiters.is_empty(),
            Part::Gap => self.min_gap_points > 0.0,
            Part::Share => self.min_share_percent > 0.0,
            Part::Changed => self.changed_only,
        }
    }

    pub fn is_active(&self) -> bool {
        Self::PARTS.into_iter().any(|part| self.has(part))
    }

    pub fn remove(&mut self, part: Part) {
        match part {
            Part::Text => self.text.clear(),
            Part::Limiters => self.limiters = ResourceSet::EMPTY,
            Part::Gap => self.min_gap_points = 0.0,
            Part::Share => self.min_share_percent = 0.0,
            Part::Changed => self.changed_only = false,
        }
    }

    /// What the chip of this part says.
    pub fn in_words(&self, part: Part) -> String {
        match part {
            Part::Text => format!("name has “{}”", self.text.trim()),
            Part::Limiters => {
                format!(
                    "limited by {}",
                    self.limiters.iter().map(|resource| resource.name().to_lowercase()).collect::<Vec<_>>().join(" or ")
                )
            }
            Part::Gap => format!("gap ≥ {} points", crate::fmt::percent_number(self.min_gap_points)),
            Part::Share => format!("time ≥ {}", crate::fmt::percent(self.min_share_percent)),
            Part::Changed => "changed only".to_owned(),
        }
    }

    pub fn toggle_limiter(&mut self, resource: Resource) {
        let turned = |other: &Resource| self.limiters.contains(*other) != (*other == resource);
        self.limiters = Resource::ALL.into_iter().filter(turned).collect();
    }

    pub fn matcher(&self) -> Matcher<'_> {
        Matcher { filter: self, needle: self.text.trim().to_lowercase() }
    }
}

/// A filter, prepared for many rows.
#[derive(Debug)]
pub struct Matcher<'a> {
    filter: &'a Filter,
    needle: String,
}

impl Matcher<'_> {
    /// Everything but the limiters, so that those can be counted.
    pub fn fits_but_for_limiters(&self, facts: &Facts<'_>) -> bool {
        let at_least = |value: Option<f64>, least: f64| least <= 0.0 || value.is_some_and(|value| value >= least);
        self.fits_text(&facts.kernel.name)
            && at_least(facts.gap_points(), self.filter.min_gap_points)
            && at_least(facts.share_percent(), self.filter.min_share_percent)
            && (!self.filter.changed_only || facts.change().is_none_or(|change| !change.is_same()))
    }

    pub fn fits_limiters(&self, limiters: ResourceSet) -> bool {
        self.filter.limiters.is_empty() || limiters.iter().any(|resource| self.filter.limiters.contains(resource))
    }

    fn fits_text(&self, name: &str) -> bool {
        let needle = self.needle.as_bytes();
        if needle.is_empty() {
            return true;
        }
        if !needle.is_ascii() || !name.is_ascii() {
            return name.to_lowercase().contains(&self.needle);
        }
        // Names are long and many: nothing is copied.
        name.as_bytes().windows(needle.len()).any(|part| part.eq_ignore_ascii_case(needle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(text: &str, name: &str) -> bool {
        Filter { text: text.to_owned(), ..Filter::default() }.matcher().fits_text(name)
    }

    #[test]
    fn names_are_found_whatever_their_capitals() {
        assert!(fits(" GEMM ", "void cutlass::Gemm<float>"));
        assert!(!fits("gemv", "void cutlass::Gemm<float>"));
        assert!(fits("für", "scale_FÜR_all") && fits("", "anything"));
        assert!(!fits("longer than the name", "short"));
    }

    #[test]
    fn a_limiter_is_turned_on_and_off() {
        let mut filter = Filter::default();
        filter.toggle_limiter(Resource::Registers);
        filter.toggle_limiter(Resource::Warps);
        assert_eq!(filter.in_words(Part::Limiters), "limited by warp slots or registers");
        filter.toggle_limiter(Resource::Registers);
        assert_eq!(filter.limiters.iter().collect::<Vec<_>>(), [Resource::Warps]);
        filter.remove(Part::Limiters);
        assert!(!filter.is_active());
    }
}
