//! The views, one folder each: `mod` has its state and its `ui` function, `model` what to show, `layout` where, `paint` how it looks.

pub mod curves;
pub mod heatmap;
