//! Another memory limit for a box that stands: what a task that ran out of memory is revived with.

use paddock_docker::EngineError;
use paddock_domain::{BoxKind, TaskId};

use crate::boxes::gone;
use crate::locate::locate;
use crate::{BoxError, Boxes};

impl Boxes {
    /// Gives the container of a task another memory limit, in MiB: at once, and in all its later lives.
    ///
    /// # Errors
    /// [`BoxError::BoxGone`] without a box, [`BoxError::NoLimit`] for a worktree box, and that the engine
    /// cannot be asked or refuses; nothing has changed then.
    pub async fn limit_memory(&self, task: &TaskId, mib: u64) -> Result<(), BoxError> {
        let Some(mut record) = self.record(task)? else {
            return Err(BoxError::BoxGone { task: task.clone() });
        };
        if record.kind == BoxKind::Worktree {
            return Err(BoxError::NoLimit { task: task.clone() });
        }
        let engine = self.engine().await?.engine;
        // What only has the name of the box is somebody else's, and the box itself is gone then.
        let found = locate(&engine, &record, &self.inner.data_mark).await;
        if let Some(container) = found.or_else(gone)? {
            let limited = engine.limit_memory(&container.id, mib.saturating_mul(1 << 20));
            match limited.await {
                // One that is made again is made from the record.
                Ok(()) | Err(EngineError::NoSuchContainer { .. }) => {}
                Err(error) => return self.noted(Err(error)).await,
            }
        }
        record.memory_mib = mib;
        record.write(&self.dirs(task))
    }
}
