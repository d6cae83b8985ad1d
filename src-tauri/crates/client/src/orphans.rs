//! Boxes without a task.

use paddock_api::{OrphanBox, Page, RemoveOrphanRequest, TaskView, paths};
use paddock_domain::{HostName, TaskId};

use crate::{Client, ClientError};

impl Client {
    /// Boxes that belong to no task, looked for anew.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn orphans(&self, host: &HostName) -> Result<Vec<OrphanBox>, ClientError> {
        let path = paths::fill(paths::HOST_ORPHANS, &[host.as_str()]);
        Ok(self.get::<Page<OrphanBox>>(&path).await?.items)
    }

    /// Makes a task of a box without one.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when too little of it is left.
    pub async fn adopt_orphan(
        &self,
        host: &HostName,
        task: &TaskId,
    ) -> Result<TaskView, ClientError> {
        let path = paths::fill(paths::HOST_ORPHAN_ADOPT, &[host.as_str(), task.as_str()]);
        self.tell(&path).await
    }

    /// Removes a box without a task, its work into the trash first; gives those that are left.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::WouldLose`] asks for `force`.
    pub async fn remove_orphan(
        &self,
        host: &HostName,
        task: &TaskId,
        request: &RemoveOrphanRequest,
    ) -> Result<Vec<OrphanBox>, ClientError> {
        let path = paths::fill(paths::HOST_ORPHAN_REMOVE, &[host.as_str(), task.as_str()]);
        let left: Page<OrphanBox> = self.post(&path, request).await?;
        Ok(left.items)
    }
}
