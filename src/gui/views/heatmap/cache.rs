//! Tables are worked out once and kept until one of their inputs changes.

use super::model::Table;
use super::scale::Scale;
use super::zoom::Window;
use crate::arch::Arch;
use crate::engine::Launch;

/// A table and what it was made from.
#[derive(Clone, Debug)]
struct Kept {
    arch: Arch,
    other: Option<Arch>,
    launch: Launch,
    table: Table,
}

/// The table of the whole axes, and that of the part that is shown while zoomed in.
#[derive(Clone, Debug, Default)]
pub struct Cached {
    whole: Option<Kept>,
    part: Option<Kept>,
}

impl Cached {
    /// The tables of these inputs, the whole first: those kept when nothing changed, else new ones.
    pub fn refresh(
        &mut self,
        arch: &Arch,
        other: Option<&Arch>,
        launch: &Launch,
        whole: [Scale; 2],
        shown: &[Window; 2],
    ) -> (&Table, &Table) {
        let shown = [shown[0].scale, shown[1].scale];
        if shown == whole {
            self.part = None;
        } else {
            refresh(&mut self.part, arch, other, launch, shown);
        }
        let whole = refresh(&mut self.whole, arch, other, launch, whole);
        (whole, self.part.as_ref().map_or(whole, |part| &part.table))
    }
}

fn refresh<'k>(kept: &'k mut Option<Kept>, arch: &Arch, other: Option<&Arch>, launch: &Launch, [x, y]: [Scale; 2]) -> &'k Table {
    let is_fresh = |kept: &Kept| {
        kept.table.x == x && kept.table.y == y && kept.launch == *launch && kept.arch == *arch && kept.other.as_ref() == other
    };
    if !kept.as_ref().is_some_and(is_fresh) {
        *kept = None;
    }
    let make = || Kept {
        arch: arch.clone(),
        other: other.cloned(),
        launch: launch.clone(),
        table: Table::new(arch, launch, x, y).beside(other, launch),
    };
    &kept.get_or_insert_with(make).table
}

#[cfg(test)]
mod tests {
    use super::super::{Axes, zoom::Zoom};
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn a_change_makes_a_new_table() {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        let mut cache = Cached::default();
        let mut present = |launch: &Launch, factor: f64| {
            let extents = Axes::RegistersByThreads.extents(arch, launch);
            let windows = Zoom::default().zoomed(&extents, factor, [0.0, 0.0]).windows(&extents);
            let (whole, shown) = cache.refresh(arch, None, launch, extents.map(|extent| extent.whole), &windows);
            (whole.present_cell(), shown.present_cell())
        };
        assert_eq!(present(&Launch::new(256, 64), 1.0), (Some((7, 7)), Some((7, 7))));
        assert_eq!(present(&Launch::new(256, 64), 2.0), (Some((7, 7)), Some((15, 15))));
        assert_eq!(present(&Launch::new(256, 64), 8.0), (Some((7, 7)), None));
        assert_eq!(present(&Launch::new(512, 32), 1.0), (Some((3, 15)), Some((3, 15))));
    }
}
