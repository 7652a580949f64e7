//! How a person zooms and pans: wheel, pinch, drag, keys and three small buttons.

use egui::{Align2, Key, Modifiers, PointerButton, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::layout::Grid;
use super::zoom::{Extent, Zoom};
use crate::gui::paint;
use crate::gui::theme::{self, Theme, size};

/// One press of a key or a button.
const STEP: f64 = 1.5;
/// So many points of scrolling zoom by a factor of e.
const SCROLL: f64 = 250.0;
/// One press of Shift and an arrow key moves by this share of what is shown.
const PAN: f64 = 0.25;

/// Names and tooltips of the buttons.
const OUT: (&str, &str) = ("Zoom out of the heatmap", "Zoom out; − while the cells have the keyboard");
const IN: (&str, &str) = ("Zoom in on the heatmap", "Zoom in; the wheel, or + while the cells have the keyboard");
const FIT: (&str, &str) = ("Fit the whole heatmap", "Show all of it again; a double click, or 0");

/// What the zoom is worked with: the whole axes and what the present launch has along them.
#[derive(Debug)]
pub struct Reach<'a> {
    pub zoom: Zoom,
    pub extents: &'a [Extent; 2],
    pub grid: &'a Grid,
    /// The cells of the present launch as a place; none when it is not shown.
    pub present: Option<egui::Pos2>,
    /// The wheel alone belongs to what the view lies in.
    pub scrolls: bool,
    /// A click that may be the first of two.
    pub held: &'a mut super::held::Held,
}

impl Reach<'_> {
    fn by(&self, factor: f64, at: Option<egui::Pos2>) -> Zoom {
        let shares = at.map_or([0.5, 0.5], |at| self.grid.shares_at(at));
        self.zoom.zoomed(self.extents, factor, shares)
    }

    fn panned(&self, by: Vec2) -> Zoom {
        let size = self.grid.rect.size();
        self.zoom.panned(self.extents, [f64::from(-by.x / size.x), f64::from(by.y / size.y)])
    }

    /// The zoom after what happened on the cells in this frame.
    pub fn of_pointer(&self, ui: &Ui, response: &Response) -> Zoom {
        if response.double_clicked() {
            return Zoom::default();
        }
        if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
            ui.set_cursor_icon(egui::CursorIcon::Grabbing);
            return self.panned(response.drag_delta());
        }
        let Some(at) = response.hover_pos().filter(|_| response.contains_pointer()) else { return self.zoom };
        let pinch = f64::from(ui.input(egui::InputState::zoom_delta));
        if (pinch - 1.0).abs() > 1e-6 {
            return self.by(pinch, Some(at));
        }
        let scroll = ui.input(egui::InputState::smooth_scroll_delta);
        if self.scrolls || scroll == Vec2::ZERO {
            return self.zoom;
        }
        ui.input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
        if scroll.y.abs() >= scroll.x.abs() {
            self.by((f64::from(scroll.y) / SCROLL).exp(), Some(at))
        } else {
            self.panned(vec2(scroll.x, 0.0))
        }
    }

    /// The zoom after the keys of this frame; for when the cells have the focus.
    pub fn of_keys(&self, ui: &Ui) -> Zoom {
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::NONE, Key::Plus) || pressed(Modifiers::NONE, Key::Equals) {
            return self.by(STEP, self.present);
        }
        if pressed(Modifiers::NONE, Key::Minus) {
            return self.by(1.0 / STEP, self.present);
        }
        if pressed(Modifiers::NONE, Key::Num0) {
            return Zoom::default();
        }
        let ways =
            [(Key::ArrowLeft, [-PAN, 0.0]), (Key::ArrowRight, [PAN, 0.0]), (Key::ArrowDown, [0.0, -PAN]), (Key::ArrowUp, [0.0, PAN])];
        // Asked for before the bare arrow keys, which do not look at Shift.
        let way = ways.into_iter().find(|(key, _)| pressed(Modifiers::SHIFT, *key));
        way.map_or(self.zoom, |(_, shares)| self.zoom.panned(self.extents, shares))
    }

    /// Closer, farther, and back to the whole; drawn right of the caption below the cells.
    pub fn of_buttons(&self, ui: &Ui, area: Rect) -> Zoom {
        let zoomed = !self.zoom.is_whole();
        let cuts = [area.left(), area.left() + 26.0, area.left() + 52.0, area.right()];
        let rect = |index: usize| Rect::from_min_max(pos2(cuts[index], area.top()), pos2(cuts[index + 1], area.bottom()));
        let closest = self.by(STEP, None);
        if button(ui, rect(0), "\u{2212}", OUT, zoomed) {
            return self.by(1.0 / STEP, self.present);
        }
        if button(ui, rect(1), "+", IN, closest != self.zoom) {
            return self.by(STEP, self.present);
        }
        if button(ui, rect(2), "Fit", FIT, zoomed) { Zoom::default() } else { self.zoom }
    }
}

fn button(ui: &Ui, rect: Rect, text: &str, (name, hint): (&'static str, &'static str), enabled: bool) -> bool {
    let theme = Theme::of(ui);
    let palette = theme.palette;
    let response = ui.interact(rect, ui.scope_id().with(name), if enabled { Sense::click() } else { Sense::hover() });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    let ink = match (enabled, response.hovered() || response.has_focus()) {
        (false, _) => palette.text3.gamma_multiply(0.6),
        (true, true) => palette.text,
        (true, false) => palette.text2,
    };
    let font = if text == "Fit" { theme::words(size::NOTE) } else { theme::mono(size::BODY) };
    if enabled && response.hovered() {
        ui.painter().rect_filled(rect.shrink2(vec2(1.0, 2.0)), 4.0, palette.raised);
    }
    paint::text(ui.painter(), rect.center(), Align2::CENTER_CENTER, text, font, ink);
    if response.has_focus() {
        paint::icons::focus_ring(ui.painter(), theme, rect.shrink(4.0));
    }
    response.on_hover_text(hint).clicked()
}
