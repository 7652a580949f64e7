//! The title, and the player beside it: blocks placed one by one, forward and back, by hand or by themselves.

use egui::{Align2, Button, Layout, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::SmMapState;
use super::model::SmMapModel;
use crate::engine::Resource;
use crate::gui::paint::icons::focus_ring;
use crate::gui::paint::{self, BlockLabel, Icon, icon_button};
use crate::gui::theme::{self, CONTROL_HEIGHT, RADIUS_CELL, RADIUS_CONTROL, Theme, size};
use crate::session::{Course, Placed, Speed};

/// From one chip to the next; a chip is a little smaller, what can be clicked is not.
const CHIP_PITCH: f32 = 24.0;
const CHIP_SIZE: egui::Vec2 = vec2(18.0, 16.0);
/// More blocks are shown as a window that follows the step.
const MAX_CHIPS: usize = 9;
/// With fewer, the title is shortened.
const MIN_CHIPS: usize = 5;
const PADDING: f32 = 8.0;
const GAP: f32 = 4.0;
const BUTTON_WIDTH: f32 = CONTROL_HEIGHT + 4.0;
const SPEED_WIDTH: f32 = 44.0;
const FINE_WIDTH: f32 = 54.0;
/// Everything beside the chips.
const BUTTONS_WIDTH: f32 = 5.0 * (BUTTON_WIDTH + GAP) + SPEED_WIDTH + GAP + FINE_WIDTH + GAP;

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

    /// Goes a step on or back: from none, block by block, to all and the refused one.
    pub fn step(&mut self, step: PlayerStep, course: Course) {
        let at = self.placement();
        self.place(match step {
            PlayerStep::First => Placed::blocks(0),
            PlayerStep::Previous => course.previous(at, self.playback.is_fine),
            PlayerStep::Next => course.next(at, self.playback.is_fine),
            PlayerStep::Last => Placed::ALL,
        });
    }

    pub fn placement(&self) -> Placed {
        Placed { blocks: self.placed, resources: self.resources_placed }
    }

    /// Shows a step; at the refused block it stops playing.
    pub fn place(&mut self, placed: Placed) {
        self.placed = placed.blocks;
        self.resources_placed = placed.resources;
        self.playback.is_playing &= placed.blocks.is_some();
    }

    /// Plays, from the empty SM when all blocks are placed, or stops.
    pub fn play(&mut self, play: bool) {
        if play && self.placed.is_none() {
            self.place(Placed::blocks(0));
        }
        self.playback.is_playing = play;
    }

    /// Without fine steps no block stays between two.
    fn set_fine(&mut self, fine: bool) {
        self.playback.is_fine = fine;
        self.resources_placed = if fine { self.resources_placed } else { 0 };
    }

    /// Shows `blocks` placed blocks; more than `resident` shows the refused one.
    pub fn jump(&mut self, blocks: usize, resident: usize) {
        self.place(Placed { blocks: (blocks <= resident).then_some(blocks), resources: 0 });
    }

    /// Blocks that were tried: one more than fit when the refused one is shown.
    pub fn position(&self, resident: usize) -> usize {
        self.placed.map_or(resident + 1, |placed| placed.min(resident))
    }
}

/// What the player stands at.
struct Player {
    course: Course,
    resident: usize,
    position: usize,
    /// The share of its resources that the block after `position` has taken.
    partial: f32,
    is_at_start: bool,
    /// The blocks that have a chip, counted from 0.
    chips: std::ops::Range<usize>,
    note: String,
    note_width: f32,
}

impl Player {
    fn new(ui: &Ui, state: &SmMapState, model: &SmMapModel, order: &[Resource], width: f32) -> Self {
        let resident = model.occupancy.blocks_per_sm as usize;
        let position = state.position(resident);
        // As wide as the widest of all steps, so that nothing moves when stepping.
        let mut notes = vec![refused_note(resident), placed_note(resident, resident)];
        notes.extend(
            (state.playback.is_fine && order.len() > 1).then(|| partial_note(resident.saturating_sub(1), &order[..order.len() - 1])),
        );
        let widths = notes.iter().map(|note| paint::text_width(ui.painter(), note, note_font()));
        let note_width = widths.fold(0.0, f32::max).ceil();
        let fixed = BUTTONS_WIDTH + 3.0 * PADDING + note_width;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few chips")]
        let fitting = ((width - fixed) / CHIP_PITCH).max(1.0) as usize;
        let count = (resident + 1).min(MAX_CHIPS).min(fitting);
        let start = (position + 1).saturating_sub(count).min(resident + 1 - count);
        let note = match model.partial_block() {
            Some(block) => partial_note(block, &model.partial),
            None if position > resident => refused_note(resident),
            None => placed_note(position, resident),
        };
        let part = |count: usize| super::layout::as_f32(count as u64);
        Self {
            course: Course { resident, resources: order.len() },
            resident,
            position,
            partial: part(model.partial.len()) / part(order.len().max(1)),
            is_at_start: position == 0 && model.partial.is_empty(),
            chips: start..start + count,
            note,
            note_width,
        }
    }

    fn strip_width(&self) -> f32 {
        CHIP_PITCH * super::layout::as_f32(self.chips.len() as u64) + 3.0 * PADDING + self.note_width
    }

    fn width(&self) -> f32 {
        self.strip_width() + BUTTONS_WIDTH
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

/// "3: W R", the third block has warp slots and registers.
fn partial_note(block: usize, taken: &[Resource]) -> String {
    let letters: Vec<String> = taken.iter().map(|resource| resource.letter().to_string()).collect();
    format!("{}: {}", block + 1, letters.join(" "))
}

fn title(gpu_name: &str) -> String {
    format!("One SM of the {gpu_name}")
}

/// The title and the player, in one line.
pub(super) fn title_ui(ui: &mut Ui, line: Rect, gpu_name: &str, state: &mut SmMapState, model: &SmMapModel, order: &[Resource]) {
    let theme = Theme::of(ui);
    let title = title(gpu_name);
    let font = theme::strong(size::TITLE);
    let title_width = paint::text_width(ui.painter(), &title, font.clone());
    let with_title = |title_width: f32| Player::new(ui, state, model, order, line.width() - title_width.min(line.width() * 0.4) - 16.0);
    let mut player = with_title(title_width);
    if player.chips.len() < MIN_CHIPS.min(player.resident + 1) {
        // Blocks to click on are worth more than the words around the name.
        player = with_title(paint::text_width(ui.painter(), gpu_name, font.clone()));
    }
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
    let (can_go_back, can_go_on) = (!player.is_at_start, player.position <= player.resident);
    let playing = state.playback.is_playing;
    let (icon, name) = if playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Place blocks by themselves") };
    if icon_button(ui, icon, name, true).clicked() {
        state.play(!playing);
    }
    speed_ui(ui, state);
    fine_ui(ui, state);
    step_button(ui, state, player, (Icon::First, "Empty SM", can_go_back, PlayerStep::First));
    let (back, on) =
        if state.playback.is_fine { ("One step back", "Place the next resource") } else { ("One block back", "Place the next block") };
    step_button(ui, state, player, (Icon::Previous, back, can_go_back, PlayerStep::Previous));
    chips_ui(ui, theme, state, player);
    step_button(ui, state, player, (Icon::Next, on, can_go_on, PlayerStep::Next));
    step_button(ui, state, player, (Icon::Last, "Jump to the block that does not fit", can_go_on, PlayerStep::Last));
}

/// One button that goes through the speeds.
fn speed_ui(ui: &mut Ui, state: &mut SmMapState) {
    let (word, name) = match state.playback.speed {
        Speed::Slow => ("½×", "Speed: slow"),
        Speed::Normal => ("1×", "Speed: normal"),
        Speed::Fast => ("2×", "Speed: fast"),
    };
    let response = ui.add_sized(vec2(SPEED_WIDTH, CONTROL_HEIGHT), Button::new(word));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.clicked() {
        state.playback.speed = state.playback.speed.next();
    }
    response.on_hover_text(format!(
        "{name}. Click for {}.",
        match state.playback.speed.next() {
            Speed::Slow => "slow",
            Speed::Normal => "normal",
            Speed::Fast => "fast",
        }
    ));
}

fn fine_ui(ui: &mut Ui, state: &mut SmMapState) {
    let fine = state.playback.is_fine;
    let response = ui.add_sized(vec2(FINE_WIDTH, CONTROL_HEIGHT), Button::new("Fine").selected(fine));
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, fine, "Fine steps"));
    if response.clicked() {
        state.set_fine(!fine);
    }
    response.on_hover_text("Fine steps: a block takes its resources one after another. The order is illustration.");
}

fn step_button(ui: &mut Ui, state: &mut SmMapState, player: &Player, (icon, name, enabled, step): (Icon, &str, bool, PlayerStep)) {
    if icon_button(ui, icon, name, enabled).clicked() {
        state.step(step, player.course);
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
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, block + 1 == player.position && player.partial <= 0.0, &name));
    let painter = ui.painter();
    let cell = paint::snap(painter, Rect::from_center_size(area.center(), CHIP_SIZE));
    let label = BlockLabel::number(block, size::CAPTION);
    match block {
        block if block < player.position.min(player.resident) => paint::block_cell(painter, theme, cell, block, Some(&label)),
        block if block == player.resident && player.position > block => paint::ghost_cell(painter, theme, cell, block, Some(&label)),
        _ => {
            paint::free_cell(painter, theme, cell);
            if block == player.position && player.partial > 0.0 {
                // As much of a line below as it has taken of its resources.
                let line = Rect::from_min_max(pos2(cell.left(), cell.bottom() - 3.0), cell.max);
                let done = Rect::from_min_size(line.min, vec2(line.width() * player.partial, line.height()));
                painter.rect_filled(done, 0.0, theme.block(block));
            }
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
