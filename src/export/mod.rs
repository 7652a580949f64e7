//! What leaves the app: kernels of reports and heatmaps as tables for spreadsheets and for documents.
//!
//! In: model → text. Not in: writing files, and JSON, whose shape is a contract of the command line.

mod heatmap;
mod kernels;
mod table;

pub use heatmap::heatmap_csv;
pub use kernels::{KernelRow, kernels_csv, kernels_markdown};
pub use table::{Cells, Heading, Value, csv_table, markdown_table, markdown_text, tab_separated};
