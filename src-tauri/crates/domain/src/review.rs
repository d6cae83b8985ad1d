//! What a task changed, as a reviewer asks for it: diffs, commits, and branches to compare with.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Timestamp;

/// Asks for a diff.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiffRequest {
    /// The repository's path; the only one when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// One file; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Which changes.
    pub what: DiffWhat,
    /// What this one commit of the task did, and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// Which changes a diff shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffWhat {
    /// All since the base.
    #[default]
    All,
    /// What commits hold.
    Committed,
    /// What no commit holds.
    Uncommitted,
}

/// One commit, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommitView {
    /// Its id.
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: String,
    /// When it was committed.
    pub committed_at: Timestamp,
    /// Files that it changed; 0 for a merge.
    pub files: u64,
    /// Lines that it added.
    pub added: u64,
    /// Lines that it removed.
    pub removed: u64,
}

/// The commits of a task, by repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskCommits {
    /// One entry a repository.
    pub repositories: Vec<RepositoryCommits>,
}

/// The commits of a task in one repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepositoryCommits {
    /// Its path.
    pub path: String,
    /// The task's branch.
    pub branch: String,
    /// What the branch starts from, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The commit that the branch starts from.
    pub base_commit: String,
    /// Commits since then, newest first.
    pub commits: Vec<CommitView>,
    /// Whether there are older ones than those listed.
    pub more: bool,
    /// Files that no commit holds.
    pub uncommitted: u64,
}

/// A name that a task can start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BranchName {
    /// The name, as a task's `base` takes it.
    pub name: String,
    /// What it names.
    pub kind: BranchKind,
    /// Its commit.
    pub commit: String,
    /// When that was committed.
    pub committed_at: Timestamp,
}

/// What a name that a task can start from names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BranchKind {
    /// A branch of the repository.
    Local,
    /// A branch of a remote, as it was fetched last.
    Remote,
    /// A tag.
    Tag,
}

/// Names that a task can start from, most recent first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BranchNames {
    /// The names.
    pub items: Vec<BranchName>,
    /// Whether there are more than those listed.
    pub more: bool,
}
