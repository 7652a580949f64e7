//! Arithmetic on colors.

use egui::Color32;

use super::tokens::{INK_DARK, INK_LIGHT};

/// `a` at 0, `b` at 1, straight in sRGB.
pub fn mix(a: Color32, b: Color32, share: f32) -> Color32 {
    a.lerp_to_gamma(b, share)
}

/// A color between evenly spaced stops, for a share from 0 to 1; outside it, the end stops.
pub fn ramp(stops: &[Color32], share: f64) -> Color32 {
    let last = stops.len() - 1;
    #[expect(clippy::cast_precision_loss, reason = "a handful of stops")]
    let position = share.clamp(0.0, 1.0) * last as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the number of stops")]
    let index = (position as usize).min(last.saturating_sub(1));
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "between 0 and 1")]
    let between = (position - index as f64) as f32;
    mix(stops[index], stops[(index + 1).min(last)], between)
}

/// Relative luminance as the WCAG defines it, 0 to 1.
pub fn luminance(color: Color32) -> f32 {
    let linear = |channel: u8| {
        let value = f32::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

/// The WCAG contrast of two colors, 1 to 21.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Dark or light ink, whichever reads better on `ground`.
pub fn ink(ground: Color32) -> Color32 {
    if contrast(INK_DARK, ground) >= contrast(INK_LIGHT, ground) { INK_DARK } else { INK_LIGHT }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{BLOCKS, DARK, LIGHT, LIMITERS, RAMP_DARK};
    use super::*;

    #[test]
    fn text_reads_on_every_ground() {
        for palette in [DARK, LIGHT] {
            for ground in [palette.bg, palette.panel, palette.raised, palette.well] {
                for text in [palette.text, palette.text2, palette.text3, palette.accent, palette.note] {
                    assert!(contrast(text, ground) >= 4.5, "{text:?} on {ground:?}");
                }
            }
            assert!(contrast(palette.on_accent, palette.accent) >= 4.5);
        }
    }

    #[test]
    fn labels_read_on_data_colors() {
        for ground in BLOCKS.into_iter().chain(LIMITERS) {
            assert!(contrast(ink(ground), ground) >= 4.5, "{ground:?}");
        }
    }

    #[test]
    fn a_ramp_ends_in_its_stops() {
        assert_eq!(ramp(&RAMP_DARK, 0.0), RAMP_DARK[0]);
        assert_eq!(ramp(&RAMP_DARK, 1.0), RAMP_DARK[8]);
        assert_eq!(ramp(&RAMP_DARK, 0.5), RAMP_DARK[4]);
        assert_eq!(ramp(&RAMP_DARK, 7.0), RAMP_DARK[8]);
    }
}
