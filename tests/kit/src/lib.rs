//! What journeys need: a real `paddock serve`, sample repositories, and eyes on a task's events.
//!
//! Everything here is the built program seen from outside; nothing reaches into it. A dev-dependency only.
//!
//! Start at [`Serve`], then [`Watch`].

mod link;
pub mod programs;
mod repository;
mod serve;
mod signal;
mod spec;
mod terminal;
mod watch;

pub use link::until_link;
pub use repository::{Fingerprint, Repository};
pub use serve::{Serve, ServeOptions};
pub use signal::{freeze, signal};
pub use spec::Ask;
pub use terminal::TerminalLook;
pub use watch::Watch;
