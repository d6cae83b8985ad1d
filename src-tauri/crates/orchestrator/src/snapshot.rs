//! What is, as everybody may read it: published whole, never locked.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{OrphanBox, Phases};
use paddock_domain::{Disk, HostName, Task, TaskId};

/// All tasks and hosts at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Every task that is not long ended, by id (and so by age).
    pub tasks: BTreeMap<TaskId, Arc<Task>>,
    /// Whether what earlier lives left is still being looked for.
    pub loading: bool,
    /// What of it.
    pub phases: Phases,
    /// Repositories that are not where their tasks know them, with the reason, as found at start.
    pub missing: BTreeMap<String, String>,
    /// Boxes that carry our label and belong to no task; never deleted by themselves.
    pub orphans: Vec<OrphanBox>,
    /// Most tasks that may work at once on each host.
    pub parallel_tasks: usize,
    /// The same for hosts for which it was changed.
    pub parallel_on: BTreeMap<HostName, usize>,
    /// The disk that holds the journals, as it was last told.
    pub disk: Disk,
}

impl Snapshot {
    /// Something of what earlier lives left has been looked for.
    pub(crate) fn looked(&mut self, done: impl FnOnce(&mut Phases)) {
        done(&mut self.phases);
        self.loading = self.phases.any();
    }

    /// Most tasks that may work at once on `host`.
    #[must_use]
    pub fn limit(&self, host: &HostName) -> usize {
        self.parallel_on
            .get(host)
            .copied()
            .unwrap_or(self.parallel_tasks)
    }
}
