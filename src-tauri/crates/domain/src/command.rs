//! What a user asks of a task, and what comes back: the data of commands, without the doing.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Attachment, InputId};

/// A message for an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Chosen by the client; a repeated id is acknowledged and not delivered again. Made when absent.
    #[serde(default)]
    pub input_id: Option<InputId>,
    /// What to say.
    pub text: String,
    /// Files that go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
}

/// Brings commits out of the box and pushes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SyncRequest {
    /// Where to.
    pub target: SyncTarget,
    /// The remote; `origin` when absent. Nothing is pushed where a repository has no remote.
    pub remote: Option<String>,
    /// Findings to let pass, by id or by rule.
    pub allow: Vec<String>,
    /// The squashed commit's message; made from the commits when absent.
    pub message: Option<String>,
}

/// Where a sync pushes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncTarget {
    /// The task's own branch on the remote, with a lease.
    #[default]
    Branch,
    /// One squashed commit on the default branch.
    Default,
    /// Nowhere: commits are only brought out onto the local branch.
    Local,
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SyncReport {
    /// One entry a repository.
    pub repositories: Vec<SyncedRepository>,
}

/// What a sync did in one repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SyncedRepository {
    /// Its path.
    pub path: String,
    /// The branch.
    pub branch: String,
    /// The commit the branch is at.
    pub commit: String,
    /// Commits that were brought out now.
    pub brought_out: u64,
    /// Where it was pushed: `remote/branch`; absent when it was not, with the reason in `note`.
    pub pushed_to: Option<String>,
    /// What the user should know: no remote, nothing to push, uncommitted files left in the box.
    pub note: Option<String>,
}

/// Something that the pre-push scan found in a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepositoryFinding {
    /// The repository's path.
    pub repository: String,
    /// The finding's id; names it in `allow`.
    pub id: String,
    /// The rule that found it.
    pub rule: String,
    /// The file.
    pub path: String,
    /// The line, from 1; absent for a whole file.
    pub line: Option<u64>,
    /// What was found, with the secret itself blotted out.
    pub excerpt: String,
}

/// What a squash onto the default branch would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SquashPreview {
    /// The repository's path.
    pub repository: String,
    /// The default branch.
    pub onto: String,
    /// Paths in conflict; none when it would go through.
    pub conflicts: Vec<String>,
}

/// What would be committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommitPreview {
    /// The repository's path.
    pub repository: String,
    /// Files that would go in, at most a few thousand.
    pub files: Vec<crate::FileStat>,
    /// Files beyond those listed. They go in where no files are chosen; where some are, those alone that are named.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub more_files: u64,
    /// What the scan would say.
    pub findings: Vec<RepositoryFinding>,
    /// Paths that would stay out: what cannot be read, and repositories inside the repository.
    pub left_out: Vec<String>,
    /// Names this very state of the tree; a commit with it refuses when the tree has changed.
    pub token: String,
}

/// Commits what was previewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitRequest {
    /// The repository's path.
    pub repository: String,
    /// The commit's message.
    pub message: String,
    /// The preview's token.
    pub token: String,
    /// The files that go in, each as the preview names it or would; all when absent. The others stay as they are. One
    /// that takes the place of another, as `x/y` does that of `x`, goes in with it or not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
}
