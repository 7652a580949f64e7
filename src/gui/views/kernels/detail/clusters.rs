//! Clusters: what the report says of them, and how many fit when a cluster has to stay inside a GPC.

use egui::Ui;

use crate::engine::clusters::Gpcs;
use crate::fmt::{counted, grouped, percent};
use crate::gui::theme;
use crate::gui::views::inputs::fields::{Edit, Kind, NumberInput};
use crate::gui::widgets::{heading, note, pair, rule};
use crate::import::Kernel;
use crate::import::account::Account;

/// More than any GPU has; a bound of the slider.
const MAX_GPCS: u64 = 16;

/// Nothing for reports that do not know of clusters. `gpcs` is what was typed.
pub(super) fn clusters_ui(ui: &mut Ui, gpcs: &mut Option<u32>, kernel: &Kernel, account: &Account) {
    let Some(size) = kernel.cluster_size.map(|read| read.value) else { return };
    rule(ui, 20.0);
    if size <= 1 {
        heading(ui, "Clusters", "none in this launch");
        if let Some(largest) = kernel.reported.max_cluster_size.filter(|read| read.value > 0) {
            note(ui, &format!("The profiler says that clusters of up to {} would be possible.", counted(largest.value.into(), "block")));
        }
        return;
    }
    heading(ui, "Clusters", "blocks that run together inside a GPC");
    reported_ui(ui, size, kernel);
    packing_ui(ui, gpcs, size, account);
}

fn reported_ui(ui: &mut Ui, size: u32, kernel: &Kernel) {
    let said = &kernel.reported;
    pair(ui, "Blocks of a cluster", &grouped(size.into()));
    let figures = [
        ("Active clusters at most", said.max_active_clusters.map(|read| grouped(read.value.into()))),
        ("Cluster occupancy", said.cluster_occupancy_percent.map(|read| percent(read.value))),
        ("Occupancy of the GPU by clusters", said.cluster_gpu_occupancy_percent.map(|read| percent(read.value))),
        ("Largest possible cluster", said.max_cluster_size.map(|read| counted(read.value.into(), "block"))),
    ];
    for (name, value) in figures {
        pair(ui, name, value.as_deref().unwrap_or("not in this report"));
    }
}

/// What the engine makes of it, once the number of GPCs is known or assumed.
fn packing_ui(ui: &mut Ui, typed: &mut Option<u32>, size: u32, account: &Account) {
    let Some((sms, blocks)) = account.num_sms.zip(account.blocks_per_sm) else {
        note(ui, "How many clusters fit is not computed: the SMs or the blocks per SM are not known.");
        return;
    };
    let default = account.arch.as_ref().and_then(|arch| Gpcs::public_default(arch.compute_capability));
    let shown = typed.or(default);
    ui.spacing_mut().interact_size.y = theme::CONTROL_HEIGHT;
    let origin = match (typed.is_some(), default) {
        (false, Some(_)) => {
            "An assumption: NVIDIA's lists of units give the full GH100 and H100 SXM5 this many, H100 PCIe 7 or 8, and chips differ."
        }
        (false, None) => "No public number is certain for this GPU. Enter it to compute how many clusters fit.",
        (true, _) => "As entered.",
    };
    let input = NumberInput {
        name: "GPCs of the GPU",
        value: shown.unwrap_or(0).into(),
        kind: Kind::Count,
        range: 1..=MAX_GPCS,
        step: 1,
        slider: false,
        note: format!("{origin} SMs are spread evenly over them."),
        hint: "As many as the GPU has",
    };
    if let Edit::Changed(value) = input.ui(ui) {
        *typed = u32::try_from(value).ok().filter(|value| *value > 0);
    }
    let Some(gpcs) = shown.and_then(|shown| Gpcs::even(shown, sms)) else { return };
    let (unused, slots) = gpcs.unused_slots(blocks, size);
    pair(ui, "Clusters that fit, computed", &grouped(gpcs.max_active_clusters(blocks, size)));
    note(ui, &format!("{} of {} block slots are left over, because a cluster does not cross a GPC.", grouped(unused), grouped(slots)));
}
