//! What leaves the app: kernels of reports and heatmaps as tables for spreadsheets and for documents.
//!
//! In: model → text, and the answer for one launch as JSON and Markdown. Not in: writing files.

mod heatmap;
mod json;
mod kernels;
mod markdown;
mod table;

pub use heatmap::heatmap_csv;
pub use json::{OccupancyJson, occupancy_json};
pub use kernels::{KernelRow, kernels_csv, kernels_markdown};
pub use markdown::occupancy_markdown;
pub use table::{Cells, Heading, Value, csv_table, markdown_table, markdown_text, tab_separated, without_formula};
