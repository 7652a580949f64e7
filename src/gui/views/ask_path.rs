//! A field for a path, where the system has no dialog for files.

use egui::{Button, Context, Frame, Id, Key, Modal, RichText, TextEdit};

use crate::gui::theme::{self, size};
use crate::gui::widgets::note;
use crate::session::{Action, Session};

/// Draws the question that is open. `draft` is the path while it is typed.
pub fn ask_path_ui(ctx: &Context, draft: &mut Option<String>, session: &Session, actions: &mut Vec<Action>) {
    let Some((question, suggested)) = session.path_question() else {
        *draft = None;
        return;
    };
    let is_new = draft.is_none();
    let path = draft.get_or_insert_with(|| suggested.display().to_string());
    let frame = Frame::popup(&ctx.global_style()).inner_margin(20);
    let modal = Modal::new(Id::unique("ask-path")).frame(frame).show(ctx, |ui| {
        ui.set_width((ctx.content_rect().width() - 80.0).clamp(200.0, 520.0));
        ui.label(RichText::new(question.title()).font(theme::strong(size::TITLE)));
        note(ui, "This system offers no dialog for files (no desktop portal). Type the path.");
        let field = ui.add(TextEdit::singleline(path).desired_width(f32::INFINITY).margin(egui::Margin::symmetric(8, 6)));
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path"));
        if is_new {
            field.request_focus();
        }
        let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.horizontal(|ui| {
            let is_path = !path.trim().is_empty();
            let done = ui.add_enabled(is_path, Button::new("Continue")).clicked() || (enter && is_path);
            (done, ui.button("Cancel").clicked())
        })
        .inner
    });
    let (is_done, is_cancelled) = modal.inner;
    if is_done {
        actions.push(Action::AnswerPath(Some(path.trim().into())));
    } else if is_cancelled || modal.should_close() {
        actions.push(Action::AnswerPath(None));
    }
}
