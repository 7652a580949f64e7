//! The app's own software renderer behind `egui_kittest::TestRenderer`.

use egui_kittest::TestRenderer;

#[derive(Default)]
pub struct Soft(occuscope::gui::render::Soft);

impl TestRenderer for Soft {
    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        self.0.update(delta);
    }

    fn render(&mut self, ctx: &egui::Context, output: &egui::FullOutput) -> Result<image::RgbaImage, String> {
        let scale = ctx.pixels_per_point();
        let size = ctx.content_rect().size() * scale;
        let (width, height) = (size.x.round() as usize, size.y.round() as usize);
        let ground = ctx.global_style().visuals.panel_fill;
        let bytes = self.0.paint(&ctx.tessellate(output.shapes.clone(), scale), ground, [width, height], scale);
        image::RgbaImage::from_raw(width as u32, height as u32, bytes).ok_or_else(|| "the picture has no size".to_owned())
    }
}
