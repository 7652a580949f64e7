//! Every number that both the report and the engine have, side by side, and each difference with its reason.

use egui::{Grid, RichText, Sense, Ui, vec2};

use crate::engine::{Resource, Waves};
use crate::fmt::{bytes, grouped};
use crate::gui::paint::{Icon, chip, icon};
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::remark;
use crate::import::Kernel;
use crate::import::account::said::said;
use crate::import::account::{Account, Subject, reported_limit};

/// One number of the table.
struct Row {
    name: &'static str,
    resource: Option<(Resource, bool)>,
    subject: Option<Subject>,
    computed: Option<String>,
    reported: Option<String>,
}

pub(super) fn compared_ui(ui: &mut Ui, kernel: &Kernel, account: &Account) {
    let theme = Theme::of(ui);
    let rows: Vec<Row> = limits(kernel, account).into_iter().chain(others(kernel, account)).collect();
    Grid::new("compared").num_columns(4).min_col_width(44.0).spacing([10.0, 5.0]).show(ui, |ui| {
        ui.label(RichText::new("Report and engine").font(theme::strong(size::BODY)));
        for heading in ["engine", "report", ""] {
            ui.label(RichText::new(heading).font(theme::words(size::NOTE)).color(theme.palette.text3));
        }
        ui.end_row();
        for row in &rows {
            row_ui(ui, row, account);
        }
    });
    for difference in &account.differences {
        remark(ui, &difference.sentence());
    }
    for note in &account.notes {
        remark(ui, note);
    }
    for said in said(kernel, account).into_iter().filter(|said| !said.statement.is_about_waves() && said.agrees == Some(false)) {
        remark(ui, &format!("The profiler says: “{}” Occuscope has other numbers.", said.sentence));
    }
    if !account.missing.is_empty() {
        let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
        remark(ui, &format!("The engine has no answer, because the report lacks: {}.", missing.join(", ")));
    }
}

fn limits(kernel: &Kernel, account: &Account) -> Vec<Row> {
    let binding = account.limiters(kernel);
    let row = |resource: Resource| {
        let limit = account.occupancy.as_ref().map(|occupancy| occupancy.limits.get(resource));
        Row {
            name: resource.name(),
            resource: Some((resource, binding.contains(resource))),
            subject: Some(Subject::Limit(resource)),
            computed: limit.map(|limit| limit.get().map_or_else(|| "∞".to_owned(), |blocks| grouped(blocks.into()))),
            reported: reported_limit(kernel, resource).map(|blocks| grouped(blocks.into())),
        }
    };
    Resource::ALL.into_iter().map(row).collect()
}

fn others(kernel: &Kernel, account: &Account) -> Vec<Row> {
    let said = &kernel.reported;
    let occupancy = account.occupancy.as_ref().filter(|occupancy| occupancy.can_launch());
    let row = |name, subject, computed, reported| Row { name, resource: None, subject, computed, reported };
    let waves = occupancy.zip(account.num_sms).zip(kernel.num_blocks());
    let waves = waves.and_then(|((occupancy, sms), blocks)| Waves::new(occupancy, sms, blocks.value));
    vec![
        row(
            "Theoretical occupancy",
            Some(Subject::Theoretical),
            occupancy.map(|occupancy| crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm)),
            said.theoretical_occupancy_percent.map(|read| account.figure(read.value)),
        ),
        row(
            "Warps per SM",
            Some(Subject::TheoreticalWarps),
            occupancy.map(|occupancy| grouped(occupancy.active_warps_per_sm().into())),
            said.theoretical_warps_per_sm.map(|read| format!("{:.0}", read.value)),
        ),
        row(
            "Waves",
            Some(Subject::Waves),
            waves.map(|waves| format!("{:.2}", waves.waves())),
            said.waves_per_sm.map(|read| format!("{:.2}", read.value)),
        ),
        row(
            "Driver's shared memory",
            None,
            account.arch.as_ref().map(|arch| bytes(arch.reserved_smem_per_block_bytes.into())),
            kernel.driver_smem_bytes.map(|read| bytes(read.value)),
        ),
        row(
            "SMs",
            None,
            account.gpu.as_ref().and_then(|gpu| gpu.num_sms).map(|sms| grouped(sms.into())),
            kernel.num_sms.map(|read| grouped(read.value.into())),
        ),
        row("Achieved warps per SM", None, None, said.achieved_warps_per_sm.map(|read| format!("{:.2}", read.value))),
    ]
}

fn row_ui(ui: &mut Ui, row: &Row, account: &Account) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        if let Some((resource, binds)) = row.resource {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
            chip(ui.painter(), theme, rect, resource, binds);
        }
        ui.label(row.name);
    });
    let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
    ui.label(RichText::new(or_dash(&row.computed)).font(theme::mono_bold(size::BODY)));
    ui.label(RichText::new(or_dash(&row.reported)).font(theme::mono(size::BODY)).color(theme.palette.text2));
    verdict_ui(ui, row, account);
    ui.end_row();
}

/// Equal, or different with or without a reason. "No limit" beside the number of block slots is the same thing.
fn verdict_ui(ui: &mut Ui, row: &Row, account: &Account) {
    let theme = Theme::of(ui);
    if row.computed.is_none() || row.reported.is_none() {
        ui.label("");
        return;
    }
    let difference = account.differences.iter().find(|difference| row.subject == Some(difference.subject));
    if row.subject.is_none() && row.computed != row.reported {
        differs_ui(ui, FACT_DIFFERS);
        return;
    }
    let Some(difference) = difference else {
        ui.label(RichText::new("equal").font(theme::words(size::NOTE)).color(theme.palette.text3));
        return;
    };
    if difference.is_explained() {
        let text = RichText::new("explained").font(theme::words(size::NOTE)).color(theme.palette.text2);
        ui.label(text).on_hover_text(difference.sentence());
        return;
    }
    differs_ui(ui, &difference.sentence());
}

/// A fact about the GPU on both sides.
const FACT_DIFFERS: &str = "The figures of the report come first. A part of a GPU has fewer SMs than the product, and drivers differ.";

fn differs_ui(ui: &mut Ui, why: &str) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        icon(ui.painter(), rect, Icon::Info, theme.palette.note);
        let text = RichText::new("differs").font(theme::words(size::NOTE)).color(theme.palette.note);
        ui.label(text).on_hover_text(why);
    });
}
