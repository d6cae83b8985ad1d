//! Reading journals by their numbers, for doors that keep an order of their own.

use bytes::Bytes;
use paddock_domain::TaskId;
use paddock_store::StoreError;

use crate::{CommandError, Orchestrator};

impl Orchestrator {
    /// Waits until the task that is shown has event `seq`.
    pub(crate) async fn shown(&self, id: &TaskId, seq: u64) -> Result<(), CommandError> {
        let mut published = self.published.clone();
        let shown = published.wait_for(|now| {
            let task = now.snapshot.tasks.get(id);
            task.is_none_or(|task| task.last_seq >= seq)
        });
        shown
            .await
            .map(drop)
            .map_err(|_| CommandError::ShuttingDown)
    }

    /// How far the journal of every task reaches, ahead of everything that is told of them.
    #[must_use]
    pub fn reached(&self) -> Vec<(TaskId, u64)> {
        let snapshot = self.snapshot();
        let tasks = snapshot.tasks.keys();
        tasks
            .map(|id| (id.clone(), self.rooms.store.reader(id).last_seq()))
            .collect()
    }

    /// Event `seq` of a task as it stands in the journal; nothing when there is none.
    ///
    /// # Errors
    /// That the journal is not there or cannot be read.
    pub async fn line_of(&self, id: &TaskId, seq: u64) -> Result<Option<Bytes>, StoreError> {
        let Some(before) = seq.checked_sub(1) else {
            return Ok(None);
        };
        // A page has one line at least.
        let (page, _) = self.rooms.store.reader(id).page(before, 1).await?;
        Ok(page.into_iter().next())
    }
}
