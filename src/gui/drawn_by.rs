//! What the libraries of the window say for the log: what draws, and what went wrong in them.

use log::{LevelFilter, Log, Metadata, Record};

use crate::shell::RENDERER;

/// Takes what is worth keeping from the libraries' own log.
struct Listener;

/// The part of a message that names the renderer, as the painter writes it.
const RENDERER_LINE: &str = "opengl renderer: ";
const VERSION_LINE: &str = "opengl version: ";

/// Starts to listen; a second time does nothing.
pub(super) fn listen() {
    if log::set_logger(&Listener).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
}

impl Log for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Warn || metadata.target().starts_with("egui_glow")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        if record.level() <= log::Level::Warn {
            tracing::warn!("{}: {}", record.target(), record.args());
        } else if let Some(renderer) = renderer(&record.args().to_string()) {
            tracing::info!("{RENDERER}{renderer}");
        }
    }

    fn flush(&self) {}
}

/// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 (Core Profile) Mesa 22.3.6" out of the painter's message.
fn renderer(message: &str) -> Option<String> {
    let after = |start: &str| message.lines().find_map(|line| line.strip_prefix(start));
    Some(format!("{}, OpenGL {}", after(RENDERER_LINE)?, after(VERSION_LINE)?))
}

#[cfg(test)]
mod tests {
    use super::renderer;

    #[test]
    fn the_renderer_is_found_in_what_the_painter_says() {
        let message = "\nopengl version: 4.5 Mesa 22.3.6\nopengl renderer: llvmpipe\nopengl vendor: Mesa";
        assert_eq!(renderer(message).as_deref(), Some("llvmpipe, OpenGL 4.5 Mesa 22.3.6"));
        assert_eq!(renderer("Shader header: \"#version 140\""), None);
    }
}
