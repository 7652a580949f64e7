//! The inputs that most launches do not need.

use egui::{ComboBox, RichText, Ui};

use super::fields::{self, Kind, NumberInput};
use super::{count, push};
use crate::engine::{CachePreference, Launch, LaunchBounds, PartitionedCaching};
use crate::gui::paint::{Icon, icon};
use crate::gui::theme::{self, Theme, size};
use crate::gui::widgets::{combo_arrow, note};
use crate::session::{Action, Session};

pub fn more_ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let open = session.view().show_more;
    if header_ui(ui, open) {
        actions.push(Action::ShowMore(!open));
    }
    if open {
        ui.add_space(4.0);
        let launch = &session.document().configuration.launch;
        shape_ui(ui, launch, actions);
        smem_ui(ui, session, launch, actions);
        limits_ui(ui, session, launch, actions);
    }
}

fn header_ui(ui: &mut Ui, open: bool) -> bool {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(egui::vec2(ui.available_width(), 24.0), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::DisclosureTriangle, true, open, "More inputs"));
    let arrow = egui::Rect::from_center_size(egui::pos2(rect.left() + 6.0, rect.center().y), egui::vec2(16.0, 16.0));
    icon(ui.painter(), arrow, if open { Icon::Down } else { Icon::Right }, theme.palette.text2);
    let ink = if response.hovered() { theme.palette.accent } else { theme.palette.text };
    ui.painter().text(egui::pos2(rect.left() + 20.0, rect.center().y), egui::Align2::LEFT_CENTER, "More", theme::medium(size::BODY), ink);
    if !open {
        let hint = "carve-out, cluster, barriers";
        ui.painter().text(rect.right_center(), egui::Align2::RIGHT_CENTER, hint, theme::words(size::NOTE), theme.palette.text3);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, theme::RADIUS_CONTROL, egui::Stroke::new(2.0, theme.palette.focus), egui::StrokeKind::Inside);
    }
    response.clicked()
}

fn shape_ui(ui: &mut Ui, launch: &Launch, actions: &mut Vec<Action>) {
    let edit = fields::shape_field(ui, "Block shape", Some(launch.block), "256, 16 × 16 or 8 × 8 × 4");
    push(actions, edit, |shape| Action::SetBlock(shape.unwrap_or(launch.block)));
}

fn smem_ui(ui: &mut Ui, session: &Session, launch: &Launch, actions: &mut Vec<Action>) {
    let arch = session.arch();
    if arch.optin_smem_per_block_bytes > arch.default_smem_per_block_bytes {
        let mut opt_in = launch.opt_in;
        if ui.checkbox(&mut opt_in, format!("Opted in above {}", crate::fmt::bytes(arch.default_smem_per_block_bytes.into()))).changed() {
            actions.push(Action::SetOptIn(opt_in));
        }
    }
    if !arch.has_configurable_smem() {
        return;
    }
    let carveout = NumberInput {
        name: "Carve-out, %",
        value: launch.carveout_percent.unwrap_or(100).into(),
        kind: Kind::Count,
        range: 0..=100,
        step: 1,
        slider: true,
        note: if launch.carveout_percent.is_none() {
            "the driver's default".to_owned()
        } else {
            "a hint to the driver; the model takes it literally".to_owned()
        },
        hint: "The share of the SM's memory that is preferred as shared memory",
    };
    push(actions, carveout.ui(ui), |value| Action::SetCarveoutPercent(Some(count(value))));
    if launch.carveout_percent.is_some() {
        if ui.button("Use the driver's default").clicked() {
            actions.push(Action::SetCarveoutPercent(None));
        }
    } else {
        cache_ui(ui, launch, actions);
    }
}

fn cache_ui(ui: &mut Ui, launch: &Launch, actions: &mut Vec<Action>) {
    let names = [
        (CachePreference::None, "none"),
        (CachePreference::SharedMemory, "shared memory"),
        (CachePreference::L1, "L1"),
        (CachePreference::Equal, "equal"),
    ];
    choice_ui(ui, "Cache preference", &names, launch.cache_preference, |preference| actions.push(Action::SetCachePreference(preference)));
}

fn limits_ui(ui: &mut Ui, session: &Session, launch: &Launch, actions: &mut Vec<Action>) {
    let arch = session.arch();
    if arch.partitioned_caching {
        let names = [(PartitionedCaching::Off, "off"), (PartitionedCaching::On, "on"), (PartitionedCaching::Strict, "strict")];
        choice_ui(ui, "Partitioned caching", &names, launch.partitioned_caching, |caching| {
            actions.push(Action::SetPartitionedCaching(caching));
        });
    }
    if arch.max_barriers_per_sm.is_some() {
        push(
            actions,
            small("Barriers per block", launch.barriers_per_block, "1 for __syncthreads(); more for named barriers").ui(ui),
            |value| Action::SetBarriersPerBlock(count(value)),
        );
    }
    if arch.max_portable_cluster_size.is_some() {
        push(actions, small("Cluster size", launch.cluster_size, "Blocks per cluster; 1 for none").ui(ui), |value| {
            Action::SetClusterSize(count(value))
        });
        if launch.cluster_size > 1 {
            note(ui, "How many clusters a GPU holds depends on its layout, which is not public: blocks per SM bound it.");
        }
    }
    bounds_ui(ui, launch, actions);
}

fn small<'a>(name: &'a str, value: u32, hint: &'a str) -> NumberInput<'a> {
    NumberInput { name, value: value.into(), kind: Kind::Count, range: 0..=16, step: 1, slider: false, note: String::new(), hint }
}

fn bounds_ui(ui: &mut Ui, launch: &Launch, actions: &mut Vec<Action>) {
    let mut bounded = launch.launch_bounds.is_some();
    if ui.checkbox(&mut bounded, "Compiled with __launch_bounds__").changed() {
        let bounds = LaunchBounds { max_threads_per_block: launch.threads_per_block(), min_blocks_per_sm: None };
        actions.push(Action::SetLaunchBounds(bounded.then_some(bounds)));
    }
    if let Some(bounds) = launch.launch_bounds {
        let edit = small("Bound on threads", bounds.max_threads_per_block, "The first argument of __launch_bounds__").ui(ui);
        push(actions, edit, |value| Action::SetLaunchBounds(Some(LaunchBounds { max_threads_per_block: count(value), ..bounds })));
    }
}

fn choice_ui<T: Copy + PartialEq>(ui: &mut Ui, name: &str, choices: &[(T, &str)], current: T, mut choose: impl FnMut(T)) {
    ui.horizontal(|ui| {
        let label = ui.label(RichText::new(name).font(theme::medium(size::BODY)));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let shown = choices.iter().find(|(value, _)| *value == current).map_or("", |(_, name)| *name);
            let combo = ComboBox::from_id_salt(name).icon(combo_arrow).width(100.0).selected_text(shown).show_ui(ui, |ui| {
                for (value, name) in choices {
                    if ui.selectable_label(*value == current, *name).clicked() {
                        choose(*value);
                    }
                }
            });
            combo.response.labelled_by(label.id);
        });
    });
}
