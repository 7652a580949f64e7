//! What a person can invoke: text, tooltip, shortcut and when it is possible, in one list. Menus, keys and key help are drawn from it.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::focus;
use super::views::learn;
use crate::session::{Action, Placed, Screen, Session, ThemeChoice};

/// Something a person can invoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    Open,
    OpenSample,
    Undo,
    Redo,
    ShowExplore,
    ShowKernels,
    ShowLearn,
    LessonBack,
    LessonNext,
    ReturnToLesson,
    HideAnswers,
    ReadWithOtherMark,
    Pin,
    StepBack,
    StepForward,
    PlaceNone,
    PlaceAll,
    PlayOrPause,
    FineSteps,
    CopyAnswer,
    CopyJson,
    CopyMarkdown,
    SavePicture,
    CopyPicture,
    SaveHeatmap,
    SwitchTheme,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    ShowPresets,
    SavePreset,
    SaveSession,
    SaveSessionAs,
    OpenLastSession,
    ShowSettings,
    Present,
    ShowPalette,
    ShowKeys,
    ShowGuide,
    Quit,
}

/// What a command does: an action of the session, or something only the window can do.
#[derive(Clone, Debug, PartialEq)]
pub enum Invocation {
    Act(Action),
    ActAll(Vec<Action>),
    CopyAnswer,
    CopyJson,
    CopyMarkdown,
    SavePicture,
    CopyPicture,
    SaveHeatmap,
    SwitchTheme,
    /// By this many percent.
    Zoom(i32),
    ZoomReset,
    ShowPresets,
    SavePreset,
    OpenLastSession,
    ShowSettings,
    Present,
    ShowPalette,
    ShowKeys,
    ShowGuide,
    Quit,
}

const fn command(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn shift_command(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

const fn bare(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

impl Command {
    pub const ALL: [Self; 40] = [
        Self::Open,
        Self::OpenSample,
        Self::Undo,
        Self::Redo,
        Self::ShowExplore,
        Self::ShowKernels,
        Self::ShowLearn,
        Self::LessonBack,
        Self::LessonNext,
        Self::ReturnToLesson,
        Self::HideAnswers,
        Self::ReadWithOtherMark,
        Self::Pin,
        Self::StepBack,
        Self::StepForward,
        Self::PlaceNone,
        Self::PlaceAll,
        Self::PlayOrPause,
        Self::FineSteps,
        Self::CopyAnswer,
        Self::CopyJson,
        Self::CopyMarkdown,
        Self::SavePicture,
        Self::CopyPicture,
        Self::SaveHeatmap,
        Self::SwitchTheme,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::ZoomReset,
        Self::ShowPresets,
        Self::SavePreset,
        Self::SaveSession,
        Self::SaveSessionAs,
        Self::OpenLastSession,
        Self::ShowSettings,
        Self::Present,
        Self::ShowPalette,
        Self::ShowKeys,
        Self::ShowGuide,
        Self::Quit,
    ];

    pub const fn text(self) -> &'static str {
        match self {
            Self::Open => "Open…",
            Self::OpenSample => "Open the sample report",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::ShowExplore => "Explore",
            Self::ShowKernels => "Kernels",
            Self::ShowLearn => "Learn",
            Self::LessonBack => "One step back in the lesson",
            Self::LessonNext => "One step on in the lesson",
            Self::ReturnToLesson => "Return to the lesson",
            Self::HideAnswers => "Hide or reveal answers",
            Self::ReadWithOtherMark => "Read the report again with the other decimal mark",
            Self::Pin => "Pin or unpin this configuration",
            Self::StepBack => "One block less on the SM",
            Self::StepForward => "One block more on the SM",
            Self::PlaceNone => "Empty the SM",
            Self::PlaceAll => "Fill the SM up to the block that does not fit",
            Self::PlayOrPause => "Place blocks by themselves, or pause",
            Self::FineSteps => "Steps of one resource, or of a whole block",
            Self::CopyAnswer => "Copy the answer as text",
            Self::CopyJson => "Copy as JSON",
            Self::CopyMarkdown => "Copy as Markdown",
            Self::SavePicture => "Save picture…",
            Self::CopyPicture => "Copy picture",
            Self::SaveHeatmap => "Save heatmap as CSV…",
            Self::SwitchTheme => "Switch between light and dark",
            Self::ZoomIn => "Zoom in",
            Self::ZoomOut => "Zoom out",
            Self::ZoomReset => "Zoom to 100 %",
            Self::ShowPresets => "Presets",
            Self::SavePreset => "Save as preset",
            Self::SaveSession => "Save session",
            Self::SaveSessionAs => "Save session as…",
            Self::OpenLastSession => "Open the last session",
            Self::ShowSettings => "Settings",
            Self::Present => "Present, full screen; Esc leaves",
            Self::ShowPalette => "Find a command, preset, GPU or kernel",
            Self::ShowKeys => "Keys",
            Self::ShowGuide => "Guide",
            Self::Quit => "Quit",
        }
    }

    pub const fn shortcut(self) -> Option<KeyboardShortcut> {
        Some(match self {
            Self::Open => command(Key::O),
            Self::OpenSample => shift_command(Key::O),
            Self::Undo => command(Key::Z),
            Self::Redo => shift_command(Key::Z),
            Self::ShowExplore => command(Key::Num1),
            Self::ShowKernels => command(Key::Num2),
            Self::ShowLearn => command(Key::Num3),
            Self::LessonBack => bare(Key::PageUp),
            Self::LessonNext => bare(Key::PageDown),
            Self::ReturnToLesson => bare(Key::L),
            Self::HideAnswers => bare(Key::H),
            Self::ReadWithOtherMark => shift_command(Key::D),
            Self::Pin => bare(Key::P),
            Self::StepBack => bare(Key::ArrowLeft),
            Self::StepForward => bare(Key::ArrowRight),
            Self::PlaceNone => bare(Key::Home),
            Self::PlaceAll => bare(Key::End),
            Self::PlayOrPause => bare(Key::Space),
            Self::FineSteps => bare(Key::F),
            Self::CopyAnswer => shift_command(Key::C),
            Self::CopyJson => shift_command(Key::J),
            Self::CopyMarkdown => shift_command(Key::M),
            Self::SavePicture => command(Key::E),
            Self::CopyPicture => shift_command(Key::E),
            Self::SaveHeatmap => shift_command(Key::H),
            Self::SwitchTheme => command(Key::T),
            Self::ZoomIn => command(Key::Plus),
            Self::ZoomOut => command(Key::Minus),
            Self::ZoomReset => command(Key::Num0),
            Self::ShowPresets => command(Key::P),
            Self::SavePreset => command(Key::D),
            Self::SaveSession => command(Key::S),
            Self::SaveSessionAs => shift_command(Key::S),
            Self::OpenLastSession => shift_command(Key::L),
            Self::ShowSettings => command(Key::Comma),
            Self::Present => bare(Key::F5),
            Self::ShowPalette => command(Key::K),
            Self::ShowKeys => bare(Key::Questionmark),
            Self::ShowGuide => bare(Key::F1),
            Self::Quit => command(Key::Q),
        })
    }

    /// What undo and redo would do, where there is something.
    pub fn step_name(self, session: &Session) -> Option<&str> {
        match self {
            Self::Undo => session.undo_name(),
            Self::Redo => session.redo_name(),
            _ => None,
        }
    }

    pub fn is_enabled(self, session: &Session) -> bool {
        match self {
            Self::Undo => session.can_undo(),
            Self::Redo => session.can_redo(),
            Self::StepBack | Self::PlaceNone => session.view().placement() != Placed::blocks(0) && shows_map(session),
            Self::StepForward | Self::PlaceAll => session.view().placed.is_some() && shows_map(session),
            Self::PlayOrPause | Self::FineSteps => shows_map(session),
            Self::SavePicture | Self::CopyPicture | Self::SaveHeatmap => !session.view().hides_answers,
            Self::LessonBack | Self::LessonNext => {
                session.view().screen == Screen::Learn && learn::can_step(session, self == Self::LessonNext)
            }
            Self::ReadWithOtherMark => other_mark(session).is_some(),
            Self::ReturnToLesson => session.view().screen != Screen::Learn && session.view().lesson.is_some(),
            _ => true,
        }
    }

    pub fn invocation(self, session: &Session) -> Invocation {
        let act = Invocation::Act;
        match self {
            Self::Open => act(Action::OpenFile),
            Self::OpenSample => act(Action::OpenSample),
            Self::Undo => act(Action::Undo),
            Self::Redo => act(Action::Redo),
            Self::ShowExplore => act(Action::ShowScreen(Screen::Explore)),
            Self::ShowKernels => act(Action::ShowScreen(Screen::Kernels)),
            Self::ShowLearn => act(Action::ShowScreen(Screen::Learn)),
            Self::LessonBack => Invocation::ActAll(learn::step_actions(session, false)),
            Self::LessonNext => Invocation::ActAll(learn::step_actions(session, true)),
            Self::ReturnToLesson => Invocation::ActAll(learn::return_actions(session)),
            Self::HideAnswers => act(Action::HideAnswers(!session.view().hides_answers)),
            Self::ReadWithOtherMark => Invocation::ActAll(other_mark(session).into_iter().collect()),
            Self::Pin if session.document().pinned.is_some() => act(Action::Unpin),
            Self::Pin => act(Action::PinConfiguration),
            Self::StepBack => act(Action::Place(session.course().previous(session.view().placement(), session.view().playback.is_fine))),
            Self::StepForward => act(Action::Place(session.course().next(session.view().placement(), session.view().playback.is_fine))),
            Self::PlaceNone => act(Action::PlaceBlocks(Some(0))),
            Self::PlaceAll => act(Action::PlaceBlocks(None)),
            Self::PlayOrPause => act(Action::Play(!session.view().playback.is_playing)),
            Self::FineSteps => act(Action::SetFineSteps(!session.view().playback.is_fine)),
            Self::CopyAnswer => Invocation::CopyAnswer,
            Self::CopyJson => Invocation::CopyJson,
            Self::CopyMarkdown => Invocation::CopyMarkdown,
            Self::SavePicture => Invocation::SavePicture,
            Self::CopyPicture => Invocation::CopyPicture,
            Self::SaveHeatmap => Invocation::SaveHeatmap,
            Self::SwitchTheme => Invocation::SwitchTheme,
            Self::ZoomIn => Invocation::Zoom(10),
            Self::ZoomOut => Invocation::Zoom(-10),
            Self::ZoomReset => Invocation::ZoomReset,
            Self::ShowPresets => Invocation::ShowPresets,
            Self::SavePreset => Invocation::SavePreset,
            Self::SaveSession => act(Action::SaveSession),
            Self::SaveSessionAs => act(Action::SaveSessionAs),
            Self::OpenLastSession => Invocation::OpenLastSession,
            Self::ShowSettings => Invocation::ShowSettings,
            Self::Present => Invocation::Present,
            Self::ShowPalette => Invocation::ShowPalette,
            Self::ShowKeys => Invocation::ShowKeys,
            Self::ShowGuide => Invocation::ShowGuide,
            Self::Quit => Invocation::Quit,
        }
    }

    /// While a presentation goes on, only what cannot disturb it; its own keys are its own.
    pub const fn works_while_presenting(self) -> bool {
        matches!(
            self,
            Self::Present | Self::SwitchTheme | Self::ZoomIn | Self::ZoomOut | Self::ZoomReset | Self::Undo | Self::Redo | Self::Quit
        )
    }

    /// The commands whose keys were pressed. Keys without a modifier, but for F1 and F5, count only while no
    /// control has the keyboard.
    pub fn pressed(ctx: &Context, session: &Session) -> Vec<Self> {
        let typing = focus::is_in_control(ctx);
        // Longer combinations first: Ctrl+Shift+Z is not Ctrl+Z.
        let mut commands = Self::ALL.to_vec();
        commands.sort_by_key(|command| !command.shortcut().is_some_and(|shortcut| shortcut.modifiers.shift));
        commands.retain(|command| command.is_enabled(session) && command.shortcut().is_some_and(|shortcut| consume(ctx, shortcut, typing)));
        commands
    }
}

/// The number from 1 to 9 that was pressed, while no control has the keyboard.
pub fn pressed_number(ctx: &Context) -> Option<usize> {
    const KEYS: [Key; 9] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    if focus::is_in_control(ctx) {
        return None;
    }
    let pressed = |key: &Key| ctx.input_mut(|input| !input.modifiers.any() && input.consume_key(Modifiers::NONE, *key));
    KEYS.iter().position(pressed).map(|index| index + 1)
}

/// Reads the selected kernel's file with the other decimal mark, else the first file that could have it.
fn other_mark(session: &Session) -> Option<Action> {
    let reports = &session.document().reports;
    let selected = session.document().selected.map(|at| at.report);
    let mut places = selected.into_iter().chain(0..reports.len());
    places.find_map(|report| Some(Action::ReadWithMark { report, mark: reports.get(report)?.decimal()?.mark.other() }))
}

/// The SM map is on screen, so that its player's keys mean something.
fn shows_map(session: &Session) -> bool {
    match session.view().screen {
        Screen::Explore => !session.view().hides_answers,
        Screen::Learn => learn::shows_map(session),
        Screen::Kernels => false,
    }
}

fn consume(ctx: &Context, shortcut: KeyboardShortcut, typing: bool) -> bool {
    // No control has a use for F1 and the like.
    let is_bare = shortcut.modifiers == Modifiers::NONE && !matches!(shortcut.logical_key, Key::F1 | Key::F5);
    if typing && is_bare {
        return false;
    }
    if shortcut.logical_key == Key::Questionmark {
        // On many layouts this key needs Shift.
        return ctx.input_mut(|input| {
            input.consume_key(Modifiers::SHIFT, Key::Questionmark) || input.consume_key(Modifiers::NONE, Key::Questionmark)
        });
    }
    ctx.input_mut(|input| input.consume_shortcut(&shortcut))
}

/// The theme that [`Command::SwitchTheme`] leads to.
pub const fn other_theme(dark: bool) -> ThemeChoice {
    if dark { ThemeChoice::Light } else { ThemeChoice::Dark }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_commands_share_a_key() {
        let mut seen = HashSet::new();
        for command in Command::ALL {
            let shortcut = command.shortcut().expect("every command has a key");
            assert!(seen.insert((shortcut.modifiers.shift, shortcut.modifiers.command, shortcut.logical_key)), "{command:?}");
        }
    }
}
