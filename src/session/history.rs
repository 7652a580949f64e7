//! Undo and redo by keeping earlier documents. One gesture is one step.

use super::document::Document;

/// Earlier and later documents. Cheap to keep: reports are shared.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Step>,
    future: Vec<Step>,
    /// The gesture that made the last step, while it goes on.
    gesture: Option<&'static str>,
}

/// A document, and what was done between it and its neighbor.
#[derive(Clone, Debug)]
struct Step {
    document: Document,
    name: String,
}

const MAX_STEPS: usize = 200;

impl History {
    /// Remembers `before`, unless the same gesture goes on.
    ///
    /// `gesture` names an input that can change many times while the pointer is down; none is a step of its own.
    /// `name` says what the step does, in the imperative; a gesture that goes on is called what it came to.
    pub fn record(&mut self, before: Document, gesture: Option<&'static str>, name: &str) {
        self.future.clear();
        if gesture.is_some() && self.gesture == gesture {
            if let Some(step) = self.past.last_mut() {
                name.clone_into(&mut step.name);
            }
            return;
        }
        self.gesture = gesture;
        self.past.push(Step { document: before, name: name.to_owned() });
        if self.past.len() > MAX_STEPS {
            self.past.remove(0);
        }
    }

    /// Changes what is in every document, for what nobody did and nobody undoes.
    pub fn for_each(&mut self, change: impl Fn(&mut Document)) {
        self.past.iter_mut().chain(&mut self.future).for_each(|step| change(&mut step.document));
    }

    pub fn end_gesture(&mut self) {
        self.gesture = None;
    }

    /// What undo would take back; none when there is nothing.
    pub fn undo_name(&self) -> Option<&str> {
        self.past.last().map(|step| step.name.as_str())
    }

    /// What redo would do again; none when there is nothing.
    pub fn redo_name(&self) -> Option<&str> {
        self.future.last().map(|step| step.name.as_str())
    }

    /// Every remembered document, to take in what changed outside of it.
    pub fn documents_mut(&mut self) -> impl Iterator<Item = &mut Document> {
        self.past.iter_mut().chain(&mut self.future).map(|step| &mut step.document)
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

fn step(from: &mut Vec<Step>, to: &mut Vec<Step>, current: &mut Document) {
    if let Some(Step { document, name }) = from.pop() {
        to.push(Step { document: std::mem::replace(current, document), name });
    }
}
