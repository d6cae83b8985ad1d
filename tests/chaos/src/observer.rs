//! Eyes on one task, over every loss of the connection and every death of the server.
//!
//! Invariant: what was told once is remembered as it was told, so that what is in the journal later can
//! be held against it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use paddock_client::{EventFeed, FeedItem};
use paddock_domain::TaskId;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::door::Door;
use crate::journal;

/// Pause before a feed that broke is begun again.
const PAUSE: Duration = Duration::from_millis(20);

/// One event as it was told: its bytes and what they say.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) json: String,
    pub(crate) event: Arc<Value>,
}

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct Observer {
    pub(crate) task: TaskId,
    told: Arc<Mutex<Vec<Told>>>,
    count: watch::Receiver<usize>,
    complaint: Arc<Mutex<Option<String>>>,
    looking: JoinHandle<()>,
}

impl Observer {
    /// Watches `task` from its first event.
    pub(crate) fn of(task: TaskId, door: Door) -> Self {
        let told: Arc<Mutex<Vec<Told>>> = Arc::default();
        let complaint: Arc<Mutex<Option<String>>> = Arc::default();
        let (sender, count) = watch::channel(0);
        let eyes = Eyes {
            door,
            task: task.clone(),
            told: told.clone(),
            complaint: complaint.clone(),
            count: sender,
        };
        let looking = tokio::task::spawn_local(eyes.look());
        Self {
            task,
            told,
            count,
            complaint,
            looking,
        }
    }

    /// All that was told so far, in order.
    pub(crate) fn told(&self) -> Vec<Told> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.clone()
    }

    /// The events of [`Self::told`].
    pub(crate) fn events(&self) -> Vec<Arc<Value>> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.iter().map(|told| told.event.clone()).collect()
    }

    /// How the stream itself broke its promise, if it did.
    pub(crate) fn complaint(&self) -> Option<String> {
        let complaint = self
            .complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        complaint.clone()
    }

    /// The state that the task is in, as far as was told.
    pub(crate) fn state(&self) -> String {
        journal::state(&self.events()).to_owned()
    }

    /// Waits until `found` finds what it wants among the events; none when it does not within `bound`.
    pub(crate) async fn until<T>(
        &self,
        bound: Duration,
        mut found: impl FnMut(&[Arc<Value>]) -> Option<T>,
    ) -> Option<T> {
        let mut count = self.count.clone();
        let waiting = async {
            loop {
                count.borrow_and_update();
                if let Some(found) = found(&self.events()) {
                    return Some(found);
                }
                if count.changed().await.is_err() {
                    return None;
                }
            }
        };
        tokio::time::timeout(bound, waiting).await.ok().flatten()
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.looking.abort();
    }
}

struct Eyes {
    door: Door,
    task: TaskId,
    told: Arc<Mutex<Vec<Told>>>,
    complaint: Arc<Mutex<Option<String>>>,
    count: watch::Sender<usize>,
}

impl Eyes {
    async fn look(mut self) {
        loop {
            let since = *self.count.borrow();
            let client = self.door.client.borrow_and_update().clone();
            let mut feed = client.events(&self.task, u64::try_from(since).unwrap_or(0));
            let mut next = self.door.client.clone();
            tokio::select! {
                () = self.follow(&mut feed) => {}
                // Another server serves; the old one will not answer again.
                _ = next.changed() => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Takes what comes until the feed breaks.
    async fn follow(&self, feed: &mut EventFeed) {
        loop {
            match feed.next().await {
                Ok(FeedItem::Event(line)) => self.take(line.json),
                Ok(
                    FeedItem::Delta(_)
                    | FeedItem::Link(_)
                    | FeedItem::Statistics(_)
                    | FeedItem::Ready,
                ) => {}
                Ok(FeedItem::Reset(_)) => return self.complain("a cursor of ours is unknown"),
                Ok(FeedItem::Reconnecting { .. }) | Err(_) => return,
            }
        }
    }

    fn take(&self, json: String) {
        let Ok(event) = serde_json::from_str::<Value>(&json) else {
            return self.complain(&format!("an event that is no JSON: {json}"));
        };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = told.len() + 1;
        if event["seq"].as_u64() != u64::try_from(wanted).ok() {
            drop(told);
            return self.complain(&format!(
                "event {wanted} was to come, and there came {json}"
            ));
        }
        let event = Arc::new(event);
        told.push(Told { json, event });
        let count = told.len();
        drop(told);
        self.count.send_replace(count);
    }

    fn complain(&self, what: &str) {
        let mut complaint = self
            .complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        complaint.get_or_insert_with(|| what.to_owned());
    }
}
