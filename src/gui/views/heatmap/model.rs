//! What the heatmap shows: the answer of every cell, worked out once per change of its inputs.

use super::regions::{self, LetterSpot};
use super::scale::Scale;
use super::{Axes, Mode};
use crate::arch::Arch;
use crate::engine::sweep::{self, Cell, Variable};
use crate::engine::{Launch, ResourceSet, evaluate};

/// The answers of all cells, row-major from the lowest row.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub x: Scale,
    pub y: Scale,
    pub max_warps_per_sm: u32,
    cells: Vec<Cell>,
    /// Neighbours with different numbers of blocks per SM.
    pub cliffs: Vec<Cliff>,
    /// Where the letters of limiters have room.
    pub letters: Vec<LetterSpot>,
}

/// Two neighbouring cells, as (column, row), with different numbers of blocks per SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cliff {
    pub cell: (usize, usize),
    /// The cell to the right, or the one above.
    pub other: (usize, usize),
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
}

impl Table {
    pub fn new(arch: &Arch, launch: &Launch, axes: Axes) -> Self {
        let (x, y) = axes.variables();
        let (x, y) = (Scale::coarse(x, arch, launch), Scale::coarse(y, arch, launch));
        let cells = cells(arch, launch, &x, &y);
        let mut table = Self { x, y, max_warps_per_sm: arch.max_warps_per_sm(), cells, cliffs: Vec::new(), letters: Vec::new() };
        table.cliffs = cliffs(&table);
        table.letters = regions::letter_spots(x.len(), y.len(), |column, row| {
            let cell = table.cell(column, row);
            (cell.blocks_per_sm > 0).then(|| cell.binding())
        });
        table
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

    /// The largest difference to `reference`, in points, rounded up to a quarter: the end of the difference ramp.
    pub fn difference_end(&self, reference: f64) -> f64 {
        let launchable = self.cells.iter().filter(|cell| cell.blocks_per_sm > 0);
        let largest = launchable.map(|cell| (self.percent(cell) - reference).abs()).fold(0.0, f64::max);
        [25.0, 50.0, 75.0].into_iter().find(|end| largest <= *end).unwrap_or(100.0)
    }

    pub fn face(&self, cell: &Cell, mode: Mode, reference: f64, difference_end: f64) -> Face {
        if cell.blocks_per_sm == 0 {
            return Face::CannotLaunch;
        }
        match mode {
            Mode::Occupancy | Mode::Warps => Face::Ramp(self.percent(cell) / 100.0),
            Mode::Limiter => Face::Limiters(cell.binding()),
            Mode::Difference => Face::Diverging((self.percent(cell) - reference) / difference_end),
        }
    }

    /// What a cell says in figures, short: its own unit is in the legend.
    pub fn figure(&self, cell: &Cell, mode: Mode, reference: f64) -> String {
        match mode {
            Mode::Occupancy => crate::fmt::percent_number(self.percent(cell)),
            Mode::Warps => cell.active_warps_per_sm().to_string(),
            Mode::Limiter => cell.binding().iter().map(crate::engine::Resource::letter).collect(),
            Mode::Difference => signed_points(self.percent(cell) - reference),
        }
    }
}

/// "+12.5", "−6.3", "0".
pub fn signed_points(points: f64) -> String {
    let text = crate::fmt::percent_number(points);
    if points > 0.0 && text != "0" { format!("+{text}") } else { text }
}

fn launch_of(launch: &Launch, x: &Scale, y: &Scale, column: usize, row: usize) -> Launch {
    y.variable.set(&x.variable.set(launch, x.value(column)), y.value(row))
}

/// One sweep for all even cells; the few whose value is uneven are answered one by one.
fn cells(arch: &Arch, launch: &Launch, x: &Scale, y: &Scale) -> Vec<Cell> {
    let mut cells = sweep::heatmap(arch, launch, x.sweep_axis(), y.sweep_axis()).cells;
    for row in 0..y.len() {
        for column in 0..x.len() {
            if x.is_uneven(column) || y.is_uneven(row) {
                cells[row * x.len() + column] = cell_of(arch, &launch_of(launch, x, y, column, row));
            }
        }
    }
    cells
}

/// The answer for one launch, as a cell.
pub fn cell_of(arch: &Arch, launch: &Launch) -> Cell {
    let occupancy = evaluate(arch, launch);
    Cell { blocks_per_sm: occupancy.blocks_per_sm, warps_per_block: occupancy.warps_per_block, limits: occupancy.limits }
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
    use super::*;
    use crate::arch::Catalog;

    fn arch(name: &str) -> &'static Arch {
        Catalog::builtin().find_arch(name).expect("a built-in architecture")
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
                    let table = Table::new(arch(name), launch, axes);
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
    fn the_present_cell_says_what_the_answer_says() {
        let table = Table::new(arch("8.0"), &tiled(), Axes::RegistersByThreads);
        let (column, row) = table.present_cell().expect("on the chart");
        assert_eq!((column, row), (7, 7));
        assert!((table.percent(table.cell(column, row)) - 37.5).abs() < 1e-9);
        assert_eq!(table.launch_at(&tiled(), (column, row)), tiled());
        let beyond = Table::new(arch("8.0"), &Launch::new(4096, 64), Axes::RegistersByThreads);
        assert_eq!(beyond.present_cell(), None);
    }

    #[test]
    fn cliffs_are_where_blocks_differ_and_nowhere_else() {
        let table = Table::new(arch("8.0"), &tiled(), Axes::RegistersByThreads);
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
    fn faces_follow_the_mode() {
        let table = Table::new(arch("8.0"), &tiled(), Axes::RegistersByThreads);
        let face = |column, row, mode| table.face(table.cell(column, row), mode, 50.0, 50.0);
        assert_eq!(face(7, 7, Mode::Occupancy), Face::Ramp(0.375));
        assert_eq!(face(7, 7, Mode::Difference), Face::Diverging(-0.25));
        assert_eq!(face(31, 31, Mode::Limiter), Face::CannotLaunch);
        assert_eq!(table.figure(table.cell(7, 7), Mode::Difference, 50.0), "\u{2212}12.5");
        assert_eq!(table.figure(table.cell(7, 7), Mode::Warps, 0.0), "24");
        assert_eq!(table.figure(table.cell(7, 7), Mode::Limiter, 0.0), "S");
    }
}
