//! Looking after what a store holds while it is open: what lies there, whether it is whole, mending it, and
//! letting go of what is kept no longer.

use std::sync::Arc;

use paddock_domain::{
    Expired, ExpiredKind, JournalCheck, JournalFile, JournalRepair, TaskId, Timestamp,
};

use super::{Store, blocking};
use crate::at_rest::{self, Mending};
use crate::index::Entry;
use crate::repair::Stamp;
use crate::shelf::Shelf;
use crate::{Retention, StoreError, check, retain};

impl Store {
    /// Every journal there is, by task id, oldest first; one that cannot be opened says so in its damage.
    ///
    /// # Errors
    /// [`StoreError::Closed`].
    pub async fn journals(&self) -> Result<Vec<JournalFile>, StoreError> {
        let shelves: Vec<_> = self.shelves().values().cloned().collect();
        let layout = self.inner.layout.clone();
        let look = move || {
            let look = |shelf: &Arc<Shelf>| {
                let (last_seq, damage) = {
                    let extent = shelf.extent();
                    (extent.last_seq, extent.damage.clone())
                };
                at_rest::look(&layout, shelf.task(), Some((last_seq, damage)))
            };
            let mut found: Vec<_> = shelves.iter().map(look).collect();
            found.sort_by(|a, b| a.task_id.cmp(&b.task_id));
            Ok(found)
        };
        blocking(look).await
    }

    /// Reads the whole journal of task `id` as far as it was written when this was called, and holds it
    /// against all that it must be. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoSuchTask`] when there is nothing of it.
    pub async fn verify(&self, id: &TaskId) -> Result<JournalCheck, StoreError> {
        // Told before it is read how far it reaches, so that the index is never ahead.
        let _ = self.inner.index.flush().await; // a closed index is as it is
        let known = self.inner.index.entry(id).await.ok().flatten();
        let up_to = match self.shelf(id) {
            Ok(shelf) => {
                let extent = shelf.extent();
                extent.damage.is_none().then_some(extent.len)
            }
            Err(error) if !self.inner.layout.task(id).exists() => return Err(error),
            Err(_) => None,
        };
        let (layout, id) = (self.inner.layout.clone(), id.clone());
        blocking(move || Ok(check::check(&layout, &id, known.as_ref(), up_to))).await
    }

    /// Mends the journal of task `id`, which nobody may be writing, and keeps the original beside it; only
    /// says what it would do when `dry`. Events that it needs are stamped `now` and get ids from `random` on.
    ///
    /// # Errors
    /// [`StoreError::WriterBusy`], [`StoreError::BeyondRepair`], [`StoreError::NoSuchTask`], and failures of
    /// the system; the journal is as it was then.
    pub async fn repair(
        &self,
        id: &TaskId,
        now: Timestamp,
        random: u128,
        dry: bool,
    ) -> Result<JournalRepair, StoreError> {
        let claim = self.shelf_to_mend(id)?.claim_to_mend()?;
        let _ = self.inner.index.flush().await; // a closed index is as it is
        let known = self.inner.index.entry(id).await.ok().flatten();
        let (layout, task) = (self.inner.layout.clone(), id.clone());
        let mend = move || {
            let stamp = Stamp { now, random };
            let mended = at_rest::mend(&layout, &task, known.as_ref(), stamp, dry)?;
            if let Some(folded) = &mended.folded {
                *claim.extent() = folded.extent.clone();
            }
            Ok(mended)
        };
        let Mending { repair, entry, .. } = blocking(mend).await?;
        if let Some(entry) = entry {
            self.inner.index.put_all(&[entry], &[]).await?;
            self.reread_words(id).await;
        }
        Ok(repair)
    }

    /// Whether the journal of task `id` is compressed now.
    #[must_use]
    pub fn is_packed(&self, id: &TaskId) -> bool {
        let layout = &self.inner.layout;
        layout.packed(id).exists() && !layout.journal(id).exists()
    }

    /// What of purged tasks is kept longer than `retention` wants, and, when `loose` is asked for, the
    /// artifacts to which nothing refers; oldest first. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Index`], and failures of the system.
    pub async fn expired(
        &self,
        retention: Retention,
        loose: bool,
        now: Timestamp,
    ) -> Result<Vec<Expired>, StoreError> {
        let mut archived = self.inner.index.older(now.plus_ms(1)).await?;
        archived.retain(|listed| self.is_whole_and_archived(&listed.task_id));
        archived.reverse();
        let layout = self.inner.layout.clone();
        let look = move || {
            let mut found = Vec::new();
            for listed in archived {
                let expired = retain::expired(&layout, &listed, &retention, loose, now);
                let expired = expired.map_err(|source| {
                    StoreError::io("looking through", layout.task(&listed.task_id), source)
                })?;
                found.extend(expired);
            }
            Ok(found)
        };
        blocking(look).await
    }

    /// Removes what [`Self::expired`] gave, and gives what was removed.
    ///
    /// # Errors
    /// As [`Self::expired`]; what is removed by then stays removed.
    pub async fn let_go(
        &self,
        retention: Retention,
        loose: bool,
        now: Timestamp,
    ) -> Result<Vec<Expired>, StoreError> {
        let all = self.expired(retention, loose, now).await?;
        for expired in all.clone() {
            let _claim = self.shelf(&expired.task_id)?.claim_to_mend()?;
            let (layout, is_last) = (
                self.inner.layout.clone(),
                expired.what == ExpiredKind::Journal,
            );
            let id = expired.task_id.clone();
            blocking(move || retain::remove(&layout, &expired, now)).await?;
            if is_last {
                self.shelves_mut().remove(&id);
                self.inner.growth.mark(&id); // search forgets what is gone
                self.inner.index.put_all(&[], &[id]).await?;
            }
        }
        Ok(all)
    }

    fn is_whole_and_archived(&self, id: &TaskId) -> bool {
        let shelf = self.shelf(id);
        shelf.is_ok_and(|shelf| shelf.is_archived() && shelf.extent().damage.is_none())
    }
}

/// What the index is to hold of a mended journal.
pub(crate) fn entry_of(mended: &crate::fold::Folded, archived: bool) -> Option<Entry> {
    let snapshot = mended.snapshot.clone()?;
    Some(Entry { snapshot, archived })
}
