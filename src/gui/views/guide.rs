//! The guide of `assets/GUIDE.md`, to read beside what it is about, and the licenses of what is in the program.

use std::sync::LazyLock;

use egui::{Context, Frame, Id, Key, Modal, RichText, ScrollArea, TextWrapMode, Ui};

use super::learn::markdown::markdown_ui;
use crate::gui::theme::{self, size};

static LICENSES: LazyLock<Vec<&str>> = LazyLock::new(|| crate::LICENSES.lines().collect());

const GUIDE: &str = include_str!("../../../assets/GUIDE.md");

/// Draws the guide while it is open.
pub fn guide_ui(ctx: &Context, open: &mut bool) {
    if !*open {
        return;
    }
    let screen = ctx.content_rect();
    let of_licenses = Id::unique("guide shows licenses");
    let mut licenses: bool = ctx.data(|data| data.get_temp(of_licenses)).unwrap_or_default();
    let (title, other) = if licenses { ("Licenses", "Guide") } else { ("Guide", "Licenses") };
    let frame = Frame::popup(&ctx.global_style()).inner_margin(20);
    let modal = Modal::new(Id::unique("guide")).frame(frame).show(ctx, |ui| {
        ui.set_width((screen.width() - 80.0).clamp(200.0, 640.0));
        ui.label(RichText::new(title).font(theme::strong(size::TITLE)));
        ui.add_space(8.0);
        let height = (screen.height() - 140.0).max(60.0);
        if licenses {
            licenses_ui(ui, height);
        } else {
            ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, chapters_ui);
        }
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let close = ui.button("Close").clicked();
            if ui.button(other).clicked() {
                licenses = !licenses;
            }
            close
        })
        .inner
    });
    if modal.inner || modal.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        (*open, licenses) = (false, false);
    }
    ctx.data_mut(|data| data.insert_temp(of_licenses, licenses));
}

/// The lines as they are; only those in sight are laid out.
fn licenses_ui(ui: &mut Ui, height: f32) {
    let font = theme::mono(size::CAPTION);
    let row = ui.fonts_mut(|fonts| fonts.row_height(&font));
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    ScrollArea::both().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show_rows(
        ui,
        row,
        LICENSES.len(),
        |ui, rows| {
            for line in &LICENSES[rows] {
                ui.label(RichText::new(*line).font(font.clone()));
            }
        },
    );
}

fn chapters_ui(ui: &mut Ui) {
    for chapter in GUIDE.split("\n## ").skip(1) {
        let (title, text) = chapter.split_once('\n').unwrap_or((chapter, ""));
        ui.label(RichText::new(title).font(theme::strong(size::TITLE)));
        ui.push_id(title, |ui| markdown_ui(ui, text));
        ui.add_space(8.0);
    }
}
