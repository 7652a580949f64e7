//! Colors as people with and without a color-vision deficiency see them.

use egui::Color32;
use palette::color_difference::Ciede2000;
use palette::{FromColor, Lab, LinSrgb, Srgb};

use super::{Contrast, Theme, color, tokens};

/// What reaches the eye, in linear light: as it is, and without one kind of cones (Machado and others, 2009, severity 1).
const VISIONS: [(&str, [[f32; 3]; 3]); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protan", [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]]),
    ("deutan", [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]]),
    ("tritan", [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]]),
];

fn seen(color: Color32, vision: &[[f32; 3]; 3]) -> Lab {
    let light = Srgb::new(color.r(), color.g(), color.b()).into_linear::<f32>();
    let [r, g, b] = vision.map(|row| (row[0] * light.red + row[1] * light.green + row[2] * light.blue).clamp(0.0, 1.0));
    Lab::from_color(LinSrgb::new(r, g, b))
}

/// The smallest distance of any two, for each vision.
fn smallest_distances(colors: &[Color32]) -> [f32; 4] {
    VISIONS.map(|(_, vision)| {
        let seen: Vec<Lab> = colors.iter().map(|color| seen(*color, &vision)).collect();
        let pairs = seen.iter().enumerate().flat_map(|(index, one)| seen[index + 1..].iter().map(move |other| one.difference(*other)));
        pairs.fold(f32::INFINITY, f32::min)
    })
}

fn assert_near(found: [f32; 4], expected: [f32; 4]) {
    for ((found, expected), (vision, _)) in found.into_iter().zip(expected).zip(VISIONS) {
        assert!((found - expected).abs() < 0.1, "{vision}: {found}, not {expected}");
    }
}

#[test]
fn blocks_differ_for_every_eye() {
    assert_near(smallest_distances(&tokens::BLOCKS), [29.0, 15.5, 14.0, 16.5]);
}

#[test]
fn limiters_differ_for_every_eye() {
    assert_near(smallest_distances(&tokens::LIMITERS), [38.6, 19.4, 21.3, 20.6]);
}

#[test]
fn more_occupancy_is_never_mistaken_for_less() {
    for ramp in [tokens::RAMP_DARK, tokens::RAMP_LIGHT] {
        for (name, vision) in VISIONS {
            let seen = ramp.map(|color| seen(color, &vision));
            let lightness: Vec<f32> = seen.iter().map(|color| color.l).collect();
            assert!(lightness.is_sorted() || lightness.iter().rev().is_sorted(), "{name}: {lightness:?}");
            let smallest = seen.windows(2).map(|pair| pair[0].difference(pair[1])).fold(f32::INFINITY, f32::min);
            assert!(smallest >= 4.85, "{name}: one step is {smallest}");
        }
    }
}

#[test]
fn gained_and_lost_are_told_apart_by_every_eye() {
    for ramp in [tokens::DIVERGING_DARK, tokens::DIVERGING_LIGHT] {
        let distances = smallest_distances(&[ramp[0], ramp[8]]);
        assert!(distances.iter().all(|distance| *distance >= 43.0), "{distances:?}");
    }
}

#[test]
fn projectors_get_more_contrast_than_screens() {
    let worst = |theme: Theme, ink: Color32| {
        let palette = theme.palette;
        [palette.bg, palette.panel, palette.raised, palette.well]
            .map(|ground| color::contrast(ink, ground))
            .into_iter()
            .fold(99.0, f32::min)
    };
    for (screen, projector) in [(Theme::DARK, Theme::PROJECTOR_DARK), (Theme::LIGHT, Theme::PROJECTOR_LIGHT)] {
        let (from, to) = (screen.palette, projector.palette);
        for (before, after, least) in [
            (from.text, to.text, 16.0),
            (from.text2, to.text2, 12.0),
            (from.text3, to.text3, 8.0),
            (from.accent, to.accent, 7.0),
            (from.note, to.note, 7.0),
            (from.line_strong, to.line_strong, 5.0),
        ] {
            let (before, after) = (worst(screen, before), worst(projector, after));
            assert!(after > before && after >= least, "{after} against {before} on a screen");
        }
    }
}

#[test]
fn a_style_knows_the_theme_it_was_made_from() {
    let ctx = egui::Context::default();
    for contrast in [Contrast::Screen, Contrast::Projector] {
        super::set_contrast(&ctx, contrast);
        for (theme, dark) in [(egui::Theme::Dark, true), (egui::Theme::Light, false)] {
            let found = Theme::of_visuals(&ctx.style_of(theme).visuals);
            assert!(found.palette.focus == Theme::new(dark, contrast).palette.focus && found.dark == dark, "{contrast:?} {theme:?}");
        }
    }
}
