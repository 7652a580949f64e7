//! What a picture is of, and how it is drawn: owned, so that it can be drawn on a thread of its own.

use crate::arch::Arch;
use crate::engine::{Launch, Waves};
use crate::fmt::NumberStyle;
use crate::gui::render::{Contrast, Handout, Look, Picture, Subject};
use crate::gui::views::curves::CurvesState;
use crate::gui::views::heatmap::{HeatmapState, OtherGpu};
use crate::session::{Action, Placed, Screen, Session, ToSave};

/// As wide as a picture is, in points.
const WIDTH: f32 = 960.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    #[default]
    SmMap,
    Heatmap,
    Curves,
    Waves,
}

impl View {
    pub const ALL: [Self; 4] = [Self::SmMap, Self::Heatmap, Self::Curves, Self::Waves];

    pub const fn name(self) -> &'static str {
        match self {
            Self::SmMap => "SM map",
            Self::Heatmap => "Heatmap",
            Self::Curves => "Curves",
            Self::Waves => "Waves",
        }
    }

    const fn file_stem(self) -> &'static str {
        match self {
            Self::SmMap => "sm-map",
            Self::Heatmap => "heatmap",
            Self::Curves => "curves",
            Self::Waves => "waves",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Colors {
    #[default]
    Window,
    /// Black on white.
    Print,
}

/// What a person chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub view: View,
    pub colors: Colors,
    /// Which kind of file is suggested.
    pub is_png: bool,
    /// Pixels for a point in a PNG.
    pub scale: u8,
}

impl Default for Order {
    fn default() -> Self {
        Self { view: View::default(), colors: Colors::default(), is_png: false, scale: 2 }
    }
}

impl Order {
    /// `is_dark` is the window's theme.
    fn look(self, is_dark: bool, contrast: Contrast) -> Look {
        let (dark, contrast) = match self.colors {
            Colors::Window => (is_dark, contrast),
            Colors::Print => (false, Contrast::Projector),
        };
        Look { dark, contrast, width: WIDTH, scale: self.scale.into() }
    }
}

/// The launch that is on screen: on Kernels the selected kernel's, elsewhere the configuration's.
#[derive(Clone, Debug)]
pub struct Shown {
    arch: Arch,
    gpu_name: String,
    launch: Launch,
    waves: Option<Waves>,
    pinned: Option<Launch>,
    others: Vec<(Arch, String)>,
    placed: Placed,
    numbers: NumberStyle,
}

impl Shown {
    pub fn new(session: &Session) -> Self {
        let document = session.document();
        let configured = Self {
            arch: session.arch().clone(),
            gpu_name: session.gpu_name(),
            launch: document.configuration.launch.clone(),
            waves: session.waves(),
            pinned: document.pinned.as_ref().map(|pinned| pinned.launch.clone()),
            others: document.compared.iter().map(|choice| (session.arch_of(choice).clone(), choice.to_string())).collect(),
            placed: session.view().placement(),
            numbers: session.settings().numbers,
        };
        let account = session.selected().map(|(_, account)| account).filter(|_| session.view().screen == Screen::Kernels);
        let Some((account, arch, launch)) = account.and_then(|of| Some((of, of.arch.clone()?, of.launch.clone()?))) else {
            return configured;
        };
        let gpu_name =
            account.gpu.as_ref().map_or_else(|| format!("compute capability {}", arch.compute_capability), |gpu| gpu.name.clone());
        Self { arch, gpu_name, launch, waves: account.waves, placed: Placed::ALL, ..configured }
    }

    pub const fn has(&self, view: View) -> bool {
        !matches!(view, View::Waves) || self.waves.is_some()
    }

    /// "256 threads, 64 registers … on A100 SXM 40 GB".
    pub fn title(&self) -> String {
        self.subject(&[]).title()
    }

    /// The heatmap's table, for spreadsheets.
    pub fn heatmap_csv(&self) -> Result<ToSave, String> {
        let table = crate::export::heatmap_csv(&self.arch, &self.launch).map_err(|error| error.to_string())?;
        Ok(ToSave { name: "occupancy.csv".to_owned(), kinds: vec![("csv", table)] })
    }

    fn subject<'a>(&'a self, others: &'a [OtherGpu<'a>]) -> Subject<'a> {
        let Self { arch, gpu_name, launch, waves, pinned, .. } = self;
        Subject { arch, gpu_name, launch, waves: *waves, pinned: pinned.as_ref(), others }
    }
}

/// Everything that a picture needs.
#[derive(Debug)]
pub struct Job {
    pub order: Order,
    pub shown: Shown,
    pub is_dark: bool,
    pub contrast: Contrast,
    /// As the window shows them.
    pub heatmap: HeatmapState,
    pub curves: CurvesState,
}

impl Job {
    /// Draws it, and asks for a file to write it into.
    pub fn save(self) -> Action {
        let (order, mut name) = (self.order, format!("occuscope-{}", self.order.view.file_stem()));
        let drawn = self.draw(|picture, title, description| {
            let svg = ("svg", picture.svg(title, description).into_bytes());
            Ok::<_, image::ImageError>((svg, ("png", picture.png()?)))
        });
        let kinds = match drawn {
            Ok((svg, png)) if order.is_png => vec![png, svg],
            Ok((svg, png)) => vec![svg, png],
            Err(error) => return Action::Say(format!("the picture cannot be drawn: {error}")),
        };
        name = format!("{name}.{}", kinds[0].0);
        Action::SaveFile(ToSave { name, kinds })
    }

    /// Draws it for the clipboard.
    pub fn copy(self) -> Action {
        Action::CopyPicture(self.draw(|picture, _, _| picture.pixels_rgba()))
    }

    /// The picture, with its name and what it says.
    fn draw<R>(self, then: impl FnOnce(&Picture, &str, &str) -> R) -> R {
        crate::fmt::set_style(self.shown.numbers);
        let others: Vec<_> = self.shown.others.iter().map(|(arch, name)| OtherGpu { arch, name }).collect();
        let subject = self.shown.subject(&others);
        let mut handout = match self.order.view {
            View::SmMap => Handout::SmMap(self.shown.placed),
            View::Heatmap => Handout::Heatmap(Box::new(self.heatmap)),
            View::Curves => Handout::Curves(Box::new(self.curves)),
            View::Waves => Handout::Waves,
        };
        let picture = handout.draw(&subject, self.order.look(self.is_dark, self.contrast));
        then(&picture, &subject.title(), &handout.description(&subject))
    }
}

/// The answer as JSON and as Markdown, of what is on screen.
pub mod words {
    use super::Session;
    use crate::export::{occupancy_json, occupancy_markdown};

    /// What `occuscope occupancy --format json` prints of the configuration.
    ///
    /// # Errors
    /// Never in practice: writing to memory does not fail.
    pub fn json(session: &Session) -> serde_json::Result<String> {
        let (gpu, launch) = (session.gpu(), &session.document().configuration.launch);
        occupancy_json(session.arch(), gpu.map(|gpu| gpu.name.as_str()), launch, gpu.and_then(|gpu| gpu.num_sms))
    }

    /// A sentence and two small tables.
    pub fn markdown(session: &Session) -> String {
        let (gpu, launch) = (session.gpu(), &session.document().configuration.launch);
        occupancy_markdown(session.arch(), gpu.map(|gpu| gpu.name.as_str()), launch, gpu.and_then(|gpu| gpu.num_sms))
    }
}
