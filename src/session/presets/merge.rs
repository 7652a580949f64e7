//! Two windows, or a window and an editor, change one file of presets: both changes are kept.

use super::{Library, Preset};

/// What comes of `ours` when others made `theirs` of `base`.
///
/// A preset is known by its name. What only they changed is taken from them, what we changed is kept, and a preset that one side
/// deleted is gone unless the other side changed it. Where both changed one, ours stays and theirs gets a number.
pub fn merge(base: &Library, ours: &Library, theirs: &Library) -> Library {
    if ours == base || theirs == base || ours == theirs {
        // One side changed nothing: the other side's order counts too.
        return if ours == base { theirs.clone() } else { ours.clone() };
    }
    let mut merged: Vec<Preset> = Vec::new();
    let mut both_changed = Vec::new();
    for our in ours.presets() {
        let before = base.get(&our.name);
        match (before, theirs.get(&our.name)) {
            // Gone with them, and as it was with us.
            (Some(before), None) if before == our => {}
            (Some(before), Some(their)) if before == our => merged.push(their.clone()),
            (before, Some(their)) if before != Some(their) && our != their => {
                merged.push(our.clone());
                both_changed.push(their.clone());
            }
            _ => merged.push(our.clone()),
        }
    }
    for their in theirs.presets().iter().filter(|their| ours.get(&their.name).is_none()) {
        if base.get(&their.name) != Some(their) {
            merged.push(their.clone());
        }
    }
    Library::new(merged.into_iter().chain(both_changed))
}
