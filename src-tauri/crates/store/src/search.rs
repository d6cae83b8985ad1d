//! Search in what was said and done: an FTS5 index beside the journals, in a file of its own.
//!
//! It is never the truth and never in the way. Nobody who appends waits for it: it reads journals, from
//! where it left off, when it is told that they grew ([`Search::grown`]), and those that it does not know
//! when nothing else is to do. A file that is broken or of another version is deleted and filled again.
//! What it holds of a task is a function of the task's journal alone, so a rebuild finds what it found.
//!
//! Start at [`Search::index`] for how it is fed, at [`Search::find`] for what it finds.

mod feed;
mod find;
mod query;
mod tables;
mod words;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use paddock_domain::{HarnessName, SearchKind, TaskId, Timestamp};
use sqlx::SqlitePool;
use tokio::sync::{Mutex, Notify};

use crate::{StoreError, file};

pub use query::{BadQuery, SearchQuery};

/// Most hits that are ranked, the latest ones of those that match.
pub const CANDIDATES: usize = 5_000;

/// One event that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its task.
    pub task_id: TaskId,
    /// The task's title.
    pub title: String,
    /// The task's harness when it was created.
    pub harness: HarnessName,
    /// Its number in the journal.
    pub seq: u64,
    /// When it happened.
    pub at: Timestamp,
    /// What kind of words it has.
    pub kind: SearchKind,
    /// The words around what matches.
    pub snippet: String,
    /// What matches: ranges of characters of [`Self::snippet`], ascending.
    pub marks: Vec<(u32, u32)>,
}

/// A page of hits, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    /// The hits.
    pub hits: Vec<Hit>,
    /// How many were ranked, at most [`CANDIDATES`].
    pub ranked: usize,
    /// Whether older ones match that were not ranked.
    pub more: bool,
}

/// The index over the words of all journals.
#[derive(Debug)]
pub(crate) struct Search {
    path: PathBuf,
    pools: Mutex<Option<Pools>>,
    growth: Arc<Growth>,
}

/// Connections to the file.
#[derive(Clone, Debug)]
struct Pools {
    writer: SqlitePool,
    readers: SqlitePool,
}

/// Tasks whose journals grew since somebody looked. Marking never waits for the index.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    tasks: StdMutex<BTreeSet<TaskId>>,
    news: Notify,
}

impl Growth {
    /// Says that the journal of `id` grew.
    pub(crate) fn mark(&self, id: &TaskId) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        if !tasks.contains(id) {
            tasks.insert(id.clone());
            self.news.notify_one();
        }
    }

    /// Waits until one grew and takes all that did.
    pub(crate) async fn take(&self) -> BTreeSet<TaskId> {
        loop {
            let grown =
                std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
            if !grown.is_empty() {
                return grown;
            }
            self.news.notified().await;
        }
    }
}

impl Search {
    /// The index at `path`; nothing is opened yet.
    pub(crate) fn new(path: PathBuf, growth: Arc<Growth>) -> Self {
        Self {
            path,
            pools: Mutex::new(None),
            growth,
        }
    }

    /// Waits until journals grew, and says which.
    pub(crate) async fn grown(&self) -> BTreeSet<TaskId> {
        self.growth.take().await
    }

    /// Closes the file.
    pub(crate) async fn close(&self) {
        if let Some(pools) = self.pools.lock().await.take() {
            pools.close().await;
        }
    }

    async fn pools(&self) -> Result<Pools, StoreError> {
        let mut open = self.pools.lock().await;
        if let Some(pools) = &*open {
            return Ok(pools.clone());
        }
        let pools = match tables::open(&self.path).await {
            Ok(pools) => pools,
            Err(error) => {
                tracing::info!(%error, "the search index is made anew");
                file::remove_database(&self.path);
                tables::open(&self.path).await?
            }
        };
        *open = Some(pools.clone());
        Ok(pools)
    }

    /// Gives a failure on; after one that says that the file is broken, the next call makes a new one.
    async fn failed(&self, error: sqlx::Error) -> StoreError {
        if tables::is_broken(&error) {
            tracing::warn!(%error, "the search index is broken and is made anew");
            self.close().await;
            file::remove_database(&self.path);
        }
        error.into()
    }
}

impl Pools {
    async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}
