//! How picture tests are taken: size, theme and tolerance in one place.

use egui_kittest::{Harness, SnapshotOptions};
use occuscope::gui::theme;

use crate::soft::Soft;

/// Both themes, with the name that pictures carry.
pub const THEMES: [(&str, egui::Theme); 2] = [("dark", egui::Theme::Dark), ("light", egui::Theme::Light)];

/// A view in a window of `size` points, drawn in software in `theme`.
pub fn view<'a, State: 'a>(
    size: [f32; 2],
    theme: egui::Theme,
    scale: f32,
    state: State,
    draw: impl FnMut(&mut egui::Ui, &mut State) + 'a,
) -> Harness<'a, State> {
    let mut draw = draw;
    let mut styled = false;
    Harness::builder().with_size(size).with_pixels_per_point(scale).with_theme(theme).renderer(Soft::default()).build_ui_state(
        move |ui, state| {
            if !styled {
                styled = true;
                theme::apply(ui.ctx());
                ui.ctx().set_theme(theme);
                ui.ctx().request_repaint();
                return;
            }
            draw(ui, state);
        },
        state,
    )
}

/// Compares with the stored picture `tests/ui/pictures/NAME.png`; `UPDATE_SNAPSHOTS=true` stores it anew.
///
/// With `OCCUSCOPE_PICTURES=DIR` it is also written there, to be looked at.
pub fn check<State>(harness: &mut Harness<'_, State>, name: &str) {
    look(harness, name);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/pictures");
    harness.snapshot_options(name, &SnapshotOptions::new().threshold(0.6).output_path(folder));
}

/// Only writes the picture to be looked at.
pub fn look<State>(harness: &mut Harness<'_, State>, name: &str) {
    if let Some(folder) = std::env::var_os("OCCUSCOPE_PICTURES") {
        let picture = harness.render().expect("a picture");
        std::fs::create_dir_all(&folder).expect("the folder for pictures");
        picture.save(std::path::Path::new(&folder).join(format!("{name}.png"))).expect("a saved picture");
    }
}
