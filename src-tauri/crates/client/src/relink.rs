//! Telling a task where its repository is now.

use paddock_api::{Accepted, paths};
use paddock_domain::{RelinkRequest, TaskId};

use crate::call::of;
use crate::{Client, ClientError};

impl Client {
    /// Tells a task that its repository was moved.
    ///
    /// # Errors
    /// [`ClientError`]; `conflict` when it is another repository, or its container has to be stopped first.
    pub async fn relink(
        &self,
        task: &TaskId,
        request: &RelinkRequest,
    ) -> Result<Accepted, ClientError> {
        self.post(&of(paths::TASK_RELINK, task), request).await
    }
}
