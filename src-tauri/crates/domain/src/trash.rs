//! What was kept before something destructive, as users see it: the data, without the doing.
//!
//! An entry lives in the user's own repository, so it outlives the task, its box and Paddock's data.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{CommitView, DiffStat, TaskId, TaskSpec, Timestamp};

/// One thing that was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrashEntry {
    /// The task whose work it is.
    pub task_id: TaskId,
    /// Its number among those of the task in its repository.
    pub number: u64,
    /// Path of the repository that holds it.
    pub repository: String,
    /// The ref that holds it.
    #[serde(rename = "ref")]
    pub ref_name: String,
    /// The commit that holds everything.
    pub commit: String,
    /// When it was put there.
    pub kept_at: Timestamp,
    /// Before what.
    pub reason: TrashReason,
    /// The task's title; absent when the task is not known (any more).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The branch that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit that the files stood on; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// Files that differ from that commit.
    pub uncommitted: u64,
    /// Files that git ignores.
    pub ignored: IgnoredFiles,
    /// Other branches, tags and stashes.
    pub others: Vec<KeptRef>,
    /// When it is dropped by itself; absent when it is kept until somebody drops it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// Before what something was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrashReason {
    /// The box was removed.
    Purge,
    /// The box of a task that could not start was removed.
    Failed,
    /// A box that belonged to no task was removed.
    Orphan,
    /// A work tree was set back.
    Reset,
    /// The agent replaced these commits.
    Rewritten,
    /// These commits were on no branch when the task's own refs went.
    Unlanded,
    /// It does not say.
    #[default]
    #[serde(other)]
    Unknown,
}

impl TrashReason {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::Purge,
        Self::Failed,
        Self::Orphan,
        Self::Reset,
        Self::Rewritten,
        Self::Unlanded,
        Self::Unknown,
    ];

    /// Its wire name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Purge => "purge",
            Self::Failed => "failed",
            Self::Orphan => "orphan",
            Self::Reset => "reset",
            Self::Rewritten => "rewritten",
            Self::Unlanded => "unlanded",
            Self::Unknown => "unknown",
        }
    }
}

/// Files that git ignores, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IgnoredFiles {
    /// How many.
    pub files: u64,
    /// Their size together.
    pub bytes: u64,
    /// Whether they are kept too; not when they are too many or too large.
    pub kept: bool,
}

/// Something besides the files that was kept by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeptRef {
    /// Its name: a full ref, or `refs/stash@{n}`; of a restored one the new branch.
    pub name: String,
    /// Its commit.
    pub commit: String,
}

/// All that was kept, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrashList {
    /// The entries.
    pub items: Vec<TrashEntry>,
    /// Repositories that could not be looked into.
    pub unreadable: Vec<UnreadableTrash>,
}

/// A repository whose trash cannot be read now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UnreadableTrash {
    /// Its path.
    pub repository: String,
    /// Why, and what to do.
    pub reason: String,
}

/// One entry, looked into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrashDetail {
    /// The entry.
    pub entry: TrashEntry,
    /// The uncommitted files.
    pub files: DiffStat,
    /// Commits that are nowhere else, newest first.
    pub commits: Vec<CommitView>,
    /// Commits beyond those listed.
    pub more_commits: u64,
    /// What the uncommitted files changed, as a unified diff.
    pub diff: String,
    /// Whether more of it follows.
    pub truncated: bool,
}

/// Brings an entry back, never over a checkout.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TrashRestoreRequest {
    /// The repository's path; needed where two have an entry of this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The branch to make; named after the one that was checked out when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Make branches of the other branches, tags and stashes too.
    pub others: bool,
    /// A task to begin on the branch. Its repositories are set to the one of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskSpec>,
}

/// What was brought back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrashRestored {
    /// Path of the repository.
    pub repository: String,
    /// The new branch.
    pub branch: String,
    /// Its commit.
    pub commit: String,
    /// Branches made of the others.
    pub others: Vec<KeptRef>,
    /// The task that was begun on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
}

/// An entry was let go of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrashDropped {
    /// The ref that held it.
    #[serde(rename = "ref")]
    pub ref_name: String,
    /// Its commit, which stays until the repository is cleaned up.
    pub commit: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_its_wire_name_and_one_of_a_newer_paddock_is_unknown() {
        for reason in TrashReason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        }
        let newer: TrashReason = serde_json::from_str("\"eaten\"").unwrap();
        assert_eq!(newer, TrashReason::Unknown);
    }
}
