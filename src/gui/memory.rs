//! Memory from one frame to the next.

/// More than the triangles of any frame.
const FRAME_BYTES: usize = 8 << 20;

/// Makes the C library keep the memory that a frame frees, because the next one asks for as much again.
///
/// The triangles of a frame are one or two MB. Linux's C library hands that back to the system each time, and the next frame
/// pays a page fault for every 4 KiB, more than for all its layout and painting. It moves its limits, for blocks that get
/// pages of their own and for what may lie free at the end of the heap, when a larger block is freed. Pages of that block are
/// never touched, so it costs nothing; with other C libraries nothing changes.
pub fn keep_between_frames() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(FRAME_BYTES)));
}
