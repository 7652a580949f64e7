//! Kernels as rows of a table: one list of columns, written as CSV for programs and as Markdown for people.

use super::table::{Heading, Value, csv_table, markdown_table};
use crate::engine::Waves;
use crate::import::Kernel;
use crate::import::account::Account;
use crate::import::account::said::dominant_stall;

/// A kernel with the file it is from.
#[derive(Clone, Copy, Debug)]
pub struct KernelRow<'a> {
    pub file: &'a str,
    pub kernel: &'a Kernel,
    pub account: &'a Account,
}

/// A column: its name in CSV, its heading in Markdown, and its value. None is "not known": an empty cell, or a dash.
struct Column {
    key: &'static str,
    heading: &'static str,
    value: fn(&KernelRow<'_>) -> Option<Value>,
}

use Value::{Bytes, Count, Percent, Real, Text};

const COLUMNS: [Column; 24] = [
    Column { key: "file", heading: "File", value: |row| Some(Text(row.file.to_owned())) },
    Column { key: "id", heading: "ID", value: |row| row.kernel.id.map(Count) },
    Column { key: "process_id", heading: "Process", value: |row| row.kernel.process_id.map(Count) },
    Column { key: "name", heading: "Kernel", value: |row| Some(Text(row.kernel.name.clone())) },
    Column { key: "compute_capability", heading: "CC", value: |row| Some(Text(row.kernel.compute_capability?.value.to_string())) },
    Column { key: "block_threads", heading: "Block", value: |row| Some(Count(row.kernel.threads_per_block()?.value)) },
    Column { key: "grid_blocks", heading: "Grid", value: |row| Some(Count(row.kernel.num_blocks()?.value)) },
    Column { key: "registers_per_thread", heading: "Registers", value: |row| Some(Count(row.kernel.registers_per_thread?.value.into())) },
    Column { key: "static_smem_bytes", heading: "Static shared", value: |row| Some(Bytes(row.kernel.static_smem_bytes?.value)) },
    Column { key: "dynamic_smem_bytes", heading: "Dynamic shared", value: |row| Some(Bytes(row.kernel.dynamic_smem_bytes?.value)) },
    Column { key: "blocks_per_sm", heading: "Blocks/SM", value: |row| row.account.blocks_per_sm.map(|blocks| Count(blocks.into())) },
    Column { key: "limiters", heading: "Stopped by", value: limiters },
    Column { key: "theoretical_occupancy_percent", heading: "Theoretical", value: |row| row.account.theoretical_percent.map(Percent) },
    Column {
        key: "grid_limited_occupancy_percent",
        heading: "Grid-limited",
        value: |row| row.account.waves.as_ref().map(Waves::grid_limited_percent).map(Percent),
    },
    Column { key: "achieved_occupancy_percent", heading: "Achieved", value: |row| row.account.achieved_percent.map(Percent) },
    Column { key: "unfilled_points", heading: "Unfilled", value: |row| row.account.gap.map(|gap| Percent(gap.unfilled)) },
    Column { key: "tail_up_to_points", heading: "Tail, up to", value: |row| row.account.gap.map(|gap| Percent(gap.tail_up_to)) },
    Column { key: "other_points", heading: "Other", value: |row| row.account.gap.map(|gap| Percent(gap.other)) },
    Column {
        key: "imbalance_points",
        heading: "Imbalance",
        value: |row| Some(Percent(row.account.activity?.loss(row.account.achieved_percent?).imbalance?)),
    },
    Column {
        key: "launch_and_drain_points",
        heading: "Launch and drain",
        value: |row| Some(Percent(row.account.activity?.loss(row.account.achieved_percent?).launch_and_drain)),
    },
    Column { key: "sm_active_percent", heading: "SMs active", value: |row| Some(Percent(row.account.activity?.average_percent())) },
    Column { key: "waves", heading: "Waves", value: |row| row.account.waves.as_ref().map(Waves::waves).map(Real) },
    Column { key: "duration_ns", heading: "Time, ns", value: |row| row.kernel.measured.duration_ns.map(|read| Real(read.value)) },
    Column { key: "dominant_stall", heading: "Stall", value: |row| Some(Text(dominant_stall(row.kernel)?.reason?.name().to_owned())) },
];

fn limiters(row: &KernelRow<'_>) -> Option<Value> {
    let limiters = row.account.limiters(row.kernel);
    (!limiters.is_empty()).then(|| Text(limiters.joined_keys()))
}

/// All kernels as CSV with a header row: plain numbers in base units, empty where not known.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn kernels_csv<'a>(rows: impl IntoIterator<Item = KernelRow<'a>>) -> Result<Vec<u8>, csv::Error> {
    let headings: Vec<Heading> = COLUMNS.iter().map(Column::heading).collect();
    csv_table(&headings, rows.into_iter().map(|row| COLUMNS.iter().map(|column| (column.value)(&row)).collect()))
}

/// All kernels as a Markdown table; columns that no kernel has a value for are left out.
pub fn kernels_markdown<'a>(rows: impl IntoIterator<Item = KernelRow<'a>>) -> String {
    let rows: Vec<KernelRow<'a>> = rows.into_iter().collect();
    let used: Vec<&Column> = COLUMNS.iter().filter(|column| rows.iter().any(|row| (column.value)(row).is_some())).collect();
    let headings: Vec<Heading> = used.iter().map(|column| column.heading()).collect();
    markdown_table(&headings, rows.iter().map(|row| used.iter().map(|column| (column.value)(row)).collect()))
}

impl Column {
    fn heading(&self) -> Heading {
        Heading { key: self.key, title: self.heading, is_text: matches!(self.key, "file" | "name" | "limiters" | "dominant_stall") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Catalog;
    use crate::import::account::account;
    use crate::import::{SAMPLE_REPORT, read_report};

    fn with_sample<T>(use_rows: impl FnOnce(Vec<KernelRow<'_>>) -> T) -> T {
        let report = read_report(SAMPLE_REPORT).expect("the sample");
        let accounts: Vec<Account> = report.kernels.iter().map(|kernel| account(kernel, Catalog::builtin(), None)).collect();
        use_rows(report.kernels.iter().zip(&accounts).map(|(kernel, account)| KernelRow { file: "sample.csv", kernel, account }).collect())
    }

    #[test]
    fn csv_has_a_row_for_each_kernel_and_plain_numbers() {
        let bytes = with_sample(|rows| kernels_csv(rows).expect("memory"));
        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        let headers = reader.headers().expect("headers").clone();
        let at = |key: &str| headers.iter().position(|header| header == key).expect("a column");
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("rows");
        assert_eq!(rows.len(), 12);
        assert_eq!(&rows[0][at("name")], "gemm_128x64_nn");
        assert_eq!(&rows[0][at("theoretical_occupancy_percent")], "25");
        assert_eq!(&rows[0][at("grid_blocks")], "352");
        assert_eq!(&rows[1][at("limiters")], "warps+registers");
    }

    #[test]
    fn markdown_escapes_what_would_break_the_table() {
        let text = with_sample(|rows| kernels_markdown(rows.iter().copied()));
        assert!(text.starts_with("| File | ID |"), "{text}");
        assert!(text.contains("scan\\_block\\<float\\>"), "{text}");
        assert_eq!(text.lines().count(), 14);
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(text.lines().all(|line| columns(line) == columns(text.lines().next().unwrap_or_default())));
    }

    #[test]
    fn what_is_not_known_is_empty_or_a_dash() {
        let kernel = Kernel { name: "bare|name".to_owned(), ..Kernel::default() };
        let account = account(&kernel, Catalog::builtin(), None);
        let row = KernelRow { file: "a.csv", kernel: &kernel, account: &account };
        let csv = String::from_utf8(kernels_csv([row]).expect("memory")).expect("text");
        assert_eq!(csv.lines().nth(1), Some("a.csv,,,bare|name,,,,,,,,,,,,,,,,,,,,"));
        assert!(kernels_markdown([row]).contains("bare\\|name"));
    }
}
