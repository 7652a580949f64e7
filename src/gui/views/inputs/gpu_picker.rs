//! Choosing a GPU: a button with the current one, and a searchable list.

use egui::{Key, Popup, PopupCloseBehavior, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::arch::{Arch, Catalog, Found, Gpu};
use crate::gui::paint::{Icon, icon, icons::focus_ring};
use crate::gui::theme::{self, ROW_HEIGHT, Theme, size};
use crate::session::GpuChoice;

/// The button and its list. Returns the GPU that was chosen.
pub fn gpu_picker_ui(ui: &mut Ui, catalog: &Catalog, current: &GpuChoice) -> Option<GpuChoice> {
    let theme = Theme::of(ui);
    let width = ui.available_width();
    let button = egui::Button::new(RichText::new(current.to_string()).font(theme::medium(size::BODY)))
        .fill(theme.palette.well)
        .stroke(egui::Stroke::new(1.0, theme.palette.line_strong))
        .min_size(vec2(width, 36.0))
        .right_text("  ")
        .truncate();
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, format!("GPU, {current}")));
    let arrow = egui::Rect::from_center_size(egui::pos2(response.rect.right() - 18.0, response.rect.center().y), vec2(16.0, 16.0));
    icon(ui.painter(), arrow, Icon::Down, theme.palette.text2);
    if response.has_focus() {
        focus_ring(ui.painter(), theme, response.rect.shrink(3.0));
    }
    popup_ui(&response, width.max(300.0), catalog, current)
}

/// The list, opened by a button. Returns the GPU that was chosen.
pub fn popup_ui(button: &egui::Response, width: f32, catalog: &Catalog, current: &GpuChoice) -> Option<GpuChoice> {
    let popup = Popup::menu(button).width(width).close_behavior(PopupCloseBehavior::CloseOnClickOutside).accessible_name("GPUs");
    popup.show(|ui| list_ui(ui, catalog, current)).and_then(|shown| shown.inner)
}

fn list_ui(ui: &mut Ui, catalog: &Catalog, current: &GpuChoice) -> Option<GpuChoice> {
    let id = ui.make_persistent_id("gpu-search");
    let mut query = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_default();
    let search = ui.add(
        TextEdit::singleline(&mut query)
            .hint_text("Search by name or compute capability")
            .margin(egui::Margin::symmetric(8, 6))
            .desired_width(f32::INFINITY),
    );
    search.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search GPUs"));
    if !search.has_focus() && ui.memory(|memory| memory.focused().is_none()) {
        search.request_focus();
    }
    let choices = choices(catalog, &query);
    let enter = ui.input(|input| input.key_pressed(Key::Enter)).then(|| choices.first().map(|row| row.choice.clone())).flatten();
    ui.data_mut(|data| data.insert_temp(id, query));
    if choices.is_empty() {
        ui.label("No such GPU is known. Choose its compute capability, or add a file of its facts.");
    }
    let height = ROW_HEIGHT;
    let clicked = ScrollArea::vertical().max_height(360.0).auto_shrink([false, true]).show_rows(ui, height, choices.len(), |ui, rows| {
        let mut clicked = None;
        for row in &choices[rows] {
            if row_ui(ui, row, row.choice == *current) {
                clicked = Some(row.choice.clone());
            }
        }
        clicked
    });
    let chosen = clicked.inner.or(enter);
    if chosen.is_some() {
        ui.data_mut(|data| data.remove_temp::<String>(id));
        ui.close();
    }
    chosen
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    choice: GpuChoice,
    detail: String,
}

fn row_ui(ui: &mut Ui, row: &Row, selected: bool) -> bool {
    let palette = Theme::of(ui).palette;
    let text = RichText::new(row.choice.to_string()).font(theme::words(size::BODY)).color(palette.text);
    let detail = RichText::new(&row.detail).font(theme::mono(size::NOTE)).color(palette.text2);
    let button = egui::Button::selectable(selected, text)
        .right_text(detail)
        .min_size(vec2(ui.available_width(), ROW_HEIGHT - ui.spacing().item_spacing.y))
        .truncate();
    ui.add(button).clicked()
}

/// Without a query every product, then every compute capability; with one, what fits it, the best first.
fn choices(catalog: &Catalog, query: &str) -> Vec<Row> {
    if query.trim().is_empty() {
        return rows(catalog, catalog.gpus().iter().map(Found::Gpu).chain(catalog.archs().map(Found::Arch)));
    }
    rows(catalog, catalog.search(query))
}

/// The rows; an invented compute capability is there by its products only, as its number means nothing.
fn rows<'c>(catalog: &Catalog, found: impl IntoIterator<Item = Found<'c>>) -> Vec<Row> {
    let row = |found: Found<'_>| match found {
        Found::Gpu(gpu) => Some(product_row(catalog, gpu)),
        Found::Arch(arch) if arch.invented && catalog.gpus_of(arch.compute_capability).next().is_some() => None,
        Found::Arch(arch) => Some(capability_row(arch)),
    };
    found.into_iter().filter_map(row).collect()
}

fn product_row(catalog: &Catalog, gpu: &Gpu) -> Row {
    let kind = catalog.arch(gpu.compute_capability).map_or_else(|| gpu.compute_capability.to_string(), Arch::capability_in_words);
    let kind = if catalog.own_file_of(gpu.compute_capability).is_some() { "your own".to_owned() } else { kind };
    Row { choice: GpuChoice::product(gpu), detail: format!("{kind}  {}", gpu.sms_in_words()) }
}

fn capability_row(arch: &Arch) -> Row {
    Row { choice: GpuChoice::Capability(arch.compute_capability), detail: arch.name.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_searched_by_name_and_by_capability() {
        let catalog = Catalog::builtin();
        let names = |query: &str| choices(catalog, query).into_iter().map(|row| row.choice.to_string()).collect::<Vec<_>>();
        assert!(names("h100").iter().any(|name| name.starts_with("H100")));
        assert!(names("9.0").contains(&"compute capability 9.0".to_owned()));
        assert!(names("no such thing at all").is_empty());
        assert!(names("").len() > catalog.archs().len());
    }
}
