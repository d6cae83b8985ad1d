//! Live diff statistics: how far each work tree in the box is from its base.

use serde::{Deserialize, Serialize};

use crate::Confine;

/// Asks for the statistics of some repositories, once or for as long as the stream is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffRequest {
    /// The repositories.
    pub repos: Vec<DiffRepo>,
    /// Whether to go on after the first update, whenever something changed.
    #[serde(default)]
    pub follow: bool,
    /// What git may touch while it counts: its configuration in the box is the agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confine: Option<Confine>,
}

/// One work tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffRepo {
    /// The caller's name for it, given back in every update.
    pub name: String,
    /// Where it is in the box.
    pub path: String,
    /// The commit to compare with; `HEAD` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// The statistics of all repositories of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffUpdate {
    /// In the order of the request.
    pub repos: Vec<RepoDiff>,
}

/// The statistics of one repository: committed, uncommitted and untracked together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepoDiff {
    /// The caller's name for it.
    pub name: String,
    /// Lines added in all files.
    pub added: u64,
    /// Lines deleted in all files.
    pub deleted: u64,
    /// How many files differ, also those that are not listed.
    pub files_changed: u64,
    /// The files, in git's order, at most [`DIFF_FILES`](crate::limits::DIFF_FILES).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileDiff>,
    /// Why there is nothing to say about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The statistics of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    /// Its path in the repository, with what is not UTF-8 replaced.
    pub path: String,
    /// Lines added; absent for a binary file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    /// Lines deleted; absent for a binary file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<u64>,
}
