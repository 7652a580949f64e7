//! Two files side by side, kernel by kernel: what each takes in one and in the other. Profiles and compilers' logs alike.

use egui::{Frame, Grid, Margin, RichText, Stroke, Ui, vec2};

use super::paint::{MARK, file_mark};
use crate::arch::Arch;
use crate::engine::{Launch, evaluate};
use crate::fmt::{bytes, counted, grouped, percent, signed_points};
use crate::gui::theme::{self, RADIUS_CONTROL, Theme, size};
use crate::gui::views::inputs::fields::{Edit, Kind, NumberInput};
use crate::gui::widgets::{is_bare, note};
use crate::import::account::{Account, launch_with_block};
use crate::import::compare::{Group, Pair};
use crate::import::{Compiled, Kernel, Read};
use crate::session::groups::Change;
use crate::session::{Beside, KernelRef, Session};
use crate::units::Dim3;

/// About as wide as a card has to be.
const CARD: f32 = 460.0;

/// Of more kernels, those that changed are not looked for.
const MAX_PAIRS: usize = 2_000;
/// More cards than these are left to the table.
const MAX_CARDS: usize = 40;

/// The kernels of the two files that are compared, those that changed first; `block` is the block size with which compiled
/// kernels are looked at.
pub fn changes_ui(ui: &mut Ui, session: &Session, block: &mut u32) {
    let groups = match session.beside() {
        Beside::Known { groups, .. } => &groups.0,
        Beside::Comparing { percent, .. } => return note(ui, &format!("Comparing the two files, {percent} %")),
        Beside::Nothing => {
            return note(ui, "No two files are compared. In Kernels, the menu of a file compares it with another one.");
        }
    };
    let Some(files) = session.baseline() else { return };
    ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
    files_ui(ui, session, files);
    let changes = || groups.iter().filter_map(|group| group.change.as_ref());
    let mut pairs: Vec<&Pair> = changes().filter_map(Change::pair).take(MAX_PAIRS).collect();
    pairs.sort_by_key(|pair| !pair.is_changed());
    let shown = &pairs[..pairs.len().min(MAX_CARDS)];
    if !is_bare(ui) && shown.iter().any(|pair| is_open(pair_of(session, files, pair))) {
        block_ui(ui, block);
    }
    // Beside each other where there is room for two.
    let num_columns = if ui.available_width() >= 2.0 * CARD { 2 } else { 1 };
    for row in shown.chunks(num_columns) {
        ui.columns(num_columns, |columns| {
            for (ui, pair) in columns.iter_mut().zip(row) {
                card_ui(ui, |ui| {
                    let name = RichText::new(&pair.new.name).font(theme::mono_bold(size::BODY));
                    ui.add(egui::Label::new(name).truncate()).on_hover_text(&pair.new.name);
                    pair_ui(ui, pair, pair_of(session, files, pair), files, *block);
                });
            }
        });
    }
    if shown.len() < groups.len() {
        let left = counted((groups.len() - shown.len()) as u64, "kernel");
        note(ui, &format!("{left} more in the table of Kernels: those without room here, and those that only one file has."));
    }
}

/// What became of the selected kernel, where its file is compared with another one.
pub fn selected_ui(ui: &mut Ui, session: &Session, pair: &Pair, block: u32) {
    if let Some(files) = session.baseline() {
        ui.label(RichText::new("Since the baseline").font(theme::strong(size::BODY)));
        ui.scope(|ui| pair_ui(ui, pair, pair_of(session, files, pair), files, block));
    }
}

/// None is worth saying, too.
const SPILL_STORES: &str = "Spill stores";

/// A kernel of each file.
type Sides<'a> = [Option<(&'a Kernel, &'a Account)>; 2];

fn pair_of<'a>(session: &'a Session, files: (usize, usize), pair: &Pair) -> Sides<'a> {
    let first = |report: usize, group: &Group| session.document().kernel(KernelRef { report, kernel: *group.kernels.first()? });
    [first(files.0, &pair.old), first(files.1, &pair.new)]
}

/// Which file is which.
fn files_ui(ui: &mut Ui, session: &Session, (old, new): (usize, usize)) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        for (file, role) in [(old, "before"), (new, "after")] {
            mark_ui(ui, file);
            ui.label(RichText::new(session.document().reports[file].name()).font(theme::medium(size::TITLE)));
            ui.label(RichText::new(role).font(theme::words(size::NOTE)).color(theme.palette.text3));
            ui.add_space(12.0);
        }
    });
}

fn mark_ui(ui: &mut Ui, file: usize) {
    let (rect, _) = ui.allocate_exact_size(vec2(MARK, MARK), egui::Sense::hover());
    file_mark(ui.painter(), Theme::of(ui), rect.center(), file);
}

fn block_ui(ui: &mut Ui, block: &mut u32) {
    ui.scope(|ui| {
        ui.set_max_width(360.0);
        ui.spacing_mut().interact_size.y = theme::CONTROL_HEIGHT;
        let input = NumberInput {
            name: "Threads of a block",
            value: (*block).into(),
            kind: Kind::Count,
            range: 32..=1024,
            step: 32,
            slider: true,
            note: "A compiler does not know the launch; this is what occupancy is worked out with.".to_owned(),
            hint: "As the program launches it",
        };
        if let Edit::Changed(value) = input.ui(ui) {
            *block = u32::try_from(value).unwrap_or(u32::MAX).max(1);
        }
    });
}

fn card_ui(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let theme = Theme::of(ui);
    let frame = Frame::new().fill(theme.palette.panel).stroke(Stroke::new(1.0, theme.palette.line)).corner_radius(RADIUS_CONTROL);
    frame.inner_margin(Margin::symmetric(14, 10)).show(ui, |ui| {
        ui.set_width(ui.available_width().min(640.0));
        content(ui);
    });
}

fn pair_ui(ui: &mut Ui, pair: &Pair, sides: Sides<'_>, files: (usize, usize), block: u32) {
    let theme = Theme::of(ui);
    let rows = lines(pair, sides, block);
    let num_changed = rows.iter().filter(|row| row.has_changed()).count();
    ui.spacing_mut().interact_size.y = 18.0;
    Grid::new(("changes", &pair.new.name, pair.new.kernels.first())).num_columns(4).min_col_width(56.0).spacing([14.0, 4.0]).show(
        ui,
        |ui| {
            ui.label(RichText::new(in_words(num_changed)).font(theme::words(size::NOTE)).color(theme.palette.text3));
            mark_ui(ui, files.0);
            mark_ui(ui, files.1);
            ui.end_row();
            for row in &rows {
                row_ui(ui, row);
            }
        },
    );
}

fn in_words(num_changed: usize) -> String {
    if num_changed == 0 { "no change".to_owned() } else { counted(num_changed as u64, "change") }
}

/// One value in both files.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    name: &'static str,
    old: Option<String>,
    new: Option<String>,
    /// How far it moved, where that is a number.
    moved: Option<String>,
}

impl Line {
    fn has_changed(&self) -> bool {
        self.old != self.new
    }
}

fn row_ui(ui: &mut Ui, row: &Line) {
    let palette = Theme::of(ui).palette;
    let (font, ink) =
        if row.has_changed() { (theme::mono_bold(size::BODY), palette.text) } else { (theme::mono(size::BODY), palette.text2) };
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    let name = ui.label(RichText::new(row.name).font(theme::words(size::BODY)).color(if row.has_changed() {
        palette.text
    } else {
        palette.text2
    }));
    name.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{}: {}, then {}", row.name, text(&row.old), text(&row.new)))
    });
    ui.label(RichText::new(text(&row.old)).font(theme::mono(size::BODY)).color(palette.text2));
    ui.label(RichText::new(text(&row.new)).font(font).color(ink));
    ui.label(RichText::new(row.moved.as_deref().unwrap_or_default()).font(theme::mono(size::NOTE)).color(palette.text2));
    ui.end_row();
}

/// A compiler described both, and no launch is known.
fn is_open(sides: Sides<'_>) -> bool {
    sides.iter().flatten().any(|(kernel, account)| kernel.compiled.is_some() && account.launch.is_none())
}

fn lines(pair: &Pair, sides: Sides<'_>, block: u32) -> Vec<Line> {
    let mut lines = taken(pair, sides);
    lines.extend(if is_open(sides) { with_block(sides, block) } else { launched(pair) });
    lines.retain(|line| line.has_changed() || line.old.as_deref().is_some_and(|old| old != "0 B" || line.name == SPILL_STORES));
    lines
}

/// What the kernel takes.
fn taken(pair: &Pair, sides: Sides<'_>) -> Vec<Line> {
    let compiled = |value: fn(&Compiled) -> Option<Read<u64>>| {
        sides.map(|side| side.and_then(|(kernel, _)| kernel.compiled.as_ref()).and_then(value).map(|read| read.value))
    };
    let both = |value: fn(&Group) -> Option<u64>| [value(&pair.old), value(&pair.new)];
    vec![
        line("Registers per thread", both(|group| group.registers_per_thread.map(u64::from)), grouped),
        in_bytes(SPILL_STORES, both(|group| group.spill_store_bytes)),
        in_bytes("Spill loads", both(|group| group.spill_load_bytes)),
        in_bytes("Stack", compiled(|compiled| compiled.stack_bytes)),
        line("Launch bounds, threads", both(|group| group.max_threads_per_block), grouped),
        in_bytes("Static shared memory", both(|group| group.static_smem_bytes)),
        in_bytes("Dynamic shared memory", both(|group| group.dynamic_smem_bytes)),
    ]
}

/// What a block of so many threads makes of it.
fn with_block(sides: Sides<'_>, block: u32) -> Vec<Line> {
    let launches = sides.map(|side| {
        let (kernel, account) = side?;
        Some((account.arch.as_ref()?, launch_with_block(kernel, Dim3::linear(block))?))
    });
    let of = |value: fn(&Arch, &Launch) -> f64| launches.each_ref().map(|side| side.as_ref().map(|(arch, launch)| value(arch, launch)));
    let [old, new] = of(|arch, launch| f64::from(evaluate(arch, launch).blocks_per_sm));
    vec![
        Line { moved: moved(old, new), ..line_of("Blocks per SM", old, new, |blocks| format!("{blocks:.0}")) },
        points("Theoretical occupancy", of(|arch, launch| evaluate(arch, launch).theoretical_percent())),
    ]
}

/// What a profiler saw of it.
fn launched(pair: &Pair) -> Vec<Line> {
    let both = |value: fn(&Group) -> Option<f64>| [value(&pair.old), value(&pair.new)];
    let shape = |shape: Option<[u32; 3]>| shape.map(|[x, y, z]| format!("{x}×{y}×{z}"));
    let time = both(|group| group.duration_ns);
    let share = time[0].zip(time[1]).filter(|(old, _)| *old > 0.0).map(|(old, new)| (new - old) * 100.0 / old);
    vec![
        Line { name: "Block", old: shape(pair.old.block), new: shape(pair.new.block), moved: None },
        Line { name: "Grid", old: shape(pair.old.grid), new: shape(pair.new.grid), moved: None },
        line("Blocks per SM", [pair.old.blocks_per_sm, pair.new.blocks_per_sm].map(|blocks| blocks.map(u64::from)), grouped),
        points("Theoretical occupancy", both(|group| group.theoretical_percent)),
        points("Achieved occupancy", both(|group| group.achieved_percent)),
        Line {
            moved: share.map(|share| format!("{} %", signed_points(share))),
            ..line_of("Time, µs", time[0], time[1], super::facts::microseconds)
        },
    ]
}

fn line(name: &'static str, [old, new]: [Option<u64>; 2], text: impl Fn(u64) -> String) -> Line {
    #[expect(clippy::cast_precision_loss, reason = "counts and sizes of one kernel")]
    let float = |value: Option<u64>| value.map(|value| value as f64);
    Line { name, old: old.map(&text), new: new.map(&text), moved: moved(float(old), float(new)) }
}

fn in_bytes(name: &'static str, values: [Option<u64>; 2]) -> Line {
    let line = line(name, values, bytes);
    Line { moved: line.moved.map(|moved| format!("{moved} B")), ..line }
}

fn line_of(name: &'static str, old: Option<f64>, new: Option<f64>, text: impl Fn(f64) -> String) -> Line {
    Line { name, old: old.map(&text), new: new.map(&text), moved: None }
}

fn points(name: &'static str, [old, new]: [Option<f64>; 2]) -> Line {
    let moved = moved(old, new).map(|moved| format!("{moved} points"));
    Line { moved, ..line_of(name, old, new, percent) }
}

fn moved(old: Option<f64>, new: Option<f64>) -> Option<String> {
    let moved = new? - old?;
    (moved.abs() > 1e-9).then(|| signed_points(moved))
}
