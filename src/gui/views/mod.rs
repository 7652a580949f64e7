//! One folder per view: its state and controls in `mod`, what it shows in `model`, where in `layout`, how it looks in `paint`.

pub mod sm_map;
