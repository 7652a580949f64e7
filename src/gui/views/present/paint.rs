//! The words around a slide: the answer above it, the sentence below, and the line with the steps and keys.

use egui::epaint::Mesh;
use egui::{Align2, Color32, Pos2, Rect, Sense, Shape, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::model::{Answer, Counted, Words};
use crate::fmt::grouped;
use crate::gui::paint::{self, BlockLabel};
use crate::gui::theme::{self, Theme, size};

/// Points for a size that the design gives in pixels of a picture 1080 high.
const fn at_1080(pixels: f32) -> f32 {
    pixels * super::SLIDE_HEIGHT / 1080.0
}

const HINT: f32 = at_1080(20.0);
const LABEL: f32 = at_1080(24.0);
const SENTENCE: f32 = at_1080(27.0);
const HEADLINE: f32 = at_1080(38.0);
const ANSWER: f32 = at_1080(84.0);
/// Where words begin in the band, right of the limiter's letter.
const INDENT: f32 = 40.0;
/// Steps with a chip of their own.
const MAX_CHIPS: usize = 17;

/// Title and launch at the left, the answer at the right.
pub fn header(ui: &mut Ui, words: &Words, is_hidden: bool) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let (painter, palette) = (ui.painter(), Theme::of(ui).palette);
    let shown = words.answer.as_ref().filter(|_| !is_hidden);
    let mut end = rect.right();
    if let Some(Answer { number, unit, how }) = shown {
        let middle = rect.top() + 32.0;
        let sign = paint::text(painter, pos2(end, middle + 8.0), Align2::RIGHT_CENTER, unit, theme::mono(HEADLINE), palette.text2);
        let at = pos2(sign.left() - 8.0, middle);
        let number = paint::text(painter, at, Align2::RIGHT_CENTER, number, theme::mono_bold(ANSWER), palette.text);
        end = number.left() - 16.0;
        for (line, text, ink) in [(21.0, "theoretical occupancy", palette.text2), (43.0, how.as_str(), palette.text)] {
            paint::text(painter, pos2(end, rect.top() + line), Align2::RIGHT_CENTER, text, theme::medium(LABEL), ink);
        }
        end -= paint::text_width(painter, how, theme::medium(LABEL)).max(paint::text_width(
            painter,
            "theoretical occupancy",
            theme::medium(LABEL),
        ));
    }
    let room = end - rect.left() - 24.0;
    let font = theme::strong(size::FIGURE);
    // What tells long names of kernels apart is often their end.
    let title = paint::elide_middle(painter, &words.title, &font, room);
    paint::text(painter, pos2(rect.left(), rect.top() + 24.0), Align2::LEFT_CENTER, title, font, palette.text);
    let font = theme::words(LABEL);
    let note = paint::elide_end(painter, &words.note, &font, room);
    paint::text(painter, pos2(rect.left(), rect.top() + 48.0), Align2::LEFT_CENTER, note, font, palette.text2);
    let said =
        shown.map_or_else(|| words.title.clone(), |Answer { number, unit, how }| format!("Theoretical occupancy {number} {unit}: {how}"));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &said));
}

/// The sentence, with the letters of the resources that it is about.
pub fn band(ui: &mut Ui, words: &Words, is_hidden: bool) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let theme = Theme::of(ui);
    let is_secret = is_hidden && words.tells_the_answer;
    let (headline, sentence) = if is_secret {
        (words.question[0].as_str(), words.question[1].as_str())
    } else {
        (words.headline.as_str(), words.sentence.as_str())
    };
    let painter = ui.painter();
    let limiters: &[_] = if is_secret { &[] } else { &words.limiters };
    for (index, resource) in limiters.iter().enumerate() {
        let height = rect.height() / as_f32(limiters.len());
        let top = rect.top() + height * as_f32(index);
        painter.rect_filled(Rect::from_min_size(pos2(rect.left(), top), vec2(6.0, height)), 0.0, theme.limiter(*resource));
    }
    let left = rect.left() + f32::from(super::MARGIN);
    for (index, resource) in limiters.iter().enumerate() {
        let chip = Rect::from_min_size(pos2(left + 32.0 * as_f32(index), rect.center().y - 13.0), vec2(26.0, 26.0));
        paint::chip(painter, theme, paint::snap(painter, chip), *resource, true);
    }
    let left = left + if limiters.is_empty() { 0.0 } else { INDENT + 32.0 * (as_f32(limiters.len()) - 1.0) };
    let room = rect.right() - f32::from(super::MARGIN) - left;
    let strong = paint::elide_end(painter, headline, &theme::strong(HEADLINE), room);
    let top = paint::text(painter, pos2(left, rect.top() + 12.0), Align2::LEFT_TOP, strong, theme::strong(HEADLINE), theme.palette.text);
    // Two lines at most, a little smaller where one is too short.
    let wide = paint::text_width(painter, sentence, theme::words(SENTENCE));
    let font = theme::words(if wide <= room { SENTENCE } else { LABEL });
    let rest = painter.layout(sentence.to_owned(), font, theme.palette.text2, room);
    painter.galley(pos2(left, top.bottom() + 2.0), rest, theme.palette.text2);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("{headline} {sentence}")));
}

#[expect(clippy::cast_precision_loss, reason = "a few chips")]
const fn as_f32(count: usize) -> f32 {
    count as f32
}

/// The steps as chips, and the keys.
/// What the last line says beside where the presentation is.
pub struct Footer<'a> {
    pub is_hidden: bool,
    pub timer: Option<&'a str>,
    pub has_other_monitor: bool,
}

pub fn footer(ui: &mut Ui, words: &Words, &Footer { is_hidden, timer, has_other_monitor }: &Footer<'_>) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let (painter, palette) = (ui.painter(), Theme::of(ui).palette);
    let middle = rect.center().y;
    let said = match words.steps {
        None => String::new(),
        Some(Counted::Blocks { at, count }) => format!("Step {at} of {count}"),
        Some(Counted::Lesson { at, count }) => format!("Lesson, step {at} of {count}"),
        Some(Counted::Kernel { at, count }) => format!("Kernel {} of {}", grouped(at as u64), grouped(count as u64)),
    };
    let mut left = rect.left();
    if let Some(Counted::Blocks { at, count }) = words.steps
        && count <= MAX_CHIPS
    {
        for block in 0..count {
            chip(ui, Rect::from_center_size(pos2(left + 10.0, middle), vec2(20.0, 17.0)), block, at, count);
            left += 28.0;
        }
        left += 8.0;
    }
    let end = paint::text(painter, pos2(left, middle), Align2::LEFT_CENTER, &said, theme::medium(HINT), palette.text).right();
    let hide = if is_hidden { "H show the answer" } else { "H hide the answer" };
    let others = match words.steps {
        Some(Counted::Kernel { .. } | Counted::Lesson { .. }) => "B blank · V view · S spotlight · T timer",
        _ => "↑↓ presets · B blank · V view · S spotlight · T timer",
    };
    let (step, leave) = ("← back · → next", "Esc leave");
    let monitor = has_other_monitor.then_some("M other monitor");
    let line = |parts: &[Option<&str>]| parts.iter().flatten().copied().collect::<Vec<_>>().join(" · ");
    let font = theme::words(HINT);
    let room = rect.right() - end - 24.0;
    let fits = |text: &String| paint::text_width(painter, text, font.clone()) <= room;
    let lines =
        [[Some(step), Some(hide), Some(others), monitor], [Some(step), Some(hide), None, monitor], [Some(step), None, None, monitor]];
    let mut text = lines
        .map(|[a, b, c, d]| line(&[a, b, c, d, Some(leave)]))
        .into_iter()
        .find(fits)
        .unwrap_or_else(|| line(&[Some(step), Some(leave)]));
    if let Some(timer) = timer {
        text = format!("{timer} · {text}");
    }
    paint::text(painter, pos2(rect.right(), middle), Align2::RIGHT_CENTER, text, font, palette.text3);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &said));
}

fn chip(ui: &Ui, rect: Rect, block: usize, at: usize, count: usize) {
    let (painter, theme) = (ui.painter(), Theme::of(ui));
    let (rect, label) = (paint::snap(painter, rect), BlockLabel::number(block, size::CAPTION));
    let is_refused = block + 1 == count;
    match at > block {
        true if is_refused => paint::ghost_cell(painter, theme, rect, block, Some(&label)),
        true => paint::block_cell(painter, theme, rect, block, Some(&label)),
        false => {
            paint::free_cell(painter, theme, rect);
            paint::text(painter, rect.center(), Align2::CENTER_CENTER, label.text, theme::mono(label.size), theme.palette.text3);
        }
    }
    if block + 1 == at {
        painter.rect_stroke(rect.expand(2.5), 4.0, egui::Stroke::new(2.0, theme.palette.text), egui::StrokeKind::Outside);
    }
}

/// Everything within `reach` in shade, but for a round hole.
pub fn all_but_a_hole(at: Pos2, radius: f32, reach: f32) -> Shape {
    const CORNERS: u16 = 64;
    let mut mesh = Mesh::default();
    for corner in 0..=CORNERS {
        let direction = Vec2::angled(f32::from(corner) * std::f32::consts::TAU / f32::from(CORNERS));
        for distance in [radius, reach] {
            mesh.colored_vertex(at + direction * distance, Color32::from_black_alpha(170));
        }
        if let Some(before) = u32::from(corner).checked_sub(1).map(|before| before * 2) {
            mesh.add_triangle(before, before + 1, before + 2);
            mesh.add_triangle(before + 1, before + 3, before + 2);
        }
    }
    Shape::mesh(mesh)
}
