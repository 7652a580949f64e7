//! Everything that can be tested without a window: the engine against NVIDIA's header, the laws it obeys, the formats
//! and the session.

mod golden;
mod laws;
