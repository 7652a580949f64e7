//! What is on screen, one folder per view: state and controls in `mod`, what to show in `model`, where in `layout`, how in `paint`.

pub mod answer;
pub mod ask_path;
pub mod bars;
pub mod compare;
pub mod curves;
pub mod explore;
pub mod gpu_editor;
pub mod guide;
pub mod hand_out;
pub mod heatmap;
pub mod inputs;
pub mod kernels;
pub mod keys;
pub mod learn;
pub mod palette;
pub mod present;
pub mod presets;
pub mod reading;
pub mod settings;
pub mod sm_map;
pub mod stopped;
pub mod topic;
