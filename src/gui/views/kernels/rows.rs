//! The rows of the table, kept from frame to frame: grouped, filtered, sorted, unfolded. Each step is done anew only when what it
//! rests on has changed.

use std::collections::HashSet;
use std::sync::Arc;

use super::facts::Facts;
use super::filter::Filter;
use super::model::report_addresses;
use crate::engine::Resource;
use crate::session::groups::{self, Group};
use crate::session::{Beside, KernelRef, Session, TableColumn};

/// What the table is sorted by; no column is the order of the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    pub column: Option<TableColumn>,
    pub descending: bool,
}

impl Sort {
    /// A click on a heading: sort by it, or turn the order around.
    pub fn toggle(&mut self, column: TableColumn) {
        let is_text = matches!(column, TableColumn::Name | TableColumn::Gpu | TableColumn::Change | TableColumn::Limiters);
        self.descending = if self.column == Some(column) { !self.descending } else { !is_text };
        self.column = Some(column);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// A launch by itself, or one of an unfolded group.
    Launch(KernelRef),
    /// In [`Table::groups`].
    Group(usize),
}

/// How much is shown, and how much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    pub rows: usize,
    pub all_rows: usize,
    pub launches: u64,
    pub all_launches: u64,
    /// Durations of what is shown; none when one is not known.
    pub duration_ns: Option<f64>,
    /// Rows that each resource stops, in the order of [`Resource::ALL`], whatever limiters are asked for.
    pub by_limiter: [usize; 5],
}

/// What groups rest on: the readings, whether launches are grouped, the two files that are compared, and whether that is over.
type GroupsOf = (Vec<usize>, bool, Option<(usize, usize)>, bool);

/// Cheap to clone but for its rows, so that it can be written out on another thread.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub groups: Arc<Vec<Group>>,
    pub rows: Vec<Row>,
    pub counts: Counts,
    /// The two files that are compared, old and new.
    pub compared: Option<(usize, usize)>,
    /// Grows whenever there are other rows, not when they are in another order.
    pub generation: u64,
    entries: Vec<Row>,
    /// All durations of each file.
    totals_ns: Vec<f64>,
    unfolded: HashSet<u64>,
    groups_of: Option<GroupsOf>,
    entries_of: Option<(Sort, Filter)>,
    rows_of: Option<HashSet<u64>>,
}

impl Table {
    /// Brings the rows up to date; costs nothing when nothing has changed.
    pub fn update(&mut self, session: &Session, sort: Sort, filter: &Filter) {
        let beside = session.beside();
        let compared = beside.compared().map(|compared| (compared.old, compared.new));
        let is_grouped = session.view().table.is_grouped || compared.is_some();
        let key = (report_addresses(session), is_grouped, compared, beside.percent().is_none());
        if self.groups_of.as_ref() != Some(&key) {
            self.compared = compared;
            self.totals_ns = totals_ns(session);
            self.groups = match beside {
                Beside::Known { groups, .. } => Arc::clone(&groups.0),
                Beside::Nothing if is_grouped => Arc::new(groups::by_shape(session.document())),
                // While files are being compared nothing is known yet, so nothing is listed.
                Beside::Comparing { .. } | Beside::Nothing => Arc::default(),
            };
            self.groups_of = Some(key);
            self.entries_of = None;
        }
        if self.entries_of.as_ref().is_none_or(|(of, with)| *of != sort || with != filter) {
            let shown = self.filtered(session, filter);
            self.entries = self.sorted(session, shown, sort);
            self.generation += u64::from(self.entries_of.as_ref().is_none_or(|(_, with)| with != filter));
            self.entries_of = Some((sort, filter.clone()));
            self.rows_of = None;
        }
        if self.rows_of.as_ref() != Some(&self.unfolded) {
            self.rows = self.unfolded_rows(session, sort);
            self.rows_of = Some(self.unfolded.clone());
        }
    }

    pub fn is_grouped(&self) -> bool {
        self.groups_of.as_ref().is_some_and(|(_, is_grouped, ..)| *is_grouped)
    }

    /// What a row says; none only when the files have changed since.
    pub fn facts<'a>(&'a self, session: &'a Session, row: Row) -> Option<Facts<'a>> {
        let group = match row {
            Row::Group(index) => Some(self.groups.get(index)?),
            Row::Launch(_) => None,
        };
        let at = self.launch_of(row)?;
        let (kernel, account) = session.document().kernel(at)?;
        let file = session.document().reports.get(at.report)?;
        Some(Facts { file, kernel, account, group, total_ns: self.totals_ns.get(at.report).copied().unwrap_or(0.0) })
    }

    /// The launch that a row is selected as.
    pub fn launch_of(&self, row: Row) -> Option<KernelRef> {
        match row {
            Row::Launch(at) => Some(at),
            Row::Group(index) => self.groups.get(index).map(|group| group.stands_for),
        }
    }

    /// A group of several launches; only those unfold.
    pub fn folds(&self, row: Row) -> Option<&Group> {
        match row {
            Row::Group(index) => self.groups.get(index).filter(|group| group.members.len() > 1),
            Row::Launch(_) => None,
        }
    }

    pub fn is_unfolded(&self, row: Row) -> bool {
        self.folds(row).is_some_and(|group| self.unfolded.contains(&group.key))
    }

    pub fn unfold(&mut self, row: Row, unfold: bool) {
        if let Some(key) = self.folds(row).map(|group| group.key) {
            if unfold {
                self.unfolded.insert(key)
            } else {
                self.unfolded.remove(&key)
            };
        }
    }

    /// The row that shows a launch: its own, or that of its group.
    pub fn position(&self, at: KernelRef) -> Option<usize> {
        let own = self.rows.iter().position(|row| *row == Row::Launch(at));
        own.or_else(|| self.rows.iter().position(|row| self.group_has(*row, at)))
    }

    fn group_has(&self, row: Row, at: KernelRef) -> bool {
        matches!(row, Row::Group(index) if self.groups[index].members.binary_search(&at).is_ok())
    }

    /// Whether this row shows the selected launch: the launch itself, or its group while that is folded.
    pub fn is_selected(&self, row: Row, selected: Option<KernelRef>) -> bool {
        let Some(at) = selected else { return false };
        row == Row::Launch(at) || (!self.is_unfolded(row) && self.group_has(row, at))
    }

    fn filtered(&mut self, session: &Session, filter: &Filter) -> Vec<Row> {
        let all: Vec<Row> = if self.is_grouped() {
            (0..self.groups.len()).map(Row::Group).collect()
        } else {
            session.document().kernels().map(|(at, ..)| Row::Launch(at)).collect()
        };
        let matcher = filter.matcher();
        let mut counts = Counts { all_rows: all.len(), duration_ns: Some(0.0), ..Counts::default() };
        let fits = |row: &Row| {
            let Some(facts) = self.facts(session, *row) else { return false };
            counts.all_launches += facts.launches();
            if !matcher.fits_but_for_limiters(&facts) {
                return false;
            }
            let limiters = facts.limiters();
            for (count, resource) in counts.by_limiter.iter_mut().zip(Resource::ALL) {
                *count += usize::from(limiters.contains(resource));
            }
            let fits = matcher.fits_limiters(limiters);
            if fits {
                counts.launches += facts.launches();
                counts.duration_ns = counts.duration_ns.zip(facts.duration_ns()).map(|(sum, ns)| sum + ns);
            }
            fits
        };
        let shown: Vec<Row> = all.into_iter().filter(fits).collect();
        self.counts = Counts { rows: shown.len(), ..counts };
        shown
    }

    fn sorted(&self, session: &Session, mut rows: Vec<Row>, sort: Sort) -> Vec<Row> {
        let Some(column) = sort.column else {
            if sort.descending {
                rows.reverse();
            }
            return rows;
        };
        let facts = rows.iter().filter_map(|row| Some((*row, self.facts(session, *row)?)));
        if column == TableColumn::Name {
            let mut named: Vec<(&str, Row)> = facts.map(|(row, facts)| (facts.kernel.name.as_str(), row)).collect();
            named.sort_by(|(one, _), (other, _)| if sort.descending { other.cmp(one) } else { one.cmp(other) });
            return named.into_iter().map(|(_, row)| row).collect();
        }
        if column == TableColumn::Gpu {
            let mut named: Vec<(Option<String>, Row)> = facts.map(|(row, facts)| (facts.gpu(), row)).collect();
            named.sort_by(|(one, _), (other, _)| if sort.descending { other.cmp(one) } else { one.cmp(other) });
            return named.into_iter().map(|(_, row)| row).collect();
        }
        let mut keyed: Vec<(Option<f64>, Row)> = facts.map(|(row, facts)| (facts.number(column), row)).collect();
        keyed.sort_by(|(one, _), (other, _)| compare(*one, *other, sort.descending));
        keyed.into_iter().map(|(_, row)| row).collect()
    }

    fn unfolded_rows(&self, session: &Session, sort: Sort) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.entries.len());
        for row in &self.entries {
            rows.push(*row);
            if self.is_unfolded(*row)
                && let Some(group) = self.folds(*row)
            {
                let members = group.members.iter().copied().map(Row::Launch).collect();
                rows.extend(self.sorted(session, members, sort));
            }
        }
        rows
    }
}

/// Rows without a value come last, whatever the direction.
fn compare(a: Option<f64>, b: Option<f64>, descending: bool) -> std::cmp::Ordering {
    match (a, b) {
        (Some(a), Some(b)) if descending => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

fn totals_ns(session: &Session) -> Vec<f64> {
    session.document().reports.iter().map(|report| report.kernels().filter_map(|(kernel, _)| groups::duration_ns(kernel)).sum()).collect()
}
