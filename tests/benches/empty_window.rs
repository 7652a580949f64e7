//! A window of the same size with nothing in it: what `first_frame.py` measures the program's against.

fn main() -> eframe::Result {
    let viewport = egui::ViewportBuilder::default().with_title("Empty").with_inner_size([1440.0, 900.0]);
    let options = eframe::NativeOptions { viewport, centered: true, ..eframe::NativeOptions::default() };
    eframe::run_ui_native("Empty", options, |ui, _| {
        egui::CentralPanel::default().show(ui, |_| ());
    })
}
