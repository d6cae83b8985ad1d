//! More memory for a task whose box ran out of it.

use paddock_boxes::BoxError;
use paddock_domain::{BoxSpec, TaskId};

use crate::{CommandError, Orchestrator};

impl Orchestrator {
    /// Revives a task in a container with another memory limit, in MiB. The limit stays for all later
    /// lives of the box, also when the task cannot be revived just now.
    ///
    /// # Errors
    /// [`CommandError::NotNow`], [`CommandError::Invalid`] for a limit out of bounds,
    /// [`CommandError::Bad`] for a worktree, [`CommandError::Failed`] when the engine refuses.
    pub async fn revive_with_memory(&self, id: &TaskId, mib: u64) -> Result<(), CommandError> {
        self.task(id)?;
        let wanted = BoxSpec {
            memory_mib: Some(mib),
            ..BoxSpec::default()
        };
        wanted.check()?;
        match self.rooms.boxes.limit_memory(id, mib).await {
            Ok(()) => self.revive(id).await,
            Err(error @ BoxError::NoLimit { .. }) => Err(CommandError::bad(error)),
            Err(error) => Err(CommandError::failed(error)),
        }
    }
}
