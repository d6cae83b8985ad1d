//! The living room: command in, events out. The only room where things meet.
//!
//! [`Orchestrator`] is the handle that every door holds. Behind it one dispatcher owns the set of tasks
//! and the places on each host; each task has one runner that owns its journal, its box and its run.
//! What to do next is decided by [`plan`], pure and level-triggered: a command, an event, a tick, a
//! boot and a dropped connection all end in the same question, "given the task and what is seen of
//! the world, what now?". Reads come from published snapshots and never wait for anybody.
//!
//! Start at [`Orchestrator`], then [`plan::plan`], then the runner.

mod command;
mod dispatcher;
mod harnesses;
mod ids;
mod live;
mod orchestrator;
mod place;
pub mod plan;
mod provider;
mod repository;
mod rooms;
mod runner;
mod settings;
mod snapshot;
mod work;

pub use command::CommandError;
pub use harnesses::HarnessView;
pub use live::{EventStream, LiveDelta, LiveItem, StreamEnd};
pub use orchestrator::{Orchestrator, Running, StartError};
pub use paddock_boxes::{BoxDefaults, BoxesSettings, Check};
pub use paddock_git::ScanLimits;
pub use repository::RepositoryInfo;
pub use settings::{OrchestratorSettings, Programs, boxes as boxes_settings};
pub use snapshot::{OrphanBox, Snapshot};
