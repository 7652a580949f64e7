//! A report's kernels as the heatmap takes them: each with its values, and those with the same inputs together.

/// A kernel of a report, as a mark on the heatmap. One without registers (0) is not drawn; one without threads (0), as a
/// compiler leaves it, is a line over every block size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelPoint {
    pub name: String,
    pub registers: u32,
    pub threads: u32,
    pub theoretical_percent: Option<f64>,
    pub achieved_percent: Option<f64>,
    pub grid_limited_percent: Option<f64>,
    /// The part of the gap that a grid below one wave certainly costs, in points.
    pub unfilled_points: f64,
    /// The part of the gap that the last wave costs at most, in points.
    pub tail_points: f64,
    /// Static and dynamic shared memory of a block.
    pub smem_bytes: u64,
    pub duration_ns: Option<f64>,
    /// The place of its file among the open ones; none where it is the only one.
    pub file: Option<usize>,
}

/// Kernels with the same registers, threads and shared memory: they share a place whatever is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub registers: u32,
    pub threads: u32,
    pub smem_bytes: u64,
    /// Indices of the kernels: the longest first, those without a duration last, in the order of the report.
    pub members: Vec<usize>,
    pub duration_ns: f64,
    /// Of its kernels, each once and in order.
    pub files: Vec<usize>,
}

/// All kernels, and the groups that they form. A report can have 100,000 kernels, but few groups, so drawing looks at those.
#[derive(Clone, Debug, Default)]
pub struct KernelPoints {
    points: Vec<KernelPoint>,
    groups: Vec<Group>,
    total_ns: f64,
}

impl KernelPoints {
    pub fn new(points: Vec<KernelPoint>) -> Self {
        let mut drawn: Vec<usize> = (0..points.len()).filter(|index| points[*index].registers > 0).collect();
        let place = |index: usize| (points[index].registers, points[index].threads, points[index].smem_bytes);
        let time = |index: usize| points[index].duration_ns.unwrap_or(-1.0);
        drawn.sort_by(|a, b| place(*a).cmp(&place(*b)).then_with(|| time(*b).total_cmp(&time(*a))));
        let groups: Vec<Group> = drawn
            .chunk_by(|a, b| place(*a) == place(*b))
            .map(|members| {
                let (registers, threads, smem_bytes) = place(members[0]);
                let duration_ns = members.iter().filter_map(|index| points[*index].duration_ns).sum();
                let mut files: Vec<usize> = members.iter().filter_map(|index| points[*index].file).collect();
                files.sort_unstable();
                files.dedup();
                Group { registers, threads, smem_bytes, members: members.to_vec(), duration_ns, files }
            })
            .collect();
        let total_ns = groups.iter().map(|group| group.duration_ns).sum();
        Self { points, groups, total_ns }
    }

    /// Some kernel says which file it is from.
    pub fn has_files(&self) -> bool {
        self.groups.iter().any(|group| !group.files.is_empty())
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// # Panics
    /// When there is no such kernel.
    pub fn point(&self, index: usize) -> &KernelPoint {
        &self.points[index]
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How much of the time of all kernels `duration_ns` is, 0 to 1; none where the report tells no times.
    pub fn share_of_time(&self, duration_ns: f64) -> Option<f64> {
        (self.total_ns > 0.0).then(|| duration_ns / self.total_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_with_the_same_inputs_are_a_group_the_longest_first() {
        let point = |registers, threads, duration_ns| KernelPoint { registers, threads, duration_ns, ..KernelPoint::default() };
        let points = KernelPoints::new(vec![
            point(64, 256, Some(10.0)),
            point(32, 256, None),
            point(64, 256, Some(25.0)),
            point(0, 256, Some(100.0)),
            point(64, 256, None),
            point(64, 256, Some(5.0)),
        ]);
        let members: Vec<&[usize]> = points.groups().iter().map(|group| group.members.as_slice()).collect();
        assert_eq!(members, [&[1][..], &[2, 0, 5, 4]]);
        assert_eq!(points.share_of_time(10.0), Some(0.25));
        assert_eq!(KernelPoints::new(vec![point(8, 32, None)]).share_of_time(0.0), None);
    }
}
