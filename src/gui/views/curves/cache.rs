//! The curves are worked out once and kept until one of their inputs changes.

use super::CurvesInput;
use super::model::{Curve, VARIABLES};
use crate::arch::Arch;
use crate::engine::Launch;

/// The curves and what they were made from.
#[derive(Clone, Debug)]
pub struct Cached {
    /// The chosen GPU first.
    archs: Vec<Arch>,
    launch: Launch,
    curves: [Curve; 3],
}

impl Cached {
    /// The curves of these inputs: those in `cache` when nothing changed, else new ones.
    pub fn refresh<'c>(cache: &'c mut Option<Self>, input: &CurvesInput<'_>) -> &'c [Curve; 3] {
        let others = input.others.iter().map(|other| other.arch);
        let archs = std::iter::once(input.arch).chain(others.clone());
        if !cache.as_ref().is_some_and(|cached| cached.launch == *input.launch && cached.archs.iter().eq(archs.clone())) {
            *cache = None;
        }
        let make = || Self {
            archs: archs.cloned().collect(),
            launch: input.launch.clone(),
            curves: VARIABLES.map(|variable| Curve::new(input.arch, others.clone(), input.launch, variable)),
        };
        &cache.get_or_insert_with(make).curves
    }
}

#[cfg(test)]
mod tests {
    use super::super::OtherGpu;
    use super::*;
    use crate::arch::Catalog;

    #[test]
    fn only_a_change_makes_new_curves() {
        let arch = |name| Catalog::builtin().find_arch(name).expect("a built-in architecture");
        let others = [OtherGpu { arch: arch("9.0"), name: "H100" }];
        let (small, large) = (Launch::new(256, 64), Launch::new(512, 64));
        let mut cache = None;
        let mut at = |others, launch| {
            let curves = Cached::refresh(&mut cache, &CurvesInput { arch: arch("8.0"), gpu_name: "A100", others, launch });
            (curves[0].lines.as_ptr(), curves[1].present(), curves[0].lines.len())
        };
        let first = at(&others[..0], &small);
        assert_eq!(at(&others[..0], &small), first);
        let second = at(&others, &small);
        assert_eq!((second.1, second.2), (256, 2));
        assert_eq!(at(&others, &large).1, 512);
    }
}
