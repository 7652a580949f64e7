//! Text, letter by letter where egui has put each.

use egui::epaint::TextShape;
use egui::text::LayoutJob;
use egui::{Color32, FontId};

use super::super::glyphs::EM;
use super::{Ink, Number, Svg, Turn, put};

impl Svg {
    pub(super) fn text(&mut self, shape: &TextShape) {
        let turn = Turn(shape.angle, shape.pos);
        let is_turned = !turn.to_string().is_empty();
        if is_turned {
            put!(self, "<g{turn}>");
        }
        let mut fonts = Fonts { job: &shape.galley.job, chars: shape.galley.job.text.char_indices().peekable() };
        for placed in &shape.galley.rows {
            let origin = shape.pos + placed.pos.to_vec2();
            // Letters of one color and size are a group in the units of the outlines, so that each needs only its place.
            let mut group: Option<(Color32, f32, f32)> = None;
            for glyph in &placed.row.glyphs {
                let Some(font) = fonts.of(glyph.chr) else { continue };
                let Some(letter) = self.glyphs.number(&font.family, glyph.chr) else { continue };
                let vertex = placed.row.visuals.mesh.vertices.get(glyph.first_vertex as usize);
                let color = color(shape, vertex.map_or(Color32::PLACEHOLDER, |vertex| vertex.color));
                let (at, scale) = (origin + glyph.pos.to_vec2(), font.size / EM);
                if group != Some((color, scale, at.y)) {
                    let end = if group.is_some() { "</g>" } else { "" };
                    let (x, y) = (Number(origin.x), Number(at.y));
                    put!(self, "{end}<g{} transform=\"translate({x} {y}) scale({scale})\">", Ink("fill", color));
                    group = Some((color, scale, at.y));
                }
                put!(self, "<use href=\"#l{letter}\" x=\"{:.0}\"/>", glyph.pos.x / scale);
            }
            if group.is_some() {
                put!(self, "</g>");
            }
            if placed.ends_with_newline {
                fonts.chars.next();
            }
        }
        if is_turned {
            put!(self, "</g>");
        }
    }
}

/// The color in which a letter appears.
fn color(shape: &TextShape, own: Color32) -> Color32 {
    let own = if own == Color32::PLACEHOLDER { shape.fallback_color } else { own };
    shape.override_text_color.unwrap_or(own).gamma_multiply(shape.opacity_factor)
}

/// Walks along a text and says in which font each of its letters is.
struct Fonts<'a> {
    job: &'a LayoutJob,
    chars: std::iter::Peekable<std::str::CharIndices<'a>>,
}

impl<'a> Fonts<'a> {
    /// The font of the next letter. One that is not in the text, such as the dots of a shortened one, has the font around it.
    fn of(&mut self, letter: char) -> Option<&'a FontId> {
        let next = self.chars.peek().copied();
        let at = next.map_or(self.job.text.len(), |(at, _)| at);
        if next.is_some_and(|(_, c)| c == letter) {
            self.chars.next();
        }
        let section = self.job.sections.iter().find(|section| at < section.byte_range.end.0).or(self.job.sections.last())?;
        Some(&section.format.font_id)
    }
}
