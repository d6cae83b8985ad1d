//! A task's journal as a file: compressed when the task has rested for long (the next thing that happens
//! opens it again), and how it was found after a start.

use std::time::Duration;

use paddock_domain::{Body, NoticeLevel};

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

    /// Says in the conversation how the journal was found.
    pub(super) async fn tell_found(&mut self, words: Vec<String>) {
        let notice = |text| Body::Notice {
            level: NoticeLevel::Warning,
            phase: None,
            text,
        };
        if let Err(error) = self.write(words.into_iter().map(notice).collect()).await {
            tracing::warn!(task.id = %self.task().task_id, %error, "how the journal was found is not in it");
        }
    }
}
