//! The monitors that a presentation can be on.

use winit::window::Window;

/// How many there are, and the one that is presented on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Monitors {
    pub at: usize,
    pub count: usize,
}

impl Monitors {
    /// Those of a window, in the order in which they are counted when it is moved. A window that is between two is where it `was`.
    pub fn of(window: &Window, was: Option<Self>) -> Self {
        let current = window.current_monitor();
        let at = current.and_then(|current| window.available_monitors().position(|monitor| monitor == current));
        Self { at: at.or(was.map(|was| was.at)).unwrap_or(0), count: window.available_monitors().count() }
    }

    /// After the last comes the first; none where there is only one.
    pub fn next(self) -> Option<Self> {
        (self.count > 1).then(|| Self { at: (self.at + 1) % self.count, ..self })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::{Context, Event, Key, Modifiers, RawInput, ViewportCommand, ViewportId};

    use super::*;
    use crate::arch::Catalog;
    use crate::gui::views::present::Presentation;
    use crate::session::Session;

    /// What the window is told when M is pressed so many times.
    fn told(monitors: Option<Monitors>, times: usize) -> Vec<ViewportCommand> {
        let session = Session::new(Arc::new(Catalog::builtin().clone()));
        let mut presentation = Presentation { monitors, zoom: 1.0, ..Presentation::default() };
        let press = Event::Key { key: Key::M, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
        let ctx = Context::default();
        let mut told = Vec::new();
        for _ in 0..times {
            let input = RawInput { events: vec![press.clone()], ..RawInput::default() };
            let mut output = ctx.run_ui(input, |ui| assert_eq!(presentation.keys(ui.ctx(), &session), Ok(Vec::new())));
            output.textures_delta.clear();
            let commands = output.viewport_output.remove(&ViewportId::ROOT).expect("the window").commands;
            told.extend(commands.into_iter().filter(|command| matches!(command, ViewportCommand::SetMonitor(_))));
        }
        told
    }

    #[test]
    fn a_key_goes_from_monitor_to_monitor() {
        let to = ViewportCommand::SetMonitor;
        assert_eq!(told(Some(Monitors { at: 1, count: 3 }), 3), [to(2), to(0), to(1)]);
        assert_eq!(told(Some(Monitors { at: 0, count: 1 }), 1), []);
        assert_eq!(told(None, 1), []);
    }
}
