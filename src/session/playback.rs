//! The placement of blocks on the SM map as steps: forward, back, whole blocks or one resource at a time.

use super::Session;
use crate::arch::Arch;
use crate::engine::placement::resources_of_a_block;
use crate::engine::{Launch, evaluate};

/// How far the placement is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Whole blocks; none is all that fit and the refused one.
    pub blocks: Option<usize>,
    /// Resources that the block after those has taken already, fewer than it takes in all.
    pub resources: usize,
}

/// How the placement goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Playback {
    pub is_playing: bool,
    pub speed: Speed,
    /// A step is one resource of a block, not a whole block.
    pub is_fine: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Speed {
    Slow,
    #[default]
    Normal,
    Fast,
}

impl Speed {
    /// The one after it; after the fastest comes the slowest.
    pub const fn next(self) -> Self {
        match self {
            Self::Slow => Self::Normal,
            Self::Normal => Self::Fast,
            Self::Fast => Self::Slow,
        }
    }
}

impl Playback {
    /// From one step to the next. A resource takes half as long as a block.
    pub fn seconds_per_step(self) -> f64 {
        let block = match self.speed {
            Speed::Slow => 1.2,
            Speed::Normal => 0.6,
            Speed::Fast => 0.3,
        };
        if self.is_fine { block / 2.0 } else { block }
    }
}

impl Placed {
    pub const fn blocks(blocks: usize) -> Self {
        Self { blocks: Some(blocks), resources: 0 }
    }

    /// All that fit, and the refused one.
    pub const ALL: Self = Self { blocks: None, resources: 0 };
}

/// All steps of a launch: from none, block by block, to all that fit and the refused one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Blocks that fit.
    pub resident: usize,
    /// Resources that each of them takes one after another, at least one.
    pub resources: usize,
}

impl Course {
    pub fn new(arch: &Arch, launch: &Launch) -> Self {
        let occupancy = evaluate(arch, launch);
        Self { resident: occupancy.blocks_per_sm as usize, resources: resources_of_a_block(arch, launch, &occupancy).len() }
    }

    pub fn next(self, at: Placed, is_fine: bool) -> Placed {
        let at = self.nearest(at);
        match at.blocks {
            None => at,
            Some(blocks) if blocks >= self.resident => Placed::ALL,
            Some(_) if is_fine && at.resources + 1 < self.resources => Placed { resources: at.resources + 1, ..at },
            Some(blocks) => Placed::blocks(blocks + 1),
        }
    }

    pub fn previous(self, at: Placed, is_fine: bool) -> Placed {
        let at = self.nearest(at);
        match at.blocks {
            None => Placed::blocks(self.resident),
            Some(_) if at.resources > 0 => Placed { resources: if is_fine { at.resources - 1 } else { 0 }, ..at },
            Some(0) => at,
            Some(blocks) => Placed { blocks: Some(blocks - 1), resources: if is_fine { self.resources - 1 } else { 0 } },
        }
    }

    /// More blocks than fit are all that fit; a block that has taken everything is a whole one.
    pub fn nearest(self, at: Placed) -> Placed {
        match at.blocks {
            None => Placed::ALL,
            Some(blocks) if blocks >= self.resident => Placed::blocks(self.resident),
            Some(blocks) if at.resources >= self.resources => Placed::blocks(blocks + 1),
            Some(_) => at,
        }
    }
}

impl Session {
    /// The steps of the current launch.
    pub fn course(&self) -> Course {
        Course::new(self.arch(), &self.document.configuration.launch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fine_steps_go_to_the_refused_block_and_back_the_same_way() {
        let course = Course { resident: 2, resources: 3 };
        let mut seen = vec![Placed::blocks(0)];
        while seen[seen.len() - 1].blocks.is_some() {
            seen.push(course.next(seen[seen.len() - 1], true));
        }
        assert_eq!(seen.len(), 2 * 3 + 2);
        assert!(seen.windows(2).all(|pair| course.previous(pair[1], true) == pair[0]));
        assert_eq!(course.next(Placed::ALL, true), Placed::ALL);
    }

    #[test]
    fn a_whole_step_from_between_completes_or_takes_back_the_block() {
        let course = Course { resident: 2, resources: 3 };
        let between = Placed { blocks: Some(1), resources: 2 };
        assert_eq!(course.next(between, false), Placed::blocks(2));
        assert_eq!(course.previous(between, false), Placed::blocks(1));
    }
}
