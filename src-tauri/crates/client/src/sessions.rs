//! Sessions of agents: the user's own, and those of a task.

use paddock_api::{Accepted, AdoptRequest, Page, SessionQuery, paths};
use paddock_domain::{PastSession, RequestKey, Task, TaskId};

use crate::call::of;
use crate::query::with_query;
use crate::retry::{again, new_key};
use crate::{Client, ClientError};

impl Client {
    /// Sessions that agents keep outside Paddock, newest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn agent_sessions(
        &self,
        query: &SessionQuery,
    ) -> Result<Vec<PastSession>, ClientError> {
        let path = with_query(paths::AGENT_SESSIONS, query);
        Ok(self.get::<Page<PastSession>>(&path).await?.items)
    }

    /// Creates a task that goes on with one of them; tried again as [`Client::create`] is.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::NotFound`] when there is no such session.
    pub async fn adopt_session(&self, request: &AdoptRequest) -> Result<Task, ClientError> {
        let mut request = request.clone();
        if request.task.request_key.is_none() {
            request.task.request_key = RequestKey::parse(&new_key()).ok();
        }
        again(async || self.post(paths::AGENT_SESSIONS_ADOPT, &request).await).await
    }

    /// The agent's sessions in a task's box.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn task_sessions(&self, task: &TaskId) -> Result<Vec<PastSession>, ClientError> {
        let path = of(paths::TASK_AGENT_SESSIONS, task);
        Ok(self.get::<Page<PastSession>>(&path).await?.items)
    }

    /// Starts a task's agent again with another of its sessions.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn revive_with(
        &self,
        task: &TaskId,
        session_id: &str,
    ) -> Result<Accepted, ClientError> {
        let ids = [task.as_str(), session_id];
        self.tell(&paths::fill(paths::TASK_AGENT_SESSION_REVIVE, &ids))
            .await
    }
}
