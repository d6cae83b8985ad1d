//! What boxes use and what runs in them.

use paddock_api::{
    Accepted, Page, ProcessList, ReviveRequest, SignalRequest, TaskStatistics, paths,
};
use paddock_domain::TaskId;
use reqwest::Method;

use crate::{Client, ClientError};

impl Client {
    /// What every box uses, without history.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn all_statistics(&self) -> Result<Vec<TaskStatistics>, ClientError> {
        Ok(self
            .get::<Page<TaskStatistics>>(paths::STATISTICS)
            .await?
            .items)
    }

    /// What a task's box uses, and used in the last ten minutes.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn statistics(&self, task: &TaskId) -> Result<TaskStatistics, ClientError> {
        self.get(&paths::fill(paths::TASK_STATISTICS, &[task.as_str()]))
            .await
    }

    /// What runs in a task's box.
    ///
    /// # Errors
    /// [`ClientError`]; `conflict` when the box does not run.
    pub async fn processes(&self, task: &TaskId) -> Result<ProcessList, ClientError> {
        self.get(&paths::fill(paths::TASK_PROCESSES, &[task.as_str()]))
            .await
    }

    /// Starts the agent again in a container with another memory limit, in MiB.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn revive_with_memory(
        &self,
        task: &TaskId,
        mib: u64,
    ) -> Result<Accepted, ClientError> {
        let request = ReviveRequest {
            memory_mib: Some(mib),
        };
        self.post(&paths::fill(paths::TASK_REVIVE, &[task.as_str()]), &request)
            .await
    }

    /// Sends a signal to a process in a task's box.
    ///
    /// # Errors
    /// [`ClientError`]; `conflict` when it is not that process any more.
    pub async fn signal(
        &self,
        task: &TaskId,
        pid: u32,
        request: &SignalRequest,
    ) -> Result<Accepted, ClientError> {
        let pid = pid.to_string();
        let path = paths::fill(paths::TASK_PROCESS_SIGNAL, &[task.as_str(), &pid]);
        self.call(Method::POST, &path, Some(request)).await
    }
}
