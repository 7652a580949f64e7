//! Text, letter by letter where egui has put each.

use egui::epaint::TextShape;
use egui::text::LayoutJob;
use egui::{Color32, FontId};

use super::super::glyphs::EM;
use super::{Ink, Number, Svg, Turn, put};

impl Svg {
    pub(super) fn text(&mut self, shape: &TextShape) {
        let turn = Turn(shape.angle, shape.pos);
        put!(self, "<g{turn}>");
        let mut fonts = Fonts { job: &shape.galley.job, chars: shape.galley.job.text.char_indices().peekable() };
        for placed in &shape.galley.rows {
            let origin = shape.pos + placed.pos.to_vec2();
            let mut ink = None;
            for glyph in &placed.row.glyphs {
                let Some(font) = fonts.of(glyph.chr) else { continue };
                let Some(letter) = self.glyphs.number(&font.family, glyph.chr) else { continue };
                let vertex = placed.row.visuals.mesh.vertices.get(glyph.first_vertex as usize);
                let color = color(shape, vertex.map_or(Color32::PLACEHOLDER, |vertex| vertex.color));
                if ink != Some(color) {
                    let end = if ink.is_some() { "</g>" } else { "" };
                    put!(self, "{end}<g{}>", Ink("fill", color));
                    ink = Some(color);
                }
                let (at, scale) = (origin + glyph.pos.to_vec2(), font.size / EM);
                put!(self, "<use href=\"#l{letter}\" transform=\"translate({} {}) scale({scale})\"/>", Number(at.x), Number(at.y));
            }
            if ink.is_some() {
                put!(self, "</g>");
            }
            if placed.ends_with_newline {
                fonts.chars.next();
            }
        }
        put!(self, "</g>");
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
