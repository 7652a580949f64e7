//! Where the columns of the table are.

use super::model::Column;

/// One column: what it shows, its heading, and its place from the left edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub shows: Shows,
    pub left: f32,
    pub width: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shows {
    Name,
    Duration,
    Block,
    Registers,
    SharedMemory,
    Blocks,
    Limiters,
    Bar,
    Theoretical,
    Achieved,
    Waves,
    Tail,
}

impl Shows {
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Name => "Kernel",
            Self::Duration => "Time, µs",
            Self::Block => "Block",
            Self::Registers => "Regs",
            Self::SharedMemory => "Shared",
            Self::Blocks => "B",
            Self::Limiters => "Limit",
            Self::Bar => "Occupancy",
            Self::Theoretical => "Theor.",
            Self::Achieved => "Achieved",
            Self::Waves => "Waves",
            Self::Tail => "Tail ≤",
        }
    }

    /// The heading in full, for tooltips and screen readers.
    pub const fn explained(self) -> &'static str {
        match self {
            Self::Name => "Kernel name",
            Self::Duration => "Duration in microseconds",
            Self::Block => "Threads per block",
            Self::Registers => "Registers per thread",
            Self::SharedMemory => "Shared memory per block, static and dynamic, without the driver's reserve",
            Self::Blocks => "Blocks per SM",
            Self::Limiters => "What stops the next block",
            Self::Bar => "Achieved, where the gap goes, and theoretical occupancy, from 0 to 100 percent",
            Self::Theoretical => "Theoretical occupancy, percent",
            Self::Achieved => "Achieved occupancy, percent",
            Self::Waves => "Waves of the grid",
            Self::Tail => "Points of the gap that the tail can explain at most",
        }
    }

    pub const fn sorts_by(self) -> Option<Column> {
        match self {
            Self::Name => Some(Column::Name),
            Self::Duration => Some(Column::Duration),
            Self::Block => Some(Column::Block),
            Self::Registers => Some(Column::Registers),
            Self::SharedMemory => Some(Column::SharedMemory),
            Self::Blocks => Some(Column::Blocks),
            Self::Limiters => None,
            Self::Bar | Self::Tail => Some(Column::Gap),
            Self::Theoretical => Some(Column::Theoretical),
            Self::Achieved => Some(Column::Achieved),
            Self::Waves => Some(Column::Waves),
        }
    }

    pub const fn is_left_aligned(self) -> bool {
        matches!(self, Self::Name | Self::Limiters | Self::Bar)
    }
}

/// The fixed columns in the order in which they stand, with their widths and the order in which they give way, last first.
const FIXED: [(Shows, f32, u8); 10] = [
    (Shows::Duration, 78.0, 3),
    (Shows::Block, 58.0, 4),
    (Shows::Registers, 50.0, 5),
    (Shows::SharedMemory, 74.0, 7),
    (Shows::Blocks, 36.0, 8),
    (Shows::Limiters, 70.0, 2),
    (Shows::Theoretical, 60.0, 0),
    (Shows::Achieved, 72.0, 1),
    (Shows::Waves, 66.0, 6),
    (Shows::Tail, 72.0, 9),
];
const MIN_NAME: f32 = 190.0;
const MIN_BAR: f32 = 90.0;
const MAX_BAR: f32 = 210.0;
const GAP: f32 = 8.0;
const MARGIN: f32 = 16.0;

/// The columns that fit `width`, name first; what is least needed gives way where they do not.
pub fn columns(width: f32) -> Vec<Place> {
    let inner = width - 2.0 * MARGIN;
    let mut kept: Vec<(Shows, f32, u8)> = FIXED.to_vec();
    let taken = |kept: &[(Shows, f32, u8)]| kept.iter().map(|(_, width, _)| width + GAP).sum::<f32>();
    while kept.len() > 2 && taken(&kept) + MIN_NAME + MIN_BAR + GAP > inner {
        kept.sort_by_key(|(_, _, rank)| *rank);
        kept.pop();
    }
    kept.sort_by_key(|(shows, ..)| FIXED.iter().position(|(other, ..)| other == shows));
    let free = (inner - taken(&kept) - GAP).max(MIN_NAME);
    let bar = (free * 0.36).clamp(0.0, MAX_BAR);
    let bar = if bar < MIN_BAR { 0.0 } else { bar };
    place(&kept, free - bar, bar)
}

fn place(kept: &[(Shows, f32, u8)], name: f32, bar: f32) -> Vec<Place> {
    let mut left = MARGIN;
    let mut places = Vec::with_capacity(kept.len() + 2);
    let mut push = |shows: Shows, width: f32| {
        places.push(Place { shows, left, width });
        left += width + GAP;
    };
    push(Shows::Name, name);
    for (shows, width, _) in kept {
        if *shows == Shows::Theoretical && bar > 0.0 {
            push(Shows::Bar, bar);
        }
        push(*shows, *width);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stay_inside_and_do_not_overlap() {
        for width in [420.0, 560.0, 640.0, 800.0, 1000.0, 1400.0, 2200.0] {
            let places = columns(width);
            assert!(places.windows(2).all(|pair| pair[0].left + pair[0].width < pair[1].left), "{width}");
            let last = places.last().expect("a column");
            assert!(last.left + last.width <= width, "{width}");
        }
    }

    #[test]
    fn the_occupancies_stay_longest() {
        let shown: Vec<Shows> = columns(480.0).into_iter().map(|place| place.shows).collect();
        assert!(shown.contains(&Shows::Theoretical) && shown.contains(&Shows::Achieved) && !shown.contains(&Shows::Tail));
        assert_eq!(columns(1200.0).len(), 12);
    }
}
