//! Fewer triangles for the plainest marks: lines as thin as a pixel, and rectangles whose edges lie on pixels.
//!
//! egui softens every edge of every shape with a band of triangles. Where an edge lies on pixels, that band covers none; a map of an SM
//! has hundreds of such cells, and a renderer without a graphics card spends as long on their triangles as on all else. Here a mark
//! keeps only the bands at its round corners and along slanted lines. What is neither is left as it is.

use std::f32::consts::FRAC_PI_2;

use egui::epaint::{ClippedShape, RectShape};
use egui::{Color32, Context, FullOutput, Mesh, Plugin, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, emath::GuiRounding as _, vec2};

/// The widest slanted line that is drawn without caps, in pixels.
const THIN: f32 = 1.51;
/// What egui adds to each radius, so that corners look as round as they are said to be.
const ROUNDER: f32 = 0.4;
/// Points within a corner, by its largest radius in pixels. Larger ones are left to egui.
const CORNERS: [(f32, usize); 3] = [(3.0, 1), (7.0, 3), (14.0, MOST_POINTS)];
const MOST_POINTS: usize = 5;
/// Room in a new mesh for a handful of marks.
const VERTICES: usize = 64;

/// Draws what is plain in the plain way.
#[derive(Debug)]
pub struct Plain {
    /// Directions from the center of a lower right corner to its points, as [`CORNERS`] counts them.
    arcs: [Vec<Vec2>; CORNERS.len()],
}

impl Default for Plain {
    fn default() -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let arc = |points: usize| (1..=points).map(|point| Vec2::angled(FRAC_PI_2 * point as f32 / (points + 1) as f32)).collect();
        Self { arcs: CORNERS.map(|(_, points)| arc(points)) }
    }
}

impl Plugin for Plain {
    fn debug_name(&self) -> &'static str {
        "plain marks in few triangles"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        let mut drawn =
            Drawn { arcs: &self.arcs, scale: output.pixels_per_point, shapes: Vec::with_capacity(output.shapes.len()), mesh: None };
        for shape in output.shapes.drain(..) {
            drawn.add(shape);
        }
        drawn.flush();
        output.shapes = drawn.shapes;
    }
}

/// What has been drawn so far; neighbors in one mesh.
struct Drawn<'p> {
    arcs: &'p [Vec<Vec2>; CORNERS.len()],
    /// Pixels for a point, as egui rounds with it: the reciprocal of its reciprocal may be another number.
    scale: f32,
    shapes: Vec<ClippedShape>,
    mesh: Option<(Rect, Mesh)>,
}

impl Drawn<'_> {
    fn add(&mut self, clipped: ClippedShape) {
        let clip = clipped.clip_rect;
        if clipped.transform_after_tessellation == egui::emath::TSTransform::IDENTITY {
            if let Shape::Vec(shapes) = clipped.shape {
                for shape in shapes {
                    self.add(ClippedShape::new(clip, shape));
                }
                return;
            }
            if self.draws(&clipped.shape, clip) {
                return;
            }
        }
        self.flush();
        self.shapes.push(clipped);
    }

    /// Whether `shape` was plain and is in the mesh now.
    fn draws(&mut self, shape: &Shape, clip: Rect) -> bool {
        if !matches!(shape, Shape::LineSegment { .. } | Shape::Rect(_)) {
            return matches!(shape, Shape::Noop);
        }
        if self.mesh.as_ref().is_none_or(|(before, _)| *before != clip) {
            self.flush();
        }
        let (_, mesh) = self.mesh.get_or_insert_with(|| {
            let mut mesh = Mesh::default();
            mesh.reserve_vertices(VERTICES);
            mesh.reserve_triangles(VERTICES);
            (clip, mesh)
        });
        let mut pen = Pen { mesh, arcs: self.arcs, scale: self.scale, pixel: self.scale.recip() };
        match shape {
            Shape::LineSegment { points, stroke } => pen.line(*points, *stroke, clip),
            Shape::Rect(rect) => pen.rect(rect, clip),
            _ => false,
        }
    }

    fn flush(&mut self) {
        if let Some((clip, mesh)) = self.mesh.take().filter(|(_, mesh)| !mesh.is_empty()) {
            self.shapes.push(ClippedShape::new(clip, Shape::mesh(mesh)));
        }
    }
}

struct Pen<'m> {
    mesh: &'m mut Mesh,
    arcs: &'m [Vec<Vec2>; CORNERS.len()],
    scale: f32,
    /// How large a pixel is, in points.
    pixel: f32,
}

impl<'m> Pen<'m> {
    /// A line with soft sides; its ends are cut.
    fn line(&mut self, [mut from, mut to]: [Pos2; 2], stroke: Stroke, clip: Rect) -> bool {
        let pixel = self.pixel;
        if is_same(from.x, to.x) {
            stroke.round_center_to_pixel(self.scale, &mut from.x);
            to.x = from.x;
            let Some(ends) = self.ends(from.y, to.y) else { return false };
            (from.y, to.y) = ends;
        } else if is_same(from.y, to.y) {
            stroke.round_center_to_pixel(self.scale, &mut from.y);
            to.y = from.y;
            let Some(ends) = self.ends(from.x, to.x) else { return false };
            (from.x, to.x) = ends;
        }
        let along = to - from;
        let is_slanted = along.x.abs() > f32::EPSILON && along.y.abs() > f32::EPSILON;
        if is_slanted && stroke.width > THIN * pixel {
            return false;
        }
        if stroke.is_empty() || along == Vec2::ZERO || !clip.intersects(Rect::from_two_pos(from, to).expand(stroke.width + pixel)) {
            return true;
        }
        let across = along.normalized().rot90();
        let [inner, outer] = [stroke.width - pixel, stroke.width + pixel].map(|width| across * width.max(0.0) / 2.0);
        if stroke.width <= pixel {
            // As faint as it is thinner than a pixel.
            let color = stroke.color.gamma_multiply(stroke.width / pixel);
            self.strip(from, to, &[(-across * pixel, Color32::TRANSPARENT), (Vec2::ZERO, color), (across * pixel, Color32::TRANSPARENT)]);
        } else {
            let (clear, color) = (Color32::TRANSPARENT, stroke.color);
            self.strip(from, to, &[(-outer, clear), (-inner, color), (inner, color), (outer, clear)]);
        }
        true
    }

    /// The pixels that a line along an axis covers, as egui counts them: those of which it has more than a quarter. None where that is
    /// not so much as one.
    fn ends(&self, from: f32, to: f32) -> Option<(f32, f32)> {
        let scale = self.scale;
        let (low, high) = (from.min(to) * scale, from.max(to) * scale);
        let (low, high) = ((low + 0.25).floor(), (high - 0.25).floor() + 1.0);
        let (low, high) = (low < high).then_some((low / scale, high / scale))?;
        Some(if from <= to { (low, high) } else { (high, low) })
    }

    /// Bands along a line, from each offset to the next.
    fn strip<const N: usize>(&mut self, from: Pos2, to: Pos2, offsets: &[(Vec2, Color32); N]) {
        let mut before = None;
        for &(offset, color) in offsets {
            let this = self.next();
            self.mesh.colored_vertex(from + offset, color);
            self.mesh.colored_vertex(to + offset, color);
            if let Some(before) = before.replace(this) {
                self.quad([before, before + 1, this + 1, this]);
            }
        }
    }

    /// A rectangle on pixels: filled, framed on its inside, or both.
    fn rect(&mut self, shape: &RectShape, clip: Rect) -> bool {
        let RectShape { rect, corner_radius: corners, fill, stroke, stroke_kind, blur_width, angle, .. } = *shape;
        let is_even = [corners.ne, corners.sw, corners.se].iter().all(|corner| *corner == corners.nw);
        if !is_even || blur_width > 0.0 || angle != 0.0 || shape.brush.is_some() || shape.round_to_pixels == Some(false) {
            return false;
        }
        // A border that is not seen takes its room all the same; what has no end is cut by egui.
        if (stroke.width > 0.0 && stroke.color == Color32::TRANSPARENT) || !rect.is_finite() {
            return false;
        }
        let on_pixels = rect.round_to_pixels(self.scale);
        // egui draws thin ones as lines, wherever they are.
        if rect.size().min_elem() <= 2.0 * self.pixel
            && !(on_pixels.min.distance(rect.min) < 1e-3 && on_pixels.max.distance(rect.max) < 1e-3)
        {
            return false;
        }
        let (rect, least) = (on_pixels, on_pixels.size().min_elem());
        let width = if stroke.is_empty() { 0.0 } else { stroke.width };
        let is_covered = fill == Color32::TRANSPARENT || (fill.is_opaque() && stroke.color.is_opaque());
        let is_frame_on_pixels =
            stroke_kind == StrokeKind::Inside && (width / self.pixel).fract() < 1e-3 && least > 2.0 * width + self.pixel;
        if width > 0.0 && !(is_covered && is_frame_on_pixels) {
            return false;
        }
        let radius = if corners.nw == 0 { 0.0 } else { (f32::from(corners.nw) + ROUNDER).max(width + 0.1) };
        let Some(arc) = self.arc(radius).filter(|_| radius * 2.0 <= least) else { return false };
        if !rect.is_positive() || !clip.intersects(rect) || (width == 0.0 && fill == Color32::TRANSPARENT) {
            return true;
        }
        let outside = Outline::new(rect, radius, arc);
        let inside = || Outline::new(rect.shrink(width), (radius - width).max(0.0), arc);
        match (width > 0.0, fill == Color32::TRANSPARENT) {
            (true, true) => self.frame(&outside, &inside(), stroke.color),
            (true, false) => {
                self.fill(&outside, stroke.color);
                self.fill(&inside(), fill);
            }
            (false, _) => self.fill(&outside, fill),
        }
        true
    }

    fn arc(&self, radius: f32) -> Option<&'m [Vec2]> {
        if radius == 0.0 {
            return Some(&[]);
        }
        let size = CORNERS.iter().position(|(largest, _)| radius <= largest * self.pixel)?;
        Some(&self.arcs[size])
    }

    /// An outline full of color, soft at its corners.
    fn fill(&mut self, outline: &Outline, color: Color32) {
        let start = self.next();
        let mut last = start;
        for edge in outline.points() {
            last = self.next();
            self.mesh.colored_vertex(edge.moved(-self.pixel / 2.0), color);
        }
        for index in start + 2..=last {
            self.mesh.add_triangle(start, index - 1, index);
        }
        self.soften(outline, color, 1.0);
    }

    /// The band between two outlines, soft at its corners.
    fn frame(&mut self, outside: &Outline, inside: &Outline, color: Color32) {
        let start = self.next();
        let mut last = start;
        for (outer, inner) in outside.points().iter().zip(inside.points()) {
            last = self.next();
            self.mesh.colored_vertex(outer.moved(-self.pixel / 2.0), color);
            self.mesh.colored_vertex(inner.moved(self.pixel / 2.0), color);
        }
        for this in (start..=last).step_by(2) {
            let next = if this == last { start } else { this + 2 };
            self.quad([this, this + 1, next + 1, next]);
        }
        self.soften(outside, color, 1.0);
        self.soften(inside, color, -1.0);
    }

    /// Bands beside the points of corners, outward or inward, in which the color fades.
    fn soften(&mut self, outline: &Outline, color: Color32, outward: f32) {
        let half = self.pixel / 2.0 * outward;
        for pair in outline.points().windows(2) {
            let [this, next] = [&pair[0], &pair[1]];
            if this.is_on_edge() && next.is_on_edge() {
                continue;
            }
            let start = self.next();
            self.mesh.colored_vertex(this.moved(-half), color);
            self.mesh.colored_vertex(next.moved(-half), color);
            if next.is_on_edge() {
                self.mesh.colored_vertex(this.moved(half), Color32::TRANSPARENT);
                self.mesh.add_triangle(start, start + 1, start + 2);
            } else if this.is_on_edge() {
                self.mesh.colored_vertex(next.moved(half), Color32::TRANSPARENT);
                self.mesh.add_triangle(start, start + 1, start + 2);
            } else {
                self.mesh.colored_vertex(next.moved(half), Color32::TRANSPARENT);
                self.mesh.colored_vertex(this.moved(half), Color32::TRANSPARENT);
                self.quad([start, start + 1, start + 2, start + 3]);
            }
        }
    }

    fn next(&self) -> u32 {
        u32::try_from(self.mesh.vertices.len()).unwrap_or(0)
    }

    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.mesh.add_triangle(a, b, c);
        self.mesh.add_triangle(a, c, d);
    }
}

/// Whether a line goes along an axis, as egui asks it.
#[expect(clippy::float_cmp, reason = "one that goes almost along it is slanted")]
fn is_same(from: f32, to: f32) -> bool {
    from == to
}

/// A point of an outline, and where outward is; nowhere on a straight edge, which needs no softening.
#[derive(Clone, Copy, Debug)]
struct Edge {
    at: Pos2,
    outward: Vec2,
}

impl Edge {
    fn moved(&self, by: f32) -> Pos2 {
        self.at + self.outward * by
    }

    fn is_on_edge(&self) -> bool {
        self.outward == Vec2::ZERO
    }
}

/// The points of a rectangle with round corners, clockwise from the upper left one: where each begins to bend, its own points, and
/// where it ends.
struct Outline {
    points: [Edge; 4 * (MOST_POINTS + 2)],
    count: usize,
}

impl Outline {
    /// `arc` has the directions within the lower right corner.
    fn new(rect: Rect, radius: f32, arc: &[Vec2]) -> Self {
        let mut outline = Self { points: [Edge { at: rect.min, outward: Vec2::ZERO }; 4 * (MOST_POINTS + 2)], count: 0 };
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
        let [mut right, mut down] = [vec2(-1.0, 0.0), vec2(0.0, -1.0)];
        for corner in corners {
            let center = corner - (right + down) * radius;
            if arc.is_empty() {
                outline.push(corner, Vec2::ZERO);
            } else {
                outline.push(center + right * radius, Vec2::ZERO);
                for direction in arc {
                    let outward = right * direction.x + down * direction.y;
                    outline.push(center + outward * radius, outward);
                }
                outline.push(center + down * radius, Vec2::ZERO);
            }
            (right, down) = (down, -right);
        }
        outline
    }

    fn push(&mut self, at: Pos2, outward: Vec2) {
        self.points[self.count] = Edge { at, outward };
        self.count += 1;
    }

    fn points(&self) -> &[Edge] {
        &self.points[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use egui::epaint::CornerRadius;
    use egui::{RawInput, ViewportId, pos2};

    use super::*;
    use crate::gui::render::Soft;

    const SIDE: f32 = 60.0;
    const INK: Color32 = Color32::LIGHT_RED;
    const LINE: Color32 = Color32::LIGHT_GREEN;

    /// How many triangles, and the picture that they make.
    fn drawn(shape: &Shape, scale: f32, is_plain: bool) -> (usize, Vec<u8>) {
        let ctx = Context::default();
        if is_plain {
            ctx.add_plugin(Plain::default());
        }
        let mut soft = Soft::default();
        let mut input = RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::splat(SIDE))), ..RawInput::default() };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(scale);
        let mut output = ctx.run_ui(input, |ui| _ = ui.ctx().debug_painter().add(shape.clone()));
        soft.update(&mut output.textures_delta);
        let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
        let count = primitives.iter().map(|primitive| match &primitive.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.indices.len() / 3,
            egui::epaint::Primitive::Callback(_) => 0,
        });
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small picture")]
        let side = (SIDE * scale).round() as usize;
        (count.sum(), soft.paint(&primitives, Color32::BLACK, [side, side], scale))
    }

    /// The largest difference of two pictures in one color of a pixel, and the mean of all.
    fn difference(one: &[u8], other: &[u8]) -> (u8, f64) {
        assert_eq!(one.len(), other.len());
        let differences = one.iter().zip(other).map(|(one, other)| one.abs_diff(*other));
        let sum: u64 = differences.clone().map(u64::from).sum();
        #[expect(clippy::cast_precision_loss, reason = "a small picture")]
        (differences.max().unwrap_or(0), sum as f64 / one.len() as f64)
    }

    /// The pixels that are not within seven points of a corner.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small picture")]
    fn without_corners(picture: &[u8], rect: Rect, scale: f32) -> Vec<u8> {
        let width = (SIDE * scale).round() as usize;
        let is_far = |index: usize| {
            let at = pos2((index % width) as f32 + 0.5, (index / width) as f32 + 0.5) / scale;
            let corners = [rect.left_top(), rect.right_top(), rect.left_bottom(), rect.right_bottom()];
            corners.iter().all(|corner| (at - *corner).abs().max_elem() > 7.0)
        };
        picture.chunks(4).enumerate().filter(|(index, _)| is_far(*index)).flat_map(|(_, pixel)| pixel.iter().copied()).collect()
    }

    fn rect(radius: u8, fill: Color32, stroke: f32) -> Shape {
        let rect = Rect::from_min_size(pos2(8.0, 12.0), vec2(24.0, 20.0));
        Shape::Rect(RectShape::new(rect, CornerRadius::same(radius), fill, Stroke::new(stroke, LINE), StrokeKind::Inside))
    }

    fn line(from: [f32; 2], to: [f32; 2], width: f32) -> Shape {
        Shape::line_segment([from.into(), to.into()], Stroke::new(width, INK))
    }

    #[test]
    fn edges_on_pixels_look_the_same_in_fewer_triangles() {
        let shapes = [
            rect(0, INK, 0.0),
            rect(0, INK, 1.0),
            rect(0, Color32::TRANSPARENT, 1.0),
            rect(0, INK.gamma_multiply(0.5), 0.0),
            line([10.0, 20.0], [40.0, 20.0], 1.0),
            line([10.3, 20.7], [40.9, 20.7], 1.0),
            line([40.2, 20.0], [10.0, 20.0], 2.0),
            line([12.5, 6.1], [12.5, 40.4], 1.0),
            Shape::rect_filled(Rect::from_min_max(pos2(2.0, 6.0), pos2(14.0, 30.0)), 0.0, INK),
        ];
        for shape in &shapes {
            // At the last one, twice the scale is half a pixel beyond another, and its reciprocal's reciprocal a smaller number.
            for scale in [1.0, 2.0, 3.0, 1.25, 1.75] {
                let ((many, theirs), (few, ours)) = (drawn(shape, scale, false), drawn(shape, scale, true));
                assert!(few * 5 <= many * 3 || scale.fract() > 0.0, "{few} of {many}: {shape:?}");
                assert!(ours.iter().any(|value| *value > 100 && *value < 255), "something of {shape:?} is seen");
                let (most, _) = difference(&theirs, &ours);
                assert!(most <= 2, "{most} at {scale}: {shape:?}");
            }
        }
    }

    #[test]
    fn round_corners_and_slanted_lines_look_alike() {
        let clear = Color32::TRANSPARENT;
        let rects = [
            (1, INK, 0.0),
            (2, INK, 0.0),
            (6, INK, 0.0),
            (1, INK, 1.0),
            (2, INK, 1.0),
            (6, INK, 1.0),
            (2, clear, 1.0),
            (3, clear, 1.0),
            (6, clear, 2.0),
        ];
        let mut shapes = rects.map(|(radius, fill, stroke)| rect(radius, fill, stroke)).to_vec();
        shapes.extend([line([10.0, 10.0], [40.0, 40.0], 1.2), line([10.0, 44.0], [40.0, 14.0], 1.0)]);
        let mut counts = [0, 0];
        for shape in &shapes {
            for scale in [1.0, 1.25, 2.0] {
                let ((many, theirs), (few, ours)) = (drawn(shape, scale, false), drawn(shape, scale, true));
                // A frame that is no whole number of pixels wide, and a line that is not thin any more, are left to egui.
                assert!(few <= many, "{few} of {many} at {scale}: {shape:?}");
                counts = [counts[0] + few, counts[1] + many];
                let (most, mean) = difference(&theirs, &ours);
                assert!(most <= 180 && mean < 0.35, "{most} and {mean} at {scale}: {shape:?}");
                if let Shape::Rect(rect) = shape {
                    let (most, _) = difference(&without_corners(&theirs, rect.rect, scale), &without_corners(&ours, rect.rect, scale));
                    assert!(most <= 2, "{most} beside the corners at {scale}: {shape:?}");
                }
            }
        }
        let [few, many] = counts;
        assert!(few * 3 < many * 2, "{few} of {many}");
    }

    #[test]
    fn what_is_not_plain_is_left_to_egui() {
        let at = Rect::from_min_size(pos2(8.0, 12.0), vec2(24.0, 20.0));
        let framed = |stroke: f32, kind| Shape::Rect(RectShape::new(at, CornerRadius::same(2), INK, Stroke::new(stroke, LINE), kind));
        let uneven = CornerRadius { nw: 4, ..CornerRadius::ZERO };
        let shapes = [
            framed(1.0, StrokeKind::Outside),
            framed(1.5, StrokeKind::Inside),
            framed(10.0, StrokeKind::Inside),
            Shape::rect_filled(at, uneven, INK),
            Shape::rect_filled(at, 12.0, INK),
            Shape::rect_filled(Rect::from_min_size(pos2(8.3, 12.0), vec2(1.1, 20.0)), 0.0, INK),
            Shape::Rect(RectShape::filled(at, 2.0, INK).with_blur_width(4.0)),
            line([10.0, 10.0], [40.0, 33.0], 3.0),
            line([10.8, 20.0], [10.95, 20.0], 1.0),
            Shape::circle_filled(pos2(20.0, 20.0), 8.0, INK),
            Shape::rect_filled(Rect::EVERYTHING, 0.0, INK),
            Shape::Rect(RectShape::new(at, CornerRadius::ZERO, INK, Stroke::new(2.0, Color32::TRANSPARENT), StrokeKind::Inside)),
        ];
        for shape in &shapes {
            for scale in [1.0, 1.75] {
                assert_eq!(drawn(shape, scale, true), drawn(shape, scale, false), "{shape:?} at {scale}");
            }
        }
    }

    #[test]
    fn the_order_of_marks_stays() {
        let at = |x: f32| Rect::from_min_size(pos2(x, 10.0), vec2(20.0, 20.0));
        let shapes = Shape::Vec(vec![
            Shape::rect_filled(at(4.0), 0.0, INK),
            Shape::circle_filled(pos2(20.0, 20.0), 8.0, LINE),
            Shape::Vec(vec![Shape::rect_filled(at(16.0), 0.0, Color32::BLUE), line([2.0, 20.0], [50.0, 20.0], 1.0)]),
        ]);
        assert_eq!(drawn(&shapes, 1.0, true).1, drawn(&shapes, 1.0, false).1);
    }
}
