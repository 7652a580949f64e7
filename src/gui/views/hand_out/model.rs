//! What a picture is of, and how it is drawn: owned, so that it can be drawn on a thread of its own.

use std::sync::Arc;

use crate::arch::{Arch, Catalog};
use crate::engine::{Launch, Waves};
use crate::fmt::NumberStyle;
use crate::gui::render::{Contrast, Handout, Look, Picture, Subject};
use crate::gui::views::compare::model::Comparison;
use crate::gui::views::curves::CurvesState;
use crate::gui::views::heatmap::{HeatmapState, OtherGpu};
use crate::gui::views::kernels::model::Points;
use crate::gui::views::topic::Topic;
use crate::session::{Action, Configuration, GpuChoice, Placed, Session, ToSave};

/// As wide as a picture is, in points.
const WIDTH: f32 = 960.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    #[default]
    SmMap,
    Heatmap,
    Curves,
    Waves,
    Compare,
}

impl View {
    pub const ALL: [Self; 5] = [Self::SmMap, Self::Heatmap, Self::Curves, Self::Waves, Self::Compare];

    pub const fn name(self) -> &'static str {
        match self {
            Self::SmMap => "SM map",
            Self::Heatmap => "Heatmap",
            Self::Curves => "Curves",
            Self::Waves => "Waves",
            Self::Compare => "Compare",
        }
    }

    const fn file_stem(self) -> &'static str {
        match self {
            Self::SmMap => "sm-map",
            Self::Heatmap => "heatmap",
            Self::Curves => "curves",
            Self::Waves => "waves",
            Self::Compare => "compare",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Colors {
    #[default]
    Window,
    Light,
    Dark,
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
            Colors::Light => (false, Contrast::Screen),
            Colors::Dark => (true, Contrast::Screen),
            Colors::Print => (false, Contrast::Projector),
        };
        Look { dark, contrast, width: WIDTH, scale: self.scale.into() }
    }
}

/// The launch that is on screen (see [`Topic`]), and what stands beside it.
#[derive(Clone, Debug)]
pub struct Shown {
    catalog: Arc<Catalog>,
    arch: Arch,
    gpu_name: String,
    launch: Launch,
    waves: Option<Waves>,
    pinned: Option<Launch>,
    others: Vec<GpuChoice>,
    placed: Placed,
    numbers: NumberStyle,
}

impl Shown {
    pub fn new(session: &Session) -> Self {
        let document = session.document();
        let Topic { arch, gpu_name, launch, waves, placed, .. } = Topic::new(session);
        Self {
            catalog: Arc::clone(&session.catalog),
            arch: arch.clone(),
            launch: launch.clone(),
            waves,
            pinned: document.pinned.as_ref().map(|pinned| pinned.launch.clone()),
            others: document.compared.iter().filter(|choice| choice.to_string() != gpu_name).cloned().collect(),
            placed,
            numbers: session.settings().numbers,
            gpu_name,
        }
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
        Subject { waves: *waves, pinned: pinned.as_ref(), others, ..Subject::new(arch, gpu_name, launch) }
    }

    /// Every kernel that ran on a GPU of this kind, to be marked on the heatmap.
    pub fn points(&self, session: &Session) -> Points {
        let mut points = Points::default();
        points.update(session, &self.arch);
        points
    }

    fn comparison(&self) -> Comparison {
        let product = GpuChoice::Product(self.gpu_name.clone());
        let gpu = if product.gpu(&self.catalog).is_some() { product } else { GpuChoice::Capability(self.arch.compute_capability) };
        Comparison::of(&self.catalog, &Configuration { gpu, launch: self.launch.clone() }, &self.others)
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
    /// Kernels of the open reports, and the selected one.
    pub points: Points,
    pub selected: Option<usize>,
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
        let named: Vec<_> = self.shown.others.iter().filter_map(|gpu| Some((gpu.arch(&self.shown.catalog)?, gpu.to_string()))).collect();
        let others: Vec<_> = named.iter().map(|(arch, name)| OtherGpu { arch, name }).collect();
        let subject = Subject { points: Some(&self.points.points), selected: self.selected, ..self.shown.subject(&others) };
        let mut handout = match self.order.view {
            View::SmMap => Handout::SmMap(self.shown.placed),
            View::Heatmap => Handout::Heatmap(Box::new(self.heatmap)),
            View::Curves => Handout::Curves(Box::new(self.curves)),
            View::Waves => Handout::Waves,
            View::Compare => Handout::Compare(Box::new(self.shown.comparison())),
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
