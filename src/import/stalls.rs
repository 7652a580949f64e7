//! What warps wait for, in NVIDIA's names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::Read;

/// Why a warp did not issue its next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StallReason {
    Barrier,
    BranchResolving,
    DispatchStall,
    Drain,
    Gmma,
    ImcMiss,
    LgThrottle,
    LongScoreboard,
    MathPipeThrottle,
    Membar,
    MioThrottle,
    Misc,
    NoInstruction,
    NotSelected,
    /// Not a stall: the warp issued.
    Selected,
    ShortScoreboard,
    Sleeping,
    TexThrottle,
    Wait,
}

impl StallReason {
    /// As the profiler names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Barrier => "Stall Barrier",
            Self::BranchResolving => "Stall Branch Resolving",
            Self::DispatchStall => "Stall Dispatch",
            Self::Drain => "Stall Drain",
            Self::Gmma => "Stall GMMA",
            Self::ImcMiss => "Stall IMC Miss",
            Self::LgThrottle => "Stall LG Throttle",
            Self::LongScoreboard => "Stall Long Scoreboard",
            Self::MathPipeThrottle => "Stall Math Pipe Throttle",
            Self::Membar => "Stall Membar",
            Self::MioThrottle => "Stall MIO Throttle",
            Self::Misc => "Stall Misc",
            Self::NoInstruction => "Stall No Instruction",
            Self::NotSelected => "Stall Not Selected",
            Self::Selected => "Selected",
            Self::ShortScoreboard => "Stall Short Scoreboard",
            Self::Sleeping => "Stall Sleeping",
            Self::TexThrottle => "Stall Tex Throttle",
            Self::Wait => "Stall Wait",
        }
    }

    /// What the warps wait for, to follow "warps wait".
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Barrier => "for other warps of their block at a barrier",
            Self::BranchResolving => "for the target of a branch",
            Self::DispatchStall => "for the dispatcher",
            Self::Drain => "for their last stores to leave before they exit",
            Self::Gmma => "for matrix operations of a warp group",
            Self::ImcMiss => "for constants that miss their cache",
            Self::LgThrottle => "for room in the queue of global and local memory",
            Self::LongScoreboard => "for data from global, local or texture memory",
            Self::MathPipeThrottle => "for a free arithmetic pipe",
            Self::Membar => "at a memory fence",
            Self::MioThrottle => "for room in the queue of shared memory and special functions",
            Self::Misc => "for other reasons",
            Self::NoInstruction => "for instructions to be fetched",
            Self::NotSelected => "although ready, because another warp was chosen",
            Self::Selected => "for nothing: they issue",
            Self::ShortScoreboard => "for data from shared memory or special functions",
            Self::Sleeping => "in a sleep that the program asked for",
            Self::TexThrottle => "for room in the queue of texture memory",
            Self::Wait => "out the fixed latency of the instruction before",
        }
    }

    /// Whether more resident warps are the usual remedy: the wait is a latency that other warps can fill.
    pub const fn is_latency(self) -> bool {
        matches!(
            self,
            Self::LongScoreboard | Self::ShortScoreboard | Self::Wait | Self::BranchResolving | Self::ImcMiss | Self::NoInstruction
        )
    }
}

/// Warp-cycles for each instruction that was issued, by what the warps did in them. Empty where the report has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stalls(pub BTreeMap<StallReason, Read<f64>>);

impl Stalls {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The reason that most warp-cycles went to, and its share of all of them in percent. None when nothing stalled.
    pub fn dominant(&self) -> Option<(StallReason, f64)> {
        let total: f64 = self.0.values().map(|read| read.value.max(0.0)).sum();
        let stalled = self.0.iter().filter(|(reason, _)| **reason != StallReason::Selected);
        let (reason, most) = stalled.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
        (most.value > 0.0).then(|| (*reason, 100.0 * most.value / total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::position::Position;

    fn stalls(list: &[(StallReason, f64)]) -> Stalls {
        Stalls(list.iter().map(|(reason, value)| (*reason, Read::exact(*value, Position::default()))).collect())
    }

    #[test]
    fn issuing_is_no_stall() {
        let (reason, share) =
            stalls(&[(StallReason::Selected, 6.0), (StallReason::Wait, 3.0), (StallReason::Drain, 1.0)]).dominant().unwrap();
        assert_eq!((reason, share), (StallReason::Wait, 30.0));
    }

    #[test]
    fn without_a_stall_none_is_dominant() {
        assert_eq!(stalls(&[(StallReason::Selected, 1.0), (StallReason::Wait, 0.0)]).dominant(), None);
        assert_eq!(Stalls::default().dominant(), None);
    }
}
