//! Places for tasks at work on a host, and the line of those that wait for one.

use paddock_domain::{HostName, LineEnd, StateName, Task, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a task that waits for a place stands in the line of its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskPlace {
    /// The host.
    pub host: HostName,
    /// Its place in the line, from 1.
    pub position: u64,
    /// How many wait.
    pub of: u64,
    /// How many may work at once.
    pub limit: u64,
    /// How many do.
    pub held: u64,
    /// Who they are; at most [`Self::HOLDERS_MAX`] of them.
    pub held_by: Vec<TaskName>,
    /// All of it in one sentence.
    pub reason: String,
}

impl TaskPlace {
    /// Most tasks at work that are named.
    pub const HOLDERS_MAX: usize = 8;
}

/// A task by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskName {
    /// Its id.
    pub task_id: TaskId,
    /// What heads it.
    pub title: String,
    /// Where it is in its life.
    pub state: StateName,
}

impl From<&Task> for TaskName {
    fn from(task: &Task) -> Self {
        Self {
            task_id: task.task_id.clone(),
            title: task.title.clone(),
            state: task.state,
        }
    }
}

/// Moves a task in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceRequest {
    /// Where to.
    pub to: LineEnd,
}

/// Changes how much a host does at once, until Paddock ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostRequest {
    /// Most tasks at work at once, 1 to 256.
    pub parallel_tasks: u64,
}
