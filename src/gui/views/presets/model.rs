//! What the panel of presets lists: folders, and in them the presets that fit the search.

use crate::engine::{Occupancy, evaluate};
use crate::session::presets::{self, Preset};
use crate::session::{GpuChoice, Session};

/// How many presets have a key of their own, 1 to 9.
pub const NUM_KEYS: usize = 9;

/// The folder of presets of one's own without tags.
const OWN: &str = "Your own";

/// A folder and what is in it.
#[derive(Debug, PartialEq)]
pub struct Folder<'s> {
    pub name: String,
    pub items: Vec<Item<'s>>,
}

/// A preset as it is listed.
#[derive(Debug, PartialEq)]
pub struct Item<'s> {
    pub preset: &'s Preset,
    pub is_own: bool,
    /// The key that takes it, for the first nine.
    pub key: Option<usize>,
    /// None where its GPU is not known here.
    pub answer: Option<String>,
}

/// Every preset that fits, by folder: the user's own folders first, each where its first preset is.
pub fn folders<'s>(session: &'s Session, search: &str) -> Vec<Folder<'s>> {
    let library = &session.document().library;
    let mut folders: Vec<(bool, Folder<'s>)> = Vec::new();
    for (index, preset) in presets::all(library).enumerate().filter(|(_, preset)| preset.fits(search)) {
        let is_own = index < library.presets().len();
        let name = preset.folder().unwrap_or(OWN);
        let answer =
            occupancy(session, preset).map(|occupancy| crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm));
        let item = Item { preset, is_own, key: (index < NUM_KEYS).then_some(index + 1), answer };
        match folders.iter_mut().find(|(own, folder)| *own == is_own && folder.name == name) {
            Some((_, folder)) => folder.items.push(item),
            None => folders.push((is_own, Folder { name: name.to_owned(), items: vec![item] })),
        }
    }
    folders.into_iter().map(|(_, folder)| folder).collect()
}

/// The preset behind a key from 1 to 9.
pub fn of_key(session: &Session, key: usize) -> Option<&Preset> {
    presets::all(&session.document().library).take(NUM_KEYS).nth(key.checked_sub(1)?)
}

/// What the engine says of a preset; none where its GPU is not known here.
pub fn occupancy(session: &Session, preset: &Preset) -> Option<Occupancy> {
    is_known(session, &preset.configuration.gpu).then(|| evaluate(session.arch_of(&preset.configuration.gpu), &preset.configuration.launch))
}

fn is_known(session: &Session, gpu: &GpuChoice) -> bool {
    match gpu {
        GpuChoice::Product(_) => session.gpu_of(gpu).is_some(),
        GpuChoice::Capability(capability) => session.catalog.arch(*capability).is_some(),
    }
}

/// Where a preset of the user's own goes when it is moved by one among those of its folder; none at the end.
pub fn neighbor(session: &Session, name: &str, is_down: bool) -> Option<usize> {
    let own = session.document().library.presets();
    let at = own.iter().position(|preset| preset.name == name)?;
    let folder = own[at].folder();
    let mut same = own.iter().enumerate().filter(|(_, preset)| preset.folder() == folder).map(|(index, _)| index);
    if is_down { same.find(|index| *index > at) } else { same.take_while(|index| *index < at).last() }
}

/// Where a preset of the user's own goes when it is dropped before the `slot`th of the others of its folder, counted from 0.
/// None where it stays.
pub fn dropped(session: &Session, name: &str, slot: usize) -> Option<usize> {
    let own = session.document().library.presets();
    let at = own.iter().position(|preset| preset.name == name)?;
    let others: Vec<&Preset> = own.iter().filter(|preset| preset.name != name).collect();
    let mut same = others.iter().enumerate().filter(|(_, preset)| preset.folder() == own[at].folder()).map(|(index, _)| index);
    let last = same.clone().next_back()?;
    let to = same.nth(slot).unwrap_or(last + 1);
    (to != at).then_some(to)
}

/// A preset's words while they are edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The name that it has in the library.
    pub of: String,
    pub name: String,
    pub note: String,
    /// With commas between.
    pub tags: String,
    pub starts_empty: bool,
}

impl Draft {
    pub fn new(preset: &Preset) -> Self {
        Self {
            of: preset.name.clone(),
            name: preset.name.clone(),
            note: preset.note.clone(),
            tags: preset.tags.join(", "),
            starts_empty: preset.view.placed == Some(0),
        }
    }

    /// Why it cannot be saved; none when it can.
    pub fn problem(&self, session: &Session) -> Option<String> {
        let name = self.name.trim();
        if name.is_empty() {
            return Some("A preset needs a name".to_owned());
        }
        let is_taken = name != self.of && session.document().library.get(name).is_some();
        is_taken.then(|| "Another preset has this name".to_owned())
    }

    /// The preset with the words of the draft.
    pub fn applied_to(&self, preset: &Preset) -> Preset {
        let tags = self.tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        let kept = preset.view.placed.filter(|placed| *placed > 0);
        let view = presets::PresetView { placed: if self.starts_empty { Some(0) } else { kept }, ..preset.view };
        Preset { name: self.name.trim().to_owned(), note: self.note.trim().to_owned(), tags, view, ..preset.clone() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::arch::Catalog;
    use crate::session::Action;

    fn session() -> Session {
        let mut session = Session::new(Arc::new(Catalog::with_textbook().clone()));
        let own = |name: &str, tag: &str| Preset { name: name.to_owned(), tags: vec![tag.to_owned()], ..presets::builtin()[0].clone() };
        session.apply(Action::AddPresets(vec![own("a", "one"), own("b", "two"), own("c", "one"), own("d", "examples")]));
        session
    }

    #[test]
    fn folders_of_ones_own_come_first_and_stay_apart() {
        let session = session();
        let listed = folders(&session, "");
        let names: Vec<&str> = listed.iter().map(|folder| folder.name.as_str()).collect();
        let rest = ["examples", "CUDA guide", "limiters", "lesson", "textbook", "well-known kernels"];
        assert_eq!(names, ["one", "two", "examples"].into_iter().chain(rest).collect::<Vec<_>>());
        let keys: Vec<Option<usize>> = listed[0].items.iter().map(|item| item.key).collect();
        assert_eq!(keys, [Some(1), Some(3)]);
        assert_eq!(of_key(&session, 5).unwrap().name, presets::builtin()[0].name);
        assert!(of_key(&session, 0).is_none() && of_key(&session, 10).is_none());
        assert!(folders(&session, "no such preset").is_empty());
    }

    #[test]
    fn a_preset_moves_among_those_of_its_folder() {
        let session = session();
        assert_eq!((neighbor(&session, "a", true), neighbor(&session, "a", false)), (Some(2), None));
        assert_eq!((neighbor(&session, "c", true), neighbor(&session, "c", false)), (None, Some(0)));
        assert_eq!(neighbor(&session, "Rounding trap, 41 registers", true), None);
    }

    #[test]
    fn a_preset_is_dropped_among_those_of_its_folder() {
        let mut session = session();
        session.apply(Action::AddPresets(vec![Preset { name: "e".to_owned(), ..session.document().library.presets()[0].clone() }]));
        let order = |session: &Session| session.document().library.presets().iter().map(|preset| preset.name.clone()).collect::<String>();
        assert_eq!(order(&session), "abcde");
        assert_eq!((dropped(&session, "a", 0), dropped(&session, "b", 0)), (None, None), "where it was, or alone in its folder");
        for (slot, expected) in [(1, "bcade"), (0, "abcde"), (2, "bcdea"), (9, "bcdea")] {
            if let Some(to) = dropped(&session, "a", slot) {
                session.apply(Action::MovePreset { name: "a".to_owned(), to });
            }
            assert_eq!(order(&session), expected, "before the others' number {slot}");
        }
    }

    #[test]
    fn a_draft_is_checked_and_applied() {
        let session = session();
        let preset = &session.document().library.presets()[0];
        let draft = Draft { name: " b ".to_owned(), tags: "x, ,y ".to_owned(), starts_empty: true, ..Draft::new(preset) };
        assert_eq!(draft.problem(&session).as_deref(), Some("Another preset has this name"));
        let draft = Draft { name: "e".to_owned(), ..draft };
        assert_eq!(draft.problem(&session), None);
        let applied = draft.applied_to(preset);
        assert_eq!((applied.name.as_str(), applied.tags, applied.view.placed), ("e", vec!["x".to_owned(), "y".to_owned()], Some(0)));
        assert_eq!(Draft::new(preset).applied_to(preset), *preset);
    }
}
