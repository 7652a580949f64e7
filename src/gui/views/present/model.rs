//! The words of a slide, at each step of the placement.

use super::Slide;
use crate::engine::Resource;
use crate::explain::headline;
use crate::gui::views::learn;
use crate::gui::views::sm_map::model::SmMapModel;
use crate::session::Session;
use crate::session::presets::{self, Preset};

/// What is written around the view.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    pub title: String,
    /// The launch.
    pub note: String,
    /// The theoretical occupancy, and how it comes about. None while blocks are still being placed.
    pub answer: Option<Answer>,
    /// The resources that refuse the next block, those that a step has reached.
    pub limiters: Vec<Resource>,
    pub headline: String,
    pub sentence: String,
    /// Whether the sentence tells what a class could guess.
    pub tells_the_answer: bool,
    /// Blocks that fit, the step that is shown, and how many there are; none where nothing is placed.
    pub steps: Option<Steps>,
}

/// The occupancy in large type, and what it is beside that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub number: String,
    pub unit: String,
    /// "3 blocks, 24 of 64 warps".
    pub how: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    pub at: usize,
    /// The refused block is one of them.
    pub count: usize,
}

impl Words {
    pub fn new(session: &Session, slide: Slide) -> Self {
        let (arch, launch) = (session.arch(), &session.document().configuration.launch);
        let placement = session.view().placement();
        let model = SmMapModel::at(arch, launch, placement);
        let is_map = slide == Slide::SmMap;
        let is_whole = !is_map || placement.blocks.is_none();
        let (launch_in_words, gpu) = (crate::gui::views::inputs::launch_in_words(launch), session.gpu_name());
        let on_gpu = format!("{launch_in_words} on {gpu}");
        let (title, note) = match slide {
            Slide::SmMap => (format!("One SM of the {gpu}"), launch_in_words),
            Slide::Heatmap => ("Occupancy by registers and block size".to_owned(), on_gpu),
            Slide::Curves => ("Occupancy along one input".to_owned(), on_gpu),
            Slide::Waves => (format!("The grid on all SMs of the {gpu}"), launch_in_words),
        };
        let occupancy = &model.occupancy;
        let title = learn::current_step(session).map_or(title, |step| step.title.clone());
        let answer = is_whole.then(|| {
            let blocks = crate::fmt::counted(occupancy.blocks_per_sm.into(), "block");
            let (percent, most) = (occupancy.theoretical_percent(), occupancy.max_warps_per_sm);
            let how = format!("{blocks}, {}", crate::fmt::occupancy_otherwise(percent, most));
            Answer { number: crate::fmt::occupancy_number(percent, most), unit: crate::fmt::occupancy_unit(most), how }
        });
        let said = if is_whole { headline(arch, launch, occupancy) } else { step_in_words(&model) };
        let resident = occupancy.blocks_per_sm as usize;
        Self {
            title,
            note,
            answer,
            limiters: if is_whole { occupancy.limiters.iter().collect() } else { Vec::new() },
            headline: said.strong,
            sentence: said.rest,
            tells_the_answer: is_whole,
            steps: is_map.then(|| Steps { at: placement.blocks.map_or(resident + 1, |placed| placed.min(resident)), count: resident + 1 }),
        }
    }
}

/// The preset after the one that is shown, or before it; the first where none is shown, and none past either end.
pub fn neighbor_preset(session: &Session, forward: bool) -> Option<Preset> {
    let document = session.document();
    let mut all = presets::all(&document.library);
    let at = presets::all(&document.library).position(|preset| preset.configuration == document.configuration);
    let to = match (at, forward) {
        (None, _) => Some(0),
        (Some(at), true) => Some(at + 1),
        (Some(at), false) => at.checked_sub(1),
    };
    all.nth(to?).cloned()
}

/// Before the refused block: what is on the SM so far.
pub fn step_in_words(model: &SmMapModel) -> crate::explain::Sentence {
    let strong = match model.placed {
        0 if model.partial.is_empty() => "The SM is empty. Which resource will run out first?".to_owned(),
        0 => "The first block takes its resources.".to_owned(),
        1 => "One block is on the SM. Is there room for another?".to_owned(),
        placed => format!("{placed} blocks are on the SM. Is there room for another?"),
    };
    let rows = model.rows.iter().map(|row| format!("{} {}", row.resource.name(), row.value));
    crate::explain::Sentence { strong, rest: rows.collect::<Vec<_>>().join(" · ") }
}
