//! Tasks that ended long ago: on demand, read from their journals and kept nowhere.
//!
//! Their number has no bound, so nothing of them is in the snapshot and they have no feed. A look at one
//! costs a fold of its journal, which the index shortens.

use std::cmp::Reverse;
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use paddock_domain::{Task, TaskId};
use paddock_store::StoreError;

use crate::live::Feed;
use crate::{CommandError, EventStream, Orchestrator};

impl Orchestrator {
    /// One task, however long ago it ended.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`], or that its journal cannot be read.
    pub async fn task_of_any_age(&self, id: &TaskId) -> Result<Arc<Task>, CommandError> {
        if let Ok(task) = self.task(id) {
            return Ok(task);
        }
        match self.rooms.store.task(id).await {
            Ok(task) => Ok(Arc::new(task)),
            Err(StoreError::NoSuchTask { .. }) => Err(CommandError::no_such_task(id)),
            Err(error) => Err(CommandError::failed(error)),
        }
    }

    /// Tasks that ended long before this start, newest first: at most `most` of those older than the id
    /// `before`.
    ///
    /// # Errors
    /// That the index or a journal cannot be read.
    pub async fn older(
        &self,
        before: Option<&str>,
        most: usize,
    ) -> Result<Vec<Task>, CommandError> {
        let listed = self.rooms.store.older().await;
        let listed = listed.map_err(CommandError::failed)?;
        let ids = listed.into_iter().map(|listed| listed.task_id);
        let mut ids: Vec<TaskId> = ids
            .filter(|id| before.is_none_or(|before| id.as_str() < before))
            .collect();
        ids.sort_by_key(|id| Reverse(id.clone()));
        let mut tasks = Vec::new();
        for id in ids.iter().take(most) {
            let task = self.rooms.store.task(id).await;
            tasks.push(task.map_err(CommandError::failed)?);
        }
        Ok(tasks)
    }

    /// The history of a task without a feed, and then nothing: nothing happens to it any more.
    pub(crate) fn settled_events(
        &self,
        id: &TaskId,
        since_seq: u64,
    ) -> Result<EventStream, CommandError> {
        if !self.rooms.store.knows(id) {
            return Err(CommandError::no_such_task(id));
        }
        let feed = Feed::new(id.clone(), Feed::for_all());
        let history = feed.subscribe(self.rooms.store.reader(id), since_seq);
        // The feed is kept: its end would be told as an end of the stream, and clients would come again.
        let held = stream::pending().map(move |never| {
            let _ = &feed;
            never
        });
        Ok(Box::pin(stream::select(history, held)))
    }
}
