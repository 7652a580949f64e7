//! The waves of the selected kernel: a strip of slots over time, and both figures of the tail by name.

use egui::{RichText, Sense, Ui, vec2};

use super::paint;
use crate::engine::Waves;
use crate::fmt::{counted, grouped};
use crate::gui::theme::{self, Theme, size};
use crate::session::Session;

/// The waves of the selected kernel as a picture, and both figures of the tail by name.
pub fn waves_ui(ui: &mut Ui, session: &Session) {
    let theme = Theme::of(ui);
    let Some((kernel, account)) = session.selected() else { return };
    let Some(waves) = &account.waves else { return };
    // As high as the heading of the picture beside it.
    ui.horizontal(|ui| ui.label(RichText::new("Waves").font(theme::strong(size::TITLE))).on_hover_text(&kernel.name));
    ui.add(egui::Label::new(RichText::new(waves_in_words(waves)).font(theme::words(size::BODY)).color(theme.palette.text2)).wrap());
    let height = (ui.available_height() - 120.0).clamp(64.0, 150.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, waves_in_words(waves)));
    paint::wave_strip(ui.painter(), theme, rect, waves);
    ui.label(RichText::new("time, when all blocks take equally long →").font(theme::words(size::CAPTION)).color(theme.palette.text3));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 24.0;
        figure(
            ui,
            "Waves",
            &format!("{:.2}", waves.waves()),
            &format!("{} / ({} × {})", grouped(waves.grid_blocks), waves.num_sms, waves.blocks_per_wave / u64::from(waves.num_sms)),
        );
        if waves.has_tail() {
            figure(
                ui,
                "Share of time in the tail",
                &format!("≤ {}", crate::fmt::percent(waves.partial_wave_max_time_percent())),
                &format!("1 / ({} + 1)", waves.full_waves),
            );
        }
        figure(
            ui,
            "Slot efficiency",
            &crate::fmt::percent(waves.slot_efficiency_percent()),
            &format!("{} / ({} × {})", grouped(waves.grid_blocks), waves.total_waves(), grouped(waves.blocks_per_wave)),
        );
    });
    let (below, above) = waves.full_wave_grids();
    let grids: Vec<String> = below.filter(|below| *below != above).into_iter().chain(Some(above)).map(grouped).collect();
    ui.label(
        RichText::new(format!("Grids nearby that fill their waves: {}", grids.join(", ")))
            .font(theme::words(size::NOTE))
            .color(theme.palette.text2),
    );
}

fn waves_in_words(waves: &Waves) -> String {
    let idle = waves.blocks_per_wave - waves.partial_wave_blocks;
    match (waves.full_waves, waves.partial_wave_blocks) {
        (0, rest) => {
            format!("{} of {} slots are filled; the grid is smaller than one wave.", grouped(rest), grouped(waves.blocks_per_wave))
        }
        (full, 0) => format!("{}, exactly: no tail.", counted(full, "full wave")),
        (full, rest) => format!(
            "{} + {}. {idle} of {} slots are idle in the last wave.",
            counted(full, "full wave"),
            counted(rest, "block"),
            grouped(waves.blocks_per_wave)
        ),
    }
}

fn figure(ui: &mut Ui, name: &str, value: &str, formula: &str) {
    let theme = Theme::of(ui);
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.label(RichText::new(name).font(theme::words(size::NOTE)).color(theme.palette.text2));
        ui.label(RichText::new(value).font(theme::mono_bold(size::FIGURE)));
        ui.label(RichText::new(formula).font(theme::mono(size::CAPTION)).color(theme.palette.text3));
    });
}
