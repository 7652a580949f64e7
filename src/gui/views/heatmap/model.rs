//! What the heatmap shows: the answer of every cell, worked out once per change of its inputs.

use std::cell::OnceCell;

use super::regions::{self, LetterSpot};
use super::scale::Scale;
use super::zoom::Extent;
use super::{Axes, Mode};
use crate::arch::Arch;
use crate::engine::sweep::{self, Cell, Variable};
use crate::engine::{Launch, ResourceSet};

/// The answers of all cells, row-major from the lowest row.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub x: Scale,
    pub y: Scale,
    pub max_warps_per_sm: u32,
    most_blocks: u32,
    cells: Vec<Cell>,
    /// Theoretical occupancy of the same launches on another GPU, 0 to 100; none where they cannot run.
    other: Option<Vec<Option<f64>>>,
    /// Neighbours with different numbers of blocks per SM.
    pub cliffs: Vec<Cliff>,
    /// Worked out when it is asked for: one mode alone draws it.
    letters: OnceCell<Vec<LetterSpot>>,
}

/// Two neighbouring cells, as (column, row), with different numbers of blocks per SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cliff {
    pub cell: (usize, usize),
    /// The cell to the right, or the one above.
    pub other: (usize, usize),
}

/// The last values of ramps that depend on the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The largest difference in points, rounded up to a quarter.
    pub difference: f64,
    pub most_blocks: u32,
}

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    CannotLaunch,
    /// A share of the occupancy ramp, 0 to 1.
    Ramp(f64),
    /// A share of the difference ramp, −1 to 1.
    Diverging(f64),
    Limiters(ResourceSet),
    /// Launches here, not on the other GPU.
    OnlyHere,
    /// Launches on the other GPU, not here.
    OnlyThere,
    /// At least as good as the present launch, with at most its resources along both axes.
    AsGoodWithFewer,
    /// At least as good as the present launch, with more along an axis.
    AsGoodWithMore,
    Worse,
}

impl Axes {
    /// The variables along x and y.
    pub const fn variables(self) -> (Variable, Variable) {
        match self {
            Self::RegistersByThreads => (Variable::RegistersPerThread, Variable::ThreadsPerBlock),
            Self::DynamicSmemByThreads => (Variable::DynamicSmem, Variable::ThreadsPerBlock),
            Self::RegistersByDynamicSmem => (Variable::RegistersPerThread, Variable::DynamicSmem),
        }
    }

    /// The whole axes, x first.
    pub fn extents(self, arch: &Arch, launch: &Launch) -> [Extent; 2] {
        let (x, y) = self.variables();
        [x, y].map(|variable| Extent::new(variable, arch, launch))
    }

    /// What a launch has along both, x first.
    pub fn values(self, launch: &Launch) -> [u64; 2] {
        let (x, y) = self.variables();
        [x.get(launch), y.get(launch)]
    }
}

impl Table {
    pub fn new(arch: &Arch, launch: &Launch, x: Scale, y: Scale) -> Self {
        let cells = cells(arch, launch, &x, &y);
        let most_blocks = cells.iter().map(|cell| cell.blocks_per_sm).max().unwrap_or(0);
        let mut table = Self {
            x,
            y,
            most_blocks,
            max_warps_per_sm: arch.max_warps_per_sm(),
            cells,
            other: None,
            cliffs: Vec::new(),
            letters: OnceCell::new(),
        };
        table.cliffs = cliffs(&table);
        table
    }

    /// Where the letters of limiters have room.
    pub fn letters(&self) -> &[LetterSpot] {
        self.letters.get_or_init(|| {
            regions::letter_spots(self.x.len(), self.y.len(), |column, row| {
                let cell = self.cell(column, row);
                (cell.blocks_per_sm > 0).then(|| cell.binding())
            })
        })
    }

    /// With the answers of the same launches on another GPU.
    pub fn beside(mut self, other: Option<&Arch>, launch: &Launch) -> Self {
        self.other = other.map(|other| {
            let percent = |cell: &Cell| f64::from(cell.active_warps_per_sm()) * 100.0 / f64::from(other.max_warps_per_sm());
            let cells = cells(other, launch, &self.x, &self.y);
            cells.iter().map(|cell| (cell.blocks_per_sm > 0).then(|| percent(cell))).collect()
        });
        self
    }

    /// Occupancy on the other GPU; none without one, and where it cannot launch.
    pub fn other_percent(&self, (column, row): (usize, usize)) -> Option<f64> {
        self.other.as_ref().and_then(|other| other[row * self.x.len() + column])
    }

    /// # Panics
    /// When there is no such cell.
    pub fn cell(&self, column: usize, row: usize) -> &Cell {
        &self.cells[row * self.x.len() + column]
    }

    /// Theoretical occupancy of a cell, 0 to 100.
    pub fn percent(&self, cell: &Cell) -> f64 {
        f64::from(cell.active_warps_per_sm()) * 100.0 / f64::from(self.max_warps_per_sm)
    }

    /// The cell of the present launch; none when one of its values lies beyond the chart.
    pub fn present_cell(&self) -> Option<(usize, usize)> {
        self.x.present_cell().zip(self.y.present_cell())
    }

    /// The launch that a cell stands for: present values stay where the cell holds them.
    pub fn launch_at(&self, launch: &Launch, (column, row): (usize, usize)) -> Launch {
        launch_of(launch, &self.x, &self.y, column, row)
    }

    /// Where the ramps of `mode` end. Asked of the table of the whole axes, so that zooming changes no color.
    pub fn ends(&self, mode: Mode, reference: f64) -> Ends {
        let difference = match mode {
            Mode::OtherGpu => self.other_end(),
            Mode::Difference => self.difference_end(reference),
            _ => 100.0,
        };
        Ends { difference, most_blocks: self.most_blocks }
    }

    fn difference_end(&self, reference: f64) -> f64 {
        let launchable = self.cells.iter().filter(|cell| cell.blocks_per_sm > 0);
        let largest = launchable.map(|cell| (self.percent(cell) - reference).abs()).fold(0.0, f64::max);
        Self::ramp_end(largest)
    }

    fn other_end(&self) -> f64 {
        let all = (0..self.y.len()).flat_map(|row| (0..self.x.len()).map(move |column| (column, row)));
        Self::ramp_end(all.filter_map(|at| self.other_points(at)).map(f64::abs).fold(0.0, f64::max))
    }

    /// Points more here than on the other GPU; none where either cannot launch.
    pub fn other_points(&self, at: (usize, usize)) -> Option<f64> {
        let cell = self.cell(at.0, at.1);
        self.other_percent(at).filter(|_| cell.blocks_per_sm > 0).map(|other| self.percent(cell) - other)
    }

    fn ramp_end(largest: f64) -> f64 {
        [25.0, 50.0, 75.0].into_iter().find(|end| largest <= *end).unwrap_or(100.0)
    }

    pub fn face(&self, at: (usize, usize), mode: Mode, reference: f64, ends: Ends) -> Face {
        let cell = self.cell(at.0, at.1);
        if cell.blocks_per_sm == 0 {
            let there = mode == Mode::OtherGpu && self.other_percent(at).is_some();
            return if there { Face::OnlyThere } else { Face::CannotLaunch };
        }
        match mode {
            Mode::Occupancy | Mode::Warps => Face::Ramp(self.percent(cell) / 100.0),
            Mode::Blocks => Face::Ramp(f64::from(cell.blocks_per_sm) / f64::from(ends.most_blocks.max(1))),
            Mode::Limiter => Face::Limiters(cell.binding()),
            Mode::OtherGpu => self.other_points(at).map_or(Face::OnlyHere, |points| Face::Diverging(points / ends.difference)),
            Mode::Better if self.percent(cell) + 1e-9 < reference => Face::Worse,
            Mode::Better if self.x.value(at.0) <= self.x.present && self.y.value(at.1) <= self.y.present => Face::AsGoodWithFewer,
            Mode::Better => Face::AsGoodWithMore,
            Mode::Difference => Face::Diverging((self.percent(cell) - reference) / ends.difference),
        }
    }

    /// What a cell says in figures, short: its own unit is in the legend.
    pub fn figure(&self, at: (usize, usize), mode: Mode, reference: f64) -> String {
        let cell = self.cell(at.0, at.1);
        match mode {
            Mode::Blocks => cell.blocks_per_sm.to_string(),
            Mode::OtherGpu => self.other_points(at).map_or_else(String::new, crate::fmt::signed_points),
            Mode::Occupancy | Mode::Better => crate::fmt::percent_number(self.percent(cell)),
            Mode::Warps => cell.active_warps_per_sm().to_string(),
            Mode::Limiter => cell.binding().iter().map(crate::engine::Resource::letter).collect(),
            Mode::Difference => crate::fmt::signed_points(self.percent(cell) - reference),
        }
    }
}

fn launch_of(launch: &Launch, x: &Scale, y: &Scale, column: usize, row: usize) -> Launch {
    y.variable.set(&x.variable.set(launch, x.value(column)), y.value(row))
}

fn cells(arch: &Arch, launch: &Launch, x: &Scale, y: &Scale) -> Vec<Cell> {
    sweep::heatmap(arch, launch, x.line(), y.line()).cells().copied().collect()
}

fn cliffs(table: &Table) -> Vec<Cliff> {
    let (columns, rows) = (table.x.len(), table.y.len());
    let mut found = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            for other in [(column + 1, row), (column, row + 1)] {
                let inside = other.0 < columns && other.1 < rows;
                if inside && table.cell(column, row).blocks_per_sm != table.cell(other.0, other.1).blocks_per_sm {
                    found.push(Cliff { cell: (column, row), other });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::zoom::Zoom;
    use super::*;
    use crate::arch::Catalog;
    use crate::engine::evaluate;

    fn arch(name: &str) -> &'static Arch {
        Catalog::builtin().find_arch(name).expect("a built-in architecture")
    }

    fn whole(arch: &Arch, launch: &Launch, axes: Axes) -> Table {
        let [x, y] = axes.extents(arch, launch);
        Table::new(arch, launch, x.whole, y.whole)
    }

    fn ends(difference: f64) -> Ends {
        Ends { difference, most_blocks: 32 }
    }

    fn tiled() -> Launch {
        Launch { dynamic_smem_bytes: 49_152, ..Launch::new(256, 64) }
    }

    #[test]
    fn every_cell_is_the_answer_of_its_launch() {
        let launches = [tiled(), Launch { dynamic_smem_bytes: 54_886, static_smem_bytes: 100, ..Launch::new(100, 41) }];
        for name in ["6.0", "7.5", "8.0", "9.0"] {
            for axes in [Axes::RegistersByThreads, Axes::DynamicSmemByThreads, Axes::RegistersByDynamicSmem] {
                for launch in &launches {
                    let table = whole(arch(name), launch, axes);
                    for row in 0..table.y.len() {
                        for column in 0..table.x.len() {
                            let expected = evaluate(arch(name), &table.launch_at(launch, (column, row)));
                            let cell = table.cell(column, row);
                            assert_eq!(cell.blocks_per_sm, expected.blocks_per_sm, "{name} {axes:?} {column} {row}");
                            assert_eq!(cell.binding(), expected.limits.binding(), "{name} {axes:?} {column} {row}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn zoomed_in_every_cell_is_the_answer_of_its_very_values() {
        let launch = Launch { dynamic_smem_bytes: 49_151, static_smem_bytes: 100, ..Launch::new(100, 41) };
        for name in ["6.0", "8.0", "9.0"] {
            for axes in Axes::ALL {
                for factor in [1.5, 6.0, 40.0, 1e6] {
                    let extents = axes.extents(arch(name), &launch);
                    let zoom = Zoom::default().zoomed(&extents, factor, [0.16, 0.1]).revealed(&extents, axes.values(&launch));
                    let [x, y] = zoom.windows(&extents).map(|window| window.scale);
                    let table = Table::new(arch(name), &launch, x, y);
                    assert!(table.present_cell().is_some() && x.len() * y.len() <= 34 * 34, "{name} {axes:?} {factor} {x:?} {y:?}");
                    for at in (0..y.len()).flat_map(|row| (0..x.len()).map(move |column| (column, row))) {
                        let here = table.launch_at(&launch, at);
                        let (values, expected) = (axes.values(&here), evaluate(arch(name), &here));
                        let present = axes.values(&launch);
                        assert!(values[0] == x.upper(at.0) || values[0] == present[0], "{values:?} {at:?}");
                        assert!(values[1] == y.upper(at.1) || values[1] == present[1], "{values:?} {at:?}");
                        let cell = table.cell(at.0, at.1);
                        assert_eq!((cell.blocks_per_sm, cell.binding()), (expected.blocks_per_sm, expected.limits.binding()), "{here:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn zoomed_in_every_register_and_thread_has_its_cell() {
        let launch = Launch::new(100, 41);
        let extents = Axes::RegistersByThreads.extents(arch("8.0"), &launch);
        let zoom = Zoom::default().zoomed(&extents, 32.0, [0.16, 0.1]);
        let [x, y] = zoom.windows(&extents).map(|window| window.scale);
        assert_eq!((x.step, y.step), (1, 1));
        assert_eq!((0..x.len()).map(|column| x.value(column)).collect::<Vec<_>>(), (x.low..=x.last).collect::<Vec<_>>());
        assert_eq!((0..y.len()).map(|row| y.value(row)).collect::<Vec<_>>(), (y.low..=y.last).collect::<Vec<_>>());
    }

    #[test]
    fn the_present_cell_says_what_the_answer_says() {
        let table = whole(arch("8.0"), &tiled(), Axes::RegistersByThreads);
        let (column, row) = table.present_cell().expect("on the chart");
        assert_eq!((column, row), (7, 7));
        assert!((table.percent(table.cell(column, row)) - 37.5).abs() < 1e-9);
        assert_eq!(table.launch_at(&tiled(), (column, row)), tiled());
        let beyond = whole(arch("8.0"), &Launch::new(4096, 64), Axes::RegistersByThreads);
        assert_eq!(beyond.present_cell(), None);
    }

    #[test]
    fn cliffs_are_where_blocks_differ_and_nowhere_else() {
        let table = whole(arch("8.0"), &tiled(), Axes::RegistersByThreads);
        let blocks = |(column, row): (usize, usize)| table.cell(column, row).blocks_per_sm;
        assert!(table.cliffs.iter().all(|cliff| blocks(cliff.cell) != blocks(cliff.other)));
        let mut expected = 0;
        for row in 0..32 {
            for column in 0..32 {
                expected += usize::from(column < 31 && blocks((column, row)) != blocks((column + 1, row)));
                expected += usize::from(row < 31 && blocks((column, row)) != blocks((column, row + 1)));
            }
        }
        assert_eq!(table.cliffs.len(), expected);
    }

    #[test]
    fn the_other_gpu_is_taken_off_where_both_launch() {
        let (here, there, launch) = (arch("8.0"), arch("7.5"), tiled());
        let table = whole(here, &launch, Axes::DynamicSmemByThreads).beside(Some(there), &launch);
        let mut only_here = 0;
        for at in (0..table.y.len()).flat_map(|row| (0..table.x.len()).map(move |column| (column, row))) {
            let at_cell = table.launch_at(&launch, at);
            let (ours, theirs) = (evaluate(here, &at_cell), evaluate(there, &at_cell));
            let both = ours.can_launch() && theirs.can_launch();
            let expected = both.then(|| ours.theoretical_percent() - theirs.theoretical_percent());
            assert_eq!(table.other_points(at), expected, "{at:?}");
            if ours.can_launch() && !theirs.can_launch() {
                only_here += 1;
                assert_eq!(table.face(at, Mode::OtherGpu, 0.0, ends(100.0)), Face::OnlyHere);
                assert_eq!(table.figure(at, Mode::OtherGpu, 0.0), "");
            }
        }
        assert!(only_here > 0);
    }

    #[test]
    fn as_good_needs_the_occupancy_and_fewer_needs_both_axes() {
        let table = whole(arch("8.0"), &tiled(), Axes::RegistersByThreads);
        let face = |column, row| table.face((column, row), Mode::Better, 37.5, ends(100.0));
        assert_eq!((face(7, 7), face(7, 3), face(8, 7)), (Face::AsGoodWithFewer, Face::Worse, Face::AsGoodWithMore));
        assert_eq!(face(7, 15), Face::AsGoodWithMore);
        assert_eq!(table.figure((7, 7), Mode::Blocks, 0.0), "3");
    }

    #[test]
    fn faces_follow_the_mode() {
        let table = whole(arch("8.0"), &tiled(), Axes::RegistersByThreads);
        let face = |column, row, mode| table.face((column, row), mode, 50.0, ends(50.0));
        assert_eq!(face(7, 7, Mode::Occupancy), Face::Ramp(0.375));
        assert_eq!(face(7, 7, Mode::Difference), Face::Diverging(-0.25));
        assert_eq!(face(31, 31, Mode::Limiter), Face::CannotLaunch);
        assert_eq!(table.figure((7, 7), Mode::Difference, 50.0), "\u{2212}12.5");
        assert_eq!(table.figure((7, 7), Mode::Warps, 0.0), "24");
        assert_eq!(table.figure((7, 7), Mode::Limiter, 0.0), "S");
    }
}
