//! Values as people write them: a size, a shape, a choice. A number may also be written as text.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::engine::{CachePreference, LaunchBounds, PartitionedCaching};
use crate::session::document::{Chart, GpuChoice};
use crate::session::table::TableColumn;
use crate::units::{Dim3, KIB, parse_size_bytes};

/// Something with a way to be written in one word or two.
pub(super) trait Written: Sized {
    const EXPECTED: &'static str;
    fn parse(text: &str) -> Option<Self>;
    fn text(&self) -> String;
    /// A number is written as one.
    fn number(&self) -> Option<u64> {
        None
    }
}

/// A value that is saved the way it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct As<T>(pub T);

impl<T: Written> Serialize for As<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.number() {
            Some(number) => serializer.serialize_u64(number),
            None => serializer.serialize_str(&self.0.text()),
        }
    }
}

impl<'de, T: Written> Deserialize<'de> for As<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Of<T>(PhantomData<T>);
        impl<T: Written> Visitor<'_> for Of<T> {
            type Value = As<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<As<T>, E> {
                T::parse(text).map(As).ok_or_else(|| E::custom(format!("found \"{}\", expected {}", text.escape_debug(), T::EXPECTED)))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<As<T>, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<As<T>, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<As<T>, E> {
                self.visit_str(if value { "true" } else { "false" })
            }
        }
        deserializer.deserialize_any(Of(PhantomData))
    }
}

impl Written for u32 {
    const EXPECTED: &'static str = "a whole number, such as 64";
    fn parse(text: &str) -> Option<Self> {
        text.trim().replace(['_', ','], "").parse().ok()
    }
    fn text(&self) -> String {
        self.to_string()
    }
    fn number(&self) -> Option<u64> {
        Some((*self).into())
    }
}

impl Written for bool {
    const EXPECTED: &'static str = "true or false";
    fn parse(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }
    fn text(&self) -> String {
        self.to_string()
    }
}

/// A size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size(pub u64);

impl Written for Size {
    const EXPECTED: &'static str = "a size, such as \"48 KiB\" or 49152";
    fn parse(text: &str) -> Option<Self> {
        parse_size_bytes(text).ok().map(Self)
    }
    fn text(&self) -> String {
        if self.0 > 0 && self.0.is_multiple_of(KIB) { format!("{} KiB", self.0 / KIB) } else { format!("{} B", self.0) }
    }
}

impl Written for Dim3 {
    const EXPECTED: &'static str = "a shape, such as 256 or \"16x16\"";
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn text(&self) -> String {
        match self {
            Self { x, y: 1, z: 1 } => x.to_string(),
            Self { x, y, z: 1 } => format!("{x}x{y}"),
            Self { x, y, z } => format!("{x}x{y}x{z}"),
        }
    }
    fn number(&self) -> Option<u64> {
        self.is_linear().then_some(self.x.into())
    }
}

impl Written for LaunchBounds {
    const EXPECTED: &'static str = "threads, or threads and blocks: 256 or \"256, 4\"";
    fn parse(text: &str) -> Option<Self> {
        let (threads, blocks) = text.split_once(',').map_or((text, None), |(threads, blocks)| (threads, Some(blocks)));
        let blocks = blocks.map(|blocks| blocks.trim().parse().ok());
        Some(Self {
            max_threads_per_block: threads.trim().parse().ok()?,
            min_blocks_per_sm: if let Some(blocks) = blocks { Some(blocks?) } else { None },
        })
    }
    fn text(&self) -> String {
        match self.min_blocks_per_sm {
            Some(blocks) => format!("{}, {blocks}", self.max_threads_per_block),
            None => self.max_threads_per_block.to_string(),
        }
    }
}

impl Written for GpuChoice {
    const EXPECTED: &'static str = "a GPU, such as \"RTX 4090\" or \"8.0\"";
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.parse() {
            Ok(capability) => Some(Self::Capability(capability)),
            Err(_) if text.is_empty() => None,
            Err(_) => Some(Self::Product(text.to_owned())),
        }
    }
    fn text(&self) -> String {
        match self {
            Self::Product(name) => name.clone(),
            Self::Capability(capability) => capability.to_string(),
        }
    }
}

/// A choice among words.
macro_rules! words {
    ($type:ty, $expected:literal, $($word:literal => $value:path),+ $(,)?) => {
        impl Written for $type {
            const EXPECTED: &'static str = $expected;
            fn parse(text: &str) -> Option<Self> {
                match text.trim() {
                    $($word => Some($value),)+
                    _ => None,
                }
            }
            fn text(&self) -> String {
                match self {
                    $($value => $word.to_owned(),)+
                }
            }
        }
    };
}

words!(CachePreference, "none, shared, l1 or equal",
    "none" => CachePreference::None, "shared" => CachePreference::SharedMemory, "l1" => CachePreference::L1, "equal" => CachePreference::Equal);
words!(PartitionedCaching, "off, on or strict",
    "off" => PartitionedCaching::Off, "on" => PartitionedCaching::On, "strict" => PartitionedCaching::Strict);
words!(Chart, "heatmap, curves or compare", "heatmap" => Chart::Heatmap, "curves" => Chart::Curves, "compare" => Chart::Compare);
words!(TableColumn, "a column of the table of kernels, such as achieved",
    "name" => TableColumn::Name,
    "change" => TableColumn::Change,
    "launches" => TableColumn::Launches,
    "duration" => TableColumn::Duration,
    "duration_change" => TableColumn::DurationChange,
    "time_share" => TableColumn::TimeShare,
    "gpu" => TableColumn::Gpu,
    "block" => TableColumn::Block,
    "grid" => TableColumn::Grid,
    "registers" => TableColumn::Registers,
    "registers_change" => TableColumn::RegistersChange,
    "shared_memory" => TableColumn::SharedMemory,
    "blocks" => TableColumn::Blocks,
    "limiters" => TableColumn::Limiters,
    "bar" => TableColumn::Bar,
    "theoretical" => TableColumn::Theoretical,
    "theoretical_change" => TableColumn::TheoreticalChange,
    "grid_limited" => TableColumn::GridLimited,
    "achieved" => TableColumn::Achieved,
    "achieved_change" => TableColumn::AchievedChange,
    "gap" => TableColumn::Gap,
    "tail" => TableColumn::Tail,
    "waves" => TableColumn::Waves,
);

pub(super) use words;
