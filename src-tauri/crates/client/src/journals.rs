//! Journals as files: what there is, whether it is whole, mending it, and what is kept too long.

use paddock_api::{ExpiredList, Page, RepairRequest, RetentionRequest, paths};
use paddock_domain::{JournalCheck, JournalFile, JournalRepair, TaskId};

use crate::query::with_query;
use crate::{Client, ClientError};

impl Client {
    /// Every journal on the disk, oldest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn journals(&self) -> Result<Vec<JournalFile>, ClientError> {
        Ok(self.get::<Page<JournalFile>>(paths::JOURNALS).await?.items)
    }

    /// Reads a task's whole journal on the server and says what is wrong with it.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn verify_journal(&self, task: &TaskId) -> Result<JournalCheck, ClientError> {
        self.get(&paths::fill(paths::TASK_JOURNAL, &[task.as_str()]))
            .await
    }

    /// Mends a task's journal.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] while it is being written or beyond repair.
    pub async fn repair_journal(
        &self,
        task: &TaskId,
        request: &RepairRequest,
    ) -> Result<JournalRepair, ClientError> {
        let path = paths::fill(paths::TASK_JOURNAL_REPAIR, &[task.as_str()]);
        self.post(&path, request).await
    }

    /// What is kept too long.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn expired(&self, request: &RetentionRequest) -> Result<ExpiredList, ClientError> {
        self.get(&with_query(paths::RETENTION, request)).await
    }

    /// Removes it.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn let_go(&self, request: &RetentionRequest) -> Result<ExpiredList, ClientError> {
        self.post(paths::RETENTION, request).await
    }
}
