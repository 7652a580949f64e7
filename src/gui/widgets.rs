//! Small pieces that several panels are made of.

use egui::{Align, Label, Layout, Response, RichText, Sense, Ui, vec2};

use super::paint::{self, Icon, icon};
use super::theme::{self, Theme, size};

/// Whether a view shows what it says and nothing to choose from: in a picture that is handed out.
pub fn is_bare(ui: &Ui) -> bool {
    ui.data(|data| data.get_temp(bare_id())).unwrap_or(false)
}

/// From the next view on.
pub fn set_bare(ctx: &egui::Context, bare: bool) {
    ctx.data_mut(|data| data.insert_temp(bare_id(), bare));
}

fn bare_id() -> egui::Id {
    egui::Id::unique("bare")
}

/// A hairline with air around it, `bleed` points longer than the content at either side.
pub fn rule(ui: &mut Ui, bleed: f32) {
    ui.add_space(8.0);
    let color = Theme::of(ui).palette.line;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    let wide = rect.expand2(vec2(bleed, 0.0));
    paint::hairline(ui.painter(), wide.left_center(), wide.right_center(), color);
    ui.add_space(8.0);
}

/// The title of a group, with a quiet explanation beside it.
pub fn heading(ui: &mut Ui, title: &str, explanation: &str) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).font(theme::strong(size::BODY)));
        ui.add(Label::new(quiet(ui, explanation)).truncate());
    });
}

/// The caption over a group of controls.
pub fn caption(ui: &mut Ui, text: &str) {
    let color = Theme::of(ui).palette.text3;
    ui.label(RichText::new(text).font(theme::medium(size::CAPTION)).color(color));
}

/// Secondary words.
pub fn note(ui: &mut Ui, text: &str) {
    let color = Theme::of(ui).palette.text2;
    ui.add(Label::new(RichText::new(text).font(theme::words(size::NOTE)).color(color)).wrap());
}

/// Words that may be overlooked, still legible.
pub fn quiet(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).font(theme::words(size::NOTE)).color(Theme::of(ui).palette.text3)
}

/// A remark with its icon.
pub fn remark(ui: &mut Ui, text: &str) {
    let theme = Theme::of(ui);
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
        icon(ui.painter(), rect, Icon::Info, theme.palette.text3);
        note(ui, text);
    });
}

/// What a screen reader adds to a name; worked out only while one listens.
pub fn describe(response: &Response, words: impl FnOnce() -> String) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(words()));
}

/// A name at the left and its value at the right.
pub fn pair(ui: &mut Ui, name: &str, value: &str) -> Response {
    pair_and_value(ui, name, value).0
}

/// The whole of a pair, and its value.
pub fn pair_and_value(ui: &mut Ui, name: &str, value: &str) -> (Response, Response) {
    let color = Theme::of(ui).palette.text2;
    let row = ui.horizontal(|ui| {
        ui.label(RichText::new(name).font(theme::words(size::BODY)).color(color));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(RichText::new(value).font(theme::mono(size::BODY)))).inner
    });
    (row.response, row.inner)
}

/// The arrow of a drop-down list, as an icon of ours.
pub fn combo_arrow(ui: &Ui, rect: egui::Rect, _visuals: &egui::style::WidgetVisuals, _open: bool) {
    let ink = Theme::of(ui).palette.text2;
    icon(ui.painter(), egui::Rect::from_center_size(rect.center(), vec2(16.0, 16.0)), Icon::Down, ink);
}
