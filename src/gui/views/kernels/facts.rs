//! What one row of the table says, in numbers and in words.

use super::model;
use crate::arch::Arch;
use crate::engine::{Gap, Resource, ResourceSet, Waves};
use crate::export::Value;
use crate::fmt::{grouped, one_decimal, signed_points, size_number};
use crate::import::Kernel;
use crate::import::account::Account;
use crate::session::groups::{self, Change, Group};
use crate::session::{OpenReport, TableColumn};

/// A launch or a group.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub file: &'a OpenReport,
    pub kernel: &'a Kernel,
    pub account: &'a Account,
    pub group: Option<&'a Group>,
    /// All durations of its file.
    pub total_ns: f64,
}

impl<'a> Facts<'a> {
    pub fn launches(&self) -> u64 {
        self.group.map_or_else(|| groups::num_launches(self.kernel), |group| group.launches)
    }

    pub fn achieved_percent(&self) -> Option<f64> {
        self.group.map_or(self.account.achieved_percent, |group| group.achieved_percent)
    }

    pub fn duration_ns(&self) -> Option<f64> {
        self.group.map_or_else(|| groups::duration_ns(self.kernel), |group| group.duration_ns)
    }

    pub fn share_percent(&self) -> Option<f64> {
        self.duration_ns().filter(|_| self.total_ns > 0.0).map(|ns| ns * 100.0 / self.total_ns)
    }

    pub fn gap(&self) -> Option<&'a Gap> {
        self.group.map_or(self.account.gap.as_ref(), |group| group.gap.as_ref())
    }

    pub fn gap_points(&self) -> Option<f64> {
        self.gap().map(|gap| gap.theoretical - gap.achieved)
    }

    pub fn limiters(&self) -> ResourceSet {
        self.account.limiters(self.kernel)
    }

    pub fn change(&self) -> Option<&'a Change> {
        self.group.and_then(|group| group.change.as_ref())
    }

    /// What [`Self::achieved_percent`] is of several launches: "median", "mean"; none for a single one.
    pub fn achieved_kind(&self) -> Option<&'static str> {
        let group = self.group.filter(|group| group.members.len() > 1)?;
        Some(if group.change.as_ref().is_some_and(|change| change.pair().is_some()) { "mean" } else { "median" })
    }

    pub fn gpu(&self) -> Option<String> {
        gpu_name(self.kernel, self.account)
    }

    /// What the column is sorted by; none comes last.
    #[expect(clippy::cast_precision_loss, reason = "an order of sizes")]
    pub fn number(&self, column: TableColumn) -> Option<f64> {
        use TableColumn as C;
        let (kernel, account) = (self.kernel, self.account);
        let pair = || self.change().and_then(Change::pair);
        let moved = |of: fn(&crate::import::compare::Group) -> Option<f64>| Some(of(&pair()?.new)? - of(&pair()?.old)?);
        match column {
            C::Name | C::Gpu => None,
            // In the order of their names in filters; of several, the first.
            C::Limiters => Resource::ALL.into_iter().position(|resource| self.limiters().contains(resource)).map(|place| place as f64),
            C::Change => Some(match self.change()? {
                Change::Changed(_) => 0.0,
                Change::New => 1.0,
                Change::Gone => 2.0,
                Change::Same(_) => 3.0,
            }),
            C::Launches => Some(self.launches() as f64),
            C::Duration => self.duration_ns(),
            C::DurationChange => self.change()?.duration_percent(),
            C::TimeShare => self.share_percent(),
            C::Block => kernel.threads_per_block().map(|read| read.value as f64),
            C::Grid => kernel.num_blocks().map(|read| read.value as f64),
            C::Registers => kernel.registers_per_thread.map(|read| read.value.into()),
            C::RegistersChange => moved(|group| group.registers_per_thread.map(f64::from)),
            C::SharedMemory => model::smem(kernel).map(|bytes| bytes as f64),
            C::Blocks => account.blocks_per_sm.map(f64::from),
            C::Theoretical => account.theoretical_percent,
            C::TheoreticalChange => moved(|group| group.theoretical_percent),
            C::GridLimited => account.waves.as_ref().map(Waves::grid_limited_percent),
            C::Achieved => self.achieved_percent(),
            C::AchievedChange => moved(|group| group.achieved_percent),
            C::Bar | C::Gap => self.gap_points(),
            C::Tail => self.gap().map(|gap| gap.tail_up_to),
            C::Waves => account.waves.as_ref().map(Waves::waves),
        }
    }

    /// The text of a cell that is only text; "–" for what is not known.
    pub fn text(&self, column: TableColumn) -> String {
        use TableColumn as C;
        let number = self.number(column);
        let text = match column {
            C::Name => Some(self.kernel.name.clone()),
            C::Gpu => self.gpu(),
            C::Change => self.change().map(|change| change.word().to_owned()),
            C::Limiters => Some(self.limiters().iter().map(Resource::name).collect::<Vec<_>>().join(", ")),
            C::Tail => Some(model::tail_text(self.gap())),
            C::Duration => number.map(microseconds),
            C::SharedMemory => model::smem(self.kernel).map(size_number),
            C::Launches => Some(grouped(self.launches())),
            C::Block => self.kernel.threads_per_block().map(|read| grouped(read.value)),
            C::Grid => self.kernel.num_blocks().map(|read| grouped(read.value)),
            C::Registers | C::Blocks => number.map(|number| number.to_string()),
            C::RegistersChange | C::DurationChange | C::TheoreticalChange | C::AchievedChange => number.map(signed_points),
            C::Waves => number.map(|waves| format!("{waves:.2}")),
            C::Theoretical | C::GridLimited | C::Achieved => number.map(|percent| self.in_unit(percent)),
            C::TimeShare | C::Bar | C::Gap => number.map(one_decimal),
        };
        text.unwrap_or_else(|| "–".to_owned())
    }

    /// An occupancy without its unit, with one decimal always, so that a column of them stands straight.
    fn in_unit(&self, percent: f64) -> String {
        let most = self.account.arch.as_ref().map(Arch::max_warps_per_sm).filter(|_| crate::fmt::in_warps());
        one_decimal(most.map_or(percent, |most| percent / 100.0 * f64::from(most)))
    }

    /// For a file: in base units, but for times, which are in microseconds as on screen.
    pub fn value(&self, column: TableColumn) -> Option<Value> {
        use TableColumn as C;
        match column {
            C::Name | C::Change => Some(Value::Text(self.text(column))).filter(|_| column == C::Name || self.change().is_some()),
            C::Gpu => self.gpu().map(Value::Text),
            C::Limiters => Some(self.limiters().joined_keys()).filter(|keys| !keys.is_empty()).map(Value::Text),
            C::Launches => Some(Value::Count(self.launches())),
            C::Block => self.kernel.threads_per_block().map(|read| Value::Count(read.value)),
            C::Grid => self.kernel.num_blocks().map(|read| Value::Count(read.value)),
            C::Registers => self.kernel.registers_per_thread.map(|read| Value::Count(read.value.into())),
            C::SharedMemory => model::smem(self.kernel).map(Value::Bytes),
            C::Blocks => self.account.blocks_per_sm.map(|blocks| Value::Count(blocks.into())),
            C::Duration => self.duration_ns().map(|ns| Value::Real(ns / 1000.0)),
            C::Waves => self.number(column).map(Value::Real),
            _ => self.number(column).map(Value::Percent),
        }
    }

    /// The row in words, for tooltips.
    pub fn in_words(&self) -> String {
        let percent = |value: Option<f64>, name: &str| {
            value.map_or_else(|| format!("no {name} value in this report"), |value| format!("{name} {}", self.account.figure(value)))
        };
        let kind = self.achieved_kind().map(|kind| format!(" ({kind} of {})", grouped(self.launches()))).unwrap_or_default();
        let occupancies = [percent(self.account.theoretical_percent, "theoretical"), percent(self.achieved_percent(), "achieved")];
        let since = self.change().map(|change| format!("\nSince the baseline: {}", change.in_words())).unwrap_or_default();
        let shape =
            |shape: Option<crate::import::Read<crate::units::Dim3>>| shape.map_or_else(|| "–".to_owned(), |read| read.value.to_string());
        let shapes = format!("block {}, grid {}", shape(self.kernel.block), shape(self.kernel.grid));
        format!("{}\n{shapes}\n{}{kind}{since}", self.kernel.name, occupancies.join(", "))
    }

    /// The row for screen readers.
    pub fn label(&self) -> String {
        let is_several = self.group.is_some_and(|group| group.members.len() > 1);
        let several = is_several.then(|| counted_launches(self.launches()));
        let change = self.change().map(|change| change.word().to_owned());
        [Some(self.kernel.name.clone()), several, change].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// "1 launch", "3 launches".
pub fn counted_launches(launches: u64) -> String {
    format!("{} {}", grouped(launches), if launches == 1 { "launch" } else { "launches" })
}

/// The product, or the compute capability; none when the report names neither.
pub fn gpu_name(kernel: &Kernel, account: &Account) -> Option<String> {
    let product = account.gpu.as_ref().map(|gpu| gpu.name.clone());
    let named = || kernel.device_name.as_ref().map(|read| read.value.clone());
    let capability = || account.arch.as_ref().map(|arch| format!("CC {}", arch.compute_capability));
    product.or_else(named).or_else(capability).or_else(|| kernel.compute_capability.map(|read| format!("CC {}", read.value)))
}

/// Nanoseconds as microseconds with one decimal and grouped thousands: "30,860.0".
pub fn microseconds(nanoseconds: f64) -> String {
    let text = one_decimal(nanoseconds / 1000.0);
    match text.split_once('.') {
        Some((whole, decimal)) => whole.parse().map_or_else(|_| text.clone(), |whole| format!("{}.{decimal}", grouped(whole))),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_microseconds_with_their_thousands_apart() {
        assert_eq!(microseconds(30_860_000.0), "30,860.0");
        assert_eq!(microseconds(412_608.0), "412.6");
    }
}
