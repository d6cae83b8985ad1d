//! Telling a task where its repository is now.

use paddock_domain::{RelinkRequest, TaskId};

use crate::runner::Order;
use crate::{CommandError, Orchestrator};

impl Orchestrator {
    /// Tells a task that its repository was moved on the host.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] where there is no repository, [`CommandError::Conflict`] for another one
    /// or when the task has to be stopped first; nothing has changed then.
    pub async fn relink(&self, id: &TaskId, request: RelinkRequest) -> Result<(), CommandError> {
        self.order(id, |reply| Order::Relink(request, reply)).await
    }
}
