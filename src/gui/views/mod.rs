//! What is on screen, one folder per view: state and controls in `mod`, what to show in `model`, where in `layout`, how in `paint`.

pub mod answer;
pub mod inputs;
