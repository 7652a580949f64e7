//! Views as pictures, without a window or a GPU: the same shapes that the screen shows, as SVG or as PNG.

mod glyphs;
mod soft;
mod svg;
mod views;

use egui::epaint::ClippedShape;
use egui::{CentralPanel, Color32, Context, Event, Frame, Pos2, RawInput, Rect, Ui, Vec2, vec2};

use crate::gui::letters;
pub use crate::gui::theme::Contrast;
use crate::gui::theme::{self, Theme};
use crate::gui::widgets::set_bare;
use crate::session::Pixels;
pub use soft::Soft;
pub use views::{Handout, Subject};

/// Around what is drawn, in points.
const MARGIN: f32 = 16.0;
/// Frames until everything has its place and nothing moves any more.
const FRAMES: u8 = 4;

/// How a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub dark: bool,
    pub contrast: Contrast,
    /// In points.
    pub width: f32,
    /// Pixels for a point in a PNG; an SVG has any size.
    pub scale: f32,
}

/// What a view drew, once.
#[derive(Debug)]
pub struct Picture {
    ctx: Context,
    soft: Soft,
    shapes: Vec<ClippedShape>,
    /// In points.
    size: Vec2,
    scale: f32,
}

impl Picture {
    /// Draws `content`, as high as it is but at most `max_height` points.
    pub fn draw(Look { dark, contrast, width, scale }: Look, max_height: f32, mut content: impl FnMut(&mut Ui)) -> Self {
        let ctx = Context::default();
        theme::apply(&ctx);
        letters::allow_other_scripts(&ctx);
        theme::set_contrast(&ctx, contrast);
        ctx.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
        set_bare(&ctx, true);
        let mut picture = Self { ctx, soft: Soft::default(), shapes: Vec::new(), size: vec2(width, max_height), scale };
        for frame in 0..FRAMES {
            picture.frame(f64::from(frame), &mut content);
        }
        picture
    }

    fn frame(&mut self, time: f64, content: &mut impl FnMut(&mut Ui)) {
        let screen = Rect::from_min_size(Pos2::ZERO, self.size);
        let mut input = RawInput { screen_rect: Some(screen), time: Some(time), events: vec![Event::PointerGone], ..RawInput::default() };
        input.viewports.entry(input.viewport_id).or_default().native_pixels_per_point = Some(self.scale);
        let mut used = 0.0;
        let mut output = self.ctx.run_ui(input, |ui| {
            let ground = Frame::new().fill(Theme::of(ui).palette.bg).inner_margin(MARGIN);
            CentralPanel::default().frame(ground).show(ui, |ui| used = ui.scope(&mut *content).response.rect.bottom() + MARGIN);
        });
        self.soft.update(&mut output.textures_delta);
        self.shapes = output.shapes;
        self.size.y = used.ceil().min(self.size.y);
    }

    /// As a PNG file.
    ///
    /// # Errors
    /// When the picture is too large to be one.
    pub fn png(&self) -> Result<Vec<u8>, image::ImageError> {
        let [width, height] = self.pixels();
        let bytes = self.pixels_rgba().rgba;
        let mut file = Vec::new();
        let encoder = image::codecs::png::PngEncoder::new(&mut file);
        image::ImageEncoder::write_image(encoder, &bytes, width, height, image::ExtendedColorType::Rgba8)?;
        Ok(file)
    }

    /// For the clipboard.
    pub fn pixels_rgba(&self) -> Pixels {
        let size = self.pixels().map(|length| length as usize);
        let primitives = self.ctx.tessellate(self.shapes.clone(), self.scale);
        Pixels { size, rgba: self.soft.paint(&primitives, Color32::TRANSPARENT, size, self.scale) }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size in pixels")]
    fn pixels(&self) -> [u32; 2] {
        let size = self.size * self.scale;
        [size.x.round() as u32, size.y.round() as u32]
    }

    /// As an SVG file; `title` is its name, and `description` says for screen readers what it shows.
    ///
    /// Text is drawn as outlines, so that it looks the same wherever the file is opened.
    pub fn svg(&self, title: &str, description: &str) -> String {
        let others = self.ctx.fonts(|fonts| fonts.discovered_fonts().to_vec());
        svg::document(&self.shapes, others, self.size, title, description)
    }
}

#[cfg(test)]
mod tests {
    use egui::{Color32, Sense};

    use super::*;

    #[test]
    fn a_picture_is_as_high_as_what_it_shows() {
        let look = Look { dark: true, contrast: Contrast::Projector, width: 100.0, scale: 2.0 };
        let picture = Picture::draw(look, 500.0, |ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(20.0, 30.0), Sense::hover());
            ui.painter().rect_filled(rect, 0.0, Color32::RED);
        });
        assert_eq!(picture.pixels(), [200, 124]);
        let png = image::load_from_memory(&picture.png().expect("a PNG")).expect("it is one").to_rgba8();
        assert_eq!(png.dimensions(), (200, 124));
        assert_eq!(png.get_pixel(2, 2).0, [0, 0, 0, 255], "the ground of the theme");
        assert_eq!(png.get_pixel(50, 50).0, [255, 0, 0, 255]);
        assert_eq!(png.get_pixel(90, 50).0, [0, 0, 0, 255]);
        let svg = picture.svg("", "");
        assert!(
            svg.contains(r#"width="100" height="62""#) && svg.contains(r##"<rect x="16" y="16" width="20" height="30" fill="#ff0000"/>"##)
        );
    }

    #[test]
    fn letters_are_drawn_once_and_in_their_color() {
        let look = Look { dark: false, contrast: Contrast::Screen, width: 200.0, scale: 1.0 };
        let picture = Picture::draw(look, 100.0, |ui| {
            ui.colored_label(Color32::BLUE, "abba");
        });
        let svg = picture.svg("", "");
        assert_eq!((svg.matches("<path id=\"l").count(), svg.matches("<use ").count()), (2, 4));
        assert!(svg.contains(r##"<g fill="#0000ff" transform="translate(16 "##), "{svg}");
    }
}
