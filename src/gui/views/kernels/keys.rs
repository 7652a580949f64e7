//! Keys of the table, while its rows have the keyboard, or nothing has.

use egui::{Key, Modifiers, Ui};

use super::rows::{Row, Table};
use crate::gui::focus;
use crate::session::KernelRef;

/// What keys ask of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pressed {
    /// The row to go to.
    pub to: Option<Row>,
    /// A group to fold or unfold.
    pub unfold: Option<(Row, bool)>,
    /// Open the selected launch in Explore.
    pub explore: bool,
    /// Copy the selected row.
    pub copy: bool,
}

/// `page` is how many rows are seen; `cursor` finds the row that keys start from, with its place; it is asked only when there was a key.
pub fn pressed(ui: &Ui, table: &Table, page: usize, cursor: impl FnOnce() -> Option<(usize, Row)>) -> Pressed {
    let was_any = ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Key { .. } | egui::Event::Copy)));
    if !was_any || focus::is_in_control(ui.ctx()) {
        return Pressed::default();
    }
    let cursor = cursor();
    let is = |key| ui.input(|input| input.key_pressed(key) && input.modifiers == Modifiers::NONE);
    let mut pressed = Pressed {
        explore: is(Key::Enter),
        copy: ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Copy))),
        ..Pressed::default()
    };
    let Some(last) = table.rows.len().checked_sub(1) else { return pressed };
    let page = page.saturating_sub(1).max(1);
    let to = match cursor {
        _ if is(Key::Home) => Some(0),
        _ if is(Key::End) => Some(last),
        Some((at, _)) if is(Key::ArrowDown) => Some((at + 1).min(last)),
        Some((at, _)) if is(Key::ArrowUp) => Some(at.saturating_sub(1)),
        Some((at, _)) if is(Key::PageDown) => Some((at + page).min(last)),
        Some((at, _)) if is(Key::PageUp) => Some(at.saturating_sub(page)),
        None if is(Key::ArrowDown) => Some(0),
        _ => None,
    };
    pressed.to = to.map(|to| table.rows[to]);
    if let Some((at, row)) = cursor {
        sideways(table, at, row, (is(Key::ArrowLeft), is(Key::ArrowRight)), &mut pressed);
    }
    pressed
}

/// Right unfolds a group, then goes into it; left goes to the group, then folds it.
fn sideways(table: &Table, at: usize, row: Row, (left, right): (bool, bool), pressed: &mut Pressed) {
    let is_unfolded = table.is_unfolded(row);
    match row {
        Row::Group(_) if right && !is_unfolded => pressed.unfold = Some((row, true)),
        Row::Group(_) if right && is_unfolded => pressed.to = table.rows.get(at + 1).copied(),
        Row::Group(_) if left && is_unfolded => pressed.unfold = Some((row, false)),
        Row::Launch(_) if left && table.is_grouped() => {
            pressed.to = table.rows[..at].iter().rev().find(|row| matches!(row, Row::Group(_))).copied();
        }
        _ => {}
    }
}

/// The row that keys start from: the one they went to, while it still is the selected launch's, else the one that shows the selected launch.
pub fn cursor(table: &Table, went_to: Option<Row>, selected: Option<KernelRef>) -> Option<(usize, Row)> {
    let selected = selected?;
    let kept = went_to.filter(|row| table.launch_of(*row) == Some(selected) && matches!(row, Row::Group(_)));
    let at = kept.and_then(|kept| table.rows.iter().position(|row| *row == kept)).or_else(|| table.position(selected))?;
    Some((at, table.rows[at]))
}
