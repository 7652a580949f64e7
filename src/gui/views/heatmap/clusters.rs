//! Where a report's kernels are drawn, and as how many marks: those that would lie on one another are one.
#![allow(clippy::cast_possible_truncation, reason = "shares of time as radii")]

use egui::Pos2;

use super::kernel_points::KernelPoints;
use super::layout::Grid;
use super::model::Table;

/// A mark's area is its share of the time; all of it would have this radius.
const ALL_TIME: f32 = 26.0;
const LEAST: f32 = 5.0;
const MOST: f32 = 11.0;
/// Without times all marks are alike.
const WITHOUT_TIMES: f32 = 6.0;
/// A mark whose middle is nearer than this to the edge of a larger one belongs to it.
const CLEAR: f32 = 5.0;
/// Around a mark the pointer still meets it.
const REACH: f32 = 5.0;

/// Kernels that are drawn as one mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    pub at: Pos2,
    pub radius: f32,
    /// Indices of its groups in [`KernelPoints::groups`], those of the mark's own cell first.
    pub groups: Vec<usize>,
    /// Where each of those is.
    pub places: Vec<Pos2>,
    /// How many kernels it stands for, the selected one aside.
    pub count: usize,
    /// The kernel that the mark shows: the longest that uses as much shared memory as the slice, if any does.
    pub lead: usize,
    /// Some kernel uses the shared memory of the slice; some uses other.
    pub has_same: bool,
    pub has_other: bool,
    /// The files that its kernels are from, each once and in order; empty where one alone is open.
    pub files: Vec<usize>,
}

/// All that is drawn of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// The most time first.
    pub clusters: Vec<Cluster>,
    /// The selected kernel, with its place and its radius.
    pub selected: Option<(usize, Pos2, f32)>,
}

/// The radius of a mark for a share of the time, 0 to 1; its area is proportional between the least and the most.
pub fn radius(share: Option<f64>) -> f32 {
    share.map_or(WITHOUT_TIMES, |share| (ALL_TIME * (share.max(0.0).sqrt() as f32)).clamp(LEAST, MOST))
}

/// A group with a place on the chart.
struct Placed {
    group: usize,
    at: Pos2,
    is_same: bool,
    duration_ns: f64,
}

impl Clusters {
    /// The marks of the kernels whose cell is shown; `smem_bytes` is what the slice takes.
    pub fn new(table: &Table, grid: &Grid, points: &KernelPoints, smem_bytes: u64, selected: Option<usize>) -> Self {
        let bounds = grid.rect.expand(1.0);
        let place = |registers: u32, threads: u32| {
            let cell = (table.x.cell_of(registers.into())?, table.y.cell_of(threads.into())?);
            Some(grid.center(cell)).filter(|at| bounds.contains(*at))
        };
        let groups = points.groups().iter().enumerate().filter(|(_, group)| group.threads > 0);
        let mut placed: Vec<Placed> = groups
            .filter_map(|(index, group)| {
                let at = place(group.registers, group.threads)?;
                Some(Placed { group: index, at, is_same: group.smem_bytes == smem_bytes, duration_ns: group.duration_ns })
            })
            .collect();
        // Those of one place first, so that they are one mark whatever is around them.
        placed.sort_by(|a, b| a.at.x.total_cmp(&b.at.x).then(a.at.y.total_cmp(&b.at.y)));
        let mut here: Vec<Vec<Placed>> = Vec::new();
        for one in placed {
            match here.last_mut() {
                Some(last) if last[0].at == one.at => last.push(one),
                _ => here.push(vec![one]),
            }
        }
        let weight = |placed: &[Placed]| -> (f64, usize) {
            let kernels = |one: &Placed| points.groups()[one.group].members.len();
            (placed.iter().map(|one| one.duration_ns).sum(), placed.iter().map(kernels).sum())
        };
        here.sort_by(|a, b| weight(b).0.total_cmp(&weight(a).0).then(weight(b).1.cmp(&weight(a).1)));
        let mut merged: Vec<(f32, Vec<Placed>)> = Vec::new();
        for one in here {
            let own = radius(points.share_of_time(weight(&one).0));
            match merged.iter_mut().find(|(radius, other)| other[0].at.distance(one[0].at) < *radius + CLEAR) {
                Some((_, other)) => other.extend(one),
                None => merged.push((own, one)),
            }
        }
        let clusters = merged.into_iter().map(|(_, placed)| cluster(points, &placed, selected)).collect();
        let selected = selected.and_then(|index| {
            let point = points.point(index);
            let at = (point.registers > 0 && point.threads > 0).then(|| place(point.registers, point.threads)).flatten()?;
            Some((index, at, radius(point.duration_ns.and_then(|ns| points.share_of_time(ns))).max(9.0)))
        });
        Self { clusters, selected }
    }

    /// The mark under the pointer.
    pub fn under(&self, at: Pos2) -> Option<&Cluster> {
        let reaches = |cluster: &&Cluster| cluster.at.distance(at) <= cluster.radius + REACH;
        let nearest = |a: &&Cluster, b: &&Cluster| a.at.distance(at).total_cmp(&b.at.distance(at));
        let of_selected = self.selected.filter(|(_, place, radius)| place.distance(at) <= radius + REACH);
        let of_selected = of_selected.and_then(|(_, place, _)| self.clusters.iter().find(|cluster| cluster.places.contains(&place)));
        of_selected.or_else(|| self.clusters.iter().filter(reaches).min_by(nearest))
    }
}

fn cluster(points: &KernelPoints, placed: &[Placed], selected: Option<usize>) -> Cluster {
    let duration: f64 = placed.iter().map(|one| one.duration_ns).sum();
    let kernels = placed.iter().map(|one| points.groups()[one.group].members.len()).sum::<usize>();
    let members = |one: &Placed| &points.groups()[one.group].members;
    let key = |index: usize| (points.point(index).registers, points.point(index).threads, points.point(index).smem_bytes);
    let holds_selected = selected.is_some_and(|selected| placed.iter().any(|one| key(members(one)[0]) == key(selected)));
    let time = |index: usize| points.point(index).duration_ns.unwrap_or(-1.0);
    let leads = placed.iter().filter_map(|one| Some((one, *members(one).iter().find(|index| Some(**index) != selected)?)));
    let lead = leads.reduce(|best, next| {
        let is_better = (next.0.is_same, time(next.1)) > (best.0.is_same, time(best.1));
        if is_better { next } else { best }
    });
    let mut files: Vec<usize> = placed.iter().flat_map(|one| points.groups()[one.group].files.iter().copied()).collect();
    files.sort_unstable();
    files.dedup();
    Cluster {
        at: placed[0].at,
        radius: radius(points.share_of_time(duration)),
        groups: placed.iter().map(|one| one.group).collect(),
        places: placed.iter().map(|one| one.at).collect(),
        count: kernels - usize::from(holds_selected),
        lead: lead.map_or(members(&placed[0])[0], |(_, index)| index),
        has_same: placed.iter().any(|one| one.is_same),
        has_other: placed.iter().any(|one| !one.is_same),
        files,
    }
}

impl Cluster {
    /// Its kernels: the longest first.
    pub fn members(&self, points: &KernelPoints) -> Vec<usize> {
        let mut members: Vec<usize> = self.groups.iter().flat_map(|group| points.groups()[*group].members.iter().copied()).collect();
        if self.groups.len() > 1 {
            let time = |index: usize| points.point(index).duration_ns.unwrap_or(-1.0);
            members.sort_by(|a, b| time(*b).total_cmp(&time(*a)).then(a.cmp(b)));
        }
        members
    }

    /// What a click selects: the longest, then the one after the selected, so that repeated clicks reach every kernel.
    pub fn next(&self, points: &KernelPoints, selected: Option<usize>) -> Option<usize> {
        let members = self.members(points);
        let current = members.iter().position(|index| Some(*index) == selected);
        members.get(current.map_or(0, |position| (position + 1) % members.len())).copied()
    }
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2};

    use super::super::kernel_points::KernelPoint;
    use super::super::{Axes, layout::Layout, zoom::Zoom};
    use super::*;
    use crate::arch::Catalog;
    use crate::engine::Launch;

    fn points(rows: &[(u32, u32, u64, Option<f64>)]) -> KernelPoints {
        let point = |&(registers, threads, smem_bytes, duration_ns): &(u32, u32, u64, Option<f64>)| KernelPoint {
            registers,
            threads,
            smem_bytes,
            duration_ns,
            ..KernelPoint::default()
        };
        KernelPoints::new(rows.iter().map(point).collect())
    }

    fn clusters(points: &KernelPoints, factor: f64, selected: Option<usize>) -> Clusters {
        let arch = Catalog::builtin().find_arch("8.0").expect("8.0 is built in");
        let launch = Launch::new(256, 64);
        let extents = Axes::RegistersByThreads.extents(arch, &launch);
        let windows = Zoom::default().zoomed(&extents, factor, [0.24, 0.24]).windows(&extents);
        let table = Table::new(arch, &launch, windows[0].scale, windows[1].scale);
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(832.0, 356.0));
        Clusters::new(&table, &Layout::new(rect, &windows, 1.0).grid, points, 0, selected)
    }

    #[test]
    fn kernels_that_would_lie_on_one_another_are_one_mark_until_zoomed_in() {
        let points = points(&[(60, 256, 0, Some(5.0)), (64, 256, 0, Some(3.0)), (64, 256, 0, Some(4.0)), (200, 64, 0, Some(1.0))]);
        let whole = clusters(&points, 1.0, None);
        assert_eq!(whole.clusters.iter().map(|cluster| (cluster.count, cluster.lead)).collect::<Vec<_>>(), [(3, 0), (1, 3)]);
        let near = clusters(&points, 16.0, None);
        assert_eq!(near.clusters.iter().map(|cluster| (cluster.count, cluster.lead)).collect::<Vec<_>>(), [(2, 2), (1, 0)]);
    }

    #[test]
    fn the_selected_kernel_is_a_mark_of_its_own() {
        let points = points(&[(64, 256, 0, Some(5.0)), (64, 256, 0, Some(3.0)), (64, 256, 0, Some(4.0))]);
        let all = clusters(&points, 1.0, Some(0));
        assert_eq!((all.clusters[0].count, all.clusters[0].lead), (2, 2));
        let (index, at, radius) = all.selected.expect("on the chart");
        assert_eq!((index, at, radius), (0, all.clusters[0].at, 11.0));
    }

    #[test]
    fn clicks_go_through_the_kernels_of_one_mark_the_longest_first() {
        let points = points(&[(64, 256, 0, Some(3.0)), (63, 256, 0, Some(5.0)), (64, 256, 0, Some(4.0))]);
        let all = clusters(&points, 1.0, None);
        let cluster = all.under(all.clusters[0].at + egui::vec2(4.0, 2.0)).expect("a mark");
        let chosen = [None, Some(1), Some(2), Some(0)].map(|selected| cluster.next(&points, selected));
        assert_eq!(chosen, [Some(1), Some(2), Some(0), Some(1)]);
        assert_eq!(all.under(pos2(700.0, 10.0)), None);
    }

    #[test]
    fn a_mark_knows_the_files_of_its_kernels() {
        let point = |registers, file| KernelPoint { registers, threads: 256, file: Some(file), ..KernelPoint::default() };
        let points = KernelPoints::new(vec![point(64, 1), point(64, 0), point(64, 1), point(200, 2)]);
        let all = clusters(&points, 1.0, None);
        let files: Vec<(usize, &[usize])> = all.clusters.iter().map(|cluster| (cluster.count, cluster.files.as_slice())).collect();
        assert_eq!(files, [(3, &[0, 1][..]), (1, &[2])]);
    }

    #[test]
    fn areas_are_shares_of_time_within_what_is_legible() {
        let is = |share, expected: f32| (radius(share) - expected).abs() < 1e-4;
        assert!(is(None, 6.0) && is(Some(0.0), 5.0) && is(Some(0.5), 11.0));
        assert!(is(Some(0.16), 10.4) && is(Some(0.04), 5.2));
    }

    #[test]
    fn a_mark_shows_a_kernel_of_the_slices_shared_memory_if_it_has_one() {
        let points = points(&[(64, 256, 4_096, Some(50.0)), (64, 256, 0, Some(3.0))]);
        let all = clusters(&points, 1.0, None);
        let cluster = &all.clusters[0];
        assert_eq!((all.clusters.len(), cluster.lead, cluster.has_same, cluster.has_other), (1, 1, true, true));
    }
}
