//! Save picture: which view, as what kind of file, in which colors; into a file or onto the clipboard.
//!
//! [`model`] has what is chosen and draws it, on whatever thread it is called on.

pub mod model;

use egui::{Align, Button, Context, Frame, Id, Layout, Modal, RichText, Ui, vec2};

use crate::gui::theme::{self, CONTROL_HEIGHT, size};
use crate::gui::widgets::note;
use crate::session::{Chart, Screen, Session};
use model::{Colors, Order, Shown, View};

/// What only this dialog knows: whether it is open, and what was chosen last.
#[derive(Debug, Default)]
pub struct HandOutState {
    is_open: bool,
    order: Order,
}

/// What to do with the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOutEvent {
    Save(Order),
    Copy(Order),
}

impl HandOutState {
    /// Opens with a view that is on the screen: the one chosen last, if it is.
    pub fn toggle(&mut self, session: &Session) {
        self.is_open = !self.is_open;
        let on_screen = on_screen(session);
        if !on_screen.contains(&self.order.view) {
            self.order.view = on_screen[0];
        }
    }

    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    /// What was chosen last, as far as there is such a picture now.
    pub fn order(&self, session: &Session) -> Order {
        let view = if Shown::new(session).has(self.order.view) { self.order.view } else { View::SmMap };
        Order { view, ..self.order }
    }
}

/// What the screen shows, what it is about first.
fn on_screen(session: &Session) -> [View; 2] {
    let chart = match session.view().chart {
        Chart::Heatmap => View::Heatmap,
        Chart::Curves => View::Curves,
        Chart::Compare => View::Compare,
    };
    match session.view().screen {
        Screen::Kernels => [View::Heatmap, View::Waves],
        Screen::Explore | Screen::Learn => [View::SmMap, chart],
    }
}

/// Draws the dialog while it is open.
pub fn hand_out_ui(ctx: &Context, state: &mut HandOutState, session: &Session) -> Option<HandOutEvent> {
    if !state.is_open {
        return None;
    }
    let shown = Shown::new(session);
    state.order = state.order(session);
    let frame = Frame::popup(&ctx.global_style()).inner_margin(20);
    let modal = Modal::new(Id::unique("hand-out")).frame(frame).show(ctx, |ui| {
        ui.set_width((ctx.content_rect().width() - 80.0).clamp(200.0, 480.0));
        ui.label(RichText::new("Save picture").font(theme::strong(size::TITLE)));
        note(ui, &shown.title());
        ui.add_space(8.0);
        let views = View::ALL.map(|view| (view, view.name(), shown.has(view)));
        choice_ui(ui, "View", &views, &mut state.order.view);
        let colors = [
            (Colors::Window, "As the window", true),
            (Colors::Light, "Light", true),
            (Colors::Dark, "Dark", true),
            (Colors::Print, "For print", true),
        ];
        choice_ui(ui, "Colors", &colors, &mut state.order.colors);
        choice_ui(ui, "Kind", &[(false, "SVG", true), (true, "PNG", true)], &mut state.order.is_png);
        let scales = [(1, "1 ×", true), (2, "2 ×", true), (4, "4 ×", true)];
        choice_ui(ui, "Pixels of a PNG", &scales, &mut state.order.scale);
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let save = ui.button("Save…").on_hover_text("The end of the file's name, .svg or .png, has the last word");
            let copy = ui.button("Copy").on_hover_text("As an image, to paste into a document");
            let cancel = ui.button("Cancel");
            (save.clicked(), copy.clicked(), cancel.clicked())
        })
        .inner
    });
    let (is_saved, is_copied, is_cancelled) = modal.inner;
    state.is_open = !(is_saved || is_copied || is_cancelled || modal.should_close());
    match (is_saved, is_copied) {
        (true, _) => Some(HandOutEvent::Save(state.order)),
        (_, true) => Some(HandOutEvent::Copy(state.order)),
        _ => None,
    }
}

/// A row of buttons of which one is chosen; those that are not possible now are grey.
fn choice_ui<T: Copy + PartialEq>(ui: &mut Ui, name: &str, choices: &[(T, &str, bool)], current: &mut T) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), CONTROL_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
        ui.label(RichText::new(name).font(theme::words(size::BODY)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (value, words, is_possible) in choices.iter().rev() {
                let response = ui.add_enabled(*is_possible, Button::new(*words).selected(value == current));
                let said = format!("{name}: {words}");
                response.widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, *is_possible, value == current, &said));
                let response = response.on_disabled_hover_text("The waves need a grid, and a GPU whose number of SMs is known");
                if response.clicked() {
                    *current = *value;
                }
            }
        });
    });
}
