//! Boxes without a task.

use paddock_domain::{BoxKind, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A box that belongs to no task: its journal is lost, or it was made by an older copy of the data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrphanBox {
    /// The task it says it belongs to.
    pub task_id: TaskId,
    /// A container's name or a directory.
    pub name: String,
    /// What it is made of, where that can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BoxKind>,
    /// How it stands, in a few words.
    #[serde(default)]
    pub state: String,
    /// Its repositories, by their paths on the host.
    #[serde(default)]
    pub repositories: Vec<String>,
    /// Whether it can be made a task again.
    #[serde(default)]
    pub adoptable: bool,
    /// What can be done with it.
    pub advice: String,
}

/// Removes a box without a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RemoveOrphanRequest {
    /// Remove it even where nothing of its work can be kept.
    pub force: bool,
}

/// How far the looks are that a start takes side by side; all of them are done some time later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Phases {
    /// Journals: tasks are shown as they were last known.
    pub journals: PhaseState,
    /// Repositories: one that was moved or deleted is not told yet.
    pub repositories: PhaseState,
    /// Hosts: boxes without a task are not told yet.
    pub hosts: PhaseState,
}

/// How far one of them is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseState {
    /// Under way.
    Loading,
    /// All is known.
    #[default]
    Done,
}

impl PhaseState {
    /// Loading, or done.
    #[must_use]
    pub fn of(loading: bool) -> Self {
        if loading { Self::Loading } else { Self::Done }
    }
}
