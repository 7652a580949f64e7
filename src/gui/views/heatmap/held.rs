//! A click into a part of the chart waits until it cannot be the first of a double click, which shows the whole.

use std::time::Duration;

use egui::{Response, Ui};

use super::HeatmapEvent;

/// What a click asked for, and the time at which it happens.
#[derive(Clone, Debug, Default)]
pub struct Held(Option<(HeatmapEvent, f64)>);

impl Held {
    /// What happens now. The whole chart knows no double click, so there nothing waits.
    pub fn settle(&mut self, ui: &Ui, response: &Response, clicked: Option<HeatmapEvent>, is_whole: bool) -> Option<HeatmapEvent> {
        if is_whole {
            self.0 = None;
            return clicked;
        }
        if response.double_clicked() {
            self.0 = None;
            return None;
        }
        let now = ui.input(|input| input.time);
        if let Some(event) = clicked {
            self.0 = Some((event, now + ui.ctx().options(|options| options.input_options.max_double_click_delay)));
        }
        let wait = self.0.as_ref()?.1 - now;
        if wait > 0.0 {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(wait));
            return None;
        }
        self.0.take().map(|(event, _)| event)
    }
}
