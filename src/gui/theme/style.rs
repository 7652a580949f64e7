//! The egui style made from the tokens.

use egui::style::{ScrollAnimation, Selection, WidgetVisuals, Widgets};
use egui::{Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Visuals, vec2};

use super::tokens::Palette;
use super::{CONTROL_HEIGHT, Contrast, RADIUS_CONTROL, Theme, color, fonts, size};

/// How long a control takes to change its look.
const ANIMATION_SECONDS: f32 = 0.12;

/// Fonts and both styles, once at start.
pub fn apply(ctx: &Context) {
    ctx.set_fonts(fonts::definitions());
    set_contrast(ctx, Contrast::Screen);
}

/// Both styles with other colors.
pub fn set_contrast(ctx: &Context, contrast: Contrast) {
    for (theme, dark) in [(egui::Theme::Dark, true), (egui::Theme::Light, false)] {
        ctx.set_style_of(theme, style(dark, &Theme::new(dark, contrast).palette));
    }
}

/// With less motion nothing slides, fades or scrolls by itself, and no cursor blinks. To be set anew after [`set_contrast`].
pub fn set_motion(ctx: &Context, is_reduced: bool) {
    ctx.all_styles_mut(|style| {
        style.animation_time = if is_reduced { 0.0 } else { ANIMATION_SECONDS };
        style.scroll_animation = if is_reduced { ScrollAnimation::none() } else { ScrollAnimation::default() };
        style.visuals.text_cursor.blink = !is_reduced;
    });
}

fn style(dark: bool, palette: &Palette) -> Style {
    let mut style = Style { visuals: visuals(dark, palette), animation_time: ANIMATION_SECONDS, ..Style::default() };
    let words = |size: f32| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, words(size::NOTE)),
        (TextStyle::Body, words(size::BODY)),
        (TextStyle::Button, super::medium(size::BODY)),
        (TextStyle::Heading, super::strong(size::TITLE)),
        (TextStyle::Monospace, super::mono(size::BODY)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 8.0);
    spacing.button_padding = vec2(12.0, 5.0);
    spacing.interact_size = vec2(CONTROL_HEIGHT, CONTROL_HEIGHT);
    spacing.window_margin = Margin::same(12);
    spacing.menu_margin = Margin::same(6);
    spacing.slider_rail_height = 4.0;
    spacing.combo_height = 360.0;
    spacing.tooltip_width = 420.0;
    spacing.scroll = egui::style::ScrollStyle { floating: true, ..egui::style::ScrollStyle::thin() };
    style.interaction.selectable_labels = false;
    style
}

fn visuals(dark: bool, palette: &Palette) -> Visuals {
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    visuals.widgets = widgets(palette);
    visuals.selection = Selection { bg_fill: palette.accent_soft, stroke: Stroke::new(1.0, palette.accent) };
    visuals.hyperlink_color = palette.accent;
    visuals.faint_bg_color = palette.raised;
    visuals.extreme_bg_color = palette.well;
    visuals.text_edit_bg_color = Some(palette.well);
    visuals.code_bg_color = palette.well;
    visuals.warn_fg_color = palette.note;
    visuals.error_fg_color = palette.note;
    visuals.weak_text_color = Some(palette.text2);
    visuals.window_fill = palette.panel;
    visuals.panel_fill = palette.bg;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = radius();
    visuals.menu_corner_radius = radius();
    // Depth by tone and hairline only.
    visuals.window_shadow = Shadow::NONE;
    visuals.popup_shadow = Shadow::NONE;
    visuals.slider_trailing_fill = true;
    visuals.collapsing_header_frame = false;
    visuals
}

fn radius() -> CornerRadius {
    CornerRadius::from(RADIUS_CONTROL)
}

fn widgets(palette: &Palette) -> Widgets {
    let widget = |fill: Color32, stroke: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, stroke),
        corner_radius: radius(),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let hovered = color::mix(palette.raised, palette.text, 0.08);
    Widgets {
        noninteractive: widget(palette.panel, palette.line, palette.text),
        inactive: widget(palette.raised, palette.line, palette.text),
        hovered: widget(hovered, palette.line_strong, palette.text),
        // The look of what is pressed, and of what the keyboard is on.
        active: WidgetVisuals { bg_stroke: Stroke::new(2.0, palette.focus), ..widget(palette.accent_soft, palette.accent, palette.text) },
        open: widget(palette.raised, palette.line_strong, palette.text),
    }
}
