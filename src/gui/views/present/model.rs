//! The words of a slide, at each step of the placement.

use super::Slide;
use crate::engine::Resource;
use crate::explain::{Sentence, headline};
use crate::gui::views::inputs::launch_in_words;
use crate::gui::views::kernels::detail;
use crate::gui::views::learn;
use crate::gui::views::sm_map::model::SmMapModel;
use crate::gui::views::topic::{Topic, gpu_name};
use crate::import::Kernel;
use crate::import::account::Account;
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
    /// What stands in the sentence's place while the answer is hidden.
    pub question: [String; 2],
    /// None where nothing is stepped through.
    pub steps: Option<Counted>,
}

/// The occupancy in large type, and what it is beside that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub number: String,
    pub unit: String,
    /// "3 blocks, 24 of 64 warps".
    pub how: String,
}

/// Where a clicker is, and how far it can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Blocks on the SM; the refused block is one of the steps.
    Blocks { at: usize, count: usize },
    /// Kernels of the table, counted from 1.
    Kernel { at: usize, count: usize },
    /// Steps of a lesson, counted from 1.
    Lesson { at: usize, count: usize },
}

impl Words {
    pub fn new(session: &Session, slide: Slide) -> Self {
        let mut words = match session.selected().filter(|_| slide == Slide::Kernel) {
            Some((kernel, account)) => Self::of_kernel(kernel, account),
            None => Self::of_launch(&Topic::new(session), slide),
        };
        if let Some((at, count)) = learn::place(session) {
            words.steps = Some(Counted::Lesson { at, count });
        }
        if let Some(step) = learn::current_step(session) {
            words.title.clone_from(&step.title);
            if let Some(ask) = &step.setup.ask {
                words.question = ["Predict first; H shows the answer.".to_owned(), ask.prompt.clone()];
            }
        }
        words
    }

    fn of_launch(topic: &Topic<'_>, slide: Slide) -> Self {
        let Topic { arch, launch, placed: placement, gpu_name: gpu, .. } = topic;
        let model = SmMapModel::at(arch, launch, *placement);
        let is_map = slide == Slide::SmMap;
        let is_whole = !is_map || placement.blocks.is_none();
        let named = topic.kernel.map_or_else(|| launch_in_words(launch), |name| format!("{name} · {}", launch_in_words(launch)));
        let on_gpu = format!("{named} on {gpu}");
        let (title, note) = match slide {
            Slide::Heatmap => ("Occupancy by registers and block size".to_owned(), on_gpu),
            Slide::Curves => ("Occupancy along one input".to_owned(), on_gpu),
            Slide::Waves => (format!("The grid on all SMs of the {gpu}"), named),
            Slide::Compare => ("The same launch on several GPUs".to_owned(), named),
            Slide::Changes => ("Before and after".to_owned(), "what each kernel takes in two files".to_owned()),
            Slide::Latency => ("Warps that take turns".to_owned(), "one scheduler, a model".to_owned()),
            Slide::SmMap | Slide::Kernel => (format!("One SM of the {gpu}"), named),
        };
        let occupancy = &model.occupancy;
        // These are about no launch.
        let has_answer = is_whole && !matches!(slide, Slide::Latency | Slide::Changes);
        let answer = has_answer.then(|| {
            let blocks = crate::fmt::counted(occupancy.blocks_per_sm.into(), "block");
            let (percent, most) = (occupancy.theoretical_percent(), occupancy.max_warps_per_sm);
            let how = format!("{blocks}, {}", crate::fmt::occupancy_otherwise(percent, most));
            Answer { number: crate::fmt::occupancy_number(percent, most), unit: crate::fmt::occupancy_unit(most), how }
        });
        let said = match (slide, is_whole) {
            (Slide::Changes, _) => Sentence {
                strong: "The same kernels, before and after.".to_owned(),
                rest: "What changed is bold, and beside it stands how far it moved.".to_owned(),
            },
            (Slide::Latency, _) => Sentence {
                strong: "Enough warps, and no cycle is lost.".to_owned(),
                rest: "While some wait, others issue. Above that number, another warp adds nothing.".to_owned(),
            },
            (_, true) => headline(arch, launch, occupancy),
            (_, false) => step_in_words(&model),
        };
        let resident = occupancy.blocks_per_sm as usize;
        let count = resident + 1;
        Self {
            title,
            note,
            answer,
            limiters: if has_answer { occupancy.limiters.iter().collect() } else { Vec::new() },
            headline: said.strong,
            sentence: said.rest,
            tells_the_answer: is_whole,
            question: ["What stops the next block, and how many fit?", "Predict first; H shows the answer."].map(str::to_owned),
            steps: is_map.then(|| Counted::Blocks { at: placement.blocks.map_or(count, |placed| placed.min(resident)), count }),
        }
    }

    fn of_kernel(kernel: &Kernel, account: &Account) -> Self {
        let said = account.computed().map(|(arch, launch, occupancy)| headline(arch, launch, occupancy));
        let missing = || account.missing.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let said = said.unwrap_or_else(|| match &kernel.compiled {
            Some(_) => Sentence {
                strong: "A compiler does not know the launch.".to_owned(),
                rest: "Registers, static shared memory and spills are its to say; block, grid and dynamic shared memory are the program's."
                    .to_owned(),
            },
            None => Sentence { strong: "The engine has no answer.".to_owned(), rest: format!("The report lacks: {}.", missing()) },
        });
        let limiters = account.computed().map(|(.., occupancy)| occupancy.limiters.iter().collect());
        let on_gpu = gpu_name(account).map(|name| format!(" on {name}")).unwrap_or_default();
        Self {
            title: kernel.name.clone(),
            note: format!("{}{on_gpu}", detail::launch_line(kernel)),
            answer: None,
            limiters: limiters.unwrap_or_default(),
            headline: said.strong,
            sentence: said.rest,
            tells_the_answer: true,
            question: ["How much of an SM does it fill, and what is lost?", "Predict first; H shows the account."].map(str::to_owned),
            steps: None,
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
pub fn step_in_words(model: &SmMapModel) -> Sentence {
    let strong = match model.placed {
        0 if model.partial.is_empty() => "The SM is empty. Which resource will run out first?".to_owned(),
        0 => "The first block takes its resources.".to_owned(),
        1 => "One block is on the SM. Is there room for another?".to_owned(),
        placed => format!("{placed} blocks are on the SM. Is there room for another?"),
    };
    let rows = model.rows.iter().map(|row| format!("{} {}", row.resource.name(), row.value));
    Sentence { strong, rest: rows.collect::<Vec<_>>().join(" · ") }
}
