//! Icons, 16 × 16, drawn as lines: 1.5 wide, round ends, no fill. Always shown with text or a tooltip.

use egui::epaint::{PathShape, PathStroke};
use egui::{Color32, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::gui::theme::{CONTROL_HEIGHT, RADIUS_CONTROL, Theme, color};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Icon {
    First,
    Previous,
    Next,
    Last,
    Play,
    Pause,
    Search,
    Down,
    Up,
    Right,
    Undo,
    Redo,
    Pin,
    Present,
    Theme,
    Copy,
    Plus,
    Info,
    File,
    Close,
}

/// One stroke of an icon: points in its 16 × 16 box, or a circle.
enum Mark {
    Line(&'static [(f32, f32)]),
    Circle {
        center: (f32, f32),
        radius: f32,
    },
    /// From `from` to `to` in turns, clockwise from three o'clock.
    Arc {
        center: (f32, f32),
        radius: f32,
        from: f32,
        to: f32,
    },
}

use Mark::{Arc, Circle, Line};

impl Icon {
    const fn marks(self) -> &'static [Mark] {
        match self {
            Self::First => &[Line(&[(4.0, 3.5), (4.0, 12.5)]), Line(&[(12.0, 3.5), (7.0, 8.0), (12.0, 12.5)])],
            Self::Previous => &[Line(&[(10.5, 3.5), (5.5, 8.0), (10.5, 12.5)])],
            Self::Next => &[Line(&[(5.5, 3.5), (10.5, 8.0), (5.5, 12.5)])],
            Self::Last => &[Line(&[(12.0, 3.5), (12.0, 12.5)]), Line(&[(4.0, 3.5), (9.0, 8.0), (4.0, 12.5)])],
            Self::Play => &[Line(&[(5.0, 3.0), (12.5, 8.0), (5.0, 13.0), (5.0, 3.0)])],
            Self::Pause => &[Line(&[(5.5, 3.5), (5.5, 12.5)]), Line(&[(10.5, 3.5), (10.5, 12.5)])],
            Self::Search => &[Circle { center: (7.0, 7.0), radius: 4.0 }, Line(&[(10.0, 10.0), (13.5, 13.5)])],
            Self::Down => &[Line(&[(4.0, 6.0), (8.0, 10.0), (12.0, 6.0)])],
            Self::Up => &[Line(&[(4.0, 10.0), (8.0, 6.0), (12.0, 10.0)])],
            Self::Right => &[Line(&[(6.0, 4.0), (10.0, 8.0), (6.0, 12.0)])],
            Self::Undo => &[
                Line(&[(6.0, 3.0), (3.0, 6.0), (6.0, 9.0)]),
                Line(&[(3.0, 6.0), (9.5, 6.0)]),
                Arc { center: (9.5, 9.5), radius: 3.5, from: -0.25, to: 0.25 },
                Line(&[(9.5, 13.0), (6.0, 13.0)]),
            ],
            Self::Redo => &[
                Line(&[(10.0, 3.0), (13.0, 6.0), (10.0, 9.0)]),
                Line(&[(13.0, 6.0), (6.5, 6.0)]),
                Arc { center: (6.5, 9.5), radius: 3.5, from: 0.25, to: 0.75 },
                Line(&[(6.5, 13.0), (10.0, 13.0)]),
            ],
            Self::Pin => &[
                Line(&[(6.0, 2.5), (10.0, 2.5)]),
                Line(&[(7.0, 2.5), (7.0, 6.5), (4.5, 9.5), (11.5, 9.5), (9.0, 6.5), (9.0, 2.5)]),
                Line(&[(8.0, 9.5), (8.0, 13.5)]),
            ],
            Self::Present => &[
                Line(&[(2.0, 3.0), (14.0, 3.0), (14.0, 11.0), (2.0, 11.0), (2.0, 3.0)]),
                Line(&[(6.0, 14.0), (10.0, 14.0)]),
                Line(&[(8.0, 11.0), (8.0, 14.0)]),
            ],
            Self::Theme => &[
                Circle { center: (8.0, 8.0), radius: 5.5 },
                Line(&[(8.0, 2.5), (8.0, 13.5)]),
                Arc { center: (8.0, 8.0), radius: 2.75, from: 0.25, to: 0.75 },
            ],
            Self::Copy => &[
                Line(&[(5.5, 5.5), (13.5, 5.5), (13.5, 13.5), (5.5, 13.5), (5.5, 5.5)]),
                Line(&[(10.5, 5.5), (10.5, 2.5), (2.5, 2.5), (2.5, 10.5), (5.5, 10.5)]),
            ],
            Self::Plus => &[Line(&[(8.0, 3.0), (8.0, 13.0)]), Line(&[(3.0, 8.0), (13.0, 8.0)])],
            Self::Info => &[Circle { center: (8.0, 8.0), radius: 6.0 }, Line(&[(8.0, 7.3), (8.0, 11.2)]), Line(&[(8.0, 4.7), (8.0, 5.0)])],
            Self::File => &[
                Line(&[(4.0, 2.0), (9.0, 2.0), (12.0, 5.0), (12.0, 14.0), (4.0, 14.0), (4.0, 2.0)]),
                Line(&[(9.0, 2.0), (9.0, 5.0), (12.0, 5.0)]),
            ],
            Self::Close => &[Line(&[(4.0, 4.0), (12.0, 12.0)]), Line(&[(12.0, 4.0), (4.0, 12.0)])],
        }
    }
}

/// Draws `which` into `rect`, scaled from its 16 × 16 box.
pub fn icon(painter: &Painter, rect: Rect, which: Icon, color: Color32) {
    let scale = rect.width() / 16.0;
    let at = |(x, y): (f32, f32)| pos2(rect.left() + x * scale, rect.top() + y * scale);
    let stroke = Stroke::new(1.5 * scale.max(0.75), color);
    for mark in which.marks() {
        match *mark {
            Line(points) => {
                let points: Vec<Pos2> = points.iter().map(|point| at(*point)).collect();
                for end in [points[0], points[points.len() - 1]] {
                    painter.circle_filled(end, stroke.width / 2.0, color);
                }
                painter.add(PathShape::line(points, PathStroke::from(stroke)));
            }
            Circle { center, radius } => {
                painter.circle_stroke(at(center), radius * scale, stroke);
            }
            Arc { center, radius, from, to } => {
                let points = (0..=12u8).map(|step| {
                    let turn = (from + (to - from) * f32::from(step) / 12.0) * std::f32::consts::TAU;
                    at((center.0 + radius * turn.cos(), center.1 + radius * turn.sin()))
                });
                painter.add(PathShape::line(points.collect(), PathStroke::from(stroke)));
            }
        }
    }
}

/// A square button with an icon, named for screen readers and explained by a tooltip.
pub fn icon_button(ui: &mut Ui, which: Icon, name: &str, enabled: bool) -> Response {
    let theme = Theme::of(ui);
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(CONTROL_HEIGHT + 4.0, CONTROL_HEIGHT), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    let palette = theme.palette;
    let hovered = enabled && response.hovered();
    let fill = if hovered { color::mix(palette.raised, palette.text, 0.08) } else { palette.raised };
    let outline = if hovered { palette.line_strong } else { palette.line };
    ui.painter().rect(rect, RADIUS_CONTROL, fill, Stroke::new(1.0, outline), StrokeKind::Inside);
    if response.has_focus() {
        focus_ring(ui.painter(), theme, rect);
    }
    let ink = if enabled { palette.text } else { palette.text3 };
    icon(ui.painter(), Rect::from_center_size(rect.center(), vec2(16.0, 16.0)), which, ink);
    response.on_hover_text(name)
}

/// The ring around what the keyboard is on.
pub fn focus_ring(painter: &Painter, theme: Theme, rect: Rect) {
    painter.rect_stroke(rect.expand(3.0), RADIUS_CONTROL + 3.0, Stroke::new(2.0, theme.palette.focus), StrokeKind::Inside);
}
