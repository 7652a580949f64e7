//! Markdown as egui labels: a paragraph is one text, so that it wraps and is read aloud as a whole.

use egui::text::{LayoutJob, TextFormat};
use egui::{Frame, Label, Margin, RichText, ScrollArea, Ui};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::gui::theme::{self, RADIUS_CONTROL, Theme, size};

/// Words in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub style: SpanStyle,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SpanStyle {
    #[default]
    Plain,
    Strong,
    Stressed,
    Code,
}

/// What stands below one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Paragraph(Vec<Span>),
    /// A list item and what stands before it: "•", "1.".
    Item(String, Vec<Span>),
    /// Lines of code; calculations wrap, code does not.
    Code {
        text: String,
        wraps: bool,
    },
}

/// Reads the part of Markdown that lessons use: paragraphs, flat lists, code, strong and stressed words.
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    let mut style = Vec::new();
    let mut numbers: Vec<Option<u64>> = Vec::new();
    let mut code: Option<(String, bool)> = None;
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let wraps = !matches!(kind, CodeBlockKind::Fenced(language) if ["rust", "cuda"].contains(&&*language));
                code = Some((String::new(), wraps));
            }
            Event::End(TagEnd::CodeBlock) => {
                found.extend(code.take().map(|(text, wraps)| Block::Code { text: text.trim_end().to_owned(), wraps }));
            }
            Event::Start(Tag::Strong) => style.push(SpanStyle::Strong),
            Event::Start(Tag::Emphasis) => style.push(SpanStyle::Stressed),
            Event::End(TagEnd::Strong | TagEnd::Emphasis) => {
                style.pop();
            }
            Event::Start(Tag::List(first)) => numbers.push(first),
            Event::End(TagEnd::List(_)) => {
                numbers.pop();
            }
            Event::End(TagEnd::Item) => found.push(Block::Item(marker(&mut numbers), std::mem::take(&mut spans))),
            Event::End(TagEnd::Paragraph) if numbers.is_empty() => found.push(Block::Paragraph(std::mem::take(&mut spans))),
            Event::Text(text) => match &mut code {
                Some((code, _)) => code.push_str(&text),
                None => spans.push(Span { text: text.into_string(), style: style.last().copied().unwrap_or_default() }),
            },
            Event::Code(text) => spans.push(Span { text: text.into_string(), style: SpanStyle::Code }),
            Event::SoftBreak | Event::HardBreak => spans.push(Span { text: " ".to_owned(), style: SpanStyle::Plain }),
            _ => {}
        }
    }
    found
}

fn marker(numbers: &mut [Option<u64>]) -> String {
    match numbers.last_mut() {
        Some(Some(number)) => {
            let text = format!("{number}.");
            *number += 1;
            text
        }
        _ => "•".to_owned(),
    }
}

/// Draws it over the available width.
pub fn markdown_ui(ui: &mut Ui, markdown: &str) {
    ui.spacing_mut().item_spacing.y = 10.0;
    for (index, block) in blocks(markdown).into_iter().enumerate() {
        match block {
            Block::Paragraph(spans) => {
                ui.add(Label::new(job(Theme::of(ui), &spans)).wrap());
            }
            Block::Item(marker, spans) => item_ui(ui, &marker, &spans),
            Block::Code { text, wraps } => code_ui(ui, index, &text, wraps),
        }
    }
}

fn item_ui(ui: &mut Ui, marker: &str, spans: &[Span]) {
    let theme = Theme::of(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.allocate_ui(egui::vec2(20.0, 22.0), |ui| {
            ui.set_min_width(20.0);
            ui.label(RichText::new(marker).font(theme::words(size::TITLE)).line_height(Some(22.0)).color(theme.palette.text3));
        });
        ui.add(Label::new(job(theme, spans)).wrap());
    });
}

fn job(theme: Theme, spans: &[Span]) -> LayoutJob {
    let mut job = LayoutJob::default();
    for span in spans {
        let (font, color) = match span.style {
            SpanStyle::Plain => (theme::words(size::TITLE), theme.palette.text2),
            SpanStyle::Strong => (theme::strong(size::TITLE), theme.palette.text),
            SpanStyle::Stressed => (theme::medium(size::TITLE), theme.palette.text),
            SpanStyle::Code => (theme::mono(size::BODY), theme.palette.text),
        };
        job.append(&span.text, 0.0, TextFormat { font_id: font, color, line_height: Some(22.0), ..TextFormat::default() });
    }
    job
}

fn code_ui(ui: &mut Ui, index: usize, text: &str, wraps: bool) {
    let theme = Theme::of(ui);
    let stroke = egui::Stroke::new(1.0, theme.palette.line);
    let frame = Frame::new().fill(theme.palette.well).stroke(stroke).corner_radius(RADIUS_CONTROL).inner_margin(Margin::symmetric(12, 10));
    let words = RichText::new(text).font(theme::mono(size::NOTE)).color(theme.palette.text2).line_height(Some(18.0));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        if wraps {
            ui.add(Label::new(words).wrap());
        } else {
            ScrollArea::horizontal().id_salt(("code", index)).show(ui, |ui| ui.add(Label::new(words).extend()));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lists_and_code_are_told_apart() {
        let found =
            blocks("A **warp** of `32`\nthreads.\n\n1. first\n2. second *one*\n\n- item\n\n```rust\nfn f() {}\n```\n```text\na\n```\n");
        let Block::Paragraph(spans) = &found[0] else { panic!("{found:?}") };
        let text: String = spans.iter().map(|span| span.text.as_str()).collect();
        assert_eq!(text, "A warp of 32 threads.");
        assert_eq!(spans.iter().map(|span| span.style).collect::<Vec<_>>()[1], SpanStyle::Strong);
        let markers: Vec<&str> =
            found.iter().filter_map(|block| if let Block::Item(marker, _) = block { Some(marker.as_str()) } else { None }).collect();
        assert_eq!(markers, ["1.", "2.", "•"]);
        assert_eq!(found[4], Block::Code { text: "fn f() {}".to_owned(), wraps: false });
        assert_eq!(found[5], Block::Code { text: "a".to_owned(), wraps: true });
    }
}
