//! The selected kernel: the three occupancies, where the gap goes, limits of engine and report side by side, waves.

use egui::{Align, Grid, Layout, Rect, RichText, Sense, Ui, vec2};

use super::compiled::compiled_ui;
use super::model;
use super::paint;
use crate::engine::{Gap, Limit, Resource, Waves};
use crate::fmt::{bytes, counted, grouped, one_decimal};
use crate::gui::paint::chip;
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::{remark, rule};
use crate::import::Kernel;
use crate::import::account::{Account, reported_limit};
use crate::session::{Action, Session};

/// `block` is the block size that compiled kernels are looked at with.
pub fn detail_ui(ui: &mut Ui, session: &Session, block: &mut u32, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let (Some(at), Some((kernel, account))) = (session.document().selected, session.selected()) else {
        ui.label(RichText::new("Select a kernel to see its account.").color(theme.palette.text2));
        return;
    };
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.spacing_mut().interact_size.y = 18.0;
    let title = egui::Label::new(RichText::new(title(&kernel.name)).font(theme::mono_bold(size::BODY))).wrap();
    ui.add(title).on_hover_text(&kernel.name);
    ui.label(RichText::new(launch_line(kernel)).font(theme::words(size::NOTE)).color(theme.palette.text2));
    ui.add_space(8.0);
    if let Some(compiled) = kernel.compiled.as_ref().filter(|_| account.launch.is_none()) {
        compiled_ui(ui, kernel, account, compiled, block, actions);
        return;
    }
    occupancies_ui(ui, account);
    gap_ui(ui, kernel, account);
    rule(ui, 20.0);
    limits_ui(ui, kernel, account);
    rule(ui, 20.0);
    bottleneck_ui(ui, kernel);
    ui.add_space(8.0);
    if explore_button(ui, account.launch.is_some() && account.arch.is_some()) {
        actions.push(Action::ExploreKernel(at));
    }
}

/// The way to Explore; true when it was taken.
pub fn explore_button(ui: &mut Ui, enabled: bool) -> bool {
    let palette = Theme::of(ui).palette;
    let explore = egui::Button::new(RichText::new("Open in Explore").color(palette.on_accent)).fill(palette.accent);
    ui.add_enabled(enabled, explore).clicked()
}

/// The name, its middle left out where it would fill the panel; whole in the tooltip.
fn title(name: &str) -> String {
    const BEGINNING: usize = 70;
    const END: usize = 40;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= BEGINNING + END {
        return name.to_owned();
    }
    letters[..BEGINNING].iter().chain(&[' ', '…', ' ']).chain(&letters[letters.len() - END..]).collect()
}

/// "256 threads · 122 registers · 34 KiB · grid 352".
fn launch_line(kernel: &Kernel) -> String {
    let mut parts = Vec::new();
    parts.extend(kernel.threads_per_block().map(|read| counted(read.value, "thread")));
    parts.extend(kernel.registers_per_thread.map(|read| counted(read.value.into(), "register")));
    parts.extend(model::smem(kernel).map(bytes));
    parts.extend(kernel.num_blocks().map(|read| format!("grid {}", grouped(read.value))));
    parts.join(" · ")
}

fn occupancies_ui(ui: &mut Ui, account: &Account) {
    let theme = Theme::of(ui);
    let grid_limited = account.waves.as_ref().map(Waves::grid_limited_percent);
    let grid_kind = match &account.waves {
        None => "not known",
        Some(waves) if waves.is_unfilled() => "a bound",
        Some(waves) if waves.has_tail() => "an estimate",
        Some(_) => "full waves",
    };
    let blocks =
        account.blocks_per_sm.map_or_else(|| "not known".to_owned(), |blocks| format!("{} per SM", counted(blocks.into(), "block")));
    let achieved_kind = if account.achieved_percent.is_some() { "measured" } else { "not in this report" };
    let figures = [
        ("Theoretical", account.theoretical_percent, blocks.as_str()),
        ("Grid-limited", grid_limited, grid_kind),
        ("Achieved", account.achieved_percent, achieved_kind),
    ];
    ui.columns(3, |columns| {
        for (ui, (name, value, note)) in columns.iter_mut().zip(figures) {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.label(RichText::new(name).font(theme::words(size::NOTE)).color(theme.palette.text2));
            let text = value.map_or_else(|| "–".to_owned(), one_decimal);
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.label(RichText::new(text).font(theme::mono_bold(size::OCCUPANCY)));
                if value.is_some() {
                    ui.label(RichText::new("%").font(theme::mono(size::BODY)).color(theme.palette.text2));
                }
            });
            ui.label(RichText::new(note).font(theme::words(size::NOTE)).color(theme.palette.text3));
        }
    });
}

fn gap_ui(ui: &mut Ui, kernel: &Kernel, account: &Account) {
    let theme = Theme::of(ui);
    let Some(gap) = &account.gap else {
        if account.achieved_percent.is_none() {
            let text = "There is no achieved value in this report. Profile with --section Occupancy, or add the metric sm__warps_active.avg.pct_of_peak_sustained_active.";
            remark(ui, text);
        }
        return;
    };
    ui.add_space(6.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, gap_in_words(gap)));
    let full = full_scale(gap);
    paint::gap_bar(ui.painter(), theme, Rect::from_min_max(rect.min + vec2(0.0, 4.0), rect.max - vec2(0.0, 2.0)), gap, full);
    scale_ui(ui, full);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Where the gap goes").font(theme::strong(size::BODY)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let points = (gap.theoretical - gap.achieved).max(0.0);
            ui.label(RichText::new(format!("{} points", one_decimal(points))).font(theme::mono(size::BODY)).color(theme.palette.text2));
        });
    });
    if gap.is_above_theoretical() {
        remark(ui, "Achieved lies above theoretical by a hair, as happens in real reports: it is shown as it is, and nothing is split.");
        return;
    }
    parts_ui(ui, gap, account.waves.as_ref());
    if gap.overlapped_better() && account.waves.as_ref().is_some_and(Waves::has_tail) {
        remark(ui, "Achieved lies above grid-limited: the blocks overlapped better than equal times would.");
    }
    if let Some(text) = measured(kernel) {
        remark(ui, &text);
    }
}

fn gap_in_words(gap: &Gap) -> String {
    let [theoretical, achieved, unfilled, tail, other] =
        [gap.theoretical, gap.achieved, gap.unfilled, gap.tail_up_to, gap.other].map(one_decimal);
    format!("Theoretical {theoretical}, achieved {achieved}: unfilled {unfilled}, tail up to {tail}, other {other} points")
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

fn parts_ui(ui: &mut Ui, gap: &Gap, waves: Option<&Waves>) {
    if let Some(waves) = waves.filter(|_| gap.unfilled > 0.0) {
        part_ui(
            ui,
            Part::Unfilled,
            "Unfilled",
            &one_decimal(gap.unfilled),
            &format!("certain: {} for {} slots", counted(waves.grid_blocks, "block"), grouped(waves.blocks_per_wave)),
        );
    }
    if let Some(waves) = waves.filter(|_| gap.tail_up_to > 0.0) {
        let note = format!(
            "wave {} fills {} of {} slots",
            waves.total_waves(),
            grouped(waves.partial_wave_blocks),
            grouped(waves.blocks_per_wave)
        );
        part_ui(ui, Part::Tail, "Tail", &format!("up to {}", one_decimal(gap.tail_up_to)), &note);
    }
    part_ui(ui, Part::Other, "Other", &one_decimal(gap.other), "uneven blocks, launch and drain, imbalance");
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Unfilled,
    Tail,
    Other,
}

fn part_ui(ui: &mut Ui, part: Part, name: &str, value: &str, note: &str) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(18.0, 12.0), Sense::hover());
        let sample = match part {
            Part::Unfilled => Gap { theoretical: 1.0, grid_limited: None, achieved: 0.0, unfilled: 1.0, tail_up_to: 0.0, other: 0.0 },
            Part::Tail => Gap { theoretical: 1.0, grid_limited: None, achieved: 0.0, unfilled: 0.0, tail_up_to: 1.0, other: 0.0 },
            Part::Other => Gap { theoretical: 1.0, grid_limited: None, achieved: 0.0, unfilled: 0.0, tail_up_to: 0.0, other: 1.0 },
        };
        paint::gap_swatch(ui.painter(), theme, rect, &sample);
        ui.label(RichText::new(name).font(theme::medium(size::BODY)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(value).font(theme::mono_bold(size::BODY)));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(note).font(theme::words(size::NOTE)).color(theme.palette.text2)).truncate());
            });
        });
    });
}

/// What was measured of the tail: worth more than any model.
fn measured(kernel: &Kernel) -> Option<String> {
    let measured = &kernel.measured;
    let (active, elapsed) = (measured.sm_active_cycles_avg?.value, measured.elapsed_cycles?.value);
    if elapsed <= 0.0 {
        return None;
    }
    let share = |cycles: f64| crate::fmt::percent(100.0 * cycles / elapsed);
    let range = match (measured.sm_active_cycles_min, measured.sm_active_cycles_max) {
        (Some(min), Some(max)) => format!("; lowest SM {}, highest {}", share(min.value), share(max.value)),
        _ => String::new(),
    };
    Some(format!("Measured: the average SM was active {} of the time{range}.", share(active)))
}

fn limits_ui(ui: &mut Ui, kernel: &Kernel, account: &Account) {
    let theme = Theme::of(ui);
    let binding = account.limiters(kernel);
    Grid::new("limits").num_columns(4).min_col_width(48.0).spacing([12.0, 6.0]).show(ui, |ui| {
        ui.label(RichText::new("Limits").font(theme::strong(size::BODY)));
        for heading in ["engine", "report", ""] {
            ui.label(RichText::new(heading).font(theme::words(size::NOTE)).color(theme.palette.text3));
        }
        ui.end_row();
        for resource in Resource::ALL {
            let computed = account.occupancy.as_ref().map(|occupancy| occupancy.limits.get(resource));
            limit_row(ui, resource, computed, reported_limit(kernel, resource), binding.contains(resource));
        }
    });
    for difference in &account.differences {
        remark(ui, &difference.sentence());
    }
    for note in &account.notes {
        remark(ui, note);
    }
    if !account.missing.is_empty() {
        let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
        remark(ui, &format!("The engine has no answer, because the report lacks: {}.", missing.join(", ")));
    }
}

fn limit_row(ui: &mut Ui, resource: Resource, computed: Option<Limit>, reported: Option<u32>, binds: bool) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
        chip(ui.painter(), theme, rect, resource, binds);
        ui.label(resource.name());
    });
    let engine =
        computed.map_or_else(|| "–".to_owned(), |limit| limit.get().map_or_else(|| "∞".to_owned(), |blocks| grouped(blocks.into())));
    ui.label(RichText::new(engine).font(theme::mono_bold(size::BODY)));
    ui.label(
        RichText::new(reported.map_or_else(|| "–".to_owned(), |blocks| grouped(blocks.into())))
            .font(theme::mono(size::BODY))
            .color(theme.palette.text2),
    );
    let verdict = match (computed, reported) {
        (Some(computed), Some(reported)) if computed.get() == Some(reported) => "equal",
        (Some(_), Some(_)) => "differs",
        _ => "",
    };
    ui.label(RichText::new(verdict).font(theme::words(size::NOTE)).color(theme.palette.text3));
    ui.end_row();
}

/// Low occupancy is no failure: what does the report say keeps the kernel busy?
fn bottleneck_ui(ui: &mut Ui, kernel: &Kernel) {
    let theme = Theme::of(ui);
    let measured = &kernel.measured;
    let figures = [
        ("Compute (SM)", measured.compute_throughput_percent),
        ("Memory", measured.memory_throughput_percent),
        ("DRAM", measured.dram_throughput_percent),
    ];
    let known: Vec<(&str, f64)> = figures.into_iter().filter_map(|(name, read)| Some((name, read?.value))).collect();
    ui.label(RichText::new("Throughput in the report").font(theme::strong(size::BODY)));
    if known.is_empty() {
        ui.label(RichText::new("not in this report").font(theme::words(size::NOTE)).color(theme.palette.text3));
        return;
    }
    let listed: Vec<String> = known.iter().map(|(name, percent)| format!("{name} {} %", one_decimal(*percent))).collect();
    ui.label(RichText::new(listed.join(" · ")).font(theme::mono(size::NOTE)).color(theme.palette.text2));
    let (name, top) = known.into_iter().fold(("", 0.0), |best, next| if next.1 > best.1 { next } else { best });
    if top >= 60.0 {
        ui.label(
            RichText::new(format!("{name} is at {top:.0} % of its peak: more warps may gain little."))
                .font(theme::words(size::NOTE))
                .color(theme.palette.text2),
        );
    }
}
