//! What the comparison shows: the answer of every GPU for one launch.

use std::sync::Arc;

use crate::arch::{Arch, Catalog, ComputeCapability};
use crate::engine::{Launch, Occupancy, Waves, evaluate};
use crate::fmt::{counted, grouped, one_decimal};
use crate::session::{Configuration, GpuChoice, Session};

/// The columns, the chosen GPU first, and one fit for each known compute capability.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub columns: Vec<Column>,
    pub fits: Vec<Fit>,
}

/// One GPU of those side by side.
#[derive(Clone, Debug)]
pub struct Column {
    pub choice: GpuChoice,
    pub is_current: bool,
    pub name: String,
    /// "8.0, Ampere (GA100)".
    pub kind: String,
    pub occupancy: Occupancy,
    /// What is known of the whole GPU, a line each: SMs, waves. Empty without an SM count.
    pub whole_gpu: Vec<String>,
}

/// The answer of one compute capability.
#[derive(Clone, Debug)]
pub struct Fit {
    /// What a click compares with: the typical product, where there is one.
    pub choice: GpuChoice,
    pub compute_capability: ComputeCapability,
    /// Short, for the cell: "8.0".
    pub label: String,
    /// "8.0, Ampere (GA100)".
    pub title: String,
    /// Some products that have it: "A100 SXM 40 GB, A30 and 8 more".
    pub products: String,
    pub is_invented: bool,
    pub occupancy: Occupancy,
}

impl Comparison {
    pub fn new(session: &Session) -> Self {
        let document = session.document();
        Self::of(&session.catalog, &document.configuration, &document.compared)
    }

    /// A launch on its own GPU, first, and on `others`. A GPU that the catalog does not know has no column.
    pub fn of(catalog: &Catalog, Configuration { gpu, launch }: &Configuration, others: &[GpuChoice]) -> Self {
        let choices = std::iter::once((gpu, true)).chain(others.iter().map(|choice| (choice, false)));
        Self {
            columns: choices.filter_map(|(choice, is_current)| column(catalog, choice, launch, is_current)).collect(),
            fits: catalog.archs().map(|arch| fit(catalog, arch, launch)).collect(),
        }
    }
}

impl Comparison {
    /// "On A100 SXM 40 GB 37.5 %, on H100 SXM 50 %.", for who cannot see it.
    pub fn in_words(&self) -> String {
        let said = |column: &Column| {
            if column.occupancy.can_launch() {
                let figure = crate::fmt::occupancy(column.occupancy.theoretical_percent(), column.occupancy.max_warps_per_sm);
                format!("on {} {figure}", column.name)
            } else {
                format!("on {} it cannot launch", column.name)
            }
        };
        let parts: Vec<String> = self.columns.iter().map(said).collect();
        format!("{}.", crate::fmt::capitalized(&parts.join(", ")))
    }
}

impl Column {
    pub fn blocks_in_words(&self) -> String {
        format!("{} per SM", counted(self.occupancy.blocks_per_sm.into(), "block"))
    }

    /// The occupancy in the other unit than [`crate::fmt::occupancy`] has it.
    pub fn otherwise(&self) -> String {
        crate::fmt::occupancy_otherwise(self.occupancy.theoretical_percent(), self.occupancy.max_warps_per_sm)
    }
}

impl Fit {
    /// The letters of what limits it: "R", or "RS" on a tie.
    pub fn limiters(&self) -> String {
        self.occupancy.limiters.iter().map(|resource| resource.letter().to_string()).collect()
    }

    /// The whole cell for a screen reader.
    pub fn in_words(&self) -> String {
        if !self.occupancy.can_launch() {
            let reasons: Vec<String> = self.occupancy.refusals.iter().map(ToString::to_string).collect();
            return format!("{}: cannot launch, {}", self.title, reasons.join(", "));
        }
        let limiters: Vec<String> = self.occupancy.limiters.iter().map(|resource| resource.name().to_lowercase()).collect();
        let figure = crate::fmt::occupancy(self.occupancy.theoretical_percent(), self.occupancy.max_warps_per_sm);
        format!("{}: theoretical occupancy {figure}, limited by {}", self.title, limiters.join(" and "))
    }
}

/// "8.0, Ampere (GA100)".
fn kind(arch: &Arch) -> String {
    format!("{}, {}", arch.capability_in_words(), arch.name)
}

fn column(catalog: &Catalog, choice: &GpuChoice, launch: &Launch, is_current: bool) -> Option<Column> {
    let arch = choice.arch(catalog)?;
    let occupancy = evaluate(arch, launch);
    let num_sms = choice.gpu(catalog).and_then(|gpu| gpu.num_sms);
    Some(Column {
        choice: choice.clone(),
        is_current,
        name: choice.to_string(),
        kind: kind(arch),
        whole_gpu: num_sms.map_or_else(Vec::new, |num_sms| whole_gpu(&occupancy, num_sms, launch)),
        occupancy,
    })
}

fn whole_gpu(occupancy: &Occupancy, num_sms: u32, launch: &Launch) -> Vec<String> {
    let mut lines = vec![counted(num_sms.into(), "SM")];
    let waves = launch.grid_blocks().and_then(|grid| Waves::new(occupancy, num_sms, grid));
    if let Some(waves) = waves {
        lines.push(format!("{} waves of {} blocks", one_decimal(waves.waves()), grouped(waves.blocks_per_wave)));
        lines.push(format!("{} grid-limited", crate::fmt::occupancy(waves.grid_limited_percent(), occupancy.max_warps_per_sm)));
    }
    lines
}

fn fit(catalog: &Catalog, arch: &Arch, launch: &Launch) -> Fit {
    let capability = arch.compute_capability;
    let typical = catalog.typical_gpu(capability).or_else(|| catalog.gpus_of(capability).next().filter(|_| arch.invented));
    Fit {
        choice: typical.map_or(GpuChoice::Capability(capability), GpuChoice::product),
        compute_capability: capability,
        label: if arch.invented { arch.name.clone() } else { capability.to_string() },
        title: kind(arch),
        products: products(catalog, capability),
        is_invented: arch.invented,
        occupancy: evaluate(arch, launch),
    }
}

/// The first products by name, and how many more there are.
fn products(catalog: &Catalog, capability: ComputeCapability) -> String {
    let names: Vec<&str> = catalog.gpus_of(capability).map(|gpu| gpu.name.as_str()).collect();
    match names.len() {
        0..=5 => names.join(", "),
        count => format!("{} and {} more", names[..4].join(", "), count - 4),
    }
}

/// A comparison and what it was made from.
#[derive(Debug)]
pub struct Cached {
    configuration: Configuration,
    compared: Vec<GpuChoice>,
    catalog: Arc<Catalog>,
    comparison: Comparison,
}

impl Cached {
    /// The comparison of a session: the one in `cache` when nothing changed, else a new one.
    pub fn refresh<'c>(cache: &'c mut Option<Self>, session: &Session) -> &'c Comparison {
        let document = session.document();
        let is_fresh = cache.as_ref().is_some_and(|cached| {
            cached.configuration == document.configuration
                && cached.compared == document.compared
                && Arc::ptr_eq(&cached.catalog, &session.catalog)
        });
        if !is_fresh {
            *cache = None;
        }
        let make = || Self {
            configuration: document.configuration.clone(),
            compared: document.compared.clone(),
            catalog: Arc::clone(&session.catalog),
            comparison: Comparison::new(session),
        };
        &cache.get_or_insert_with(make).comparison
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Action;
    use crate::units::Dim3;

    fn session() -> Session {
        Session::new(Arc::new(Catalog::builtin().clone()))
    }

    #[test]
    fn every_answer_is_the_engines() {
        let mut session = session();
        session.apply(Action::CompareWith(GpuChoice::Capability(ComputeCapability::new(8, 6))));
        let comparison = Comparison::new(&session);
        let launch = &session.document().configuration.launch;
        assert_eq!(comparison.columns.len(), 2);
        for column in &comparison.columns {
            assert_eq!(column.occupancy, evaluate(session.arch_of(&column.choice), launch));
        }
        assert_eq!(comparison.fits.len(), session.catalog.archs().len());
        for fit in &comparison.fits {
            assert_eq!(Some(&fit.occupancy), session.catalog.arch(fit.compute_capability).map(|arch| evaluate(arch, launch)).as_ref());
            assert_eq!(session.arch_of(&fit.choice).compute_capability, fit.compute_capability);
        }
    }

    #[test]
    fn the_whole_gpu_is_counted_where_its_sms_are_known() {
        let mut session = session();
        session.apply(Action::SetGrid(Some(Dim3::linear(1000))));
        session.apply(Action::CompareWith(GpuChoice::Capability(ComputeCapability::new(9, 0))));
        let comparison = Comparison::new(&session);
        assert_eq!(comparison.columns[0].whole_gpu.len(), 3);
        assert!(comparison.columns[1].whole_gpu.is_empty());
    }

    #[test]
    fn a_change_makes_a_new_comparison() {
        let (mut session, mut cache) = (session(), None);
        let before = Cached::refresh(&mut cache, &session).columns[0].occupancy.clone();
        session.apply(Action::SetRegistersPerThread(200));
        assert_ne!(Cached::refresh(&mut cache, &session).columns[0].occupancy, before);
    }
}
