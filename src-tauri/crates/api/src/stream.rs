//! What goes over an event stream, beside the journal's own events.
//!
//! An `event` carries one journal event, byte for byte as it stands in the journal, and its `id` is a
//! cursor. Everything else is about the stream itself and never moves the cursor backwards.

use paddock_domain::{Delta, TaskId, TurnId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ErrorDetail;

/// Names of stream events.
pub mod names {
    /// A journal event.
    pub const EVENT: &str = "event";
    /// A piece of a message under way; has no `id` and is never repeated.
    pub const DELTA: &str = "delta";
    /// The connection to a task's box has changed; has no `id` and is never repeated. On a task's stream the
    /// link as it is comes right behind `ready`.
    pub const LINK: &str = "link";
    /// What a box uses now; has no `id` and is never repeated.
    pub const STATISTICS: &str = "statistics";
    /// History is complete; what follows is live.
    pub const READY: &str = "ready";
    /// The cursor is not known: forget what was folded and begin anew.
    pub const RESET: &str = "reset";
    /// How Paddock is, on the stream of all tasks: when it begins and when it changes; has no `id`.
    pub const HEALTH: &str = "health";
    /// Nothing happened for a while.
    pub const PING: &str = "ping";
    /// A program is being installed.
    pub const PROGRESS: &str = "progress";
    /// It is installed.
    pub const DONE: &str = "done";
    /// It could not be installed.
    pub const FAILED: &str = "failed";
}

/// How often a stream says that it is there when it has nothing to say.
pub mod pings {
    use std::time::Duration;

    /// The request header with the whole seconds that a client would have between pings.
    pub const HEADER: &str = "paddock-ping-every";
    /// Unless a client asks for something else; also the least it gets.
    pub const EVERY: Duration = Duration::from_secs(15);
    /// The most that a client gets.
    pub const EVERY_MAX: Duration = Duration::from_secs(300);
    /// What clients on the server's own machine ask for: their connections end with it.
    pub const EVERY_NEAR: Duration = Duration::from_secs(60);
}

/// A piece of something that an agent is saying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeltaData {
    /// The task that streams.
    pub task_id: TaskId,
    /// Its turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// The piece.
    #[serde(flatten)]
    pub delta: Delta,
}

/// Where a stream stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CursorData {
    /// The cursor of the last event that was sent, to resume by.
    pub cursor: String,
}

/// Why a client must begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResetData {
    /// Why.
    pub reason: ResetReason,
}

/// Why a client must begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResetReason {
    /// The cursor belongs to nothing that this server knows.
    UnknownCursor,
    /// What came after the cursor is no longer at hand.
    TooOld,
}

/// An installation goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstallProgress {
    /// What is being done.
    pub text: String,
    /// Since when, in milliseconds.
    pub elapsed_ms: u64,
}

/// An installation failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InstallFailed {
    /// Why.
    pub error: ErrorDetail,
}
