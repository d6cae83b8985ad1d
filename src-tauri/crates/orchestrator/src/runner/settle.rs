//! A task that has rested for long: its journal is compressed. The next thing that happens opens it again.

use std::time::Duration;

use super::Runner;
use crate::ids;
use crate::keeping::rests_for;

impl Runner {
    /// Compresses the journal, unless something is about to happen.
    pub(super) async fn settle_journal(&mut self) {
        let rests = rests_for(self.task(), Duration::ZERO, ids::now()).is_some();
        let busy = self.doing.is_some() || self.run.is_some() || !self.jobs.is_empty();
        if busy || !rests {
            return;
        }
        if let Err(error) = self.journal.pack().await {
            tracing::warn!(task.id = %self.task().task_id, %error, "the journal stays as it is");
        }
    }
}
