//! Where writers of journals leave what the index is to know. Of one task only the latest waits, so it
//! never holds more than one entry a task, nobody waits at it, and nothing left there is lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use paddock_domain::TaskId;
use tokio::sync::{Notify, oneshot};

use super::Entry;
use crate::search::Growth;

/// What waits to be written.
#[derive(Debug)]
pub(super) struct Desk {
    /// Nothing once nobody writes any more: what is left then is dropped.
    waiting: Mutex<Option<Waiting>>,
    news: Notify,
    growth: Arc<Growth>,
}

/// What the index's task takes from the desk at once.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The latest of each task.
    pub(super) entries: HashMap<TaskId, Entry>,
    /// Who waits until everything left before is written.
    pub(super) flushes: Vec<oneshot::Sender<()>>,
    /// Whether nothing comes any more.
    pub(super) closing: bool,
}

impl Desk {
    pub(super) fn new() -> Self {
        Self {
            waiting: Mutex::new(Some(Waiting::default())),
            news: Notify::new(),
            growth: Arc::default(),
        }
    }

    /// Leaves `entry` in place of what waits of its task.
    pub(super) fn leave(&self, entry: Entry) {
        let id = entry.snapshot.task.task_id.clone();
        self.growth.mark(&id);
        self.add(|waiting| drop(waiting.entries.insert(id, entry)));
    }

    /// Where search is told which journals grew.
    pub(super) fn growth(&self) -> Arc<Growth> {
        Arc::clone(&self.growth)
    }

    /// Asks to be told when everything left so far is written; fails when nobody writes any more.
    pub(super) fn flush(&self) -> oneshot::Receiver<()> {
        let (done, written) = oneshot::channel();
        self.add(|waiting| waiting.flushes.push(done));
        written
    }

    /// Lets the index's task end when it has written what was left.
    pub(super) fn close(&self) {
        self.add(|waiting| waiting.closing = true);
    }

    /// Waits for news and takes all that waits.
    pub(super) async fn take(&self) -> Waiting {
        self.news.notified().await;
        self.waiting()
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Says that nobody writes any more.
    pub(super) fn shut(&self) {
        *self.waiting() = None;
    }

    fn add(&self, put: impl FnOnce(&mut Waiting)) {
        if let Some(waiting) = self.waiting().as_mut() {
            put(waiting);
        }
        self.news.notify_one();
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
