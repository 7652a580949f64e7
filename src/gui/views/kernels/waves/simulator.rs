//! Blocks of unequal length: how much they differ, which run is shown, and the time that plays.

use egui::{RichText, Sense, Slider, Ui, vec2};

use super::paint;
use super::schedule::Layout;
use crate::engine::Waves;
use crate::engine::simulate::{BLOCK_TICKS, Schedule, Simulation, Spread};
use crate::explain::waves as words;
use crate::fmt::{counted, one_decimal};
use crate::gui::paint::{Icon, icon_button};
use crate::gui::theme::{self, CONTROL_HEIGHT, Theme, size};
use crate::gui::widgets::note;
use crate::session::{Action, BlockTimes};

/// How long a schedule plays, in seconds.
const SECONDS: f64 = 6.0;
/// Blocks that are placed in one frame for the results of many runs; a millisecond or two.
const BLOCKS_PER_FRAME: u64 = 30_000;

/// What only this view knows.
#[derive(Debug, Default)]
pub struct Simulator {
    spread_percent: u8,
    seed: u64,
    /// What the session last said of the two.
    told: BlockTimes,
    player: Player,
    made: Option<Made>,
}

/// Where the time stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Player {
    /// The whole schedule is shown.
    #[default]
    Whole,
    /// It has played until this share and stands.
    Paused(f64),
    /// It plays; it had played for this share at this time.
    Playing { from: f64, since: f64 },
}

/// What was worked out from the controls.
#[derive(Debug)]
struct Made {
    simulation: Simulation,
    seed: u64,
    schedule: Schedule,
    spread: Spread,
}

impl Simulator {
    /// Takes over what the session says, when that is news: it was opened, or somebody set it.
    pub fn follow(&mut self, told: BlockTimes) {
        if self.told != told {
            (self.told, self.spread_percent, self.seed) = (told, told.spread_percent, told.seed);
        }
    }

    /// What was set here and the session does not know yet.
    pub fn news(&self) -> Option<Action> {
        let set = BlockTimes { spread_percent: self.spread_percent, seed: self.seed };
        (set != self.told).then_some(Action::SetBlockTimes(set))
    }

    /// Works out what is to be shown of these waves; nothing when it is what is shown already.
    pub fn update(&mut self, waves: &Waves) {
        let Some(simulation) = Simulation::new(*waves, self.spread_percent) else {
            *self = Self { spread_percent: self.spread_percent, seed: self.seed, told: self.told, ..Self::default() };
            return;
        };
        if let Some(made) = self.made.as_mut().filter(|made| made.simulation == simulation) {
            if made.seed != self.seed {
                made.seed = self.seed;
                made.schedule = simulation.run(self.seed);
            }
            return;
        }
        if self.made.as_ref().is_some_and(|made| made.simulation.waves() != waves) {
            self.player = Player::Whole;
        }
        self.made = Some(Made { simulation, seed: self.seed, schedule: simulation.run(self.seed), spread: Spread::new(simulation) });
    }

    /// With equal times and nothing playing, the strip of waves says the same more simply.
    pub fn shows_schedule(&self) -> bool {
        self.made.is_some() && (self.spread_percent > 0 || self.player != Player::Whole)
    }

    /// The share of the shown time that has passed at `now`, in seconds. A schedule that has played to its end is whole.
    fn share_at(&mut self, now: f64) -> f64 {
        match self.player {
            Player::Whole => 1.0,
            Player::Paused(share) => share,
            Player::Playing { from, since } => {
                let share = from + (now - since).max(0.0) / SECONDS;
                if share >= 1.0 {
                    self.player = if self.spread_percent > 0 { Player::Whole } else { Player::Paused(1.0) };
                }
                share.min(1.0)
            }
        }
    }

    const fn is_playing(&self) -> bool {
        matches!(self.player, Player::Playing { .. })
    }

    fn toggle(&mut self, now: f64) {
        self.player = match self.player {
            Player::Playing { .. } => Player::Paused(self.share_at(now)),
            Player::Paused(share) if share < 1.0 => Player::Playing { from: share, since: now },
            Player::Whole | Player::Paused(_) => Player::Playing { from: 0.0, since: now },
        };
    }
}

/// The schedule of this run, as far as it has played.
pub fn schedule_ui(ui: &mut Ui, simulator: &mut Simulator, height: f32) {
    let theme = Theme::of(ui);
    let now = ui.input(|input| input.time);
    let share = simulator.share_at(now);
    if simulator.is_playing() {
        ui.ctx().request_repaint();
    }
    let Some(made) = &simulator.made else { return };
    let (schedule, waves) = (&made.schedule, made.simulation.waves());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let equal_end = waves.total_waves() * BLOCK_TICKS;
    let layout = Layout::new(schedule, equal_end, rect);
    let picked = format!("{} of {}", layout.sms.len(), counted(waves.num_sms.into(), "SM"));
    response.widget_info(|| {
        let said =
            format!("{picked} over {} mean block times; equal times take {}", one_decimal(schedule.block_times()), waves.total_waves());
        egui::WidgetInfo::labeled(egui::Role::Image, true, said)
    });
    #[expect(clippy::cast_possible_truncation, reason = "a share")]
    let shown_until = if share >= 1.0 { layout.to } else { layout.time_after(share as f32) };
    paint::schedule(ui.painter(), theme, &layout, schedule, shown_until, equal_end);
    let (axis, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    paint::axis(ui.painter(), theme, axis, &layout);
    let part = if layout.sms.len() == waves.num_sms as usize { "All SMs".to_owned() } else { format!("{picked}, evenly picked") };
    let end = if layout.from > 0 { "; only the end is shown" } else { "" };
    let caption = format!("{part}, a row for each slot{end}. Dashed: when equal times end.");
    ui.add(egui::Label::new(RichText::new(caption).font(theme::words(size::CAPTION)).color(theme.palette.text3)).wrap());
}

/// Play, the spread of block times, another run, and what many runs come to.
pub fn controls_ui(ui: &mut Ui, simulator: &mut Simulator, waves: &Waves) {
    if simulator.made.is_none() {
        note(ui, &words::too_large_to_simulate(waves));
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = CONTROL_HEIGHT;
        let (icon, name) = if simulator.is_playing() { (Icon::Pause, "Pause the blocks") } else { (Icon::Play, "Play the blocks") };
        if icon_button(ui, icon, name, true).clicked() {
            let now = ui.input(|input| input.time);
            simulator.toggle(now);
        }
        ui.label(RichText::new("Block times").font(theme::medium(size::BODY)));
        let amount = if simulator.spread_percent == 0 { "equal".to_owned() } else { format!("±{} %", simulator.spread_percent) };
        // As wide as the widest value, so that the slider keeps its place.
        ui.allocate_ui_with_layout(vec2(56.0, CONTROL_HEIGHT), egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(amount).font(theme::mono(size::BODY)));
        });
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let differs = simulator.spread_percent > 0;
            let next = ui.add_enabled(differs, egui::Button::new("Next run"));
            if next.clicked() {
                simulator.seed = (simulator.seed + 1) % 1000;
            }
            next.on_hover_text(format!("Run {} is shown; another has other block times", simulator.seed + 1))
                .on_disabled_hover_text("With equal times every run is the same");
            slider_ui(ui, &mut simulator.spread_percent);
        });
    });
    result_ui(ui, simulator);
}

fn slider_ui(ui: &mut Ui, spread_percent: &mut u8) {
    let palette = Theme::of(ui).palette;
    ui.spacing_mut().slider_width = (ui.available_width() - 8.0).max(40.0);
    let widgets = &mut ui.visuals_mut().widgets;
    for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
        widget.fg_stroke = egui::Stroke::new(2.0, palette.accent);
    }
    ui.visuals_mut().selection.bg_fill = palette.accent;
    let slider = Slider::new(spread_percent, 0..=100).step_by(5.0).show_value(false).handle_shape(egui::style::HandleShape::Circle);
    let response = ui.add(slider);
    let value = f64::from(*spread_percent);
    response.widget_info(|| egui::WidgetInfo::slider(true, value, "Block times differ by, percent"));
    response.on_hover_text("Each block takes from this much less to this much more than the mean, all times equally likely");
}

/// What many runs come to, worked out a little in each frame until it is complete.
fn result_ui(ui: &mut Ui, simulator: &mut Simulator) {
    let Some(made) = &mut simulator.made else { return };
    if made.simulation.spread_percent() > 0 && !made.spread.is_complete() {
        made.spread.advance(BLOCKS_PER_FRAME);
        if !made.spread.is_complete() {
            ui.ctx().request_repaint();
        }
    }
    let palette = Theme::of(ui).palette;
    let text = RichText::new(words::spread(&made.spread)).font(theme::medium(size::BODY)).color(palette.text);
    ui.add(egui::Label::new(text).wrap());
    if made.simulation.spread_percent() > 0 {
        note(ui, "Nine of ten runs lie in this range. A block starts whenever a slot is free: a wave is only a picture.");
    }
}
