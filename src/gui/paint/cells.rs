//! The states of a cell, each told apart by shape as well as color.

use egui::{Align2, Color32, CornerRadius, Painter, Rect, Stroke, StrokeKind, pos2, vec2};

use super::{dashed_rect, hatch, hatch::thin, text};
use crate::engine::Resource;
use crate::gui::theme::{self, Hatch, RADIUS_CELL, RADIUS_CHIP, Theme, color};

/// A label in a block's cell; it is left out where it would not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockLabel {
    pub text: String,
    pub size: f32,
}

impl BlockLabel {
    /// The block's number, counted from 1.
    pub fn number(index: usize, size: f32) -> Self {
        Self { text: (index + 1).to_string(), size }
    }
}

/// Small cells would look like beads with full corners.
fn radius(rect: Rect) -> f32 {
    if rect.width().min(rect.height()) < 15.0 { RADIUS_CELL / 2.0 } else { RADIUS_CELL }
}

/// A cell that resident block `index` (from 0) uses: its color, from the ninth block on its hatch, and its number on a clear plate.
pub fn block_cell(painter: &Painter, theme: Theme, rect: Rect, index: usize, label: Option<&BlockLabel>) {
    if !rect.is_positive() {
        return;
    }
    let fill = theme.block(index);
    let ink = color::ink(fill);
    let radius = radius(rect);
    painter.rect_filled(rect, radius, fill);
    let pattern = theme.block_hatch(index).filter(|_| rect.width() >= 3.0);
    if let Some(pattern) = pattern {
        hatch(painter, rect.shrink(0.5), pattern, thin(painter, ink.gamma_multiply(0.75)), 6.0);
    }
    if let Some(outline) = theme.block_outline(index).filter(|_| rect.width() >= 4.0) {
        painter.rect_stroke(rect, radius, Stroke::new(1.0, outline), StrokeKind::Inside);
    }
    if let Some(label) = label {
        block_label(painter, rect, fill, ink, pattern.is_some(), label);
    }
}

fn block_label(painter: &Painter, rect: Rect, fill: Color32, ink: Color32, plate: bool, label: &BlockLabel) {
    let font = theme::mono_bold(label.size);
    let galley = painter.layout_no_wrap(label.text.clone(), font, ink);
    let size = galley.size();
    if size.x + 2.0 > rect.width() || label.size + 1.0 > rect.height() {
        return;
    }
    let place = Rect::from_center_size(rect.center(), size);
    if plate {
        let plate = Rect::from_center_size(rect.center(), vec2(size.x + 4.0, label.size + 2.0));
        painter.rect_filled(plate.intersect(rect), RADIUS_CELL, fill);
    }
    painter.galley(place.min, galley, ink);
}

/// The part of a block's share that rounding wastes.
pub fn rounding_cell(painter: &Painter, theme: Theme, rect: Rect, index: usize) {
    let fill = theme.block(index);
    painter.rect_filled(rect, 0.0, color::mix(theme.palette.well, fill, 0.3));
    let line = if theme.dark { fill } else { color::mix(fill, Color32::BLACK, 0.35) };
    hatch(painter, rect, Hatch::Slash, Stroke::new(1.0, line), 4.0);
}

/// The driver's 1 KiB in a block's share.
pub fn reserve_cell(painter: &Painter, theme: Theme, rect: Rect, index: usize) {
    let fill = theme.block(index);
    painter.rect_filled(rect, 0.0, color::mix(color::ink(fill), fill, 0.45));
    hatch(painter, rect, Hatch::Horizontal, Stroke::new(1.0, fill), 4.0);
}

/// A cell nobody uses and a further block could.
pub fn free_cell(painter: &Painter, theme: Theme, rect: Rect) {
    painter.rect(rect, radius(rect), theme.palette.well, Stroke::new(1.0, theme.palette.line_strong), StrokeKind::Inside);
}

/// A cell nobody uses and no further block can, because another resource ran out.
pub fn blocked_cell(painter: &Painter, theme: Theme, rect: Rect) {
    painter.rect(rect, radius(rect), theme.palette.well, Stroke::new(1.0, theme.palette.line), StrokeKind::Inside);
    hatch(painter, rect.shrink(1.0), Hatch::Backslash, thin(painter, theme.blocked_line()), 5.0);
}

/// The cell of a configuration that cannot launch.
pub fn impossible_cell(painter: &Painter, theme: Theme, rect: Rect) {
    painter.rect_filled(rect, 0.0, theme.palette.well);
    let line = color::mix(theme.palette.panel, theme.palette.line_strong, if theme.dark { 0.5 } else { 0.45 });
    hatch(painter, rect, Hatch::Lattice, thin(painter, line), 6.0);
}

/// The cell of the block that was refused: dashed, in the color it would have had.
pub fn ghost_cell(painter: &Painter, theme: Theme, rect: Rect, index: usize, label: Option<&BlockLabel>) {
    painter.rect_filled(rect, RADIUS_CELL, theme.palette.well);
    dashed_rect(painter, rect.shrink(0.5), Stroke::new(1.0, theme.ghost(index)), 3.0, 2.0);
    if let Some(label) = label {
        let font = theme::mono(label.size);
        let galley = painter.layout_no_wrap(label.text.clone(), font, theme.palette.text2);
        if galley.size().x + 2.0 <= rect.width() && label.size + 1.0 <= rect.height() {
            let place = Rect::from_center_size(rect.center(), galley.size());
            painter.galley(place.min, galley, theme.palette.text2);
        }
    }
}

/// The letter of a limiter: filled where it binds, outlined where it does not.
pub fn chip(painter: &Painter, theme: Theme, rect: Rect, resource: Resource, binding: bool) {
    let letter = resource.letter();
    let font = theme::mono_bold(rect.height() * 0.7);
    let radius = CornerRadius::from(RADIUS_CHIP);
    let ink = if binding {
        painter.rect_filled(rect, radius, theme.limiter(resource));
        color::ink(theme.limiter(resource))
    } else {
        painter.rect_stroke(rect, radius, Stroke::new(1.0, theme.palette.line_strong), StrokeKind::Inside);
        theme.palette.text2
    };
    text(painter, pos2(rect.center().x, rect.center().y), Align2::CENTER_CENTER, letter, font, ink);
}
