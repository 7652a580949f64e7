//! Letters: how much room their texture has, and where those of other scripts come from.

use std::sync::{Arc, OnceLock};

use egui::{Context, FallbackRequest, FontInsert, FontProvider, FullOutput, Plugin, TextureId, TextureOptions};
use egui_system_font_provider::SystemFontProvider;

/// The widest texture for letters, with room for some 10,000 in the size of the text.
///
/// egui makes it as wide as the graphics card allows, of which a screenful of text fills a few rows. All of a row is cleared, uploaded
/// and kept in memory, so a narrower one starts sooner.
pub const TEXTURE_SIDE: usize = 2048;

/// Lets names of files, kernels and presets be in any script that the system has a font for.
pub fn allow_other_scripts(ctx: &Context) {
    ctx.add_font_provider(Arc::new(OtherScripts::default()));
}

/// The system's fonts, searched when the first letter asks for one: that takes longer than to start.
#[derive(Default)]
struct OtherScripts {
    fonts: OnceLock<SystemFontProvider>,
}

impl FontProvider for OtherScripts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        self.fonts.get_or_init(SystemFontProvider::new).font_for(request)
    }
}

/// Letters as they are: each is drawn for the very pixels that it covers, so nothing between two of them has to be worked out. Whatever
/// is filled with one color goes the same way, and without a graphics card that takes a fifth off a picture.
pub fn take_as_they_are(ctx: &Context) {
    ctx.add_plugin(AsTheyAre);
    // Small circles would be taken from the same texture, and not pixel by pixel.
    ctx.tessellation_options_mut(|options| options.prerasterized_discs = false);
}

#[derive(Debug)]
struct AsTheyAre;

impl Plugin for AsTheyAre {
    fn debug_name(&self) -> &'static str {
        "letters as they are"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        for delta in output.textures_delta.set.get_mut(&TextureId::default()).into_iter().flatten() {
            delta.options = TextureOptions::NEAREST;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_the_letters_is_taken_as_it_is() {
        let ctx = Context::default();
        take_as_they_are(&ctx);
        let mut options = Vec::new();
        for size in [12.0, 40.0] {
            let letters = egui::RichText::new("letters").size(size);
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| _ = ui.label(letters.clone()));
            options.extend(output.textures_delta.set[&TextureId::default()].iter().map(|delta| delta.options));
            output.textures_delta.clear();
        }
        assert!(options.len() >= 2 && options.iter().all(|options| *options == TextureOptions::NEAREST), "{options:?}");
        assert!(!ctx.tessellation_options(|options| options.prerasterized_discs));
    }
}
