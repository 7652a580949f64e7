//! egui's shapes as an SVG file.

mod mesh;
mod text;

use std::fmt::{self, Write};

use egui::epaint::{CircleShape, ClippedShape, ColorMode, CubicBezierShape, PathShape, PathStroke, QuadraticBezierShape, RectShape, Shape};
use egui::{Color32, FontInsert, Pos2, Rect, Stroke, StrokeKind, Vec2};

use super::glyphs::Glyphs;

/// The whole file. /// `others` are fonts for letters that the bundled ones lack.
pub fn document(shapes: &[ClippedShape], others: Vec<FontInsert>, size: Vec2, title: &str, description: &str) -> String {
    let mut svg = Svg::new(others);
    let whole = Rect::from_min_size(Pos2::ZERO, size);
    for ClippedShape { clip_rect, shape, .. } in shapes {
        svg.clipped(shape, *clip_rect, whole);
    }
    svg.end_lines();
    let (width, height) = (Number(size.x), Number(size.y));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<defs>\n{}{}</defs>\n{}</svg>\n",
        Escaped(title),
        Escaped(description),
        svg.glyphs.definitions(),
        svg.definitions,
        svg.body
    )
}

/// A file while it is written.
struct Svg {
    glyphs: Glyphs,
    /// Clips and gradients.
    definitions: String,
    num_definitions: usize,
    body: String,
    /// Lines in one color that follow each other, as the strokes of a hatch do: their look, and the path so far.
    lines: Option<(Stroke, String)>,
}

macro_rules! put {
    ($svg:expr, $($text:tt)*) => { $svg.line(format_args!($($text)*)) };
}
use put;

impl Svg {
    fn new(others: Vec<FontInsert>) -> Self {
        Self { glyphs: Glyphs::new(others), definitions: String::new(), num_definitions: 0, body: String::new(), lines: None }
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        self.end_lines();
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{text}");
    }

    fn end_lines(&mut self) {
        if let Some((stroke, path)) = self.lines.take() {
            put!(self, r#"<path d="{path}"{}/>"#, Line(stroke));
        }
    }

    fn line_segment(&mut self, points: [Pos2; 2], stroke: Stroke) {
        if stroke.is_empty() {
            return;
        }
        if self.lines.as_ref().is_some_and(|(other, _)| *other != stroke) {
            self.end_lines();
        }
        let [[ax, ay], [bx, by]] = points.map(point);
        let path = &mut self.lines.get_or_insert((stroke, String::new())).1;
        // Writing to a string cannot fail.
        let _ = write!(path, "M{ax} {ay}L{bx} {by}");
    }

    /// A shape, cut where its clip cuts it.
    fn clipped(&mut self, shape: &Shape, clip: Rect, whole: Rect) {
        let bounds = shape.visual_bounding_rect();
        let seen = clip.intersect(whole);
        if matches!(shape, Shape::Noop) || !bounds.is_finite() || !seen.intersects(bounds) {
            return;
        }
        if seen.contains_rect(bounds) || clip.contains_rect(whole) {
            self.shape(shape);
            return;
        }
        let name = self.definition(|number| {
            let Rect { min, .. } = seen;
            format!(
                r#"<clipPath id="d{number}"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>"#,
                Number(min.x),
                Number(min.y),
                Number(seen.width()),
                Number(seen.height())
            )
        });
        put!(self, r#"<g clip-path="url(#d{name})">"#);
        self.shape(shape);
        put!(self, "</g>");
    }

    /// Keeps a definition, once however often it is asked for in a row; returns its number.
    fn definition(&mut self, text: impl Fn(usize) -> String) -> usize {
        if let Some(last) = self.num_definitions.checked_sub(1)
            && self.definitions.trim_end().ends_with(&text(last))
        {
            return last;
        }
        let number = self.num_definitions;
        let _ = writeln!(self.definitions, "{}", text(number));
        self.num_definitions += 1;
        number
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            // What only a window's own renderer can draw; the views have none.
            Shape::Noop | Shape::Callback(_) => {}
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.shape(shape)),
            Shape::Circle(circle) => self.circle(circle),
            Shape::Ellipse(ellipse) => {
                let ([x, y], [rx, ry]) = (point(ellipse.center), [Number(ellipse.radius.x), Number(ellipse.radius.y)]);
                let turn = Turn(ellipse.angle, ellipse.center);
                put!(self, r#"<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"{}{}{turn}/>"#, Fill(ellipse.fill), Line(ellipse.stroke));
            }
            Shape::LineSegment { points, stroke } => self.line_segment(*points, *stroke),
            Shape::Path(path) => self.path(path),
            Shape::Band(band) => {
                let up = band.points.iter().map(|at| Pos2::new(at.x, at.y.max));
                let outline = band.points.iter().map(|at| Pos2::new(at.x, at.y.min)).chain(up.rev());
                let turn = Turn(band.angle, Pos2::ZERO);
                put!(self, r#"<path d="{}Z"{}{}{turn}/>"#, Points(outline.collect()), Fill(band.fill), Line(band.stroke));
            }
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(shape) => self.text(shape),
            Shape::Mesh(mesh) => self.mesh(mesh),
            Shape::QuadraticBezier(QuadraticBezierShape { points, closed, fill, stroke }) => {
                let [[ax, ay], [bx, by], [cx, cy]] = points.map(point);
                put!(self, r#"<path d="M{ax} {ay}Q{bx} {by} {cx} {cy}{}"{}{}/>"#, end(*closed), Fill(*fill), PathLine(stroke));
            }
            Shape::CubicBezier(CubicBezierShape { points, closed, fill, stroke }) => {
                let [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = points.map(point);
                put!(self, r#"<path d="M{ax} {ay}C{bx} {by} {cx} {cy} {dx} {dy}{}"{}{}/>"#, end(*closed), Fill(*fill), PathLine(stroke));
            }
        }
    }

    /// The stroke of a circle lies around it; in SVG it lies on its edge.
    fn circle(&mut self, CircleShape { center, radius, fill, stroke }: &CircleShape) {
        let [x, y] = point(*center);
        if *fill != Color32::TRANSPARENT {
            put!(self, r#"<circle cx="{x}" cy="{y}" r="{}"{}/>"#, Number(*radius), Fill(*fill));
        }
        if !stroke.is_empty() {
            let r = Number(radius + stroke.width / 2.0);
            put!(self, r#"<circle cx="{x}" cy="{y}" r="{r}" fill="none"{}/>"#, Line(*stroke));
        }
    }

    fn path(&mut self, PathShape { points, closed, fill, stroke }: &PathShape) {
        put!(self, r#"<path d="{}{}"{}{}/>"#, Points(points.clone()), end(*closed), Fill(*fill), PathLine(stroke));
    }

    /// The stroke of a rectangle lies inside, outside or on its edge; in SVG it always lies on it.
    fn rect(&mut self, shape: &RectShape) {
        let turn = Turn(shape.angle, shape.rect.center());
        let radius = f32::from(shape.corner_radius.nw.max(shape.corner_radius.se));
        let mut piece = |rect: Rect, radius: f32, look: &dyn fmt::Display| {
            if !rect.is_positive() {
                return;
            }
            let ([x, y], r) = (point(rect.min), Number(radius.clamp(0.0, rect.width().min(rect.height()) / 2.0)));
            let corner = if radius > 0.0 { format!(r#" rx="{r}""#) } else { String::new() };
            put!(
                self,
                r#"<rect x="{x}" y="{y}" width="{}" height="{}"{corner}{look}{turn}/>"#,
                Number(rect.width()),
                Number(rect.height())
            );
        };
        if shape.fill != Color32::TRANSPARENT {
            piece(shape.rect, radius, &Fill(shape.fill));
        }
        if !shape.stroke.is_empty() {
            let outwards = match shape.stroke_kind {
                StrokeKind::Inside => -shape.stroke.width / 2.0,
                StrokeKind::Middle => 0.0,
                StrokeKind::Outside => shape.stroke.width / 2.0,
            };
            piece(shape.rect.expand(outwards), radius + outwards, &format_args!(r#" fill="none"{}"#, Line(shape.stroke)));
        }
    }
}

const fn end(closed: bool) -> &'static str {
    if closed { "Z" } else { "" }
}

fn point(at: Pos2) -> [Number; 2] {
    [Number(at.x), Number(at.y)]
}

/// At most two decimals, and none that say nothing.
struct Number(f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.0);
        let short = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

/// Corners as the beginning of a path.
struct Points(Vec<Pos2>);

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, at) in self.0.iter().enumerate() {
            let [x, y] = point(*at);
            write!(f, "{}{x} {y}", if index == 0 { "M" } else { "L" })?;
        }
        Ok(())
    }
}

/// A color as attributes; egui's are premultiplied.
struct Ink(&'static str, Color32);

impl fmt::Display for Ink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, color) = self;
        let [r, g, b, a] = color.to_srgba_unmultiplied();
        write!(f, " {name}=\"#{r:02x}{g:02x}{b:02x}\"")?;
        if a < u8::MAX {
            write!(f, " {name}-opacity=\"{}\"", Number(f32::from(a) / 255.0))?;
        }
        Ok(())
    }
}

struct Fill(Color32);

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == Color32::TRANSPARENT { f.write_str(" fill=\"none\"") } else { Ink("fill", self.0).fmt(f) }
    }
}

struct Line(Stroke);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, "{} stroke-width=\"{}\"", Ink("stroke", self.0.color), Number(self.0.width))
    }
}

/// The stroke of a path. One whose color changes along it has the color of its first point.
struct PathLine<'a>(&'a PathStroke);

impl fmt::Display for PathLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = match &self.0.color {
            ColorMode::Solid(color) => *color,
            ColorMode::UV(color) => color(Rect::ZERO, Pos2::ZERO),
        };
        Line(Stroke::new(self.0.width, color)).fmt(f)
    }
}

/// Turned around a point, clockwise.
struct Turn(f32, Pos2);

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.abs() < 1e-4 {
            return Ok(());
        }
        let [x, y] = point(self.1);
        write!(f, " transform=\"rotate({} {x} {y})\"", Number(self.0.to_degrees()))
    }
}

/// Text inside an element. Characters that XML forbids are left out.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            other => f.write_char(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use egui::{CornerRadius, pos2, vec2};

    use super::*;

    fn drawn(shape: Shape) -> String {
        let clip = Rect::from_min_size(Pos2::ZERO, vec2(100.0, 50.0));
        let text = document(&[ClippedShape::new(clip, shape)], Vec::new(), clip.size(), "A <title>", "5 & 6");
        assert!(text.contains("<title>A &lt;title&gt;</title>\n<desc>5 &amp; 6</desc>"));
        text.rsplit("</defs>\n").next().expect("a body").replace("</svg>\n", "")
    }

    #[test]
    fn an_inner_stroke_lies_inside() {
        let rect = Rect::from_min_size(pos2(10.0, 10.0), vec2(20.0, 10.0));
        let shape = RectShape::new(rect, CornerRadius::same(2), Color32::RED, Stroke::new(2.0, Color32::BLACK), StrokeKind::Inside);
        let text = drawn(shape.into());
        assert!(text.contains(r##"<rect x="10" y="10" width="20" height="10" rx="2" fill="#ff0000"/>"##), "{text}");
        assert!(text.contains(r##"<rect x="11" y="11" width="18" height="8" rx="1" fill="none" stroke="#000000" stroke-width="2"/>"##));
    }

    #[test]
    fn the_stroke_of_a_circle_lies_around_it() {
        let text = drawn(Shape::circle_stroke(pos2(20.0, 20.0), 7.0, Stroke::new(2.0, Color32::RED)));
        assert_eq!(text, "<circle cx=\"20\" cy=\"20\" r=\"8\" fill=\"none\" stroke=\"#ff0000\" stroke-width=\"2\"/>\n");
    }

    #[test]
    fn half_transparent_colors_keep_their_hue() {
        let text = drawn(Shape::circle_filled(pos2(5.0, 5.0), 2.5, Color32::from_rgba_unmultiplied(200, 100, 0, 128)));
        assert!(text.starts_with(r##"<circle cx="5" cy="5" r="2.5" fill="#c7"##), "{text}");
        assert!(text.contains(r#"fill-opacity="0.5""#), "{text}");
    }

    #[test]
    fn what_lies_outside_is_left_out_and_what_reaches_out_is_cut() {
        assert_eq!(drawn(Shape::circle_filled(pos2(300.0, 5.0), 2.0, Color32::RED)), "");
        let clip = Rect::from_min_size(Pos2::ZERO, vec2(50.0, 50.0));
        let line = Shape::line_segment([pos2(0.0, 20.0), pos2(90.0, 20.0)], Stroke::new(1.0, Color32::RED));
        let text = document(&[ClippedShape::new(clip, line)], Vec::new(), vec2(100.0, 50.0), "", "");
        assert!(text.contains(r#"<clipPath id="d0"><rect x="0" y="0" width="50" height="50"/></clipPath>"#), "{text}");
        assert!(text.contains("<g clip-path=\"url(#d0)\">\n<path d=\"M0 20L90 20\""), "{text}");
    }

    #[test]
    fn lines_of_one_color_are_one_path_where_nothing_lies_between() {
        let line = |x: f32, color| Shape::line_segment([pos2(x, 0.0), pos2(x, 9.0)], Stroke::new(1.0, color));
        let text =
            drawn(Shape::Vec(vec![line(1.0, Color32::RED), line(2.0, Color32::RED), line(3.0, Color32::BLUE), line(4.0, Color32::RED)]));
        let red = r##"" stroke="#ff0000" stroke-width="1"/>"##;
        assert!(text.starts_with(&format!("<path d=\"M1 0L1 9M2 0L2 9{red}\n<path d=\"M3 0L3 9\" stroke=\"#0000ff\"")), "{text}");
        assert!(text.ends_with(&format!("<path d=\"M4 0L4 9{red}\n")), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, -0.001, 1.5, 2.0, 1.239, 100.0].map(|number| Number(number).to_string()), ["0", "0", "1.5", "2", "1.24", "100"]);
    }
}
