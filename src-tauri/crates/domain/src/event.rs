//! Journal events: the one record of what happened to a task.
//!
//! An [`Event`] is one line of a journal. Its [`Body`] says what happened; unknown fields are kept out
//! and unknown types are refused, so that a journal from a newer version is told apart from a broken
//! one. Events decoded from agent output carry their [`Source`]: decoding the same bytes twice gives
//! the same events, and a journal takes each once.

mod body;
mod told;
mod tool;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use body::Body;
pub use told::{
    Block, BlockKind, CondensePolicy, Condensing, ErrorClass, NoticeLevel, Phase, RunExit,
    TurnOutcome,
};
pub use tool::{ToolCallFinished, ToolCallStarted};

use crate::{EventId, RunId, TaskId, Timestamp, TurnId};

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Unique for ever.
    pub event_id: EventId,
    /// When it was recorded.
    pub ts: Timestamp,
    /// Its place in the journal: from 1, without gaps.
    pub seq: u64,
    /// The task it happened to.
    pub task_id: TaskId,
    /// The run it happened in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The turn it happened in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// The agent output it was decoded from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// What happened.
    #[serde(flatten)]
    pub body: Body,
}

/// Where in an agent's output an event was decoded from. Equal sources are the same event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub struct Source {
    /// The run whose log it is.
    pub run_id: RunId,
    /// Byte offset of the record in that log.
    pub offset: u64,
    /// Which of the events that the record gave, from 0.
    pub index: u32,
}

/// A file that holds a large output, by the hash of its content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct ArtifactRef {
    /// Path below the data directory: `artifacts/<task-id>/<sha256>`.
    pub path: String,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// Size of the content before it was cut, in bytes.
    pub size: u64,
}

impl ArtifactRef {
    /// Outputs longer than this, in bytes, become artifacts.
    pub const OVER: usize = 10 * 1024;
    /// Artifacts are cut at this length, in bytes, and end with [`Self::CUT_MARK`].
    pub const MAX: usize = 10 * 1024 * 1024;
    /// What stands at the end of an artifact that was cut.
    pub const CUT_MARK: &'static str = "[TRUNCATED]";
}
