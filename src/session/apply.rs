//! What each action does. An arm is one call to a function named after its action.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::action::{Action, Effect};
use super::apply_presets::export_presets;
use super::document::{BlockTimes, Configuration, GpuChoice, KernelRef, LessonPlace, OpenReport, Screen};
use super::playback::Placed;
use super::settings::Settings;
use super::step_names::step_name;
use super::watching::Readings;
use super::{Document, Reading, Session, saved};
use crate::arch::{Arch, Catalog, ComputeCapability, Gpu};
use crate::engine::Launch;
use crate::import::account::account;
use crate::import::{DecimalMark, Progress};

impl Session {
    /// Takes any action, leaves a valid document, and returns what the outside world has to do.
    pub fn apply(&mut self, action: Action) -> Vec<Effect> {
        self.step_name = step_name(&action);
        let library = Arc::clone(&self.document.library);
        let is_news = matches!(action, Action::MergeLibrary { .. });
        let mut effects = self.apply_to_session(action);
        // Whatever changed the presets, undo too: the file follows.
        if !is_news && !Arc::ptr_eq(&library, &self.document.library) && library != self.document.library {
            effects.push(Effect::WriteLibrary(Arc::clone(&self.document.library)));
        }
        effects.extend(self.watch_files());
        effects.extend(self.follow_baseline());
        effects
    }

    fn apply_to_session(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::SelectGpu(gpu) => self.select_gpu(gpu),
            Action::SetBlock(block) => self.set_launch_part("block", |launch| launch.block = block),
            Action::SetRegistersPerThread(registers) => self.set_launch_part("registers", |launch| launch.registers_per_thread = registers),
            Action::SetStaticSmemBytes(bytes) => self.set_launch_part("static", |launch| launch.static_smem_bytes = bytes),
            Action::SetDynamicSmemBytes(bytes) => self.set_launch_part("dynamic", |launch| launch.dynamic_smem_bytes = bytes),
            Action::SetOptIn(opt_in) => self.set_launch_part("opt-in", |launch| launch.opt_in = opt_in),
            Action::SetMaxDynamicSmemBytes(bytes) => self.set_launch_part("maximum", |launch| launch.max_dynamic_smem_bytes = bytes),
            Action::SetCarveoutPercent(percent) => self.set_launch_part("carve-out", |launch| launch.carveout_percent = percent),
            Action::SetCachePreference(preference) => self.set_launch_part("cache", |launch| launch.cache_preference = preference),
            Action::SetPartitionedCaching(caching) => self.set_launch_part("caching", |launch| launch.partitioned_caching = caching),
            Action::SetBarriersPerBlock(barriers) => self.set_launch_part("barriers", |launch| launch.barriers_per_block = barriers),
            Action::SetClusterSize(size) => self.set_launch_part("cluster", |launch| launch.cluster_size = size.max(1)),
            Action::SetLaunchBounds(bounds) => self.set_launch_part("bounds", |launch| launch.launch_bounds = bounds),
            Action::SetGrid(grid) => self.set_launch_part("grid", |launch| launch.grid = grid),
            Action::SetLaunch(launch) => self.change(None, |document| document.configuration.launch = launch),
            Action::SetConfiguration(configuration) => self.set_configuration(configuration),
            Action::PinConfiguration => self.change(None, |document| document.pinned = Some(document.configuration.clone())),
            Action::Unpin => self.change(None, |document| document.pinned = None),
            Action::UsePreset(preset) => self.use_preset(*preset),
            Action::AddPresets(presets) => self.add_presets(presets),
            Action::ReplacePreset { name, preset } => self.replace_preset(&name, *preset),
            Action::DuplicatePreset(name) => self.duplicate_preset(&name),
            Action::MovePreset { name, to } => self.change_library(|library| library.move_to(&name, to)),
            Action::DeletePreset(name) => self.change_library(|library| library.delete(&name)),
            Action::ImportPresets => vec![Effect::PickPresets],
            Action::ExportPresets(presets) => export_presets(&presets),
            Action::PasteText(text) => self.paste_text(&text),
            Action::MergeLibrary { base, theirs } => self.merge_library(&base, &theirs),
            Action::SetSettings(settings) => self.set_settings(*settings),
            Action::TakeKept { settings, recent } => self.take_kept(*settings, recent),
            Action::SaveSession => self.save_session(self.file.clone()),
            Action::SaveSessionAs => self.save_session(None),
            Action::SessionSaved(path) => self.session_saved(path),
            Action::TakeSession { restored, file, message } => self.take_session(*restored, file, &message),
            Action::NoteFingerprint { path, fingerprint } => self.note_fingerprint(path, fingerprint),
            Action::AskPath { question, name } => self.ask_path(question, &name),
            Action::AnswerPath(path) => self.answer_path(path),
            Action::ForgetRecent => self.forget_recent(),
            Action::Say(message) => self.say(message),
            Action::CompareWith(gpu) => self.compare_with(gpu),
            Action::StopComparing(gpu) => self.change(None, |document| document.compared.retain(|other| *other != gpu)),
            Action::SaveGpu { arch, gpu } => self.save_gpu(&arch, &gpu),
            Action::DeleteGpu(capability) => self.delete_gpu(capability),
            Action::SetCatalog { catalog, choose } => self.set_catalog(catalog, choose),
            Action::EndGesture => self.end_gesture(),
            Action::OpenFile => vec![Effect::PickFiles(self.last_folder())],
            Action::OpenPaths(paths) => self.open_paths(paths),
            Action::OpenSample => vec![Effect::ReadSample],
            Action::ReadProgress { path, progress } => self.read_progress(&path, progress),
            Action::CancelReading(path) => self.cancel_reading(path),
            Action::AddReport(report) => self.add_report(report),
            Action::ReplaceReport(replacement) => self.replace_report(*replacement),
            Action::CompareProgress { readings, percent } => self.compare_progress(&readings, percent),
            Action::TakeComparison { compared, groups } => self.take_comparison(compared, groups),
            Action::FileChanged(path) => self.file_changed(path),
            Action::FileVanished(path) => self.file_vanished(path),
            Action::CloseReport(index) => self.close_report(index),
            Action::ReadWithMark { report, mark } => self.read_with_mark(report, mark),
            Action::SetReportGpu { report, gpu } => self.set_report_gpu(report, &gpu),
            Action::SelectKernel(selected) => self.select_kernel(selected),
            Action::ExploreKernel(at) => self.explore_kernel(at),
            Action::ShowScreen(screen) => self.set_view(|view| view.screen = screen),
            Action::ShowChart(chart) => self.set_view(|view| view.chart = chart),
            Action::SetTheme(theme) => self.set_settings(Settings { theme, ..self.settings.clone() }),
            Action::ShowMore(show) => self.set_view(|view| view.show_more = show),
            Action::SetTable(table) => self.set_view(|view| view.table = table),
            Action::SetBlockTimes(times) => self.set_block_times(times),
            Action::PlaceBlocks(placed) => self.place(Placed { blocks: placed, resources: 0 }),
            Action::Place(placed) => self.place(placed),
            Action::Play(play) => self.play(play),
            Action::SetSpeed(speed) => self.set_view(|view| view.playback.speed = speed),
            Action::SetFineSteps(fine) => self.set_fine_steps(fine),
            Action::HideAnswers(hide) => self.set_view(|view| view.hides_answers = hide),
            Action::ShowLesson(place) => self.show_lesson(place),
            Action::CopyText(text) => self.copy_text(text),
            Action::CopyLazyText(text) => vec![Effect::MakeText(text)],
            Action::SaveText { file_name, text } => vec![Effect::SaveText { file_name, text }],
            Action::SaveFile(file) => vec![Effect::SaveFile(file)],
            Action::CopyPicture(pixels) => self.copy_picture(pixels),
            Action::TextSaved(saved) => self.text_saved(saved),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
        }
    }

    /// Changes the document as one undo step, or as part of `gesture` while it goes on. A change to the same is no step.
    pub(super) fn change(&mut self, gesture: Option<&'static str>, change: impl FnOnce(&mut Document)) -> Vec<Effect> {
        let before = self.document.clone();
        change(&mut self.document);
        if self.document != before {
            self.history.record(before, gesture, &self.step_name);
            self.view.place(Placed::ALL);
            self.message = None;
        }
        Vec::new()
    }

    pub(super) fn set_view(&mut self, change: impl FnOnce(&mut super::View)) -> Vec<Effect> {
        change(&mut self.view);
        Vec::new()
    }

    fn set_block_times(&mut self, times: BlockTimes) -> Vec<Effect> {
        self.set_view(|view| view.block_times = BlockTimes { spread_percent: times.spread_percent.min(100), ..times })
    }

    fn show_lesson(&mut self, place: Option<LessonPlace>) -> Vec<Effect> {
        self.set_view(|view| {
            view.screen = Screen::Learn;
            view.lesson = place;
        })
    }

    pub(super) fn place(&mut self, placed: Placed) -> Vec<Effect> {
        let placed = self.course().nearest(placed);
        self.set_view(|view| view.place(placed))
    }

    fn play(&mut self, play: bool) -> Vec<Effect> {
        self.set_view(|view| {
            if play && view.placed.is_none() {
                view.place(Placed::blocks(0));
            }
            view.playback.is_playing = play;
        })
    }

    /// Without fine steps no block stays between two.
    fn set_fine_steps(&mut self, fine: bool) -> Vec<Effect> {
        self.set_view(|view| {
            view.playback.is_fine = fine;
            view.resources_placed = if fine { view.resources_placed } else { 0 };
        })
    }

    fn set_launch_part(&mut self, input: &'static str, set: impl FnOnce(&mut Launch)) -> Vec<Effect> {
        self.change(Some(input), |document| set(&mut document.configuration.launch))
    }

    pub(super) fn is_known(&self, gpu: &GpuChoice) -> bool {
        match gpu {
            GpuChoice::Product(_) => self.gpu_of(gpu).is_some(),
            GpuChoice::Capability(capability) => self.catalog.arch(*capability).is_some(),
        }
    }

    fn select_gpu(&mut self, gpu: GpuChoice) -> Vec<Effect> {
        if !self.is_known(&gpu) {
            return self.say(format!("{gpu} is not known; choose another one"));
        }
        self.change(None, |document| document.choose(Configuration { gpu, launch: document.configuration.launch.clone() }))
    }

    fn compare_with(&mut self, gpu: GpuChoice) -> Vec<Effect> {
        if !self.is_known(&gpu) {
            return self.say(format!("{gpu} is not known; choose another one"));
        }
        if self.document.configuration.gpu == gpu || self.document.compared.contains(&gpu) {
            return self.say(format!("{gpu} is shown already"));
        }
        if self.document.compared.len() == Document::MAX_COMPARED {
            return self.say(format!("{} GPUs are shown, no more fit; take one away first", Document::MAX_COMPARED + 1));
        }
        self.change(None, |document| document.compared.push(gpu))
    }

    fn save_gpu(&mut self, arch: &Arch, gpu: &Gpu) -> Vec<Effect> {
        let capability = arch.compute_capability;
        let file_name = format!("custom_{}_{}.toml", capability.major, capability.minor);
        let text = arch.to_toml([gpu]);
        match self.catalog.with_files(&[(&file_name, &text)]) {
            Ok(_) => vec![Effect::WriteGpu { file_name, text, choose: GpuChoice::product(gpu) }],
            Err(problems) => self.say(format!("{} is not saved: {problems}", gpu.name)),
        }
    }

    fn delete_gpu(&mut self, capability: ComputeCapability) -> Vec<Effect> {
        match self.catalog.own_file_of(capability) {
            Some(file) => vec![Effect::DeleteGpu(PathBuf::from(file))],
            None => self.say(format!("compute capability {capability} has no file of your own")),
        }
    }

    /// Takes in what is known now. GPUs that are no longer known give way to the first preset's.
    fn set_catalog(&mut self, catalog: Result<Arc<Catalog>, String>, choose: Option<GpuChoice>) -> Vec<Effect> {
        match catalog {
            Ok(catalog) => self.catalog = catalog,
            Err(reason) => return self.say(reason),
        }
        self.forget_unknown_gpus();
        choose.map_or_else(Vec::new, |gpu| self.select_gpu(gpu))
    }

    pub(super) fn forget_unknown_gpus(&mut self) {
        let mut document = self.document.clone();
        if !self.is_known(&document.configuration.gpu) {
            document.configuration.gpu = super::presets::builtin()[0].configuration.gpu.clone();
        }
        let chosen = document.configuration.gpu.clone();
        document.compared.retain(|gpu| self.is_known(gpu) && *gpu != chosen);
        document.pinned = document.pinned.filter(|pinned| self.is_known(&pinned.gpu));
        self.document = document;
    }

    pub(super) fn say(&mut self, message: String) -> Vec<Effect> {
        self.message = Some(message);
        Vec::new()
    }

    pub(super) fn set_configuration(&mut self, configuration: Configuration) -> Vec<Effect> {
        if !self.is_known(&configuration.gpu) {
            return self.select_gpu(configuration.gpu);
        }
        self.change(None, |document| document.choose(configuration))
    }

    fn end_gesture(&mut self) -> Vec<Effect> {
        self.history.end_gesture();
        Vec::new()
    }

    /// Starts reading files, each by what its name says it is. One that is being read already is left alone.
    pub(super) fn open_paths(&mut self, paths: Vec<PathBuf>) -> Vec<Effect> {
        let (sessions, paths): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(|path| has_extension(path, saved::session::EXTENSION));
        let (presets, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| has_extension(path, "toml"));
        let mut effects = if presets.is_empty() { Vec::new() } else { vec![Effect::ReadPresets(presets)] };
        let mut new = Vec::new();
        for path in paths {
            if self.reading_of(&path).is_none() {
                self.reading.push(Reading::new(path.clone()));
                match self.told_mark(&path) {
                    Some(mark) => effects.push(Effect::ReadFileAs { path, mark }),
                    None => new.push(path),
                }
            }
        }
        if !new.is_empty() {
            effects.push(Effect::ReadFiles(new));
        }
        effects.extend(sessions.into_iter().map(Effect::ReadSession));
        effects
    }

    /// The decimal mark that an open file was read with because somebody said so.
    fn told_mark(&self, path: &Path) -> Option<DecimalMark> {
        self.document.reports[self.place_of_open(path)?].told_mark()
    }

    /// Reads an open file again. Its other reading takes the place of this one like any, as a step that can be undone.
    fn read_with_mark(&mut self, report: usize, mark: DecimalMark) -> Vec<Effect> {
        let Some(path) = self.document.reports.get(report).map(|open| open.path.clone()) else { return Vec::new() };
        if self.reading_of(&path).is_some() {
            return self.say("the file is being read; wait until that is done".to_owned());
        }
        self.reading.push(Reading::new(path.clone()));
        vec![Effect::ReadFileAs { path, mark }]
    }

    pub(super) fn reading_of(&mut self, path: &Path) -> Option<&mut Reading> {
        self.reading.iter_mut().find(|reading| reading.path == path)
    }

    /// News of a file that is not being read any more are too late.
    fn read_progress(&mut self, path: &Path, progress: Progress) -> Vec<Effect> {
        if let Some(reading) = self.reading_of(path) {
            reading.progress = Some(progress);
        }
        Vec::new()
    }

    fn cancel_reading(&mut self, path: PathBuf) -> Vec<Effect> {
        match self.reading_of(&path) {
            Some(reading) if !reading.is_cancelled => {
                reading.is_cancelled = true;
                vec![Effect::CancelReading(path)]
            }
            _ => Vec::new(),
        }
    }

    /// What to say of a file that is not being read any more; nothing when it was read to its end.
    pub(super) fn end_reading(&mut self, path: &Path) -> &'static str {
        let at = self.reading.iter().position(|reading| reading.path == path);
        let is_cut_short = at.is_some_and(|at| self.reading.remove(at).is_cut_short());
        if is_cut_short { ", reading was stopped before the end" } else { "" }
    }

    /// A report that was read: listed, shown, its first kernel selected. A file that is open already is replaced, once it is known how.
    fn add_report(&mut self, report: OpenReport) -> Vec<Effect> {
        if let Some(index) = self.place_of_open(&report.path) {
            let old = Arc::clone(&self.document.reports[index]);
            return self.compare_readings(Readings { old, new: Arc::new(report) });
        }
        let stopped = self.end_reading(&report.path);
        let message = match &report.content {
            Ok(read) => format!("{}: {}{stopped}", report.name(), crate::fmt::counted(read.report.kernels.len() as u64, "kernel")),
            Err(reason) => format!("{}: {reason}", report.name()),
        };
        let has_kernels = report.kernels().len() > 0;
        let path = report.path.clone();
        let report = Arc::new(report);
        self.change(None, |document| {
            let index = document.reports.len();
            document.reports.push(report);
            if has_kernels {
                document.selected = Some(KernelRef { report: index, kernel: 0 });
            }
        });
        self.view.screen = Screen::Kernels;
        self.message = Some(message);
        if has_kernels { self.note_recent(path) } else { Vec::new() }
    }

    fn close_report(&mut self, index: usize) -> Vec<Effect> {
        self.change(None, |document| {
            if index >= document.reports.len() {
                return;
            }
            document.reports.remove(index);
            document.selected = document
                .selected
                .filter(|at| at.report != index)
                .map(|at| KernelRef { report: at.report - usize::from(at.report > index), ..at });
        })
    }

    fn set_report_gpu(&mut self, index: usize, name: &str) -> Vec<Effect> {
        let choice = GpuChoice::Product(name.to_owned());
        let (Some(gpu), Some(open)) = (self.gpu_of(&choice).cloned(), self.document.reports.get(index)) else {
            self.message = Some(format!("{name} is not known; choose another one"));
            return Vec::new();
        };
        let mut open = OpenReport::clone(open);
        if let Ok(read) = &mut open.content {
            read.accounts = read.report.kernels.iter().map(|kernel| account(kernel, &self.catalog, Some(&gpu))).collect();
        }
        self.change(None, |document| document.reports[index] = Arc::new(open))
    }

    fn select_kernel(&mut self, selected: Option<KernelRef>) -> Vec<Effect> {
        let selected = selected.filter(|at| self.document.kernel(*at).is_some());
        self.change(Some("selection"), |document| document.selected = selected)
    }

    fn explore_kernel(&mut self, at: KernelRef) -> Vec<Effect> {
        let Some((kernel, account)) = self.document.kernel(at) else { return Vec::new() };
        let (Some(arch), Some(launch)) = (&account.arch, &account.launch) else {
            self.message = Some(format!("{} lacks what a launch needs", kernel.name));
            return Vec::new();
        };
        let gpu = account.gpu.as_ref().map_or(GpuChoice::Capability(arch.compute_capability), GpuChoice::product);
        let configuration = Configuration { gpu, launch: launch.clone() };
        let effects = self.set_configuration(configuration);
        self.view.screen = Screen::Explore;
        effects
    }

    fn copy_text(&mut self, text: String) -> Vec<Effect> {
        self.message = Some("copied".to_owned());
        vec![Effect::CopyText(text)]
    }

    fn text_saved(&mut self, saved: Result<PathBuf, String>) -> Vec<Effect> {
        self.say(match saved {
            Ok(path) => format!("saved: {}", path.display()),
            Err(reason) => reason,
        })
    }

    fn undo(&mut self) -> Vec<Effect> {
        self.history.undo(&mut self.document);
        self.forget_unknown_gpus();
        self.view.place(Placed::ALL);
        Vec::new()
    }

    fn redo(&mut self) -> Vec<Effect> {
        self.history.redo(&mut self.document);
        self.forget_unknown_gpus();
        self.view.place(Placed::ALL);
        Vec::new()
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
