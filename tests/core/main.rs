//! Tests of everything without a window.

mod import_laws;
mod import_real;
