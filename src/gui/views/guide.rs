//! The guide of `assets/GUIDE.md`, to read beside what it is about.

use egui::{Context, Frame, Id, Key, Modal, RichText, ScrollArea, Ui};

use super::learn::markdown::markdown_ui;
use crate::gui::theme::{self, size};

const GUIDE: &str = include_str!("../../../assets/GUIDE.md");

/// Draws the guide while it is open.
pub fn guide_ui(ctx: &Context, open: &mut bool) {
    if !*open {
        return;
    }
    let screen = ctx.content_rect();
    let frame = Frame::popup(&ctx.global_style()).inner_margin(20);
    let modal = Modal::new(Id::unique("guide")).frame(frame).show(ctx, |ui| {
        ui.set_width((screen.width() - 80.0).clamp(200.0, 640.0));
        ui.label(RichText::new("Guide").font(theme::strong(size::TITLE)));
        ui.add_space(8.0);
        ScrollArea::vertical().max_height((screen.height() - 140.0).max(60.0)).auto_shrink([false, true]).show(ui, chapters_ui);
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        *open = false;
    }
}

fn chapters_ui(ui: &mut Ui) {
    for chapter in GUIDE.split("\n## ").skip(1) {
        let (title, text) = chapter.split_once('\n').unwrap_or((chapter, ""));
        ui.label(RichText::new(title).font(theme::strong(size::TITLE)));
        ui.push_id(title, |ui| markdown_ui(ui, text));
        ui.add_space(8.0);
    }
}
