//! How far the heatmap is zoomed in, and which cells that leaves on the chart.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "values of an axis as places on it, all below 2⁵²"
)]

use super::scale::Scale;
use crate::arch::Arch;
use crate::engine::Launch;
use crate::engine::sweep::Variable;

/// With so few cells along an axis they are cut in half, down to single registers and threads.
const FEW: f64 = 16.0;
/// Closer than so many of the smallest cells nobody has to look.
const FEWEST: f64 = 8.0;

/// A whole axis, and how small its cells can become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub whole: Scale,
    /// One register, one thread; for shared memory the unit that it is allocated in.
    finest: u64,
}

/// A part of an axis in its values; a cell with the upper end `u` takes from `u − step` to `u`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    from: f64,
    to: f64,
}

/// The cells of an axis that are on the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub scale: Scale,
    /// How much of the first cell is cut off, 0 to 1.
    pub skipped: f32,
    /// How many cells there are room for.
    pub shown: f32,
}

/// What is shown along x and y; none is the whole axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Zoom {
    spans: [Option<Span>; 2],
}

impl Extent {
    pub fn new(variable: Variable, arch: &Arch, launch: &Launch) -> Self {
        let whole = Scale::coarse(variable, arch, launch);
        let finest = if variable == Variable::DynamicSmem { u64::from(arch.smem_allocation_unit_bytes).clamp(1, whole.step) } else { 1 };
        Self { whole, finest }
    }

    /// Where the first cell begins and the last one ends.
    fn ends(&self, step: u64) -> Span {
        let from = if self.whole.least_index() == 0 { -(step as f64) } else { 0.0 };
        Span { from, to: self.whole.last.next_multiple_of(step) as f64 }
    }

    fn step_of(&self, span: f64) -> u64 {
        let mut step = self.whole.step;
        while span <= FEW * step as f64 && step > self.finest {
            step = (step / 2).max(self.finest);
        }
        step
    }

    fn all(&self) -> Span {
        self.ends(self.whole.step)
    }

    /// The same extent moved inside the axis; none when it is all of it.
    fn inside(&self, span: Span) -> Option<Span> {
        let wide = span.to - span.from;
        if wide >= self.all().wide() {
            return None;
        }
        let ends = self.ends(self.step_of(wide));
        let from = span.from.min(ends.to - wide).max(ends.from);
        Some(Span { from, to: from + wide })
    }

    fn window(&self, span: Option<Span>) -> Window {
        let span = span.and_then(|span| self.inside(span));
        let step = span.map_or(self.whole.step, |span| self.step_of(span.wide()));
        let span = span.unwrap_or_else(|| self.all());
        let unit = step as f64;
        // A hair's breadth of a cell is none: it would come from rounding.
        let first = (span.from / unit + 1e-6).floor() + 1.0;
        let last = (span.to / unit - 1e-6).ceil();
        let scale = self.whole.part(step, first.max(0.0) as u64, last.max(first).max(0.0) as u64);
        Window { scale, skipped: (span.from / unit - (first - 1.0)).max(0.0) as f32, shown: (span.wide() / unit) as f32 }
    }

    fn zoomed(&self, span: Option<Span>, factor: f64, at: f64) -> Option<Span> {
        let old = span.unwrap_or_else(|| self.all());
        let wide = (old.wide() / factor).max((FEWEST * self.finest as f64).min(self.all().wide()));
        let from = old.from + (old.wide() - wide) * at;
        self.inside(Span { from, to: from + wide })
    }

    fn panned(&self, span: Span, share: f64) -> Option<Span> {
        let by = span.wide() * share;
        self.inside(Span { from: span.from + by, to: span.to + by })
    }

    /// Moved as little as it takes to show the whole cell of `value`.
    fn revealed(&self, span: Span, value: u64) -> Option<Span> {
        let step = self.step_of(span.wide());
        let upper = value.min(self.whole.last).div_ceil(step).max(self.whole.least_index()) * step;
        let (low, high) = (upper as f64 - step as f64, upper as f64);
        let by = if low < span.from { low - span.from } else { (high - span.to).max(0.0) };
        self.inside(Span { from: span.from + by, to: span.to + by })
    }
}

impl Span {
    fn wide(&self) -> f64 {
        self.to - self.from
    }
}

impl Zoom {
    pub fn is_whole(&self) -> bool {
        self.spans == [None, None]
    }

    pub fn windows(&self, extents: &[Extent; 2]) -> [Window; 2] {
        [0, 1].map(|axis| extents[axis].window(self.spans[axis]))
    }

    /// Closer by `factor`; what lies at `at`, shares of both axes from their low ends, stays where it is.
    #[must_use]
    pub fn zoomed(&self, extents: &[Extent; 2], factor: f64, at: [f64; 2]) -> Self {
        Self { spans: [0, 1].map(|axis| extents[axis].zoomed(self.spans[axis], factor, at[axis].clamp(0.0, 1.0))) }
    }

    /// Moved by shares of what is shown, towards higher values.
    #[must_use]
    pub fn panned(&self, extents: &[Extent; 2], shares: [f64; 2]) -> Self {
        Self { spans: [0, 1].map(|axis| self.spans[axis].and_then(|span| extents[axis].panned(span, shares[axis]))) }
    }

    /// Moved as little as it takes to show the cell of these values.
    #[must_use]
    pub fn revealed(&self, extents: &[Extent; 2], values: [u64; 2]) -> Self {
        Self { spans: [0, 1].map(|axis| self.spans[axis].and_then(|span| extents[axis].revealed(span, values[axis]))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;

    fn extents() -> [Extent; 2] {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        let launch = Launch::new(256, 64);
        [Variable::RegistersPerThread, Variable::ThreadsPerBlock].map(|variable| Extent::new(variable, arch, &launch))
    }

    fn shown(zoom: &Zoom) -> [(u64, u64, u64); 2] {
        zoom.windows(&extents()).map(|window| (window.scale.low, window.scale.last, window.scale.step))
    }

    #[test]
    fn the_whole_is_32_cells_each_way() {
        let windows = Zoom::default().windows(&extents());
        assert_eq!(windows.map(|window| (window.scale.len(), window.skipped, window.shown)), [(32, 0.0, 32.0); 2]);
    }

    #[test]
    fn cells_become_single_registers_and_threads() {
        let twice = Zoom::default().zoomed(&extents(), 2.0, [0.0, 0.0]);
        assert_eq!(shown(&twice), [(0, 128, 4), (1, 512, 16)]);
        let closest = twice.zoomed(&extents(), 1e9, [0.0, 1.0]);
        assert_eq!(shown(&closest), [(0, 8, 1), (505, 512, 1)]);
        assert!(closest.zoomed(&extents(), 1e-9, [0.3, 0.7]).is_whole());
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let zoom = Zoom::default().zoomed(&extents(), 8.0, [0.3, 0.6]);
        let [x, y] = zoom.spans.map(|span| span.expect("zoomed in"));
        assert!((x.from + 0.3 * x.wide() - 0.3 * 256.0).abs() < 1e-9 && (y.from + 0.6 * y.wide() - 0.6 * 1024.0).abs() < 1e-9);
    }

    #[test]
    fn panning_ends_at_the_ends_and_revealing_moves_as_little_as_it_can() {
        let zoom = Zoom::default().zoomed(&extents(), 8.0, [0.0, 0.0]);
        assert_eq!(shown(&zoom), [(0, 32, 1), (1, 128, 4)]);
        assert_eq!(shown(&zoom.panned(&extents(), [-1.0, 0.5])), [(0, 32, 1), (65, 192, 4)]);
        assert_eq!(shown(&zoom.panned(&extents(), [100.0, 100.0])), [(224, 255, 1), (897, 1024, 4)]);
        assert_eq!(shown(&zoom.revealed(&extents(), [41, 128])), [(10, 41, 1), (1, 128, 4)]);
        assert_eq!(shown(&zoom.revealed(&extents(), [300, 129])), [(224, 255, 1), (5, 132, 4)]);
    }
}
