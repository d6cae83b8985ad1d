//! The living room: command in, events out. The only room where things meet.
//!
//! [`Orchestrator`] is the handle that every door holds. Behind it one dispatcher owns the set of tasks
//! and the places on each host; each task has one runner that owns its journal, its box and its run.
//! What to do next is decided by [`plan`], pure and level-triggered: a command, an event, a tick, a
//! boot and a dropped connection all end in the same question, "given the task and what is seen of
//! the world, what now?". Reads come from published snapshots and never wait for anybody.
//!
//! Start at [`Orchestrator`], then [`plan::plan`], then the runner.

mod accounts;
mod added_agents;
mod adoption;
mod archive;
mod attachments;
mod brief;
mod choices;
mod command;
mod creation;
mod disk;
mod dispatcher;
mod groups;
mod handing;
mod harnesses;
mod ids;
mod keeping;
mod kept;
mod keys;
mod line;
mod live;
mod marks;
mod memory;
mod messages;
mod offers;
mod orchestrator;
mod orphans;
mod past;
mod place;
mod places;
pub mod plan;
mod processes;
mod provider;
mod published;
mod reading;
mod relink;
mod repository;
mod resuming;
mod review;
mod rooms;
mod rules;
mod runner;
mod search;
mod settings;
mod snapshot;
mod statistics;
mod templates;
mod terminals;
#[cfg(test)]
mod told;
mod trash;
mod tuning;
mod vault;
mod whose_key;
mod work;

pub use accounts::AccountWish;
pub use added_agents::add as add_agents;
pub use adoption::Phases;
pub use choices::{Choice, SettingsChange, SettingsRefused};
pub use command::CommandError;
pub use creation::Created;
pub use harnesses::HarnessView;
pub use kept::KeptError;
pub use keys::{KeyFound, KeySource, readers};
pub use line::Line;
pub use live::{EventStream, LiveDelta, LiveItem, StreamEnd};
pub use marks::Mark;
pub use orchestrator::{Orchestrator, Running, StartError};
pub use orphans::OrphanBox;
pub use paddock_boxes::{BoxDefaults, BoxesSettings, Check};
pub use paddock_git::ScanLimits;
pub use paddock_policy::{Asked, AskedPath, Judged, Judgement, PartJudged};
pub use paddock_secrets::{InvalidName, SecretName, SecretString, VaultKind};
pub use paddock_store::Hit as WordsHit;
pub use past::PastWish;
pub use processes::BoxProcesses;
pub use repository::RepositoryInfo;
pub use rules::RuleWish;
pub use runner::Taken;
pub use search::Found;
pub use settings::{OrchestratorSettings, Programs, boxes as boxes_settings};
pub use snapshot::Snapshot;
pub use statistics::{BoxGauge, BoxSample, Gauges};
pub use terminals::{Shown as TerminalShown, Typed as TerminalTyped, Viewing as TerminalViewing};
pub use tuning::Tuning;
pub use vault::VaultState;
