//! All lessons, one a row.

use egui::{
    Align2, CentralPanel, Frame, Margin, Response, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::gui::paint::elide_end;
use crate::gui::theme::{self, RADIUS_CONTROL, Theme, size};
use crate::learn::{Lesson, lessons};
use crate::session::{Action, Session};

const ROW: f32 = 60.0;
const WIDTH: f32 = 760.0;

pub fn list_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    CentralPanel::no_frame().show(ui, |ui| {
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let side = ((ui.available_width() - WIDTH) / 2.0).max(16.0);
            #[expect(clippy::cast_possible_truncation, reason = "a margin")]
            let margin = Margin { left: side.min(120.0) as i8, right: 16, top: 28, bottom: 28 };
            Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.set_max_width(WIDTH.min(ui.available_width()));
                let palette = Theme::of(ui).palette;
                ui.label(RichText::new("Lessons").font(theme::strong(size::FIGURE)));
                let words = "Each drives the app while you read, and ends with a quiz. Every number is worked out by the engine.";
                ui.label(RichText::new(words).font(theme::words(size::BODY)).color(palette.text2));
                ui.add_space(12.0);
                for (index, lesson) in lessons().iter().enumerate() {
                    if row_ui(ui, index, lesson).clicked() {
                        actions.extend(lesson.go_to(0, session));
                    }
                }
            });
        });
    });
}

fn row_ui(ui: &mut Ui, index: usize, lesson: &Lesson) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let minutes = format!("{} min", lesson.minutes);
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Button, true, format!("Lesson {}: {}. {} {minutes}", index + 1, lesson.title, lesson.summary))
    });
    let painter = ui.painter();
    let (fill, line) =
        if response.hovered() { (theme.palette.raised, theme.palette.line_strong) } else { (theme.palette.panel, theme.palette.line) };
    painter.rect(rect, RADIUS_CONTROL, fill, Stroke::new(1.0, line), StrokeKind::Inside);
    if response.has_focus() {
        painter.rect_stroke(rect, RADIUS_CONTROL, Stroke::new(2.0, theme.palette.focus), StrokeKind::Inside);
    }
    let (first, second) = (rect.top() + 21.0, rect.top() + 41.0);
    let number = pos2(rect.left() + 30.0, rect.center().y);
    painter.text(number, Align2::CENTER_CENTER, (index + 1).to_string(), theme::mono_bold(size::FIGURE), theme.palette.text3);
    let minutes =
        painter.text(pos2(rect.right() - 16.0, first), Align2::RIGHT_CENTER, minutes, theme::mono(size::NOTE), theme.palette.text3);
    let left = rect.left() + 60.0;
    let title = elide_end(painter, &lesson.title, &theme::strong(size::TITLE), minutes.left() - left - 12.0);
    painter.text(pos2(left, first), Align2::LEFT_CENTER, title, theme::strong(size::TITLE), theme.palette.text);
    let summary = elide_end(painter, &lesson.summary, &theme::words(size::BODY), rect.right() - 16.0 - left);
    painter.text(pos2(left, second), Align2::LEFT_CENTER, summary, theme::words(size::BODY), theme.palette.text2);
    response.on_hover_text(&lesson.summary)
}
