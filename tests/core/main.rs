//! Everything that needs no window: the engine against its golden tables, laws, readers, the command line, the tree itself.

mod cli;
mod cli_compare;
mod compiled_laws;
mod compiled_real;
mod golden;
mod import_laws;
mod import_real;
mod laws;
mod ncu_rep_real;
mod session;
mod tidy;
mod watching;
