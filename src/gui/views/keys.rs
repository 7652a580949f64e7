//! All keys, from the one list of commands.

use egui::{Context, Frame, Grid, Key, Modal, RichText};

use crate::gui::commands::Command;
use crate::gui::theme::{self, Theme, size};

pub fn keys_ui(ctx: &Context, open: &mut bool) {
    if !*open {
        return;
    }
    let frame = Frame::popup(&ctx.global_style()).inner_margin(20);
    let modal = Modal::new(egui::Id::unique("keys")).frame(frame).show(ctx, |ui| {
        let theme = Theme::of(ui);
        ui.set_min_width(380.0);
        ui.label(RichText::new("Keys").font(theme::strong(size::TITLE)));
        ui.add_space(8.0);
        // All of its height at once: a page that grows from picture to picture cannot be clicked.
        let height = (ctx.content_rect().height() - 230.0).max(60.0);
        egui::ScrollArea::vertical().auto_shrink([false, true]).max_height(height).min_scrolled_height(height).show(ui, |ui| {
            Grid::new("key-list").num_columns(2).spacing([24.0, 6.0]).show(ui, |ui| {
                for command in Command::ALL {
                    let Some(shortcut) = command.shortcut() else { continue };
                    ui.label(RichText::new(command.text()).font(theme::words(size::BODY)));
                    ui.label(RichText::new(ui.ctx().format_shortcut(&shortcut)).font(theme::mono(size::BODY)).color(theme.palette.text2));
                    ui.end_row();
                }
                ui.label(RichText::new("Use one of the first nine presets").font(theme::words(size::BODY)));
                ui.label(RichText::new("1 … 9").font(theme::mono(size::BODY)).color(theme.palette.text2));
                ui.end_row();
            });
        });
        ui.add_space(8.0);
        let heatmap = "On the heatmap: arrow keys walk, + and \u{2212} zoom, Shift with arrow keys pans, 0 shows all of it";
        let curves = "On a curve: left and right walk";
        let map = "On the SM map: arrow keys go from block to block, Enter selects";
        let table = "In the table of kernels: arrow keys, Page and End keys walk, right and left unfold and fold a group, Enter opens in Explore, \
                     Tab reaches filters, groups and Compare with…";
        for words in [heatmap, curves, map, table] {
            ui.add(egui::Label::new(RichText::new(words).font(theme::words(size::NOTE)).color(theme.palette.text2)).wrap());
        }
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        *open = false;
    }
}
