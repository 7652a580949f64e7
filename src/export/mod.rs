//! What leaves the app: kernels of reports and heatmaps as tables for spreadsheets and for documents.
//!
//! In: model → text. Not in: writing files, and JSON, whose shape is a contract of the command line.

mod heatmap;
mod kernels;

pub use heatmap::heatmap_csv;
pub use kernels::{KernelRow, kernels_csv, kernels_markdown, markdown_text};
