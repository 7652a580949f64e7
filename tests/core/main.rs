//! Everything that needs no window: the engine against its golden tables, laws, readers, the command line, the tree itself.

mod advice;
mod cli;
mod cli_compare;
mod cli_quiz;
mod cli_render;
mod cli_ship;
mod comparing;
mod compiled_laws;
mod compiled_real;
mod golden;
mod import_laws;
mod import_real;
mod kept;
mod laws;
mod ncu_rep_real;
mod presets;
mod refusals;
mod session;
mod simulate_laws;
mod tidy;
mod tough;
mod trace;
mod undo_laws;
mod watching;
mod waves;
mod waves_real;
