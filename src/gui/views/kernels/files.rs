//! The open files as chips: which they are, on which GPU they ran, what was noted, and which is compared with which.

use std::sync::Arc;

use egui::{Frame, Margin, RichText, ScrollArea, Sense, Stroke, Ui, vec2};

use super::model::report_addresses;
use super::toolbar::table_with;
use super::{KernelsState, facts, paint};
use crate::arch::Catalog;
use crate::gui::paint::{Icon, icon, text_width};
use crate::gui::theme::{self, RADIUS_CONTROL, Theme, size};
use crate::import::account::Missing;
use crate::import::{Decimal, Note, Severity};
use crate::session::{Action, Baseline, OpenReport, Session};

/// The height of a chip, and from one to the next.
const CHIP: f32 = 34.0;
const PITCH: f32 = CHIP + 6.0;

pub fn files_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    let reports = &session.document().reports;
    ui.spacing_mut().item_spacing.y = PITCH - CHIP;
    // More lines than fit beside a table scroll.
    let lines = if ui.ctx().content_rect().height() < 700.0 { 1.0 } else { 3.0 };
    ScrollArea::vertical()
        .id_salt("files")
        .max_height(lines * PITCH - (PITCH - CHIP))
        .min_scrolled_height(CHIP)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            let mut row = 0..0;
            while row.start < reports.len() {
                row = next_row(ui, session, row.end);
                ui.horizontal(|ui| {
                    for index in row.clone() {
                        chip_ui(ui, session, index, actions);
                    }
                });
                row.start = row.end;
            }
        });
    for (index, report) in reports.iter().enumerate() {
        if state.lacks_gpu(session, index) {
            gpu_ui(ui, &session.catalog, index, reports.len() > 1, report, actions);
        }
    }
}

/// The files from `start` on that fit one line, at least one.
fn next_row(ui: &Ui, session: &Session, start: usize) -> std::ops::Range<usize> {
    let mut left = ui.available_width();
    let mut end = start;
    for report in &session.document().reports[start..] {
        left -= chip_width(ui, session, report);
        if left < 0.0 && end > start {
            break;
        }
        end += 1;
    }
    start..end
}

/// About how wide a chip is; enough for deciding where a line ends.
fn chip_width(ui: &Ui, session: &Session, report: &OpenReport) -> f32 {
    if report.content.is_err() {
        // The reason takes what is left.
        return f32::INFINITY;
    }
    let name = text_width(ui.painter(), &report.name(), theme::medium(size::BODY));
    let summary = text_width(ui.painter(), &summary(report), theme::words(size::NOTE));
    let has_notes = report.content.as_ref().is_ok_and(|read| !read.report.notes.is_empty());
    let menus = if has_notes { 75.0 } else { 0.0 } + if session.document().reports.len() > 1 { 130.0 } else { 0.0 };
    let decimal =
        report.decimal().map_or(0.0, |decimal| text_width(ui.painter(), &decimal_title(decimal), theme::words(size::NOTE)) + 24.0);
    name + summary + menus + decimal + 90.0
}

fn chip_ui(ui: &mut Ui, session: &Session, index: usize, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let frame = Frame::new().fill(theme.palette.well).stroke(Stroke::new(1.0, theme.palette.line)).corner_radius(RADIUS_CONTROL);
    frame
        .inner_margin(Margin { left: 8, right: 3, top: 2, bottom: 2 })
        .show(ui, |ui| ui.horizontal(|ui| chip_content_ui(ui, session, index, actions)));
}

fn chip_content_ui(ui: &mut Ui, session: &Session, index: usize, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let report = &session.document().reports[index];
    mark_ui(ui, session, index);
    ui.label(RichText::new(report.name()).font(theme::medium(size::BODY))).on_hover_text(report.path.display().to_string());
    match &report.content {
        Ok(read) => {
            ui.label(RichText::new(summary(report)).font(theme::words(size::NOTE)).color(theme.palette.text3))
                .on_hover_text(read.report.format.title());
            notes_ui(ui, &read.report.notes);
            decimal_ui(ui, index, report, actions);
            vanished_ui(ui, session, report);
        }
        Err(reason) => {
            // The cross behind it keeps its place.
            let room = (ui.available_width() - CHIP - 8.0).max(CHIP);
            ui.scope(|ui| {
                ui.set_max_width(room);
                ui.add(egui::Label::new(RichText::new(reason).font(theme::words(size::NOTE)).color(theme.palette.note)).wrap());
            });
        }
    }
    compare_ui(ui, session, index, actions);
    if close_ui(ui, &format!("Close {}", report.name())) {
        actions.push(Action::CloseReport(index));
    }
}

/// Says that the file is gone and its kernels are not.
fn vanished_ui(ui: &mut Ui, session: &Session, report: &OpenReport) {
    if session.has_vanished(&report.path) {
        let ink = Theme::of(ui).palette.note;
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        icon(ui.painter(), rect, Icon::Info, ink);
        ui.label(RichText::new("file is gone").font(theme::words(size::NOTE)).color(ink)).on_hover_text(report.path.display().to_string());
    }
}

/// A small cross; true when it was clicked.
fn close_ui(ui: &mut Ui, name: &str) -> bool {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(CHIP - 6.0, CHIP - 6.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let ink = if response.hovered() { theme.palette.text } else { theme.palette.text2 };
    icon(ui.painter(), egui::Rect::from_center_size(rect.center(), vec2(14.0, 14.0)), Icon::Close, ink);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, RADIUS_CONTROL, Stroke::new(2.0, theme.palette.focus), egui::StrokeKind::Inside);
    }
    response.on_hover_text(name).clicked()
}

/// The file's letter and color, where there are several; else a picture of a file.
fn mark_ui(ui: &mut Ui, session: &Session, index: usize) {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(paint::MARK, paint::MARK), Sense::hover());
    let reports = &session.document().reports;
    if reports[index].content.is_err() {
        icon(ui.painter(), rect, Icon::Info, theme.palette.note);
    } else if reports.len() > 1 {
        paint::file_mark(ui.painter(), theme, rect.center(), index);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, format!("File {}", paint::file_letter(index))));
    } else {
        icon(ui.painter(), rect, Icon::File, theme.palette.text2);
    }
}

/// "12 kernels · A100 SXM 40 GB".
fn summary(report: &OpenReport) -> String {
    let kernels = crate::fmt::counted(report.kernels().len() as u64, "kernel");
    match gpu(report) {
        Some(gpu) => format!("{kernels} · {gpu}"),
        None => kernels,
    }
}

/// The GPU of the first kernel, and that there are others.
fn gpu(report: &OpenReport) -> Option<String> {
    // Launches of one file nearly always ran on one GPU; the first thousand tell.
    let mut names = report.kernels().take(1000).filter_map(|(kernel, account)| facts::gpu_name(kernel, account));
    let first = names.next()?;
    Some(if names.all(|name| name == first) { first } else { format!("{first} and others") })
}

/// Chooses the file that this one is compared with.
fn compare_ui(ui: &mut Ui, session: &Session, index: usize, actions: &mut Vec<Action>) {
    let reports = &session.document().reports;
    let others: Vec<usize> = (0..reports.len()).filter(|other| *other != index && reports[*other].content.is_ok()).collect();
    if others.is_empty() || reports[index].content.is_err() {
        return;
    }
    let compared = session.baseline();
    let title = match compared {
        Some((old, _)) if old == index => "baseline".to_owned(),
        Some((old, new)) if new == index => format!("with baseline {}", paint::file_letter(old)),
        _ => "Compare with…".to_owned(),
    };
    let new = reports[index].path.clone();
    ui.menu_button(RichText::new(title).font(theme::words(size::NOTE)), |ui| {
        crate::gui::widgets::caption(ui, &format!("What changed in {} since", reports[index].name()));
        for other in others {
            let text = format!("{}  {}", paint::file_letter(other), reports[other].name());
            if ui.selectable_label(compared == Some((other, index)), text).clicked() {
                let old = reports[other].path.clone();
                let new = new.clone();
                actions.push(table_with(session, |table| table.baseline = Some(Baseline { old, new })));
            }
        }
        if compared.is_some() && ui.selectable_label(false, "Stop comparing").clicked() {
            actions.push(table_with(session, |table| table.baseline = None));
        }
    });
}

/// The notes of a file behind one button, so that nothing is dropped in silence.
fn notes_ui(ui: &mut Ui, notes: &[Note]) {
    if notes.is_empty() {
        return;
    }
    let theme = Theme::of(ui);
    let warnings = notes.iter().filter(|note| note.severity != Severity::Info).count();
    let ink = if warnings > 0 { theme.palette.note } else { theme.palette.text2 };
    let title = RichText::new(crate::fmt::counted(notes.len() as u64, "note")).font(theme::words(size::NOTE)).color(ink);
    ui.menu_button(title, |ui| {
        ui.set_min_width(420.0);
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for note in notes {
                let place = match (note.line, note.column) {
                    (Some(line), Some(column)) => format!("line {line}, column {column}: "),
                    (Some(line), None) => format!("line {line}: "),
                    _ => String::new(),
                };
                let ink = if note.severity == Severity::Info { theme.palette.text2 } else { theme.palette.note };
                ui.add(
                    egui::Label::new(RichText::new(format!("{place}{}", note.message)).font(theme::words(size::NOTE)).color(ink)).wrap(),
                );
            }
        });
    });
}

/// How the numbers were read where that could be otherwise, what speaks for it, and the way to read them the other way.
fn decimal_ui(ui: &mut Ui, index: usize, report: &OpenReport, actions: &mut Vec<Action>) {
    let Some(decimal) = report.decimal() else { return };
    let theme = Theme::of(ui);
    let ink = if decimal.is_told { theme.palette.text2 } else { theme.palette.note };
    let title = RichText::new(decimal_title(decimal)).font(theme::words(size::NOTE)).color(ink);
    ui.menu_button(title, |ui| {
        ui.set_min_width(360.0);
        let evidence = RichText::new(format!("{}.", crate::fmt::capitalized(&decimal.evidence))).font(theme::words(size::NOTE));
        ui.add(egui::Label::new(evidence.color(theme.palette.text2)).wrap());
        ui.add_space(6.0);
        let other = decimal.mark.other();
        if ui.button(format!("Read again with a decimal {}", other.name())).clicked() {
            actions.push(Action::ReadWithMark { report: index, mark: other });
        }
    });
}

/// "decimal dot?" where it was found out, and could be the comma.
fn decimal_title(decimal: &Decimal) -> String {
    format!("decimal {}{}", decimal.mark.name(), if decimal.is_told { "" } else { "?" })
}

impl KernelsState {
    /// This report does not say which GPU it is from. Looked up once: a report can have 100,000 kernels.
    fn lacks_gpu(&mut self, session: &Session, report: usize) -> bool {
        let addresses = report_addresses(session);
        if self.without_gpu_of != addresses {
            let lacks = |open: &Arc<OpenReport>| open.kernels().any(|(_, account)| account.missing.contains(&Missing::ComputeCapability));
            self.without_gpu = session.document().reports.iter().map(lacks).collect();
            self.without_gpu_of = addresses;
        }
        self.without_gpu.get(report).copied().unwrap_or(false)
    }
}

/// The report does not say which GPU it is from: ask.
fn gpu_ui(ui: &mut Ui, catalog: &Catalog, report: usize, is_named: bool, open: &OpenReport, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let name = if is_named { open.name() } else { "This report".to_owned() };
        let text = format!("{name} does not say which GPU it is from. It ran on");
        let label = ui.label(RichText::new(text).font(theme::words(size::NOTE)).color(theme.palette.note));
        let combo = egui::ComboBox::from_id_salt(("report-gpu", report))
            .icon(crate::gui::widgets::combo_arrow)
            .width(180.0)
            .selected_text("choose a GPU")
            .show_ui(ui, |ui| {
                for gpu in catalog.real_gpus() {
                    if ui.selectable_label(false, &gpu.name).clicked() {
                        actions.push(Action::SetReportGpu { report, gpu: gpu.name.clone() });
                    }
                }
            });
        combo.response.labelled_by(label.id);
    });
}
