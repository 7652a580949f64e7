//! Pictures without a GPU: a small software rasterizer for egui's triangles.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "pixels of a picture"
)]

use std::collections::HashMap;

use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, ImageData, Rect, TextureFilter, TextureId, TexturesDelta};

/// A texture as egui sent it.
#[derive(Debug)]
struct Texture {
    image: ColorImage,
    nearest: bool,
}

impl Texture {
    fn texel(&self, x: i32, y: i32) -> [f32; 4] {
        let [width, height] = self.image.size;
        let x = x.clamp(0, width as i32 - 1) as usize;
        let y = y.clamp(0, height as i32 - 1) as usize;
        self.image.pixels[y * width + x].to_array().map(f32::from)
    }

    fn replace(&mut self, left: usize, top: usize, part: &ColorImage) {
        let width = self.image.size[0];
        for (y, row) in part.pixels.chunks(part.size[0]).enumerate() {
            let start = (top + y) * width + left;
            self.image.pixels[start..start + row.len()].copy_from_slice(row);
        }
    }

    fn sample(&self, u: f32, v: f32) -> [f32; 4] {
        let (x, y) = (u * self.image.size[0] as f32, v * self.image.size[1] as f32);
        if self.nearest {
            return self.texel(x.floor() as i32, y.floor() as i32);
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (across, down) = (x - left, y - top);
        let (left, top) = (left as i32, top as i32);
        let row = |y: i32| mix(self.texel(left, y), self.texel(left + 1, y), across);
        mix(row(top), row(top + 1), down)
    }
}

fn mix(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    std::array::from_fn(|i| a[i] * (1.0 - share) + b[i] * share)
}

/// Draws what egui tessellates, in premultiplied sRGB as the real backends do.
#[derive(Debug, Default)]
pub struct Soft {
    textures: HashMap<TextureId, Texture>,
}

impl Soft {
    /// Takes the textures that a frame brings, and lets go of those that it frees.
    pub fn update(&mut self, delta: &mut TexturesDelta) {
        for (id, deltas) in delta.set.drain() {
            for delta in deltas {
                let ImageData::Color(image) = &delta.image;
                let nearest = delta.options.magnification == TextureFilter::Nearest;
                match (delta.pos, self.textures.get_mut(&id)) {
                    (None, _) => {
                        self.textures.insert(id, Texture { image: (**image).clone(), nearest });
                    }
                    (Some([left, top]), Some(texture)) => texture.replace(left, top, image),
                    (Some(_), None) => {}
                }
            }
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    /// A picture of `size` pixels in RGBA, `scale` of them to a point, on a ground of one color.
    pub fn paint(&self, primitives: &[ClippedPrimitive], ground: Color32, [width, height]: [usize; 2], scale: f32) -> Vec<u8> {
        let ground = ground.to_array().map(f32::from);
        let mut canvas = Canvas { pixels: vec![ground; width * height], width, height, scale };
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            if let Some(texture) = self.textures.get(&mesh.texture_id) {
                canvas.mesh(*clip_rect, mesh, texture);
            }
        }
        canvas.pixels.iter().flat_map(|pixel| pixel.map(|value| value.clamp(0.0, 255.0) as u8)).collect()
    }
}

/// The picture being drawn, in physical pixels.
struct Canvas {
    pixels: Vec<[f32; 4]>,
    width: usize,
    height: usize,
    scale: f32,
}

impl Canvas {
    fn mesh(&mut self, clip: Rect, mesh: &Mesh, texture: &Texture) {
        let edge = |value: f32, end: usize| (value * self.scale).round().clamp(0.0, end as f32) as i32;
        let clip =
            [edge(clip.min.x, self.width), edge(clip.max.x, self.width), edge(clip.min.y, self.height), edge(clip.max.y, self.height)];
        for corners in mesh.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|corner| &mesh.vertices[corners[corner] as usize]);
            self.triangle(clip, corners, texture);
        }
    }

    /// Coverage in 1/16-pixel integers with the top-left rule, so that shared edges are drawn exactly once.
    fn triangle(&mut self, clip: [i32; 4], mut corners: [&Vertex; 3], texture: &Texture) {
        let fixed = |vertex: &Vertex| [vertex.pos.x, vertex.pos.y].map(|value| (value * self.scale * 16.0).round() as i64);
        let cross = |p: [i64; 2], q: [i64; 2], r: [i64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        let mut points = corners.map(fixed);
        let mut area = cross(points[0], points[1], points[2]);
        if area == 0 {
            return;
        }
        if area < 0 {
            corners.swap(1, 2);
            points.swap(1, 2);
            area = -area;
        }
        let [a, b, c] = points;
        let bias = |p: [i64; 2], q: [i64; 2]| if (p[1] == q[1] && q[0] > p[0]) || q[1] < p[1] { 0 } else { -1 };
        let biases = [bias(b, c), bias(c, a), bias(a, b)];
        let bounds = |axis: usize| {
            let values = points.map(|point| point[axis]);
            let low = values.into_iter().min().unwrap_or(0).div_euclid(16) as i32;
            let high = values.into_iter().max().unwrap_or(0).div_euclid(16) as i32 + 1;
            (low, high)
        };
        let ((left, right), (top, bottom)) = (bounds(0), bounds(1));
        let inverse = 1.0 / area as f32;
        for y in top.max(clip[2])..bottom.min(clip[3]) {
            for x in left.max(clip[0])..right.min(clip[1]) {
                let point = [i64::from(x) * 16 + 8, i64::from(y) * 16 + 8];
                let weights = [cross(b, c, point), cross(c, a, point), cross(a, b, point)];
                if weights.iter().zip(biases).any(|(weight, bias)| weight + bias < 0) {
                    continue;
                }
                self.blend(x, y, weights.map(|weight| weight as f32 * inverse), corners, texture);
            }
        }
    }

    fn blend(&mut self, x: i32, y: i32, weights: [f32; 3], corners: [&Vertex; 3], texture: &Texture) {
        let weighted =
            |value: &dyn Fn(&Vertex) -> f32| corners.iter().zip(weights).map(|(corner, weight)| value(corner) * weight).sum::<f32>();
        let texel = texture.sample(weighted(&|corner| corner.uv.x), weighted(&|corner| corner.uv.y));
        let source: [f32; 4] = std::array::from_fn(|i| weighted(&|corner| f32::from(corner.color.to_array()[i])) * texel[i] / 255.0);
        let pixel = &mut self.pixels[y as usize * self.width + x as usize];
        let keep = 1.0 - source[3] / 255.0;
        for (channel, value) in pixel.iter_mut().zip(source) {
            *channel = (value + *channel * keep).round();
        }
    }
}
