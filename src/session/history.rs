//! Undo and redo by keeping earlier documents. One gesture is one step.

use super::document::Document;

/// Earlier and later documents. Cheap to keep: reports are shared.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Document>,
    future: Vec<Document>,
    /// The gesture that made the last step, while it goes on.
    gesture: Option<&'static str>,
}

const MAX_STEPS: usize = 200;

impl History {
    /// Remembers `before`, unless the same gesture goes on.
    ///
    /// `gesture` names an input that can change many times while the pointer is down; none is a step of its own.
    pub fn record(&mut self, before: Document, gesture: Option<&'static str>) {
        self.future.clear();
        if gesture.is_some() && self.gesture == gesture {
            return;
        }
        self.gesture = gesture;
        self.past.push(before);
        if self.past.len() > MAX_STEPS {
            self.past.remove(0);
        }
    }

    /// Changes what is in every document, for what nobody did and nobody undoes.
    pub fn for_each(&mut self, change: impl Fn(&mut Document)) {
        self.past.iter_mut().chain(&mut self.future).for_each(change);
    }

    pub fn end_gesture(&mut self) {
        self.gesture = None;
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    pub fn undo(&mut self, current: &mut Document) {
        step(&mut self.past, &mut self.future, current);
        self.gesture = None;
    }

    pub fn redo(&mut self, current: &mut Document) {
        step(&mut self.future, &mut self.past, current);
        self.gesture = None;
    }
}

fn step(from: &mut Vec<Document>, to: &mut Vec<Document>, current: &mut Document) {
    if let Some(document) = from.pop() {
        to.push(std::mem::replace(current, document));
    }
}
