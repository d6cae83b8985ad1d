//! How Paddock is connected to a task's box just now.
//!
//! A link is an overlay: it is shown beside the task and never written into its journal, because it says
//! something about this Paddock and nothing about what happened to the task. While it is broken, the agent
//! works on and nothing it says is lost.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{TaskId, Timestamp};

/// The connection to a task's box.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Link {
    /// How it stands.
    pub state: LinkState,
    /// Since when it stands so.
    pub since_at: Timestamp,
    /// How many tries to connect have failed since it was lost.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub attempt: u32,
    /// When the next try is made, while it is tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_try_at: Option<Timestamp>,
    /// Why it is not connected, and what can be done where that helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The last event of the journal when the connection was lost; what the agent said since comes after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_seq: Option<u64>,
}

/// How the connection to a box stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// There is no box to be connected to: none yet, or none any more as it should be.
    #[default]
    None,
    /// The box answers, and what its agent says is heard as it is said.
    Connected,
    /// The connection is lost or not made yet. It is tried again without anybody's doing.
    Reconnecting,
    /// It has been tried for long. It is still tried, but a user should know.
    Lost,
    /// The box has ended; its work is kept and a revival starts it again.
    Ended,
    /// The box is gone though the task is not over; a revival makes a new one from the task's branch.
    Gone,
}

/// The link of one task, as streams tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkData {
    /// The task.
    pub task_id: TaskId,
    /// Its link now.
    pub link: Link,
}
