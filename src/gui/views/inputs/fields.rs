//! Fields and sliders for numbers: live while typing or dragging, one undo step per gesture.

use std::ops::RangeInclusive;

use egui::{Align, Id, Key, Response, Slider, TextEdit, Ui, vec2};

use crate::fmt;
use crate::gui::theme::{self, CONTROL_HEIGHT, Theme, size};
use crate::gui::widgets::note;
use crate::units::{Dim3, KIB, parse_size_bytes};

/// What a control reports: a new value, or that the gesture is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit<T> {
    None,
    Changed(T),
    Ended,
}

impl<T> Edit<T> {
    fn or(self, other: Self) -> Self {
        if matches!(self, Self::None) { other } else { self }
    }
}

/// How the number of a field is written and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Count,
    /// Bytes. A number without a unit is KiB below 1,024 and bytes from there on: no block has 1 MiB of shared memory.
    Size,
}

impl Kind {
    pub fn format(self, value: u64) -> String {
        match self {
            Self::Count => fmt::grouped(value),
            Self::Size if value == 0 && !fmt::in_bytes() => format!("0 {}", fmt::kib_unit()),
            Self::Size => fmt::bytes(value),
        }
    }

    pub fn parse(self, text: &str) -> Option<u64> {
        match self {
            Self::Count => {
                let digits: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
                digits.parse().ok()
            }
            Self::Size => {
                let bare: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
                match bare.parse::<f64>() {
                    Ok(number) if number < 1024.0 => parse_size_bytes(&format!("{bare}K")).ok(),
                    _ => parse_size_bytes(text).ok(),
                }
            }
        }
    }
}

/// A number with its name, field, slider and note, as all inputs look.
#[derive(Debug)]
pub struct NumberInput<'a> {
    pub name: &'a str,
    pub value: u64,
    pub kind: Kind,
    /// What the slider runs over; the field takes any value.
    pub range: RangeInclusive<u64>,
    /// One key press or slider step.
    pub step: u64,
    pub slider: bool,
    pub note: String,
    pub hint: &'a str,
}

impl NumberInput<'_> {
    pub fn ui(&self, ui: &mut Ui) -> Edit<u64> {
        ui.spacing_mut().item_spacing.y = 2.0;
        let edit = ui
            .horizontal(|ui| {
                let label = ui.label(egui::RichText::new(self.name).font(theme::medium(size::BODY)));
                ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                    let (response, edit) = text_field(ui, self.name, &self.kind.format(self.value), 96.0, |text| self.kind.parse(text));
                    let edit = edit.or(self.step_by_key(ui, &response));
                    response.labelled_by(label.id).on_hover_text(self.hint);
                    edit
                })
                .inner
            })
            .inner;
        let edit = if self.slider { edit.or(self.slider_ui(ui)) } else { edit };
        if !self.note.is_empty() {
            note(ui, &self.note);
        }
        edit
    }

    fn step_by_key(&self, ui: &Ui, field: &Response) -> Edit<u64> {
        if !field.has_focus() {
            return Edit::None;
        }
        let (up, down) = ui.input(|input| (input.key_pressed(Key::ArrowUp), input.key_pressed(Key::ArrowDown)));
        let stepped = match (up, down) {
            (true, _) => self.value.saturating_add(self.step) / self.step.max(1) * self.step.max(1),
            (_, true) => self.value.saturating_sub(self.step).div_ceil(self.step.max(1)) * self.step.max(1),
            _ => return Edit::None,
        };
        ui.data_mut(|data| data.remove_temp::<String>(field.id));
        Edit::Changed(stepped)
    }

    fn nearest_step(&self) -> u64 {
        let (start, end) = (*self.range.start(), *self.range.end());
        let steps = (self.value.clamp(start, end) - start + self.step / 2) / self.step.max(1);
        (start + steps * self.step).min(end)
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes of shared memory and counts of threads"
    )]
    fn slider_ui(&self, ui: &mut Ui) -> Edit<u64> {
        // A value between two steps is shown at the nearest one, and stays what it is until the slider is moved.
        let mut value = self.nearest_step() as f64;
        let before = value;
        let range = *self.range.start() as f64..=*self.range.end() as f64;
        let response = ui
            .scope(|ui| {
                ui.spacing_mut().interact_size.y = 18.0;
                ui.spacing_mut().slider_width = ui.available_width();
                let palette = Theme::of(ui).palette;
                let widgets = &mut ui.visuals_mut().widgets;
                for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                    widget.fg_stroke = egui::Stroke::new(2.0, palette.accent);
                }
                ui.visuals_mut().selection.bg_fill = palette.accent;
                ui.add(
                    Slider::new(&mut value, range)
                        .step_by(self.step as f64)
                        .show_value(false)
                        .handle_shape(egui::style::HandleShape::Circle),
                )
            })
            .inner;
        name_slider(&response, self.name, self.value, &self.kind.format(self.value));
        if response.drag_stopped() || response.lost_focus() {
            return Edit::Ended;
        }
        if (value - before).abs() > f64::EPSILON { Edit::Changed(value.round() as u64) } else { Edit::None }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a value to be read aloud")]
fn name_slider(response: &Response, name: &str, value: u64, in_words: &str) {
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::slider(true, value as f64, format!("{name} slider"));
        info.value = Some(value as f64);
        info.current_text_value = Some(in_words.to_owned());
        info
    });
}

/// A field in which text is edited as a draft and read at every change. An unreadable draft changes nothing and is forgotten when the field is left.
pub fn text_field<T>(ui: &mut Ui, name: &str, shown: &str, width: f32, parse: impl Fn(&str) -> Option<T>) -> (Response, Edit<T>) {
    let id = ui.make_persistent_id(("field", name));
    let mut draft = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| shown.to_owned());
    let palette = Theme::of(ui).palette;
    let readable = parse(&draft).is_some();
    let response = ui
        .scope(|ui| {
            let widgets = &mut ui.visuals_mut().widgets;
            widgets.inactive.bg_stroke.color = palette.line_strong;
            if !readable {
                ui.visuals_mut().selection.stroke.color = palette.note;
            }
            ui.add_sized(
                vec2(width, CONTROL_HEIGHT),
                TextEdit::singleline(&mut draft).id(id).font(theme::mono(size::BODY)).align(egui::Align2::RIGHT_CENTER),
            )
        })
        .inner;
    if response.gained_focus() {
        select_all(ui, id, &draft);
    }
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, draft.clone()));
    } else {
        ui.data_mut(|data| data.remove_temp::<String>(id));
    }
    let edit = match (response.changed(), response.lost_focus()) {
        (true, _) => parse(&draft).map_or(Edit::None, Edit::Changed),
        (_, true) => Edit::Ended,
        _ => Edit::None,
    };
    (response, edit)
}

fn select_all(ui: &Ui, id: Id, text: &str) {
    if let Some(mut state) = TextEdit::load_state(ui.ctx(), id) {
        let end = egui::text::CCursor::new(text.chars().count());
        state.cursor.set_char_range(Some(egui::text::CCursorRange::two(egui::text::CCursor::new(0), end)));
        state.store(ui.ctx(), id);
    }
}

/// A block or grid shape. An empty field is none.
pub fn shape_field(ui: &mut Ui, name: &str, value: Option<Dim3>, hint: &str) -> Edit<Option<Dim3>> {
    let shown = value.map_or_else(String::new, |shape| if shape.is_linear() { fmt::grouped(shape.x.into()) } else { shape.to_string() });
    let parse = |text: &str| {
        let text = text.trim();
        if text.is_empty() {
            return Some(None);
        }
        // "1,024" is a number; "16,16" is a shape.
        Kind::Count.parse(text).and_then(|count| u32::try_from(count).ok()).map(Dim3::linear).or_else(|| text.parse().ok()).map(Some)
    };
    ui.horizontal(|ui| {
        let label = ui.label(egui::RichText::new(name).font(theme::medium(size::BODY)));
        ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
            let (response, edit) = text_field(ui, name, &shown, 116.0, parse);
            response.labelled_by(label.id).on_hover_text(hint);
            edit
        })
        .inner
    })
    .inner
}

/// KiB that the slider of a shared-memory field ends at.
pub fn smem_slider_end(cap_bytes: u32) -> u64 {
    u64::from(cap_bytes) / KIB * KIB
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_without_a_unit_is_kib_when_small() {
        assert_eq!(Kind::Size.parse("48"), Some(49_152));
        assert_eq!(Kind::Size.parse("48K"), Some(49_152));
        assert_eq!(Kind::Size.parse("49152"), Some(49_152));
        assert_eq!(Kind::Size.parse("49,152 B"), Some(49_152));
        assert_eq!(Kind::Size.parse("100 B"), Some(100));
        assert_eq!(Kind::Size.parse("lots"), None);
    }

    #[test]
    fn what_a_field_shows_it_also_reads() {
        for sizes in [fmt::SizeUnit::Kib, fmt::SizeUnit::Kb, fmt::SizeUnit::Bytes] {
            for grouping in [fmt::Grouping::Comma, fmt::Grouping::Space, fmt::Grouping::None] {
                fmt::set_style(fmt::NumberStyle { sizes, grouping, ..fmt::NumberStyle::default() });
                for value in [0, 1, 100, 1024, 49_152, 49_153, 54_784, 166_912] {
                    assert_eq!(Kind::Size.parse(&Kind::Size.format(value)), Some(value));
                    assert_eq!(Kind::Count.parse(&Kind::Count.format(value)), Some(value));
                }
            }
        }
        fmt::set_style(fmt::NumberStyle::default());
    }
}
