//! Triangles: the cells and ramps of the heatmap as the rectangles that they are, others one by one.

use std::fmt::Write;

use egui::epaint::{Mesh, Vertex};
use egui::{Color32, Rect};

use super::{Fill, Ink, Number, Points, Svg, point, put};

/// What two triangles, or one, make.
enum Piece {
    /// A rectangle in one color.
    Plain(Rect, Color32),
    /// A rectangle whose color changes from one side to the other: left to right, or top to bottom.
    Ramp(Rect, [Color32; 2], bool),
}

impl Svg {
    pub(super) fn mesh(&mut self, mesh: &Mesh) {
        put!(self, r#"<g shape-rendering="crispEdges">"#);
        // Rectangles of one color that follow each other are one path.
        let mut run: Option<(Color32, String)> = None;
        let mut rest = &mesh.indices[..];
        while rest.len() >= 3 {
            let corner = |index: usize| &mesh.vertices[rest[index] as usize];
            let piece = (rest.len() >= 6).then(|| rectangle(&std::array::from_fn(corner))).flatten();
            if let Some(Piece::Plain(rect, color)) = piece {
                if run.as_ref().is_some_and(|(other, _)| *other != color) {
                    self.end_run(run.take());
                }
                let path = &mut run.get_or_insert((color, String::new())).1;
                let ([x, y], width, height) = (point(rect.min), Number(rect.width()), Number(rect.height()));
                // Writing to a string cannot fail.
                let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
                rest = &rest[6..];
                continue;
            }
            self.end_run(run.take());
            if let Some(Piece::Ramp(rect, colors, across)) = piece {
                self.ramp(rect, colors, across);
                rest = &rest[6..];
            } else {
                self.triangle(std::array::from_fn(corner));
                rest = &rest[3..];
            }
        }
        self.end_run(run);
        put!(self, "</g>");
    }

    fn end_run(&mut self, run: Option<(Color32, String)>) {
        if let Some((color, path)) = run {
            put!(self, r#"<path d="{path}"{}/>"#, Fill(color));
        }
    }

    fn ramp(&mut self, rect: Rect, [from, to]: [Color32; 2], across: bool) {
        let (x, y) = if across { (1, 0) } else { (0, 1) };
        let (from, to) = (Ink("stop-color", from), Ink("stop-color", to));
        let (from, to) = (from.to_string().replace("color-opacity", "opacity"), to.to_string().replace("color-opacity", "opacity"));
        let name = self.definition(|number| {
            format!(r#"<linearGradient id="d{number}" x2="{x}" y2="{y}"><stop{from}/><stop offset="1"{to}/></linearGradient>"#)
        });
        let [left, top] = point(rect.min);
        let (width, height) = (Number(rect.width()), Number(rect.height()));
        put!(self, r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="url({hash}d{name})"/>"#, hash = '#');
    }

    /// In the mean of its corners' colors.
    fn triangle(&mut self, corners: [&Vertex; 3]) {
        let mean = |channel: usize| {
            let sum: u16 = corners.iter().map(|corner| u16::from(corner.color.to_array()[channel])).sum();
            u8::try_from(sum / 3).unwrap_or(u8::MAX)
        };
        let color = Color32::from_rgba_premultiplied(mean(0), mean(1), mean(2), mean(3));
        put!(self, r#"<path d="{}Z"{}/>"#, Points(corners.iter().map(|corner| corner.pos).collect()), Fill(color));
    }
}

/// The upright rectangle that two triangles make, if they make one.
fn rectangle(corners: &[&Vertex; 6]) -> Option<Piece> {
    let rect = Rect::from_points(&corners.map(|corner| corner.pos));
    let near = |a: f32, b: f32| (a - b).abs() < 1e-3;
    let is_corner = |vertex: &&Vertex| {
        let (x, y) = (vertex.pos.x, vertex.pos.y);
        (near(x, rect.left()) || near(x, rect.right())) && (near(y, rect.top()) || near(y, rect.bottom()))
    };
    let area = |[a, b, c]: [&Vertex; 3]| ((b.pos - a.pos).x * (c.pos - a.pos).y - (b.pos - a.pos).y * (c.pos - a.pos).x).abs() / 2.0;
    let [a, b, c, d, e, f] = *corners;
    let half = rect.area() / 2.0;
    let is_half = |triangle| (area(triangle) - half).abs() <= half * 1e-3;
    // The second triangle brings exactly one corner that the first has not.
    let is_new = |vertex: &&&Vertex| ![a, b, c].iter().any(|old| old.pos == vertex.pos);
    let is_whole =
        corners.iter().all(is_corner) && is_half([a, b, c]) && is_half([d, e, f]) && [d, e, f].iter().filter(is_new).count() == 1;
    if !is_whole {
        return None;
    }
    let colors_where = |is_there: &dyn Fn(&Vertex) -> bool| {
        let mut colors = corners.iter().filter(|corner| is_there(corner)).map(|corner| corner.color);
        let first = colors.next()?;
        colors.all(|color| color == first).then_some(first)
    };
    if let Some(color) = colors_where(&|_| true) {
        return Some(Piece::Plain(rect, color));
    }
    let sides = |from: Option<Color32>, to: Option<Color32>| Some([from?, to?]);
    let across = sides(colors_where(&|at| near(at.pos.x, rect.left())), colors_where(&|at| near(at.pos.x, rect.right())));
    let down = sides(colors_where(&|at| near(at.pos.y, rect.top())), colors_where(&|at| near(at.pos.y, rect.bottom())));
    across.map(|colors| Piece::Ramp(rect, colors, true)).or(down.map(|colors| Piece::Ramp(rect, colors, false)))
}

#[cfg(test)]
mod tests {
    use egui::epaint::{ClippedShape, Shape};
    use egui::{pos2, vec2};

    use super::super::document;
    use super::*;

    fn drawn(mesh: Mesh) -> String {
        let clip = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 50.0));
        document(&[ClippedShape::new(clip, Shape::mesh(mesh))], Vec::new(), clip.size(), "", "")
    }

    #[test]
    fn cells_of_one_color_are_one_path() {
        let mut mesh = Mesh::default();
        for (x, color) in [(0.0, Color32::RED), (10.0, Color32::RED), (20.0, Color32::BLUE)] {
            mesh.add_colored_rect(Rect::from_min_size(pos2(x, 0.0), vec2(10.0, 5.0)), color);
        }
        let text = drawn(mesh);
        assert!(text.contains(r##"<path d="M0 0h10v5h-10zM10 0h10v5h-10z" fill="#ff0000"/>"##), "{text}");
        assert!(text.contains(r##"<path d="M20 0h10v5h-10z" fill="#0000ff"/>"##), "{text}");
    }

    #[test]
    fn a_ramp_is_a_gradient_and_a_triangle_stays_one() {
        let mut mesh = Mesh::default();
        for (x, y, color) in [(0.0, 0.0, Color32::RED), (10.0, 0.0, Color32::BLUE), (0.0, 5.0, Color32::RED), (10.0, 5.0, Color32::BLUE)] {
            mesh.colored_vertex(pos2(x, y), color);
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(2, 1, 3);
        let text = drawn(mesh.clone());
        assert!(text.contains(r##"x2="1" y2="0"><stop stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/>"##), "{text}");
        mesh.indices.truncate(3);
        let text = drawn(mesh);
        assert!(text.contains(r##"<path d="M0 0L10 0L0 5Z" fill="#aa0055"/>"##), "{text}");
    }
}
