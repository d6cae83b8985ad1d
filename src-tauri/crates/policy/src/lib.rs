//! Policy: holds what an agent asks for against the user's rules.
//!
//! Pure: no IO, no clock. Command lines are read by a shell grammar and by a second, much smaller reader of
//! our own; where the two do not agree word for word, and wherever anything is more than plain commands one
//! after the other, nothing is allowed and the user is asked. An allowing rule covers single commands with
//! their arguments, never a prefix of a text.
//!
//! Invariant: what is allowed runs the commands that its rules cover and nothing else.
//!
//! Start at [`judge`].

mod asked;
mod glob;
mod judge;
mod offer;
mod pattern;
mod runners;
mod shell;
mod subject;

pub use asked::{Asked, AskedPath, RepositoryDir, asked};
pub use judge::{Judged, Judgement, PartJudged, Setting, judge};
pub use offer::offers;
pub use subject::{InvalidSubject, check};
