//! Where the keyboard is: whatever scrolls brings it into view, and the handles of panels, which have no look of their own, get a line.

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{Context, Event, Id, Stroke};

use super::theme::Theme;

/// Thinner than any control: the handle between two panels.
const HANDLE: f32 = 8.0;

/// The rows of the table of kernels: one stop for the keyboard, in which arrows walk.
pub fn rows() -> Id {
    Id::unique("kernel-rows-keyboard")
}

/// Whether the keyboard belongs to a control, so that letters and arrows are meant for that. The rows leave most keys to the window.
pub fn is_in_control(ctx: &Context) -> bool {
    ctx.memory(egui::Memory::focused).is_some_and(|id| id != rows())
}

/// Follows the focus from frame to frame.
#[derive(Debug, Default)]
pub struct Focus {
    seen: Option<Id>,
    /// Tab was pressed and the focus has not moved since.
    is_walking: bool,
}

impl Focus {
    /// Before anything is drawn: what has got the focus and is cut off is scrolled to, once.
    pub fn follow(&mut self, ctx: &Context) {
        self.is_walking |= ctx.input(|input| input.key_pressed(egui::Key::Tab));
        let focused = ctx.memory(egui::Memory::focused);
        if self.seen == focused {
            return;
        }
        self.seen = focused;
        let Some(id) = focused.filter(|_| std::mem::take(&mut self.is_walking)) else { return };
        let is_cut = |response: egui::Response| !response.interact_rect.contains_rect(response.rect.shrink(1.0));
        if ctx.read_response(id).is_some_and(is_cut) {
            // As a screen reader asks for it: the one way that every area that scrolls listens to.
            let request =
                ActionRequest { action: Action::ScrollIntoView, target_tree: TreeId::ROOT, target_node: id.accesskit_id(), data: None };
            ctx.input_mut(|input| input.events.push(Event::AccessKitActionRequest(request)));
        }
    }

    /// After everything was drawn.
    pub fn paint(&self, ctx: &Context) {
        let focused = ctx.memory(egui::Memory::focused);
        if self.is_walking && focused != self.seen {
            ctx.request_repaint();
        }
        let Some(response) = focused.and_then(|id| ctx.read_response(id)) else { return };
        let rect = response.interact_rect;
        if rect.width().min(rect.height()) > HANDLE {
            return;
        }
        let palette = Theme::of_visuals(&ctx.global_style().visuals).palette;
        ctx.layer_painter(response.layer_id).rect_stroke(rect, 2.0, Stroke::new(2.0, palette.focus), egui::StrokeKind::Inside);
    }
}
