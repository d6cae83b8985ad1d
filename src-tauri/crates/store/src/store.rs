//! One data directory: its journals, their artifacts and the index over them.
//!
//! Start at [`Store::open`].

pub(crate) mod keeping;
mod searching;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bytes::Bytes;
use paddock_domain::{ArtifactRef, Event, Task, TaskId, Timestamp};
use tokio::sync::Semaphore;

use crate::artifact;
use crate::extent::Extent;
use crate::fold::Snapshot;
use crate::index::{Entry as Indexed, Index};
use crate::layout::Layout;
use crate::ledger::Ledger;
use crate::lock::Lock;
use crate::search::{Growth, Search};
use crate::shelf::{Claim, Shelf};
use crate::{Journal, JournalReader, Listed, OpenReport, StoreError, open};

/// One data directory, held by this process alone. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    layout: Layout,
    index: Index,
    search: Search,
    growth: Arc<Growth>,
    /// Every journal there is. Locked for look-ups alone.
    shelves: RwLock<HashMap<TaskId, Arc<Shelf>>>,
    tasks: Vec<Task>,
    cutoff: Timestamp,
    syncs: Arc<Semaphore>,
    pages: Arc<Semaphore>,
    _lock: Lock,
}

impl Store {
    /// Archived tasks that were touched within this time, in milliseconds, are loaded at open: 14 days.
    pub const RECENT_MS: i64 = 14 * 24 * 60 * 60 * 1000;
    /// Journals that are made durable at the same time. File systems join what waits together, so a
    /// few at once cost hardly more than one, and a storm of turns that end together is held here.
    pub const SYNCS_AT_ONCE: usize = 8;
    /// History pages that are read at the same time; each takes up to [`JournalReader::PAGE_MAX`].
    pub const PAGES_AT_ONCE: usize = 8;

    /// Opens the data directory `data`, made if it is not there, at the time `now`.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it, and failures of the system. What is wrong
    /// with single journals or the index is no error: the report says it.
    pub async fn open(data: &Path, now: Timestamp) -> Result<(Self, OpenReport), StoreError> {
        let layout = Layout::new(data);
        open::make_folders(data, &layout)?;
        let lock = Lock::take(data, &layout.lock()).await?;
        let (index, index_found) = Index::open(&layout.index()).await?;
        let cutoff = now.plus_ms(-Self::RECENT_MS);
        let found = open::look(&layout, &index, cutoff).await?;
        let report = OpenReport {
            index: index_found,
            ..found.report
        };
        let growth = index.growth();
        let inner = Inner {
            search: Search::new(layout.search(), Arc::clone(&growth)),
            growth,
            layout,
            index,
            shelves: RwLock::new(found.shelves),
            tasks: found.tasks,
            cutoff,
            syncs: Arc::new(Semaphore::new(Self::SYNCS_AT_ONCE)),
            pages: Arc::new(Semaphore::new(Self::PAGES_AT_ONCE)),
            _lock: lock,
        };
        let inner = Arc::new(inner);
        Ok((Self { inner }, report))
    }

    /// The tasks as found at open: all but those long archived, oldest first.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        self.inner.tasks.clone()
    }

    /// Tasks that were archived, and last touched more than [`Self::RECENT_MS`] before open; latest
    /// first. Their journals are not read for it.
    ///
    /// # Errors
    /// [`StoreError::Index`].
    pub async fn older(&self) -> Result<Vec<Listed>, StoreError> {
        self.inner.index.older(self.inner.cutoff).await
    }

    /// One task as its journal stands now; for tasks that are not in [`Self::tasks`].
    ///
    /// # Errors
    /// [`StoreError::NoSuchTask`], and failures of the system.
    pub async fn task(&self, id: &TaskId) -> Result<Task, StoreError> {
        self.shelf(id)?;
        let known = self.known(id).await;
        let (layout, task) = (self.inner.layout.clone(), id.clone());
        let read = move || crate::fold::read(&layout, &task, known);
        let folded = blocking(read).await?;
        let none = || StoreError::NoSuchTask { task: id.clone() };
        Ok(folded.snapshot.ok_or_else(none)?.task)
    }

    /// Begins the journal of a new task with its first event. When this returns, the task is durable;
    /// when it fails, or the process dies in it, there is no trace of it. Dropping the future does not
    /// call it back.
    ///
    /// # Errors
    /// [`StoreError::NotABeginning`], [`StoreError::TaskExists`], [`StoreError::Full`], and other
    /// failures of the system.
    pub async fn create(&self, first: Event) -> Result<Journal, StoreError> {
        if first.seq != 1 || Task::begin(&first).is_none() {
            return Err(StoreError::NotABeginning {
                found: first.body.type_name(),
                seq: first.seq,
            });
        }
        let claim = self.reserve(&first.task_id)?;
        let store = self.clone();
        let make = move || {
            let id = first.task_id.clone();
            let made = Ledger::create(&store.inner.layout, claim, first);
            if made.is_err() {
                store.shelves_mut().remove(&id);
            }
            made
        };
        let (snapshot, ledger) = blocking(make).await?;
        self.inner.index.sender().leave(Indexed {
            snapshot: snapshot.clone(),
            archived: false,
        });
        Ok(self.writer(snapshot, ledger))
    }

    /// The writer of task `id`. There is one at a time: dropping it lets go.
    ///
    /// # Errors
    /// [`StoreError::WriterBusy`], [`StoreError::NoSuchTask`], [`StoreError::Archived`],
    /// [`StoreError::Damaged`], and failures of the system.
    pub async fn journal(&self, id: &TaskId) -> Result<Journal, StoreError> {
        let claim = self.shelf(id)?.claim()?;
        let known = self.known(id).await;
        let (layout, task) = (self.inner.layout.clone(), id.clone());
        let open = move || Ledger::open(&layout, &task, claim, known);
        let (snapshot, ledger) = blocking(open).await?;
        Ok(self.writer(snapshot, ledger))
    }

    /// The history of task `id`.
    #[must_use]
    pub fn reader(&self, id: &TaskId) -> JournalReader {
        let layout = self.inner.layout.clone();
        let pages = Arc::clone(&self.inner.pages);
        JournalReader::new(id.clone(), layout, self.shelf(id).ok(), pages)
    }

    /// The file of an artifact, whether it is there or not.
    ///
    /// # Errors
    /// [`StoreError::NotAnArtifact`] when `sha256` is not 64 lower-case hexadecimal digits.
    pub fn artifact_path(&self, id: &TaskId, sha256: &str) -> Result<PathBuf, StoreError> {
        self.inner.layout.artifact(id, sha256)
    }

    /// The content of an artifact, at most [`ArtifactRef::MAX`] bytes.
    ///
    /// # Errors
    /// [`StoreError::NotAnArtifact`], [`StoreError::NoSuchArtifact`], and failures of the system.
    pub async fn artifact(&self, id: &TaskId, sha256: &str) -> Result<Bytes, StoreError> {
        let layout = self.inner.layout.clone();
        let (id, sha256) = (id.clone(), sha256.to_owned());
        let limit = ArtifactRef::MAX as u64;
        blocking(move || artifact::read(&layout, &id, &sha256, limit)).await
    }

    /// Closes the journal of task `id` for ever: it can be read, and nothing is appended any more.
    /// Its writer has to be dropped first.
    ///
    /// # Errors
    /// As [`Self::journal`].
    pub async fn archive(&self, id: &TaskId) -> Result<(), StoreError> {
        let claim = self.shelf(id)?.claim()?;
        let known = self.known(id).await;
        let (layout, task) = (self.inner.layout.clone(), id.clone());
        let mark = move || {
            let (snapshot, ledger) = Ledger::open(&layout, &task, claim, known)?;
            ledger.archive(&layout)?;
            Ok(snapshot)
        };
        let snapshot = blocking(mark).await?;
        self.inner.index.sender().leave(Indexed {
            snapshot,
            archived: true,
        });
        self.inner.index.flush().await
    }

    /// Writes what the index has not got yet and closes it. Journals need no closing.
    pub async fn close(&self) {
        self.inner.search.close().await;
        self.inner.index.close().await;
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.inner.layout
    }

    fn writer(&self, snapshot: Snapshot, ledger: Ledger) -> Journal {
        let syncs = Arc::clone(&self.inner.syncs);
        Journal::new(snapshot, ledger, self.inner.index.sender(), syncs)
    }

    /// What the index knows of a task. Not needed, only quicker.
    async fn known(&self, id: &TaskId) -> Option<Snapshot> {
        self.inner.index.snapshot(id).await.ok().flatten()
    }

    /// Whether there is a journal of task `id`, of whatever age.
    #[must_use]
    pub fn knows(&self, id: &TaskId) -> bool {
        self.shelf(id).is_ok()
    }

    fn shelf(&self, id: &TaskId) -> Result<Arc<Shelf>, StoreError> {
        let none = || StoreError::NoSuchTask { task: id.clone() };
        self.shelves().get(id).cloned().ok_or_else(none)
    }

    /// The place of a task whose folder is there, though nothing in it could be read.
    fn shelf_to_mend(&self, id: &TaskId) -> Result<Arc<Shelf>, StoreError> {
        match self.shelf(id) {
            Err(_) if self.inner.layout.task(id).is_dir() => {
                let archived = self.inner.layout.archived(id).exists();
                let shelf = Arc::new(Shelf::new(id.clone(), Extent::default(), archived));
                let mut shelves = self.shelves_mut();
                Ok(shelves.entry(id.clone()).or_insert(shelf).clone())
            }
            found => found,
        }
    }

    /// Takes the place of a new task.
    fn reserve(&self, id: &TaskId) -> Result<Claim, StoreError> {
        let shelf = Arc::new(Shelf::new(id.clone(), Extent::default(), false));
        match self.shelves_mut().entry(id.clone()) {
            Entry::Occupied(_) => Err(StoreError::TaskExists { task: id.clone() }),
            Entry::Vacant(place) => place.insert(shelf).claim(),
        }
    }

    fn shelves(&self) -> RwLockReadGuard<'_, HashMap<TaskId, Arc<Shelf>>> {
        self.inner
            .shelves
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn shelves_mut(&self) -> RwLockWriteGuard<'_, HashMap<TaskId, Arc<Shelf>>> {
        self.inner
            .shelves
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does `work`, which may block, where that is allowed.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| StoreError::Closed)?
}
