//! What each kind of stream does, one file a kind. `session` calls them.
//!
//! Each answers the header first, and ends with a frame that says so. A stream that the client abandons
//! ends what it started, but never a run.

pub(crate) mod control;
pub(crate) mod dial;
pub(crate) mod diff;
pub(crate) mod exec;
pub(crate) mod forward;
pub(crate) mod input;
pub(crate) mod log;
pub(crate) mod terminal;
pub(crate) mod transfer;
