//! Search over all journals of a store, and what keeps it up to date. Whoever serves a store calls
//! [`Store::search_behind`] once, and from then on [`Store::index_words`] for what it gave and for what
//! [`Store::grown`] gives.

use std::collections::BTreeSet;

use paddock_domain::TaskId;

use super::Store;
use crate::{Hits, SearchQuery, StoreError};

impl Store {
    /// The events that match `query`, best first: at most `limit` of them after the first `skip`.
    ///
    /// # Errors
    /// [`StoreError::Index`].
    pub async fn search(
        &self,
        query: &SearchQuery,
        skip: usize,
        limit: usize,
    ) -> Result<Hits, StoreError> {
        self.inner.search.find(query, skip, limit).await
    }

    /// Tasks whose journals the search index does not hold whole, latest first. What it holds of
    /// journals that are gone or were changed is forgotten.
    ///
    /// # Errors
    /// [`StoreError::Index`].
    pub async fn search_behind(&self) -> Result<Vec<TaskId>, StoreError> {
        let reaches = self.inner.search.reaches().await?;
        let journals: Vec<_> = self.shelves().values().cloned().collect();
        let mut behind = Vec::new();
        for shelf in journals {
            let (last_seq, len) = {
                let extent = shelf.extent();
                (extent.last_seq, extent.len)
            };
            match reaches.get(shelf.task()) {
                Some(reach) if reach.last_seq == last_seq && reach.journal_len == len => continue,
                Some(reach) if reach.last_seq < last_seq && reach.journal_len < len => {}
                Some(_) => self.inner.search.forget(shelf.task()).await?,
                None => {}
            }
            behind.push(shelf.task().clone());
        }
        for gone in reaches.keys().filter(|id| !self.knows(id)) {
            self.inner.search.forget(gone).await?;
        }
        behind.sort();
        behind.reverse();
        Ok(behind)
    }

    /// Brings the search index up to what the journal of task `id` has now; forgets a task that is gone.
    ///
    /// # Errors
    /// [`StoreError::Index`], and those of reading the journal.
    pub async fn index_words(&self, id: &TaskId) -> Result<(), StoreError> {
        if !self.knows(id) {
            return self.inner.search.forget(id).await;
        }
        self.inner.search.index(id, &self.reader(id)).await
    }

    /// Waits until journals grew, and says of which tasks.
    pub async fn grown(&self) -> BTreeSet<TaskId> {
        self.inner.search.grown().await
    }

    /// Lets the search index read the journal of `id` from its first line again.
    pub(super) async fn reread_words(&self, id: &TaskId) {
        match self.inner.search.forget(id).await {
            Ok(()) => self.inner.growth.mark(id),
            Err(error) => {
                tracing::warn!(task.id = %id, %error, "search still finds what its journal was")
            }
        }
    }
}
