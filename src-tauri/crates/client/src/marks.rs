//! How a user keeps tasks in their lists.

use paddock_api::{Accepted, ArchiveRequest, AsideRequest, paths};
use paddock_domain::TaskId;

use crate::call::of;
use crate::{Client, ClientError};

impl Client {
    /// Puts aside what a task calls for, or takes it up again.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::NotNow`] when it calls for nothing.
    pub async fn put_aside(
        &self,
        task: &TaskId,
        request: &AsideRequest,
    ) -> Result<Accepted, ClientError> {
        self.post(&of(paths::TASK_ASIDE, task), request).await
    }

    /// Puts a task into the archive, or takes it out.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::NotNow`] while an agent is in it.
    pub async fn archive(&self, task: &TaskId, archived: bool) -> Result<Accepted, ClientError> {
        let request = ArchiveRequest { archived };
        self.post(&of(paths::TASK_ARCHIVE, task), &request).await
    }
}
