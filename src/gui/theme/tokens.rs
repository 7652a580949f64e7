//! Every color of the app, and where each may be used. No other file names a color.

use egui::Color32;

/// Reads "#RRGGBB" at compile time.
const fn hex(text: &str) -> Color32 {
    const fn digit(byte: u8) -> u8 {
        match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'F' => byte - b'A' + 10,
            _ => panic!("a color is written #RRGGBB"),
        }
    }
    let text = text.as_bytes();
    assert!(text.len() == 7 && text[0] == b'#', "a color is written #RRGGBB");
    Color32::from_rgb(digit(text[1]) * 16 + digit(text[2]), digit(text[3]) * 16 + digit(text[4]), digit(text[5]) * 16 + digit(text[6]))
}

/// The grounds, lines and inks of one theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Behind everything.
    pub bg: Color32,
    /// Side panels and bars.
    pub panel: Color32,
    /// Buttons and hovered rows.
    pub raised: Color32,
    /// Fields and empty cells.
    pub well: Color32,
    /// Hairlines.
    pub line: Color32,
    /// Borders that must be seen: fields, cells.
    pub line_strong: Color32,
    /// Words and numbers.
    pub text: Color32,
    /// Secondary words.
    pub text2: Color32,
    /// Captions; still legible on every ground.
    pub text3: Color32,
    /// Selection, focus, primary button, slider fill. Nothing else.
    pub accent: Color32,
    /// Ink on the accent.
    pub on_accent: Color32,
    /// Ground of what is selected.
    pub accent_soft: Color32,
    /// The focus ring.
    pub focus: Color32,
    /// An import note, or a report that differs from the engine; always with an icon and words. Never low occupancy.
    pub note: Color32,
}

pub const DARK: Palette = Palette {
    bg: hex("#0F1318"),
    panel: hex("#161B22"),
    raised: hex("#1F2630"),
    well: hex("#11161C"),
    line: hex("#2B343F"),
    line_strong: hex("#5F6E7F"),
    text: hex("#E8EDF3"),
    text2: hex("#AEB9C5"),
    text3: hex("#8D99A7"),
    accent: hex("#8FA8FF"),
    on_accent: hex("#0F1318"),
    accent_soft: hex("#232C48"),
    focus: hex("#C3CFFF"),
    note: hex("#E9B45C"),
};

pub const LIGHT: Palette = Palette {
    bg: hex("#ECEFF3"),
    panel: hex("#FFFFFF"),
    raised: hex("#F3F5F8"),
    well: hex("#F7F9FB"),
    line: hex("#D5DBE2"),
    line_strong: hex("#838F9D"),
    text: hex("#161B21"),
    text2: hex("#46525F"),
    text3: hex("#5C6875"),
    accent: hex("#3D52D5"),
    on_accent: hex("#FFFFFF"),
    accent_soft: hex("#E4E8FC"),
    focus: hex("#2336B0"),
    note: hex("#855600"),
};

pub const PROJECTOR_DARK: Palette = Palette {
    bg: hex("#000000"),
    panel: hex("#0B0E12"),
    raised: hex("#1A2029"),
    well: hex("#000000"),
    line: hex("#4B5663"),
    line_strong: hex("#8A97A6"),
    text: hex("#FFFFFF"),
    text2: hex("#D9E0E8"),
    text3: hex("#B9C3CE"),
    accent: hex("#B0C0FF"),
    on_accent: hex("#000000"),
    accent_soft: hex("#242E52"),
    focus: hex("#FFFFFF"),
    note: hex("#FFD27A"),
};

pub const PROJECTOR_LIGHT: Palette = Palette {
    bg: hex("#FFFFFF"),
    panel: hex("#FFFFFF"),
    raised: hex("#EEF1F5"),
    well: hex("#FFFFFF"),
    line: hex("#9AA5B1"),
    line_strong: hex("#5C6875"),
    text: hex("#000000"),
    text2: hex("#222930"),
    text3: hex("#3C4651"),
    accent: hex("#2A3CB8"),
    on_accent: hex("#FFFFFF"),
    accent_soft: hex("#DDE2FB"),
    focus: hex("#000000"),
    note: hex("#6B4500"),
};

/// Resident blocks, in order, the same in every theme.
pub const BLOCKS: [Color32; 8] =
    [hex("#0495DB"), hex("#F0B47E"), hex("#6A5C9F"), hex("#9CD9C7"), hex("#DA5F78"), hex("#829702"), hex("#D1C1F2"), hex("#8E5F28")];

/// The two inks for labels on data colors.
pub const INK_DARK: Color32 = hex("#0B0E12");
pub const INK_LIGHT: Color32 = hex("#FFFFFF");

/// Limiters, in the order of `Resource::ALL`: warp slots, block slots, registers, shared memory, barriers. Only in chips, the marker beside a refusing resource and the heatmap's limiter mode.
pub const LIMITERS: [Color32; 5] = [hex("#3B80D3"), hex("#6F8602"), hex("#FEAE78"), hex("#BF4B78"), hex("#00DFD2")];

/// Occupancy from 0 to 100 percent on dark grounds.
pub const RAMP_DARK: [Color32; 9] = [
    hex("#1D2638"),
    hex("#1B3E5A"),
    hex("#005977"),
    hex("#00768A"),
    hex("#009494"),
    hex("#1FAF97"),
    hex("#69C69A"),
    hex("#A3DBA3"),
    hex("#D5EFB6"),
];

/// Occupancy from 0 to 100 percent on light grounds.
pub const RAMP_LIGHT: [Color32; 9] = [
    hex("#F0F6EB"),
    hex("#C8E3CA"),
    hex("#97D1B6"),
    hex("#62BDAD"),
    hex("#2CA6A9"),
    hex("#008CA2"),
    hex("#117095"),
    hex("#26547E"),
    hex("#2B3C62"),
];

/// Points lost (orange) to gained (blue) on dark grounds.
pub const DIVERGING_DARK: [Color32; 9] = [
    hex("#FFB36B"),
    hex("#D08B50"),
    hex("#9A6A43"),
    hex("#5F4A3A"),
    hex("#2E333B"),
    hex("#36507E"),
    hex("#4470B8"),
    hex("#5F93EC"),
    hex("#9DC0FF"),
];

/// Points lost (orange) to gained (blue) on light grounds.
pub const DIVERGING_LIGHT: [Color32; 9] = [
    hex("#8A4300"),
    hex("#B96A1F"),
    hex("#DB9A59"),
    hex("#EDC9A2"),
    hex("#F1F2F4"),
    hex("#B9CDF0"),
    hex("#7FA6E6"),
    hex("#3F78CC"),
    hex("#1A4A99"),
];
