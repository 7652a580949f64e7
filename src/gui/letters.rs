//! Letters: how much room their texture has, and where those of other scripts come from.

use std::sync::{Arc, OnceLock};

use egui::{Context, FallbackRequest, FontInsert, FontProvider};
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
