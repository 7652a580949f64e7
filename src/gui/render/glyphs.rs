//! Letters as outlines, each drawn once and used by reference.

use std::collections::BTreeMap;
use std::fmt::Write;

use egui::{FontData, FontDefinitions, FontFamily, FontInsert};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};

use crate::gui::theme::fonts;

/// The size at which outlines are kept.
pub const EM: f32 = 1000.0;

/// The letters of a picture.
#[derive(Debug)]
pub struct Glyphs {
    fonts: FontDefinitions,
    /// Fonts of the system, for letters that the bundled ones lack.
    others: Vec<FontInsert>,
    /// By font and letter: the number of its outline, or none for one without a shape, such as a space.
    known: BTreeMap<(String, char), Option<usize>>,
    outlines: Vec<String>,
}

impl Glyphs {
    pub fn new(others: Vec<FontInsert>) -> Self {
        Self { fonts: fonts::definitions(), others, known: BTreeMap::new(), outlines: Vec::new() }
    }

    /// The number of a letter's outline; none when there is nothing to draw.
    pub fn number(&mut self, family: &FontFamily, letter: char) -> Option<usize> {
        let key = (family.to_string(), letter);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let outline = self.outline(family, letter);
        let number = outline.map(|outline| {
            self.outlines.push(outline);
            self.outlines.len() - 1
        });
        self.known.insert(key, number);
        number
    }

    fn outline(&self, family: &FontFamily, letter: char) -> Option<String> {
        let bundled = self.fonts.families.get(family)?.iter().filter_map(|name| self.fonts.font_data.get(name).map(AsRef::as_ref));
        let others = self.others.iter().filter(|font| font.families.iter().any(|of| of.family == *family)).map(|font| &font.data);
        bundled.chain(others).find_map(|font| outline(font, letter))
    }

    /// The outlines as definitions of an SVG file.
    pub fn definitions(&self) -> String {
        self.outlines.iter().enumerate().fold(String::new(), |mut text, (number, outline)| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, r#"<path id="l{number}" d="{outline}"/>"#);
            text
        })
    }
}

fn outline(font: &FontData, letter: char) -> Option<String> {
    let font = FontRef::from_index(font.font.as_ref().as_ref(), font.index).ok()?;
    let glyph = font.outline_glyphs().get(font.charmap().map(letter)?)?;
    let mut pen = Pen::default();
    glyph.draw(DrawSettings::unhinted(Size::new(EM), LocationRef::default()), &mut pen).ok()?;
    Some(pen.0).filter(|path| !path.is_empty())
}

/// Writes an outline as an SVG path; y grows downwards there.
#[derive(Default)]
struct Pen(String);

impl Pen {
    fn command(&mut self, letter: char, points: &[(f32, f32)]) {
        self.0.push(letter);
        for (index, (x, y)) in points.iter().enumerate() {
            let gap = if index > 0 { " " } else { "" };
            let _ = write!(self.0, "{gap}{:.0} {:.0}", x, -y);
        }
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.command('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.command('L', &[(x, y)]);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.command('Q', &[(cx, cy), (x, y)]);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.command('C', &[(ax, ay), (bx, by), (x, y)]);
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use egui::FontPriority;
    use egui::epaint::text::InsertFontFamily;

    use super::*;

    #[test]
    fn a_letter_that_the_bundled_fonts_lack_comes_from_a_font_of_its_family() {
        let mut bundled = fonts::definitions();
        let data = bundled.font_data.values().next().expect("a font").as_ref().clone();
        bundled.families.values_mut().for_each(Vec::clear);
        let families = vec![InsertFontFamily { family: FontFamily::Proportional, priority: FontPriority::Lowest }];
        let other = FontInsert { name: "of the system".to_owned(), data, families };
        let mut glyphs = Glyphs { fonts: bundled, others: vec![other], known: BTreeMap::new(), outlines: Vec::new() };
        assert_eq!(glyphs.number(&FontFamily::Proportional, 'g'), Some(0));
        assert_eq!(glyphs.number(&FontFamily::Monospace, 'g'), None);
        assert!(glyphs.definitions().starts_with(r#"<path id="l0" d="M"#));
    }
}
