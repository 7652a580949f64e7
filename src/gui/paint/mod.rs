//! The marks that views share: hatches, cells, chips, icons, rings. Geometry in, shapes out; no state.
//!
//! Every mark means the same wherever it appears. Rectangles are snapped to device pixels by [`snap`].

pub mod cells;
pub mod hatch;
pub mod icons;

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2};

pub use cells::{BlockLabel, block_cell, blocked_cell, chip, free_cell, ghost_cell, impossible_cell, reserve_cell, rounding_cell};
pub use hatch::hatch;
pub use icons::{Icon, icon, icon_button};

/// A rectangle whose edges lie on device pixels.
pub fn snap(painter: &Painter, rect: Rect) -> Rect {
    let scale = painter.pixels_per_point();
    let round = |value: f32| (value * scale).round() / scale;
    Rect::from_min_max(pos2(round(rect.min.x), round(rect.min.y)), pos2(round(rect.max.x), round(rect.max.y)))
}

/// A one-pixel line with its center on a pixel's center.
pub fn hairline(painter: &Painter, from: Pos2, to: Pos2, color: Color32) {
    let scale = painter.pixels_per_point();
    let center = |value: f32| ((value * scale).floor() + 0.5) / scale;
    let snapped = if (from.y - to.y).abs() < f32::EPSILON {
        [pos2(from.x, center(from.y)), pos2(to.x, center(to.y))]
    } else {
        [pos2(center(from.x), from.y), pos2(center(to.x), to.y)]
    };
    painter.line_segment(snapped, Stroke::new(scale.round().max(1.0) / scale, color));
}

/// The outline of `rect` in dashes.
pub fn dashed_rect(painter: &Painter, rect: Rect, stroke: Stroke, dash: f32, gap: f32) {
    let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    painter.extend(Shape::dashed_line(&corners, stroke, dash, gap));
}

/// Text, and the rectangle it took.
pub fn text(painter: &Painter, at: Pos2, anchor: Align2, text: impl ToString, font: FontId, color: Color32) -> Rect {
    painter.text(at, anchor, text, font, color)
}

/// How wide `text` is in `font`.
pub fn text_width(painter: &Painter, text: &str, font: FontId) -> f32 {
    painter.layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x
}

/// `text`, or its beginning and an ellipsis where all of it is wider than `width`.
pub fn elide_end(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    if text_width(painter, text, font.clone()) <= width {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(end, _)| end).rev();
    let shortened = ends.map(|end| format!("{}…", text[..end].trim_end()));
    shortened.into_iter().find(|text| text_width(painter, text, font.clone()) <= width).unwrap_or_default()
}

/// `text`, or as much of it as fits `width` with an ellipsis in the middle, where names of kernels differ least.
pub fn elide_middle(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    if text_width(painter, text, font.clone()) <= width {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let shortened = |kept: usize| {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        chars[..head].iter().chain(&['…']).chain(&chars[chars.len() - tail..]).collect::<String>()
    };
    // Widths grow with the characters kept, so the longest that fits can be halved towards.
    let (mut low, mut high) = (0, chars.len());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if text_width(painter, &shortened(middle), font.clone()) <= width { low = middle } else { high = middle }
    }
    shortened(low)
}

/// What an open file is called where there is little room: A, B … Z, then A again with a number: A2.
pub fn file_letter(file: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(file % 26).unwrap_or(0));
    if file < 26 { letter.to_string() } else { format!("{letter}{}", file / 26 + 1) }
}
