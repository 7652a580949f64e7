//! What lies under a dialog keeps quiet.

use egui::{Context, Event, LayerId, Plugin, Pos2, RawInput};

/// Takes the pointer away for one frame when a dialog opens.
///
/// egui keeps a tooltip while the pointer is over its widget, even when a dialog has come in between; the tooltip would lie on it.
#[derive(Debug, Default)]
pub struct Quiet {
    dialog: Option<LayerId>,
    /// Where the pointer is again in the next frame.
    pointer: Option<Pos2>,
}

impl Plugin for Quiet {
    fn debug_name(&self) -> &'static str {
        "what lies under a dialog keeps quiet"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        if let Some(at) = self.pointer.take() {
            input.events.insert(0, Event::PointerMoved(at));
        }
        let dialog = ctx.memory(egui::Memory::top_modal_layer);
        if dialog == std::mem::replace(&mut self.dialog, dialog) || dialog.is_none() {
            return;
        }
        let moved = input.events.iter().rev().find_map(|event| if let Event::PointerMoved(at) = event { Some(*at) } else { None });
        self.pointer = moved.or_else(|| ctx.pointer_latest_pos());
        if self.pointer.is_some() {
            input.events.push(Event::PointerGone);
            ctx.request_repaint();
        }
    }
}
