//! The open files: names, what is in them, what was noted, and the filter of the table.

use std::sync::Arc;

use egui::{Align, Layout, RichText, TextEdit, Ui};

use super::KernelsState;
use super::model::report_addresses;
use crate::arch::Catalog;
use crate::gui::paint::{Icon, icon, icon_button};
use crate::gui::theme::{self, Theme, size};
use crate::import::account::Missing;
use crate::import::{Note, Severity};
use crate::session::{Action, OpenReport, Session};

pub fn files_ui(ui: &mut Ui, state: &mut KernelsState, session: &Session, actions: &mut Vec<Action>) {
    let last = session.document().reports.len() - 1;
    for (index, report) in session.document().reports.iter().enumerate() {
        ui.horizontal(|ui| {
            let close = icon_button(ui, Icon::Close, &format!("Close {}", report.name()), true);
            if close.clicked() {
                actions.push(Action::CloseReport(index));
            }
            file_ui(ui, report);
            if index == last {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let filter = TextEdit::singleline(&mut state.order.filter)
                        .hint_text("Filter by name")
                        .desired_width(ui.available_width().clamp(80.0, 180.0));
                    ui.add(filter).widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter by name"));
                });
            }
        });
        if state.lacks_gpu(session, index) {
            gpu_ui(ui, &session.catalog, index, actions);
        }
    }
}

fn file_ui(ui: &mut Ui, report: &OpenReport) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(egui::vec2(16.0, 16.0), egui::Sense::hover());
    match &report.content {
        Ok(read) => {
            icon(ui.painter(), rect, Icon::File, theme.palette.text2);
            ui.label(RichText::new(report.name()).font(theme::medium(size::BODY))).on_hover_text(report.path.display().to_string());
            let mut summary = crate::fmt::counted(read.report.kernels.len() as u64, "kernel");
            if ui.available_width() >= 620.0 {
                summary = format!("{summary} · {}", read.report.format.title());
            }
            ui.label(RichText::new(summary).font(theme::words(size::NOTE)).color(theme.palette.text3));
            notes_ui(ui, &read.report.notes);
        }
        Err(reason) => {
            icon(ui.painter(), rect, Icon::Info, theme.palette.note);
            ui.label(RichText::new(report.name()).font(theme::medium(size::BODY))).on_hover_text(report.path.display().to_string());
            ui.add(egui::Label::new(RichText::new(reason).font(theme::words(size::NOTE)).color(theme.palette.note)).wrap());
        }
    }
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
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
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
fn gpu_ui(ui: &mut Ui, catalog: &Catalog, report: usize, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.add_space(24.0);
        let text = "This report does not say which GPU it is from. It ran on";
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
