//! One kernel result: a launch with its name, shape, metrics and advice.
//!
//! What is not kept is passed over by its length: of some hundred metrics with thousands of instances, a few dozen numbers
//! are decoded. A value that is damaged is left out and noted; when the result itself cannot be gone through, all of it is.

use super::names::{MetricNames, Name};
use super::rules::{MAX_ITEMS, RuleResult, rules};
use super::values::{Value, name_index, value};
use super::wire::{Damage, Part};
use crate::fmt::counted;
use crate::import::columns::kernel_name;
use crate::import::launches::{Identity, Slot};
use crate::import::measures::whole;
use crate::import::metrics::Metric;
use crate::import::model::{Read, Severity};
use crate::import::notes::Topic;
use crate::import::numbers::Number;
use crate::import::position::Position;
use crate::import::reading::Reading;
use crate::import::text::excerpt;
use crate::units::Dim3;

/// Messages of advice that are kept of one launch; reports have up to some dozens.
const MAX_RULES: usize = 1000;

/// A result that was gone through once and found whole. Nothing of it is copied yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelResult<'a> {
    result: Part<'a>,
    mangled: Part<'a>,
    function: Part<'a>,
    demangled: Part<'a>,
    has_metrics: bool,
}

impl<'a> KernelResult<'a> {
    /// Goes through a result.
    ///
    /// # Errors
    /// When its fields do not fit into it.
    pub(super) fn new(result: Part<'a>) -> Result<Self, Damage> {
        let none = Part::of_file(&[]);
        let mut found = Self { result, mangled: none, function: none, demangled: none, has_metrics: false };
        for field in result.fields() {
            let field = field?;
            match (field.number, field.content.part()) {
                (5, Some(part)) => found.mangled = part,
                (6, Some(part)) => found.function = part,
                (7, Some(part)) => found.demangled = part,
                (13, Some(_)) => found.has_metrics = true,
                _ => {}
            }
        }
        Ok(found)
    }

    /// Whether it says nothing about a kernel.
    pub(super) const fn is_empty(&self) -> bool {
        !self.has_metrics && self.name().is_empty()
    }

    /// The demangled name. A function that was never mangled has none, and the profiler then prints the function's.
    const fn name(&self) -> Part<'a> {
        if !self.demangled.is_empty() {
            self.demangled
        } else if !self.function.is_empty() {
            self.function
        } else {
            self.mangled
        }
    }

    /// Makes a launch of it. Returns how many of its metrics are not kept.
    pub(super) fn read(self, id: u64, process_id: Option<u64>, names: &MetricNames<'_>, reading: &mut Reading) -> u64 {
        let name = self.name();
        let name = kernel_name(name.bytes, name.at(), reading);
        let launch = reading.launches.start_alone(Identity { id: Some(id), process_id, name, at: self.result.at(), ..Identity::default() });
        let mut num_other_metrics = 0;
        for field in self.result.fields().flatten() {
            let Some(part) = field.content.part() else { continue };
            match field.number {
                10 => reading.launches.get_mut(launch).identity.grid = shape(part, reading),
                11 => reading.launches.get_mut(launch).identity.block = shape(part, reading),
                13 => num_other_metrics += u64::from(!read_metric(part, names, launch, reading)),
                19 => add_rules(part, launch, reading),
                _ => {}
            }
        }
        num_other_metrics
    }
}

/// Notes a value that cannot be read.
fn note_damage(damage: Damage, reading: &mut Reading) {
    let message = || format!("this value is damaged and left out: {damage}");
    reading.notes.at(Topic::Damage, Severity::Warning, damage.at, message);
}

fn add_rules(part: Part<'_>, launch: usize, reading: &mut Reading) {
    let RuleResult { rules: new, num_left_out } = match rules(part) {
        Ok(result) => result,
        Err(damage) => return note_damage(damage, reading),
    };
    if num_left_out > 0 {
        let message = || {
            let left_out = counted(u64::try_from(num_left_out).unwrap_or(u64::MAX), "item");
            format!("this rule has more than {MAX_ITEMS} items; {left_out} after those left out")
        };
        reading.notes.at(Topic::Damage, Severity::Warning, part.at(), message);
    }
    let kept = &mut reading.launches.get_mut(launch).identity.rules;
    if kept.len() + new.len() <= MAX_RULES {
        kept.extend(new);
    } else {
        let message = || format!("the launch has more than {MAX_RULES} rules; these are left out");
        reading.notes.at(Topic::Damage, Severity::Warning, part.at(), message);
    }
}

/// Three extents. An extent that is not written is a 0, which no launch has: then there is no shape.
fn shape(part: Part<'_>, reading: &mut Reading) -> Option<Read<Dim3>> {
    match extents(part) {
        Ok(Some(shape)) => return Some(Read::exact(shape, part.at())),
        Ok(None) => {
            let message = || "these are not three extents from 1 to 4,294,967,295; left out".to_owned();
            reading.notes.at(Topic::Number, Severity::Warning, part.at(), message);
        }
        Err(damage) => note_damage(damage, reading),
    }
    None
}

fn extents(part: Part<'_>) -> Result<Option<Dim3>, Damage> {
    let mut extents = [0; 3];
    for field in part.fields() {
        let field = field?;
        let slot = usize::try_from(field.number).ok().and_then(|number| extents.get_mut(number - 1));
        if let (Some(slot), Some(extent)) = (slot, field.content.integer()) {
            // What does not fit is as impossible as the 0 that it becomes.
            *slot = u32::try_from(extent).unwrap_or(0);
        }
    }
    let [x, y, z] = extents;
    Ok((!extents.contains(&0)).then_some(Dim3::new(x, y, z)))
}

/// Reads a metric. Returns whether it is one that is kept.
fn read_metric(part: Part<'_>, names: &MetricNames<'_>, launch: usize, reading: &mut Reading) -> bool {
    let done = name_index(part).and_then(|index| match names.get(index) {
        Some((text, name)) => read_value(text, name, part, launch, reading).map(|()| true),
        None if names.contains(index) => Ok(false),
        None => {
            let message = || "a metric whose name the report does not have is left out".to_owned();
            reading.notes.at(Topic::Damage, Severity::Warning, part.at(), message);
            Ok(true)
        }
    });
    done.unwrap_or_else(|damage| {
        note_damage(damage, reading);
        true
    })
}

fn read_value(text: &[u8], name: Name, metric: Part<'_>, launch: usize, reading: &mut Reading) -> Result<(), Damage> {
    let (value, part) = value(metric)?;
    match (name, value) {
        (Name::Number(metric), Value::Number(number)) => keep(text, metric, number, part.at(), launch, reading),
        (Name::Product, Value::Text(bytes)) => {
            let device = Read::exact(String::from_utf8_lossy(bytes).into_owned(), part.at());
            reading.launches.get_mut(launch).identity.device_name = Some(device);
        }
        (Name::DeviceIndex, Value::Number(number)) => {
            let index = whole(number).and_then(|index| u32::try_from(index).ok());
            reading.launches.get_mut(launch).identity.device_index = index.map(|index| Read::exact(index, part.at()));
        }
        (Name::Number(_) | Name::DeviceIndex, Value::Text(bytes)) => {
            let message = || format!("{} is \"{}\", which is not a number", excerpt(text, 80), excerpt(bytes, 40));
            reading.notes.at(Topic::Number, Severity::Warning, part.at(), message);
        }
        (_, Value::Missing) | (Name::Product, Value::Number(_)) => {}
    }
    Ok(())
}

/// Keeps a number, which is stored in full and in base units.
fn keep(text: &[u8], metric: Metric, value: f64, at: Position, launch: usize, reading: &mut Reading) {
    let number = Number { value, half_step: 0.0 };
    reading.keep(launch, metric, text, Slot { number, at, is_scaled: false, rank: metric.rank });
}
