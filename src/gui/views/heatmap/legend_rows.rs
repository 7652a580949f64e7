//! Rows of the legend that may find no room: then the last one is "…", which shows the others.

use egui::{Align2, Painter, Popup, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use super::flow::{Flow, ROW};
use crate::fmt::counted;
use crate::gui::paint::{self, icons::focus_ring};
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::is_bare;

/// How wide the rows are that "…" shows.
const WIDTH: f32 = 190.0;

/// Draws a mark into the left end of its row.
type Mark<'a> = Box<dyn Fn(&Painter, Rect) + 'a>;

/// A mark and what it means.
pub struct Row<'a> {
    words: &'a str,
    indent: f32,
    /// Air above it.
    gap: f32,
    paint: Mark<'a>,
}

impl<'a> Row<'a> {
    /// `paint` draws the mark into the left end of its row.
    pub fn new(words: &'a str, paint: impl Fn(&Painter, Rect) + 'a) -> Self {
        Self { words, indent: 24.0, gap: 0.0, paint: Box::new(paint) }
    }

    pub fn with_gap(self, gap: f32) -> Self {
        Self { gap, ..self }
    }

    /// The words stand further to the right.
    pub fn indented(self, by: f32) -> Self {
        Self { indent: self.indent + by, ..self }
    }

    fn paint(&self, painter: &Painter, theme: Theme, row: Rect) {
        (self.paint)(painter, row);
        let at = row.left_center() + vec2(self.indent, 0.0);
        paint::text(painter, at, Align2::LEFT_CENTER, self.words, theme::words(size::NOTE), theme.palette.text2);
    }
}

/// As many rows as have room, and "…" for the rest.
pub fn rows_ui(ui: &Ui, flow: &mut Flow, rows: &[Row<'_>]) {
    let theme = Theme::of(ui);
    let room = flow.area.bottom() + 0.5 - flow.at.y;
    let shown = num_shown(&rows.iter().map(|row| row.gap + ROW).collect::<Vec<_>>(), room);
    for row in &rows[..shown] {
        flow.space(row.gap);
        let Some(rect) = flow.row(ROW) else { return };
        row.paint(ui.painter(), theme, rect);
    }
    if shown < rows.len() && !is_bare(ui) {
        flow.at.y = flow.at.y.min(flow.area.bottom() - ROW);
        more_ui(ui, Rect::from_min_size(flow.at, vec2(flow.area.width(), ROW)), &rows[shown..]);
    }
}

/// How many of these heights stand in `room`, when a row is kept free for "…" unless all do.
fn num_shown(heights: &[f32], room: f32) -> usize {
    let fit = |room: f32| {
        let mut used = 0.0;
        heights
            .iter()
            .take_while(|height| {
                used += **height;
                used <= room
            })
            .count()
    };
    if fit(room) == heights.len() { heights.len() } else { fit(room - ROW) }
}

fn more_ui(ui: &Ui, rect: Rect, rows: &[Row<'_>]) {
    let theme = Theme::of(ui);
    let response = ui.interact(rect, ui.scope_id().with("legend more"), Sense::click());
    let words: Vec<&str> = rows.iter().map(|row| row.words).collect();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("More of the legend: {}", words.join(", "))));
    let ink = if response.hovered() { theme.palette.text } else { theme.palette.text2 };
    let text = format!("… {}", counted(rows.len() as u64, "more mark"));
    paint::text(ui.painter(), rect.left_center(), Align2::LEFT_CENTER, text, theme::medium(size::NOTE), ink);
    if response.has_focus() {
        focus_ring(ui.painter(), theme, rect.shrink(3.0));
    }
    let all_ui = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for row in rows {
            let (rect, _) = ui.allocate_exact_size(vec2(WIDTH, ROW), Sense::hover());
            row.paint(ui.painter(), Theme::of(ui), rect);
        }
    };
    Popup::menu(&response).show(all_ui);
    response.on_hover_ui(all_ui);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_stand_or_one_makes_room_for_the_dots() {
        let shown = |room| num_shown(&[18.0, 18.0, 26.0, 18.0], room);
        assert_eq!([80.0, 79.0, 61.0, 36.0, 17.0].map(shown), [4, 2, 2, 1, 0]);
    }
}
