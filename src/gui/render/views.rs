//! The views that are handed out as pictures, each under the sentence that answers.

use egui::{RichText, Ui, vec2};

use super::{Look, Picture};
use crate::arch::Arch;
use crate::engine::{Launch, Occupancy, evaluate};
use crate::explain::headline;
use crate::gui::theme::{self, Theme, size};
use crate::gui::views::curves::{CurvesInput, CurvesState, curves_ui};
use crate::gui::views::heatmap::{self, HeatmapInput, HeatmapState, KernelPoints, heatmap_ui};
use crate::gui::views::sm_map::{SmMap, SmMapState, sm_map_ui};

/// A view that can be handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handout {
    /// One SM with its resident blocks and the refused one.
    SmMap,
    /// Occupancy over registers and block size.
    Heatmap,
    /// Occupancy along registers, block size and shared memory.
    Curves,
}

/// A launch on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub arch: &'a Arch,
    pub gpu_name: &'a str,
    pub launch: &'a Launch,
}

impl Subject<'_> {
    /// "256 threads, 64 registers … on A100 SXM 40 GB".
    pub fn title(&self) -> String {
        format!("{} on {}", crate::gui::views::inputs::launch_in_words(self.launch), self.gpu_name)
    }

    /// What the picture says, for who cannot see it.
    pub fn description(&self) -> String {
        let occupancy = self.occupancy();
        let sentence = headline(self.arch, self.launch, &occupancy);
        format!("Theoretical occupancy {}. {} {}", crate::fmt::percent(occupancy.theoretical_percent()), sentence.strong, sentence.rest)
    }

    fn occupancy(&self) -> Occupancy {
        evaluate(self.arch, self.launch)
    }
}

impl Handout {
    /// The view of `subject` as it stands, with its answer above it.
    pub fn draw(self, subject: &Subject<'_>, look: Look) -> Picture {
        let mut states = (SmMapState::default(), HeatmapState::default(), CurvesState::default());
        Picture::draw(look, MAX_HEIGHT, |ui| {
            answer_ui(ui, subject);
            let Subject { arch, gpu_name, launch } = *subject;
            match self {
                Self::SmMap => {
                    sm_map_ui(ui, &mut states.0, &SmMap { arch, gpu_name, launch });
                }
                Self::Heatmap => {
                    let input = HeatmapInput {
                        arch,
                        gpu_name,
                        launch,
                        points: &KernelPoints::default(),
                        selected: None,
                        pinned: None,
                        other: None,
                        scrolls: false,
                    };
                    let (title, slice) = heatmap::heading(&states.1, &input);
                    title_ui(ui, title, &slice);
                    sized(ui, 0.5, |ui| heatmap_ui(ui, &mut states.1, &input));
                }
                Self::Curves => {
                    title_ui(ui, "Occupancy along one input", "all others as they are");
                    sized(ui, 0.32, |ui| curves_ui(ui, &mut states.2, &CurvesInput { arch, gpu_name, others: &[], launch }));
                }
            }
        })
    }
}

const MAX_HEIGHT: f32 = 4_000.0;

/// A chart takes all that it is given, so its height is a share of its width.
fn sized<R>(ui: &mut Ui, share: f32, chart: impl FnOnce(&mut Ui) -> R) {
    let size = vec2(ui.available_width(), ui.available_width() * share);
    ui.allocate_ui(size, |ui| {
        ui.set_max_size(size);
        chart(ui);
    });
}

/// "37.5 % of the warps" large, and the sentence beside it.
fn answer_ui(ui: &mut Ui, subject: &Subject<'_>) {
    let (occupancy, palette) = (subject.occupancy(), Theme::of(ui).palette);
    let sentence = headline(subject.arch, subject.launch, &occupancy);
    ui.label(RichText::new(subject.title()).font(theme::words(size::NOTE)).color(palette.text2));
    ui.horizontal(|ui| {
        ui.label(RichText::new(crate::fmt::percent(occupancy.theoretical_percent())).font(theme::mono_bold(size::OCCUPANCY)));
        ui.add_space(8.0);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.label(RichText::new(sentence.strong).font(theme::strong(size::BODY)));
            ui.label(RichText::new(sentence.rest).font(theme::words(size::BODY)).color(palette.text2));
        });
    });
    ui.add_space(12.0);
}

fn title_ui(ui: &mut Ui, title: &str, slice: &str) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).font(theme::strong(size::TITLE)));
        ui.label(crate::gui::widgets::quiet(ui, slice));
    });
}
