//! The title, and the player beside it: blocks placed one by one, forward and back.

use egui::{Align2, Layout, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::SmMapState;
use super::model::SmMapModel;
use crate::gui::paint::icons::focus_ring;
use crate::gui::paint::{self, BlockLabel, Icon, icon_button};
use crate::gui::theme::{self, CONTROL_HEIGHT, RADIUS_CELL, RADIUS_CONTROL, Theme, size};

/// From one chip to the next; a chip is a little smaller, what can be clicked is not.
const CHIP_PITCH: f32 = 24.0;
const CHIP_SIZE: egui::Vec2 = vec2(18.0, 16.0);
/// More blocks are shown as a window that follows the step.
const MAX_CHIPS: usize = 9;
const PADDING: f32 = 8.0;
const GAP: f32 = 4.0;
const BUTTON_WIDTH: f32 = CONTROL_HEIGHT + 4.0;

/// A step of the placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerStep {
    /// The empty SM.
    First,
    Previous,
    Next,
    /// All that fit, and the block that is refused.
    Last,
}

impl SmMapState {
    /// At a step: `placed` blocks, or none for all that fit and the refused one.
    pub fn at(placed: Option<usize>) -> Self {
        Self { placed, ..Self::default() }
    }

    /// Goes a step on or back where `resident` blocks fit: from none, block by block, to all and the refused one.
    pub fn step(&mut self, step: PlayerStep, resident: usize) {
        let position = self.position(resident);
        let position = match step {
            PlayerStep::First => 0,
            PlayerStep::Previous => position.saturating_sub(1),
            PlayerStep::Next => position + 1,
            PlayerStep::Last => resident + 1,
        };
        self.jump(position, resident);
    }

    /// Shows `blocks` placed blocks; more than `resident` shows the refused one.
    pub fn jump(&mut self, blocks: usize, resident: usize) {
        self.placed = (blocks <= resident).then_some(blocks);
    }

    /// Blocks that were tried: one more than fit when the refused one is shown.
    pub fn position(&self, resident: usize) -> usize {
        self.placed.map_or(resident + 1, |placed| placed.min(resident))
    }
}

/// What the player stands at.
struct Player {
    resident: usize,
    position: usize,
    /// The blocks that have a chip, counted from 0.
    chips: std::ops::Range<usize>,
    note: String,
    note_width: f32,
}

impl Player {
    fn new(ui: &Ui, state: &SmMapState, model: &SmMapModel, width: f32) -> Self {
        let resident = model.occupancy.blocks_per_sm as usize;
        let position = state.position(resident);
        // As wide as the widest of all steps, so that nothing moves when stepping.
        let notes = [refused_note(resident), placed_note(resident, resident)];
        let widths = notes.iter().map(|note| paint::text_width(ui.painter(), note, note_font()));
        let note_width = widths.fold(0.0, f32::max).ceil();
        let fixed = 4.0 * (BUTTON_WIDTH + GAP) + 3.0 * PADDING + note_width;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few chips")]
        let fitting = ((width - fixed) / CHIP_PITCH).max(1.0) as usize;
        let count = (resident + 1).min(MAX_CHIPS).min(fitting);
        let start = (position + 1).saturating_sub(count).min(resident + 1 - count);
        let note = if position > resident { refused_note(resident) } else { placed_note(position, resident) };
        Self { resident, position, chips: start..start + count, note, note_width }
    }

    fn strip_width(&self) -> f32 {
        CHIP_PITCH * super::layout::as_f32(self.chips.len() as u64) + 3.0 * PADDING + self.note_width
    }

    fn width(&self) -> f32 {
        self.strip_width() + 4.0 * (BUTTON_WIDTH + GAP)
    }
}

fn note_font() -> egui::FontId {
    theme::medium(size::NOTE)
}

fn refused_note(resident: usize) -> String {
    format!("{} refused", resident + 1)
}

fn placed_note(placed: usize, resident: usize) -> String {
    if placed == 0 { "empty".to_owned() } else { format!("{placed} of {resident}") }
}

/// "One SM of the A100" and the player, in one line.
pub(super) fn title_ui(ui: &mut Ui, line: Rect, gpu_name: &str, state: &mut SmMapState, model: &SmMapModel) {
    let theme = Theme::of(ui);
    let title = format!("One SM of the {gpu_name}");
    let font = theme::strong(size::TITLE);
    let title_width = paint::text_width(ui.painter(), &title, font.clone());
    let player = Player::new(ui, state, model, line.width() - title_width.min(line.width() * 0.4) - 16.0);
    let room = line.width() - player.width() - 16.0;
    let shown = if title_width <= room { title.clone() } else { paint::elide_end(ui.painter(), gpu_name, &font, room) };
    let at = pos2(line.left(), line.center().y);
    let taken = paint::text(ui.painter(), at, Align2::LEFT_CENTER, &shown, font, theme.palette.text);
    if shown != title {
        ui.interact(taken, ui.scope_id().with("sm map title"), Sense::hover()).on_hover_text(title);
    }
    let strip = Rect::from_min_max(pos2(line.right() - player.width(), line.top()), line.max);
    let builder = UiBuilder::new().id_salt("sm map player").max_rect(strip).layout(Layout::left_to_right(egui::Align::Center));
    ui.scope_builder(builder, |ui| player_ui(ui, theme, state, &player));
}

fn player_ui(ui: &mut Ui, theme: Theme, state: &mut SmMapState, player: &Player) {
    ui.spacing_mut().item_spacing.x = GAP;
    let (can_go_back, can_go_on) = (player.position > 0, player.position <= player.resident);
    step_button(ui, state, player, (Icon::First, "Empty SM", can_go_back, PlayerStep::First));
    step_button(ui, state, player, (Icon::Previous, "One block back", can_go_back, PlayerStep::Previous));
    chips_ui(ui, theme, state, player);
    step_button(ui, state, player, (Icon::Next, "Place the next block", can_go_on, PlayerStep::Next));
    step_button(ui, state, player, (Icon::Last, "All blocks, and the one that is refused", can_go_on, PlayerStep::Last));
}

fn step_button(ui: &mut Ui, state: &mut SmMapState, player: &Player, (icon, name, enabled, step): (Icon, &str, bool, PlayerStep)) {
    if icon_button(ui, icon, name, enabled).clicked() {
        state.step(step, player.resident);
    }
}

fn chips_ui(ui: &mut Ui, theme: Theme, state: &mut SmMapState, player: &Player) {
    let (rect, _) = ui.allocate_exact_size(vec2(player.strip_width(), CONTROL_HEIGHT), Sense::hover());
    let palette = theme.palette;
    ui.painter().rect(rect, RADIUS_CONTROL, palette.raised, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let mut left = rect.left() + PADDING;
    for block in player.chips.clone() {
        let area = Rect::from_min_size(pos2(left, rect.top()), vec2(CHIP_PITCH, rect.height()));
        if chip_ui(ui, theme, area, block, player).clicked() {
            state.jump(block + 1, player.resident);
        }
        left += CHIP_PITCH;
    }
    let at = pos2(rect.right() - PADDING, rect.center().y);
    paint::text(ui.painter(), at, Align2::RIGHT_CENTER, &player.note, note_font(), palette.text);
}

/// One block: in its color once placed, an outline before, dashed when it is the refused one.
fn chip_ui(ui: &Ui, theme: Theme, area: Rect, block: usize, player: &Player) -> Response {
    let name = if block == player.resident { refused_note(block) } else { format!("Place {} of {}", block + 1, player.resident) };
    let response = ui.interact(area, ui.scope_id().with(("chip", block)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, block + 1 == player.position, &name));
    let painter = ui.painter();
    let cell = paint::snap(painter, Rect::from_center_size(area.center(), CHIP_SIZE));
    let label = BlockLabel::number(block, size::CAPTION);
    match block {
        block if block < player.position.min(player.resident) => paint::block_cell(painter, theme, cell, block, Some(&label)),
        block if block == player.resident && player.position > block => paint::ghost_cell(painter, theme, cell, block, Some(&label)),
        _ => {
            paint::free_cell(painter, theme, cell);
            let (font, ink) = (theme::mono(label.size), theme.palette.text3);
            paint::text(painter, cell.center(), Align2::CENTER_CENTER, label.text, font, ink);
        }
    }
    if response.hovered() {
        painter.rect_stroke(cell.expand(2.0), RADIUS_CELL + 1.0, Stroke::new(1.0, theme.palette.text), StrokeKind::Inside);
    }
    if response.has_focus() {
        focus_ring(painter, theme, cell);
    }
    response.on_hover_text(name)
}
