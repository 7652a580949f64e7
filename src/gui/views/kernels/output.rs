//! Rows of the table as they leave the app: what is shown, in the shown order, with the shown columns.

use super::columns;
use super::facts::Facts;
use super::layout::Places;
use super::rows::{Row, Table};
use crate::export::{self, Cells, Heading, Value};
use crate::session::{Session, TableColumn};

/// The columns of the output: the file where there are several, then what is shown and is more than a picture.
struct Columns {
    headings: Vec<Heading>,
    shown: Vec<TableColumn>,
    with_file: bool,
}

impl Columns {
    fn new(session: &Session, places: &Places) -> Self {
        let with_file = session.document().reports.len() > 1;
        let file = with_file.then_some(Heading { key: "file", title: "File", is_text: true });
        let shown: Vec<TableColumn> = places.places.iter().map(|place| place.column).filter(|column| *column != TableColumn::Bar).collect();
        let heading = |column: &TableColumn| {
            // Sizes carry their own unit in Markdown, and are bytes elsewhere.
            let title = if *column == TableColumn::SharedMemory { "Shared" } else { columns::heading(*column) };
            Heading { key: columns::key(*column), title, is_text: columns::is_left_aligned(*column) }
        };
        Self { headings: file.into_iter().chain(shown.iter().map(heading)).collect(), shown, with_file }
    }

    fn cells(&self, facts: &Facts<'_>) -> Cells {
        let file = self.with_file.then(|| Some(Value::Text(facts.file.name())));
        file.into_iter().chain(self.shown.iter().map(|column| facts.value(*column))).collect()
    }
}

/// For the clipboard: headings and rows, with tabs between.
pub fn tab_separated(table: &Table, session: &Session, places: &Places, rows: &[Row]) -> String {
    let columns = Columns::new(session, places);
    let cells = rows.iter().filter_map(|row| table.facts(session, *row)).map(|facts| columns.cells(&facts));
    let mut headings = columns.headings.clone();
    if let Some(heading) = headings.iter_mut().find(|heading| heading.title == "Shared") {
        heading.title = "Shared, bytes";
    }
    export::tab_separated(&headings, cells)
}

/// All shown rows as CSV.
pub fn csv(table: &Table, session: &Session, places: &Places) -> String {
    let columns = Columns::new(session, places);
    let cells = table.rows.iter().filter_map(|row| table.facts(session, *row)).map(|facts| columns.cells(&facts));
    let bytes = export::csv_table(&columns.headings, cells).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// All shown rows as a Markdown table.
pub fn markdown(table: &Table, session: &Session, places: &Places) -> String {
    let columns = Columns::new(session, places);
    let cells = table.rows.iter().filter_map(|row| table.facts(session, *row)).map(|facts| columns.cells(&facts));
    export::markdown_table(&columns.headings, cells)
}

/// What a file with the table is called until somebody says otherwise: "report-kernels.csv".
pub fn file_name(session: &Session, extension: &str) -> String {
    let first = session.document().reports.first();
    let stem = first.and_then(|report| report.path.file_stem()).map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let stem: String = stem.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    format!("{stem}-kernels.{extension}")
}
