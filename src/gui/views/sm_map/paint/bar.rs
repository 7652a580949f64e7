//! The shared memory as one bar: blocks to scale, the refused one across the edge.

use egui::{Align2, Color32, FontId, Rect, Stroke, pos2, vec2};

use super::super::layout::{BAR_HEIGHT, Bar, RowLayout, Scale, as_f32, is_ghost, without_collisions};
use super::super::model::{Cell, CellState, Lane, Row};
use super::super::words::sizes;
use super::{MIN_LABELLED, Scene, number_text};
use crate::fmt::size_number;
use crate::gui::paint;
use crate::gui::theme::{self, RADIUS_CELL, color, size};

/// The closest that ticks under the shared memory stand.
const MIN_TICKS: f32 = 30.0;

/// The shared-memory bar.
impl Scene<'_> {
    pub(super) fn paint_bar(&self, row: &Row, lane: &Lane, scale: &Scale, bar: &Bar, laid: &RowLayout) {
        self.paint_bar_blocks(row, lane, scale, bar);
        let ghosts = lane.cells.iter().filter(|cell| is_ghost(cell.state));
        self.paint_bar_ghost(row, bar, &ghosts.copied().collect::<Vec<_>>());
        if row.capacity >= bar.extent {
            self.paint_edge(bar.rect.right() - 1.0, bar.rect);
        }
        if let Some(foot) = laid.foot {
            self.paint_ticks(row, lane, bar, foot);
        }
    }

    /// Everything but the refused block.
    pub(super) fn paint_bar_blocks(&self, row: &Row, lane: &Lane, scale: &Scale, bar: &Bar) {
        for piece in scale.pieces(&lane.cells).filter(|piece| !is_ghost(piece.cell.state)) {
            // A gap of one pixel where a block ends.
            let is_end = piece.cell.block.is_some()
                && !lane.cells.iter().any(|next| next.start == piece.cell.end() && next.block == piece.cell.block);
            let right = piece.rect.right() - if is_end { 1.0 } else { 0.0 };
            self.paint_cell(
                Rect::from_min_max(piece.rect.min, pos2(right.max(piece.rect.left() + 1.0), piece.rect.bottom())),
                piece.cell,
                false,
            );
        }
        (0..row.blocks).for_each(|block| self.paint_bar_label(lane, bar, block));
    }

    /// "Block 1" over "49 KiB", or its number, or nothing.
    fn paint_bar_label(&self, lane: &Lane, bar: &Bar, block: usize) {
        let Some(rect) = block_stretch(lane, bar, block, CellState::Used) else { return };
        let size_text = size_text(self.model.occupancy.smem.allocated_per_block);
        let (name, fill) = (format!("Block {}", block + 1), self.theme.block(block));
        let (name_font, size_font) = (theme::strong(size::BODY), theme::mono(size::NOTE));
        let wide = self.width(&name, name_font.clone()).max(self.width(&size_text, size_font.clone()));
        let ink = color::ink(fill);
        if wide + 16.0 > rect.width() {
            return self.paint_bar_number(rect, block);
        }
        if self.theme.block_hatch(block).is_some() {
            let plate = Rect::from_min_size(rect.min + vec2(4.0, 4.0), vec2(wide + 8.0, BAR_HEIGHT - 8.0));
            self.painter.rect_filled(plate, RADIUS_CELL, fill);
        }
        self.text(pos2(rect.left() + 8.0, rect.top() + 14.0), Align2::LEFT_CENTER, name, name_font, ink);
        self.text(pos2(rect.left() + 8.0, rect.top() + 30.0), Align2::LEFT_CENTER, size_text, size_font, ink);
    }

    fn paint_bar_number(&self, rect: Rect, block: usize) {
        let text = number_text(block);
        let width = self.width(&text, theme::mono_bold(size::CAPTION)) + 2.0;
        if rect.width() >= width.max(MIN_LABELLED) {
            let line = Rect::from_center_size(rect.center(), vec2(rect.width(), 16.0));
            self.paint_plate(line, block, false, &text);
        }
    }

    /// The refused block across the edge.
    fn paint_bar_ghost(&self, row: &Row, bar: &Bar, parts: &[Cell]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let Some(block) = first.block else { return };
        let stretch = |from: u64, to: u64| paint::snap(self.painter, Rect::from_x_y_ranges(bar.x(from)..=bar.x(to), bar.rect.y_range()));
        let whole = stretch(first.start, last.end());
        self.painter.rect_filled(whole, RADIUS_CELL, self.theme.palette.well);
        for part in parts {
            self.ghost_hatch(stretch(part.start, part.end()).shrink2(vec2(0.0, 1.0)), part.state, block, 7.0);
        }
        paint::dashed_rect(self.painter, whole.shrink(1.0), Stroke::new(2.0, self.theme.ghost(block)), 6.0, 4.0);
        for part in parts {
            let room = stretch(part.start, part.end()).shrink2(vec2(8.0, 5.0));
            let is_past = part.start >= row.capacity;
            if part.end() == row.capacity && parts.len() > 1 {
                self.paint_tag(room, &[(size_text(row.left()), "left".to_owned())]);
            } else if is_past || part.state == CellState::Refused {
                self.paint_tag(room, &self.ghost_tags(block));
            }
        }
        if last.state == CellState::Short && last.start < row.capacity {
            self.paint_edge(bar.x(last.start), bar.rect);
        }
    }

    /// What the refused block is called, the most detailed first.
    fn ghost_tags(&self, block: usize) -> [(String, String); 2] {
        let needed = size_text(self.model.occupancy.smem.allocated_per_block);
        let name = format!("Block {}", block + 1);
        [(name.clone(), format!("needs {needed}")), (name, needed)]
    }

    /// The first pair of lines that fits, on a clear plate.
    fn paint_tag(&self, room: Rect, tags: &[(String, String)]) {
        let (name_font, amount_font) = (theme::strong(size::BODY), theme::mono(size::NOTE));
        let width = |name: &str, amount: &str| self.width(name, name_font.clone()).max(self.width(amount, amount_font.clone()));
        let widths = tags.iter().map(|(name, amount)| (name, amount, width(name, amount)));
        let Some((name, amount, wide)) = widths.into_iter().find(|(_, _, wide)| wide + 2.0 <= room.width()) else { return };
        let palette = self.theme.palette;
        let plate = Rect::from_center_size(room.center(), vec2(wide + 16.0, room.height())).intersect(room);
        self.painter.rect_filled(plate, RADIUS_CELL, palette.panel);
        let at = |y: f32| pos2(room.center().x, room.top() - 5.0 + y);
        self.text(at(14.0), Align2::CENTER_CENTER, name, name_font, palette.text);
        self.text(at(30.0), Align2::CENTER_CENTER, amount, amount_font, palette.text2);
    }

    /// Where blocks begin and end, the capacity, and by how much the refused block is too long.
    fn paint_ticks(&self, row: &Row, lane: &Lane, bar: &Bar, foot: Rect) {
        let palette = self.theme.palette;
        let mut ticks = self.ticks(row, lane, bar);
        for tick in &mut ticks {
            let half = self.width(&tick.text, tick.font.clone()) / 2.0;
            tick.half = half;
            tick.center = tick.center.clamp(bar.rect.left() + half, (bar.rect.right() - half).max(bar.rect.left() + half));
        }
        let places: Vec<(f32, f32)> = ticks.iter().map(|tick| (tick.center, tick.half * 2.0)).collect();
        for index in without_collisions(&places, 8.0) {
            let tick = &ticks[index];
            self.text(pos2(tick.center, foot.top() + 12.0), Align2::CENTER_CENTER, &tick.text, tick.font.clone(), tick.ink);
            if let Some(x) = tick.mark {
                let x = x.min(bar.rect.right() - 1.0);
                paint::hairline(self.painter, pos2(x, foot.top() + 1.0), pos2(x, foot.top() + 5.0), palette.line_strong);
            }
        }
    }

    /// What one block may have: as asked, and the reserve that comes with it.
    fn allowed_text(&self, cap: u64) -> String {
        let reserve = self.model.occupancy.smem.reserved_per_block;
        if reserve == 0 {
            return size_text(cap);
        }
        let ([asked, reserve], unit) = sizes([cap.saturating_sub(reserve), reserve]);
        format!("{asked} + {reserve} {unit}")
    }

    /// The most important first.
    fn ticks(&self, row: &Row, lane: &Lane, bar: &Bar) -> Vec<Tick> {
        let palette = self.theme.palette;
        let plain = |amount: u64, text: String| Tick::new(bar.x(amount), text, theme::mono(size::CAPTION), palette.text3, true);
        let mut ticks = vec![Tick::new(bar.x(row.capacity), size_text(row.capacity), theme::mono_bold(size::CAPTION), palette.text, false)];
        let needed = self.model.occupancy.smem.allocated_per_block;
        let short = lane.used.saturating_add(needed).saturating_sub(row.capacity);
        let cap = lane.cells.iter().find(|cell| cell.state == CellState::Short).map(|cell| cell.start).filter(|cap| *cap < row.capacity);
        if let Some(cap) = cap {
            let text = format!("{} allowed", self.allowed_text(cap));
            ticks.push(Tick::new(bar.x(cap), text, theme::mono_bold(size::CAPTION), palette.text, false));
        } else if row.refuses && short > 0 {
            let text = format!("{} short", size_text(short));
            ticks.push(Tick::new(bar.rect.right(), text, theme::mono(size::CAPTION), palette.text2, false));
        }
        ticks.push(plain(0, "0".to_owned()));
        let placed = row.blocks as u64;
        // Every block, or every second, fourth …, so that the ticks stand evenly.
        let pitch = (bar.x(needed) - bar.x(0)).max(0.1);
        let each = (0..8).map(|power| 1 << power).find(|each| as_f32(*each) * pitch >= MIN_TICKS).unwrap_or(1);
        let ends = std::iter::once(placed).chain((1..placed).filter(|block| block % each == 0)).map(|block| block * needed);
        ticks.extend(ends.filter(|end| *end > 0 && *end < row.capacity).map(|end| plain(end, size_number(end))));
        ticks
    }
}

struct Tick {
    center: f32,
    half: f32,
    text: String,
    font: FontId,
    ink: Color32,
    mark: Option<f32>,
}

impl Tick {
    fn new(x: f32, text: String, font: FontId, ink: Color32, marked: bool) -> Self {
        Self { center: x, half: 0.0, text, font, ink, mark: marked.then_some(x) }
    }
}

/// Where a block's cells of one state lie on the bar.
fn block_stretch(lane: &Lane, bar: &Bar, block: usize, state: CellState) -> Option<Rect> {
    let cell = lane.cells.iter().find(|cell| cell.block == Some(block) && cell.state == state)?;
    Some(Rect::from_x_y_ranges(bar.x(cell.start)..=bar.x(cell.end()), bar.rect.y_range()))
}

fn size_text(amount: u64) -> String {
    let ([text], unit) = sizes([amount]);
    format!("{text} {unit}")
}
