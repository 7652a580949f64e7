//! The bundled fonts, each weight a family of its own because egui makes no bold by itself.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

pub const MEDIUM: &str = "words-medium";
pub const SEMIBOLD: &str = "words-semibold";
pub const MONO_BOLD: &str = "mono-bold";
const WORDS: &str = "words";
const MONO: &str = "mono";

/// Inter for words, JetBrains Mono for numbers; each falls back to the other for a character it lacks.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let data: [(&str, &'static [u8]); 5] = [
        (WORDS, include_bytes!("../../../assets/fonts/Inter-Regular.otf")),
        (MEDIUM, include_bytes!("../../../assets/fonts/Inter-Medium.otf")),
        (SEMIBOLD, include_bytes!("../../../assets/fonts/Inter-SemiBold.otf")),
        (MONO, include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf")),
        (MONO_BOLD, include_bytes!("../../../assets/fonts/JetBrainsMono-Bold.ttf")),
    ];
    for (name, bytes) in data {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let mut family = |family: FontFamily, names: [&str; 2]| fonts.families.insert(family, names.map(str::to_owned).to_vec());
    family(FontFamily::Proportional, [WORDS, MONO]);
    family(FontFamily::Monospace, [MONO, WORDS]);
    family(FontFamily::Name(MEDIUM.into()), [MEDIUM, MONO]);
    family(FontFamily::Name(SEMIBOLD.into()), [SEMIBOLD, MONO_BOLD]);
    family(FontFamily::Name(MONO_BOLD.into()), [MONO_BOLD, SEMIBOLD]);
    fonts
}
