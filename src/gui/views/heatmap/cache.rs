//! The table is worked out once and kept until one of its inputs changes.

use super::Axes;
use super::model::Table;
use crate::arch::Arch;
use crate::engine::Launch;

/// The table and what it was made from.
#[derive(Clone, Debug)]
pub struct Cached {
    arch: Arch,
    other: Option<Arch>,
    launch: Launch,
    axes: Axes,
    pub table: Table,
}

impl Cached {
    /// The table of these inputs: the one in `cache` when nothing changed, else a new one.
    pub fn refresh<'c>(cache: &'c mut Option<Self>, arch: &Arch, other: Option<&Arch>, launch: &Launch, axes: Axes) -> &'c Table {
        let fresh = cache.as_ref().is_some_and(|cached| {
            cached.axes == axes && cached.launch == *launch && cached.arch == *arch && cached.other.as_ref() == other
        });
        if !fresh {
            *cache = None;
        }
        let make = || Self {
            arch: arch.clone(),
            other: other.cloned(),
            launch: launch.clone(),
            axes,
            table: Table::new(arch, launch, axes).beside(other, launch),
        };
        &cache.get_or_insert_with(make).table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn a_change_makes_a_new_table() {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        let mut cache = None;
        let mut present = |launch: &Launch| Cached::refresh(&mut cache, arch, None, launch, Axes::RegistersByThreads).present_cell();
        assert_eq!(present(&Launch::new(256, 64)), Some((7, 7)));
        assert_eq!(present(&Launch::new(256, 64)), Some((7, 7)));
        assert_eq!(present(&Launch::new(512, 32)), Some((3, 15)));
    }
}
