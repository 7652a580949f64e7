//! Letters as outlines, each drawn once and used by reference.

use std::collections::BTreeMap;
use std::fmt::Write;

use egui::{FontDefinitions, FontFamily};
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
    /// By font and letter: the number of its outline, or none for one without a shape, such as a space.
    known: BTreeMap<(String, char), Option<usize>>,
    outlines: Vec<String>,
}

impl Default for Glyphs {
    fn default() -> Self {
        Self { fonts: fonts::definitions(), known: BTreeMap::new(), outlines: Vec::new() }
    }
}

impl Glyphs {
    /// The number of a letter's outline; none when there is nothing to draw.
    pub fn number(&mut self, family: &FontFamily, letter: char) -> Option<usize> {
        let key = (family.to_string(), letter);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let outline = outline(&self.fonts, family, letter);
        let number = outline.map(|outline| {
            self.outlines.push(outline);
            self.outlines.len() - 1
        });
        self.known.insert(key, number);
        number
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

fn outline(fonts: &FontDefinitions, family: &FontFamily, letter: char) -> Option<String> {
    let names = fonts.families.get(family)?;
    names.iter().find_map(|name| {
        let font = FontRef::new(fonts.font_data.get(name)?.font.as_ref().as_ref()).ok()?;
        let glyph = font.outline_glyphs().get(font.charmap().map(letter)?)?;
        let mut pen = Pen::default();
        glyph.draw(DrawSettings::unhinted(Size::new(EM), LocationRef::default()), &mut pen).ok()?;
        Some(pen.0).filter(|path| !path.is_empty())
    })
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
