//! The answer at the right: the number, one sentence, all limits, next steps, what is free, and how it was calculated.

pub mod model;
mod paint;

pub use paint::next_step_ui;

use egui::{Align, Layout, Response, RichText, Ui, vec2};

use crate::engine::Resource;
use crate::engine::trace::{Step, trace};
use crate::gui::paint::{self as marks, Icon};
use crate::gui::theme::{self, RADIUS_CONTROL, Theme, size};
use crate::gui::widgets::{describe, heading, pair, pair_and_value, quiet, remark, rule};
use crate::session::{Action, Session};
use model::{Answer, CodeLine, FreeRow};

/// Draws the answer and collects what was chosen.
pub fn answer_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let answer = Answer::new(session);
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.spacing_mut().interact_size.y = 18.0;
    number_ui(ui, &answer);
    sentence_ui(ui, &answer);
    rule(ui, 20.0);
    limits_ui(ui, &answer);
    rule(ui, 20.0);
    steps_ui(ui, &answer, actions);
    if answer.occupancy.can_launch() {
        rule(ui, 20.0);
        free_ui(ui, session, &answer);
        rule(ui, 20.0);
        same_ui(ui, &answer, actions);
    }
    if answer.waves.is_some() {
        rule(ui, 20.0);
        waves_ui(ui, &answer);
    }
    rule(ui, 20.0);
    trace_ui(ui, &answer);
}

/// The number and its sentence alone.
pub fn headline_ui(ui: &mut Ui, session: &Session) {
    let answer = Answer::new(session);
    number_ui(ui, &answer);
    sentence_ui(ui, &answer);
}

fn number_ui(ui: &mut Ui, answer: &Answer) {
    let theme = Theme::of(ui);
    let occupancy = &answer.occupancy;
    ui.label(RichText::new("Theoretical occupancy").font(theme::medium(size::BODY)).color(theme.palette.text2));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 50.0), egui::Sense::hover());
    let (percent, most) = (occupancy.theoretical_percent(), occupancy.max_warps_per_sm);
    let (number, unit) = (crate::fmt::occupancy_number(percent, most), crate::fmt::occupancy_unit(most));
    let unit_said = if unit == "%" { "percent" } else { &unit };
    let said = if occupancy.can_launch() { format!("Theoretical occupancy {number} {unit_said}") } else { "Cannot launch".to_owned() };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &said));
    explain(response, || steps_of(&answer.trace, &["Blocks per SM", "Active warps per SM", "Theoretical occupancy"]));
    let painter = ui.painter();
    let baseline = egui::pos2(rect.left(), rect.center().y);
    if occupancy.can_launch() {
        let drawn = painter.text(baseline, egui::Align2::LEFT_CENTER, number, theme::mono_bold(size::ANSWER), theme.palette.text);
        let sign = egui::pos2(drawn.right() + 8.0, drawn.bottom() - 8.0);
        let font = if crate::fmt::in_warps() { theme::words(size::BODY) } else { theme::mono(24.0) };
        painter.text(sign, egui::Align2::LEFT_BOTTOM, unit, font, theme.palette.text2);
    } else {
        painter.text(baseline, egui::Align2::LEFT_CENTER, "Cannot launch", theme::strong(size::OCCUPANCY), theme.palette.text);
        return;
    }
    let blocks = format!("{} per SM", crate::fmt::counted(occupancy.blocks_per_sm.into(), "block"));
    let otherwise = crate::fmt::occupancy_otherwise(percent, most);
    painter.text(
        egui::pos2(rect.right(), rect.center().y - 9.0),
        egui::Align2::RIGHT_CENTER,
        blocks,
        theme::medium(size::BODY),
        theme.palette.text,
    );
    painter.text(
        egui::pos2(rect.right(), rect.center().y + 10.0),
        egui::Align2::RIGHT_CENTER,
        otherwise,
        theme::words(size::BODY),
        theme.palette.text2,
    );
}

/// Four lines are kept free, so that what is below does not jump while a slider is dragged.
fn sentence_ui(ui: &mut Ui, answer: &Answer) {
    let theme = Theme::of(ui);
    ui.vertical(|ui| {
        ui.set_min_height(92.0);
        let width = ui.available_width();
        // "Cannot launch" stands above in large type already.
        let said_above = !answer.occupancy.can_launch();
        let strong = if said_above { "" } else { answer.sentence.strong.as_str() };
        ui.label(paint::sentence_job(theme, strong, &answer.sentence.rest, width));
        for refusal in answer.occupancy.refusals.iter().skip(1) {
            ui.label(RichText::new(format!("Also: {refusal}.")).font(theme::words(size::BODY)).color(theme.palette.text2));
        }
    });
}

fn limits_ui(ui: &mut Ui, answer: &Answer) {
    heading(ui, "Limits", "blocks per SM that each resource allows");
    for row in &answer.limits {
        let response = paint::limit_row_ui(ui, row, answer.occupancy.blocks_per_sm);
        explain(response, || steps_of(&answer.trace, rules_of(row.resource)));
    }
}

/// The steps that lead to one limit.
const fn rules_of(resource: Resource) -> &'static [&'static str] {
    match resource {
        Resource::Warps => &["Warps per block", "Limit by warp slots"],
        Resource::Blocks => &["Limit by block slots"],
        Resource::Registers => &["Registers per warp", "Warps per register file", "Limit by registers"],
        Resource::SharedMemory => &["Shared memory per block", "Shared-memory pool", "Limit by shared memory"],
        Resource::Barriers => &["Limit by barriers"],
    }
}

fn steps_of(trace: &[Step], rules: &[&str]) -> Vec<Step> {
    trace.iter().filter(|step| rules.contains(&step.rule)).cloned().collect()
}

/// A number is a door: a hover shows the steps that lead to it with the numbers put in, and screen readers are told them.
fn explain(response: Response, steps: impl Fn() -> Vec<Step>) {
    describe(&response, || steps().iter().map(step_in_words).collect::<Vec<_>>().join(". "));
    response.on_hover_ui(|ui| steps().iter().for_each(|step| step_ui(ui, step)));
}

/// A name and a value that explains itself.
fn explained_pair(ui: &mut Ui, name: &str, value: &str, steps: impl Fn() -> Vec<Step>) {
    let (row, value) = pair_and_value(ui, name, value);
    describe(&value, || steps().iter().map(step_in_words).collect::<Vec<_>>().join(". "));
    row.on_hover_ui(|ui| steps().iter().for_each(|step| step_ui(ui, step)));
}

fn step_in_words(step: &Step) -> String {
    format!("{}: {}; {} = {} {}", step.rule, step.formula, step.numbers, step.result, step.unit)
}

fn step_ui(ui: &mut Ui, step: &Step) {
    let theme = Theme::of(ui);
    ui.label(RichText::new(step.rule).font(theme::medium(size::NOTE)));
    ui.label(RichText::new(step.formula).font(theme::words(size::NOTE)).color(theme.palette.text3));
    ui.label(
        RichText::new(format!("{} = {} {}", step.numbers, step.result, step.unit)).font(theme::mono(size::NOTE)).color(theme.palette.text2),
    );
    ui.add_space(4.0);
}

fn steps_ui(ui: &mut Ui, answer: &Answer, actions: &mut Vec<Action>) {
    heading(
        ui,
        "Next steps",
        if answer.occupancy.can_launch() { "nearest change that gains warps" } else { "nearest launch that can run" },
    );
    if let Some(tie) = &answer.tie {
        remark(ui, tie);
    }
    for step in answer.way_out.iter().chain(&answer.steps).take(4).chain(&answer.pair) {
        if next_step_ui(ui, step).clicked() {
            actions.push(Action::SetLaunch(step.launch.clone()));
        }
    }
    if answer.steps.is_empty() && answer.way_out.is_none() && answer.tie.is_none() && answer.pair.is_none() {
        let full = answer.occupancy.active_warps_per_sm() >= answer.occupancy.max_warps_per_sm;
        remark(ui, if full { "Every warp slot is used: there is nothing to gain." } else { "No single change makes it fit." });
    }
}

fn free_ui(ui: &mut Ui, session: &Session, answer: &Answer) {
    heading(ui, "Free before a block is lost", "then what is left");
    for row in &answer.free {
        explained_pair(ui, row.name, &row.text, || loss_steps(session, row));
        if !row.loss.is_empty() {
            ui.horizontal(|ui| ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(quiet(ui, &row.loss))));
        }
    }
}

/// Why the next value costs a block: the steps to the limit that then binds. Where nothing is lost, what binds now.
fn loss_steps(session: &Session, row: &FreeRow) -> Vec<Step> {
    let arch = session.arch();
    let launch = row.loss_launch.as_ref().unwrap_or(&session.document().configuration.launch);
    let limiters = crate::engine::evaluate(arch, launch).limiters;
    let trace = trace(arch, launch, None);
    limiters.iter().flat_map(|resource| steps_of(&trace, rules_of(resource))).collect()
}

fn same_ui(ui: &mut Ui, answer: &Answer, actions: &mut Vec<Action>) {
    let sizes = &answer.same_occupancy;
    let each = |(threads, blocks): &(u32, u32)| format!("{threads} × {blocks}");
    let text = match sizes.as_slice() {
        [] => "no other block size".to_owned(),
        [first, _, _, .., last] => format!("{} … {}", each(first), each(last)),
        few => few.iter().map(each).collect::<Vec<_>>().join(" · "),
    };
    let all = sizes.iter().map(each).collect::<Vec<_>>().join(" · ");
    pair(ui, "Same occupancy", &text).on_hover_text(format!("threads × blocks per SM, from the smallest block to the largest: {all}"));
    for line in &answer.code {
        code_ui(ui, line, actions);
    }
}

/// A line of source in a well, and a button that copies it.
fn code_ui(ui: &mut Ui, line: &CodeLine, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let frame = egui::Frame::new()
        .fill(theme.palette.well)
        .stroke(egui::Stroke::new(1.0, theme.palette.line))
        .corner_radius(RADIUS_CONTROL)
        .inner_margin(egui::Margin { left: 10, right: 2, top: 2, bottom: 2 });
    frame.show(ui, |ui| {
        ui.spacing_mut().interact_size.y = theme::CONTROL_HEIGHT;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if marks::icon_button(ui, Icon::Copy, line.name, true).clicked() {
                    actions.push(Action::CopyText(line.code.clone()));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(&line.code).font(theme::mono(size::BODY))).truncate());
                });
            });
        });
    });
    ui.label(RichText::new(&line.note).font(theme::words(size::NOTE)).color(theme.palette.text2));
}

fn waves_ui(ui: &mut Ui, answer: &Answer) {
    let Some(waves) = &answer.waves else { return };
    let kind = if waves.is_unfilled() { "a bound: the grid cannot fill the SMs" } else { "an estimate from equal block times" };
    heading(ui, "This grid", "");
    let steps = |rules: &'static [&'static str]| move || steps_of(&answer.trace, rules);
    let grid_limited = crate::fmt::occupancy(waves.grid_limited_percent(), answer.occupancy.max_warps_per_sm);
    explained_pair(ui, "Grid-limited occupancy", &grid_limited, steps(&["Grid-limited occupancy"]));
    ui.label(RichText::new(kind).font(theme::words(size::NOTE)).color(Theme::of(ui).palette.text3));
    let share = waves.partial_wave_blocks;
    let text = match (waves.full_waves, share) {
        (full, 0) => format!("{} full", crate::fmt::grouped(full)),
        (0, rest) => format!("{} of {} slots", crate::fmt::grouped(rest), crate::fmt::grouped(waves.blocks_per_wave)),
        (full, rest) => format!("{} full + {} blocks", crate::fmt::grouped(full), crate::fmt::grouped(rest)),
    };
    explained_pair(ui, "Waves", &text, steps(&["Blocks per wave", "Waves"]));
    if waves.has_tail() {
        let share = format!("up to {}", crate::fmt::percent(waves.partial_wave_max_time_percent()));
        explained_pair(ui, "Tail, share of time", &share, steps(&["Share of time in the tail"]));
    }
    let efficiency = crate::fmt::percent(waves.slot_efficiency_percent());
    explained_pair(ui, "Slot efficiency", &efficiency, steps(&["Slot efficiency"]));
}

fn trace_ui(ui: &mut Ui, answer: &Answer) {
    let title = RichText::new("How it is calculated").font(theme::strong(size::BODY));
    let header = egui::CollapsingHeader::new(title).id_salt("trace").show_unindented(ui, |ui| {
        for step in &answer.trace {
            step_ui(ui, step);
        }
        let theme = Theme::of(ui);
        let source = "Hardware rules follow NVIDIA's cuda_occupancy.h; waves are a model from equal block times.";
        ui.label(RichText::new(source).font(theme::words(size::NOTE)).color(theme.palette.text3));
    });
    if header.header_response.has_focus() {
        marks::icons::focus_ring(ui.painter(), Theme::of(ui), header.header_response.rect);
    }
}
