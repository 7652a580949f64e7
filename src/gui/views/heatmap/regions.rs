//! Where a limiter's letters have room: the roomiest rectangle in each patch of cells that the same resources limit.

use crate::engine::ResourceSet;

/// A rectangle of cells with the same limiters; columns and rows from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LetterSpot {
    pub limiters: ResourceSet,
    pub first: (usize, usize),
    pub last: (usize, usize),
}

impl LetterSpot {
    /// Room for letters: first the smaller extent, with cells taken as twice as wide as high, then the area.
    fn room(&self) -> (usize, usize) {
        let (width, height) = (self.last.0 + 1 - self.first.0, self.last.1 + 1 - self.first.1);
        ((2 * width).min(height), width * height)
    }
}

/// One spot per connected patch, in the order in which the patches begin.
pub fn letter_spots(columns: usize, rows: usize, limiters: impl Fn(usize, usize) -> Option<ResourceSet>) -> Vec<LetterSpot> {
    let sets: Vec<Option<ResourceSet>> = (0..columns * rows).map(|at| limiters(at % columns, at / columns)).collect();
    let (patches, count) = patches(columns, rows, &sets);
    let mut best: Vec<Option<LetterSpot>> = vec![None; count];
    // `heights[x]`: cells of the same patch straight below, this row included.
    let mut heights = vec![0usize; columns];
    for row in 0..rows {
        for (column, height) in heights.iter_mut().enumerate() {
            let at = row * columns + column;
            let same_below = row > 0 && patches[at].is_some() && patches[at] == patches[at - columns];
            *height = if same_below { *height + 1 } else { 1 };
        }
        for column in 0..columns {
            let at = row * columns + column;
            let (Some(patch), Some(limiters)) = (patches[at], sets[at]) else { continue };
            let mut height = usize::MAX;
            for left in (0..=column).rev() {
                if patches[row * columns + left] != Some(patch) {
                    break;
                }
                height = height.min(heights[left]);
                let spot = LetterSpot { limiters, first: (left, row + 1 - height), last: (column, row) };
                if best[patch].is_none_or(|best| spot.room() > best.room()) {
                    best[patch] = Some(spot);
                }
            }
        }
    }
    best.into_iter().flatten().collect()
}

/// Numbers the patches of equal neighbours; cells without limiters belong to none.
fn patches(columns: usize, rows: usize, sets: &[Option<ResourceSet>]) -> (Vec<Option<usize>>, usize) {
    let mut patches = vec![None; sets.len()];
    let mut count = 0;
    for start in 0..sets.len() {
        if sets[start].is_none() || patches[start].is_some() {
            continue;
        }
        let mut open = vec![start];
        patches[start] = Some(count);
        while let Some(at) = open.pop() {
            let (column, row) = (at % columns, at / columns);
            let left = (column > 0).then(|| at - 1);
            let right = (column + 1 < columns).then(|| at + 1);
            let below = (row > 0).then(|| at - columns);
            let above = (row + 1 < rows).then(|| at + columns);
            for next in [left, right, below, above].into_iter().flatten() {
                if patches[next].is_none() && sets[next] == sets[start] {
                    patches[next] = Some(count);
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    (patches, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Resource;

    #[test]
    fn the_largest_rectangle_of_each_patch_is_found() {
        // Rows from the lowest: R R W / R R W / . R W
        let limiters = |column: usize, row: usize| match (column, row) {
            (0, 2) => None,
            (2, _) => Some(ResourceSet::from_iter([Resource::Warps])),
            _ => Some(ResourceSet::from_iter([Resource::Registers])),
        };
        let spots = letter_spots(3, 3, limiters);
        let rectangles: Vec<_> = spots.iter().map(|spot| (spot.first, spot.last)).collect();
        assert_eq!(rectangles, [((0, 0), (1, 1)), ((2, 0), (2, 2))]);
    }
}
