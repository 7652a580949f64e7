//! Two open files that are compared: at once where they are small, else on a thread, which tells how far it is and can be stopped.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Session;
use super::action::Effect;
use super::groups::{self, Group};
use super::watching::Readings;

/// So many kernels are compared faster than a frame is drawn.
const AT_ONCE: usize = 1000;

/// What is known of the kernels beside the baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// Nothing is compared.
    #[default]
    Nothing,
    /// It is being found out.
    Comparing {
        compared: Compared,
        percent: u8,
    },
    Known {
        compared: Compared,
        groups: Groups,
    },
}

/// Two readings, and the places of their files in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    pub old: usize,
    pub new: usize,
    pub readings: Readings,
}

/// The groups of a comparison, shared.
#[derive(Clone, Debug, Default)]
pub struct Groups(pub Arc<Vec<Group>>);

impl PartialEq for Groups {
    /// The same ones, not equal ones: there can be 100,000.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Groups {}

impl Compared {
    /// Takes long for 100,000 kernels: not for the window's thread. `tell` hears what part is done, 0 to 1; none when it said to break off.
    pub fn groups(&self, tell: &mut dyn FnMut(f32) -> ControlFlow<()>) -> Option<Groups> {
        let Readings { old, new } = &self.readings;
        groups::compared((self.old, old), (self.new, new), tell).map(|groups| Groups(Arc::new(groups)))
    }

    /// In both files.
    pub fn num_kernels(&self) -> [usize; 2] {
        [&self.readings.old, &self.readings.new].map(|report| report.kernels().len())
    }
}

impl Beside {
    pub const fn compared(&self) -> Option<&Compared> {
        match self {
            Self::Nothing => None,
            Self::Comparing { compared, .. } | Self::Known { compared, .. } => Some(compared),
        }
    }

    /// How much of the comparison is done, while it goes on.
    pub const fn percent(&self) -> Option<u8> {
        if let Self::Comparing { percent, .. } = self { Some(*percent) } else { None }
    }
}

impl Session {
    /// What became of the kernels since the baseline.
    pub fn beside(&self) -> &Beside {
        &self.beside
    }

    /// The places of the two files that are compared; none when one of them is not open or could not be read.
    pub fn baseline(&self) -> Option<(usize, usize)> {
        let baseline = self.view.table.baseline.as_ref()?;
        let reports = &self.document.reports;
        let place = |path: &std::path::Path| reports.iter().position(|open| open.path == path && open.content.is_ok());
        Some((place(&baseline.old)?, place(&baseline.new)?)).filter(|(old, new)| old != new)
    }

    /// Compares what is to be compared, when that is another pair of readings than before.
    pub(super) fn follow_baseline(&mut self) -> Vec<Effect> {
        let wanted = self.baseline().map(|(old, new)| {
            let [of_old, of_new] = [old, new].map(|place| Arc::clone(&self.document.reports[place]));
            Compared { old, new, readings: Readings { old: of_old, new: of_new } }
        });
        if wanted.as_ref() == self.beside.compared() {
            return Vec::new();
        }
        let mut effects = match std::mem::take(&mut self.beside) {
            Beside::Nothing => Vec::new(),
            Beside::Comparing { compared, .. } => vec![Effect::StopComparing(compared.readings)],
            Beside::Known { groups, .. } => vec![Effect::DiscardGroups(groups)],
        };
        let Some(compared) = wanted else { return effects };
        if compared.num_kernels().into_iter().sum::<usize>() <= AT_ONCE {
            let groups = compared.groups(&mut |_| ControlFlow::Continue(())).unwrap_or_default();
            self.beside = Beside::Known { compared, groups };
        } else {
            effects.push(Effect::CompareFiles(compared.clone()));
            self.beside = Beside::Comparing { compared, percent: 0 };
        }
        effects
    }

    /// News of a comparison: of two files, or of a file that was written again.
    pub(super) fn compare_progress(&mut self, readings: &Readings, done: u8) -> Vec<Effect> {
        match &mut self.beside {
            Beside::Comparing { compared, percent } if compared.readings == *readings => *percent = done,
            _ => self.rewritten_progress(readings, done),
        }
        Vec::new()
    }

    /// Takes in what was found out, unless something else is to be compared by now.
    pub(super) fn take_comparison(&mut self, of: Compared, groups: Option<Groups>) -> Vec<Effect> {
        let is_wanted = matches!(&self.beside, Beside::Comparing { compared, .. } if *compared == of);
        match (is_wanted, groups) {
            (true, Some(groups)) => self.beside = Beside::Known { compared: of, groups },
            (true, None) => {
                self.view.table.baseline = None;
                self.message = Some("comparing the two files failed because of a mistake in Occuscope".to_owned());
            }
            (false, Some(groups)) => return vec![Effect::DiscardGroups(groups)],
            (false, None) => {}
        }
        Vec::new()
    }
}
