//! What the writer and the readers of one journal share: how far it reaches, and who writes it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use paddock_domain::TaskId;

use crate::StoreError;
use crate::extent::Extent;

/// One journal's place in the store.
#[derive(Debug)]
pub(crate) struct Shelf {
    task: TaskId,
    extent: Mutex<Extent>,
    claimed: AtomicBool,
    archived: AtomicBool,
}

impl Shelf {
    pub(crate) fn new(task: TaskId, extent: Extent, archived: bool) -> Self {
        Self {
            task,
            extent: Mutex::new(extent),
            claimed: AtomicBool::new(false),
            archived: AtomicBool::new(archived),
        }
    }

    pub(crate) fn task(&self) -> &TaskId {
        &self.task
    }

    /// How far the journal reaches now. Held for moments only, never while a file is read or written.
    pub(crate) fn extent(&self) -> MutexGuard<'_, Extent> {
        self.extent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn archive(&self) {
        self.archived.store(true, Ordering::Release);
    }

    pub(crate) fn is_archived(&self) -> bool {
        self.archived.load(Ordering::Acquire)
    }

    /// Takes the right to write, of an archived journal too, until the claim is dropped: to mend it or to
    /// remove it.
    ///
    /// # Errors
    /// [`StoreError::WriterBusy`] while another claim lives.
    pub(crate) fn claim_to_mend(self: &Arc<Self>) -> Result<Claim, StoreError> {
        if self.claimed.swap(true, Ordering::AcqRel) {
            let task = self.task.clone();
            return Err(StoreError::WriterBusy { task });
        }
        Ok(Claim(Arc::clone(self)))
    }

    /// Takes the right to write until the claim is dropped.
    ///
    /// # Errors
    /// [`StoreError::Archived`], and [`StoreError::WriterBusy`] while another claim lives.
    pub(crate) fn claim(self: &Arc<Self>) -> Result<Claim, StoreError> {
        if self.is_archived() {
            let task = self.task.clone();
            return Err(StoreError::Archived { task });
        }
        self.claim_to_mend()
    }
}

/// The right to write one journal.
#[derive(Debug)]
pub(crate) struct Claim(Arc<Shelf>);

impl std::ops::Deref for Claim {
    type Target = Arc<Shelf>;
    fn deref(&self) -> &Arc<Shelf> {
        &self.0
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.0.claimed.store(false, Ordering::Release);
    }
}
