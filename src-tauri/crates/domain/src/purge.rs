//! The end of a task: what is asked, and what would go.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{CommitView, IgnoredFiles, KeptRef};

/// Removes a task's box after its recovery window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PurgeRequest {
    /// Go on although work would be lost (it is kept as a snapshot all the same).
    pub force: bool,
    /// Do not wait for the recovery window.
    pub now: bool,
    /// Go on although no snapshot can be taken: what no commit holds is lost then.
    pub without_snapshot: bool,
}

/// What a purge would take.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PurgePreview {
    /// Files that no commit holds, by repository path.
    pub uncommitted: Vec<String>,
    /// Commits that no remote holds.
    pub unpushed: u64,
    /// Why it cannot be told whether the work is safe, where it cannot; counts as not safe.
    pub unknown: Option<String>,
    /// The same and more for each repository.
    pub repositories: Vec<PurgedRepository>,
    /// What runs in the box now.
    pub processes: Vec<PurgedProcess>,
    /// Bytes of the box's directory; absent when they cannot be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub box_bytes: Option<u64>,
}

impl PurgePreview {
    /// Whether nothing would be lost.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        self.uncommitted.is_empty() && self.unpushed == 0 && self.unknown.is_none()
    }
}

/// What a purge would take of one repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PurgedRepository {
    /// Its path.
    pub path: String,
    /// The branch that is checked out in the box; absent when none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Tracked files with changes, at most a few hundred.
    pub changed: Vec<String>,
    /// Files that git does not know; a directory of such files is one entry.
    pub untracked: Vec<String>,
    /// Files with conflicts.
    pub conflicted: Vec<String>,
    /// Files beyond those listed.
    pub more_files: u64,
    /// Commits that no remote holds, newest first.
    pub commits: Vec<CommitView>,
    /// Commits beyond those listed.
    pub more_commits: u64,
    /// Stashes, in git's words.
    pub stashes: Vec<String>,
    /// Other branches with commits that no remote holds.
    pub branches: Vec<KeptRef>,
    /// Files that git ignores, and whether a snapshot would take them.
    pub ignored: IgnoredFiles,
    /// Why it cannot be told what is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// A process that a purge would end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PurgedProcess {
    /// Its number in the box.
    pub pid: u32,
    /// Its command line, cut.
    pub command: String,
    /// Memory it holds, in bytes.
    pub memory_bytes: u64,
}
