//! The live view beside a step: the same views as everywhere, in the current session.

use egui::{Frame, Margin, ScrollArea, Ui};

use super::{LearnState, cover_ui, latency, padded_scroll};
use crate::gui::theme::Theme;
use crate::gui::views::explore::{self, ExploreState};
use crate::gui::views::{answer, inputs, kernels};
use crate::learn::{Shown, Step};
use crate::session::{Action, Session};

pub fn live_ui(ui: &mut Ui, state: &mut LearnState, explore: &mut ExploreState, step: &Step, session: &Session, actions: &mut Vec<Action>) {
    if session.view().hides_answers {
        return cover_ui(ui, actions);
    }
    match step.setup.shown {
        Shown::Map => padded_scroll(ui, |ui| {
            play_ui(ui, session, actions);
            answer_line_ui(ui, session);
            explore::map_ui(ui, explore, session, actions);
        }),
        Shown::Heatmap | Shown::Curves | Shown::Compare => {
            Frame::new().inner_margin(Margin::symmetric(24, 20)).show(ui, |ui| {
                play_ui(ui, session, actions);
                answer_line_ui(ui, session);
                explore::chart_ui(ui, explore, session, false, actions);
            });
        }
        Shown::Answer => panel_scroll(ui, 620.0, |ui| {
            play_ui(ui, session, actions);
            answer::answer_ui(ui, session, actions);
        }),
        Shown::Kernel => panel_scroll(ui, 480.0, |ui| kernels::account_ui(ui, &mut state.kernel, session, &mut state.block, actions)),
        Shown::Changes => padded_scroll(ui, |ui| kernels::changes::changes_ui(ui, session, &mut state.block)),
        Shown::Latency => padded_scroll(ui, |ui| latency::latency_ui(ui, &mut state.latency)),
    }
}

/// The three inputs that lessons turn.
fn play_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    inputs::short_inputs_ui(ui, session, actions);
    ui.add_space(8.0);
}

/// The number and its sentence, above a view that does not say them.
fn answer_line_ui(ui: &mut Ui, session: &Session) {
    ui.scope(|ui| {
        ui.set_max_width(560.0_f32.min(ui.available_width()));
        ui.spacing_mut().item_spacing.y = 4.0;
        answer::headline_ui(ui, session);
    });
    ui.add_space(4.0);
}

/// A column on panel ground, as the same thing has elsewhere.
fn panel_scroll(ui: &mut Ui, width: f32, content: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().id_salt("beside").auto_shrink([false, false]).show(ui, |ui| {
        let width = width.min(ui.available_width() - 32.0);
        let fill = Theme::of(ui).palette.panel;
        Frame::new().outer_margin(Margin::same(16)).inner_margin(Margin::symmetric(20, 14)).corner_radius(6.0).fill(fill).show(ui, |ui| {
            ui.set_width(width - 40.0);
            content(ui);
        });
    });
}
