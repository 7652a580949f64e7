//! Blocks as things of their own: pointed at, reached by keys, selected.

use egui::{Event, EventFilter, Key, Rect, Response, Role, Sense, Ui, WidgetInfo};

use super::layout::SmMapLayout;
use super::model::SmMapModel;
use super::words::block_name;
use super::{SmMap, SmMapState};

const ARROWS: EventFilter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: false };

/// One stop for the Tab key, over all cells: arrows go from block to block, Enter and clicks select.
pub(super) fn blocks_ui(ui: &Ui, map: &Response, state: &mut SmMapState, input: &SmMap<'_>, model: &SmMapModel, layout: &SmMapLayout) {
    let area = layout.rows.iter().fold(Rect::NOTHING, |all, row| all.union(row.bounds()));
    let response = ui.interact(area, map.id.with("blocks"), Sense::click());
    let last = model.shown_blocks().saturating_sub(1);
    state.focused_block = state.focused_block.min(last);
    if response.has_focus() {
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, ARROWS));
        state.focused_block = ui.input(|input| input.events.iter().fold(state.focused_block, |block, event| moved(block, last, event)));
    }
    let focused = state.focused_block;
    if response.clicked_by(egui::PointerButton::Primary) {
        let block = response.interact_pointer_pos().and_then(|at| layout.block_at(model, at));
        state.focused_block = block.unwrap_or(focused);
        state.select(block);
    } else if response.clicked() && ui.input(|input| input.key_pressed(Key::Space)) {
        // Space plays, as it does everywhere on this screen; Enter selects.
        state.play(!state.playback.is_playing);
    } else if response.clicked() && model.shown_blocks() > 0 {
        state.select(Some(focused));
    }
    state.has_focus = response.has_focus();
    let focused = state.focused_block;
    response.widget_info(|| {
        WidgetInfo::selected(Role::Button, true, state.selected_block == Some(focused), block_name(model, input.launch, focused))
    });
}

fn moved(block: usize, last: usize, event: &Event) -> usize {
    match event {
        Event::Key { key: Key::ArrowRight | Key::ArrowDown, pressed: true, .. } => (block + 1).min(last),
        Event::Key { key: Key::ArrowLeft | Key::ArrowUp, pressed: true, .. } => block.saturating_sub(1),
        Event::Key { key: Key::Home, pressed: true, .. } => 0,
        Event::Key { key: Key::End, pressed: true, .. } => last,
        _ => block,
    }
}

impl SmMapState {
    /// Selects a block, or none; the one that is selected already is let go.
    fn select(&mut self, block: Option<usize>) {
        self.selected_block = block.filter(|_| self.selected_block != block);
    }
}
