//! Reading what profilers write into one model of a kernel.

pub mod account;
mod model;

pub use model::{Device, EstimatedSpeedup, Format, Kernel, Measured, Note, Position, Read, Report, Reported, Rule, Severity};
