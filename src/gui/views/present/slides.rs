//! Which slides there are, and which of them can be shown now.

use crate::gui::views::learn;
use crate::gui::views::topic::{Topic, selected_on_kernels};
use crate::learn::Shown;
use crate::session::{Screen, Session};

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Slide {
    #[default]
    SmMap,
    Heatmap,
    Curves,
    /// Only where there is a grid on a GPU whose number of SMs is known.
    Waves,
    /// Only where there are GPUs to compare with.
    Compare,
    /// The account of the selected kernel.
    Kernel,
    /// Two files side by side, where some are compared.
    Changes,
    /// Warps that take turns, while a lesson's step is about them.
    Latency,
}

impl Slide {
    pub const ALL: [Self; 8] =
        [Self::SmMap, Self::Heatmap, Self::Curves, Self::Waves, Self::Compare, Self::Kernel, Self::Changes, Self::Latency];

    /// Where a presentation begins: with the selected kernel, else with the map.
    pub fn first(session: &Session) -> Self {
        if selected_on_kernels(session).is_some() { Self::Kernel } else { Self::SmMap }
    }

    /// The one of a lesson's step.
    pub const fn of_lesson(shown: Shown) -> Self {
        match shown {
            Shown::Heatmap => Self::Heatmap,
            Shown::Curves => Self::Curves,
            Shown::Compare => Self::Compare,
            Shown::Kernel => Self::Kernel,
            Shown::Changes => Self::Changes,
            Shown::Latency => Self::Latency,
            Shown::Map | Shown::Answer => Self::SmMap,
        }
    }

    pub fn is_possible(self, session: &Session) -> bool {
        let on_kernels = session.view().screen == Screen::Kernels;
        match self {
            // A compiled kernel has no launch yet.
            Self::SmMap | Self::Heatmap | Self::Curves => selected_on_kernels(session).is_none() || Topic::new(session).kernel.is_some(),
            Self::Waves => Topic::new(session).waves.is_some(),
            Self::Compare => !session.document().compared.is_empty() && !on_kernels,
            Self::Kernel => session.selected().is_some(),
            Self::Changes => session.baseline().is_some(),
            Self::Latency => learn::current_step(session).is_some_and(|step| step.setup.shown == Shown::Latency),
        }
    }

    /// The one after it that can be shown; itself when there is no other.
    pub fn next(self, session: &Session) -> Self {
        let after = Self::ALL.into_iter().cycle().skip_while(|slide| *slide != self).skip(1);
        after.take(Self::ALL.len()).find(|slide| slide.is_possible(session)).unwrap_or(self)
    }
}
