//! Where the columns of the table are.

use super::columns;
use crate::session::TableColumn;

/// One column: what it shows, and its place from the left edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub column: TableColumn,
    pub left: f32,
    pub width: f32,
}

/// The places of all columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    pub places: Vec<Place>,
    /// At least the width that there is; more where chosen columns need it.
    pub width: f32,
}

const MAX_BAR: f32 = 230.0;
const GAP: f32 = 8.0;
const MARGIN: f32 = 16.0;

/// What is known before columns are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wish<'a> {
    /// The chosen columns; none is what fits.
    pub chosen: Option<&'a [TableColumn]>,
    pub is_grouped: bool,
    pub is_compared: bool,
}

/// Chosen columns are all there, and scroll where they do not fit. Where nobody chose, what is least needed gives way.
pub fn places(width: f32, wish: Wish<'_>) -> Places {
    let mut shown = match wish.chosen {
        Some(chosen) => chosen.iter().copied().filter(|column| wish.is_compared || !column.needs_baseline()).collect(),
        None => fitting(width, columns::defaults(wish.is_grouped, wish.is_compared)),
    };
    shown.push(TableColumn::Name);
    shown.sort_unstable();
    shown.dedup();
    let free = (width - taken(&shown)).max(0.0);
    place(&shown, free, width)
}

/// The first columns that fit; the three most needed in any case.
fn fitting(width: f32, mut columns: Vec<TableColumn>) -> Vec<TableColumn> {
    while columns.len() > 3 && taken(&columns) > width {
        columns.pop();
    }
    columns
}

fn taken(shown: &[TableColumn]) -> f32 {
    shown.iter().map(|column| columns::width(*column) + gap(*column)).sum::<f32>() + 2.0 * MARGIN
}

/// The room before a column: more between a number and words, which would touch otherwise.
const fn gap(column: TableColumn) -> f32 {
    match column {
        TableColumn::Name => 0.0,
        column if columns::is_left_aligned(column) => 2.0 * GAP,
        _ => GAP,
    }
}

fn place(shown: &[TableColumn], free: f32, available: f32) -> Places {
    let bar = if shown.contains(&TableColumn::Bar) { (free * 0.3).min(MAX_BAR - columns::width(TableColumn::Bar)) } else { 0.0 };
    let mut left = MARGIN;
    let place = |column: &TableColumn| {
        let more = match column {
            TableColumn::Name => free - bar,
            TableColumn::Bar => bar,
            _ => 0.0,
        };
        left += gap(*column);
        let place = Place { column: *column, left, width: columns::width(*column) + more };
        left += place.width;
        place
    };
    let places: Vec<Place> = shown.iter().map(place).collect();
    Places { places, width: (left + MARGIN).max(available) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: f32, wish: Wish<'_>) -> Vec<TableColumn> {
        places(width, wish).places.into_iter().map(|place| place.column).collect()
    }

    #[test]
    fn columns_stay_inside_and_do_not_overlap() {
        for width in [420.0, 560.0, 640.0, 800.0, 1000.0, 1400.0, 2200.0] {
            for is_compared in [false, true] {
                let places = places(width, Wish { is_compared, ..Wish::default() });
                assert!(places.places.windows(2).all(|pair| pair[0].left + pair[0].width < pair[1].left), "{width}");
                let last = places.places.last().expect("a column");
                assert!(last.left + last.width <= width, "{width}");
            }
        }
    }

    #[test]
    fn the_occupancies_stay_longest() {
        let narrow = shown(480.0, Wish::default());
        assert!(narrow.contains(&TableColumn::Theoretical) && narrow.contains(&TableColumn::Achieved));
        assert!(!narrow.contains(&TableColumn::Tail));
        assert_eq!(shown(1800.0, Wish::default()).len(), 17 - 1);
    }

    #[test]
    fn chosen_columns_are_all_there_in_their_order_and_scroll() {
        let chosen = [TableColumn::Waves, TableColumn::Grid, TableColumn::Gpu, TableColumn::Change];
        let wish = Wish { chosen: Some(&chosen), ..Wish::default() };
        assert_eq!(shown(300.0, wish), [TableColumn::Name, TableColumn::Gpu, TableColumn::Grid, TableColumn::Waves]);
        let width = places(300.0, wish).width;
        assert!((width - (190.0 + 150.0 + 84.0 + 64.0 + 4.0 * GAP + 2.0 * MARGIN)).abs() < 0.01, "{width}");
    }
}
