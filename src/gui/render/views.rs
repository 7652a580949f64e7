//! The views that are handed out as pictures, each under the sentence that answers.

use egui::{RichText, Ui, vec2};

use super::{Look, Picture};
use crate::arch::Arch;
use crate::engine::{Launch, Occupancy, Waves, evaluate};
use crate::explain::{Sentence, headline};
use crate::gui::theme::{self, Theme, size};
use crate::gui::views::compare::bare_compare_ui;
use crate::gui::views::compare::model::Comparison;
use crate::gui::views::curves::{CurvesInput, CurvesState, curves_ui};
use crate::gui::views::heatmap::{self, HeatmapInput, HeatmapState, KernelPoints, Mode, OtherGpu, heatmap_ui};
use crate::gui::views::kernels::waves;
use crate::gui::views::present::model::step_in_words;
use crate::gui::views::sm_map::model::SmMapModel;
use crate::gui::views::sm_map::{SmMap, SmMapState, sm_map_ui};
use crate::session::Placed;

/// A view that can be handed out, as it is shown.
#[derive(Debug)]
pub enum Handout {
    /// One SM with its resident blocks and the refused one, or as far as blocks are placed.
    SmMap(Placed),
    /// Occupancy over two inputs.
    Heatmap(Box<HeatmapState>),
    /// Occupancy along registers, block size and shared memory.
    Curves(Box<CurvesState>),
    /// A grid on all SMs.
    Waves,
    /// The launch on several GPUs, and where else it fits.
    Compare(Box<Comparison>),
}

impl Handout {
    /// The heatmap of registers and block size.
    pub fn heatmap(mode: Mode) -> Self {
        let mut state = HeatmapState::default();
        state.mode = mode;
        Self::Heatmap(Box::new(state))
    }
}

/// A launch on a GPU, and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub arch: &'a Arch,
    pub gpu_name: &'a str,
    pub launch: &'a Launch,
    /// Those of the grid, where there is one and the number of SMs is known.
    pub waves: Option<Waves>,
    /// What the heatmap's differences are taken to.
    pub pinned: Option<&'a Launch>,
    /// GPUs beside this one.
    pub others: &'a [OtherGpu<'a>],
    /// Kernels to mark on the heatmap, and the selected one.
    pub points: Option<&'a KernelPoints>,
    pub selected: Option<usize>,
}

impl<'a> Subject<'a> {
    pub const fn new(arch: &'a Arch, gpu_name: &'a str, launch: &'a Launch) -> Self {
        Self { arch, gpu_name, launch, waves: None, pinned: None, others: &[], points: None, selected: None }
    }

    /// "256 threads, 64 registers … on A100 SXM 40 GB".
    pub fn title(&self) -> String {
        format!("{} on {}", crate::gui::views::inputs::launch_in_words(self.launch), self.gpu_name)
    }

    fn occupancy(&self) -> Occupancy {
        evaluate(self.arch, self.launch)
    }
}

impl Handout {
    /// What the picture says, for who cannot see it.
    pub fn description(&self, subject: &Subject<'_>) -> String {
        if let Some(step) = self.step(subject) {
            return step.to_string();
        }
        let occupancy = subject.occupancy();
        let sentence = headline(subject.arch, subject.launch, &occupancy);
        let said = format!(
            "Theoretical occupancy {}. {sentence}",
            crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm)
        );
        match (self, subject.waves) {
            (Self::Waves, Some(waves)) => format!("{said} {}", crate::explain::waves::waves(&waves)),
            (Self::Compare(comparison), _) => format!("{said} {}", comparison.in_words()),
            _ => said,
        }
    }

    /// What stands above a map on which not all blocks are placed: no answer, for it is still to be found.
    fn step(&self, subject: &Subject<'_>) -> Option<Sentence> {
        match self {
            Self::SmMap(placed) if placed.blocks.is_some() => Some(step_in_words(&SmMapModel::at(subject.arch, subject.launch, *placed))),
            _ => None,
        }
    }

    /// The view of `subject`, with its answer above it.
    pub fn draw(&mut self, subject: &Subject<'_>, look: Look) -> Picture {
        let mut map = SmMapState::default();
        let step = self.step(subject);
        Picture::draw(look, MAX_HEIGHT, |ui| {
            answer_ui(ui, subject, step.as_ref());
            let Subject { arch, gpu_name, launch, .. } = *subject;
            match self {
                Self::SmMap(placed) => {
                    map.place(*placed);
                    sm_map_ui(ui, &mut map, &SmMap { arch, gpu_name, launch });
                }
                Self::Heatmap(state) => heatmap_in(ui, state, subject),
                Self::Curves(state) => {
                    title_ui(ui, "Occupancy along one input", "all others as they are");
                    let input = CurvesInput { arch, gpu_name, others: subject.others, launch };
                    sized(ui, 0.32, |ui| curves_ui(ui, state, &input));
                }
                Self::Waves => {
                    if let Some(waves) = subject.waves {
                        let height = (ui.available_width() * 0.16).clamp(96.0, 240.0);
                        waves::model_of_grid_ui(ui, &waves, height);
                    }
                }
                Self::Compare(comparison) => {
                    title_ui(ui, "On several GPUs", "the same launch");
                    bare_compare_ui(ui, comparison);
                }
            }
        })
    }
}

fn heatmap_in(ui: &mut Ui, state: &mut HeatmapState, subject: &Subject<'_>) {
    let none = KernelPoints::default();
    let input = HeatmapInput {
        arch: subject.arch,
        gpu_name: subject.gpu_name,
        launch: subject.launch,
        points: subject.points.unwrap_or(&none),
        selected: subject.selected,
        pinned: subject.pinned,
        other: subject.others.first().copied(),
        scrolls: false,
    };
    let (title, slice) = heatmap::heading(state, &input);
    title_ui(ui, title, &slice);
    sized(ui, 0.5, |ui| heatmap_ui(ui, state, &input));
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
fn answer_ui(ui: &mut Ui, subject: &Subject<'_>, step: Option<&Sentence>) {
    let (occupancy, palette) = (subject.occupancy(), Theme::of(ui).palette);
    let sentence = step.cloned().unwrap_or_else(|| headline(subject.arch, subject.launch, &occupancy));
    ui.label(RichText::new(subject.title()).font(theme::words(size::NOTE)).color(palette.text2));
    ui.horizontal(|ui| {
        if step.is_none() {
            ui.label(
                RichText::new(crate::fmt::occupancy(occupancy.theoretical_percent(), occupancy.max_warps_per_sm))
                    .font(theme::mono_bold(size::OCCUPANCY)),
            );
            ui.add_space(8.0);
        }
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
