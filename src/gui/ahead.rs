//! What is made ready while the window is being opened, on a thread of its own: the app, and the letters of its first picture.
//!
//! The system takes longer to open a window than all else that happens before its first picture. So the same picture is laid out
//! meanwhile for a window like the last one, and all letters are drawn then. What is guessed wrong is drawn as if there were no guess.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use egui::{Context, Pos2, RawInput, Rect, TexturesDelta, Theme, Vec2, ViewportId};

use super::app::App;
use super::letters;
use crate::arch::Catalog;
use crate::session::presets::Library;
use crate::session::settings::Settings;
use crate::shell::{self, WindowShape};

/// How often a picture is laid out at most until its parts fit: once, and once more where a part asks for it.
const MAX_PASSES: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

/// What the disk has for a new window.
#[derive(Debug, Default)]
pub struct Kept {
    pub settings: Settings,
    pub shape: WindowShape,
    pub library: Library,
    pub recent: Vec<PathBuf>,
}

impl Kept {
    /// Reads what the window's size depends on, and with [`Self::and_the_rest`] everything. Whatever is damaged is left where it is,
    /// said, and done without.
    pub fn read(problems: &mut Vec<String>) -> Self {
        let settings = shell::settings_path().map(|path| shell::settings(&path).map_err(|problem| problems.push(format!("{problem:#}"))));
        let shape = shell::window_path().map(|path| shell::window_shape(&path));
        Self { settings: settings.and_then(Result::ok).unwrap_or_default(), shape: shape.unwrap_or_default(), ..Self::default() }
    }

    fn and_the_rest(self, problems: &mut Vec<String>) -> Self {
        let library = shell::library().map_err(|problem| problems.push(format!("{problem:#}"))).unwrap_or_default();
        let recent = shell::recent_path().map(|path| shell::recent(&path)).unwrap_or_default();
        Self { library, recent, ..self }
    }
}

/// An app that is being made, with what could not be read for it.
pub struct Ahead {
    thread: Option<JoinHandle<(App, Vec<String>)>>,
}

impl Ahead {
    /// Begins. Nothing of the user's is written, so a window that cannot be opened leaves everything as it is.
    pub fn start(ctx: &Context, kept: Kept, problems: Vec<String>) -> Self {
        let ctx = ctx.clone();
        Self { thread: Some(std::thread::spawn(move || make(&ctx, kept, problems))) }
    }

    /// The app, as soon as it is ready.
    pub fn finish(mut self) -> Option<(App, Vec<String>)> {
        self.thread.take().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl Drop for Ahead {
    /// Where no window could be opened, the thread has its end before the program.
    fn drop(&mut self) {
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The context of a window that is going to be opened: as the windowing library would make it, and as large as it is set.
pub fn context(settings: &Settings) -> Context {
    let ctx = Context::default();
    ctx.set_embed_viewports(false);
    ctx.options_mut(|options| {
        options.max_passes = MAX_PASSES;
        options.zoom_factor = settings.zoom();
    });
    letters::allow_other_scripts(&ctx);
    ctx
}

/// The app with everything that was kept, and its letters. What cannot be read is said, and the window opens all the same.
fn make(ctx: &Context, kept: Kept, mut problems: Vec<String>) -> (App, Vec<String>) {
    let catalog = shell::catalog(&[]).unwrap_or_else(|problem| {
        problems.push(format!("{problem:#}"));
        Catalog::with_textbook().clone()
    });
    let mut app = App::new(ctx, Arc::new(catalog), Vec::new());
    app.keep(ctx, kept.and_the_rest(&mut problems));
    lay_out(&mut app, ctx);
    (app, problems)
}

/// Lays out the first picture, for the sake of its letters.
fn lay_out(app: &mut App, ctx: &Context) {
    app.follow_look(ctx);
    let shape = app.shape;
    let screen = Rect::from_min_size(Pos2::ZERO, Vec2::from(shape.size) / ctx.zoom_factor());
    let mut input =
        RawInput { screen_rect: Some(screen), max_texture_side: Some(letters::TEXTURE_SIDE), time: Some(0.0), ..RawInput::default() };
    input.system_theme = shape.is_light.map(|is_light| if is_light { Theme::Light } else { Theme::Dark });
    input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(shape.scale);
    let mut output = ctx.run_ui(input, |ui| app.guard(ctx, |app| app.ui(ui)));
    hand_on(ctx, &mut output.textures_delta);
    for command in output.viewport_output.remove(&ViewportId::ROOT).into_iter().flat_map(|window| window.commands) {
        ctx.send_viewport_cmd_to(ViewportId::ROOT, command);
    }
    // A mistake that only the guess leads to is none.
    app.go_on();
    // Where panels and areas are was a guess.
    ctx.memory_mut(|memory| {
        memory.data.clear();
        memory.reset_areas();
    });
}

/// Leaves the textures of a picture that is not shown to the one that is.
fn hand_on(ctx: &Context, textures: &mut TexturesDelta) {
    let manager = ctx.tex_manager();
    let mut manager = manager.write();
    for (id, deltas) in std::mem::take(&mut textures.set) {
        if manager.meta(id).is_some() {
            deltas.into_iter().for_each(|delta| manager.set(id, delta));
        }
    }
    textures.clear();
}

#[cfg(test)]
mod tests {
    use egui::{ColorImage, Shape, SystemTheme, TextureId, ViewportCommand};

    use super::*;
    use crate::session::ThemeChoice;

    /// An app as [`make`] leaves it, without the disk.
    fn app(ctx: &Context, settings: Settings, shape: WindowShape) -> App {
        let mut app = unready(ctx, settings, shape);
        lay_out(&mut app, ctx);
        app
    }

    fn unready(ctx: &Context, settings: Settings, shape: WindowShape) -> App {
        let mut app = App::new(ctx, Arc::new(Catalog::builtin().clone()), Vec::new());
        app.keep(ctx, Kept { settings, shape, ..Kept::default() });
        app
    }

    fn letters(ctx: &Context) -> ColorImage {
        ctx.fonts(|fonts| (*fonts).image())
    }

    /// The next picture that is shown: its textures, where its marks are, and what the window is told.
    fn show(app: &mut App, ctx: &Context, shape: WindowShape) -> (TexturesDelta, Vec<Rect>, Vec<ViewportCommand>) {
        let screen = Rect::from_min_size(Pos2::ZERO, Vec2::from(shape.size) / ctx.zoom_factor());
        let mut input = RawInput { screen_rect: Some(screen), max_texture_side: Some(letters::TEXTURE_SIDE), ..RawInput::default() };
        input.system_theme = shape.is_light.map(|is_light| if is_light { Theme::Light } else { Theme::Dark });
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(shape.scale);
        let mut output = ctx.run_ui(input, |ui| {
            app.logic(ui.ctx());
            app.ui(ui);
        });
        let marks = output.shapes.iter().flat_map(|shape| match &shape.shape {
            Shape::Mesh(mesh) => mesh.vertices.iter().map(|vertex| Rect::from_pos(vertex.pos)).collect(),
            shape => vec![shape.visual_bounding_rect()],
        });
        // Texts without letters are nowhere.
        let marks = marks.filter(|mark: &Rect| mark.is_finite()).collect();
        let commands = output.viewport_output.remove(&ViewportId::ROOT).expect("the window").commands;
        (output.textures_delta, marks, commands)
    }

    #[test]
    fn the_first_picture_finds_all_its_letters() {
        let large = Settings { zoom_percent: 150, theme: ThemeChoice::Light, high_contrast: true, ..Settings::default() };
        let shapes = [
            (Settings::default(), WindowShape::default()),
            (Settings::default(), WindowShape { size: [1920.0, 1080.0], scale: 1.5, is_light: Some(true), ..WindowShape::default() }),
            (large, WindowShape { size: [1280.0, 800.0], scale: 2.0, is_light: Some(false), ..WindowShape::default() }),
        ];
        for (settings, shape) in shapes {
            let ctx = context(&settings);
            let mut app = app(&ctx, settings, shape);
            let document = app.session.document().clone();
            let ahead = letters(&ctx);
            assert!(ahead.pixels.iter().filter(|pixel| pixel.a() > 0).count() > 10_000, "letters of {shape:?}");

            let (mut textures, _, _) = show(&mut app, &ctx, shape);
            let first = textures.set.get(&TextureId::default()).map(|deltas| (deltas[0].is_whole(), deltas[0].image.size()));
            textures.clear();
            assert_eq!(letters(&ctx), ahead, "{shape:?}");
            assert_eq!(first, Some((true, ahead.size)), "the window gets all letters of {shape:?}");
            assert_eq!(*app.session.document(), document, "{shape:?}");
        }
    }

    #[test]
    fn a_wrong_guess_leaves_no_trace() {
        let settings = Settings { reduced_motion: true, ..Settings::default() };
        let [small, large] = [[700.0, 500.0], [1920.0, 1200.0]].map(|size| WindowShape { size, scale: 2.0, ..WindowShape::default() });
        for (guess, shape) in [(small, large), (large, small)] {
            let (ctx, fresh) = (context(&settings), context(&settings));
            let mut guessed = app(&ctx, settings.clone(), guess);
            let mut unready = unready(&fresh, settings.clone(), guess);
            // What scrolls knows from the second picture on how much there is.
            for picture in 1..=3 {
                let [(mut ours, guessed, _), (mut theirs, unready, _)] =
                    [show(&mut guessed, &ctx, shape), show(&mut unready, &fresh, shape)];
                ours.clear();
                theirs.clear();
                assert!(guessed.len() > 100);
                let differ: Vec<_> = guessed.iter().zip(&unready).filter(|(guessed, unready)| guessed != unready).take(5).collect();
                assert!(guessed.len() == unready.len() && differ.is_empty(), "picture {picture} of {shape:?}: {differ:?}");
            }
        }
    }

    #[test]
    fn the_window_is_told_what_it_would_be_told_without_a_guess() {
        let settings = Settings { theme: ThemeChoice::Light, ..Settings::default() };
        let shape = WindowShape { is_light: Some(false), ..WindowShape::default() };
        let ctx = context(&settings);
        let mut app = app(&ctx, settings, shape);
        let (mut textures, _, commands) = show(&mut app, &ctx, shape);
        textures.clear();
        let themes: Vec<_> = commands.iter().filter(|command| matches!(command, ViewportCommand::SetTheme(_))).collect();
        assert_eq!(themes, [&ViewportCommand::SetTheme(SystemTheme::Light)]);
    }
}
