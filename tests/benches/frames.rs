//! What one frame of the whole window costs the processor: logic, layout, painting into shapes and their tessellation, without
//! drawing the triangles.
//!
//! `cargo bench --bench frames`, or `-- Explore` or `-- Kernels` for one of them. The promise is
//! 2 ms for Explore and 4 ms for a long table.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use occuscope::arch::Catalog;
use occuscope::gui::app::App;
use occuscope::gui::effects::report;
use occuscope::gui::views::kernels::filter::Filter;
use occuscope::gui::views::kernels::rows::{Sort, Table};
use occuscope::import::SAMPLE_REPORT;
use occuscope::session::{Action, Baseline, Chart, Effect, KernelRef, OpenReport, Screen, Session, TableColumn, TableView};

const FRAMES: u32 = 200;
const SIZES: [(f32, f32); 2] = [(1280.0, 800.0), (1920.0, 1080.0)];

/// What a frame took.
#[derive(Default)]
struct Frame {
    triangles: usize,
    shapes: usize,
    /// Layouts: one, unless something asked for another.
    passes: usize,
    tessellation: Duration,
}

/// The app, and what it is drawn in.
struct Window {
    ctx: egui::Context,
    app: App,
    size: egui::Vec2,
    frame: u32,
    events: Vec<egui::Event>,
}

impl Window {
    fn new((width, height): (f32, f32)) -> Self {
        let ctx = egui::Context::default();
        let app = App::new(&ctx, Arc::new(Catalog::builtin().clone()), Vec::new());
        Self { ctx, app, size: egui::vec2(width, height), frame: 0, events: Vec::new() }
    }

    fn act(&mut self, action: Action) {
        self.app.act(&self.ctx, action);
    }

    /// Turns the wheel over the table before the next frame.
    fn scroll(&mut self, points: f32) {
        let at = egui::pos2(self.size.x * 0.3, 260.0);
        self.events.push(egui::Event::PointerMoved(at));
        self.events.push(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, points),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        });
    }

    /// One frame; how many triangles it took, so that nothing is optimized away.
    fn draw(&mut self) -> Frame {
        self.frame += 1;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, self.size)),
            time: Some(f64::from(self.frame) / 60.0),
            events: std::mem::take(&mut self.events),
            ..egui::RawInput::default()
        };
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| {
            app.logic(&ui.ctx().clone());
            app.ui(ui);
        });
        // Nobody draws, so nobody needs the fonts as pictures.
        output.textures_delta.clear();
        let shapes = output.shapes.len();
        let passes = output.platform_output.num_completed_passes;
        let start = Instant::now();
        let meshes = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let tessellation = start.elapsed();
        let triangles = |mesh: &egui::ClippedPrimitive| match &mesh.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.indices.len() / 3,
            egui::epaint::Primitive::Callback(_) => 0,
        };
        Frame { triangles: meshes.iter().map(triangles).sum(), shapes, passes, tessellation }
    }

    /// Times of frames before each of which `change` happens.
    fn measure(&mut self, name: &str, mut change: impl FnMut(&mut Self, u32)) {
        for warm_up in 0..5 {
            change(self, warm_up);
            self.draw();
        }
        let (mut whole, mut tessellation) = (Vec::new(), Vec::new());
        let mut last = Frame::default();
        let before = processor_ms();
        for frame in 0..FRAMES {
            let start = Instant::now();
            change(self, frame);
            last = self.draw();
            whole.push(start.elapsed());
            tessellation.push(last.tessellation);
        }
        let processor = processor_ms().zip(before).map_or(f64::NAN, |(after, before)| (after - before) / f64::from(FRAMES));
        let [median, slow] = [50, 95].map(|share| at(&mut whole, share));
        let Frame { triangles, shapes, passes, .. } = last;
        let (width, height, tessellation) = (self.size.x, self.size.y, at(&mut tessellation, 50));
        println!(
            "{name:<44}{width:>6}×{height:<6}{processor:>10.2}{median:>10.2}{slow:>10.2}{tessellation:>14.2}{shapes:>9}{triangles:>11}{passes:>8}"
        );
    }
}

/// What this thread has had of a processor so far, where Linux tells: on a busy machine the one figure that can be compared.
fn processor_ms() -> Option<f64> {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(spent.split(' ').next()?.parse::<f64>().ok()? / 1e6)
}

/// The time that this many of a hundred frames stay below, in ms.
fn at(times: &mut [Duration], share: usize) -> f64 {
    times.sort_unstable();
    times[times.len() * share / 100].as_secs_f64() * 1000.0
}

fn main() {
    println!(
        "{:<44}{:>13}{:>10}{:>10}{:>10}{:>14}{:>9}{:>11}{:>8}",
        "frame", "points", "cpu ms", "median ms", "95 % ms", "tessellated", "shapes", "triangles", "passes"
    );
    let only = std::env::args().nth(1).filter(|argument| !argument.starts_with('-')).unwrap_or_default();
    let wanted = |name: &str| name.contains(&only);
    for size in SIZES {
        let other_registers = |window: &mut Window, frame: u32| window.act(Action::SetRegistersPerThread(32 + frame % 64));
        if wanted("Explore") {
            let mut window = Window::new(size);
            window.measure("Explore, nothing changed", |_, _| {});
            window.measure("Explore, registers changed: all recomputed", other_registers);
            window.act(Action::ShowChart(Chart::Curves));
            window.measure("Explore with curves, registers changed", other_registers);
        }
        for kernels in [1_000, 100_000].into_iter().filter(|_| wanted("Kernels")) {
            let mut window = Window::new(size);
            let kernels = open_sample(&mut window, kernels);
            window.act(Action::ShowScreen(Screen::Kernels));
            window.measure(&format!("Kernels, {kernels} of them, nothing changed"), |_, _| {});
            window.measure(&format!("Kernels, {kernels} of them, another selected"), |window, frame| {
                let kernel = frame as usize * 37 % kernels;
                window.act(Action::SelectKernel(Some(KernelRef { report: 0, kernel })));
            });
            window.measure(&format!("Kernels, {kernels} of them, scrolling"), |window, frame| {
                window.scroll(if frame % 100 < 50 { -900.0 } else { 900.0 });
            });
        }
    }
    if wanted("table") {
        table();
    }
}

fn table() {
    println!("\n{:<44}{:>13}{:>10}{:>10}", "table of kernels", "rows", "median ms", "slowest");
    let text = SAMPLE_REPORT.repeat(100_000 / 12);
    let mut session = Session::new(Arc::new(Catalog::builtin().clone()));
    // Once is enough: it takes seconds.
    let start = Instant::now();
    let open = report(Catalog::builtin(), "sample.csv".into(), &text);
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    let read = format!("read and joined with the engine, {} MB", text.len() / 1_000_000);
    println!("{read:<44}{:>13}{milliseconds:>10.2}", open.kernels().len());
    let distinct = with_distinct_names(open.clone());
    for (open, of) in [(open, "a dozen kernels"), (distinct, "a kernel each")] {
        session.apply(Action::CloseReport(0));
        session.apply(Action::AddReport(open.clone()));
        let longest = Sort { column: Some(TableColumn::Duration), descending: true };
        let named = Sort { column: Some(TableColumn::Name), descending: false };
        let text = Filter { text: "softmax".to_owned(), ..Filter::default() };
        for (what, is_grouped, sort, filter) in [
            ("listed", false, Sort::default(), Filter::default()),
            ("sorted by time", false, longest, Filter::default()),
            ("sorted by name", false, named, Filter::default()),
            ("filtered by name", false, Sort::default(), text),
            ("filtered by gap", false, Sort::default(), Filter { min_gap_points: 10.0, ..Filter::default() }),
            ("grouped and sorted by time", true, longest, Filter::default()),
        ] {
            session.apply(Action::SetTable(TableView { is_grouped, ..TableView::default() }));
            let mut rows = 0;
            let figures = times(|| {
                let mut table = Table::default();
                table.update(&session, sort, &filter);
                rows = table.rows.len();
            });
            println!("{:<44}{rows:>13}{:>10.2}{:>10.2}", format!("{what}, {of}"), figures.0, figures.1);
        }
        beside_a_baseline(&mut session, &open, of);
        // Copies are made before: the window is handed its reports.
        let mut copies: Vec<OpenReport> = vec![open.clone(); 3];
        let figures = times_of(3, || {
            session.apply(Action::FileChanged("sample.csv".into()));
            for effect in session.apply(Action::AddReport(copies.pop().expect("a copy"))) {
                // On a thread of its own, in the window.
                if let Effect::CompareReadings(readings) = effect {
                    session.apply(Action::ReplaceReport(Box::new(readings.compare(&session.catalog))));
                }
            }
        });
        println!("{:<44}{:>13}{:>10.2}{:>10.2}", format!("taken in once more, {of}"), "", figures.0, figures.1);
    }
}

/// Two files that are compared: what a thread does, and what is left for the window when it knows.
fn beside_a_baseline(session: &mut Session, open: &OpenReport, of: &str) {
    let mut newer = open.clone();
    newer.path = "newer.csv".into();
    session.apply(Action::AddReport(newer));
    let baseline = Some(Baseline { old: "sample.csv".into(), new: "newer.csv".into() });
    let effects = session.apply(Action::SetTable(TableView { baseline, ..TableView::default() }));
    for effect in effects {
        let Effect::CompareFiles(compared) = effect else { continue };
        let mut groups = None;
        let figures = times_of(3, || groups = compared.groups(&mut |_| ControlFlow::Continue(())));
        println!("{:<44}{:>13}{:>10.2}{:>10.2}", format!("compared on a thread, {of}"), "", figures.0, figures.1);
        session.apply(Action::TakeComparison { compared, groups });
    }
    let mut rows = 0;
    let figures = times(|| {
        let mut table = Table::default();
        table.update(session, Sort::default(), &Filter::default());
        rows = table.rows.len();
    });
    println!("{:<44}{rows:>13}{:>10.2}{:>10.2}", format!("listed beside a baseline, {of}"), figures.0, figures.1);
    session.apply(Action::SetTable(TableView::default()));
    session.apply(Action::CloseReport(1));
}

/// Every launch under a name of its own, as long as names of templates are.
fn with_distinct_names(mut open: OpenReport) -> OpenReport {
    if let Ok(read) = &mut open.content {
        for (index, kernel) in read.report.kernels.iter_mut().enumerate() {
            kernel.name = format!("void cutlass::Kernel<cutlass::gemm::{}<float, {index}, 128, 32>>(Params, int, float*)", kernel.name);
        }
    }
    open
}

/// Median and the slowest, in ms, of a dozen turns.
fn times(work: impl FnMut()) -> (f64, f64) {
    times_of(12, work)
}

fn times_of(turns: usize, mut work: impl FnMut()) -> (f64, f64) {
    let mut times: Vec<Duration> = (0..turns)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    (times[turns / 2].as_secs_f64() * 1000.0, times[turns - 1].as_secs_f64() * 1000.0)
}

/// Opens the sample report, repeated until it has about as many kernels; how many it has.
fn open_sample(window: &mut Window, kernels: usize) -> usize {
    let once = report(Catalog::builtin(), "once.csv".into(), SAMPLE_REPORT).kernels().len();
    let repeated = report(Catalog::builtin(), "sample.csv".into(), &SAMPLE_REPORT.repeat(kernels.div_ceil(once)));
    let count = repeated.kernels().len();
    window.act(Action::AddReport(repeated));
    count
}
