//! What is around the tasks: this Paddock, its hosts, repositories, agent programs and settings.

use std::collections::BTreeMap;

use paddock_domain::{
    CommitPreview, HarnessName, HostName, Program, SquashPreview, TaskId, Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// It serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// Whether boxes left by an earlier life are still being looked for.
    pub loading: bool,
}

/// Which Paddock this is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VersionInfo {
    /// The program's version.
    pub version: String,
    /// The API's version, the `v1` of its paths.
    pub api: String,
}

/// A machine that holds boxes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostView {
    /// Its name.
    pub name: HostName,
    /// Most tasks that may work at once.
    pub parallel_tasks: u64,
    /// Tasks that hold a place now.
    pub working: u64,
    /// Tasks that wait for a place.
    pub pending: u64,
    /// Boxes that belong to no task; never deleted by themselves.
    pub orphans: Vec<OrphanBox>,
}

/// A box that belongs to no task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrphanBox {
    /// The task it says it belongs to.
    pub task_id: TaskId,
    /// A container's name or a directory.
    pub name: String,
    /// What can be done with it.
    pub advice: String,
}

/// A repository that tasks have used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KnownRepository {
    /// Its path on the host.
    pub path: String,
    /// How many tasks have used it.
    pub tasks: u64,
    /// When the last of them was created.
    pub last_used_at: Timestamp,
}

/// A look at a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepositoryInfo {
    /// Its path on the host.
    pub path: String,
    /// Whether it has no work tree.
    pub bare: bool,
    /// Whether parts of its history are missing.
    pub shallow: bool,
    /// Whether it has no commit yet.
    pub empty: bool,
    /// The branch that is checked out; absent when it is detached or bare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_branch: Option<String>,
    /// The branch that others merge into, as far as it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<String>,
    /// Its local branches.
    pub branches: Vec<String>,
    /// Its remotes by name, with credentials blotted out of their addresses.
    pub remotes: BTreeMap<String, String>,
    /// Files with changes that no commit holds; a task does not see them.
    pub uncommitted: u64,
}

/// An agent program and what is there of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HarnessView {
    /// Its name.
    pub name: HarnessName,
    /// What it is called by people.
    pub title: String,
    /// The version that Paddock was tested with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned_version: Option<String>,
    /// What is installed.
    pub installed: Vec<Program>,
    /// What it can: `resume`, `interrupt`, `approvals`, …
    pub abilities: Vec<String>,
    /// Names of provider variables that it reads and that are set; never their values.
    pub provider_variables: Vec<String>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// Whether it is as it should be.
    pub ok: bool,
    /// What was found.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// What is chosen. Secrets read `***`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsView {
    /// Every setting by its dotted name.
    #[schema(value_type = Object)]
    pub values: BTreeMap<String, serde_json::Value>,
    /// The file that they are read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// What would be committed, by repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommitPreviewList {
    /// One entry a repository.
    pub repositories: Vec<CommitPreview>,
}

/// A commit was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommitMade {
    /// Its id.
    pub commit: String,
}

/// What a squash would do, by repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SquashList {
    /// One entry a repository.
    pub repositories: Vec<SquashPreview>,
}
