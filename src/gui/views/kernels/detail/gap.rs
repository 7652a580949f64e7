//! The gap between theoretical and achieved as a bar, its parts, and what idle SMs cost beyond it.

use egui::{Align, Layout, Painter, Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::engine::Gap;
use crate::engine::activity::{IdleLoss, SmActivity};
use crate::explain::waves as words;
use crate::fmt::one_decimal;
use crate::gui::paint::hatch;
use crate::gui::theme::{self, Hatch, Theme, size};
use crate::gui::views::kernels::paint;
use crate::gui::views::kernels::waves::unbroken;
use crate::gui::widgets::{note, remark};
use crate::import::account::Account;

pub fn gap_ui(ui: &mut Ui, account: &Account) {
    let Some(gap) = &account.gap else {
        if account.achieved_percent.is_none() {
            let text = "There is no achieved value in this report. Profile with --section Occupancy, or add the metric sm__warps_active.avg.pct_of_peak_sustained_active.";
            remark(ui, text);
        }
        return;
    };
    let loss = account.activity.map(|activity| activity.loss(gap.achieved));
    ui.add_space(6.0);
    bar_ui(ui, gap, loss);
    heading_ui(ui, "Where the gap goes", (gap.theoretical - gap.achieved).max(0.0));
    let parts = [
        (Part::Unfilled, gap.unfilled, one_decimal(gap.unfilled)),
        (Part::Tail, gap.tail_up_to, format!("up to {}", one_decimal(gap.tail_up_to))),
        (Part::Other, gap.other, one_decimal(gap.other)),
    ];
    for (part, points, shown) in parts {
        // The rest is always told, so that the parts add up before the eyes.
        if points > 0.0 || (part == Part::Other && !gap.is_above_theoretical()) {
            part_ui(ui, part, &shown);
        }
    }
    let why = words::why_below(gap, account.waves.as_ref());
    note(ui, &if gap.is_above_theoretical() { why.to_string() } else { why.rest });
    if let Some((activity, loss)) = account.activity.as_ref().zip(loss) {
        idle_ui(ui, activity, loss);
    }
}

/// What is lost while SMs are idle. It is no part of the gap: achieved leaves idle SMs out.
fn idle_ui(ui: &mut Ui, activity: &SmActivity, loss: IdleLoss) {
    ui.add_space(4.0);
    heading_ui(ui, "Idle SMs, beyond the gap", loss.total());
    if let Some(imbalance) = loss.imbalance {
        part_ui(ui, Part::Imbalance, &one_decimal(imbalance));
        part_ui(ui, Part::Launch, &one_decimal(loss.launch_and_drain));
    } else {
        part_ui(ui, Part::Idle, &one_decimal(loss.launch_and_drain));
    }
    note(ui, &unbroken(&words::measured(activity)));
    if let Some(text) = words::unequal_sms(activity) {
        note(ui, &unbroken(&text));
    }
}

fn heading_ui(ui: &mut Ui, text: &str, points: f64) {
    let color = Theme::of(ui).palette.text2;
    ui.horizontal(|ui| {
        ui.label(RichText::new(text).font(theme::strong(size::BODY)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(format!("{} points", one_decimal(points))).font(theme::mono(size::BODY)).color(color));
        });
    });
}

fn bar_ui(ui: &mut Ui, gap: &Gap, loss: Option<IdleLoss>) {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, gap_in_words(gap, loss)));
    let full = full_scale(gap);
    let bar = Rect::from_min_max(rect.min + vec2(0.0, 4.0), rect.max - vec2(0.0, 2.0));
    paint::gap_bar(ui.painter(), theme, bar, gap, full);
    if let Some(loss) = loss {
        idle_bar(ui.painter(), theme, bar, loss, full);
    }
    scale_ui(ui, full);
}

/// The end of the achieved part, that only active SMs hold: over the solid bar, as its own pattern.
fn idle_bar(painter: &Painter, theme: Theme, bar: Rect, loss: IdleLoss, full: f64) {
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let x_of = |percent: f64| bar.left() + bar.width() * (percent / full).clamp(0.0, 1.0) as f32;
    let part = |from: f64, to: f64| Rect::from_min_max(pos2(x_of(from), bar.top() + 1.0), pos2(x_of(to), bar.bottom() - 1.0));
    let launch_end = loss.over_elapsed + loss.launch_and_drain;
    let which = if loss.imbalance.is_some() { Part::Launch } else { Part::Idle };
    pattern(painter, theme, part(loss.over_elapsed, launch_end), which);
    pattern(painter, theme, part(launch_end, launch_end + loss.imbalance.unwrap_or(0.0)), Part::Imbalance);
}

fn gap_in_words(gap: &Gap, loss: Option<IdleLoss>) -> String {
    let [theoretical, achieved, unfilled, tail, other] =
        [gap.theoretical, gap.achieved, gap.unfilled, gap.tail_up_to, gap.other].map(one_decimal);
    let idle = loss.map_or_else(String::new, |loss| {
        let imbalance = loss.imbalance.map_or_else(String::new, |points| format!("imbalance {}, ", one_decimal(points)));
        let [launch, held] = [loss.launch_and_drain, loss.over_elapsed].map(one_decimal);
        format!("; beyond it {imbalance}launch and drain {launch}, {held} over the whole time")
    });
    format!("Theoretical {theoretical}, achieved {achieved}: unfilled {unfilled}, tail up to {tail}, other {other} points{idle}")
}

/// The end of the gap bar: the next round number above the theoretical value.
fn full_scale(gap: &Gap) -> f64 {
    let top = gap.theoretical.max(gap.achieved);
    [20.0, 30.0, 50.0, 75.0].into_iter().find(|end| top <= end * 0.95).unwrap_or(100.0)
}

fn scale_ui(ui: &mut Ui, full: f64) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    let at = [
        (rect.left_center(), egui::Align2::LEFT_CENTER, 0.0),
        (rect.center(), egui::Align2::CENTER_CENTER, full / 2.0),
        (rect.right_center(), egui::Align2::RIGHT_CENTER, full),
    ];
    for (place, align, value) in at {
        ui.painter().text(place, align, crate::fmt::percent(value), theme::mono(size::CAPTION), theme.palette.text3);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Unfilled,
    Tail,
    Other,
    Imbalance,
    Launch,
    /// Imbalance, launch and drain, where the report does not tell them apart.
    Idle,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Unfilled => "Unfilled, certain",
            Self::Tail => "Tail",
            Self::Other => "Other",
            Self::Imbalance => "Imbalance between SMs",
            Self::Launch => "Launch and drain",
            Self::Idle => "Imbalance, launch and drain",
        }
    }
}

fn part_ui(ui: &mut Ui, part: Part, value: &str) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(18.0, 12.0), Sense::hover());
        pattern(ui.painter(), theme, rect, part);
        ui.label(RichText::new(part.name()).font(theme::medium(size::BODY)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(value).font(theme::mono_bold(size::BODY)));
        });
    });
}

/// How a part looks, in the bar and beside its name.
fn pattern(painter: &Painter, theme: Theme, rect: Rect, part: Part) {
    if !rect.is_positive() {
        return;
    }
    let none = Gap { theoretical: 1.0, grid_limited: None, achieved: 0.0, unfilled: 0.0, tail_up_to: 0.0, other: 0.0 };
    match part {
        Part::Unfilled => paint::gap_swatch(painter, theme, rect, &Gap { unfilled: 1.0, ..none }),
        Part::Tail => paint::gap_swatch(painter, theme, rect, &Gap { tail_up_to: 1.0, ..none }),
        Part::Other => paint::gap_swatch(painter, theme, rect, &Gap { other: 1.0, ..none }),
        Part::Imbalance | Part::Launch | Part::Idle => {
            painter.rect(rect, 0.0, theme.palette.well, Stroke::new(1.0, theme.achieved()), StrokeKind::Inside);
            let lines = if part == Part::Imbalance { Hatch::Horizontal } else { Hatch::Vertical };
            hatch(painter, rect, lines, Stroke::new(1.0, theme.achieved()), 4.0);
        }
    }
}
