//! One SM with the blocks of the selected kernel, in the place of the picture of all kernels.

use egui::{Align, Button, Layout, RichText, ScrollArea, Ui};

use crate::gui::theme::{self, size};
use crate::gui::views::sm_map::{SmMap, SmMapState, sm_map_ui};
use crate::import::account::Account;
use crate::session::{KernelRef, Session};

/// What only this view knows.
#[derive(Debug, Default)]
pub struct OneSm {
    is_shown: bool,
    /// The kernel that the map is of.
    kernel: Option<KernelRef>,
    map: SmMapState,
}

impl OneSm {
    /// The button at the right of a heading that switches between the two pictures, and what else stands in that line.
    pub fn toggle_ui(&mut self, ui: &mut Ui, rest: impl FnOnce(&mut Ui)) {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (text, hint) = if self.is_shown {
                ("All kernels", "All kernels of this GPU on one picture")
            } else {
                ("One SM", "One SM with the blocks of the selected kernel")
            };
            if ui.add(Button::new(RichText::new(text).font(theme::words(size::NOTE)))).on_hover_text(hint).clicked() {
                self.is_shown = !self.is_shown;
            }
            ui.with_layout(Layout::left_to_right(Align::Center), rest);
        });
    }

    /// Draws the SM, when that is what is to be shown and the kernel can be placed on one. Returns whether it did.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session) -> bool {
        let selected = session.document().selected.zip(session.selected());
        let Some((at, (_, account))) = selected.filter(|_| self.is_shown) else { return false };
        let Some((arch, launch)) = account.arch.as_ref().zip(account.launch.as_ref()) else { return false };
        if self.kernel != Some(at) {
            (self.kernel, self.map) = (Some(at), SmMapState::default());
        }
        ui.horizontal(|ui| {
            ui.label(RichText::new("How its blocks share an SM").font(theme::strong(size::TITLE)));
            self.toggle_ui(ui, |_| {});
        });
        let name = gpu_name(account);
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

/// Short, because the player takes most of the line.
fn gpu_name(account: &Account) -> String {
    let arch = account.arch.as_ref().map(|arch| format!("{} GPU", arch.compute_capability));
    account.gpu.as_ref().map(|gpu| gpu.name.clone()).or(arch).unwrap_or_default()
}
