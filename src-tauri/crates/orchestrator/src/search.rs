//! Search in the history of all tasks, and keeping its index up to date beside everything else.
//!
//! The index is fed after a start has found what is there, one journal at a time, and from then on when
//! journals grow: nothing that an agent says waits for it. A journal that was read is not read again.
//!
//! Start at [`Orchestrator::search`].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use paddock_domain::TaskId;
use paddock_store::{Hits, SearchQuery, StoreError};
use tokio::sync::watch;

use crate::published::Published;
use crate::rooms::Rooms;
use crate::{CommandError, Orchestrator, ids};

/// How long what was appended waits to be found, so that a storm of events is taken in one go.
const GATHERED_FOR: Duration = Duration::from_millis(500);

/// How long a start is left alone before journals are read that search does not know.
const START_FIRST: Duration = Duration::from_secs(2);

/// How many journals are still to be read.
#[derive(Debug, Default)]
pub(crate) struct Unread(AtomicUsize);

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The hits.
    pub hits: Hits,
    /// Journals that are still being read for the first time: what they say is not found yet.
    pub unread: usize,
}

impl Orchestrator {
    /// What `text` finds, best first: at most `limit` hits after the first `skip`.
    ///
    /// # Errors
    /// [`CommandError::Bad`] when `text` is no search, with what to type.
    pub async fn search(
        &self,
        text: &str,
        skip: usize,
        limit: usize,
    ) -> Result<Found, CommandError> {
        let query = SearchQuery::parse(text, ids::now()).map_err(CommandError::bad)?;
        let hits = self.rooms.store.search(&query, skip, limit).await;
        Ok(Found {
            hits: hits.map_err(CommandError::failed)?,
            unread: self.rooms.unread.0.load(Ordering::Relaxed),
        })
    }
}

/// Keeps the index up to date.
pub(crate) async fn feed(rooms: Arc<Rooms>, mut published: watch::Receiver<Published>) {
    let read = published.wait_for(|now| !now.snapshot.phases.journals);
    if read.await.is_err() {
        return; // Paddock ends
    }
    let mut behind = match rooms.store.search_behind().await {
        Ok(behind) => behind,
        Err(error) => {
            tracing::warn!(%error, "search finds what happens from now on");
            Vec::new()
        }
    };
    rooms.unread.0.store(behind.len(), Ordering::Relaxed);
    if !behind.is_empty() {
        tokio::time::sleep(START_FIRST).await;
    }
    behind.reverse(); // the latest are taken first, from the end
    while let Some(id) = behind.pop() {
        rooms.unread.0.store(behind.len() + 1, Ordering::Relaxed);
        read_on(&rooms, &id).await;
    }
    rooms.unread.0.store(0, Ordering::Relaxed);
    loop {
        let grown: BTreeSet<TaskId> = rooms.store.grown().await;
        tokio::time::sleep(GATHERED_FOR).await;
        for id in grown {
            read_on(&rooms, &id).await;
        }
    }
}

async fn read_on(rooms: &Rooms, id: &TaskId) {
    match rooms.store.index_words(id).await {
        Ok(()) | Err(StoreError::Closed) => {}
        Err(error) => {
            tracing::debug!(task.id = %id, %error, "its newest words are not found until it grows");
        }
    }
}
