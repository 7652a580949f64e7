//! The gap bar, the rows of the table, the wave strip.

use egui::{Align2, Painter, Pos2, Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use super::facts::Facts;
use super::layout::Place;
use crate::engine::{Gap, ResourceSet, Waves};
use crate::fmt::grouped;
pub use crate::gui::paint::file_letter;
use crate::gui::paint::{self, chip, hatch};
use crate::gui::theme::{self, Hatch, Theme, size};
use crate::session::TableColumn;
use crate::session::groups::Change;

/// Achieved solid, other grey, tail hatched ("up to"), unfilled dotted, theoretical as a tick; the whole width is `full` percent.
pub fn gap_bar(painter: &Painter, theme: Theme, rect: Rect, gap: &Gap, full: f64) {
    painter.rect(rect, 0.0, theme.palette.well, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let x_of = |percent: f64| rect.left() + rect.width() * (percent / full).clamp(0.0, 1.0) as f32;
    let part = |from: f64, to: f64| Rect::from_min_max(pos2(x_of(from), rect.top()), pos2(x_of(to), rect.bottom()));
    let achieved = theme.achieved();
    painter.rect_filled(part(0.0, gap.achieved), 0.0, achieved);
    let other_end = gap.achieved + gap.other;
    painter.rect_filled(part(gap.achieved, other_end), 0.0, theme.gap_other());
    let tail_end = other_end + gap.tail_up_to;
    hatch(painter, part(other_end, tail_end), Hatch::Slash, Stroke::new(1.0, achieved), 4.0);
    hatch(painter, part(tail_end, tail_end + gap.unfilled), Hatch::Dots, Stroke::new(1.0, theme.palette.text2), 4.0);
    let tick = x_of(gap.theoretical).clamp(rect.left() + 1.0, rect.right() - 1.0);
    painter.line_segment([pos2(tick, rect.top() - 3.0), pos2(tick, rect.bottom() + 3.0)], Stroke::new(2.0, theme.palette.text));
}

/// A tick alone, where only the theoretical value is known.
pub fn theoretical_bar(painter: &Painter, theme: Theme, rect: Rect, percent: f64) {
    painter.rect(rect, 0.0, theme.palette.well, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let x = rect.left() + rect.width() * (percent / 100.0).clamp(0.0, 1.0) as f32;
    painter.line_segment([pos2(x, rect.top() - 3.0), pos2(x, rect.bottom() + 3.0)], Stroke::new(2.0, theme.palette.text));
}

/// Up to three filled chips of limiters.
pub fn chips(painter: &Painter, theme: Theme, left_center: Pos2, limiters: ResourceSet) {
    for (index, resource) in limiters.iter().take(3).enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most 3")]
        let x = left_center.x + 8.0 + 20.0 * index as f32;
        chip(painter, theme, Rect::from_center_size(pos2(x, left_center.y), vec2(16.0, 16.0)), resource, true);
    }
}

/// A file's mark: a letter in a disk, so that it is not taken for a limiter.
pub fn file_mark(painter: &Painter, theme: Theme, center: Pos2, file: usize) {
    let fill = theme.block(file);
    let outline = theme.block_outline(file).map_or(Stroke::NONE, |color| Stroke::new(1.0, color));
    painter.circle(center, MARK / 2.0, fill, outline);
    let ink = theme::color::ink(fill);
    painter.text(center, Align2::CENTER_CENTER, file_letter(file), theme::mono_bold(size::CAPTION), ink);
}

/// The width of [`file_mark`].
pub const MARK: f32 = 17.0;

/// How a row begins: the mark of its file, where there are several, and how deep it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beginning {
    pub file: Option<usize>,
    /// Room for the triangle that unfolds groups.
    pub is_grouped: bool,
    /// A launch of an unfolded group.
    pub is_member: bool,
}

impl Beginning {
    /// Where the triangle is, from the left of the name's cell.
    pub fn triangle(self) -> f32 {
        if self.file.is_some() { MARK + 6.0 } else { 0.0 }
    }

    pub fn name(self) -> f32 {
        self.triangle() + if self.is_grouped { 18.0 } else { 0.0 } + if self.is_member { 14.0 } else { 0.0 }
    }
}

/// One row of the table.
pub fn row(painter: &Painter, theme: Theme, rect: Rect, places: &[Place], facts: &Facts<'_>, beginning: Beginning) {
    let y = rect.center().y;
    for place in places {
        let (left, right) = (rect.left() + place.left, rect.left() + place.left + place.width);
        match place.column {
            TableColumn::Name => {
                if let Some(file) = beginning.file {
                    file_mark(painter, theme, pos2(left + MARK / 2.0, y), file);
                }
                let font = theme::mono(size::NOTE);
                let launch = facts.kernel.id.filter(|_| beginning.is_member).map(|id| format!("launch {id}"));
                let name = launch.as_ref().unwrap_or(&facts.kernel.name);
                let name = paint::elide_middle(painter, name, &font, place.width - beginning.name());
                let ink = if beginning.is_member { theme.palette.text2 } else { theme.palette.text };
                painter.text(pos2(left + beginning.name(), y), Align2::LEFT_CENTER, name, font, ink);
            }
            TableColumn::Limiters => chips(painter, theme, pos2(left, y), facts.limiters()),
            TableColumn::Bar => {
                let bar = Rect::from_min_max(pos2(left, y - 5.0), pos2(right, y + 5.0));
                match (facts.gap(), facts.account.theoretical_percent) {
                    (Some(gap), _) => gap_bar(painter, theme, bar, gap, 100.0),
                    (None, Some(percent)) => theoretical_bar(painter, theme, bar, percent),
                    (None, None) => {}
                }
            }
            TableColumn::Gpu | TableColumn::Change => {
                let font = theme::words(size::NOTE);
                let text = paint::elide_end(painter, &facts.text(place.column), &font, place.width);
                let is_plain = place.column == TableColumn::Gpu || facts.change().is_none_or(Change::is_same);
                let ink = if is_plain { theme.palette.text2 } else { theme.palette.text };
                painter.text(pos2(left, y), Align2::LEFT_CENTER, text, font, ink);
            }
            column => {
                let text = facts.text(column);
                let ink = match column {
                    TableColumn::Achieved | TableColumn::Theoretical | TableColumn::Blocks => theme.palette.text,
                    column if column.needs_baseline() && text != "0" && text != "–" => theme.palette.text,
                    column if column.needs_baseline() => theme.palette.text3,
                    _ => theme.palette.text2,
                };
                let text = painter.text(pos2(right, y), Align2::RIGHT_CENTER, text, theme::mono(size::BODY), ink);
                if let Some(kind) = facts.achieved_kind().filter(|_| column == TableColumn::Achieved) {
                    let at = pos2(text.left() - 5.0, y + 1.0);
                    painter.text(at, Align2::RIGHT_CENTER, kind, theme::words(size::CAPTION), theme.palette.text3);
                }
            }
        }
    }
}

/// The waves as columns of equal time, slots per SM as rows; idle slots of the last wave hatched. Beyond 6 waves the full ones fold into one.
pub fn wave_strip(painter: &Painter, theme: Theme, rect: Rect, waves: &Waves) {
    let folded = waves.full_waves > 6;
    let full_columns = if folded { 1 } else { waves.full_waves };
    let columns = full_columns + u64::from(waves.partial_wave_blocks > 0);
    #[expect(clippy::cast_precision_loss, reason = "at most 7 columns")]
    let width = rect.width() / columns.max(1) as f32;
    #[expect(clippy::cast_precision_loss, reason = "at most 7 columns")]
    let column = |index: u64| Rect::from_min_size(pos2(rect.left() + width * index as f32, rect.top()), vec2(width - 3.0, rect.height()));
    for index in 0..full_columns {
        let cell = column(index);
        painter.rect_filled(cell, 0.0, theme.achieved());
        let text = if folded { format!("× {}", grouped(waves.full_waves)) } else { format!("wave {}", index + 1) };
        label(painter, theme, cell, &text);
    }
    if waves.partial_wave_blocks == 0 {
        return;
    }
    let cell = column(full_columns);
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a share of pixels")]
    let share = (waves.partial_wave_blocks as f64 / waves.blocks_per_wave as f64) as f32;
    let edge = cell.top() + cell.height() * share;
    let used = Rect::from_min_max(cell.min, pos2(cell.right(), edge));
    let idle = Rect::from_min_max(pos2(cell.left(), edge), cell.max);
    painter.rect_filled(used, 0.0, theme.achieved());
    painter.rect(idle, 0.0, theme.palette.well, Stroke::new(1.0, theme.palette.line_strong), StrokeKind::Inside);
    hatch(painter, idle.shrink(1.0), Hatch::Backslash, hatch::thin(painter, theme.blocked_line()), 5.0);
    label(painter, theme, used, &format!("{} blocks", grouped(waves.partial_wave_blocks)));
    let idle_slots = waves.blocks_per_wave - waves.partial_wave_blocks;
    label(painter, theme, idle, &format!("{} slots idle", grouped(idle_slots)));
}

/// A label on a plate, where there is room for it.
fn label(painter: &Painter, theme: Theme, cell: Rect, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::words(size::NOTE), theme.palette.text);
    let plate = Rect::from_center_size(cell.center(), galley.size() + vec2(10.0, 4.0));
    if plate.width() > cell.width() || plate.height() > cell.height() {
        return;
    }
    painter.rect_filled(plate, 2.0, theme.palette.panel);
    painter.galley(Rect::from_center_size(cell.center(), galley.size()).min, galley, theme.palette.text);
}

/// One part of a gap bar alone, for legends.
pub fn gap_swatch(painter: &Painter, theme: Theme, rect: Rect, gap: &Gap) {
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    if gap.other > 0.0 {
        painter.rect_filled(rect, 0.0, theme.gap_other());
    } else if gap.tail_up_to > 0.0 {
        hatch(painter, rect, Hatch::Slash, Stroke::new(1.0, theme.achieved()), 4.0);
    } else if gap.unfilled > 0.0 {
        hatch(painter, rect, Hatch::Dots, Stroke::new(1.0, theme.palette.text2), 4.0);
    } else {
        painter.rect_filled(rect, 0.0, theme.achieved());
    }
}

/// What the parts of the gap bars mean.
pub fn legend_ui(ui: &mut Ui) {
    let theme = Theme::of(ui);
    let empty = Gap { theoretical: 1.0, grid_limited: None, achieved: 0.0, unfilled: 0.0, tail_up_to: 0.0, other: 0.0 };
    let parts = [
        ("achieved", Gap { achieved: 1.0, ..empty }),
        ("other loss", Gap { other: 1.0, ..empty }),
        ("tail, up to", Gap { tail_up_to: 1.0, ..empty }),
        ("unfilled, certain", Gap { unfilled: 1.0, ..empty }),
    ];
    ui.horizontal_centered(|ui| {
        for (name, part) in parts {
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, 12.0), Sense::hover());
            gap_swatch(ui.painter(), theme, rect, &part);
            ui.label(RichText::new(name).font(theme::words(size::NOTE)).color(theme.palette.text2));
            ui.add_space(8.0);
        }
        let (rect, _) = ui.allocate_exact_size(vec2(6.0, 14.0), Sense::hover());
        ui.painter().vline(rect.center().x, rect.y_range(), Stroke::new(2.0, theme.palette.text));
        ui.label(RichText::new("theoretical").font(theme::words(size::NOTE)).color(theme.palette.text2));
    });
}
