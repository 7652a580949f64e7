//! One field that finds everything: commands, presets, GPUs, and kernels of open reports.

use egui::{Align, Button, Context, Frame, Key, Layout, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::arch::Found;
use crate::gui::commands::Command;
use crate::gui::theme::{self, ROW_HEIGHT, Theme, size};
use crate::gui::widgets::quiet;
use crate::learn::Lesson;
use crate::session::{Action, GpuChoice, Screen, Session, presets};

/// More of one kind are not listed: typing on is quicker than scrolling.
const MAX_OF_A_KIND: usize = 12;
const WIDTH: f32 = 560.0;

/// What is typed, and the row that Enter takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaletteState {
    open: bool,
    text: String,
    row: usize,
}

/// What a row does.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    Invoke(Command),
    Act(Vec<Action>),
    /// A lesson from its beginning; its actions are worked out once it is chosen.
    Read(&'static Lesson),
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub title: String,
    /// What kind of thing it is, or the keys of a command.
    pub hint: String,
    pub choice: Choice,
}

impl PaletteState {
    /// Opens it empty, or closes it.
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, ..Self::default() };
    }
}

/// The rows for a text: commands that are possible now, then presets, GPUs and kernels. Every word of the text is in a row's title.
pub fn entries(session: &Session, text: &str, keys_of: impl Fn(Command) -> String) -> Vec<Entry> {
    let words: Vec<String> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let fits = |title: &str| {
        let title = title.to_lowercase();
        words.iter().all(|word| title.contains(word.as_str()))
    };
    let commands = Command::ALL
        .into_iter()
        .filter(|command| *command != Command::ShowPalette && command.is_enabled(session) && fits(command.text()))
        .map(|command| Entry { title: title_of(command, session), hint: keys_of(command), choice: Choice::Invoke(command) });
    let presets = presets::all(&session.document().library).filter(|preset| fits(&preset.name)).map(|preset| Entry {
        title: preset.name.clone(),
        hint: format!("preset, {}", preset.configuration.gpu),
        choice: Choice::Act(vec![Action::UsePreset(Box::new(preset.clone()))]),
    });
    let lessons = crate::learn::lessons().iter().filter(|lesson| fits(&lesson.title)).map(|lesson| Entry {
        title: lesson.title.clone(),
        hint: format!("lesson, {} min", lesson.minutes),
        choice: Choice::Read(lesson),
    });
    let mut found: Vec<Entry> = commands.chain(presets).chain(lessons).collect();
    if !words.is_empty() {
        found.extend(gpus(session, text));
        found.extend(kernels(session, &words).take(MAX_OF_A_KIND));
    }
    found
}

/// "Keys", or what undo would take back: "Undo: Set registers to 72".
fn title_of(command: Command, session: &Session) -> String {
    let text = command.text();
    command.step_name(session).map_or_else(|| text.to_owned(), |step| format!("{text}: {step}"))
}

fn gpus(session: &Session, text: &str) -> impl Iterator<Item = Entry> {
    session.catalog.search(text).into_iter().take(MAX_OF_A_KIND).map(|found| {
        let (choice, hint) = match found {
            Found::Gpu(gpu) => (GpuChoice::product(gpu), format!("GPU, compute capability {}", gpu.compute_capability)),
            Found::Arch(arch) => (GpuChoice::Capability(arch.compute_capability), arch.name.clone()),
        };
        Entry { title: choice.to_string(), hint, choice: Choice::Act(vec![Action::SelectGpu(choice), Action::ShowScreen(Screen::Explore)]) }
    })
}

fn kernels<'a>(session: &'a Session, words: &'a [String]) -> impl Iterator<Item = Entry> + 'a {
    let reports = &session.document().reports;
    let all = session.document().kernels();
    let fits = |name: &str| words.iter().all(|word| name.to_lowercase().contains(word.as_str()));
    all.filter(move |(_, kernel, _)| fits(&kernel.name)).map(|(at, kernel, _)| Entry {
        title: crate::fmt::harmless(&kernel.name),
        hint: format!("kernel {} of {}", at.kernel + 1, reports[at.report].name()),
        choice: Choice::Act(vec![Action::SelectKernel(Some(at)), Action::ShowScreen(Screen::Kernels)]),
    })
}

/// Draws it when it is open; the choice, once one is made.
pub fn palette_ui(ctx: &Context, state: &mut PaletteState, session: &Session) -> Option<Choice> {
    if !state.open {
        return None;
    }
    let keys_of = |command: Command| command.shortcut().map(|keys| ctx.format_shortcut(&keys)).unwrap_or_default();
    let found = entries(session, &state.text, keys_of);
    state.row = state.row.min(found.len().saturating_sub(1));
    // Before the field takes them.
    let (up, down, enter) = ctx.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter))
    });
    if down {
        state.row = (state.row + 1).min(found.len().saturating_sub(1));
    } else if up {
        state.row = state.row.saturating_sub(1);
    }
    let frame = Frame::popup(&ctx.global_style()).inner_margin(12);
    let modal = Modal::new(egui::Id::unique("palette")).frame(frame).show(ctx, |ui| {
        ui.set_width(WIDTH.min(ctx.content_rect().width() - 48.0));
        field_ui(ui, state);
        ui.add_space(4.0);
        list_ui(ui, state.row, &found, up || down)
    });
    let chosen = modal.inner.or(enter.then_some(state.row)).and_then(|row| found.into_iter().nth(row));
    if chosen.is_some() || modal.should_close() {
        state.open = false;
    }
    chosen.map(|entry| entry.choice)
}

fn field_ui(ui: &mut Ui, state: &mut PaletteState) {
    let hint = "Command, preset, GPU or kernel";
    let field = ui.add(TextEdit::singleline(&mut state.text).desired_width(f32::INFINITY).hint_text(hint).font(theme::words(size::TITLE)));
    field.widget_info(|| {
        let mut info = egui::WidgetInfo::text_edit(true, "", &state.text, hint);
        info.label = Some(Command::ShowPalette.text().to_owned());
        info
    });
    field.request_focus();
    if field.changed() {
        state.row = 0;
    }
}

/// The rows; which one was clicked.
fn list_ui(ui: &mut Ui, row: usize, found: &[Entry], moved: bool) -> Option<usize> {
    if found.is_empty() {
        ui.label(quiet(ui, "Nothing is called that. Words may be in any order, and unfinished."));
        return None;
    }
    let mut clicked = None;
    // As high as ten rows whether they are filled or not: the list does not jump while somebody types.
    let height = (10.0 * ROW_HEIGHT).min(ui.ctx().content_rect().height() - 140.0);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, entry) in found.iter().enumerate() {
            let response = row_ui(ui, entry, index == row);
            if index == row && moved {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                clicked = Some(index);
            }
        }
    });
    clicked
}

fn row_ui(ui: &mut Ui, entry: &Entry, selected: bool) -> egui::Response {
    let theme = Theme::of(ui);
    let hint = RichText::new(&entry.hint).font(theme::words(size::NOTE)).color(theme.palette.text3);
    let title = RichText::new(&entry.title).font(theme::words(size::BODY)).color(theme.palette.text);
    let fill = if selected { theme.palette.accent_soft } else { egui::Color32::TRANSPARENT };
    ui.with_layout(Layout::top_down(Align::Min), |ui| {
        let button = Button::new(title).right_text(hint).fill(fill).stroke(egui::Stroke::NONE).selected(selected).truncate();
        ui.add(button.min_size(vec2(ui.available_width(), ROW_HEIGHT)))
    })
    .inner
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::arch::Catalog;

    fn found(text: &str) -> Vec<Entry> {
        let session = Session::new(Arc::new(Catalog::builtin().clone()));
        entries(&session, text, |_| String::new())
    }

    #[test]
    fn an_empty_text_lists_what_is_possible() {
        let titles: Vec<String> = found("").into_iter().map(|entry| entry.title).collect();
        assert!(titles.contains(&Command::Open.text().to_owned()) && titles.contains(&"Rounding trap, 41 registers".to_owned()));
        assert!(!titles.contains(&Command::Undo.text().to_owned()), "there is nothing to undo yet");
    }

    #[test]
    fn words_in_any_order_find_a_preset() {
        assert_eq!(found("41 TRAP")[0].title, "Rounding trap, 41 registers");
    }

    #[test]
    fn a_gpu_is_found_by_its_architecture() {
        let chosen = found("hopper").into_iter().find(|entry| entry.title == "H100 SXM").expect("a Hopper product");
        let expected = vec![Action::SelectGpu(GpuChoice::Product("H100 SXM".to_owned())), Action::ShowScreen(Screen::Explore)];
        assert_eq!(chosen.choice, Choice::Act(expected));
    }

    #[test]
    fn a_lesson_is_found_by_its_title() {
        let entry = found("textbook hardware").into_iter().next().expect("a lesson");
        assert!(matches!(entry.choice, Choice::Read(lesson) if lesson.id == "textbook-and-hardware"));
    }

    #[test]
    fn nonsense_finds_nothing() {
        assert!(found("qqzzqq").is_empty());
    }
}
