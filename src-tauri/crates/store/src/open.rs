//! Finding out what a data directory holds: from the index where it is current, else from the journals.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use paddock_domain::{Task, TaskId, Timestamp};

use crate::extent::Extent;
use crate::fold::{Began, Snapshot};
use crate::index::{Entry, Index, Row};
use crate::layout::Layout;
use crate::recover::{Recovered, recover};
use crate::settle::Tidied;
use crate::shelf::Shelf;
use crate::{OpenReport, StoreError};

/// Most threads that fold journals side by side.
const FOLDERS_MAX: usize = 8;

/// What a data directory holds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Every journal that has a task.
    pub(crate) shelves: HashMap<TaskId, Arc<Shelf>>,
    /// The tasks that are not long archived, by id.
    pub(crate) tasks: Vec<Task>,
    /// What was out of order.
    pub(crate) report: OpenReport,
}

/// A task's folder, and what the index knows of its journal.
struct Candidate {
    id: TaskId,
    archived: bool,
    known: Option<Snapshot>,
}

/// Looks through the folders of `layout`. Archived tasks that were last touched before `cutoff` are
/// counted and not loaded.
pub(crate) async fn look(
    layout: &Layout,
    index: &Index,
    cutoff: Timestamp,
) -> Result<Found, StoreError> {
    let mut found = Found::default();
    let ids = list(layout, &mut found.report)?;
    let mut rows = index.rows().await?;
    let mut candidates = Vec::with_capacity(ids.len());
    for id in ids {
        let row = rows.remove(&id);
        let archived = layout.archived(&id).exists();
        if let Some(row) = row.filter(|row| archived && is_settled(layout, &id, row, cutoff)) {
            found.take_settled(id, row);
            continue;
        }
        candidates.push(candidate(index, id, row, archived).await);
    }
    found.report.vanished = rows.into_keys().collect();
    found.report.vanished.sort();
    let layout = layout.clone();
    let recovered = tokio::task::spawn_blocking(move || recover_all(&layout, candidates)).await;
    let mut stale = Vec::new();
    for (candidate, outcome) in recovered.map_err(|_| StoreError::Closed)? {
        stale.extend(found.take(candidate, outcome, cutoff));
    }
    found.tasks.sort_by(|a, b| a.task_id.cmp(&b.task_id));
    found.report.tasks = found.tasks.len();
    let written = index.put_all(&stale, &found.report.vanished).await;
    if let Err(error) = written {
        tracing::warn!(%error, "the index is behind; it is caught up at the next start");
    }
    Ok(found)
}

/// The task folders, sorted. What was never acknowledged is removed, what is no task is reported.
fn list(layout: &Layout, report: &mut OpenReport) -> Result<Vec<TaskId>, StoreError> {
    let dir = layout.tasks();
    let failed = |source| StoreError::io("listing", &dir, source);
    let mut ids = Vec::new();
    for entry in fs::read_dir(&dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if name.starts_with(Layout::GOING) {
            crate::retain::finish(layout, name)?;
        } else if name.starts_with(Layout::HALF_MADE) {
            report.half_made += 1;
            fs::remove_dir_all(&path)
                .map_err(|source| StoreError::io("removing", &path, source))?;
        } else if let Ok(id) = TaskId::parse(name) {
            ids.push(id);
        } else {
            let why = "its name is not a task id".to_owned();
            report.unreadable.push((path, why));
        }
    }
    ids.sort();
    Ok(ids)
}

/// Whether a journal is long archived, compressed, and what the index knows: nobody needs to look inside.
fn is_settled(layout: &Layout, id: &TaskId, row: &Row, cutoff: Timestamp) -> bool {
    row.archived
        && row.updated_at < cutoff
        && crate::settle::settled(layout, id) == Some((row.journal_len, row.last_seq))
}

async fn candidate(index: &Index, id: TaskId, row: Option<Row>, archived: bool) -> Candidate {
    // A mark that the index does not know is news like any line of the journal.
    // A row that cannot be read is no row.
    let known = match row.filter(|row| row.archived == archived) {
        Some(_) => index.snapshot(&id).await.ok().flatten(),
        None => None,
    };
    Candidate {
        id,
        archived,
        known,
    }
}

/// Recovers every candidate's journal, several side by side, and keeps their order.
fn recover_all(
    layout: &Layout,
    candidates: Vec<Candidate>,
) -> Vec<(Candidate, Result<Recovered, StoreError>)> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = threads.min(FOLDERS_MAX).min(candidates.len().max(1));
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let n = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(candidate) = candidates.get(n)
                {
                    let outcome = recover(layout, &candidate.id, candidate.known.clone());
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((n, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(n, _)| *n);
    let outcomes = done.into_iter().map(|(_, outcome)| outcome);
    candidates.into_iter().zip(outcomes).collect()
}

impl Found {
    /// Takes a settled journal in by what the index says of it.
    fn take_settled(&mut self, id: TaskId, row: Row) {
        let extent = Extent::unscanned(row.journal_len, row.last_seq);
        let shelf = Shelf::new(id.clone(), extent, true);
        self.shelves.insert(id, Arc::new(shelf));
        self.report.older += 1;
    }

    /// Takes a journal in. Gives its entry when the index does not have it so.
    fn take(
        &mut self,
        candidate: Candidate,
        outcome: Result<Recovered, StoreError>,
        cutoff: Timestamp,
    ) -> Option<Entry> {
        let Candidate {
            id,
            archived,
            known,
        } = candidate;
        let recovered = match outcome {
            Ok(recovered) => recovered,
            Err(error) => {
                self.report
                    .unreadable
                    .push((PathBuf::from(id.as_str()), error.to_string()));
                // It is shown as it was last known, and nothing can be appended.
                if let Some(known) = known {
                    let extent = Extent::unscanned(known.len, known.task.last_seq);
                    let shelf = Shelf::new(id.clone(), extent, archived);
                    self.shelves.insert(id, Arc::new(shelf));
                    self.tasks.push(known.task);
                }
                return None;
            }
        };
        let folded = recovered.folded;
        self.report.cuts.extend(recovered.cut);
        if recovered.tidied == Tidied::PackedKept {
            self.report.set_aside.push(id.clone());
        }
        if let Some(altered) = folded.altered {
            self.report.altered.push((id.clone(), altered));
        }
        if let Some(damage) = folded.extent.damage.clone() {
            self.report.damaged.push((id.clone(), damage));
        }
        let Some(snapshot) = folded.snapshot else {
            if folded.extent.damage.is_none() {
                let why = "its journal holds no event".to_owned();
                self.report
                    .unreadable
                    .push((PathBuf::from(id.as_str()), why));
            } else {
                let shelf = Shelf::new(id.clone(), folded.extent, archived);
                self.shelves.insert(id, Arc::new(shelf));
            }
            return None;
        };
        let grown = known.as_ref().is_none_or(|known| known.len != snapshot.len);
        match folded.began {
            Began::Afresh => self.report.refolded.push(id.clone()),
            Began::Onward if grown => self.report.caught_up.push(id.clone()),
            Began::Onward => {}
        }
        let stale = folded.began == Began::Afresh || grown;
        let shelf = Shelf::new(id.clone(), folded.extent, archived);
        self.shelves.insert(id, Arc::new(shelf));
        if archived && snapshot.task.updated_at < cutoff {
            self.report.older += 1;
        } else {
            self.tasks.push(snapshot.task.clone());
        }
        stale.then_some(Entry { snapshot, archived })
    }
}

/// Makes the folders of a data directory.
pub(crate) fn make_folders(data: &Path, layout: &Layout) -> Result<(), StoreError> {
    for dir in [data, &layout.tasks(), &layout.artifacts()] {
        crate::file::make_private_dir(dir)
            .map_err(|source| StoreError::io("making", dir, source))?;
    }
    Ok(())
}
