//! The selected kernel alone, in the place of the picture of all kernels: one SM with its blocks, or its curves.

use egui::{Align, Button, Layout, RichText, ScrollArea, Ui};

use crate::gui::theme::{self, size};
use crate::gui::views::curves::{CurvesInput, CurvesState, curves_ui};
use crate::gui::views::sm_map::{SmMap, SmMapState, sm_map_ui};
use crate::import::account::Account;
use crate::session::{KernelRef, Session};

/// Which picture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shown {
    #[default]
    All,
    Sm,
    Curves,
}

/// What only this view knows.
#[derive(Debug, Default)]
pub struct OneSm {
    shown: Shown,
    /// The kernel that the map is of.
    kernel: Option<KernelRef>,
    map: SmMapState,
    curves: CurvesState,
}

impl OneSm {
    /// The buttons at the right of a heading that switch between the pictures, and what else stands in that line.
    pub fn toggle_ui(&mut self, ui: &mut Ui, rest: impl FnOnce(&mut Ui)) {
        const ALL: [(Shown, &str, &str); 3] = [
            (Shown::Curves, "Curves", "Occupancy of the selected kernel along each input"),
            (Shown::Sm, "One SM", "One SM with the blocks of the selected kernel"),
            (Shown::All, "All kernels", "All kernels of this GPU on one picture"),
        ];
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (which, text, hint) in ALL {
                let button = Button::new(RichText::new(text).font(theme::words(size::NOTE))).selected(self.shown == which);
                if ui.add(button).on_hover_text(hint).clicked() {
                    self.shown = which;
                }
            }
            ui.add_space(12.0);
            ui.with_layout(Layout::left_to_right(Align::Center), rest);
        });
    }

    /// Draws the selected kernel alone, when that is what is to be shown and the engine has an answer for it. Returns whether it did.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session) -> bool {
        let selected = session.document().selected.zip(session.selected());
        let Some((at, (_, account))) = selected.filter(|_| self.shown != Shown::All) else { return false };
        let Some((arch, launch)) = account.arch.as_ref().zip(account.launch.as_ref()) else { return false };
        let name = gpu_name(account);
        if self.shown == Shown::Curves {
            heading_ui(ui, "Occupancy along one input", |ui| self.toggle_ui(ui, |_| {}));
            let input = CurvesInput { arch, gpu_name: &name, others: &[], launch };
            // Going elsewhere belongs to Explore.
            curves_ui(ui, &mut self.curves, &input);
            return true;
        }
        if self.kernel != Some(at) {
            (self.kernel, self.map) = (Some(at), SmMapState::default());
        }
        heading_ui(ui, "How its blocks share an SM", |ui| self.toggle_ui(ui, |_| {}));
        ScrollArea::vertical().id_salt("one sm").show(ui, |ui| {
            // The markers of refusing resources stand left of the map.
            ui.horizontal(|ui| {
                ui.add_space(10.0);
                ui.vertical(|ui| sm_map_ui(ui, &mut self.map, &SmMap { arch, gpu_name: &name, launch }));
            });
        });
        true
    }
}

fn heading_ui(ui: &mut Ui, title: &str, rest: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).font(theme::strong(size::TITLE)));
        rest(ui);
    });
}

/// Short, because the player takes most of the line.
fn gpu_name(account: &Account) -> String {
    let arch = account.arch.as_ref().map(|arch| format!("{} GPU", arch.compute_capability));
    account.gpu.as_ref().map(|gpu| gpu.name.clone()).or(arch).unwrap_or_default()
}
