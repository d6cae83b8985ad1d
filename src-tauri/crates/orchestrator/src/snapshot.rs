//! What is, as everybody may read it: published whole, never locked.

use std::collections::BTreeMap;
use std::sync::Arc;

use paddock_domain::{HostName, Task, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// All tasks and hosts at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Every task that is not long ended, by id (and so by age).
    pub tasks: BTreeMap<TaskId, Arc<Task>>,
    /// Whether boxes left by an earlier life are still being looked for.
    pub loading: bool,
    /// Boxes that carry our label and belong to no task; never deleted by themselves.
    pub orphans: Vec<OrphanBox>,
    /// Most tasks that may work at once on each host.
    pub parallel_tasks: usize,
}

/// A box that belongs to no task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrphanBox {
    /// The task it says it belongs to.
    pub task_id: TaskId,
    /// Its host.
    pub host: HostName,
    /// A container's name or a directory.
    pub name: String,
    /// What can be done with it.
    pub advice: String,
}
