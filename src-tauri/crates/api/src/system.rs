//! What is around the tasks: this Paddock, its hosts, repositories, agent programs and settings.

use paddock_domain::{
    ApprovalScope, CommitPreview, Disk, HarnessName, HostName, PermissionMode, Program,
    SquashPreview, Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{KeyView, OrphanBox, Phases, TaskName};

/// It serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// Whether what earlier lives left is still being looked for.
    pub loading: bool,
    /// What of it.
    #[serde(default)]
    pub phases: Phases,
    /// Whether there is room on the disk that holds the journals.
    pub disk: Disk,
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
    /// Those that hold a place, oldest first.
    pub at_work: Vec<TaskName>,
    /// Those that wait for one, in the order in which they are served.
    pub line: Vec<TaskName>,
    /// Boxes that belong to no task; never deleted by themselves.
    pub orphans: Vec<OrphanBox>,
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
    /// Why it could not be worked on when Paddock started: moved, deleted, damaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A look at a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepositoryInfo {
    /// The checkout's top directory.
    pub path: String,
    /// The branch it stands on; absent when a commit alone is checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The branch that others call the main one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<String>,
    /// Names of its remotes.
    pub remotes: Vec<String>,
    /// Whether it has changes that no commit holds; a task does not see them.
    pub dirty: bool,
    /// Whether its history is cut off.
    pub shallow: bool,
    /// What a user should know before a task starts from it.
    pub notices: Vec<String>,
    /// Names that a task can start from, most recent first; the first of them.
    #[serde(default)]
    pub branches: Vec<String>,
}

/// An agent program and what is there of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HarnessView {
    /// Its name.
    pub name: HarnessName,
    /// The versions that Paddock is tested with, newest last.
    pub versions: Vec<String>,
    /// What is installed, newest last.
    pub installed: Vec<Program>,
    /// What it can do. A client offers nothing that is not here.
    pub abilities: Abilities,
    /// Names of provider variables that are set for it; never their values.
    pub provider_set: Vec<String>,
    /// Where each of them comes from, and what is passed over for it.
    #[serde(default)]
    pub keys: Vec<KeyView>,
}

/// What a harness can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools)] // independent facts, each shown by itself
pub struct Abilities {
    /// A later run can go on with the session of an earlier one.
    pub resume: bool,
    /// A turn can be ended while the run lives on.
    pub interrupt: bool,
    /// A message during a turn reaches the agent within that turn.
    pub steer: bool,
    /// How far an approval can reach; empty when the agent never asks.
    pub approvals: Vec<ApprovalScope>,
    /// Which permission modes it has.
    pub permission_modes: Vec<PermissionMode>,
    /// The agent can ask questions of its own.
    pub questions: bool,
    /// Which models can be chosen.
    pub models: ModelChoice,
    /// The model can be changed while the run lives.
    pub model_switch: bool,
    /// How hard it can be told to think, least first; empty when it cannot be told.
    pub efforts: Vec<String>,
    /// The effort can be changed while the run lives.
    #[serde(default)]
    pub effort_switch: bool,
    /// The permission mode can be changed while the run lives.
    #[serde(default)]
    pub mode_switch: bool,
    /// Its context can be shortened on request.
    #[serde(default)]
    pub compact: bool,
    /// Its context can be emptied on request.
    #[serde(default)]
    pub clear: bool,
    /// The input of a call that it asks for can be edited.
    #[serde(default)]
    pub edited_input: bool,
    /// Sessions that a user had with the program outside Paddock can be gone on with.
    #[serde(default)]
    pub adopt: bool,
    /// It takes images.
    pub images: bool,
}

/// Which models a harness takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum ModelChoice {
    /// None can be chosen.
    Fixed,
    /// Any name that the provider knows; these are known to work.
    Free {
        /// Names or aliases to suggest.
        suggestions: Vec<String>,
    },
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
