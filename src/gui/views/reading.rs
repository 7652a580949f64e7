//! How far reading has come: a thin bar, a sentence, and a way to stop.

use egui::{Button, Label, Rect, RichText, Sense, Ui, vec2};

use crate::fmt::{counted, grouped};
use crate::gui::theme::{self, Theme, size};
use crate::import::Progress;
use crate::session::{Action, Reading};

const BAR_SIZE: egui::Vec2 = vec2(72.0, 4.0);

/// Draws the files that are being read in one line.
pub fn reading_ui(ui: &mut Ui, reading: &[Reading], actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(BAR_SIZE, Sense::hover());
    ui.painter().rect_filled(rect, 2.0, theme.palette.line);
    let done = Rect::from_min_size(rect.min, vec2(rect.width() * share(total(reading)), rect.height()));
    ui.painter().rect_filled(done, 2.0, theme.palette.accent);
    let can_cancel = reading.iter().any(|file| !file.is_cancelled);
    let cancel = Button::new(RichText::new("Cancel").font(theme::words(size::NOTE))).small();
    if ui
        .add_enabled(can_cancel, cancel)
        .on_hover_text(if reading.iter().all(|file| file.compared_percent.is_some()) {
            "Take it without saying what changed"
        } else {
            "Stop reading and keep what was read"
        })
        .clicked()
    {
        actions.extend(reading.iter().map(|file| Action::CancelReading(file.path.clone())));
    }
    ui.add(Label::new(RichText::new(in_words(reading)).font(theme::words(size::NOTE)).color(theme.palette.text2)).truncate());
}

/// All files together; those that have not begun do not count yet.
fn total(reading: &[Reading]) -> Progress {
    let none = Progress { bytes_read: 0, bytes_total: 0, num_kernels: 0 };
    reading.iter().filter_map(|file| file.progress).fold(none, |sum, file| Progress {
        bytes_read: sum.bytes_read + file.bytes_read,
        bytes_total: sum.bytes_total + file.bytes_total,
        num_kernels: sum.num_kernels + file.num_kernels,
    })
}

/// From 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "for a bar of some dozen pixels")]
fn share(progress: Progress) -> f32 {
    if progress.bytes_total == 0 { 0.0 } else { (progress.bytes_read as f32 / progress.bytes_total as f32).min(1.0) }
}

/// "Reading report.csv: 340 of 1,024 MB, 12,400 kernels".
fn in_words(reading: &[Reading]) -> String {
    if let [Reading { compared_percent: Some(percent), path, .. }] = reading {
        let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        return format!("Comparing {name} with its reading before: {percent} %");
    }
    let verb = if reading.iter().all(|file| file.is_cancelled) { "Stopping" } else { "Reading" };
    let what = match reading {
        [one] => one.path.file_name().map_or_else(|| one.path.display().to_string(), |name| name.to_string_lossy().into_owned()),
        several => format!("{} files", several.len()),
    };
    let Progress { bytes_read, bytes_total, num_kernels } = total(reading);
    if bytes_total == 0 {
        return format!("{verb} {what} …");
    }
    let megabytes = |bytes: usize| grouped(bytes as u64 / 1_000_000);
    format!("{verb} {what}: {} of {} MB, {}", megabytes(bytes_read), megabytes(bytes_total), counted(num_kernels as u64, "kernel"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, progress: Option<(usize, usize, usize)>) -> Reading {
        let progress = progress.map(|(bytes_read, bytes_total, num_kernels)| Progress { bytes_read, bytes_total, num_kernels });
        Reading { path: path.into(), progress, is_cancelled: false, compared_percent: None }
    }

    #[test]
    fn the_sentence_adds_up_the_files() {
        let one = file("/data/report.csv", Some((340_900_000, 1_024_000_000, 12_400)));
        assert_eq!(in_words(std::slice::from_ref(&one)), "Reading report.csv: 340 of 1,024 MB, 12,400 kernels");
        assert_eq!(in_words(&[file("a.csv", None)]), "Reading a.csv …");
        let two = [one, file("b.csv", Some((1_000_000, 1_000_000, 1)))];
        assert_eq!(in_words(&two), "Reading 2 files: 341 of 1,025 MB, 12,401 kernels");
        let compared = Reading { compared_percent: Some(40), ..two[0].clone() };
        assert_eq!(in_words(&[compared]), "Comparing report.csv with its reading before: 40 %");
        let stopping = two.map(|file| Reading { is_cancelled: true, ..file });
        assert!(in_words(&stopping).starts_with("Stopping 2 files"));
    }
}
