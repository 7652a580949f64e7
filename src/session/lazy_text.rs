//! A text that is made where it is written: a table of 100,000 rows takes its time, and the window does not wait for it.

use std::fmt;
use std::sync::Arc;

/// Made anew each time it is asked for.
#[derive(Clone)]
pub struct LazyText(Arc<dyn Fn() -> String + Send + Sync>);

impl LazyText {
    pub fn new(make: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub fn make(&self) -> String {
        (self.0)()
    }
}

impl fmt::Debug for LazyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LazyText")
    }
}

/// The same way of making a text; its words are not compared.
impl PartialEq for LazyText {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LazyText {}
