//! The limiter engine: how many blocks of a launch share one SM, what stops the next one, and what it would take.
//!
//! Plain functions over plain data: integers while the hardware counts, floats only for ratios. No files, no clocks, no
//! text for a particular screen.
//!
//! Start with [`evaluate`]. [`limits`](mod@limits) has one function per resource, each with its rule and source; [`trace`] shows
//! the same with the numbers put in; [`waves`] lays a grid over the GPU and splits the gap to what was measured; [`simulate`]
//! runs it with blocks of unequal length; [`activity`] says what idle SMs cost as measured; [`clusters`] packs clusters into GPCs;
//! [`latency`] is the model of why warps hide waiting; [`placement`] says where the blocks sit; [`sweep`] answers for whole tables and [`prepared`]
//! for very many launches of one GPU; [`advice`] looks for the nearest change
//! that gains or loses a block.
//!
//! Deliberately not in here: what a kernel gains from more warps. Occupancy is a means.

pub mod activity;
pub mod advice;
pub mod clusters;
pub mod latency;
pub mod launch;
pub mod limits;
pub mod occupancy;
pub mod placement;
pub mod prepared;
pub mod refusal;
pub mod simulate;
pub mod sweep;
pub mod trace;
pub mod waves;

pub use launch::{CachePreference, Launch, LaunchBounds, PartitionedCaching};
pub use limits::{Limit, Limits, Resource, ResourceSet};
pub use occupancy::{Demand, Occupancy, RegisterUse, SmemUse, evaluate};
pub use placement::Placement;
pub use prepared::Prepared;
pub use refusal::Refusal;
pub use waves::{Gap, Waves};
