//! Where a task came from, when it was not begun from nothing: a fork of another task, or a session that
//! an agent had elsewhere.
//!
//! All that the first run needs of it stands in the journal's first line or beside the journal, so the
//! task it came from may be purged meanwhile.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::TaskId;

/// Where a task came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// How it came to be.
    pub kind: OriginKind,
    /// The task that it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// The last event of that task by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The agent's own session that its first run goes on with, under a name of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<OriginSession>,
    /// What the agent is told of what was before, where it has no session to go on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
    /// Files that no commit held, by repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<OriginFiles>,
}

/// How a task that was not begun from nothing came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OriginKind {
    /// Forked from another task.
    Fork,
    /// Made from a session that an agent had outside Paddock.
    Session,
}

/// An agent's session that another goes on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OriginSession {
    /// The agent's own id for it.
    pub session_id: String,
    /// SHA-256 of the archive of its files, which is kept among the task's artifacts.
    pub archive: String,
}

/// Files of a repository that no commit of the task it came from held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OriginFiles {
    /// The repository's path.
    pub repository: String,
    /// A commit of the whole work tree.
    pub commit: String,
}
